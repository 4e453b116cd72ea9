package measure

import (
	"path/filepath"
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
