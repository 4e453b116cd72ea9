package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// full refuses everything, as a full disk does.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A program whose output is lost does not end well, and no command whose own words are.
func TestLostOutput(t *testing.T) {
	const classes, small = "../../programs/embedded/classes/O.sil", "../../programs/trap/leak_retain.sil"
	for _, args := range [][]string{
		{"run", classes}, {"fmt", classes}, {"opt", "-cse", classes}, {"gen"}, {"explain", "SV0103"}, {"features"}, {"arc", small}, {"diff", small, small}, {"--version"},
	} {
		var said bytes.Buffer
		status := run(args, strings.NewReader(""), full{}, &said)
		if status != exitNoOutput || !strings.Contains(said.String(), "no space left") {
			t.Errorf("silvm %s: status %d: %s", strings.Join(args, " "), status, said.String())
		}
	}
}
