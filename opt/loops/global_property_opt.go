package loops

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// GlobalPropertyOpt answers the question whether an array is native where the whole module shows that it is: its value comes from calls that
// make native arrays only, through values, slots and fields that nobody else sees.
//
//	%1 = apply %init() : $@convention(thin) () -> @owned Array<C>      // [_semantics "array.init"]
//	%2 = apply %isNative(%1)     ⇒     %2 = struct $Bool (integer_literal $Builtin.Int1, -1)
//
// Source: lib/SILOptimizer/IPO/GlobalPropertyOpt.cpp, which does not look at initializers of global variables.
var GlobalPropertyOpt = &pass.Pass{
	Name: "global-property-opt",
	Doc:  "Answers the question whether an array is native where the whole module shows it",
	Module: func(c *pass.Context) bool {
		g := &nativeArrays{c: c, values: map[*ir.Value]*arrayEntry{}, fields: map[string]*arrayEntry{}, unknown: &arrayEntry{}}
		g.notNative(g.unknown)
		for _, f := range c.Module.Functions() {
			if len(f.Blocks) > 0 {
				g.scan(f)
			}
		}
		for _, item := range c.Module.Items {
			if v, ok := item.(*ir.Global); ok && v.Init != nil {
				g.scanInsts(v.Init)
			}
		}
		for e := range worklist.Drain(&g.work) {
			for _, to := range e.to {
				g.notNative(to)
			}
		}
		changed := false
		for _, call := range g.calls {
			changed = g.answer(call) || changed
		}
		return changed
	},
}

// arrayEntry is a value, slot or field that has an array or a tuple with one.
type arrayEntry struct {
	foreign bool          // its array may be none of Swift's own
	to      []*arrayEntry // what gets its array from it
}

type nativeArrays struct {
	c       *pass.Context
	values  map[*ir.Value]*arrayEntry
	fields  map[string]*arrayEntry
	unknown *arrayEntry // memory that nobody knows
	calls   []*ir.Inst  // that ask
	work    []*arrayEntry
}

func isArray(t *ir.Type) bool { return t.Known() == ir.KnownArray }

// hasArray reports whether a type is an array or a tuple with one.
func hasArray(t *ir.Type) bool {
	return isArray(t) || t.Kind == ir.KindTuple && slices.ContainsFunc(t.Args, isArray)
}

func (g *nativeArrays) notNative(e *arrayEntry) {
	if !e.foreign {
		e.foreign = true
		g.work = append(g.work, e)
	}
}

func (g *nativeArrays) value(v *ir.Value) *arrayEntry {
	e := g.values[v]
	if e == nil {
		e = &arrayEntry{}
		g.values[v] = e
	}
	return e
}

// field returns the entry of a stored property of all objects: who may write it from elsewhere may write any array.
func (g *nativeArrays) field(owner, name string) *arrayEntry {
	key := owner + "." + name
	e := g.fields[key]
	if e == nil {
		e = &arrayEntry{}
		g.fields[key] = e
		if d := g.c.Module.Nominal(owner); d == nil || d.MemberAccess(name) != ir.AccessPrivate {
			g.notNative(e)
		}
	}
	return e
}

func (g *nativeArrays) member(i *ir.Inst) *arrayEntry {
	aux, ok := i.Aux.(*ir.MemberAux)
	if !ok {
		return g.unknown
	}
	return g.field(aux.Type, aux.Name)
}

// address returns the entry of what is at an address.
func (g *nativeArrays) address(v *ir.Value) *arrayEntry {
	i := v.Inst()
	switch {
	case i == nil:
		return g.unknown
	case i.Op == op.MarkDependence:
		return g.address(i.Arg(0))
	case i.Op == op.RefElementAddr, i.Op == op.StructElementAddr:
		return g.member(i)
	case i.Op == op.AllocStack:
		if g.values[v] == nil && g.escapes(v, true) {
			g.notNative(g.value(v))
		}
		return g.value(v)
	}
	return g.unknown
}

// escapes reports whether others may get to know an address. Where stores are not accepted they count as an escape.
func (g *nativeArrays) escapes(v *ir.Value, stores bool) bool {
	for x := range v.Uses() {
		switch i := x.User(); {
		case i.Op == op.Load, i.Op == op.LoadBorrow, facts.IsDebug(i), i.Op == op.StrongRelease, i.Op == op.StrongRetain, i.Op == op.DestroyAddr,
			i.Op == op.DeallocBox, i.Op == op.DeallocStack:
		case i.Op == op.Store && stores && x.Number() == 1:
		case i.Op == op.StructElementAddr, i.Op == op.TupleElementAddr, i.Op == op.AddressToPointer, i.Op == op.PointerToAddress:
			if g.escapes(i.Result(), false) {
				return true
			}
		case i.Op == op.MarkDependence:
			if x.Number() == 0 && g.escapes(i.Result(), stores) {
				return true
			}
		default:
			if _, what := facts.ArrayCall(i); what == facts.ArrayNone || what == facts.ArrayMakes || x.Number() != len(i.Operands)-1 || facts.ArraySelf(i) == nil {
				return true
			}
		}
	}
	return false
}

