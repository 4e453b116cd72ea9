package opt_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"silvm/loader"
	"silvm/opt/pass"
)

func TestZZOwn(t *testing.T) {
	dir := os.Getenv("OWN")
	if dir == "" {
		t.Skip()
	}
	files, _ := filepath.Glob("testdata/*/*.txtar")
	for _, name := range files {
		t.Run(caseName(name), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			passes, settings := casePasses(t, name, string(ar.Comment))
			mod, diags := loader.Load("in.sil", section(ar, "in.sil").Data, loader.Options{})
			if diags.Errors() > 0 {
				t.Fatalf("%s does not load: %v", name, diags.Err())
			}
			var dumped, said, errors strings.Builder
			err = pass.Run(mod, passes, pass.Options{Out: &dumped, Err: &errors, Settings: settings, Remark: func(r pass.Remark) { said.WriteString(r.String() + "\n") }})
			if err != nil {
				t.Fatal(err)
			}
			p := filepath.Join(dir, caseName(name))
			os.MkdirAll(filepath.Dir(p), 0o777)
			os.WriteFile(p, []byte(dumped.String()+printed(t, mod)), 0o666)
			os.WriteFile(p+".remarks", []byte(said.String()), 0o666)
		})
	}
}
