package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"silvm/ir/source"
	"silvm/ir/verify"
	"silvm/loader"
	"silvm/vm"
	"silvm/vm/leak"
	"silvm/vm/native"
)

// smallLimits keep a run of any text short and small.
var smallLimits = vm.Limits{Steps: 20_000, Heap: 16 << 20, Objects: 100_000, Depth: 1000, Output: 64 << 10, Timeout: 2 * time.Second}

// attempt takes a text through the whole pipeline under small limits and gives what silvm must never do with it: the error is a
// Go panic or a trap that says that silvm has a bug. Everything it says to its user is put into words too.
func attempt(text []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, panicStack(string(debug.Stack())))
		}
	}()
	mod, diags := loader.Load("fuzz.sil", text, loader.Options{MaxNesting: 200, MaxBytes: 16 << 20})
	if diags.Errors() == 0 {
		verify.Module(mod, diags)
	}
	words := source.Renderer{Files: mod.Files}
	if err := words.Render(io.Discard, diags); err != nil {
		return err
	}
	if diags.Errors() > 0 {
		return nil
	}
	m, err := vm.New(mod, vm.Config{Stdout: io.Discard, Stderr: io.Discard, Args: []string{"fuzz.sil"}, Limits: smallLimits, Natives: native.Table()})
	if err != nil {
		return nil
	}
	end := m.Run(0)
	for end.Kind == vm.Budget {
		end = m.Run(0)
	}
	if end.Kind != vm.Trapped {
		leak.Of(m).Diagnostics()
		return nil
	}
	d := end.Trap.Diagnostic()
	if text := words.Text(&d); end.Trap.Kind == vm.Internal {
		return fmt.Errorf("%s%s", text, panicStack(end.Trap.Stack))
	}
	return nil
}

// FuzzRun checks that no text that loads makes the machine panic or find a bug in itself.
func FuzzRun(f *testing.F) {
	for _, dir := range []string{"seeds", "counts", "trap"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "programs", dir, "*.sil"))
		if err != nil || len(files) == 0 {
			f.Fatalf("no programs in %s: %v", dir, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			if len(text) < 8<<10 {
				f.Add(text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 64<<10 {
			t.Skip("too long to be tried often")
		}
		if err := attempt(text); err != nil {
			t.Fatal(err)
		}
	})
}

// panicStack cuts the frames of the panic itself and of its recovery from a Go stack.
func panicStack(all string) string {
	if n := strings.LastIndex(all, "panic("); n >= 0 {
		return all[n:]
	}
	return all
}
