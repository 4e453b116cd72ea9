package ossa

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// ClosureLifetimeFixup keeps a closure alive for as long as what it was converted to without escaping is used, which raw SIL leaves open:
//
//	%1 = partial_apply %f(%0)                                    %1 = begin_borrow %0
//	%2 = convert_escape_to_noescape [not_guaranteed] %1    ⇒     %2 = partial_apply [on_stack] %f(%1)
//	destroy_value %1                                             apply %g(%2)
//	apply %g(%2)                                                 destroy_value %2
//	destroy_value %2                                             end_borrow %1
//	                                                             destroy_value %0
//
// A closure that is made elsewhere is copied until its only use ends, and where it has several until the function does. copy_block_without_escaping
// becomes copy_block and a check at the end of the block's life that the closure has not escaped.
// Source: lib/SILOptimizer/Mandatory/ClosureLifetimeFixup.cpp.
var ClosureLifetimeFixup = &pass.Pass{
	Name:        "closure-lifetime-fixup",
	Doc:         "Keeps closures alive while what they were converted to without escaping is used",
	Unoptimized: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		x := &closureFixup{Editor: rewrite.NewEditor(c, f)}
		if !x.OSSA {
			return false
		}
		var found []*ir.Inst
		for i := range f.Insts() {
			if i.Op == op.CopyBlockWithoutEscaping || i.Op == op.ConvertEscapeToNoescape && i.Has(op.QualNotGuaranteed) {
				found = append(found, i)
			}
		}
		for _, i := range found {
			x.fix(i)
			c.Changed(f)
		}
		if x.stack {
			rewrite.FixStackNesting(f)
		}
		return len(found) > 0
	},
}

type closureFixup struct {
	*rewrite.Editor
	stack bool // memory on the stack may not be freed in order
}

func (x *closureFixup) fix(i *ir.Inst) {
	if i.Op == op.CopyBlockWithoutEscaping {
		x.Context.Passed(x.Func, i, "checked that the closure of the block has not escaped")
		x.fixBlock(i)
		return
	}
	if !x.Context.IsSet("sil-disable-convert-escape-to-noescape-switch-peephole") && x.extendOverOptional(i) {
		x.Context.Passed(x.Func, i, "kept the closure alive until the optional block is destroyed")
		return
	}
	if x.extendToUser(i) {
		x.stack = true
		return
	}
	x.Context.Passed(x.Func, i, "kept the closure alive until the end of the function")
	x.extendToEnd(i)
}

// generated builds before an instruction what has no place in the source, which is said where places are.
func (x *closureFixup) generated(at *ir.Inst) *ir.Builder {
	b := x.Before(at)
	if b.Loc == nil {
		return b
	}
	b.Loc = &ir.Loc{File: "<compiler-generated>", Auto: true, Text: `loc * "<compiler-generated>":0:0`}
	return b
}

func (x *closureFixup) some(b *ir.Builder, v *ir.Value) *ir.Value {
	return b.Emit(&ir.Inst{Op: op.Enum, Types: []*ir.Type{b.Module.Types.Optional(v.Type)}, Aux: optionalCase(ir.CaseSome)}, v).Result()
}

func (x *closureFixup) none(b *ir.Builder, payload *ir.Type) *ir.Value {
	return b.Emit(&ir.Inst{Op: op.Enum, Types: []*ir.Type{b.Module.Types.Optional(payload)}, Aux: optionalCase(ir.CaseNone)}).Result()
}

func optionalCase(name string) *ir.MemberAux {
	return &ir.MemberAux{Type: "Optional", Name: name, Suffix: "enumelt"}
}

// exits lists where what lives until the end of the function ends, for the blocks in which the function ends: before the call of a deinit of the
// superclass, after which nothing may use the object.
func exits(blocks []*ir.Block) (list []*ir.Inst) {
	for _, b := range blocks {
		if !rewrite.IsFunctionExit(b.Last()) {
			continue
		}
		at := b.Last()
		for i := range b.Backward() {
			if i.Op == op.EndLifetime && i.Arg(0).Inst() != nil {
				at = i.Arg(0).Inst()
				break
			}
		}
		list = append(list, at)
	}
	return list
}

