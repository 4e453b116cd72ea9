package flow

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// PhiExpansion passes only the field of a struct on to a block whose argument is used for nothing else:
//
//	br bb1(%0 : $S)                         %2 = struct_extract %0, #S.x
//	bb1(%1 : $S):                      ⇒    br bb1(%2 : $X)
//	%2 = struct_extract %1, #S.x            bb1(%1 : $X):
var PhiExpansion = &pass.Pass{
	Name: "phi-expansion",
	Doc:  "Passes on only the field of a struct where a block argument is used for nothing else",
	Function: func(c *pass.Context, f *ir.Function) bool {
		changed := false
		p := c.Program(f)
		for _, b := range f.Blocks {
			for _, a := range b.Args {
				for expandPhi(c, p, a) {
					changed = true
				}
			}
		}
		return changed
	},
}

// expandPhi replaces one argument, and those that it is passed on to, by a field.
func expandPhi(c *pass.Context, p *facts.Program, first *ir.Value) bool {
	args := []*ir.Value{first}
	seen := map[*ir.Value]bool{first: true}
	var field *ir.Inst
	for n := 0; n < len(args); n++ {
		if _, ok := p.Incoming(args[n]); !ok {
			return false
		}
		for x := range args[n].Uses() {
			switch i := x.User(); i.Op {
			case op.DebugValue:
			case op.StructExtract:
				if field != nil && i.Aux.(*ir.MemberAux).Name != field.Aux.(*ir.MemberAux).Name {
					return false
				}
				field = i
			case op.Br, op.CondBr:
				to := rewrite.EdgeArg(x)
				if to == nil {
					return false
				}
				if !seen[to] {
					seen[to] = true
					args = append(args, to)
				}
			default:
				return false
			}
		}
	}
	if field == nil {
		return false
	}
	whole, aux, part := first.Type, field.Aux.(*ir.MemberAux), field.Result().Type
	for _, a := range args {
		a.Type = part
		for _, x := range a.UseList() {
			switch i := x.User(); i.Op {
			case op.DebugValue:
				if v := i.Var(); v != nil {
					i.Aux = v.WithFragment(whole, ir.FieldOp(aux))
				}
			case op.StructExtract:
				i.ReplaceWith(a)
			}
		}
		in, _ := p.Incoming(a)
		for _, x := range in {
			if v := x.Value(); v.Type != part {
				x.Set(ir.At(c.Module, x.User()).Emit(&ir.Inst{Op: op.StructExtract, Aux: aux}, v).Result())
			}
		}
	}
	return true
}
