package evidence

import (
	"slices"

	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/ir/op"
)

// libraryModules are those whose types are not the program's.
var libraryModules = []string{"Swift", "_Concurrency", "Synchronization", "_StringProcessing", "Foundation", "FoundationEssentials",
	"FoundationInternationalization", "FoundationXML", "_FoundationCollections", "Dispatch", "Observation"}

// IsLibraryModule reports whether a module is one that comes with Swift.
func IsLibraryModule(name string) bool { return slices.Contains(libraryModules, name) }

// whose returns the set of the one type that a symbol mentions.
func (t *Trial) whose(m mangle.Mention) Set { return t.names.Of(m.Name, m.Module) }

// mayMean returns what a name may mean in a function with a symbol that says so much.
func (t *Trial) mayMean(name string, said mangle.Mentions) (set Set) {
	if said.Propagated {
		return t.names.All(name)
	}
	if len(said.Modules) == 0 {
		return t.names.Sees(name, "Swift")
	}
	for module := range said.Modules {
		set |= t.names.Sees(name, module)
	}
	return set
}

// inLibraryCode says what the symbol tells of the mentions in the body of a function of the library, from the first on. One that is specialized for
// types of the program may mean these, and has no other reason to: one for which nothing else tells does.
func (t *Trial) inLibraryCode(symbol string, first int, blocks []*ir.Block) {
	if first == len(t.mentions) {
		return
	}
	said, ok := mangle.MentionsOf(symbol, t.names.Has)
	if !ok {
		return
	}
	foreign := isForeign(said)
	for n := first; n < len(t.mentions); n++ {
		m := &t.mentions[n]
		switch set := t.mayMean(m.name, said); {
		case IsOne(set):
			t.restrict(n, set)
		case said.Propagated: // there may be anything
		case len(said.Arguments) == 1 && len(said.Arguments[0].Mentions) == 1 && said.Arguments[0].Name == m.name:
			m.likely |= t.whose(said.Arguments[0].Mentions[0])
		case said.Container:
			m.likely |= t.onlyMeaning(said.Arguments, m.name)
		}
	}
	if !foreign || len(said.Arguments) == 0 {
		return
	}
	seen := map[*ir.Type]bool{}
	for _, b := range blocks {
		for i := range b.Insts() {
			for _, typ := range i.Types {
				t.likeArguments(typ, said.Arguments, seen)
			}
			for k := range i.Results {
				t.likeArguments(i.Results[k].Type, said.Arguments, seen)
			}
			if aux, ok := i.Aux.(*ir.ApplyAux); ok {
				t.matchArguments(aux.Subs, said.Arguments)
			}
			if i.Op == op.PointerToAddress && said.Container && len(said.Arguments) == 2 {
				if at := dictionarySide(i.Arg(0)); at >= 0 {
					t.matchMentions(i.Result().Type.Object(), said.Arguments[at].Mentions)
				}
			}
		}
	}
}

// elementsOf are the collections whose argument is the type of their elements.
var elementsOf = map[string]bool{
	"Array": true, "ContiguousArray": true, "ArraySlice": true, "UnsafeMutableBufferPointer": true, "UnsafeBufferPointer": true,
}

// onlyMeaning returns what a name means in the arguments of a specialization, if that is one thing; 0 otherwise.
func (t *Trial) onlyMeaning(args []mangle.Argument, name string) (set Set) {
	for _, a := range args {
		for _, m := range a.Mentions {
			if m.Name == name {
				set |= t.whose(m)
			}
		}
	}
	if !IsOne(set) {
		return 0
	}
	return set
}

// likeArguments notes which types in a type have the arguments of a specialization for arguments.
func (t *Trial) likeArguments(typ *ir.Type, args []mangle.Argument, seen map[*ir.Type]bool) {
	if typ == nil || seen[typ] {
		return
	}
	seen[typ] = true
	if typ.Kind == ir.KindNominal {
		t.matchArguments(typ.Args, args)
	}
	if typ.Kind == ir.KindTuple {
		isPair := len(typ.Labels) == 2 && typ.Labels[0] == "key" && typ.Labels[1] == "value"
		for _, a := range args { // the elements of a collection, or the argument itself
			if isPair && a.Name == "Dictionary" || a.Name == "" || elementsOf[a.Name] {
				t.matchMentions(typ, a.Mentions)
			}
		}
	}
	t.likeArguments(typ.Elem, args, seen)
	t.likeArguments(typ.Parent, args, seen)
	for _, a := range typ.Args {
		t.likeArguments(a, args, seen)
	}
}

