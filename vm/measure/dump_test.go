package measure

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/loader"
	"silvm/vm"
	"silvm/vm/native"
)

func unpacked(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "dump", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// validated runs a dump through the validation, with the module beside it.
func validated(t *testing.T, text []byte, every bool) (*Dump, *DumpVerdict) {
	t.Helper()
	d, err := ReadDump(text, unpacked(t, "main.sil.gz"))
	if err != nil {
		t.Fatal(err)
	}
	load := func(step int) (*ir.Module, error) {
		mod, diags := loader.Load("dump.sil", d.At(step), loader.Options{})
		return mod, diags.Err()
	}
	v, err := ValidateDump(d, load, Options{Config: vm.Config{Natives: native.Table()}}, every)
	if err != nil {
		t.Fatal(err)
	}
	return d, v
}

// TestDump validates what a compiler printed after its passes.
func TestDump(t *testing.T) {
	d, v := validated(t, unpacked(t, "dump.txt.gz"), true)
	// The first steps call functions of the library that were inlined by the end: such a step is passed over, and counted.
	if v.Wrong != "" || v.Skipped > 10 || v.Compared < 39 || v.Compared+v.Skipped != len(d.Steps)-2 {
		t.Errorf("%d steps: %+v", len(d.Steps), v)
	}
}

// TestBrokenDump takes something out of a function from one step on, as a wrong pass would have: that step is named.
func TestBrokenDump(t *testing.T) {
	text := unpacked(t, "dump.txt.gz")
	run := regexp.MustCompile(`(?ms)^sil [^\n]*@\$s4main3runyyF :.*?^\}`)
	for _, c := range []struct {
		pass, stage, cut, what string
		every                  bool
	}{
		{"arc-sequence-opts", "MidLevel,Function", `(?m)^  strong_release [^\n]*\n`, "deinit of Counter is missing", false},
		{"arc-sequence-opts", "MidLevel,Function", `(?m)^  strong_release [^\n]*\n`, "deinit of Counter is missing", true},
		{"stack-promotion", "HighLevel,Module+StackPromote", `(?m)^  %\d+ = apply %\d+\(%\d+\)[^\n]*Counter\) -> \(\)[^\n]*\n`, "printed something else", false},
	} {
		heads := dumpHeader.FindAllIndex(text, -1)
		var broken bytes.Buffer
		begun, name := false, ""
		for n, h := range heads {
			end := len(text)
			if n+1 < len(heads) {
				end = heads[n+1][0]
			}
			head, step := string(text[h[0]:h[1]]), text[h[0]:end]
			if !begun && strings.Contains(head, c.stage) && strings.HasSuffix(head, "("+c.pass+")") && run.Match(step) {
				begun, name = true, head
			}
			if begun {
				step = run.ReplaceAllFunc(step, func(f []byte) []byte {
					if at := regexp.MustCompile(c.cut).FindIndex(f); at != nil {
						return append(append([]byte(nil), f[:at[0]]...), f[at[1]:]...)
					}
					return f
				})
			}
			broken.Write(step)
		}
		d, v := validated(t, broken.Bytes(), c.every)
		if !strings.Contains(v.Wrong, c.what) || !strings.Contains(name, d.Steps[v.Step].Name) || v.Good != v.Step-1 {
			t.Errorf("broken from %s on: %s: %+v", strings.TrimSpace(name), d.Steps[v.Step].Name, v)
		}
	}
}

// TestFilteredDump validates a dump that has one function only, as with -sil-print-functions: the others are those of the module beside it. One
// that nothing calls is said to be so.
func TestFilteredDump(t *testing.T) {
	text := unpacked(t, "dump.txt.gz")
	filtered := func(symbol, cut string) []byte {
		var out bytes.Buffer
		fn := regexp.MustCompile(`(?ms)^sil [^\n]*@` + regexp.QuoteMeta(symbol) + ` :.*?^\}[^\n]*\n`)
		heads := dumpHeader.FindAllIndex(text, -1)
		for n, h := range heads {
			end := len(text)
			if n+1 < len(heads) {
				end = heads[n+1][0]
			}
			head, f := string(text[h[0]:h[1]]), string(fn.Find(text[h[0]:end]))
			if f == "" {
				continue
			}
			if at := strings.Index(f, "  strong_release "); cut != "" && strings.Contains(head, cut) && at >= 0 {
				f = f[:at] + f[at+strings.Index(f[at:], "\n")+1:]
			}
			out.WriteString(head + "\n" + f + "  Run #7, stage A, pass 1: DCE (dce), Function: " + symbol + "\n")
		}
		return out.Bytes()
	}
	if d, v := validated(t, filtered("$s4main3runyyF", ""), true); v.Wrong != "" || v.Compared < 10 || len(v.Uncalled) != 0 || len(d.Shown()) != 1 {
		t.Errorf("%d steps: %+v", len(d.Steps), v)
	}
	d, v := validated(t, filtered("$s4main3runyyF", "(arc-sequence-opts)"), true)
	if !strings.Contains(v.Wrong, "deinit of Counter is missing") || d.Steps[v.Step].Pass() != "arc-sequence-opts" {
		t.Errorf("broken: %s: %+v", d.Steps[v.Step].Name, v)
	}
	if _, v := validated(t, []byte("*** SIL function after #1, stage A, pass 1: B (b)\nsil @never : $@convention(thin) () -> () {\nbb0:\n  unreachable\n}\n"), true); len(v.Uncalled) != 1 {
		t.Errorf("what nothing calls: %+v", v)
	}
	if _, err := ReadDump(filtered("$s4main3runyyF", ""), nil); err == nil || !strings.Contains(err.Error(), "give the module beside it") {
		t.Errorf("without the module: %v", err)
	}
}

// TestNewFunction: a pass that makes a function shows it without its body, which a later step has. So the step of that pass can be run, and what it
// breaks is its own.
func TestNewFunction(t *testing.T) {
	text := `*** SIL module before A ***
sil_stage canonical
sil @f : $@convention(thin) () -> () {
bb0:
  unreachable
}
  *** New SIL function in  #7, stage A, pass: FunctionSignatureOpts (function-signature-opts), Function: f_n
sil shared @f_n : $@convention(thin) () -> ()
  *** SIL function after  #7, stage A, pass 1: FunctionSignatureOpts (function-signature-opts)
sil @f : $@convention(thin) () -> () {
bb0:
  %0 = function_ref @f_n : $@convention(thin) () -> ()
  unreachable
}
  *** SIL function after  #8, stage A, pass 2: DCE (dce)
sil shared @f_n : $@convention(thin) () -> () {
bb0:
  %0 = tuple ()
  return %0 : $()
}
  *** SIL function after  #9, stage A, pass 3: CSE (cse)
sil shared @f_n : $@convention(thin) () -> () {
bb0:
  unreachable
}
`
	d, err := ReadDump([]byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	if at := string(d.At(2)); strings.Count(at, "@f_n : $@convention(thin) () -> () {\nbb0:\n  %0 = tuple ()") != 1 {
		t.Errorf("after #7:\n%s", at)
	}
	if at := string(d.At(4)); strings.Contains(at, "%0 = tuple ()") {
		t.Errorf("after #9:\n%s", at)
	}
}
