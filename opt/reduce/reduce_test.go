package reduce_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/source"
	"silvm/ir/verify"
	"silvm/loader"
	"silvm/opt/reduce"
	"silvm/vm"
	"silvm/vm/native"
)

func load(text []byte) (*ir.Module, error) {
	m, diags := loader.Load("test.sil", text, loader.Options{})
	return m, diags.Err()
}

// has reports whether some instruction of the text fits.
func has(t *testing.T, text []byte, fits func(i *ir.Inst) bool) bool {
	t.Helper()
	m, err := load(text)
	if err != nil {
		t.Fatalf("the test was given a text that does not load: %v\n%s", err, text)
	}
	diags := &source.List{Files: m.Files}
	if verify.Module(m, diags); diags.Errors() > 0 {
		t.Fatalf("the test was given a text that does not verify: %v\n%s", diags.Err(), text)
	}
	for _, f := range m.Funcs {
		for i := range f.Insts() {
			if fits(i) {
				return true
			}
		}
	}
	return false
}

// reduced reduces a program of the debugger's.
func reduced(t *testing.T, file string, test func(text []byte) bool) reduce.Result {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	got, err := reduce.Run(context.Background(), text, reduce.Options{Load: load, Test: func(_ context.Context, text []byte) (bool, error) {
		if seen[string(text)] {
			t.Errorf("a text was tested twice")
		}
		seen[string(text)] = true
		return test(text), nil
	}})
	switch {
	case err != nil:
		t.Fatal(err)
	case !test(got.Text):
		t.Errorf("the result does not pass the test:\n%s", got.Text)
	case !got.Sound:
		t.Error("the program does not verify")
	}
	return got
}

const over = "../../cmd/silvm/testdata/debug/over.sil"

// What an instruction needs not is gone: of one function with one block its own line is left, the line before it and the return.
func TestOneInstruction(t *testing.T) {
	got := reduced(t, over, func(text []byte) bool {
		return has(t, text, func(i *ir.Inst) bool { return i.Op == op.StrongCopyUnmanagedValue })
	})
	m, err := load(got.Text)
	if err != nil {
		t.Fatal(err)
	}
	blocks, insts := 0, 0
	for _, f := range m.Funcs {
		for _, b := range f.Blocks {
			for range b.Insts() {
				insts++
			}
			blocks++
		}
	}
	if blocks != 1 || insts != 2 || got.Was < 200 {
		t.Errorf("%d blocks with %d instructions are left of %d lines:\n%s", blocks, insts, got.Was, got.Text)
	}
}

// A program that gives a reference up too often still does so when it is small, and each of its releases is needed.
func TestOverRelease(t *testing.T) {
	got := reduced(t, over, func(text []byte) bool {
		m, err := load(text)
		if err != nil {
			t.Fatal(err)
		}
		machine, err := vm.New(m, vm.Config{Stdout: io.Discard, Natives: native.Table(), Limits: vm.Limits{Steps: 100_000}})
		if err != nil {
			return false
		}
		stop := machine.Run(0)
		return stop.Kind == vm.Trapped && strings.Contains(stop.Trap.Error(), "Token#1 has no strong reference left to release")
	})
	if got.Lines > 45 || !bytes.Contains(got.Text, []byte("alloc_ref $Token")) {
		t.Errorf("%d lines of %d are left:\n%s", got.Lines, got.Was, got.Text)
	}
}

func TestRefused(t *testing.T) {
	no := func(context.Context, []byte) (bool, error) { return false, nil }
	if _, err := reduce.Run(context.Background(), []byte("sil_stage canonical\n"), reduce.Options{Load: load, Test: no}); !errors.Is(err, reduce.ErrDull) {
		t.Errorf("a dull file: %v", err)
	}
	broken := errors.New("no such command")
	fails := func(context.Context, []byte) (bool, error) { return false, broken }
	if _, err := reduce.Run(context.Background(), []byte("sil_stage canonical\n"), reduce.Options{Load: load, Test: fails}); !errors.Is(err, broken) {
		t.Errorf("a test that can't run: %v", err)
	}
	if _, err := reduce.Run(context.Background(), []byte("sil @"), reduce.Options{Load: load, Test: no}); err == nil || errors.Is(err, reduce.ErrDull) {
		t.Errorf("a file that does not load: %v", err)
	}
}

// When it is interrupted it returns the smallest text so far.
func TestInterrupted(t *testing.T) {
	text, err := os.ReadFile(over)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	tests := 0
	got, err := reduce.Run(ctx, text, reduce.Options{Load: load, Test: func(_ context.Context, text []byte) (bool, error) {
		if tests++; tests == 20 {
			stop()
		}
		return bytes.Contains(text, []byte("strong_release")), nil
	}})
	if err != nil || got.Tests != 20 || got.Lines >= got.Was || !bytes.Contains(got.Text, []byte("strong_release")) {
		t.Errorf("%d lines of %d after %d tests: %v", got.Lines, got.Was, got.Tests, err)
	}
}
