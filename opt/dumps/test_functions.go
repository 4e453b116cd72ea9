package dumps

import (
	"errors"
	"fmt"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/flow"
)

// functionTests lists the tests that silvm has.
var functionTests = []functionTest{
	{"accesspath-base", testOf(testAccessPathBase)},
	{"argument_conventions", testArgumentConventions},
	{"borrow_introducers", testOf(testBorrowIntroducers)},
	{"canonicalize-borrow-scope", testOf(testCanonicalizeBorrow)},
	{"canonicalize-ossa-lifetime", testCanonicalizeLifetime},
	{"compute_access_storage", addressTest(func(t *testRun, v *ir.Value) string { return t.storage(accessBase(v)) })},
	{"dead_end_blocks", testDeadEnds},
	{"deleter-delete-if-dead", testOf(testDeleteIfDead)},
	{"dump-function", func(t *testRun) error { t.printFunction(); return nil }},
	{"enclosing_values", testOf(testEnclosingValues)},
	{"extended-liveness", testOf(testExtendedLiveness)},
	{"fieldsensitive-multidefuse-liverange", testOf(testFieldsMultiDefUse)},
	{"find-borrow-introducers", listTest("Introducers:\n", (*ownership.Ownership).Introducers)},
	{"find-enclosing-defs", listTest("Enclosing Defs:\n", (*ownership.Ownership).EnclosingDefs)},
	{"forwarding_def_use_test", testOf(testForwardingDefUse)},
	{"forwarding_use_def_test", testOf(testForwardingUseDef)},
	{"fs_ssa_use_liveness", testOf(testFieldsUse)},
	{"get_access_base", addressTest(func(t *testRun, v *ir.Value) string { return "Base: " + t.line(accessBase(v)) })},
	{"get_typed_access_address", addressTest(func(t *testRun, v *ir.Value) string { return "Access: " + t.line(typedAccess(v)) })},
	{"get-ownership-kind", testOf(testOwnershipKind)},
	{"has-pointer-escape", testOf(testPointerEscape)},
	{"instruction-move-before", testOf(testMoveBefore)},
	{"interior-liveness", testOf(testInteriorLiveness)},
	{"interior_liveness_swift", testOf(testInteriorLivenessSwift)},
	{"is-deinit-barrier", testOf(testIsDeinitBarrier)},
	{"is-lexical", testOf(testIsLexical)},
	{"is-sil-trivial", testOf(testIsTrivial)},
	{"lexical-destroy-folding", testOf(testFoldLexical)},
	{"lexical_destroy_hoisting", testOf(testHoistLexical)},
	{"linear-liveness", testOf(testLinearLiveness)},
	{"linear_liveness_swift", testOf(testLinearLivenessSwift)},
	{"multidef_liveness", testMultiDefLiveness},
	{"multidefuse_liveness", testMultiDefUseLiveness},
	{"ossa-lifetime-completion", testOf(testCompleteLifetime)},
	{"print-type-lowering", testOf(testTypeLowering)},
	{"print_ast_type_lowering", testOf(testTypeLowering)},
	{"pruned_liveness_boundary_with_list_of_last_users_insertion_points", testInsertionPoints},
	{"scoped-address-liveness", testOf(testScopedAddressLiveness)},
	{"shrink-borrow-scope", testOf(testShrinkBorrow)},
	{"sil_combine_instruction", testOf(testCombine)},
	{"simplify-cfg-canonicalize-switch-enum", testCanonicalizeSwitches},
	{"simplify-cfg-simplify-argument", testOf(testSimplifyArgument)},
	{"simplify-cfg-simplify-block-args", testSimplifyBlockArgs},
	{"simplify-cfg-simplify-switch-enum-block", switchTest((*flow.CFGSimplifier).SimplifySwitchEnum)},
	{"simplify-cfg-simplify-switch-enum-on-objc-class-optional", switchTest((*flow.CFGSimplifier).SimplifyOptionalObject)},
	{"simplify-cfg-simplify-switch-enum-unreachable-blocks", switchTest((*flow.CFGSimplifier).SimplifyUnreachableCases)},
	{"simplify-cfg-simplify-term-with-identical-dest-blocks", testOf(testSameDestinations)},
	{"simplify-cfg-try-jump-threading", terminatorTest(op.Br, func(s *flow.CFGSimplifier, br *ir.Inst) { s.CloneForBranch(br) })},
	{"ssa_liveness", testOf(testSSALiveness)},
	{"ssa_use_liveness", testOf(testSSAUseLiveness)},
	{"test_specification_parsing", testSpecificationParsing},
	{"variable-name-inference", testOf(testVariableName)},
	{"variable_introducer", testOf(testVariableIntroducer)},
	{"visit-inner-adjacent-phis", listTest("", (*ownership.Ownership).InnerAdjacentPhis)},
}

func testDeadEnds(t *testRun) error {
	t.printFunction()
	for n, dead := range t.c.DeadEnds(t.f) {
		if dead {
			fmt.Fprintf(t.c.Out, "bb%d\n", n)
		}
	}
	return nil
}

