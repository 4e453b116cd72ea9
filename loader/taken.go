package loader

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/ir/source"
	"silvm/loader/evidence"
)

// A program may call a type like one of the library, such as Task or Character, and the text says the same name for both. Which is meant where
// is found out before the program is read: a trial reads it with a type of its own for each mention. What symbols say of the types of
// functions (mangle.MentionsOf), members, declarations and instructions tell which mentions are the same type, and whose (evidence.Trial).
// Where it is decided, more can follow, so there are several trials. A mention of which nothing tells the meaning becomes a type without a
// declaration: whoever reaches it is refused.

// maxTrials bounds the trials. Each decides something, or is the last.
const maxTrials = 8

// The same is done for a name of which two modules of the program declare a type, and maybe the library one too.

// takenNames are the names of types of the program that types of the library have too.
type takenNames struct {
	types map[string]takenType
	texts []evidence.Text
	meant map[evidence.Key]evidence.Set // what mentions mean: evidence.MeansOwn or evidence.MeansLibrary; nil before the first trial
	trial *evidence.Trial               // nil unless a trial is read
	known int                           // mentions that were read whose meaning is known

	byHand  bool                    // the text was written by hand: what nothing tells is the program's, which shadows the library's
	assumed map[string]evidence.Key // the first cast to a type of a name of which nothing tells the meaning, and that is taken for the program's
}

// takenType says of which kinds the types of a name are, and which have generic parameters.
type takenType struct {
	own            []ownType // the program's, each of another module
	library        ir.NominalKind
	libraryGeneric bool

	internal bool // the library has none, or one of which only the library itself knows

	besides bool   // the library is a module besides the standard one, such as Foundation
	lines   string // what the library says of the name
}

// ownType is a type of the program. The type number n of a name is evidence.MeansOwn for 0 and evidence.MeansOther for others.
type ownType struct {
	module   string // "" where the program has one type
	kind     ir.NominalKind
	generic  bool
	exported bool  // other modules may mention it
	besides  []int // numbers of texts of other modules whose symbols may mention it, though it is not exported
}

// meansType is the set of the type number n of those of the program.
func meansType(n int) evidence.Set {
	if n == 0 {
		return evidence.MeansOwn
	}
	return evidence.MeansOther(n - 1)
}

// namePlace is where the name of a type stands, which may tell whether it is that of a protocol.
type namePlace uint8

const (
	anywhere     namePlace = iota
	valueType              // it is the type of a value: no protocol, which would come after any or in a list
	inherited              // what a declaration inherits: a protocol, a class or an enum's raw type
	requirement            // what a type has to conform to or to inherit: a protocol or a class
	onlyProtocol           // any P, or the protocol of a witness: never a class
)

// isConstraint reports whether no generic parameter can be meant, also where one has the same name, as in <Collection : Collection>.
func (place namePlace) isConstraint() bool { return place >= inherited }

// allows reports whether a type of a kind can be there. A typealias may name anything.
func (place namePlace) allows(kind ir.NominalKind) bool {
	switch {
	case kind == ir.TypeAlias:
	case place == valueType:
		return kind != ir.Protocol
	case place == requirement:
		return kind == ir.Protocol || kind == ir.Class || kind == ir.Actor
	case place == onlyProtocol:
		return kind == ir.Protocol
	}
	return true
}

// mayMean returns the set of those that can be at a place, with arguments or without; all when none can.
func (t takenType) mayMean(place namePlace, withArgs bool) (set evidence.Set) {
	fits := func(kind ir.NominalKind, generic bool) bool {
		if kind == ir.Protocol && place.isConstraint() { // any P and any P<Int>
			generic = withArgs
		}
		return place.allows(kind) && generic == withArgs
	}
	for n, own := range t.own {
		if fits(own.kind, own.generic) {
			set |= meansType(n)
		}
	}
	if fits(t.library, t.libraryGeneric) {
		set |= evidence.MeansLibrary
	}
	if set &= t.all(); set == 0 {
		set = t.all()
	}
	return set
}

