package dumps

import (
	"errors"
	"fmt"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/ossa"
)

// conventionNames are the names of the conventions of arguments in the compiler's part in Swift.
var conventionNames = map[ir.ParamConv]string{ir.ParamDirectUnowned: "directUnowned", ir.ParamDirectOwned: "directOwned",
	ir.ParamDirectGuaranteed: "directGuaranteed", ir.ParamIn: "indirectIn", ir.ParamInConstant: "indirectIn", ir.ParamInGuaranteed: "indirectInGuaranteed",
	ir.ParamInout: "indirectInout", ir.ParamInoutAliasable: "indirectInoutAliasable", ir.ParamInCXX: "indirectInCXX",
	ir.ParamPackOwned: "packOwned", ir.ParamPackGuaranteed: "packGuaranteed", ir.ParamPackInout: "packInout",
	ir.ParamOpaqueIn: "indirectIn", ir.ParamOpaqueInGuaranteed: "indirectInGuaranteed"}

// testArgumentConventions prints how a call passes its arguments or, without one, how the function takes them.
func testArgumentConventions(t *testRun) error {
	text, fn := "function: "+t.f.Name+"\n", t.f.Type.Func
	if len(t.args) > 0 {
		i, err := take[*ir.Inst](t)
		if err != nil {
			return err
		}
		aux, ok := i.Aux.(*ir.ApplyAux)
		if !ok || aux.Fn == nil || aux.Fn.Func == nil {
			return errors.New("it is about a call")
		}
		text, fn = "call: "+ir.NewLines(t.f).Inst(i), t.c.Module.SubstitutedCallee(aux)
	}
	fmt.Fprintf(t.c.Out, "Conventions for %s%s\n", text, t.c.Module.Types.Function(fn))
	n := 0
	for _, r := range fn.Results {
		if r.Conv.IsIndirect() {
			name := "indirectOut"
			if r.Conv == ir.ResultPackOut {
				name = "packOut"
			}
			fmt.Fprintf(t.c.Out, "[%d]  indirect result: %s\n", n, name)
			n++
		}
	}
	for _, p := range fn.Params {
		fmt.Fprintf(t.c.Out, "[%d]        parameter: %s\n", n, conventionNames[p.Conv])
		n++
	}
	return nil
}

// variableIntroducers finds what introduces the variables that a value was made of: through copies, moves and borrows that declare no
// variable themselves, through loads of memory that is initialized once, and through aggregates and their parts.
type variableIntroducers struct {
	t     *testRun
	own   *ownership.Ownership
	seen  map[*ir.Value]bool
	found []*ir.Value
}

func (w *variableIntroducers) value(v *ir.Value) {
	if w.seen[v] {
		return
	}
	w.seen[v] = true
	i := v.Inst()
	if i == nil {
		if i = ownership.TerminatorOf(v, w.own.Preds); i == nil {
			w.found = append(w.found, v)
			return
		}
	}
	switch {
	case i.Op == op.CopyValue, (i.Op == op.MoveValue || i.Op == op.BeginBorrow) && !i.Has(op.QualVarDecl):
		w.value(i.Arg(0))
	case i.Op == op.Load, i.Op == op.LoadBorrow:
		w.address(i.Arg(0))
	case ownership.IsForwarding(i) && i.Op != op.MoveValue && i.Op != op.BeginBorrow, ossa.IsForwardingTerminator(i):
		for n := range i.Operands {
			if !facts.IsTypeDependence(&i.Operands[n]) {
				w.value(i.Arg(n))
			}
		}
	default:
		w.found = append(w.found, v)
	}
}

// address goes on from what memory holds: from what is stored there, if that is done once, else from the access or the memory itself.
func (w *variableIntroducers) address(v *ir.Value) {
	v = typedAccess(v)
	store := initializer(v)
	switch {
	case store == nil:
		w.found = append(w.found, v)
	case store.Op == op.CopyAddr:
		w.address(store.Arg(0))
	default:
		w.value(store.Arg(0))
	}
}

// initializer returns the only store or copy_addr that writes to an alloc_stack, nil when there are others.
func initializer(v *ir.Value) *ir.Inst {
	if facts.DefinedBy(v, op.AllocStack) == nil {
		return nil
	}
	var store *ir.Inst
	for _, x := range v.UseList() {
		i := x.User()
		switch {
		case (i.Op == op.Store || i.Op == op.CopyAddr) && x.Number() == 1:
			if store != nil || i.Has(op.QualAssign) || i.Op == op.CopyAddr && !i.Has(op.QualInit) {
				return nil
			}
			store = i
		case i.Op == op.CopyAddr, i.Op == op.Load, i.Op == op.LoadBorrow, i.Op == op.DestroyAddr, i.Op == op.DeallocStack, facts.IsDebug(i):
		default:
			return nil
		}
	}
	return store
}

func testVariableIntroducer(t *testRun, v *ir.Value) error {
	w := &variableIntroducers{t: t, own: t.ownership(), seen: map[*ir.Value]bool{}}
	w.value(v)
	var lines []string
	for _, v := range w.found {
		lines = append(lines, strings.TrimSuffix(t.line(v), "\n"))
	}
	fmt.Fprintf(t.c.Out, "Variable introducers of: %s[%s]\n", t.line(v), strings.Join(lines, ", "))
	return nil
}
