package dumps

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
)

// nameFinder finds what a value is called in the source: the name of the variable that it comes from, and the parts of it that lead to
// the value (the compiler's VariableNameInferrer describes the algorithm).
type nameFinder struct {
	own  *ownership.Ownership
	seen map[*ir.Value]bool
	path []string // from the value to the variable
}

// handsOnName lists the instructions whose result is called what their first operand is called.
var handsOnName = map[op.Op]bool{op.CopyValue: true, op.ExplicitCopyValue: true, op.MoveValue: true, op.BeginBorrow: true, op.Load: true,
	op.LoadBorrow: true, op.ProjectBox: true, op.BeginAccess: true, op.OpenExistentialAddr: true, op.StoreBorrow: true,
	op.MarkUnresolvedNonCopyableValue: true}

// find returns the value that has a name of its own, nil when there is none.
func (n *nameFinder) find(v *ir.Value) *ir.Value {
	for v != nil && !n.seen[v] {
		n.seen[v] = true
		if name := n.ownName(v); name != "" {
			n.path = append(n.path, name)
			return v
		}
		i := v.Inst()
		switch {
		case i == nil:
			t := ownership.TerminatorOf(v, n.own.Preds)
			if t == nil {
				return n.ofPhi(v)
			}
			v = t.Arg(0)
		case handsOnName[i.Op]:
			v = i.Arg(0)
		case i.Op == op.AllocStack:
			v = storedIn(v)
		case i.Op == op.GlobalAddr: // SIL text does not tell what the variable is called
			n.path = append(n.path, "unknown")
			return v
		case i.Op == op.Apply:
			v = n.ofCall(i)
		default:
			part := partName(v)
			if part == "" {
				return nil
			}
			n.path = append(n.path, part)
			v = i.Arg(0)
		}
	}
	return nil
}

// ofPhi goes on from the first of the values that branches pass which has a name.
func (n *nameFinder) ofPhi(v *ir.Value) *ir.Value {
	path := slices.Clone(n.path)
	for _, x := range n.own.IncomingOperands(v) {
		if root := n.find(x.Value()); root != nil {
			return root
		}
		n.path = slices.Clone(path)
	}
	return nil
}

// ownName returns the name that debug information gives the value, or the variable that is made of it; "" when there is none.
func (n *nameFinder) ownName(v *ir.Value) string {
	if i := v.Inst(); i != nil && (i.Op == op.AllocStack || i.Op == op.AllocBox) && i.Variable() != "" {
		return i.Variable()
	}
	for _, x := range v.UseList() {
		if i := x.User(); i.Op == op.DebugValue && i.Variable() != "" {
			return i.Variable()
		}
	}
	for _, x := range v.UseList() {
		if i := x.User(); (i.Op == op.MoveValue || i.Op == op.BeginBorrow) && i.Has(op.QualVarDecl) {
			if name := n.ownName(i.Result()); name != "" {
				return name
			}
		}
	}
	return ""
}

// storedIn returns what an unnamed alloc_stack gets first: the value that is stored, or the memory that is copied.
func storedIn(v *ir.Value) *ir.Value {
	for _, x := range v.UseList() {
		switch i := x.User(); i.Op {
		case op.Store, op.StoreBorrow, op.CopyAddr:
			if x.Number() == 1 {
				return i.Arg(0)
			}
		}
	}
	return nil
}

// ofCall names the method of a call; what it is called on follows.
func (n *nameFinder) ofCall(i *ir.Inst) *ir.Value {
	aux, ok := i.Aux.(*ir.ApplyAux)
	if !ok || aux.Fn == nil || aux.Fn.Func == nil || aux.Fn.Func.Convention != ir.RepMethod || len(i.Operands) < 2 {
		return nil
	}
	name := "<unknown decl>"
	if m := i.Arg(0).Inst(); m != nil && m.Op == op.ClassMethod {
		if ref, ok := m.Aux.(*ir.MethodAux); ok {
			name = ref.Ref.Member()
		}
	}
	n.path = append(n.path, name)
	return i.Arg(len(i.Operands) - 1)
}

// partName returns the name of the part that an instruction takes out of its first operand, "" when it is none.
func partName(v *ir.Value) string {
	i := v.Inst()
	switch aux := i.Aux.(type) {
	case *ir.MemberAux:
		switch i.Op {
		case op.StructExtract, op.StructElementAddr, op.RefElementAddr, op.UncheckedEnumData, op.UncheckedTakeEnumDataAddr, op.InitEnumDataAddr:
			return aux.Name
		case op.Enum:
			if len(i.Operands) > 0 {
				return aux.Name
			}
		}
	}
	switch i.Op {
	case op.TupleExtract, op.TupleElementAddr:
		return strconv.Itoa(facts.FieldNumber(v.Block().Func.Module, i))
	case op.DestructureTuple:
		return strconv.Itoa(v.Index())
	case op.DestructureStruct:
		if d := v.Block().Func.Module.DeclOf(i.Arg(0).Type); d != nil && v.Index() < len(d.Fields) {
			return d.Fields[v.Index()].Name
		}
	}
	return ""
}

func testVariableName(t *testRun, v *ir.Value) error {
	n := &nameFinder{own: t.ownership(), seen: map[*ir.Value]bool{}}
	root := n.find(v)
	name, line := "unknown", "'unknown'\n"
	if root != nil {
		slices.Reverse(n.path)
		name, line = strings.Join(n.path, "."), t.line(root)
	}
	fmt.Fprintf(t.c.Out, "Input Value: %sName: '%s'\nRoot: %s", t.line(v), name, line)
	return nil
}
