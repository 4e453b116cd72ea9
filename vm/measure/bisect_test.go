package measure

import (
	"path/filepath"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/vm"
	"silvm/vm/native"
)

// The guilty application of a pass that takes one release too many out is found, and nothing is when there is none.
func TestBisect(t *testing.T) {
	load := file(t, filepath.Join("..", "..", "cmd", "silvm", "testdata", "debug", "leak.sil"))
	fine := &pass.Pass{Name: "fine", Function: func(*pass.Context, *ir.Function) bool { return false }}
	broken := &pass.Pass{Name: "broken", Function: func(_ *pass.Context, f *ir.Function) bool {
		if f.Name != "$s4main4keepys9UnmanagedVyAA4NodeCGAFF" {
			return false
		}
		for i := range f.Insts() {
			if i.Op == op.StrongRetain {
				i.Remove()
				return true
			}
		}
		return false
	}}
	o := Options{Config: vm.Config{Natives: native.Table()}, Passes: []*pass.Pass{fine, broken, fine}}
	g, err := Bisect(load, o)
	if err != nil || g == nil {
		t.Fatalf("%+v %v", g, err)
	}
	if g.Pass != "broken" || g.Func != "$s4main4keepys9UnmanagedVyAA4NodeCGAFF" || g.Number < 2 || g.Number >= g.Total {
		t.Errorf("%s of %s is guilty, application %d of %d", g.Pass, g.Func, g.Number, g.Total)
	}
	if !strings.Contains(g.Before, "strong_retain") || strings.Contains(g.After, "strong_retain") || g.What == "" {
		t.Errorf("it differs by %q:\n%s\n%s", g.What, g.Before, g.After)
	}
	o.Passes = []*pass.Pass{fine}
	if g, err := Bisect(load, o); g != nil || err != nil {
		t.Errorf("without a broken pass: %+v %v", g, err)
	}
}
