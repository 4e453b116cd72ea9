package evidence

import (
	"math/bits"

	"silvm/ir"
)

// Trial is one reading of a program with types of the names of library types, with a stand-in for each mention of such a name. What symbols,
// members, declarations and the rules say tells which mentions are one type, and whose.
type Trial struct {
	mod      *ir.Module
	names    Names
	mentions []mention
	byKey    map[Key]int
	byName   map[string]int
	seen     map[[2]*ir.Type]bool // pairs that are known to be the same
	own      map[string]Set       // "name: protocol" -> for which types of the name the program may have such conformances
	tables   map[string]Set       // "type: protocol" -> whose protocols of that name the program has conformances of the type to
	// introduced has the functions of the methods that the program's classes introduce, by what a lookup says; nil where that may name another.
	introduced map[method]*ir.Function

	blocks []*ir.Block               // of the body that is read
	arrive map[*ir.Value][]*ir.Value // see arriving; nil until asked for
}

// method is what tables and lookups say of a method: "#C.f" and "(C) -> () -> Int".
type method struct {
	ref  string
	decl ir.DeclType
}

// mention is one place with an ambiguous name. Mentions of one type form a tree.
type mention struct {
	name   string
	key    Key
	same   int
	may    Set  // at the root; 0 when two things say different
	likely Set  // what the symbol of the function says where nothing else tells; 0 for nothing
	own    Set  // the type of the module that declares the function in whose body it is; 0 for none
	cast   bool // it is what something is cast to, which the run depends on
}

// Key is a place in a text: the number of the text and the offset.
type Key struct{ Text, Off int }

// A Set has types of a name.
type Set uint32

// What a mention may mean: besides these the types of further modules of the program, see MeansOther.
const (
	MeansOwn     Set = 1 << iota // the program's type
	MeansLibrary                 // the library's
)

// MaxOthers is the greatest number of further modules of a program which have a type of a name.
const MaxOthers = 30

// MeansOther is for the type of the nth further module, from 0.
func MeansOther(n int) Set { return 1 << (2 + n) }

const (
	meansProgram  = ^MeansLibrary
	standInNumber = ir.OtherNumber + MaxOthers // the numbers of stand-ins, from here on
)

// Names are those that two or three types have.
type Names interface {
	Has(name string) bool
	All(name string) Set          // its types
	Of(name, module string) Set   // what a name means where it is the name of a type of a module; 0 for none of them
	Sees(name, module string) Set // what it may mean in the functions of a module; 0 when they have none of them
}

// Name returns the name of the one type of a name that a set has, that of a type that is not clear for other sets.
func Name(name string, set Set) string {
	switch {
	case set == MeansOwn:
		return ir.Namesake(name, ir.TakenNumber)
	case set == MeansLibrary:
		return name
	case IsOne(set):
		return ir.Namesake(name, ir.OtherNumber+bits.TrailingZeros32(uint32(set))-2)
	}
	return ir.Namesake(name, ir.UnclearNumber)
}

// meaning returns the set of the type that has a name now; 0 for a stand-in.
func meaning(name string) Set {
	switch number, ok := ir.NamesakeNumber(name); {
	case !ok:
		return MeansLibrary
	case number == ir.TakenNumber:
		return MeansOwn
	case number >= ir.OtherNumber && number < standInNumber:
		return MeansOther(number - ir.OtherNumber)
	}
	return 0
}

// IsOne reports whether a set has one type.
func IsOne(set Set) bool { return bits.OnesCount32(uint32(set)) == 1 }

// NewTrial returns a trial for names.
func NewTrial(names Names) *Trial {
	return &Trial{names: names, byKey: map[Key]int{}, byName: map[string]int{}, seen: map[[2]*ir.Type]bool{}}
}

// Mark returns the number of mentions so far, see Head and Body.
func (t *Trial) Mark() int { return len(t.mentions) }

// StandIn returns the name of the type that stands for a mention, which may mean one of a set.
func (t *Trial) StandIn(name string, key Key, may Set) string {
	n, ok := t.byKey[key]
	if !ok {
		n = len(t.mentions)
		t.mentions = append(t.mentions, mention{name: name, key: key, same: n, may: may})
		t.byKey[key] = n
		t.byName[ir.Namesake(name, standInNumber+n)] = n
	}
	return ir.Namesake(name, standInNumber+n)
}

// find returns the root of a mention.
func (t *Trial) find(n int) int {
	for t.mentions[n].same != n {
		t.mentions[n].same = t.mentions[t.mentions[n].same].same
		n = t.mentions[n].same
	}
	return n
}

func (t *Trial) restrict(n int, set Set) { t.mentions[t.find(n)].may &= set }

// sameName says that two names of types are those of one type.
func (t *Trial) sameName(a, b string) {
	x, isX := t.byName[a]
	y, isY := t.byName[b]
	switch {
	case isX && isY:
		x, y = t.find(x), t.find(y)
		if x != y && t.mentions[x].name == t.mentions[y].name {
			t.mentions[y].same = x
			t.mentions[x].may &= t.mentions[y].may
			t.mentions[x].likely |= t.mentions[y].likely
		}
	case isX:
		t.restrictTo(x, b)
	case isY:
		t.restrictTo(y, a)
	}
}

// restrictTo says that a mention means the type of a name that has no stand-in.
func (t *Trial) restrictTo(n int, name string) {
	if set := meaning(name); set != 0 && ir.PlainName(name) == t.mentions[n].name {
		t.restrict(n, set)
	}
}

// Objects returns the object types of two types that are to be one: of a reference's storage and a type, the type that is stored.
func Objects(a, b *ir.Type) (*ir.Type, *ir.Type) {
	a, b = a.Object(), b.Object()
	if a.Kind == ir.KindStorage && b.Kind != ir.KindStorage {
		a = a.Elem
	} else if b.Kind == ir.KindStorage && a.Kind != ir.KindStorage {
		b = b.Elem
	}
	return a, b
}

