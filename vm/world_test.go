package vm

import (
	"bytes"
	"strings"
	"testing"
)

// A run that follows another one reads what that read and prints what that had not printed; where it prints something else it says so.
func TestReplay(t *testing.T) {
	for _, c := range []struct {
		second   string
		want     string
		diverged bool
	}{{"abcdef", "abcdef", false}, {"abc", "abc", false}, {"abXdef", "abcdef", true}, {"ab", "abc", true}} {
		var out bytes.Buffer
		first := world{stdout: &out, stdin: strings.NewReader("line one\nline two\n")}
		first.journal()
		var read [2][9]byte
		first.read(read[0][:])
		first.write([]byte("abc")...)
		first.flush()

		m := Machine{world: world{stdout: &out, stdin: first.stdin}}
		m.world.replay(&first)
		m.world.read(read[1][:])
		for _, b := range []byte(c.second) { // flushed in pieces
			m.world.write(b)
			m.world.flush()
		}
		if read[0] != read[1] {
			t.Errorf("%s: read %q, then %q", c.second, read[0], read[1])
		}
		if got := out.String(); got != c.want || m.Diverged() != c.diverged {
			t.Errorf("%s: printed %q, diverged %t; want %q, %t", c.second, got, m.Diverged(), c.want, c.diverged)
		}
	}
}
