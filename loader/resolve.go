package loader

import (
	"slices"
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/ir/source"
	"silvm/ir/worklist"
	"silvm/loader/evidence"
)

// pendingDecl is a declared type or extension whose members are still text.
type pendingDecl struct {
	p        *parser
	decl     *ir.Nominal
	head     int               // offset after the name
	from, to int               // between the braces
	raw      int               // offset after the parenthesis of @_rawLayout, 0 when there is none
	names    map[string]string // what ambiguous names mean in it
}

// readDecls reads the members of all declarations of the parsers and enters the types into the module, tops
// being those that are not nested. Types come before extensions, and an extension comes after the type that
// it extends, wherever that is declared.
func (l *load) readDecls(parsers []*parser, tops []*ir.Nominal) {
	var types, extensions []pendingDecl
	for _, p := range parsers {
		for _, it := range p.decls {
			if l.isKnown(it.decl) {
				continue
			}
			if it.decl.Kind == ir.ExtensionDecl {
				extensions = append(extensions, it)
			} else {
				types = append(types, it)
			}
		}
		p.decls = nil
	}
	for _, d := range tops {
		l.enter(d)
	}
	for _, it := range types {
		l.readDecl(it)
	}
	for len(extensions) > 0 {
		var later []pendingDecl
		for _, it := range extensions {
			if it.decl.Outer = l.extended(it.decl); it.decl.Outer == nil {
				later = append(later, it)
				continue
			}
			l.readDecl(it)
		}
		if len(later) == len(extensions) {
			for _, it := range later { // of a type that nobody declares
				l.readDecl(it)
			}
			break
		}
		extensions = later
	}
}

// extended returns the declaration of the type that an extension extends, nil when nobody declares it. Of a
// typealias that is the type it stands for, and the extension goes by that type's name.
func (l *load) extended(ext *ir.Nominal) *ir.Nominal {
	d := l.mod.Nominal(ext.Path)
	for n := 0; d != nil && d.Kind == ir.TypeAlias && n < l.opts.MaxNesting; n++ {
		d = l.mod.DeclOf(d.Target)
	}
	if d != nil && d.Kind == ir.TypeAlias {
		return nil
	}
	if d != nil {
		ext.Path = d.Path
	}
	return d
}

// topDecls returns the types and extensions at the top of the files.
func (l *load) topDecls() []*ir.Nominal {
	var tops []*ir.Nominal
	for _, item := range l.mod.Items {
		if d, ok := item.(*ir.Nominal); ok {
			tops = append(tops, d)
		}
	}
	return tops
}

// readDecl reads the members of one declaration, then those of its members.
func (l *load) readDecl(first pendingDecl) {
	work := []pendingDecl{first}
	for it := range worklist.Drain(&work) {
		p := it.p
		p.namesakes = it.names
		mark := p.pushParams(nil)
		p.pushOuter(it.decl)
		if it.decl.Kind == ir.ExtensionDecl {
			p.within(it.head, max(it.head, it.from-1), func() { p.inheritance(it.decl) })
		}
		if it.raw > 0 {
			p.within(it.raw, it.from, func() { p.attempt(func() bool { it.decl.Raw = p.rawLayout(); return true }) })
		}
		p.within(it.from, it.to, func() { p.readMembers(it.decl) })
		p.popParams(mark)
		p.namesakes = nil
		for _, m := range it.decl.Members {
			if it.decl.Kind == ir.ExtensionDecl && it.decl.Outer != nil {
				m.Outer = it.decl.Outer
				m.Constrained = it.decl.Generic != nil && len(it.decl.Generic.Requirements) > 0
			}
			l.enter(m)
		}
		work = append(work, p.decls...)
		p.decls = nil
	}
}

// enter puts a declared type into the module's table. Of two declarations of one name the one that says more
// stays; the compiler prints a type of another module into every file that needs it.
func (l *load) enter(d *ir.Nominal) {
	if l.isKnown(d) {
		return
	}
	if l.library != nil && l.mod.Files.File(d.Pos) == l.library {
		d.Module = "Swift"
	}
	switch d.Kind {
	case ir.ExtensionDecl:
		l.mod.Extensions = append(l.mod.Extensions, d)
		return
	}
	old := l.mod.Nominals[d.Path]
	if old == nil || old.Builtin {
		l.mod.Nominals[d.Path] = d
		return
	}
	if old == d {
		return
	}
	same := l.mod.Files.File(old.Pos) == l.mod.Files.File(d.Pos)
	if !same && l.ofTwoModules(old, d) {
		return
	}
	if d.Kind == old.Kind && strings.TrimSpace(d.Text) == strings.TrimSpace(old.Text) {
		return
	}
	switch {
	case !same && old.Kind == d.Kind:
		l.diags.Warnf(d.Pos, "duplicate-type", "%s is declared differently in another file", d.Path).
			Note(old.Pos, "this declaration is used")
	default:
		l.diags.Errorf(d.Pos, "duplicate-type", "%s is declared twice", d.Path).Note(old.Pos, "first declared here")
	}
}

