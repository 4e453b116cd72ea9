package dumps

import (
	"errors"
	"fmt"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/combine"
	"silvm/opt/flow"
	"silvm/opt/ossa"
	"silvm/opt/rewrite"
)

// terminatorTest is a test of a step of simplify-cfg on a terminator.
func terminatorTest(o op.Op, step func(s *flow.CFGSimplifier, term *ir.Inst)) func(t *testRun) error {
	return testOf(func(t *testRun, i *ir.Inst) error {
		if i.Op != o {
			return fmt.Errorf("it is about a %s", o)
		}
		return t.simplifyCFG(func(s *flow.CFGSimplifier) { step(s, i) })
	})
}

// switchTest is a test of a step of simplify-cfg on a switch_enum.
func switchTest(step func(s *flow.CFGSimplifier, sw *ir.Inst) bool) func(t *testRun) error {
	return terminatorTest(op.SwitchEnum, func(s *flow.CFGSimplifier, sw *ir.Inst) { step(s, sw) })
}

func testSimplifyArgument(t *testRun, b *ir.Block) error {
	n, err := take[uint64](t)
	if err != nil {
		return err
	}
	if n >= uint64(len(b.Args)) {
		return errors.New("the block has no such argument")
	}
	return t.simplifyCFG(func(s *flow.CFGSimplifier) {
		if a := b.Args[n]; a.HasUses() && s.IsPhi(a) {
			s.SimplifyArg(a)
		}
	})
}

func testSimplifyBlockArgs(t *testRun) error {
	return t.simplifyCFG(func(s *flow.CFGSimplifier) { s.SimplifyBlockArgs() })
}

func testSameDestinations(t *testRun, b *ir.Block) error {
	return t.simplifyCFG(func(s *flow.CFGSimplifier) { s.SimplifySameDestinations(b) })
}

func testCanonicalizeSwitches(t *testRun) error {
	return t.simplifyCFG(func(s *flow.CFGSimplifier) { s.CanonicalizeSwitches() })
}

func testHoistLexical(t *testRun, v *ir.Value) error {
	return t.propagate(func(p *ossa.CopyPropagator) { p.HoistLexicalDestroys(v) })
}

func testFoldLexical(t *testRun, i *ir.Inst) error {
	if i.Op != op.BeginBorrow {
		return errors.New("it is about a begin_borrow")
	}
	return t.propagate(func(p *ossa.CopyPropagator) { p.FoldLexical(i) })
}

func testCanonicalizeLifetime(t *testRun) error {
	var flags [3]bool
	for n := range flags {
		var err error
		if flags[n], err = take[bool](t); err != nil {
			return err
		}
	}
	v, err := take[*ir.Value](t)
	if err != nil {
		return err
	}
	if flags != [3]bool{true, false, true} {
		return errors.New("silvm prunes debug values, does not extend lifetimes and respects access scopes: it has true false true only")
	}
	return t.propagate(func(p *ossa.CopyPropagator) { p.Canon.Canonicalize(v) })
}

func testCanonicalizeBorrow(t *testRun, v *ir.Value) error {
	if !t.ownership().IsBorrowIntroducer(v) {
		return errors.New("it is about a value that begins a borrow scope")
	}
	return t.propagate(func(p *ossa.CopyPropagator) {
		if i := v.Inst(); i != nil && i.Op == op.BeginBorrow {
			p.CanonicalizeScope(i)
		} else if !ownership.IsLocalBorrow(v) {
			p.CanonicalizeBorrowed(v)
		}
	})
}

// testShrinkBorrow takes a begin_borrow, whether its scope shrinks, and the copies that copy what is borrowed then. What is deleted is told;
// the compiler prints that with its operands gone, and does not survive it.
func testShrinkBorrow(t *testRun, i *ir.Inst) error {
	if i.Op != op.BeginBorrow {
		return errors.New("it is about a begin_borrow")
	}
	expected, err := take[bool](t)
	if err != nil {
		return err
	}
	p := ossa.NewCopyPropagator(t.c, t.f)
	p.Del.Removed = func(i *ir.Inst) { fmt.Fprintf(t.c.Out, "DELETED:\n%s", ir.NewLines(t.f).Inst(i)) }
	shrunk, copies := p.ShrinkScope(i)
	for n, c := range copies {
		v, err := take[*ir.Value](t)
		if err != nil {
			return err
		}
		fmt.Fprintf(t.c.Out, "rewritten copy %d:\nexpected:\n%sgot:\n%s", n, t.line(v), t.line(c.Result()))
	}
	if shrunk != expected {
		return fmt.Errorf("whether it shrunk: %t", shrunk)
	}
	return nil
}

func testDeleteIfDead(t *testRun, i *ir.Inst) error {
	fmt.Fprintf(t.c.Out, "Deleting-if-dead %s", ir.NewLines(t.f).Inst(i))
	d := rewrite.NewDeleter(rewrite.NewEditor(t.c, t.f), t.ownership())
	gone := 0
	if d.DeleteIfDead(i) {
		gone = 1
	}
	fmt.Fprintf(t.c.Out, "deleteIfDead returned %d\n", gone)
	t.printFunction()
	return nil
}

// testCombine combines one instruction and those that are to be looked at because of it.
func testCombine(t *testRun, i *ir.Inst) error {
	r := combine.NewCombiner(t.c, t.f)
	r.Push(i)
	r.Run()
	fmt.Fprint(t.c.Err, ir.NewLines(t.f).Function())
	return nil
}

// simplifyCFG does a step of simplify-cfg. Blocks that nothing reaches any more stay.
func (t *testRun) simplifyCFG(step func(s *flow.CFGSimplifier)) error {
	s := flow.NewCFGSimplifier(t.c, t.f, false)
	step(s)
	s.Compact()
	return nil
}

// propagate does a step of copy-propagation and prints the function.
func (t *testRun) propagate(step func(p *ossa.CopyPropagator)) error {
	p := ossa.NewCopyPropagator(t.c, t.f)
	step(p)
	p.Del.Cleanup()
	t.printFunction()
	return nil
}