// extendToUser keeps the closure alive until the only use of the converted one ends; it reports whether there is one that it knows.
func (x *closureFixup) extendToUser(cvt *ir.Inst) bool {
	user := throughReabstraction(cvt)
	if user == nil {
		return false
	}
	var endAsync *ir.Inst
	switch {
	case user.Op == op.BeginBorrow, user.Op == op.Apply, user.Op == op.TryApply:
	case user.Op == op.Builtin:
		if endAsync = endOfAsyncLet(user); endAsync == nil {
			return false
		}
	default:
		return false
	}
	if closure := x.rewriteToStack(cvt); closure != nil {
		if endAsync != nil { // what the closure captures lives until the task is done
			again := x.Before(endAsync).Emit(&ir.Inst{Op: op.Builtin, Types: endAsync.Types, Aux: endAsync.Aux}, endAsync.Arg(0), closure)
			again.Results[0].Type = endAsync.Results[0].Type
			endAsync.ReplaceWith(again.Results[0])
			endAsync.Remove()
		}
		return true
	}
	x.Context.Passed(x.Func, cvt, "kept the closure alive until its use ends")
	closure := rewrite.Emit(x.Before(cvt), op.CopyValue, cvt.Arg(0)).Result()
	guarantee(cvt, closure)
	for _, at := range afterUser(user) {
		rewrite.Emit(x.Before(at), op.DestroyValue, closure)
	}
	for _, b := range x.leaks(closure.Block(), user.Block()) {
		rewrite.Emit(x.generated(b.First()), op.DestroyValue, closure)
	}
	return true
}

// guarantee makes a conversion one of a closure that lives long enough.
func guarantee(cvt *ir.Inst, closure *ir.Value) {
	cvt.Operands[0].Set(closure)
	cvt.Quals = cvt.Quals.Without(op.QualNotGuaranteed)
}

// throughReabstraction finds the only instruction that uses a conversion, or what is made of that by conversions, partial applications and
// borrows; nil when there are several.
func throughReabstraction(i *ir.Inst) *ir.Inst {
	for i != nil {
		switch i.Op {
		case op.ConvertFunction, op.ConvertEscapeToNoescape, op.PartialApply, op.BeginBorrow:
			i = onlyUser(i.Result())
		default:
			return i
		}
	}
	return nil
}

// onlyUser returns the only user of a value that does more than to count it.
func onlyUser(v *ir.Value) (only *ir.Inst) {
	for x := range v.Uses() {
		switch i := x.User(); {
		case facts.IsDebug(i), onlyCounts(i), i.Op == op.EndBorrow:
		case only != nil:
			return nil
		default:
			only = i
		}
	}
	return only
}

// onlyCounts reports whether all that an instruction does is to count a reference: a copy that is used for something does more.
func onlyCounts(i *ir.Inst) bool {
	switch i.Op {
	case op.CopyValue:
		for x := range i.Result().Uses() {
			if !facts.IsDebug(x.User()) && x.User().Op != op.DestroyValue {
				return false
			}
		}
		return true
	case op.DestroyValue:
		return true
	}
	return facts.IsRefCounting(i)
}

// endOfAsyncLet returns the builtin that ends an async let, nil when there isn't exactly one.
func endOfAsyncLet(start *ir.Inst) (end *ir.Inst) {
	if start.Builtin() != op.BuiltinStartAsyncLetWithLocalBuffer {
		return nil
	}
	for x := range start.Result().Uses() {
		if i := x.User(); i.Builtin() == op.BuiltinEndAsyncLetLifetime {
			if end != nil {
				return nil
			}
			end = i
		}
	}
	return end
}

