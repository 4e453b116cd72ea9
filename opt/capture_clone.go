package opt

import (
	"silvm/ir"
	"silvm/ir/op"
)

// passValue makes an argument that was a box the value of what is in it.
func (p *capturePromoter) passValue(n *ir.Function, a *ir.Value, param *ir.Param) {
	e := newEditor(p.c, n)
	param.Type = boxField(n.Module, param.Type)
	t := boxField(n.Module, a.Type)
	boxed := uses(a)
	a.Type = t
	if e.ts.IsTrivial(t) {
		param.Conv, a.Ownership = ir.ParamDirectUnowned, ""
	}
	unbox(e, a, boxed)
}

// unbox makes the users of a box use the value that is now passed in its place. An owned value is borrowed as long as it is read.
func unbox(e *editor, v *ir.Value, boxed []*ir.Operand) {
	read := v
	if e.ossa && v.Ownership == "@owned" {
		read = ir.At(e.c.Module, v.Block().First()).Emit(&ir.Inst{Op: op.BeginBorrow}, v).Result()
	}
	for _, x := range boxed {
		i := x.User()
		switch i.Op {
		case op.ProjectBox:
			readValue(e, i.Result(), read)
		case op.StrongRelease, op.DestroyValue:
			b := e.before(i)
			if read != v {
				emit(b, op.EndBorrow, read)
			}
			e.destroyValue(b, v)
		}
		i.Remove()
	}
}

// readValue makes the readers of an address use the value that was there.
func readValue(e *editor, address, v *ir.Value) {
	for _, x := range uses(address) {
		i := x.User()
		switch i.Op {
		case op.DebugValue:
			x.Set(v)
			continue
		case op.Load:
			r := v
			if i.Has("copy") {
				r = e.copyValue(e.before(i), v)
			}
			i.Result().ReplaceAllUses(r)
		case op.LoadBorrow:
			for _, end := range uses(i.Result()) {
				if end.User().Op == op.EndBorrow {
					end.User().Remove()
				}
			}
			i.Result().ReplaceAllUses(v)
		case op.BeginAccess:
			readValue(e, i.Result(), v)
		case op.StructElementAddr:
			part := e.before(i).Emit(&ir.Inst{Op: op.StructExtract, Aux: i.Aux}, v).Result()
			readValue(e, i.Result(), part)
		}
		i.Remove()
	}
}
