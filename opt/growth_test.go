package opt_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"silvm/loader"
	"silvm/opt"
	"silvm/opt/pass"
)

// growing are functions of any size, by what there is many of.
var growing = map[string]func(n int) string{
	// blocks that pass a number on to the next one, which folds what is computed from it
	"constants": func(n int) string {
		var b strings.Builder
		b.WriteString("sil @f : $@convention(thin) () -> Builtin.Int64 {\nbb0:\n  %0 = integer_literal $Builtin.Int64, 1\n  br bb1(%0 : $Builtin.Int64)\n")
		for k := 1; k <= n; k++ {
			fmt.Fprintf(&b, "bb%d(%%a%d : $Builtin.Int64):\n  %%l%d = integer_literal $Builtin.Int64, %d\n", k, k, k, k)
			fmt.Fprintf(&b, "  %%s%d = builtin \"add_Int64\"(%%a%d : $Builtin.Int64, %%l%d : $Builtin.Int64) : $Builtin.Int64\n", k, k, k)
			fmt.Fprintf(&b, "  br bb%d(%%s%d : $Builtin.Int64)\n", k+1, k)
		}
		fmt.Fprintf(&b, "bb%d(%%r : $Builtin.Int64):\n  return %%r : $Builtin.Int64\n}\n", n+1)
		return b.String()
	},
	// arguments of blocks that two edges lead to
	"phis": func(n int) string {
		var b strings.Builder
		b.WriteString("sil @g : $@convention(thin) (Builtin.Int64) -> Builtin.Int1\nsil @f : $@convention(thin) (Builtin.Int64) -> () {\nbb0(%0 : $Builtin.Int64):\n  %g = function_ref @g : $@convention(thin) (Builtin.Int64) -> Builtin.Int1\n  br bb1(%0 : $Builtin.Int64)\n")
		for k := 1; k <= 2*n; k += 2 {
			fmt.Fprintf(&b, "bb%d(%%a%d : $Builtin.Int64):\n  %%u%d = apply %%g(%%a%d) : $@convention(thin) (Builtin.Int64) -> Builtin.Int1\n", k, k, k, k)
			fmt.Fprintf(&b, "  cond_br %%u%d, bb%d, bb%d(%%0 : $Builtin.Int64)\n", k, k+1, k+2)
			fmt.Fprintf(&b, "bb%d:\n  %%v%d = apply %%g(%%0) : $@convention(thin) (Builtin.Int64) -> Builtin.Int1\n  br bb%d(%%a%d : $Builtin.Int64)\n", k+1, k, k+2, k)
		}
		fmt.Fprintf(&b, "bb%d(%%r : $Builtin.Int64):\n  %%t = tuple ()\n  return %%t : $()\n}\n", 2*n+1)
		return b.String()
	},
	// retains and releases of one object around calls
	"counts": func(n int) string {
		var b strings.Builder
		b.WriteString("sil @g : $@convention(thin) () -> ()\nsil @f : $@convention(thin) (@guaranteed Builtin.NativeObject) -> () {\nbb0(%0 : $Builtin.NativeObject):\n  %g = function_ref @g : $@convention(thin) () -> ()\n")
		for k := range n {
			fmt.Fprintf(&b, "  strong_retain %%0 : $Builtin.NativeObject\n  %%u%d = apply %%g() : $@convention(thin) () -> ()\n  strong_release %%0 : $Builtin.NativeObject\n", k)
		}
		b.WriteString("  %t = tuple ()\n  return %t : $()\n}\n")
		return b.String()
	},
}

// A pass takes no more than so much memory for four times the function: what is allocated in all is counted, so that the test does not depend on
// how fast the machine is, and what takes time by the square of a size takes memory in the same way where it makes a table each time.
func TestPassesGrowWithTheFunction(t *testing.T) {
	const small, factor, most = 250, 4, 7
	for shape, text := range growing {
		for _, name := range []string{"simplify-cfg", "jumpthread-simplify-cfg", "sil-combine", "dce", "cse", "performance-constant-propagation",
			"arc-sequence-opts", "retain-sinking", "release-hoisting", "mem2reg", "compute-side-effects", "inline"} {
			of := func(n int) uint64 {
				mod, diags := loader.Load("f.sil", []byte("sil_stage canonical\nimport Builtin\n"+text(n)), loader.Options{})
				if diags.Errors() > 0 {
					t.Fatal(diags.Err())
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				if err := pass.Run(mod, []*pass.Pass{opt.Lookup(name)}, pass.Options{}); err != nil {
					t.Fatal(err)
				}
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc
			}
			if a, b := of(small), of(factor*small); b > most*a {
				t.Errorf("%s, %s: %d bytes for %d, %d for %d", name, shape, a, small, b, factor*small)
			}
		}
	}
}
