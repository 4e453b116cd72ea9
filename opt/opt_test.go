package opt_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"silvm/ir"
	"silvm/loader"
	"silvm/opt"
	"silvm/opt/pass"
)

var update = flag.Bool("update", false, "write the remarks of the passes into the cases; out.sil and err come from sil-opt alone, see -record, but for passes that it does not have")

// TestCases runs every case of testdata: a txtar file named PASS/case.txtar (or with the passes in its comment, a line
// "passes: -a -b") with in.sil, out.sil as the compiler's sil-opt prints the functions, err as it goes to stderr, and our own remarks;
// the latter two where they are of interest.
// The text is verified before and after every pass, unless the comment has a line "verify: off".
func TestCases(t *testing.T) {
	for _, name := range caseFiles(t) {
		t.Run(caseName(name), func(t *testing.T) { runCase(t, name) })
	}
}

// TestEveryPassHasACase fails for a pass that no case runs.
func TestEveryPassHasACase(t *testing.T) {
	run := map[*pass.Pass]bool{}
	for _, name := range caseFiles(t) {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list, _ := casePasses(t, name, string(ar.Comment))
		for _, p := range list {
			run[p] = true
		}
	}
	for _, p := range opt.Passes() {
		if !run[p] {
			t.Errorf("no case in testdata runs %s", p.Name)
		}
	}
}

// caseFiles returns the files of all cases.
func caseFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	return files
}

// caseName is PASS/case.
func caseName(file string) string {
	return strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), "testdata/"), ".txtar")
}

// A ranCase is a case with what its passes made of it.
type ranCase struct {
	*txtar.Archive
	text, stderr string // like the sections out.sil and err
	remarks      []pass.Remark
}

// ours reports whether the case is of a pass that sil-opt does not have: out.sil is what silvm prints, to be read like code.
func (c *ranCase) ours() bool {
	return strings.HasPrefix(string(c.Comment), "differs: sil-opt has no such pass")
}

func (c *ranCase) said() string {
	var b strings.Builder
	for _, r := range c.remarks {
		b.WriteString(r.String() + "\n")
	}
	return b.String()
}

// readCase reads a case and runs its passes.
func readCase(t *testing.T, name string) *ranCase {
	t.Helper()
	ar, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	passes, settings := casePasses(t, name, string(ar.Comment))
	in := section(ar, "in.sil")
	if in == nil || section(ar, "out.sil") == nil {
		t.Fatalf("%s wants in.sil and out.sil", name)
	}
	mod, diags := loader.Load("in.sil", in.Data, loader.Options{})
	if diags.Errors() > 0 {
		t.Fatalf("%s does not load: %v", name, diags.Err())
	}
	c, was, changed := &ranCase{Archive: ar}, printed(t, mod), false
	after := func(_ *pass.Pass, _ *ir.Function, did bool) { changed = changed || did }
	var dumped, errors strings.Builder
	err = pass.Run(mod, passes, pass.Options{After: after, Out: &dumped, Err: &errors, Whole: strings.Contains(string(ar.Comment), "whole: yes\n"), Verify: !strings.Contains(string(ar.Comment), "verify: off\n"), Settings: settings, Remark: func(r pass.Remark) { c.remarks = append(c.remarks, r) }})
	if _, ok := err.(*pass.ProgramError); err != nil && !(ok && strings.Contains(string(ar.Comment), "errors: yes\n")) {
		t.Fatalf("%v (silvm opt on in.sil of %s)", err, name)
	}
	is := printed(t, mod)
	if !changed && is != was {
		t.Errorf("%s: the passes changed the module, and say that they changed nothing", name)
	}
	c.text, c.stderr = dumped.String()+is, errors.String()
	return c
}

func runCase(t *testing.T, name string) {
	c := readCase(t, name)
	out, remarks, toErr := section(c.Archive, "out.sil"), section(c.Archive, "remarks"), section(c.Archive, "err")
	if *update && (remarks != nil || c.ours()) {
		if remarks != nil {
			remarks.Data = []byte(c.said())
		}
		if c.ours() {
			out.Data = []byte(c.text)
		}
		if err := os.WriteFile(name, txtar.Format(c.Archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(out.Data), c.text); diff != "" {
		t.Errorf("%s (- want, + got):\n%s", name, diff)
	}
	if toErr != nil {
		if diff := cmp.Diff(string(toErr.Data), c.stderr); diff != "" {
			t.Errorf("%s: err (- want, + got):\n%s", name, diff)
		}
	}
	if remarks != nil {
		if diff := cmp.Diff(string(remarks.Data), c.said()); diff != "" {
			t.Errorf("%s: remarks (- want, + got):\n%s", name, diff)
		}
	}
}

// caseLine is what is on the command line of a case, without the dashes.
func caseLine(name, comment string) []string {
	words := []string{filepath.Base(filepath.Dir(name))}
	for line := range strings.SplitSeq(comment, "\n") {
		if rest, ok := strings.CutPrefix(line, "passes:"); ok {
			words = strings.Fields(rest)
		}
	}
	for n := range words {
		words[n] = strings.TrimPrefix(words[n], "-")
	}
	return words
}

// casePasses finds the passes and settings of a case: those of its "passes:" line, or the pass that its folder is named after.
func casePasses(t *testing.T, name, comment string) (list []*pass.Pass, settings []string) {
	t.Helper()
	for _, n := range caseLine(name, comment) {
		if name, _, _ := strings.Cut(n, "="); pass.LookupSetting(name) != nil {
			settings = append(settings, n)
			continue
		}
		p := opt.Lookup(n)
		if p == nil {
			t.Fatalf("%s: no pass %s", name, n)
		}
		list = append(list, p)
	}
	return list, settings
}

// section returns a file of the case, nil when it has none of that name.
func section(ar *txtar.Archive, name string) *txtar.File {
	for n := range ar.Files {
		if ar.Files[n].Name == name {
			return &ar.Files[n]
		}
	}
	return nil
}

// printed returns the functions with bodies as text.
func printed(t *testing.T, mod *ir.Module) string {
	t.Helper()
	var b strings.Builder
	for _, f := range mod.Functions() {
		if len(f.Blocks) > 0 {
			if err := f.Print(&b); err != nil {
				t.Fatal(err)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func TestTableIsSound(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range opt.Passes() {
		if p.Name == "" || p.Doc == "" || seen[p.Name] {
			t.Errorf("pass %q has no name, no doc, or stands twice", p.Name)
		}
		seen[p.Name] = true
		if (p.Function == nil) == (p.Module == nil) {
			t.Errorf("pass %s must have either Function or Module", p.Name)
		}
	}
	for _, l := range opt.Pipelines() {
		for _, p := range l.Passes {
			if named := opt.Lookup(p.Name); named == nil || named.Doc != p.Doc { // OnOwn copies it
				t.Errorf("pipeline %s has the pass %s, which no command line can name", l.Name, p.Name)
			}
		}
	}
}
