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

// A program whose output is lost does not end well.
func TestLostOutput(t *testing.T) {
	var said bytes.Buffer
	status := run([]string{"run", "../../programs/embedded/classes/O.sil"}, strings.NewReader(""), full{}, &said)
	if status != exitNoOutput || !strings.Contains(said.String(), "no space left") {
		t.Errorf("status %d: %s", status, said.String())
	}
}
