package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt"
	"silvm/opt/pass"
	"silvm/vm/measure"
)

// TestDocuments runs programs of the documents as they are and after the passes that a case names: what the documents say that an optimizer
// makes of a function is what it makes, the counts fall as they say, and the program prints what it printed. A case is a file of
// testdata/documents. Its head has lines "program:", "passes:" (the default pipeline when missing), "function:", "counts: WHAT BEFORE AFTER"
// and, where deinits may run earlier than before or "force: FUNCTION" does what a pass must not, "prints: other"; then the section stdout has
// what the changed program prints.
func TestDocuments(t *testing.T) {
	files, err := filepath.Glob("testdata/documents/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { runDocument(t, file) })
	}
}

// documentCounts are what a case can count.
var documentCounts = map[string]func(o *measure.Outcome) uint64{
	"retains-and-releases": (*measure.Outcome).Refcounting,
	"uniqueness-checks":    func(o *measure.Outcome) uint64 { return o.Counts.UniqueCheck },
	"calls":                func(o *measure.Outcome) uint64 { return o.Counts.Calls },
}

func runDocument(t *testing.T, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head := map[string]string{}
	for line := range strings.SplitSeq(string(ar.Comment), "\n") {
		if key, value, ok := strings.Cut(line, ": "); ok {
			head[key] = value
		}
	}
	k := newKeptProgram(t, "../../programs/seeds/"+head["program"]+".sil")
	mod := k.load(t)
	passes, settings := opt.Default.Passes, []string(nil)
	if line, ok := head["passes"]; ok {
		passes = nil
		for word := range strings.FieldsSeq(line) {
			name := strings.TrimPrefix(word, "-")
			if p := opt.Lookup(name); p != nil {
				passes = append(passes, p)
			} else if pass.LookupSetting(name) != nil {
				settings = append(settings, name)
			} else {
				t.Fatalf("no pass %s", name)
			}
		}
	}
	if name, ok := head["force"]; ok {
		forceOut(t, mod.Funcs[name])
	}
	if err := pass.Run(mod, passes, pass.Options{Whole: true, Verify: true, Settings: settings}); err != nil {
		t.Fatal(err)
	}
	var texts strings.Builder
	for name := range strings.FieldsSeq(head["function"]) {
		if f := mod.Funcs[name]; f == nil {
			t.Errorf("no function %s is left", name)
		} else {
			texts.WriteString(functionText(t, f))
		}
	}
	is, err := measure.Run(mod, k.config())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{"function": texts.String(), "stdout": string(is.Stdout)}
	for n := range ar.Files {
		s := &ar.Files[n]
		if *update {
			s.Data = []byte(got[s.Name])
			continue
		}
		if diff := cmp.Diff(string(s.Data), got[s.Name]); diff != "" {
			t.Errorf("%s (- want, + got):\n%s", s.Name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(ar), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if other := string(is.Stdout) != string(k.first.Stdout); other != (head["prints"] == "other") {
		t.Errorf("it prints %q after the passes, %q without", is.Stdout, k.first.Stdout)
	}
	var what string
	var before, after uint64
	if _, err := fmt.Sscan(head["counts"], &what, &before, &after); err != nil || documentCounts[what] == nil {
		t.Fatalf("counts: %q: %v", head["counts"], err)
	}
	if a, b := documentCounts[what](k.first), documentCounts[what](is); a != before || b != after {
		t.Errorf("it makes %d %s and %d after the passes, want %d and %d (silvm run --stats)", a, what, b, before, after)
	}
}

// forceOut moves what makes a value unique in the loop of a function before the loop, whether that is right or not; where nothing does,
// the retain, and the release after the loop.
func forceOut(t *testing.T, f *ir.Function) {
	t.Helper()
	moved := false
	for _, b := range f.Blocks[1:] {
		for _, i := range b.InstList() {
			switch s, _ := facts.COWCall(i); {
			case s == ir.SemanticsMakeUnique, s == ir.SemanticsArrayMakeMutable:
				i.Arg(0).Inst().MoveBefore(f.Entry().Last())
				i.MoveBefore(f.Entry().Last())
				return
			case i.Op == op.StrongRetain:
				i.MoveBefore(f.Entry().Last())
				moved = true
			case i.Op == op.StrongRelease:
				i.MoveBefore(f.Blocks[len(f.Blocks)-1].First())
			}
		}
	}
	if !moved {
		t.Fatalf("%s makes nothing unique and retains nothing", f.Name)
	}
}

// functionText is the text of a function without the comments that name users.
func functionText(t *testing.T, f *ir.Function) string {
	t.Helper()
	var b strings.Builder
	if err := f.Print(&b); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(b.String()), "\n") {
		if code, _, _ := strings.Cut(line, "//"); strings.TrimSpace(code) != "" {
			out.WriteString(strings.TrimRight(code, " ") + "\n")
		}
	}
	return out.String()
}
