package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
)

const faultyProgram = `sil_stage canonical

import Builtin

sil @callee : $@convention(thin) () -> () {
bb0:
  %0 = integer_literal $Builtin.Int64, 1
  %1 = integer_literal $Builtin.Int64, 2
  %2 = tuple ()
  return %2 : $()
}

sil @caller : $@convention(thin) () -> () {
bb0:
  %0 = integer_literal $Builtin.Int64, 3
  %1 = function_ref @callee : $@convention(thin) () -> ()
  %2 = apply %1() : $@convention(thin) () -> ()
  %3 = tuple ()
  return %3 : $()
}
`

// dropLiterals removes every literal of one function, and fails after that if it is to.
func dropLiterals(name, function string, fails bool) *pass.Pass {
	return &pass.Pass{Name: name, Doc: "takes literals away", Function: func(_ *pass.Context, f *ir.Function) bool {
		if f.Name != function {
			return false
		}
		for i := f.Entry().First(); i != nil; {
			next := i.Next()
			if i.Op == op.IntegerLiteral {
				i.Remove()
			}
			i = next
		}
		if fails {
			panic("no luck")
		}
		return true
	}}
}

// A pass that fails is named with function, cause and last edit; the module as the pass got it is kept, and the command that makes it small.
func TestAFailingPassIsReportedWithWhatItGot(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	file := filepath.Join(t.TempDir(), "p.sil")
	if err := os.WriteFile(file, []byte(faultyProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	a := &app{out: &out, err: &errs, flags: flags{library: []string{"none"}}}
	defer a.closeLibraries()
	mod, err := a.loadSound([]string{file}, false)
	if err != nil {
		t.Fatal(err)
	}
	// Functions go callees first: when the second pass fails in @caller, the first one has changed @callee.
	passes := []*pass.Pass{dropLiterals("good", "callee", false), dropLiterals("bad", "caller", true)}
	err = a.runPasses(mod, passes, pass.Options{Reload: a.reload([]string{file}, false)}, (&optLine{whole: true}).again)
	st, ok := errors.AsType[*statusError](err)
	if !ok || st.status != exitBug {
		t.Fatalf("%v, want the status of a bug", err)
	}
	if !strings.HasPrefix(st.msg, "bug: the pass bad failed on @caller: no luck") || !strings.Contains(st.msg, "integer_literal at "+file+":15:3") {
		t.Errorf("%s", st.msg)
	}
	at := regexp.MustCompile(`before the pass: (.*\.sil)\n.* silvm reduce (\S+) --test 'silvm opt -wmo -bad \{\} 2>&1 \| grep -q "bug: the pass bad"'`).FindStringSubmatch(st.msg)
	if at == nil || at[1] != at[2] {
		t.Fatalf("%s", st.msg)
	}
	kept, err := os.ReadFile(at[1])
	if err != nil {
		t.Fatal(err)
	}
	if text := string(kept); strings.Count(text, "integer_literal") != 1 || !strings.Contains(text, "integer_literal $Builtin.Int64, 3") {
		t.Errorf("kept is not what the pass got:\n%s", text)
	}
}

// What the verifier objects to after a pass is reported in the same way, and standard input can't be read twice.
func TestABrokenFunctionIsReportedWithWhatThePassGot(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	file := filepath.Join(t.TempDir(), "p.sil")
	if err := os.WriteFile(file, []byte(faultyProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	a := &app{out: &out, err: &errs, flags: flags{library: []string{"none"}}}
	defer a.closeLibraries()
	mod, err := a.loadSound([]string{file}, false)
	if err != nil {
		t.Fatal(err)
	}
	breaks := &pass.Pass{Name: "breaks", Doc: "takes the end away", Function: func(_ *pass.Context, f *ir.Function) bool {
		f.Entry().Last().Remove()
		return true
	}}
	err = a.runPasses(mod, []*pass.Pass{breaks}, pass.Options{Verify: true, Reload: a.reload([]string{file}, false)}, runAgain)
	st, ok := errors.AsType[*statusError](err)
	if !ok || st.status != exitBug || !strings.HasPrefix(st.msg, "bug: the pass breaks broke @callee\n") || !strings.Contains(st.msg, "--test 'silvm run --passes=breaks {}") {
		t.Errorf("%v", err)
	}
	if a.reload([]string{"-"}, false) != nil {
		t.Error("standard input is read twice")
	}
}
