package dumps

import (
	"errors"
	"fmt"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/ossa"
	"silvm/opt/rewrite"
)

func testSSALiveness(t *testRun, v *ir.Value) error {
	u := t.liveUses()
	u.Live.Define(v)
	u.Simple(v)
	fmt.Fprintf(t.c.Out, "SSA lifetime analysis: %s", t.line(v))
	t.incomplete(u)
	t.printLiveness(u.Live, u.Users)
	return nil
}

func testLinearLiveness(t *testRun, v *ir.Value) error {
	u := t.liveUses()
	u.Live.Define(v)
	u.Linear(v, func(*ir.Value) {})
	t.printFunction()
	fmt.Fprintf(t.c.Out, "Linear liveness: %s", t.line(v))
	t.printLiveness(u.Live, u.Users)
	return nil
}

func testExtendedLiveness(t *testRun, v *ir.Value) error {
	u := t.liveUses()
	var defs []*ir.Value
	seen := map[*ir.Value]bool{}
	define := func(v *ir.Value) {
		if !seen[v] {
			seen[v] = true
			defs = append(defs, v)
			u.Live.Define(v)
		}
	}
	define(v)
	for n := 0; n < len(defs); n++ {
		u.Linear(defs[n], define)
	}
	t.printFunction()
	fmt.Fprintf(t.c.Out, "Extended liveness: %s", t.line(v))
	t.printLiveness(u.Live, u.Users)
	return nil
}

// testSSAUseLiveness takes a value, the word "uses:" and pairs of an instruction and "ending", "non-ending" or "non-use".
func testSSAUseLiveness(t *testRun, v *ir.Value) error {
	if err := t.takeUsesWord(); err != nil {
		return err
	}
	u := t.liveUses()
	u.Live.Define(v)
	kinds := map[*ir.Inst]string{}
	for len(t.args) > 0 {
		i, err := take[*ir.Inst](t)
		if err != nil {
			return err
		}
		kind, err := t.takeUseKind()
		if err != nil {
			return err
		}
		kinds[i] = bothUses(kinds[i], kind)
		u.Note(i, kinds[i] == "lifetime-ending ")
	}
	t.printBlocks(u.Live)
	lines := ir.NewLines(t.f)
	for _, i := range u.Users {
		fmt.Fprintf(t.c.Out, "%suser: %s", kinds[i], lines.Inst(i))
	}
	t.printBoundary(u.Live)
	return nil
}

func testScopedAddressLiveness(t *testRun, v *ir.Value) error {
	i := v.Inst()
	if i == nil || i.Op != op.BeginAccess && i.Op != op.StoreBorrow {
		return fmt.Errorf("it is about a begin_access or a store_borrow")
	}
	u := t.liveUses()
	u.Live.Define(v)
	for _, x := range u.AddressUses(v) {
		ends := (x.Op == op.EndAccess || x.Op == op.EndBorrow) && x.Arg(0) == v
		u.Note(x, ends)
	}
	fmt.Fprintf(t.c.Out, "Scoped address analysis: %s", t.line(v))
	t.printLiveness(u.Live, u.Users)
	return nil
}

func testPointerEscape(t *testRun, v *ir.Value) error {
	fmt.Fprintf(t.c.Out, "%s%t\n", t.line(v), t.ownership().Escapes(v))
	return nil
}

func testOwnershipKind(t *testRun, v *ir.Value) error {
	fmt.Fprintf(t.c.Out, "%sOwnershipKind: %s\n", t.line(v), t.ownership().KindOf(v))
	return nil
}

// listTest is a test that prints the function, a heading and the values that belong to the one it is given.
func listTest(heading string, list func(o *ownership.Ownership, v *ir.Value) []*ir.Value) func(t *testRun) error {
	return func(t *testRun) error {
		v, err := take[*ir.Value](t)
		if err != nil {
			return err
		}
		t.printFunction()
		fmt.Fprint(t.c.Out, heading)
		for _, d := range list(t.ownership(), v) {
			fmt.Fprint(t.c.Out, t.line(d))
		}
		return nil
	}
}

func testEnclosingValues(t *testRun, v *ir.Value) error {
	t.printFunction()
	fmt.Fprintf(t.c.Out, "Enclosing values for: %s", t.line(v))
	for _, d := range t.ownership().EnclosingDefs(v) {
		fmt.Fprint(t.c.Out, t.line(d))
	}
	return nil
}

func (t *testRun) liveUses() *ossa.LiveUses {
	e := rewrite.NewEditor(t.c, t.f)
	return ossa.NewLiveUses(t.ownership(), ownership.NewLiveness(e.Preds))
}

// incomplete says why the uses that were found are not all.
func (t *testRun) incomplete(u *ossa.LiveUses) {
	if u.Reborrows {
		fmt.Fprintln(t.c.Out, "Incomplete liveness: Reborrowed inner scope")
	}
	if len(u.Escapes) > 0 {
		fmt.Fprintln(t.c.Out, "Incomplete liveness: Escaping address")
	}
}

// takeUsesWord takes the word that is between the values and the uses of a liveness.
func (t *testRun) takeUsesWord() error {
	if word, err := take[string](t); err != nil || word != "uses:" {
		return errors.New("the word uses: is missing")
	}
	return nil
}