// isProtocol reports whether all types of the name are protocols.
func (t takenType) isProtocol() bool {
	return (t.internal || t.library == ir.Protocol) && !slices.ContainsFunc(t.own, func(own ownType) bool { return own.kind != ir.Protocol })
}

// findTaken finds the types at the top of the program with a namesake in the library; nil when there are none.
func (l *load) findTaken(texts []string) *takenNames {
	if l.opts.taken != nil || l.opts.OfLibrary {
		return l.opts.taken
	}
	var t *takenNames
	for _, text := range texts {
		if !isProgramText(text) {
			continue
		}
		// All of the library that an Embedded program uses is in its text, by the name of its runtime's functions.
		embedded := l.opts.Embedded || strings.Contains(text, "@swift_retain ")
		for _, word := range []string{"struct", "enum", "class", "protocol", "actor"} {
			eachTopDecl(text, word, func(d topDecl) {
				taken, ok := libraryHas(d.name, libraryLines(d.name, texts))
				besides := !ok
				if besides {
					taken, ok = l.archive.hasType(d.name, texts)
				}
				if !ok || l.namesakes.isPrivate(d.name) {
					return
				}
				if t == nil {
					t = &takenNames{types: map[string]takenType{}}
				}
				taken.besides = besides
				taken.internal = besides || !embedded && isInternal(d.name)
				taken.own = []ownType{d.ownType(text)}
				t.types[d.name] = taken
			})
		}
	}
	t.mentioned(texts)
	t = l.findRivals(texts, t)
	if t != nil {
		t.texts = evidence.TextsOf(texts)
		t.byHand = !slices.ContainsFunc(texts, func(text string) bool { return isProgramText(text) && !isByHand(text) })
	}
	return t
}

// exporting are the words with which other modules may mention a type, in their own code or in copies of functions.
var exporting = map[string]bool{"public": true, "open": true, "package": true, "@usableFromInline": true}

// ownType returns what the declaration says.
func (d topDecl) ownType(text string) ownType {
	before, behind, _ := strings.Cut(text[d.at:d.end], d.word+" "+d.name)
	kind := nominalKinds[d.word]
	exported := slices.ContainsFunc(strings.Fields(before), func(w string) bool { return exporting[w] })
	return ownType{kind: kind, generic: kind != ir.Protocol && strings.HasPrefix(behind, "<"), exported: exported}
}

// isByHand reports whether most functions of a text have names as people write them: the compiler mangles almost all names, and what the types
// of a function are is in them.
func isByHand(text string) bool {
	plain, mangled := 0, 0
	for _, after := range strings.Split("\n"+text, "\nsil ")[1:] {
		line, _, _ := strings.Cut(after, "\n")
		switch _, name, _ := strings.Cut(line, "@"); {
		case !strings.HasSuffix(line, "{") || strings.HasPrefix(name, "main "): // declared only, or named by both
		case strings.HasPrefix(name, "$s"):
			mangled++
		default:
			plain++
		}
	}
	return plain > 4*mangled
}

// mentioned finds the types of Foundation's modules that the program means too: some function that it calls or has says so by its symbol.
func (t *takenNames) mentioned(texts []string) {
	if t == nil {
		return
	}
	besides := func(name string) bool { return t.has(name) && t.types[name].besides }
	if !slices.ContainsFunc(slices.Collect(maps.Keys(t.types)), besides) {
		return
	}
	for _, text := range texts {
		for symbol := range symbolsIn(text) {
			if !strings.Contains(symbol, "Foundation") && !strings.Contains(symbol, "Dispatch") {
				continue
			}
			said, _ := mangle.MentionsOf(symbol, besides)
			for _, m := range said.All {
				if taken := t.types[m.Name]; evidence.IsLibraryModule(m.Module) {
					taken.internal = false
					t.types[m.Name] = taken
				}
			}
		}
	}
}