// SameType says that two types are one. What differs in shape tells nothing.
func (t *Trial) SameType(a, b *ir.Type) {
	if a == nil || b == nil || a == b {
		return
	}
	a, b = Objects(a, b)
	if a.Kind != b.Kind && t.mod != nil { // one may be a member of a type, such as Array<T>.Element; heads are read before there is a module
		a, b = t.mod.Canonical(a), t.mod.Canonical(b)
	}
	if a == b || a.Kind != b.Kind || t.seen[[2]*ir.Type{a, b}] {
		return
	}
	t.seen[[2]*ir.Type{a, b}] = true
	if a.Name != b.Name {
		if a.Kind != ir.KindNominal || ir.PlainName(a.Name) != ir.PlainName(b.Name) || (a.Parent == nil) != (b.Parent == nil) {
			return
		}
		if a.Parent == nil {
			t.sameName(a.Name, b.Name)
		}
	}
	if len(a.Args) != len(b.Args) {
		return
	}
	t.SameType(a.Elem, b.Elem)
	t.SameType(a.Parent, b.Parent)
	SameTypes(t, a.Args, b.Args)
	if a.Func != nil && b.Func != nil {
		t.SameFunction(a.Func, b.Func)
	}
	if a.Box != nil && b.Box != nil {
		SameTypes(t, a.Box.Subs, b.Box.Subs)
		if len(a.Box.Fields) == len(b.Box.Fields) {
			for k := range a.Box.Fields {
				t.SameType(a.Box.Fields[k].Type, b.Box.Fields[k].Type)
			}
		}
	}
}

// SameFunction says that two types of functions are one.
func (t *Trial) SameFunction(a, b *ir.FuncType) {
	SameTypes(t, a.Subs, b.Subs)
	if a.Witness != b.Witness {
		t.sameName(a.Witness, b.Witness)
	}
	t.sameSignature(a.Generic, b.Generic)
	t.sameSignature(a.Pattern, b.Pattern)
	if len(a.Params) != len(b.Params) || len(a.Results) != len(b.Results) || (a.Pattern == nil) != (b.Pattern == nil) {
		return
	}
	for k := range a.Params {
		t.SameType(a.Params[k].Type, b.Params[k].Type)
	}
	for k := range a.Results {
		t.SameType(a.Results[k].Type, b.Results[k].Type)
	}
	for k := range a.Yields {
		if k < len(b.Yields) {
			t.SameType(a.Yields[k].Type, b.Yields[k].Type)
		}
	}
	if a.Error != nil && b.Error != nil {
		t.SameType(a.Error.Type, b.Error.Type)
	}
}

func (t *Trial) sameSignature(a, b *ir.GenericSig) {
	if a == nil || b == nil || len(a.Requirements) != len(b.Requirements) {
		return
	}
	for k := range a.Requirements {
		if a.Requirements[k].Kind == b.Requirements[k].Kind {
			t.SameType(a.Requirements[k].Type, b.Requirements[k].Type)
		}
	}
}

// mention returns the mention that a type at the top of a module stands for.
func (t *Trial) mention(typ *ir.Type) (n int, ok bool) {
	if typ == nil || typ.Kind != ir.KindNominal || typ.Parent != nil {
		return 0, false
	}
	n, ok = t.byName[typ.Name]
	return n, ok
}

// Each calls yield for each type in the set, as a set.
func (set Set) Each(yield func(Set) bool) {
	for set != 0 {
		one := set & -set
		if !yield(one) {
			return
		}
		set &^= one
	}
}

// exclude restricts a mention to those of its types whose declarations, nil where there is none, are not wrong; not to none of them.
func (t *Trial) exclude(n int, wrong func(d *ir.Nominal) bool) {
	name := t.mentions[n].name
	var set Set
	for of := range t.names.All(name).Each {
		if d := t.mod.Nominal(Name(name, of)); d == nil || !wrong(d) {
			set |= of
		}
	}
	if set != 0 {
		t.restrict(n, set)
	}
}

// Decided returns what the trial found out. Where nothing is certain it is what is only likely; nil when there is nothing at all.
func (t *Trial) Decided() map[Key]Set {
	found := map[Key]Set{}
	for n := range t.mentions {
		if may := t.mentions[t.find(n)].may; IsOne(may) {
			found[t.mentions[n].key] = may
		}
	}
	if len(found) > 0 {
		return found
	}
	for n := range t.mentions {
		root := &t.mentions[t.find(n)]
		if likely := root.likely & root.may; IsOne(likely) {
			found[t.mentions[n].key] = likely
		}
	}
	return found
}

// Undecided is a mention of which nothing tells the meaning.
type Undecided struct {
	Own
	IsCast bool // something is cast to it: a run depends on the meaning
}

// Own is a name in the functions of the module that declares one of its types.
type Own struct {
	Name string
	Set  Set // that type
}

// InProgram returns the names that mean another type than that of the program's module somewhere in the own functions of the module, and the
// mentions there of which the trial found out nothing.
func (t *Trial) InProgram() (others map[Own]bool, open map[Key]Undecided) {
	others, open = map[Own]bool{}, map[Key]Undecided{}
	for n := range t.mentions {
		m := &t.mentions[n]
		if m.own&meansProgram == 0 {
			continue
		}
		switch root := t.mentions[t.find(n)]; {
		case root.may == m.own:
		case IsOne(root.may) || root.likely&^m.own != 0:
			others[Own{m.name, m.own}] = true
		case root.may&m.own != 0:
			open[m.key] = Undecided{Own{m.name, m.own}, m.cast}
		}
	}
	return others, open
}
