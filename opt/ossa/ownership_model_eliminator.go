package ossa

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// OwnershipModelEliminator takes a function out of ownership form: copies become retains, destroys become releases, and what only
// says who owns a value goes away.
//
//	%1 = load [copy] %0 : $*C        %1 = load %0 : $*C
//	%2 = begin_borrow %1 : $C        strong_retain %1 : $C
//	…  use of %2              ⇒      …  use of %1
//	end_borrow %2 : $C
//	destroy_value %1 : $C            strong_release %1 : $C
var OwnershipModelEliminator = &pass.Pass{
	Name:        "ownership-model-eliminator",
	Unoptimized: true,
	Doc:         "Takes functions out of ownership form",
	Function: func(c *pass.Context, f *ir.Function) bool {
		return f.IsOSSA() && EliminateOwnership(c, f)
	},
}

// NonTransparentOwnershipModelEliminator leaves transparent functions as they are: they are inlined in ownership form.
var NonTransparentOwnershipModelEliminator = &pass.Pass{
	Name:        "non-transparent-func-ownership-model-eliminator",
	Unoptimized: true,
	Doc:         "Takes functions that are not transparent out of ownership form",
	Function: func(c *pass.Context, f *ir.Function) bool {
		return f.IsOSSA() && !f.Attrs.Has(ir.AttrTransparent) && EliminateOwnership(c, f)
	},
}

// EliminateOwnership lowers a function out of ownership form.
func EliminateOwnership(c *pass.Context, f *ir.Function) bool {
	ends := onStackEnds(c, f)
	f.Attrs = f.Attrs.Without(ir.AttrOSSA)
	e := &eliminator{Editor: rewrite.NewEditor(c, f)}
	for _, end := range ends {
		b := e.After(end.at)
		rewrite.Emit(b, op.DeallocStack, end.closure)
	}
	for n, b := range f.Blocks {
		for _, a := range b.Args {
			a.Ownership = ir.OwnershipUnspecified
			if n > 0 {
				a.Flags = 0
			}
		}
	}
	for _, b := range f.Blocks {
		for _, i := range b.InstList() {
			if i.Block() != nil {
				e.inst(i)
			}
		}
	}
	for _, i := range e.projections {
		foldProjection(i)
	}
	if len(ends) > 0 {
		rewrite.FixStackNesting(f) // the ends of closures need not nest in ownership form
	}
	return true
}

type closureEnd struct {
	closure *ir.Value
	at      *ir.Inst
}

// onStackEnds finds where the contexts of closures on the stack end their lives.
func onStackEnds(c *pass.Context, f *ir.Function) []closureEnd {
	var ends []closureEnd
	for i := range f.Insts() {
		if i.Op != op.PartialApply || !i.Has(op.QualOnStack) {
			continue
		}
		closure := i.Result()
		work := worklist.Of(closure)
		for v := range work.All() {
			for _, x := range v.UseList() {
				user := x.User()
				switch user.Op {
				case op.DestroyValue:
					ends = append(ends, closureEnd{closure, user})
				case op.MoveValue, op.MarkDependence, op.ConvertFunction, op.ConvertEscapeToNoescape:
					if x.Number() == 0 {
						work.Push(user.Result())
					}
				case op.Struct, op.Tuple, op.Enum, op.PartialApply: // a closure that escapes may hold one in a test of the compiler only
					if !user.Has(op.QualOnStack) {
						work.Push(user.Result())
					}
				case op.DestructureTuple, op.UncheckedEnumData:
					for _, r := range user.Results {
						if facts.IsNoescape(r.Type) {
							work.Push(r)
						}
					}
				}
			}
		}
	}
	return ends
}

type eliminator struct {
	*rewrite.Editor
	projections []*ir.Inst // what destructures became
}

// inst lowers one instruction.
func (e *eliminator) inst(i *ir.Inst) {
	b := e.Before(i)
	switch i.Op {
	case op.Load:
		e.lowerLoad(b, i)
	case op.Store:
		e.lowerStore(b, i)
	case op.StoreBorrow:
		rewrite.Emit(b, op.Store, i.Arg(0), i.Arg(1))
		i.ReplaceWith(i.Arg(1))
	case op.LoadBorrow:
		i.ReplaceWith(rewrite.Emit(b, op.Load, i.Arg(0)).Result())
	case op.CopyValue, op.ExplicitCopyValue:
		e.lowerCopy(b, i)
	case op.ExplicitCopyAddr:
		copied := &ir.Inst{Op: op.CopyAddr, Quals: i.Quals}
		b.Emit(copied, i.Arg(0), i.Arg(1))
		i.Remove()
	case op.DestroyValue:
		if !i.Has(op.QualDeadEnd) && !facts.IsNoescape(i.Arg(0).Type) {
			e.DestroyValue(b, i.Arg(0))
		}
		i.Remove()
	case op.DeallocBox:
		if i.Has(op.QualDeadEnd) {
			i.Remove()
		}
	case op.MoveValue, op.BeginBorrow, op.Borrowed, op.UncheckedOwnershipConversion, op.DropDeinit:
		i.ReplaceWith(i.Arg(0))
	case op.EndBorrow, op.EndLifetime, op.ExtendLifetime:
		i.Remove()
	case op.UnmanagedRetainValue:
		e.CopyValue(b, i.Arg(0))
		i.Remove()
	case op.UnmanagedReleaseValue:
		e.DestroyValue(b, i.Arg(0))
		i.Remove()
	case op.UnmanagedAutoreleaseValue:
		rewrite.Emit(b, op.AutoreleaseValue, i.Arg(0))
		i.Remove()
	case op.CheckedCastBr:
		passOperandOn(i, len(i.Succs)-1)
	case op.SwitchEnum:
		if aux, ok := i.Aux.(*ir.CaseAux); ok && len(aux.Cases) > 0 && aux.Cases[len(aux.Cases)-1] == nil {
			e.defaultPayload(i)
			passOperandOn(i, len(i.Succs)-1)
		}
	case op.DestructureStruct, op.DestructureTuple:
		e.lowerDestructure(b, i)
	case op.UncheckedValueCast:
		cast := b.Emit(&ir.Inst{Op: op.UncheckedBitwiseCast, Types: i.Types}, i.Arg(0))
		i.ReplaceWith(cast.Result())
	case op.PartialApply:
		if i.Has(op.QualOnStack) {
			e.dependOnCaptures(i)
		}
	}
	i.Forwarding = ir.OwnershipUnspecified
}

