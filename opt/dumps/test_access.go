package dumps

import (
	"fmt"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/ossa"
)

// addressTest is a test that prints the function, an address, and what is to be said about it.
func addressTest(say func(t *testRun, v *ir.Value) string) func(t *testRun) error {
	return testOf(func(t *testRun, v *ir.Value) error {
		t.printFunction()
		fmt.Fprintf(t.c.Out, "Address: %s%s", t.line(v), say(t, v))
		return nil
	})
}

// accessBase follows an address, and the pointers that it is made from, to where its memory is named first.
func accessBase(v *ir.Value) *ir.Value {
	for i := v.Inst(); i != nil; i = v.Inst() {
		switch {
		case i.Op == op.StoreBorrow:
			return v
		case i.Op == op.PointerToAddress, i.Op == op.AddressToPointer, ownership.ProjectsAddress(i, 0):
			v = i.Arg(0)
		default:
			return v
		}
	}
	return v
}

// typedAccess follows an address through projections to the access, or to where it got the type that the projections start from.
func typedAccess(v *ir.Value) *ir.Value {
	for i := v.Inst(); i != nil; i = v.Inst() {
		if i.Op == op.BeginAccess || i.Op == op.StoreBorrow || i.Op == op.UncheckedAddrCast || !ownership.ProjectsAddress(i, 0) {
			return v
		}
		v = i.Arg(0)
	}
	return v
}

// storageKinds are the names of the kinds of storage by what defines the base of an access.
var storageKinds = map[op.Op]string{op.AllocStack: "Stack", op.StoreBorrow: "Stack", op.ProjectBox: "Box", op.GlobalAddr: "Global",
	op.RefElementAddr: "Class", op.RefTailAddr: "Tail", op.BeginApply: "Yield", op.StructExtract: "Unidentified", op.Load: "Unidentified"}

// testAccessPathBase prints the accesses to the memory that an address leads to: exactly to it, to parts of it, or to what it is a part of.
func testAccessPathBase(t *testRun, v *ir.Value) error {
	t.printFunction()
	fmt.Fprintf(t.c.Out, "Access path base: %s", t.line(v))
	p, lines := t.c.Program(t.f), ir.NewLines(t.f)
	path := p.AccessPath(v, 0).Path
	work := ossa.UsesToVisit(accessBase(v))
	for x := work.Pop(); x != nil; x = work.Pop() {
		i := x.User()
		switch {
		case i.Op == op.PointerToAddress, i.Op == op.AddressToPointer, ownership.ProjectsAddress(i, x.Number()):
			work.Push(i.Result())
			continue
		case facts.IsTypeDependence(x):
			continue
		}
		at := p.AccessPath(x.Value(), 0).Path
		_, isInner := path.Subtract(at)
		_, isOuter := at.Subtract(path)
		switch {
		case at == path:
			fmt.Fprintf(t.c.Err, "Exact Use: %s", lines.Inst(i))
		case isInner:
			fmt.Fprintf(t.c.Err, "Inner Use: %s", lines.Inst(i))
		case isOuter || at.MayOverlap(path):
			fmt.Fprintf(t.c.Err, "Overlapping Use %s", lines.Inst(i))
		}
	}
	return nil
}

// storage describes the memory whose accesses have a base.
func (t *testRun) storage(base *ir.Value) string {
	i := base.Inst()
	if i == nil {
		word := "Unidentified "
		if base.IsArg() && base.Block() == t.f.Entry() {
			word = "Argument "
		}
		return word + t.line(base)
	}
	word, ok := storageKinds[i.Op]
	switch {
	case !ok:
		return "INVALID\n"
	case i.Op == op.GlobalAddr:
		aux := i.Aux.(*ir.SymbolAux)
		if aux.Global == nil {
			return word + " \n"
		}
		return word + " " + ir.GlobalLines(aux.Global) + "\n"
	case i.Op == op.RefElementAddr:
		return word + " " + t.line(facts.ReferenceRoot(i.Arg(0))) + t.field(i)
	case i.Op == op.RefTailAddr || i.Op == op.ProjectBox:
		base = facts.ReferenceRoot(i.Arg(0))
	}
	return word + " " + t.line(base)
}

// field describes the stored property that a ref_element_addr is about.
func (t *testRun) field(i *ir.Inst) string {
	p := t.c.Program(t.f)
	n, text := p.FieldIndex(i), i.Aux.(*ir.MemberAux).Name
	if class, f := p.Property(i.Arg(0).Type, n); f != nil {
		text = declared(class, f)
	}
	return fmt.Sprintf("  Field: %s Index: %d\n", text, n)
}