// linked reports whether some of the names are those of types in modules whose text is linked.
func (t *takenNames) linked() bool {
	for _, taken := range t.types {
		if taken.besides && !taken.internal {
			return true
		}
	}
	return false
}

// symbolsIn returns the Swift symbols that come after an @ in a text.
func symbolsIn(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			_, rest, found := strings.Cut(text, "@$s")
			if !found {
				return
			}
			end := scanIdent(rest, 0)
			if !yield("$s" + rest[:end]) {
				return
			}
			text = rest[end:]
		}
	}
}

// isProgramText reports whether a text is not the standard library's own.
func isProgramText(text string) bool {
	return strings.Contains(text, "\nimport Swift\n") && !strings.Contains(text, "protocol _ExpressibleByBuiltinIntegerLiteral")
}

// libraryHas reports whether the library, which says lines of a name, declares a type or protocol of that name, and of which kind.
func libraryHas(name, lines string) (t takenType, ok bool) {
	t.lines = lines
	for line := range strings.SplitSeq(lines, "\n") {
		for word, kind := range nominalKinds {
			at := strings.Index(line, word+" "+name)
			if word == "extension" || at < 0 || at > 0 && line[at-1] != ' ' {
				continue
			}
			rest := line[at+len(word)+1+len(name):]
			if scanIdent(rest, 0) > 0 || strings.HasPrefix(rest, ".") {
				continue
			}
			t.library = kind
			t.libraryGeneric = kind != ir.Protocol && strings.HasPrefix(rest, "<")
			return t, true
		}
	}
	return t, false
}

// libraryLines returns all that the library modules which texts import say of a name.
func libraryLines(name string, texts []string) string {
	lines := ordinary.older()[name]
	if lines == "" {
		lines = ordinary.newer()[name]
	}
	for _, m := range besides {
		says := m.index.older()[name]
		if says != "" && (m.implicit || slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "import "+m.name+"\n") })) {
			lines += says
		}
	}
	return lines
}

// findMeant finds out what the mentions of the names mean.
func (t *takenNames) findMeant(files []Input, opts Options) {
	t.meant, t.assumed = map[evidence.Key]evidence.Set{}, map[string]evidence.Key{}
	opts.Lazy, opts.leaveOut, opts.taken = true, true, t
	if !t.linked() {
		opts.Libraries = nil
	}
	inOwn := map[evidence.Own]bool{} // names that mean another type somewhere in the functions of the module
	for range maxTrials {
		t.trial = evidence.NewTrial(t)
		loadAll(files, opts)
		more := t.trial.Decided()
		others, open := t.trial.InProgram()
		maps.Copy(inOwn, others)
		if len(more) == 0 {
			more = t.assume(open, inOwn)
		}
		t.trial = nil
		if len(more) == 0 {
			break
		}
		maps.Copy(t.meant, more)
	}
}

// assume decides what nothing tells, such as the type in a cast whose result nobody reads. In the source the name means the module's own type unless
// another module comes before it, so that it does where no other mention in the module's functions means another one.
func (t *takenNames) assume(open map[evidence.Key]evidence.Undecided, others map[evidence.Own]bool) map[evidence.Key]evidence.Set {
	meant := map[evidence.Key]evidence.Set{}
	for key, m := range open {
		if others[m.Own] {
			continue
		}
		meant[key] = m.Set
		first, ok := t.assumed[m.Name]
		if m.IsCast && (!ok || key.Text < first.Text || key.Text == first.Text && key.Off < first.Off) {
			t.assumed[m.Name] = key
		}
	}
	return meant
}

// tellAssumed warns where the run depends on what is assumed, at the first such mention of each name.
func (l *load) tellAssumed() {
	if l.taken == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(l.taken.assumed)) {
		key := l.taken.assumed[name]
		pos := l.parsers[key.Text].file.Base + source.Pos(key.Off)
		if t := l.taken.types[name]; t.isSeveral() {
			l.diags.Warnf(pos, "duplicate-type", "%s may be the type of this module or of another one here, and the text does not tell: it is taken for that of this one", name)
			continue
		}
		l.diags.Warnf(pos, "duplicate-type", "%s may be the program's type or the one of the library here, and the text does not tell: it is taken for the program's", name)
	}
}

