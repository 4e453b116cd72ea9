package opt

import (
	"strings"
	"testing"

	"silvm/ir"
	"silvm/loader"
	"silvm/opt/pass"
)

const twoFunctions = `sil_stage canonical
import Builtin
sil @a : $@convention(thin) (Builtin.Int64) -> () {
bb0(%0 : $Builtin.Int64):
  debug_value %0 : $Builtin.Int64, let, name "x"
  %2 = tuple ()
  return %2 : $()
}
sil @b : $@convention(thin) () -> () {
bb0:
  %0 = tuple ()
  return %0 : $()
}
`

func TestRecorderKeepsWhatChanged(t *testing.T) {
	mod, diags := loader.Load("two.sil", []byte(twoFunctions), loader.Options{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	strip := &pass.Pass{Name: "strip", Doc: "removes debug values", Function: func(_ *pass.Context, f *ir.Function) bool {
		first := f.Entry().First()
		if first.Row().Name != "debug_value" {
			return false
		}
		first.Remove()
		return true
	}}
	drop := &pass.Pass{Name: "drop", Doc: "removes @b", Module: func(c *pass.Context) bool {
		c.RemoveFunction(c.Module.Funcs["b"])
		return true
	}}
	var opts pass.Options
	rec := &Recorder{}
	rec.Attach(mod, &opts)
	if err := pass.Run(mod, []*pass.Pass{strip, drop}, opts); err != nil {
		t.Fatal(err)
	}
	if len(rec.Changes) != 2 {
		t.Fatalf("%d changes, want one of @a and one of @b", len(rec.Changes))
	}
	a, b := rec.Changes[0], rec.Changes[1]
	if a.Func != "a" || !strings.Contains(a.Before, "debug_value") || strings.Contains(a.After, "debug_value") {
		t.Errorf("change of @a: %+v", a)
	}
	if b.Func != "b" || b.Pass != "drop" || b.Before == "" || b.After != "" {
		t.Errorf("change of @b: %+v", b)
	}
	var page strings.Builder
	if err := rec.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page.String(), "after strip") || !strings.Contains(page.String(), `class="new"`) {
		t.Errorf("the page lacks the pass or its changes:\n%s", page.String())
	}
}
