package loop

import (
	"bytes"
	"os"
	"testing"
)

// The loop with runs is that which loop.go and code.Runs give.
func TestCurrent(t *testing.T) {
	text, err := os.ReadFile("../../loop.go")
	if err != nil {
		t.Fatal(err)
	}
	runs, err := os.ReadFile("../../code/zz_runs.go")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Read(text)
	if err != nil {
		t.Fatal(err)
	}
	want, err := s.Generate(runs)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("../../zz_loop.go"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("zz_loop.go is not current (%v): run go generate ./vm", err)
	}
}