func testIsDeinitBarrier(t *testRun, i *ir.Inst) error {
	fmt.Fprintf(t.c.Out, "%s%t\n", ir.NewLines(t.f).Inst(i), t.c.IsDeinitBarrier(i))
	return nil
}

func testIsLexical(t *testRun, v *ir.Value) error {
	fmt.Fprintf(t.c.Out, "%s%t\n", t.line(v), t.ownership().IsLexical(v))
	return nil
}

func testBorrowIntroducers(t *testRun, v *ir.Value) error {
	t.printFunction()
	fmt.Fprintf(t.c.Out, "Borrow introducers for: %s", t.line(v))
	for _, b := range t.ownership().Introducers(v) {
		fmt.Fprint(t.c.Out, t.line(b))
	}
	return nil
}

func testMultiDefLiveness(t *testRun) error {
	u := t.liveUses()
	text := "MultiDef lifetime analysis:\n"
	var defs []*ir.Value
	for len(t.args) > 0 {
		v, isInst, err := t.takeDef()
		switch {
		case err != nil:
			return err
		case isInst: // the compiler prints where it is in memory
			text += "  def instruction: " + v.String()
		default:
			text += "  def value: " + t.line(v)
		}
		u.Live.Define(v)
		defs = append(defs, v)
	}
	for _, v := range defs {
		u.Simple(v)
	}
	fmt.Fprint(t.c.Out, text)
	t.printLiveness(u.Live, u.Users)
	return nil
}

// testMultiDefUseLiveness takes the word "defs:", definitions, the word "uses:" and instructions.
func testMultiDefUseLiveness(t *testRun) error {
	if word, err := take[string](t); err != nil || word != "defs:" {
		return errors.New("the word defs: is missing")
	}
	u := t.liveUses()
	fmt.Fprintln(t.c.Out, "MultiDef lifetime analysis:")
	for len(t.args) > 0 && t.args[0] != testArg("uses:") {
		v, isInst, err := t.takeDef()
		if err != nil {
			return err
		}
		kind := "value"
		if isInst {
			kind = "instruction"
		}
		fmt.Fprintf(t.c.Out, "  def %s: %s", kind, t.line(v))
		u.Live.Define(v)
	}
	if err := t.takeUsesWord(); err != nil {
		return err
	}
	for len(t.args) > 0 {
		i, err := take[*ir.Inst](t)
		if err != nil {
			return err
		}
		u.Note(i, false)
	}
	t.printLiveness(u.Live, u.Users)
	return nil
}

// testInsertionPoints prints what follows instructions, the first of each successor for a terminator.
func testInsertionPoints(t *testRun) error {
	var b ownership.Boundary
	for len(t.args) > 0 {
		i, err := take[*ir.Inst](t)
		if err != nil {
			return err
		}
		b.LastUsers = append(b.LastUsers, i)
	}
	lines := ir.NewLines(t.f)
	b.After(func(at *ir.Inst) { fmt.Fprint(t.c.Out, lines.Inst(at)) })
	return nil
}

// takeDef takes a definition: a value, or the instruction that makes one.
func (t *testRun) takeDef() (v *ir.Value, isInst bool, err error) {
	if len(t.args) > 0 {
		_, isInst = t.args[0].(*ir.Inst)
	}
	v, err = take[*ir.Value](t)
	return v, isInst, err
}

// printLiveness writes the blocks, the users and the boundary. users are those of l in the order in which they were noted.
func (t *testRun) printLiveness(l *ownership.Liveness, users []*ir.Inst) {
	t.printUses(l, users)
	t.printBoundary(l)
}

func (t *testRun) printBlocks(l *ownership.Liveness) {
	for _, b := range l.Blocks() {
		word := "LiveWithin"
		if l.LivesAtEnd(b) {
			word = "LiveOut"
		}
		fmt.Fprintf(t.c.Out, "bb%d: %s\n", b.Index, word)
	}
}

func (t *testRun) printUses(l *ownership.Liveness, users []*ir.Inst) {
	lines := ir.NewLines(t.f)
	t.printBlocks(l)
	for _, i := range users {
		word := "regular"
		if l.EndsAt(i) {
			word = "lifetime-ending"
		}
		fmt.Fprintf(t.c.Out, "%s user: %s", word, lines.Inst(i))
	}
}

func (t *testRun) printBoundary(l *ownership.Liveness) {
	lines := ir.NewLines(t.f)
	b := l.Boundary()
	for _, i := range b.LastUsers {
		fmt.Fprintf(t.c.Out, "last user: %s", lines.Inst(i))
	}
	for _, to := range b.Edges {
		fmt.Fprintf(t.c.Out, "boundary edge: bb%d\n", to.Index)
	}
	for _, v := range b.DeadDefs {
		fmt.Fprintf(t.c.Out, "dead def: %s", lines.Value(v))
	}
}
