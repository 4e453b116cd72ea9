package dumps

import (
	"errors"
	"fmt"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// TestRunner runs what the specify_test instructions of a function ask for and removes these instructions. An instruction names a
// test and its arguments:
//
//	specify_test "is-lexical %1"
//
// A test prints facts, or transforms the function at one place and prints it.
var TestRunner = &pass.Pass{
	Name:     "test-runner",
	Doc:      "Runs the tests of single facts and transformations that specify_test instructions name",
	Function: func(c *pass.Context, f *ir.Function) bool { return runTests(c, f) },
}

// testRun is one run of test-runner on a function.
type testRun struct {
	c       *pass.Context
	f       *ir.Function
	context *ir.Inst    // the instruction that follows the one that asked for the test
	traces  []*ir.Value // of debug_value [trace], from when they were first asked for
	traced  bool
	args    []testArg // not yet taken, without the test's name
}

// testSpec is a specify_test that was taken out of the function.
type testSpec struct {
	words  []string
	anchor *ir.Inst
}

// functionTest is one test, under the compiler's name.
type functionTest struct {
	name string
	run  func(t *testRun) error
}

func runTests(c *pass.Context, f *ir.Function) bool {
	specs := takeTestSpecs(f)
	t := &testRun{c: c, f: f}
	for n, s := range specs {
		if err := t.one(n, len(specs), s); err != nil {
			c.Lack("test-runner on @%s: %s: %v", f.Name, strings.Join(s.words, " "), err)
		}
	}
	return len(specs) > 0
}

// takeTestSpecs removes the specify_test instructions. Each is about the instruction after it that is none and no debug_value [trace].
func takeTestSpecs(f *ir.Function) []testSpec {
	var specs []testSpec
	var remove []*ir.Inst
	for i := range f.Insts() {
		if i.Op != op.SpecifyTest {
			continue
		}
		anchor := i.Next()
		for anchor.Op == op.SpecifyTest || isTrace(anchor) {
			anchor = anchor.Next()
		}
		words := strings.FieldsFunc(i.Aux.(*ir.StringAux).Value, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' })
		specs = append(specs, testSpec{words, anchor})
		remove = append(remove, i)
	}
	for _, i := range remove {
		i.Remove()
	}
	return specs
}

func isTrace(i *ir.Inst) bool { return i.Op == op.DebugValue && i.Has(op.QualTrace) }

func (t *testRun) one(n, of int, s testSpec) error {
	if len(s.words) == 0 {
		return errors.New("no test is named")
	}
	var test *functionTest
	for k := range functionTests {
		if functionTests[k].name == s.words[0] {
			test = &functionTests[k]
		}
	}
	if test == nil {
		return errors.New("silvm has no test of that name")
	}
	t.context, t.args = s.anchor, nil
	for _, w := range s.words[1:] {
		a, err := t.parseArg(w)
		if f := functionOf(a); err == nil && f != t.f && f != nil && test.name != "test_specification_parsing" {
			err = errors.New("it is not in the function")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", w, err)
		}
		t.args = append(t.args, a)
	}
	head := fmt.Sprintf("running test %d of %d on %s: %s with: %s\n", n+1, of, t.f.Name, test.name, strings.Join(s.words[1:], ", "))
	fmt.Fprintf(t.c.Out, "\nbegin %s", head)
	t.f.Renumber()
	if err := test.run(t); err != nil {
		return err
	}
	fmt.Fprintf(t.c.Out, "end %s", head)
	t.c.Changed(t.f)
	return nil
}

func (t *testRun) line(v *ir.Value) string { return ir.NewLines(t.f).Value(v) }

func (t *testRun) printFunction() {
	fmt.Fprintf(t.c.Out, "%s\n", ir.NewLines(t.f).Function())
}

func (t *testRun) ownership() *ownership.Ownership { return rewrite.NewEditor(t.c, t.f).Ownership() }
