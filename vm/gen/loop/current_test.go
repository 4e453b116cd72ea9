package loop

import (
	"bytes"
	"os"
	"testing"
)

// The loop with runs is the one generated from loop.go and code.Runs.
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

// In the loop with runs nothing is left to call or to jump to of what loop.go says once.
func TestExpanded(t *testing.T) {
	text, err := os.ReadFile("../../zz_loop.go")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../../loop.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"live(", "get16(", "get64(", "put32(", "put64(", "goto jump\n", "load8:", "goto store64\n"} {
		if !bytes.Contains(source, []byte(name)) {
			t.Errorf("loop.go has no %q", name)
		}
		if bytes.Contains(text, []byte(name)) {
			t.Errorf("zz_loop.go has %q", name)
		}
	}
}
