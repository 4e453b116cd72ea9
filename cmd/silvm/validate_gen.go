package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"silvm/cmd/silvm/internal/console"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/loader"
	"silvm/opt"
	"silvm/opt/pass"
	"silvm/vm"
	"silvm/vm/measure"
)

// genFlags are the flags of validate that are about modules made at random.
type genFlags struct {
	count    int
	size     int
	thorough bool
	keep     string
}

// genLimits bound a run of a module that was made at random; it takes some thousand steps.
var genLimits = vm.Limits{Steps: 20_000_000, Heap: 256 << 20, Objects: 1_000_000, Depth: 100_000, Output: 1 << 20}

// validateGen tries the passes on modules made at random. only is what --passes asks for, nil for everything.
func (a *app) validateGen(f genFlags, pipeline, only []*pass.Pass) error {
	cfg := a.config("gen.sil", nil)
	cfg.Seed, cfg.Limits = 0, genLimits
	hunt := &measure.Hunt{Config: cfg, Pipeline: pipeline, All: opt.Passes(), Only: only, Size: f.size, Thorough: f.thorough, Load: loadGenerated}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	progress := a.newProgress("validate", f.count)
	tried, bad := 0, 0
	known := map[string]bool{}
	for n := range uint64(f.count) {
		if ctx.Err() != nil {
			break
		}
		seed := a.flags.seed + n
		failures, err := hunt.Seed(seed)
		if err != nil {
			return failf(exitBug, "%v", err)
		}
		tried++
		if len(failures) > 0 {
			bad++
		}
		for _, x := range failures {
			if err := a.keepFailure(ctx, hunt, x, f.keep, known); err != nil {
				return err
			}
		}
		progress.Step(fmt.Sprintf("seed %d", seed))
	}
	if a.flags.json {
		a.summarize(console.Fields{"modules": tried, "different": bad})
	} else if !a.flags.quiet {
		fmt.Fprintf(a.out, "%d of %d modules tried, seeds from %d: %d the same, %d different\n", tried, f.count, a.flags.seed, tried-bad, bad)
	}
	switch {
	case bad > 0:
		return exitWith(exitDifference)
	case tried < f.count:
		return exitWith(exitLimit)
	}
	return nil
}

func loadGenerated(text []byte) (*ir.Module, error) {
	mod, diags := loader.Load("gen.sil", text, loader.Options{})
	return mod, diags.Err()
}

// mostReduction bounds the time that one failure is reduced for.
const mostReduction = 2 * time.Minute

// keepFailure shows a failure, and keeps it as a small file: one for each sequence of passes.
func (a *app) keepFailure(ctx context.Context, hunt *measure.Hunt, x *measure.Failure, dir string, known map[string]bool) error {
	wrong, _, _ := strings.Cut(x.Wrong, "\n")
	fmt.Fprintf(a.err, "silvm: %s: --passes %s: %s\n", x.Command(), x.Names(), source.Escape(wrong))
	if err := a.verdict(console.Fields{"name": x.Command(), "result": "different", "pass": x.Names(), "what": wrong}); err != nil {
		return err
	}
	if dir == "" || known[x.Names()] {
		return nil
	}
	known[x.Names()] = true
	limited, cancel := context.WithTimeout(ctx, mostReduction)
	defer cancel()
	text, err := hunt.Reduce(limited, x)
	if err != nil {
		text = x.Text
	}
	name := fmt.Sprintf("%s_%d.sil", strings.NewReplacer(",", "+", "/", "").Replace(x.Names()), x.Options.Seed)
	if len(name) > 120 {
		name = fmt.Sprintf("sequence_%d.sil", x.Options.Seed)
	}
	head := fmt.Sprintf("// %s\n// silvm validate --passes %s: %s\n\n", x.Command(), x.Names(), source.Escape(wrong))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return failf(exitNoOutput, "%v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), append([]byte(head), text...), 0o666); err != nil {
		return failf(exitNoOutput, "%v", err)
	}
	fmt.Fprintf(a.err, "silvm: kept as %s\n", filepath.Join(dir, name))
	return nil
}