// afterUser lists the instructions before which the closure may end that is used by user.
func afterUser(user *ir.Inst) (list []*ir.Inst) {
	switch user.Op {
	case op.BeginBorrow:
		for _, end := range rewrite.UsersWith(user.Result(), op.EndBorrow) {
			list = append(list, end.Next())
		}
	case op.Builtin:
		list = append(list, endOfAsyncLet(user).Next())
	case op.TryApply:
		for _, e := range user.Succs {
			list = append(list, e.To.First())
		}
	default:
		list = append(list, user.Next())
	}
	return list
}

// leaks lists the blocks that are reached from a definition without passing the block of its use.
func (x *closureFixup) leaks(def, use *ir.Block) (list []*ir.Block) {
	if def == use {
		return nil
	}
	preds := cfg.NewPredecessors(x.Func)
	before := map[*ir.Block]bool{}
	work := worklist.Of(use)
	for b := range work.All() {
		if b == def {
			continue
		}
		for _, p := range preds.Of(b) {
			before[p] = true
			work.Push(p)
		}
	}
	for _, b := range x.Func.Blocks {
		if !before[b] {
			continue
		}
		for _, e := range b.Last().Succs {
			if !before[e.To] && e.To != use && e.To.Last().Op != op.Unreachable {
				list = append(list, e.To)
			}
		}
	}
	return list
}

// extendToEnd keeps a copy of the closure alive until the function ends. Where other paths lead there too, or the conversion is in a loop, what
// is kept is an optional that is none on these. A borrow of it on which the converted closure depends keeps it from being optimized away.
func (x *closureFixup) extendToEnd(cvt *ir.Inst) {
	closure := cvt.Arg(0)
	copied := rewrite.Emit(x.generated(cvt), op.CopyValue, closure).Result()
	guarantee(cvt, copied)
	if cvt.Block() == x.Func.Entry() {
		for _, at := range exits(x.Func.Blocks) {
			rewrite.Emit(x.generated(at), op.DestroyValue, copied)
		}
		return
	}
	b := x.generated(cvt.Next())
	some := x.some(b, copied)
	borrow := rewrite.Emit(b, op.BeginBorrow, some).Result()
	depends := rewrite.Emit(b, op.MarkDependence, cvt.Result(), borrow)
	for _, u := range cvt.Result().UseList() {
		if u.User() != depends {
			u.Set(depends.Result())
		}
	}
	b = x.generated(x.Func.Entry().First())
	none := x.none(b, closure.Type)
	borrowed := rewrite.Emit(b, op.BeginBorrow, none).Result()
	x.endOnPaths(cvt, borrow, borrowed, ir.OwnershipGuaranteed)
	x.endOnPaths(cvt, some, none, ir.OwnershipOwned)
}

// endOnPaths ends a value that is none at the entry of the function and v after the conversion: before the next conversion in a loop, and where
// the function ends.
func (x *closureFixup) endOnPaths(cvt *ir.Inst, v, none *ir.Value, kind ir.OwnershipKind) {
	u := rewrite.NewSSAUpdater(cfg.NewPredecessors(x.Func), v.Type, kind)
	u.Defs[x.Func.Entry()] = none
	u.Defs[v.Block()] = v
	own := x.Ownership()
	end := func(at *ir.Inst, v *ir.Value) {
		switch own.KindOf(v) {
		case ownership.KindOwned:
			rewrite.Emit(x.generated(at), op.DestroyValue, v)
		case ownership.KindGuaranteed:
			rewrite.Emit(x.generated(at), op.EndBorrow, v)
		}
	}
	end(cvt, u.AtStart(v.Block()))
	for _, at := range exits(x.Func.Blocks) {
		end(at, u.AtEnd(at.Block()))
	}
	if kind == ir.OwnershipGuaranteed {
		for _, phi := range u.Phis() {
			phi.Flags |= ir.ArgReborrow
		}
	}
}