// takenName returns the name of the type that the program or the library means by name, which was just read at an offset; in a
// place that may tell.
func (p *parser) takenName(name string, off int, place namePlace) string {
	if p.taken == nil {
		return name
	}
	t, ok := p.taken.types[name]
	if !ok {
		return name
	}
	in := p.taken.inText(name, p.textNumber())
	if in == 0 || evidence.IsOne(in) {
		return evidence.Name(name, in)
	}
	if p.is("&") || p.is("<") && place == onlyProtocol { // a list, maybe after the arguments
		place = requirement
	}
	may := t.mayMean(place, p.is("<")) & in
	if may == 0 {
		may = in
	}
	if member := p.peek(); !evidence.IsOne(may) && p.is(".") && member.kind == tokIdent && !isMetatypeWord(member.text) {
		if of := may & p.load.nesting(name, member.text); evidence.IsOne(of) {
			may = of
		}
	}
	if evidence.IsOne(may) {
		return evidence.Name(name, may)
	}
	return p.taken.nameAt(name, evidence.Key{Text: p.number, Off: off}, may)
}

// nesting returns which of the types of a name may have a type nested in them.
func (l *load) nesting(name, nested string) (set evidence.Set) {
	if hasWord(l.taken.types[name].lines, nested) {
		set = evidence.MeansLibrary
	}
	for of := range l.taken.types[name].ofProgram().Each {
		if l.ownNested(name, nested, of) {
			set |= of
		}
	}
	return set
}

// ownNested reports whether the program's type of a name that a set has has a type nested in it, maybe in an extension, and no other declaration of
// the program for that name declares one: it could extend another one.
func (l *load) ownNested(name, nested string, of evidence.Set) bool {
	if l.mod.Nominals[evidence.Name(name, of)+"."+nested] == nil {
		return false
	}
	n := 0
	for _, d := range l.topDecls() {
		if ir.PlainName(d.Path) == name && membersIn(d.Text)[nested] {
			n++
		}
	}
	return n == 1
}

// has reports whether a name is one of them.
func (t *takenNames) has(name string) bool {
	if t == nil {
		return false
	}
	_, ok := t.types[name]
	return ok
}

// isTrial reports whether a trial is read.
func (t *takenNames) isTrial() bool { return t != nil && t.trial != nil }

// nameAt returns the name for a mention that may mean one of a set.
func (t *takenNames) nameAt(name string, key evidence.Key, may evidence.Set) string {
	if t.trial != nil && t.meant[key] == 0 {
		return t.trial.StandIn(name, key, may)
	}
	t.known++
	if meant := t.meant[key]; meant != 0 {
		may = meant
	}
	if may == evidence.MeansOwn|evidence.MeansLibrary && t.byHand && !t.types[name].isSeveral() {
		may = evidence.MeansOwn
	}
	return evidence.Name(name, may)
}

// takenOwn returns the name of the program's type: where it is declared.
func (p *parser) takenOwn(name string) string {
	if p.taken == nil {
		return name
	}
	first, rest, _ := strings.Cut(name, ".")
	if !p.taken.has(first) {
		return name
	}
	return p.takenOf(first, p.taken.moduleOf(p.textNumber())) + name[len(first):len(name)-len(rest)] + rest
}

// takenOf returns the name of the type of a name that a module declares.
func (p *parser) takenOf(name, module string) string {
	if !p.taken.has(name) {
		return name
	}
	return evidence.Name(name, p.taken.Of(name, module))
}