// matchArguments notes what types likely mean that look like the arguments of a specialization, all of them in order.
func (t *Trial) matchArguments(types []*ir.Type, args []mangle.Argument) {
	if len(types) != len(args) {
		return
	}
	var at []int
	var said []Set
	for k, typ := range types {
		name := ""
		if typ.Kind == ir.KindNominal {
			name = ir.PlainName(typ.Name)
		}
		if name != args[k].Name {
			return
		}
		var in []string
		t.namesIn(typ, &in)
		if len(in) != len(args[k].Mentions) {
			return
		}
		for j, name := range in {
			if ir.PlainName(name) != args[k].Mentions[j].Name {
				return
			}
			if n, ok := t.byName[name]; ok {
				at, said = append(at, n), append(said, t.whose(args[k].Mentions[j]))
			}
		}
	}
	for k, n := range at {
		t.mentions[t.find(n)].likely |= said[k]
	}
}

// dictionarySide returns 0 for a pointer to the keys in the storage of a dictionary, 1 for one to its values, -1 for others.
func dictionarySide(pointer *ir.Value) int {
	for range maxCastChain {
		made := pointer.Inst()
		if made == nil || len(made.Operands) == 0 {
			return -1
		}
		switch made.Op {
		case op.Load, op.StructElementAddr, op.StructExtract, op.IndexRawPointer:
			pointer = made.Arg(0)
		case op.RefElementAddr:
			if m, ok := made.Aux.(*ir.MemberAux); ok && m.Type == "__RawDictionaryStorage" {
				return map[string]int{"_rawKeys": 1, "_rawValues": 2}[m.Name] - 1
			}
			return -1
		default:
			return -1
		}
	}
	return -1
}

// matchMentions notes what the names in a type likely mean when they are these mentions in order.
func (t *Trial) matchMentions(typ *ir.Type, said []mangle.Mention) {
	var names []string
	t.namesIn(typ, &names)
	if len(names) != len(said) {
		return
	}
	for k := range names {
		if ir.PlainName(names[k]) != said[k].Name {
			return
		}
	}
	for k, name := range names {
		if n, ok := t.byName[name]; ok {
			t.mentions[t.find(n)].likely |= t.whose(said[k])
		}
	}
}

// namesIn appends the ambiguous names in a type, in the order of its text.
func (t *Trial) namesIn(typ *ir.Type, names *[]string) {
	if typ == nil {
		return
	}
	if typ.Kind == ir.KindNominal && typ.Parent == nil && t.names.Has(ir.PlainName(typ.Name)) {
		*names = append(*names, typ.Name)
	}
	t.namesIn(typ.Parent, names)
	t.namesIn(typ.Elem, names)
	for _, a := range typ.Args {
		t.namesIn(a, names)
	}
	if typ.Func != nil {
		for _, p := range typ.Func.Params {
			t.namesIn(p.Type, names)
		}
		for _, r := range typ.Func.Results {
			t.namesIn(r.Type, names)
		}
	}
}

// isForeign reports whether a symbol has more than the library.
func isForeign(m mangle.Mentions) bool {
	foreign := m.Propagated
	for module := range m.Modules {
		foreign = foreign || !IsLibraryModule(module)
	}
	return foreign
}

// conformance takes what the functions of a witness table say of its type and its protocol.
func (t *Trial) conformance(w *ir.WitnessTable) {
	c := &w.Conformance
	if c.Type == nil || c.Protocol == nil {
		return
	}
	for k := range w.Entries {
		e := &w.Entries[k]
		if e.Kind == ir.WitnessMethod {
			t.sameName(e.Ref.Owner(), c.Protocol.Name)
		}
		if typ, protocol, ok := mangle.ConformanceOf(e.Func); ok {
			t.meansMention(c.Type, typ)
			t.meansMention(c.Protocol, protocol)
		}
	}
	set := meaning(c.Protocol.Name)
	if set == 0 {
		set = MeansOwn
	}
	if n, ok := t.mention(c.Protocol); ok {
		set = t.mentions[t.find(n)].may
	}
	t.tables[ir.PlainName(c.Type.QualifiedName())+": "+ir.PlainName(c.Protocol.Name)] |= set
	if name := ir.PlainName(c.Type.Name); c.Type.Name != name {
		of := meaning(c.Type.Name)
		if of == 0 {
			of = meansProgram
		}
		t.own[name+": "+ir.PlainName(c.Protocol.Name)] |= of
	}
}