// ofTwoModules reports whether two files have types of one name that are of different modules, as symbols show. The text of a third file calls both the
// same, and so do the tables: nothing may be made of either.
func (l *load) ofTwoModules(old, d *ir.Nominal) bool {
	name, _, nested := strings.Cut(d.Path, ".")
	if nested {
		return l.clashes[name]
	}
	if !l.clashes[name] {
		a, b := l.modulesOf(old), l.modulesOf(d)
		if d.Kind == old.Kind && (len(a) == 0 || !slices.ContainsFunc(b, func(m string) bool { return !slices.Contains(a, m) })) {
			return false
		}
		if l.clashes == nil {
			l.clashes = map[string]bool{}
		}
		l.clashes[name] = true
		l.diags.Warnf(d.Pos, "unsupported-type", "not supported: %s, which is a type of several modules", ir.PlainName(name)).Note(old.Pos, "the other one")
	}
	return true
}

// findRivals finds the types of one name that several modules of the program declare, each once.
func (l *load) findRivals(texts []string, t *takenNames) *takenNames {
	type declaration struct {
		text int
		typ  ownType
		body string
	}
	program := slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return !isProgramText(text) })
	if len(program) < 2 {
		return t
	}
	decls := map[string][]declaration{}
	for k, text := range texts {
		if !isProgramText(text) {
			continue
		}
		for word, kind := range nominalKinds {
			if kind != ir.ExtensionDecl {
				eachTopDecl(text, word, func(d topDecl) {
					decls[d.name] = append(decls[d.name], declaration{k, d.ownType(text), text[d.at:d.end]})
				})
			}
		}
	}
	var of []evidence.Text
	for name, found := range decls {
		if len(found) < 2 || l.namesakes.isPrivate(name) || l.namesakes.isUnclear(name) {
			continue
		}
		if of == nil {
			of = evidence.TextsOf(texts)
		}
		slices.SortFunc(found, func(a, b declaration) int { return a.text - b.text })
		taken := takenType{internal: true}
		if t.has(name) {
			taken = t.types[name]
		}
		taken.own = nil
		alike, shown := true, 0
		for _, d := range found {
			alike = alike && d.body == found[0].body
			if strings.Contains(texts[d.text], mangle.Ident(of[d.text].Module)+mangle.Ident(name)) {
				shown++
			}
			d.typ.module = of[d.text].Module
			if d.typ.module == "" || slices.ContainsFunc(taken.own, func(o ownType) bool { return o.module == d.typ.module }) {
				taken.own = nil
				break
			}
			if !d.typ.exported {
				d.typ.besides = mentioning(texts, of, d.typ.module, name)
			}
			taken.own = append(taken.own, d.typ)
		}
		if len(taken.own) < 2 || len(taken.own) > evidence.MaxOthers || alike && shown < 2 {
			continue
		}
		if t == nil {
			t = &takenNames{types: map[string]takenType{}}
		}
		t.types[name] = taken
	}
	return t
}

// mentioning returns the numbers of the texts of other modules that have a symbol with the name of a type and that of its module: the optimizer may have
// taken a function there which mentions the type.
func mentioning(texts []string, of []evidence.Text, module, name string) (numbers []int) {
	typ, in := mangle.Ident(name), mangle.Ident(module)
	for k, text := range texts {
		if of[k].Module == module || !of[k].Sees(module, true) || !strings.Contains(text, typ) {
			continue
		}
		for symbol := range symbolsIn(text) {
			if strings.Contains(symbol, typ) && strings.Contains(symbol, in) {
				numbers = append(numbers, k)
				break
			}
		}
	}
	return numbers
}

// Has, All, Of and Sees make the names evidence.Names.
func (t *takenNames) Has(name string) bool { return t.has(name) }

func (t *takenNames) All(name string) evidence.Set { return t.types[name].all() }

// ofProgram returns the set of the types of the program.
func (taken takenType) ofProgram() (set evidence.Set) {
	for n := range taken.own {
		set |= meansType(n)
	}
	return set
}

// all returns the set of the types of the name that the program may mean.
func (taken takenType) all() evidence.Set {
	if taken.internal {
		return taken.ofProgram()
	}
	return taken.ofProgram() | evidence.MeansLibrary
}

