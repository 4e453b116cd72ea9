package pass_test

import (
	"os"
	"path/filepath"
	"testing"

	"silvm/ir"
	"silvm/ir/gen"
	"silvm/loader"
	"silvm/opt"
	"silvm/opt/pass"
)

// What a pass says that it needs, it needs: alone on random modules, and in the pipeline on recorded programs, it changes nothing where that is
// missing. A listener is told of each application, so none is passed over.
func TestPassesNeedWhatTheySay(t *testing.T) {
	check := func(name string, load func() (*ir.Module, error), passes []*pass.Pass) (skipped int) {
		mod, err := load()
		if err != nil {
			t.Fatal(name, err)
		}
		nothing := false
		opts := pass.Options{Whole: true, Verified: true}
		opts.Before = func(p *pass.Pass, f *ir.Function) { nothing = f != nil && pass.FindsNothing(p, f) }
		opts.After = func(p *pass.Pass, f *ir.Function, changed bool) {
			if nothing && changed {
				t.Errorf("%s: %s changes @%s, which lacks what it needs", name, p.Name, f.Name)
			}
			if nothing {
				skipped++
			}
		}
		if err := pass.Run(mod, passes, opts); err != nil {
			t.Error(name, err)
		}
		return skipped
	}
	for seed := range uint64(9) {
		text := gen.Module(gen.Options{Seed: seed, Size: 2, Form: gen.Form(seed % 3)})
		load := func() (*ir.Module, error) {
			mod, diags := loader.Load("gen.sil", text, loader.Options{})
			return mod, diags.Err()
		}
		for _, p := range opt.Passes() {
			if p.Needs != nil || p.NeedsLoop {
				check("seed", load, []*pass.Pass{p})
			}
		}
	}
	for _, name := range []string{"embedded/uniqueness", "embedded/calledlater"} {
		file := filepath.Join("../../programs", name, "Onone.sil")
		load := func() (*ir.Module, error) {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			mod, diags := loader.Load(file, text, loader.Options{})
			return mod, diags.Err()
		}
		if check(name, load, opt.Default.Passes) == 0 {
			t.Errorf("%s: every pass finds what it needs", name)
		}
	}
}