// inherits says what the tables of a type tell of the classes and protocols after its name.
func (t *Trial) inherits(d *ir.Nominal) {
	for _, super := range d.Inherits {
		n, ok := t.mention(super)
		if !ok {
			continue
		}
		name := t.mentions[n].name
		if v := t.mod.VTables[d.Path]; v != nil && d.Kind == ir.Class {
			for k := range v.Entries {
				if owner := v.Entries[k].Ref.Owner(); ir.PlainName(owner) == name {
					t.isKind(super, ir.Class, ir.Actor)
					t.sameName(super.Name, owner)
				}
			}
		}
		switch set := t.tables[ir.PlainName(d.Path)+": "+name]; set {
		case 0: // nothing uses a conformance, if it is one
			if d.Kind == ir.Class {
				t.mentions[t.find(n)].likely |= t.classes(name)
			}
		default:
			t.restrict(n, set)
		}
	}
	for _, m := range d.Members {
		t.inherits(m)
	}
}

// classes returns which of the types of a name are classes.
func (t *Trial) classes(name string) (set Set) {
	for of := range t.names.All(name).Each {
		if d := t.mod.Nominal(Name(name, of)); d != nil && (d.Kind == ir.Class || d.Kind == ir.Actor) {
			set |= of
		}
	}
	return set
}

// meansMention says that a type, or the outermost of those in which it is declared, is what a symbol mentions.
func (t *Trial) meansMention(typ *ir.Type, m mangle.Mention) {
	for typ.Parent != nil {
		typ = typ.Parent
	}
	if n, ok := t.mention(typ); ok && m.Name == t.mentions[n].name {
		t.restrict(n, t.whose(m))
	}
}

// Declarations takes what the tables and declarations of the program say, before its bodies are read.
func (t *Trial) Declarations(mod *ir.Module, tops []*ir.Nominal) {
	t.mod = mod
	t.own, t.tables = map[string]Set{}, map[string]Set{}
	for _, w := range mod.WitnessTables {
		t.conformance(w)
	}
	for _, d := range tops {
		t.inherits(d)
	}
	t.introductions()
}

// introductions notes the functions of the methods that the program's classes introduce, of which a lookup has the type. A name that
// stands for the methods of several classes, or for overloads with one text, tells nothing.
func (t *Trial) introductions() {
	t.introduced = map[method]*ir.Function{}
	for _, item := range t.mod.Items {
		v, ok := item.(*ir.VTable)
		for n := 0; ok && n < len(v.Entries); n++ {
			e := &v.Entries[n]
			f := t.mod.Funcs[e.Func]
			if e.Kind != ir.EntryNew {
				continue
			}
			key := method{e.Ref.Text, e.DeclType}
			if _, several := t.introduced[key]; several || f == nil || f.Type == nil || f.Type.Func == nil || t.names.Has(v.Class) {
				f = nil
			}
			t.introduced[key] = f
		}
	}
}

// Body takes what the body of a function says, which is in the text of a module; its mentions are those from first on.
func (t *Trial) Body(f *ir.Function, module string, first int, blocks []*ir.Block) {
	t.blocks, t.arrive = blocks, nil
	t.shapes(blocks)
	(&Rules{Says: t, Mod: t.mod, Fn: f}).Body(blocks)
	t.blocks, t.arrive = nil, nil
	t.inLibraryCode(f.Name, first, blocks)
	t.variableSelf(f, blocks)
	if of, ok := declaredIn(f.Name, module); ok {
		for n := first; n < len(t.mentions); n++ {
			t.mentions[n].own = t.names.Of(t.mentions[n].name, of)
		}
	}
}

// shapes says that types have as many generic arguments as they are declared with.
func (t *Trial) shapes(blocks []*ir.Block) {
	seen := map[*ir.Type]bool{}
	for _, b := range blocks {
		for i := range b.Insts() {
			for _, typ := range i.Types {
				t.shape(typ, seen)
			}
			for k := range i.Results {
				t.shape(i.Results[k].Type, seen)
			}
		}
	}
}