// isSeveral reports whether several modules of the program have a type of the name.
func (taken takenType) isSeveral() bool { return len(taken.own) > 1 }

func (t *takenNames) Of(name, module string) evidence.Set {
	taken := t.types[name]
	if evidence.IsLibraryModule(module) {
		return evidence.MeansLibrary
	}
	for n, own := range taken.own {
		if own.module == module || !taken.isSeveral() {
			return meansType(n)
		}
	}
	return 0
}

func (t *takenNames) Sees(name, module string) evidence.Set {
	all := t.All(name)
	if evidence.IsLibraryModule(module) {
		return all & evidence.MeansLibrary
	}
	for k := range t.texts {
		if module != "" && t.texts[k].Module == module {
			return t.inText(name, k)
		}
	}
	return all
}

// inText returns which of its types a name may mean in a text.
func (t *takenNames) inText(name string, text int) evidence.Set {
	taken := t.types[name]
	all := taken.all()
	if !taken.isSeveral() || text < 0 || text >= len(t.texts) { // a library's
		return all
	}
	for n, own := range taken.own {
		if !t.texts[text].Sees(own.module, own.exported || slices.Contains(own.besides, text)) {
			all &^= meansType(n)
		}
	}
	return all
}

// isOpenIn reports whether a name may mean one of several types in a text.
func (t *takenNames) isOpenIn(text int) bool {
	for name := range t.types {
		if set := t.inText(name, text); set != 0 && !evidence.IsOne(set) {
			return true
		}
	}
	return false
}

// moduleOf returns the module that a text is of, "" when that is not known.
func (t *takenNames) moduleOf(text int) string {
	if text < 0 || text >= len(t.texts) {
		return ""
	}
	return t.texts[text].Module
}

// textNumber returns the number of the text that p reads, negative for that of a library.
func (p *parser) textNumber() int {
	if p.alias != nil {
		return p.alias.of
	}
	return p.number
}

// modulesOf returns the modules of the types of a declaration's name that the symbols in its file are of.
func (l *load) modulesOf(d *ir.Nominal) []string {
	file := l.mod.Files.File(d.Pos)
	if l.typeModules == nil {
		l.typeModules = map[*source.File]map[string][]string{}
	}
	if l.typeModules[file] == nil {
		types := map[string][]string{}
		l.typeModules[file] = types
		if at := slices.IndexFunc(l.parsers, func(p *parser) bool { return p.file == file }); at >= 0 {
			eachSymbol(l.parsers[at].lex.src, func(symbol string) {
				module, rest, ok := mangle.CutModule(symbol)
				digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
				n, err := strconv.Atoi(rest[:digits])
				if end := digits + n; ok && err == nil && n > 0 && end < len(rest) && strings.IndexByte("VCOP", rest[end]) >= 0 {
					if name := rest[digits:end]; !slices.Contains(types[name], module) {
						types[name] = append(types[name], module)
					}
				}
			})
		}
	}
	return l.typeModules[file][d.Path]
}

// hideClashes takes the types of which two modules have one of the name out again, with those in them.
func (l *load) hideClashes() {
	for path := range l.mod.Nominals {
		if name, _, _ := strings.Cut(path, "."); l.clashes[name] {
			delete(l.mod.Nominals, path)
			l.mod.Hide(path)
		}
	}
}

// finishDecls works out what a declaration says only together with others: superclasses, raw types and class
// bounds, and the types of fields and payloads in the form that the rest of silvm expects.
func (l *load) finishDecls(tops []*ir.Nominal) {
	work := append([]*ir.Nominal(nil), tops...)
	for d := range worklist.Drain(&work) {
		work = append(work, d.Members...)
		finishNominal(l.mod, d)
	}
}

func finishNominal(m *ir.Module, d *ir.Nominal) {
	if len(d.Inherits) > 0 {
		t := m.Qualify(d.Inherits[0], d)
		known := m.DeclOf(t)
		switch {
		case d.Kind == ir.Class || d.Kind == ir.Actor:
			if t.Kind == ir.KindNominal && (known == nil || known.Kind == ir.Class || known.Kind == ir.Actor) {
				d.Super = t
			}
		case d.Kind == ir.Enum:
			if known != nil && known.Kind != ir.Protocol {
				d.RawType = t
			}
		}
	}
	for i := range d.Fields {
		d.Fields[i].Type = m.Qualify(d.Fields[i].Type, d)
	}
	for i := range d.Cases {
		d.Cases[i].Payload = m.Qualify(d.Cases[i].Payload, d)
	}
	for name, t := range d.Aliases {
		d.Aliases[name] = m.Qualify(t, d)
	}
	if d.Kind == ir.Protocol {
		d.ClassBound = m.IsClassBound(d)
	}
}
