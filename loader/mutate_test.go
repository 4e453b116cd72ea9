package loader_test

import (
	"bytes"
	"io"
	"math/rand"
	"testing"

	"silvm/loader"
	"silvm/loader/siltest"
)

// TestMutated loads and prints a recorded program with bytes changed, pieces copied and removed, and the end
// cut off. Whatever the loader says, it must come back.
func TestMutated(t *testing.T) {
	text, err := siltest.Read("../programs/embedded/expression/O.sil")
	if err != nil {
		t.Fatal(err)
	}
	const marks = "(){}[]<>,:$@#%\"'/*=-\n"
	r := rand.New(rand.NewSource(1))
	for range 60 {
		bad := bytes.Clone(text)
		for range 1 + r.Intn(20) {
			i, j, n := r.Intn(len(bad)), r.Intn(len(bad)), r.Intn(40)
			if max(i, j)+n >= len(bad) {
				bad = bad[:max(i, 1)]
				continue
			}
			switch r.Intn(4) {
			case 0:
				bad[i] = byte(r.Intn(128))
			case 1:
				bad[i] = marks[r.Intn(len(marks))]
			case 2:
				copy(bad[i:i+n], bad[j:j+n])
			case 3:
				bad = append(bad[:i], bad[i+n:]...)
			}
		}
		m, _ := loader.Load("mutated.sil", bad, loader.Options{})
		if err := m.Print(io.Discard); err != nil {
			t.Fatal(err)
		}
	}
}
