package opt_test

import (
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"silvm/loader"
	"silvm/opt/pass"
)

func TestZZFill(t *testing.T) {
	for _, name := range strings.Fields(os.Getenv("FILL")) {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		passes, settings := casePasses(t, name, string(ar.Comment))
		in, out := section(ar, "in.sil"), section(ar, "out.sil")
		mod, diags := loader.Load("in.sil", in.Data, loader.Options{})
		if diags.Errors() > 0 {
			t.Fatal(diags.Err())
		}
		var dumped strings.Builder
		if err := pass.Run(mod, passes, pass.Options{Out: &dumped, Verify: true, Settings: settings}); err != nil {
			t.Fatal(err)
		}
		out.Data = []byte(dumped.String() + printed(t, mod))
		os.WriteFile(name, txtar.Format(ar), 0o666)
	}
}