func (t *Trial) shape(typ *ir.Type, seen map[*ir.Type]bool) {
	if typ == nil || seen[typ] {
		return
	}
	seen[typ] = true
	if n, ok := t.mention(typ); ok && len(typ.Args) > 0 {
		t.exclude(n, func(d *ir.Nominal) bool {
			if d.Kind == ir.TypeAlias || d.Kind == ir.Protocol || d.Generic != nil && slices.ContainsFunc(d.Generic.Params, func(p ir.GenericParam) bool { return p.Each }) {
				return false
			}
			return d.Generic == nil || len(d.Generic.Params) != len(typ.Args)
		})
	}
	t.shape(typ.Elem, seen)
	t.shape(typ.Parent, seen)
	for _, a := range typ.Args {
		t.shape(a, seen)
	}
}

// declaredIn returns the module that certainly declares the function of a symbol in the text of a module, or the one that it is a closure in.
func declaredIn(symbol, module string) (of string, ok bool) {
	if symbol == ir.EntryPoint || symbol == "async_Main" {
		return module, true
	}
	of, _, ok = mangle.CutModule(symbol)
	return of, ok
}

// variableSelf says that the only variable self of a method or initializer is likely of the type that the method is of. It may also be that of
// an inlined function, so that whatever else tells counts more.
func (t *Trial) variableSelf(f *ir.Function, blocks []*ir.Block) {
	sig := f.Type.Func
	if sig == nil || sig.Convention != ir.RepMethod || len(sig.Params) == 0 {
		return
	}
	var only *ir.Inst
	for _, b := range blocks {
		for i := range b.Insts() {
			if v := i.Var(); v != nil && v.Name == "self" {
				if only != nil {
					return
				}
				only = i
			}
		}
	}
	if only == nil || only.Op != op.AllocStack {
		return
	}
	self := sig.Params[len(sig.Params)-1].Type.Object()
	if self.Kind == ir.KindMetatype {
		self = self.Elem.Object()
	}
	variable := only.Result().Type.Object()
	for variable.Parent != nil && self.Parent != nil && ir.PlainName(variable.Name) == ir.PlainName(self.Name) {
		variable, self = variable.Parent, self.Parent
	}
	n, ok := t.mention(variable)
	if !ok || ir.PlainName(self.Name) != t.mentions[n].name || self.Parent != nil {
		return
	}
	t.mentions[t.find(n)].likely |= meaning(self.Name)
}

// Initializer takes what the initializer of a global says, whose last instruction makes the value.
func (t *Trial) Initializer(g *ir.Global) {
	for i := range g.Init.Insts() {
		(&Rules{Says: t, Mod: t.mod}).Inst(i)
		if r := i.Result(); r != nil && i == g.Init.Last() {
			t.SameType(r.Type, g.Type)
		}
	}
}

// Head takes what the symbol of a function or global says of its type, whose mentions are those from first on, all of them if whole is true.
func (t *Trial) Head(symbol string, first int, whole bool) {
	if first == len(t.mentions) {
		return
	}
	said, ok := mangle.MentionsOf(symbol, t.names.Has)
	if !ok {
		return
	}
	at := t.mentions[first:]
	if said.Exact && whole && len(said.Formal) == len(at) {
		same := true
		for k := range at {
			same = same && said.Formal[k].Name == at[k].name
		}
		for k := range at {
			if same {
				t.restrict(first+k, t.whose(said.Formal[k]))
			}
		}
	}
	for k := range at {
		if set := t.mayMean(at[k].name, said); IsOne(set) { // what the library itself has, for types of its own
			t.restrict(first+k, set)
			continue
		}
		if !said.Closed {
			continue
		}
		var set Set
		for _, m := range said.All {
			if m.Name == at[k].name {
				set |= t.whose(m)
			}
		}
		at[k].likely = set
	}
}

// ErrorResult says what the type of an error that a function throws tells: only the library's protocol Error has values that can be thrown.
func (t *Trial) ErrorResult(typ *ir.Type) {
	if n, ok := t.protocolOf(typ); ok && t.mentions[n].name == "Error" {
		t.restrict(n, MeansLibrary)
	}
}

// IsStandIn reports whether a name is that of a stand-in.
func (t *Trial) IsStandIn(name string) bool { _, ok := t.byName[name]; return ok }

// MayExtend says that an extension of a type has a member that a symbol says to be in m, as far as another symbol does not say otherwise.
func (t *Trial) MayExtend(name string, m mangle.Mention) {
	n, ok := t.byName[name]
	if !ok {
		return
	}
	root := &t.mentions[t.find(n)]
	root.likely |= t.whose(m)
}