func (e *eliminator) lowerLoad(b *ir.Builder, i *ir.Inst) {
	if qual := i.Quals.First(op.QualCopy, op.QualTake, op.QualTrivial); qual != op.QualInvalid {
		i.ReplaceWith(e.Load(b, i.Arg(0), qual))
	}
}

func (e *eliminator) lowerStore(b *ir.Builder, i *ir.Inst) {
	if qual := i.Quals.First(op.QualInit, op.QualAssign, op.QualTrivial); qual != op.QualInvalid {
		e.Store(b, i.Arg(0), i.Arg(1), qual)
		i.Remove()
	}
}

func (e *eliminator) lowerCopy(b *ir.Builder, i *ir.Inst) {
	v := i.Arg(0)
	if facts.IsNoescape(v.Type) {
		for x := i.Result().FirstUse(); x != nil; {
			user := x.User()
			x = x.NextUse()
			if user.Op == op.DestroyValue {
				user.Remove()
			}
		}
	} else {
		e.CopyValue(b, v)
	}
	i.ReplaceWith(v)
}

// passOperandOn makes the users of the argument of successor n use the operand of the terminator, and removes the argument.
func passOperandOn(i *ir.Inst, n int) {
	to := i.Succs[n].To
	if len(to.Args) == 0 {
		return
	}
	to.Args[0].ReplaceAllUses(i.Arg(0))
	to.RemoveArg(0)
}

// defaultPayload takes the payload out of the enum for the argument of a default that stands for one case only. Ends of lifetimes are
// left to the enum.
func (e *eliminator) defaultPayload(i *ir.Inst) {
	cases := facts.NamedDefault(i)
	n := len(i.Succs) - 1
	to := i.Succs[n].To
	if cases == nil || len(to.Args) == 0 || to.Args[0].Type == i.Arg(0).Type {
		return
	}
	a := to.Args[0]
	for u := range a.Uses() {
		if u.User().Op != op.DestroyValue {
			data := e.Before(to.First()).Emit(&ir.Inst{Op: op.UncheckedEnumData, Aux: cases.Cases[n]}, i.Arg(0)).Result()
			data.Type = a.Type
			a.ReplaceAllUses(data)
			return
		}
	}
}

// lowerDestructure takes the parts that are used with projections of their own.
func (e *eliminator) lowerDestructure(b *ir.Builder, i *ir.Inst) {
	whole := i.Arg(0)
	for n, r := range i.Results {
		if r.HasUses() {
			p := e.Project(b, whole, n, r.Type)
			e.projections = append(e.projections, p)
			r.ReplaceAllUses(p.Result())
		}
	}
	i.Remove()
}

// fieldNumber returns the position of a stored property, -1 when there is none of that name.
func fieldNumber(d *ir.Nominal, name string) int {
	if d == nil {
		return -1
	}
	return slices.IndexFunc(d.Fields, func(f ir.Field) bool { return f.Name == name })
}

// foldProjection makes the users of a projection out of a struct or tuple that is made in the function use the part itself.
func foldProjection(i *ir.Inst) {
	made := i.Arg(0).Inst()
	if made == nil || made.Op != op.Struct && made.Op != op.Tuple {
		return
	}
	n := -1
	switch aux := i.Aux.(type) {
	case *ir.IntAux:
		n = int(aux.Int64())
	case *ir.MemberAux:
		n = fieldNumber(i.Block().Func.Module.DeclOf(made.Result().Type), aux.Name)
	}
	if n >= 0 && n < len(made.Operands) {
		i.ReplaceWith(made.Arg(n))
	}
}

// dependOnCaptures says by mark_dependence that a closure on the stack needs the values that it borrows.
func (e *eliminator) dependOnCaptures(i *ir.Inst) {
	closure := i.Result()
	last := closure
	b := e.After(i)
	first := (*ir.Inst)(nil)
	for n := 1; n < len(i.Operands); n++ {
		v := i.Arg(n)
		if e.Types.IsTrivial(v.Type) || v.Type.IsAddress() {
			break
		}
		dep := rewrite.Emit(b, op.MarkDependence, last, v)
		if first == nil {
			first = dep
		}
		last = dep.Result()
	}
	if first == nil {
		return
	}
	for _, x := range closure.UseList() {
		if x.User() != first && x.User().Op != op.DeallocStack {
			x.Set(last)
		}
	}
}
