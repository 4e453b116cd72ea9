package pass_test

import (
	"testing"

	"silvm/ir"
	"silvm/loader"
	"silvm/opt/pass"
)

// small loads a module of one function.
func small(t *testing.T) *ir.Module {
	t.Helper()
	mod, diags := loader.Load("in.sil", []byte(`sil_stage canonical
import Builtin
sil @f : $@convention(thin) () -> () {
bb0:
  %0 = tuple ()
  return %0 : $()
}
`), loader.Options{})
	if diags.Errors() > 0 {
		t.Fatal(diags.Err())
	}
	return mod
}

// A pass runs again on a function that anything changed since it found nothing, and not otherwise.
func TestSettledPassesAreSkipped(t *testing.T) {
	mod := small(t)
	runs, edits := 0, 0
	look := &pass.Pass{Name: "look", Function: func(*pass.Context, *ir.Function) bool { runs++; return false }}
	edit := &pass.Pass{Name: "edit", Function: func(*pass.Context, *ir.Function) bool { edits++; return edits == 1 }}
	effect := &pass.Pass{Name: "effect", Function: func(c *pass.Context, f *ir.Function) bool { c.Changed(f); return false }}
	for _, x := range []struct {
		name   string
		passes []*pass.Pass
		opts   pass.Options
		want   int
	}{
		{"nothing changed", []*pass.Pass{look, look, look}, pass.Options{}, 1},
		{"another pass changed it", []*pass.Pass{look, edit, look, look}, pass.Options{}, 2},
		{"a pass said so on the way", []*pass.Pass{look, effect, look}, pass.Options{}, 2},
		{"somebody hears remarks", []*pass.Pass{look, look, look}, pass.Options{Remark: func(pass.Remark) {}}, 3},
		{"somebody watches each application", []*pass.Pass{look, look}, pass.Options{After: func(*pass.Pass, *ir.Function, bool) {}}, 2},
	} {
		runs, edits = 0, 0
		if err := pass.Run(mod, x.passes, x.opts); err != nil {
			t.Fatal(err)
		}
		if runs != x.want {
			t.Errorf("%s: the pass ran %d times, want %d", x.name, runs, x.want)
		}
	}
}

// In a place of a pipeline that is for the program's own functions a pass leaves those of the library alone, in others it does not.
func TestOnOwnLeavesTheLibraryAlone(t *testing.T) {
	for _, library := range []bool{false, true} {
		mod := small(t)
		mod.Files.File(mod.Funcs["f"].Pos).Ours = library
		runs := 0
		look := &pass.Pass{Name: "look", Function: func(*pass.Context, *ir.Function) bool { runs++; return false }}
		want := 4
		if library {
			want = 2
		}
		if err := pass.Run(mod, append(pass.OnOwn([]*pass.Pass{look, look}), look, look), pass.Options{Remark: func(pass.Remark) {}}); err != nil || runs != want {
			t.Errorf("of the library %v: the pass ran %d times, want %d: %v", library, runs, want, err)
		}
	}
}

// What was found of a function is remembered until it changes, each question by itself.
func TestAnswersAreRemembered(t *testing.T) {
	mod := small(t)
	asked := 0
	ask := func(c *pass.Context, f *ir.Function, key any) int {
		return c.Remember(f, key, func() any { asked++; return asked }).(int)
	}
	look := &pass.Pass{Name: "look", Function: func(c *pass.Context, f *ir.Function) bool {
		if a, b, again := ask(c, f, "a"), ask(c, f, "b"), ask(c, f, "a"); a != 1 || b != 2 || again != 1 {
			t.Errorf("answers %d, %d, %d, want 1, 2, 1", a, b, again)
		}
		c.Changed(f)
		if a := ask(c, f, "a"); a != 3 {
			t.Errorf("answer %d after a change, want 3", a)
		}
		return false
	}}
	if err := pass.Run(mod, []*pass.Pass{look}, pass.Options{}); err != nil {
		t.Fatal(err)
	}
}