// takenPath is takenName for a path to a member at an offset.
func (p *parser) takenPath(path string, off int, place namePlace) string {
	if p.taken == nil {
		return path
	}
	name, member, _ := strings.Cut(path, ".")
	if !p.taken.has(name) {
		return path
	}
	member, _, _ = strings.Cut(member, ".")
	in := p.taken.inText(name, p.textNumber())
	if in == 0 || evidence.IsOne(in) {
		return evidence.Name(name, in) + path[len(name):]
	}
	may := in
	if place == onlyProtocol {
		may &= p.taken.types[name].mayMean(place, false)
	}
	if may == in && member != "" {
		set := p.load.nesting(name, member)
		for of := range (in &^ evidence.MeansLibrary).Each {
			if hasWord(p.load.ownText(name, of), member) {
				set |= of
			}
		}
		if set &= in; evidence.IsOne(set) {
			may = set
		}
	}
	if may == 0 {
		may = in
	}
	return p.taken.nameAt(name, evidence.Key{Text: p.number, Off: off}, may) + path[len(name):]
}

// ownText returns the program's declaration of that type of a name which a set has.
func (l *load) ownText(name string, of evidence.Set) string {
	own := evidence.Name(name, of)
	if d := l.mod.Nominals[own]; d != nil {
		return d.Text
	}
	for _, p := range l.parsers {
		for n := range p.decls {
			if d := p.decls[n].decl; d.Path == own {
				return d.Text
			}
		}
	}
	return ""
}

// head runs a rule that reads the type of a function or global; a trial takes what its symbol says of that.
func (t *takenNames) head(symbol string, rule func()) {
	if !t.isTrial() {
		rule()
		return
	}
	first, known := t.trial.Mark(), t.known
	rule()
	t.trial.Head(symbol, first, t.known == known)
}

// errorResult takes the type of an error that a function throws.
func (t *takenNames) errorResult(typ *ir.Type) {
	if t.isTrial() {
		t.trial.ErrorResult(typ)
	}
}

// takenBodies reads the bodies and tables of the program in a trial.
func (l *load) takenBodies() {
	t := l.taken.trial
	t.Declarations(l.mod, l.topDecls())
	l.takenExtensions(t)
	for _, in := range l.inits {
		in.parse()
	}
	for _, g := range l.mod.Globals {
		if g.Init != nil {
			t.Initializer(g)
		}
	}
	for _, b := range l.bodies {
		if b.p.taken != nil && !l.taken.isOpenIn(b.p.number) {
			continue
		}
		q, f := b.p.forBody(b.fn, b.from, b.to), b.fn
		first := t.Mark()
		q.parseBody(f, b.from, b.to)
		blocks := f.Blocks
		f.Blocks, f.Numbers = nil, nil
		t.Body(f, l.taken.moduleOf(b.p.number), first, blocks)
	}
}

// takenExtensions tells whose type an extension extends by the symbols of what is declared in it.
func (l *load) takenExtensions(t *evidence.Trial) {
	var said map[string]map[string][]mangle.Mention // name of the type -> member -> types in symbols
	for _, d := range l.topDecls() {
		if d.Kind != ir.ExtensionDecl || !t.IsStandIn(d.Path) {
			continue
		}
		if said == nil {
			said = l.contexts()
		}
		for member := range membersIn(d.Text) {
			for _, m := range said[ir.PlainName(d.Path)][member] {
				t.MayExtend(d.Path, m)
			}
		}
	}
}

// contexts gathers in which types the members are that symbols name.
func (l *load) contexts() map[string]map[string][]mangle.Mention {
	said, seen := map[string]map[string][]mangle.Mention{}, map[string]bool{}
	for _, p := range l.parsers {
		eachSymbol(p.text, func(symbol string) {
			if seen[symbol] {
				return
			}
			seen[symbol] = true
			typ, member, ok := mangle.ContextOf(symbol)
			if !ok || !l.taken.has(typ.Name) {
				return
			}
			if said[typ.Name] == nil {
				said[typ.Name] = map[string][]mangle.Mention{}
			}
			said[typ.Name][member] = append(said[typ.Name][member], typ)
		})
	}
	return said
}
