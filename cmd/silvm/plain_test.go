package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"silvm/loader"
	"silvm/loader/siltest"
	"silvm/vm"
	"silvm/vm/native"
)

// outcome is what a run does that must not depend on how its functions were lowered.
type outcome struct {
	stdout string
	kind   string
	steps  uint64
	counts vm.Counters
}

func lowered(t *testing.T, file string, text []byte, cfg vm.Config) outcome {
	t.Helper()
	mod, diags := loader.Load(file, text, loader.Options{Lazy: true})
	if diags.Errors() > 0 {
		t.Fatalf("%s: %d errors", file, diags.Errors())
	}
	var stdout bytes.Buffer
	cfg.Stdout, cfg.Args, cfg.Natives = &stdout, []string{file}, native.Table()
	m, err := vm.New(mod, cfg)
	if err != nil {
		t.Fatal(err)
	}
	end := m.Run(0)
	for end.Kind == vm.Budget {
		end = m.Run(0)
	}
	o := outcome{stdout: stdout.String(), kind: "exit", steps: m.Steps(), counts: m.Counters()}
	if end.Kind == vm.Trapped {
		o.kind = end.Trap.Diagnostic().Msg
		o.steps = 0 // the steps of the block that the trap is in are counted by its place
	}
	m.Release()
	return o
}

// Every program does the same, with the same reference counting and the same number of steps, whether its instructions are
// joined or not, and also lowered for tools.
func TestPlainLowering(t *testing.T) {
	for file := range recorded(t, "embedded/*/*.sil", "embedded/*/*.sil.gz", "counts/*.sil", "seeds/*.sil") {
		t.Run(strings.TrimPrefix(filepath.ToSlash(file), "../../programs/"), func(t *testing.T) {
			t.Parallel()
			text, err := siltest.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			fused, plain := lowered(t, file, text, vm.Config{}), lowered(t, file, text, vm.Config{Plain: true})
			if fused != plain {
				t.Errorf("joined %+v\nplain  %+v\nrun: go test ./cmd/silvm -run '%s'", fused, plain, t.Name())
			}
			if tools := lowered(t, file, text, vm.Config{Tools: true}); tools != fused {
				t.Errorf("joined    %+v\nfor tools %+v\nrun: go test ./cmd/silvm -run '%s'", fused, tools, t.Name())
			}
		})
	}
}
