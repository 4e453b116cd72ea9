package calls

import (
	"fmt"
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// ExistentialSpecializer makes functions that take existentials generic where a call is seen to pass one of a known type. What is left of the
// function opens the existential and calls the generic one, for which generic-specializer can make copies once it is inlined.
//
//	sil @f : $(@guaranteed any P) -> () {     sil [signature_optimized_thunk] [always_inline] @f {
//	bb0(%0 : $any P):                         bb0(%0 : $any P):
//	  …                                  ⇒      %1 = function_ref @$s1fTf4e_n : $<τ_0_0 where τ_0_0 : P> (@guaranteed τ_0_0) -> ()
//	                                            %2 = open_existential_ref %0 : $any P to $@opened("…", any P) Self
//	                                            %3 = apply %1<@opened("…", any P) Self>(%2)
//
// The rules are those of the compiler's ExistentialSpecializer.
var ExistentialSpecializer = &pass.Pass{Name: "existential-specializer", Doc: "Makes functions generic that are passed existentials of known types", Copies: true, Needs: [][]op.Op{{op.Apply, op.TryApply, op.BeginApply}}, Function: func(c *pass.Context, f *ir.Function) bool {
	changed := false
	for i := range f.Insts() {
		if !facts.IsFullApply(i) {
			continue
		}
		callee := facts.StaticCallee(i)
		if callee == nil || callee == f || !takesExistentials(c, callee) {
			continue
		}
		e := &existentials{signature: newSignature(c, callee), open: map[int]*ir.Type{}}
		if e.signature != nil && e.find(i) {
			e.move()
			changed = true
		}
	}
	return changed // the callees: the caller stays as it is
}}

// takesExistentials reports whether the pass may change the signature of the function.
func takesExistentials(c *pass.Context, f *ir.Function) bool {
	fn := f.Type.Func
	return fn != nil && fn.Error == nil && fn.Generic == nil && fn.Pattern == nil && !f.Attrs.Has(ir.AttrAlwaysInline) && f.Body() == nil && len(f.Blocks) > 0 &&
		slices.ContainsFunc(f.Blocks[0].Args, func(v *ir.Value) bool { return v.Type.Object().Kind == ir.KindExistential })
}

// existentials is a function with those of its arguments that become generic.
type existentials struct {
	*signature
	open  map[int]*ir.Type // the generic parameter by number of the argument
	order []int            // these numbers in the order of the parameters
	// generic is the signature of the new function.
	generic *ir.GenericSig
}

// find chooses the arguments for which the call has values of known types.
func (e *existentials) find(call *ir.Inst) bool {
	for n, a := range e.args {
		if conv := a.param.Conv; conv == ir.ParamInout || conv == ir.ParamInoutAliasable {
			continue
		}
		if e.isProtocolType(a.v.Type.Object()) && e.isKnown(call, call.Arg(n+1)) {
			e.order = append(e.order, n)
		}
	}
	e.order = hashOrder(e.order)
	e.generic = &ir.GenericSig{}
	for k, n := range e.order {
		name := fmt.Sprintf("τ_0_%d", k)
		e.open[n] = e.c.Module.Types.Param(name)
		e.generic.Params = append(e.generic.Params, ir.GenericParam{Name: name})
		e.require(e.open[n], e.args[n].v.Type.Object())
	}
	return len(e.open) > 0
}

// hashOrder sorts numbers, which ascend, as the compiler walks the table of arguments that it numbers generic parameters by: a hash table of
// four places, of 64 once it holds three numbers, and of twice as many whenever three quarters are taken.
func hashOrder(numbers []int) []int {
	size := 4
	for len(numbers)*4 >= size*3 {
		size = max(64, size*2)
	}
	table := make([]int, size) // the number that is there, counted from 1
	for _, n := range numbers {
		at := n * 37 % size
		for step := 1; table[at] != 0; step++ {
			at = (at + step) % size
		}
		table[at] = n + 1
	}
	order := slices.DeleteFunc(table, func(n int) bool { return n == 0 })
	for k := range order {
		order[k]--
	}
	return order
}

// require enters what an existential type says of the values in it as requirements of a generic parameter.
func (e *existentials) require(p, t *ir.Type) {
	constraints := e.classFirst(t.Args)
	for k, proto := range constraints {
		if first := constraints[0]; k > 0 && !e.isProtocol(first) && e.c.Module.Conforms(first, proto) {
			continue // as every object of the class does
		}
		r := ir.Requirement{Kind: ir.ReqConformance, Subject: p, Type: proto}
		if proto.Known() == ir.KnownAnyObject {
			r = ir.Requirement{Kind: ir.ReqLayout, Subject: p, Text: ir.LayoutAnyObject.String()}
		}
		e.generic.Requirements = append(e.generic.Requirements, r)
	}
}

// classFirst returns the constraints of an existential type with the class, or that it is one, before the protocols.
func (e *existentials) classFirst(constraints []*ir.Type) []*ir.Type {
	list := slices.Clone(constraints)
	slices.SortStableFunc(list, func(a, b *ir.Type) int { return boolInt(e.isProtocol(a)) - boolInt(e.isProtocol(b)) })
	return list
}

func (e *existentials) isProtocol(t *ir.Type) bool {
	d := e.c.Module.DeclOf(t)
	return d != nil && d.Kind == ir.Protocol && t.Known() != ir.KnownAnyObject
}

// isProtocolType reports whether a type is an existential of protocols that say something: neither Any nor AnyObject, nor one that is kept in
// a box.
func (e *existentials) isProtocolType(t *ir.Type) bool {
	if t.Kind != ir.KindExistential || len(t.Args) == 0 || t.IsAnyError() {
		return false
	}
	protocols := 0
	for _, a := range t.Args {
		d := e.c.Module.DeclOf(a)
		switch {
		case a.Known() == ir.KnownAnyObject:
		case d != nil && d.Kind == ir.Class:
		case d == nil || d.Kind != ir.Protocol || len(a.Args) > 0:
			return false
		default:
			protocols++
		}
	}
	return protocols > 0
}

// isKnown reports whether the type of what is in the existential can be seen.
func (e *existentials) isKnown(call *ir.Inst, v *ir.Value) bool {
	for depth := 0; depth < pass.MaxTypeNesting; depth++ {
		i := v.Inst()
		if i == nil {
			return false
		}
		switch i.Op {
		case op.InitExistentialRef, op.InitExistentialAddr:
			return !i.Types[0].HasLocal()
		case op.AllocStack:
			set := onlyWrite(i, call)
			if set == nil || set.Block() != i.Block() && set.Block() != call.Block() {
				return false
			}
			if set.Op == op.InitExistentialAddr {
				v = set.Result()
				continue
			}
			if set.Op != op.CopyAddr {
				return false
			}
			v, call = set.Arg(0), set
		default:
			return false
		}
	}
	return false
}

// onlyWrite returns the one instruction that initializes memory on the stack, nil when it may be written otherwise. at reads it.
func onlyWrite(slot, at *ir.Inst) *ir.Inst {
	var set *ir.Inst
	for _, x := range slot.Result().UseList() {
		i := x.User()
		write := false
		switch {
		case i == at, facts.IsDebug(i):
			continue
		case i.Op == op.CopyAddr:
			write = x.Number() == 1
		case i.Op == op.Store, i.Op == op.InitExistentialAddr:
			write = true
		case i.Op == op.Apply, i.Op == op.TryApply:
			if conv := facts.CallConv(i, x.Number()); conv != facts.ConvIn && conv != facts.ConvInGuaranteed {
				return nil
			}
		case i.Op == op.DeallocStack, i.Op == op.DestroyAddr, i.Op == op.WitnessMethod, i.Op == op.DeinitExistentialAddr, i.Op == op.OpenExistentialAddr:
		default:
			return nil
		}
		if write && set != nil {
			return nil
		}
		if write {
			set = i
		}
	}
	return set
}

// name returns the name of the generic function.
func (e *existentials) name() string {
	code := "Tf4"
	for n := range e.args {
		if e.open[n] != nil {
			code += "e"
		} else {
			code += "n"
		}
	}
	return mangledBase(e.f.Name) + serializedCode(e.f, code) + "_n"
}

// move makes the generic function of the body and lets the function call it.
func (e *existentials) move() {
	f, mod := e.f, e.c.Module
	name := e.name()
	fn := *e.fn
	fn.Generic = e.generic
	fn.Convention, fn.Witness = ir.RepThin, ""
	fn.Params = append([]ir.Param(nil), fn.Params...)
	for n, p := range e.open {
		fn.Params[n].Type = p
	}
	made := mod.Funcs[name]
	if made == nil {
		made = &ir.Function{Name: name, Linkage: sharedLinkage(f), Attrs: specializedAttrs(f, serializedAttr(f), allSemantics), Type: mod.Types.Function(&fn), Loc: f.Loc, Pos: f.Pos,
			Scope: f.Scope, Module: mod, Comment: rewrite.SpecializedComment(f)}
		e.clone(made)
		e.c.AppendFunction(made)
	}
	e.c.Passed(f, f.Entry().First(), "made generic as @%s", name)
	f.Attrs = thunkAttrs(f.Attrs)
	args := f.Entry().Args
	for _, b := range f.Blocks {
		for _, a := range b.Args {
			rewrite.ReplaceWithUndef(a)
		}
		for i := range b.Insts() {
			for _, r := range i.Results {
				rewrite.ReplaceWithUndef(r)
			}
		}
	}
	f.Blocks = nil
	e.thunk(made, args)
	e.c.Changed(f)
}

func (e *existentials) isConsumed(n int) bool {
	conv := e.fn.Params[n].Conv
	return conv == ir.ParamIn || conv == ir.ParamDirectOwned
}

// clone copies the body; existentials are made of the generic arguments first.
func (e *existentials) clone(made *ir.Function) {
	mod := e.c.Module
	rewrite.SplitRevisitedEdges(e.c, e.f)
	entry := made.AddBlock("")
	b := ir.AtEnd(mod, entry)
	cl := rewrite.NewCloner(mod)
	var slots, owned []*ir.Value
	for n, old := range e.f.Entry().Args {
		t := old.Type
		p := e.open[n]
		if p != nil {
			if t = p; old.Type.IsAddress() {
				t = mod.Types.Address(p)
			}
		}
		v := entry.AddArg(t)
		v.Ownership, v.Flags, v.Name = old.Ownership, old.Flags, old.Name
		switch {
		case p == nil:
			cl.Values[old] = v
		case !old.Type.IsAddress():
			cl.Values[old] = b.Emit(&ir.Inst{Op: op.InitExistentialRef, Types: []*ir.Type{p, old.Type}}, v).Result()
		default:
			slot := b.Emit(&ir.Inst{Op: op.AllocStack, Types: []*ir.Type{old.Type.Object()}}).Result()
			inner := b.Emit(&ir.Inst{Op: op.InitExistentialAddr, Types: []*ir.Type{p}}, slot).Result()
			inner.Type = t
			quals := op.QualsOf(op.QualInit)
			if e.isConsumed(n) {
				quals = quals.With(op.QualTake)
			} else {
				owned = append(owned, slot)
			}
			b.Emit(&ir.Inst{Op: op.CopyAddr, Quals: quals}, v, inner)
			slots = append(slots, slot)
			cl.Values[old] = slot
		}
	}
	cl.Blocks[e.f.Entry()] = entry
	cl.Body(e.f, made)
	for _, blk := range made.Blocks {
		t := blk.Terminator()
		if t.Op != op.Return && t.Op != op.Throw && t.Op != op.Unwind {
			continue
		}
		at := ir.At(mod, t)
		for _, v := range owned {
			rewrite.Emit(at, op.DestroyAddr, v)
		}
		for n := len(slots) - 1; n >= 0; n-- {
			rewrite.Emit(at, op.DeallocStack, slots[n])
		}
	}
	made.Renumber()
}

// thunk makes the function open its existentials and pass what is in them on.
func (e *existentials) thunk(made *ir.Function, old []*ir.Value) {
	mod := e.c.Module
	entry := e.f.AddBlock("")
	b := ir.AtEnd(mod, entry)
	fn := mod.Types.Unsugared(made.Type)
	ref := rewrite.FunctionRef(b, made)
	operands := []*ir.Value{ref}
	opened := map[int]*ir.Type{}
	type temporary struct{ slot, destroyed *ir.Value }
	var temporaries []temporary
	for n, a := range old {
		v := entry.AddArg(a.Type)
		v.Ownership, v.Flags, v.Name = a.Ownership, a.Flags, a.Name
		if e.open[n] == nil {
			operands = append(operands, v)
			continue
		}
		t := e.opened(v.Type.Object(), len(opened))
		opened[n] = t
		switch {
		case v.Type.IsAddress():
			addr := mod.Types.Address(t)
			word := ir.WordImmutableAccess
			if e.isConsumed(n) {
				word = ir.WordMutableAccess
			}
			inner := b.Emit(&ir.Inst{Op: op.OpenExistentialAddr, Types: []*ir.Type{addr}, Aux: ir.WordsOf(word.String())}, v).Result()
			inner.Type = addr
			if e.isConsumed(n) {
				slot := b.Emit(&ir.Inst{Op: op.AllocStack, Types: []*ir.Type{t}}).Result()
				b.Emit(&ir.Inst{Op: op.CopyAddr, Quals: op.QualsOf(op.QualInit)}, inner, slot)
				temporaries = append(temporaries, temporary{slot, v})
				inner = slot
			}
			operands = append(operands, inner)
		default:
			from := v
			copied := e.f.IsOSSA() && !e.isConsumed(n)
			if copied {
				from = rewrite.Emit(b, op.CopyValue, v).Result()
			}
			inner := b.Emit(&ir.Inst{Op: op.OpenExistentialRef, Types: []*ir.Type{t}}, from).Result()
			inner.Type = t
			if copied {
				temporaries = append(temporaries, temporary{nil, inner})
			}
			operands = append(operands, inner)
		}
	}
	var subs []*ir.Type
	for _, n := range e.order {
		subs = append(subs, opened[n])
	}
	result := b.Emit(&ir.Inst{Op: op.Apply, Aux: &ir.ApplyAux{Subs: subs, Fn: fn}}, operands...).Result()
	for n := len(temporaries) - 1; n >= 0; n-- {
		t := temporaries[n]
		switch {
		case t.destroyed.Type.IsAddress():
			rewrite.Emit(b, op.DestroyAddr, t.destroyed)
		default:
			rewrite.Emit(b, op.DestroyValue, t.destroyed)
		}
		if t.slot != nil {
			rewrite.Emit(b, op.DeallocStack, t.slot)
		}
	}
	e.finish(b, result)
	e.f.Renumber()
}

// opened returns the type that is in the existential, under a name of its own in the function.
func (e *existentials) opened(t *ir.Type, n int) *ir.Type {
	ts := e.c.Module.Types
	return ts.Intern(&ir.Type{Kind: ir.KindOpened, Name: fmt.Sprintf("00000000-0000-0000-0000-%012X", n), Elem: t, Args: []*ir.Type{ts.Param("Self")}})
}
