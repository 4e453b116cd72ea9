package memory

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// unbox makes the users of a box use the value that is now passed in its place. An owned value is borrowed as long as it is read.
func unbox(e *rewrite.Editor, v *ir.Value, boxed []*ir.Operand) {
	read := v
	if e.OSSA && v.Ownership == ir.OwnershipOwned {
		read = ir.At(e.Context.Module, v.Block().First()).Emit(&ir.Inst{Op: op.BeginBorrow}, v).Result()
	}
	for _, x := range boxed {
		i := x.User()
		switch i.Op {
		case op.ProjectBox:
			readValue(e, i.Result(), read)
		case op.StrongRelease, op.DestroyValue:
			b := e.Before(i)
			if read != v {
				rewrite.Emit(b, op.EndBorrow, read)
			}
			e.DestroyValue(b, v)
		}
		i.Remove()
	}
}

// readValue makes the readers of an address use the value that was there.
func readValue(e *rewrite.Editor, address, v *ir.Value) {
	for _, x := range address.UseList() {
		i := x.User()
		switch i.Op {
		case op.DebugValue:
			x.Set(v)
			continue
		case op.Load:
			r := v
			if i.Has(op.QualCopy) {
				r = e.CopyValue(e.Before(i), v)
			}
			i.Result().ReplaceAllUses(r)
		case op.LoadBorrow:
			for _, end := range i.Result().UseList() {
				if end.User().Op == op.EndBorrow {
					end.User().Remove()
				}
			}
			i.Result().ReplaceAllUses(v)
		case op.BeginAccess:
			readValue(e, i.Result(), v)
		case op.StructElementAddr:
			part := e.Before(i).Emit(&ir.Inst{Op: op.StructExtract, Aux: i.Aux}, v).Result()
			readValue(e, i.Result(), part)
		}
		i.Remove()
	}
}

// passValue makes an argument that was a box the value of what is in it.
func (p *capturePromoter) passValue(n *ir.Function, a *ir.Value, param *ir.Param) {
	e := rewrite.NewEditor(p.Context, n)
	param.Type = boxField(n.Module, param.Type)
	t := boxField(n.Module, a.Type)
	boxed := a.UseList()
	a.Type = t
	if e.Types.IsTrivial(t) {
		param.Conv, a.Ownership = ir.ParamDirectUnowned, ir.OwnershipUnspecified
	}
	unbox(e, a, boxed)
}
