package evidence

import "silvm/ir"

// Trial is one reading of a program with types of the names of library types, with a stand-in for each mention of such a name. What symbols,
// members, declarations and the rules say tells which mentions are one type, and whose.
type Trial struct {
	mod      *ir.Module
	has      func(name string) bool
	mentions []mention
	byKey    map[Key]int
	byName   map[string]int
	seen     map[[2]*ir.Type]bool // pairs that are known to be the same
	own      map[string]bool      // "name: protocol" for what conformances the program may have for its types
	tables   map[string]uint8     // "type: protocol" -> whose protocols of that name the program has conformances of the type to
	// introduced has the functions of the methods that the program's classes introduce, by what a lookup says; nil where that may name another.
	introduced map[method]*ir.Function
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
	may    uint8 // at the root; 0 when two things say different
	likely uint8 // what the symbol of the function says where nothing else tells; 0 for nothing
	own    bool  // it is in the body of a function of the program
	cast   bool  // it is what something is cast to, which the run depends on
}

// Key is a place in a text: the number of the text and the offset.
type Key struct{ Text, Off int }

// What a mention may mean.
const (
	MeansOwn uint8 = 1 << iota
	MeansLibrary
)

const standInNumber = ir.UnclearNumber + 1 // the numbers of stand-ins, from here on

// NewTrial returns a trial for names for which has is true.
func NewTrial(has func(name string) bool) *Trial {
	return &Trial{has: has, byKey: map[Key]int{}, byName: map[string]int{}, seen: map[[2]*ir.Type]bool{}}
}

// Mark returns the number of mentions so far, see Head and Body.
func (t *Trial) Mark() int { return len(t.mentions) }

// StandIn returns the name of the type that stands for a mention, which may mean one of a set.
func (t *Trial) StandIn(name string, key Key, may uint8) string {
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

func (t *Trial) restrict(n int, set uint8) { t.mentions[t.find(n)].may &= set }

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
	switch t.mentions[n].name {
	case name:
		t.restrict(n, MeansLibrary)
	case ir.PlainName(name):
		if number, ok := ir.NamesakeNumber(name); ok && number == ir.TakenNumber {
			t.restrict(n, MeansOwn)
		}
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
	if a.Kind != b.Kind { // one may be a member of a type, such as Array<T>.Element
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

// exclude restricts a mention to those of its two types whose declarations, nil where there is none, are not wrong; not to none of them.
func (t *Trial) exclude(n int, wrong func(d *ir.Nominal) bool) {
	name := t.mentions[n].name
	var set uint8
	if d := t.mod.Nominal(ir.Namesake(name, ir.TakenNumber)); d == nil || !wrong(d) {
		set |= MeansOwn
	}
	if d := t.mod.Nominal(name); d == nil || !wrong(d) {
		set |= MeansLibrary
	}
	if set != 0 {
		t.restrict(n, set)
	}
}

// Decided returns what the trial found out. Where nothing is certain it is what is only likely; nil when there is nothing at all.
func (t *Trial) Decided() map[Key]uint8 {
	found := map[Key]uint8{}
	for n := range t.mentions {
		if may := t.mentions[t.find(n)].may; may == MeansOwn || may == MeansLibrary {
			found[t.mentions[n].key] = may
		}
	}
	if len(found) > 0 {
		return found
	}
	for n := range t.mentions {
		root := &t.mentions[t.find(n)]
		if likely := root.likely; root.may != 0 && (likely == MeansOwn || likely == MeansLibrary) {
			found[t.mentions[n].key] = likely
		}
	}
	return found
}

// Undecided is a mention of which nothing tells the meaning.
type Undecided struct {
	Name   string
	IsCast bool // something is cast to it: a run depends on the meaning
}

// InProgram returns the names that mean the library's type somewhere in the program's own functions, and the mentions there of which the trial
// found out nothing.
func (t *Trial) InProgram() (library map[string]bool, open map[Key]Undecided) {
	library, open = map[string]bool{}, map[Key]Undecided{}
	for n := range t.mentions {
		m := &t.mentions[n]
		if !m.own {
			continue
		}
		switch root := t.mentions[t.find(n)]; {
		case root.may == MeansLibrary || root.may != MeansOwn && root.likely&MeansLibrary != 0:
			library[m.name] = true
		case root.may == MeansOwn|MeansLibrary:
			open[m.key] = Undecided{m.name, m.cast}
		}
	}
	return library, open
}