func (g *nativeArrays) scan(f *ir.Function) {
	preds := cfg.NewPredecessors(f)
	for _, b := range f.Blocks {
		for n, arg := range b.Args {
			if !hasArray(arg.Type) {
				continue
			}
			edges := preds.Edges(b)
			if len(edges) == 0 {
				g.notNative(g.value(arg))
			}
			for _, e := range edges {
				if e.Term.Op != op.Br && e.Term.Op != op.CondBr {
					g.notNative(g.value(arg))
					break
				}
				from := g.value(e.Arg(n))
				from.to = append(from.to, g.value(arg))
			}
		}
		g.scanInsts(b)
	}
}

func (g *nativeArrays) scanInsts(b *ir.Block) {
	for i := range b.Insts() {
		if g.follow(i) {
			continue
		}
		for _, r := range i.Results {
			if hasArray(r.Type) {
				g.notNative(g.value(r))
			}
		}
	}
}

// flow says that an array goes from one entry to another one.
func flow(from, to *arrayEntry) { from.to = append(from.to, to) }

// follow notes where an instruction takes arrays; it reports whether that is all that it does with them.
func (g *nativeArrays) follow(i *ir.Inst) bool {
	switch i.Op {
	case op.AllocStack:
		return true
	case op.Apply:
		switch s, _ := facts.ArrayCall(i); s {
		case ir.SemanticsArrayInit, ir.SemanticsArrayInitEmpty, ir.SemanticsArrayUninitialized, ir.SemanticsArrayMutateUnknown, ir.SemanticsArrayMakeMutable:
			return true
		case ir.SemanticsArrayIsNativeTypeChecked:
			g.calls = append(g.calls, i)
		}
	case op.Load, op.LoadBorrow:
		if isArray(i.Result().Type) {
			flow(g.address(i.Arg(0)), g.value(i.Result()))
			return true
		}
	case op.Store:
		if isArray(i.Arg(0).Type) {
			flow(g.value(i.Arg(0)), g.address(i.Arg(1)))
			return true
		}
	case op.RefElementAddr, op.StructElementAddr:
		if isArray(i.Result().Type.Object()) {
			if g.escapes(i.Result(), true) {
				g.notNative(g.member(i))
			}
			return true
		}
	case op.StructExtract:
		if isArray(i.Result().Type) {
			flow(g.member(i), g.value(i.Result()))
			return true
		}
	case op.TupleExtract:
		if isArray(i.Result().Type) {
			flow(g.value(i.Arg(0)), g.value(i.Result()))
			return true
		}
	case op.Tuple:
		if hasArray(i.Result().Type) {
			for n := range i.Operands {
				if isArray(i.Arg(n).Type) {
					flow(g.value(i.Arg(n)), g.value(i.Result()))
				}
			}
			return true
		}
	case op.Struct, op.Object:
		g.followParts(i)
	}
	return false
}

// followParts notes the arrays of which a struct or a constant object is made.
func (g *nativeArrays) followParts(i *ir.Inst) {
	for n := range i.Operands {
		if !isArray(i.Arg(n).Type) {
			continue
		}
		to := g.unknown
		if d := g.c.Module.DeclOf(i.Types[0].Object()); d != nil && n < len(d.Fields) && i.Op == op.Struct {
			to = g.field(d.Path, d.Fields[n].Name)
		} else if d != nil {
			for k := range d.Fields {
				g.notNative(g.field(d.Path, d.Fields[k].Name))
			}
		}
		flow(g.value(i.Arg(n)), to)
	}
}

// answer makes a literal of a question about an array that is native.
func (g *nativeArrays) answer(call *ir.Inst) bool {
	f := call.Block().Func
	array := facts.ArraySelf(call)
	if f.Attrs.Has(ir.AttrOnone) || array == nil {
		return false
	}
	if e := g.values[array]; e == nil || e.foreign {
		g.c.Missed(f, call, "nothing shows that the array is native")
		return false
	}
	e := rewrite.NewEditor(g.c, f)
	b := e.Before(call)
	g.c.Passed(f, call, "answered that the array is native")
	yes := b.Emit(&ir.Inst{Op: op.IntegerLiteral, Types: []*ir.Type{b.Module.Types.BuiltinInt(1)}, Aux: rewrite.IntAux(-1)}).Result()
	answer := b.Emit(&ir.Inst{Op: op.Struct, Types: []*ir.Type{call.Result().Type}}, yes)
	call.ReplaceWith(answer.Result())
	if p := facts.Param(call, len(call.Operands)-1); p != nil && p.Conv == ir.ParamDirectOwned {
		e.DestroyValue(b, array)
	}
	call.Remove()
	g.c.Changed(f)
	return true
}
