package measure

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/vm"
	"silvm/vm/native"
)

// judged runs two recorded programs and compares them.
func judged(t *testing.T, before, after string) Verdict {
	t.Helper()
	cfg := vm.Config{Natives: native.Table()}
	outcome := func(name string) (*Outcome, func() (*ir.Module, error)) {
		load := program(t, name)
		mod, err := load()
		if err != nil {
			t.Fatal(err)
		}
		o, err := Watched(mod, cfg)
		if err != nil {
			t.Fatal(err)
		}
		return o, load
	}
	a, was := outcome(before)
	b, is := outcome(after)
	v, err := Judge(a, b, was, is, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestJudgeDocuments compares the programs of the documents: what is written there to be the same program is, with a note where a deinit
// moved, and what is a miscompile is not.
func TestJudgeDocuments(t *testing.T) {
	for _, c := range []struct{ before, after, note, wrong string }{
		{"deinit_model_original", "deinit_model_swapped", "a deinit moved", ""},
		{"deinit_model_original", "deinit_model_split", "", "SV0103"},
		{"load_copy_unoptimized", "load_copy_unoptimized", "", ""},
		{"load_copy_unoptimized", "load_copy_good", "a deinit moved", ""},
		{"load_copy_unoptimized", "load_copy_moved", "a deinit moved", ""},
		{"load_copy_unoptimized", "load_copy_take", "a deinit moved", ""},
		{"load_copy_unoptimized", "load_copy_paired", "deinits moved", ""},
		{"load_copy_unoptimized", "load_copy_qualified", "", ""},
		{"load_copy_unoptimized", "load_copy_bad", "", "SV0103"},
		{"loop_hoisting_original", "loop_hoisting_good", "", ""},
		{"loop_hoisting_original", "loop_hoisting_lost_retain", "", "SV01"},
		{"loop_hoisting_original", "loop_hoisting_lost_release", "", "something else"}, // it shows its counts,
	} {
		v := judged(t, "seeds/"+c.before+".sil", "seeds/"+c.after+".sil")
		if (v.Wrong == "") != (c.wrong == "") || !strings.Contains(v.Wrong, c.wrong) || c.wrong == "" && (v.Note == "") != (c.note == "") || !strings.Contains(v.Note, c.note) {
			t.Errorf("%s against %s: wrong %q, note %q; want %q, %q", c.after, c.before, v.Wrong, v.Note, c.wrong, c.note)
		}
	}
}

// TestJudgeMuseum compares each program of the museum with what the wrong optimization made of it.
func TestJudgeMuseum(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "programs", "museum", "*_before.sil"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d programs: %v", len(files), err)
	}
	for _, file := range files {
		before := "museum/" + filepath.Base(file)
		after := strings.TrimSuffix(before, "_before.sil") + "_after.sil"
		if v := judged(t, before, after); v.Wrong == "" {
			t.Errorf("%s is taken for the same program; note %q", after, v.Note)
		}
		if v := judged(t, before, before); v != (Verdict{}) {
			t.Errorf("%s is not the same as itself: %+v", before, v)
		}
	}
}

// TestJudgeSilentDeinits removes a release, and with it deinits that print nothing and write what other code prints. That is no deinit that moved.
func TestJudgeSilentDeinits(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "programs", "embedded", "deinitorder", "O.sil"))
	if err != nil {
		t.Fatal(err)
	}
	lost := regexp.MustCompile(`(?m)^  release_value %2 : \$Optional<Reader>.*\n`).ReplaceAll(text, nil)
	path := filepath.Join(t.TempDir(), "lost.sil")
	if err := os.WriteFile(path, lost, 0o666); err != nil || len(lost) == len(text) {
		t.Fatal("there is no release to take away", err)
	}
	cfg := vm.Config{Natives: native.Table()}
	d, err := Diff(program(t, "embedded/deinitorder/O.sil"), file(t, path), Options{Config: cfg})
	if err != nil || !strings.Contains(d.Wrong, "not as many deinits of Reader run") {
		t.Errorf("%q, note %q, %v", d.Wrong, d.Note, err)
	}
}

// TestInlinedDeinits says which output of code may be that of a deinit that was inlined.
func TestInlinedDeinits(t *testing.T) {
	for _, c := range []struct {
		before, after string // of code
		runs          string // the deinits that are still seen
		kept          int    // of the two before, which print "A" and "B"
	}{
		{"1\n2\n", "1\n2\n", "AB", 2},
		{"1\n2\n", "1\nA\n2\n", "B", 1},
		{"1\n2\n", "B\nA\n1\n2\n", "", 0},
		{"1\nA\n", "A\n1\nA\n", "B", 1},
		{"1\n2\n", "1\n2\n", "B", 2},       // one is missing
		{"1\n2\n", "1\nA\nA\n2\n", "B", 2}, // one runs twice
		{"1\n2\n", "1\nA\n2\n", "AB", 2},   // one runs once more
		{"1\n2\n", "2\nA\n1\n", "B", 2},    // the code is another
		{"1\n2\n", "1\nA\n", "B", 2},       // the code ends
		{"1\n2\n", "1\nA 5\n2\n", "B", 2},  // the deinit prints something else
	} {
		before := &Outcome{Code: []byte(c.before), Deinits: []*Deinit{{Class: "C", Text: "A\n"}, {Class: "C", Text: "B\n"}}}
		after := &Outcome{Code: []byte(c.after)}
		for _, d := range c.runs {
			after.Deinits = append(after.Deinits, &Deinit{Class: "C", Text: string(d) + "\n"})
		}
		if got := len(inlinedDeinits(before, after)); got != c.kept {
			t.Errorf("code %q became %q and %q is seen: %d deinits stay, want %d", c.before, c.after, c.runs, got, c.kept)
		}
	}
}
