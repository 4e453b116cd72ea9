package cgen_test

import (
	"bytes"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"testing"

	"silvm/vm/cgen"
)

// A program that was built by way of C prints what the recorded program printed, and ends as it did.
func TestBuildC(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no cc")
	}
	for _, name := range sample(t) {
		t.Run(filepath.Base(filepath.Dir(name)), func(t *testing.T) {
			p, err := layOut(t, name, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			if r := p.RefusedInC(); r != nil {
				t.Skip(r)
			}
			var text bytes.Buffer
			if err := p.C(&text); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "prog")
			build := exec.Command(cc, append(cgen.CompilerFlags(), "-O1", "-o", file, "-x", "c", "-", "-lm")...)
			build.Stdin = &text
			if said, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			run := exec.Command(file)
			var out, said bytes.Buffer
			run.Stdout, run.Stderr = &out, &said
			got := 0
			if err := run.Run(); err != nil {
				var exit *exec.ExitError
				if !errors.As(err, &exit) {
					t.Fatal(err)
				}
				got = exit.ExitCode()
			}
			want, status := expected(t, name)
			if got != silvmStatus(status) || out.String() != want {
				t.Errorf("status %d, want %d; printed %q, want %q (%s)", got, silvmStatus(status), out.String(), want, said.String())
			}
		})
	}
}
