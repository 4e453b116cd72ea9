package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A command closes the libraries that it opened, however it ends.
func TestCommandsCloseLibraries(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	library := filepath.Join("..", "..", "loader", "testdata", "library", "Swift.sil.gz")
	program := filepath.Join("..", "..", "programs", "embedded", "classes", "O.sil")
	bad := filepath.Join(t.TempDir(), "bad.sil")
	if err := os.WriteFile(bad, []byte("sil_stage canonical\n\nsil @main : $\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
	}{
		{[]string{"run", program}, exitOK},
		{[]string{"run", bad}, exitInvalid},
		{[]string{"check", program}, exitOK},
		{[]string{"validate", "--passes", "dce", program}, exitOK},
		{[]string{"debug", "--ex", "c", program}, exitOK},
		{[]string{"bench", "--runs", "1", program}, exitOK},
	} {
		before := descriptors(t)
		var stdout, stderr bytes.Buffer
		args := append([]string{"--library", library}, c.args...)
		if status := run(args, strings.NewReader(""), &stdout, &stderr); status != c.status {
			t.Errorf("%q: status %d, want %d: %.1000s", args, status, c.status, stderr.String())
		}
		if after := descriptors(t); after != before {
			t.Errorf("%q: %d descriptors are open, %d before", args, after, before)
		}
	}
}

// descriptors counts the files that this process has open.
func descriptors(t *testing.T) int {
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	return len(open)
}

// A library that was chosen by its version, and is of a compiler that prints otherwise than the program's, is told.
func TestLibraryOfAnotherCompiler(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	dir := filepath.Join(cache, "silvm", "library", "9.0")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	manifest := `{"Format": 1, "Compiler": "Swift version 9.0", "Version": "9.0", "Modules": [{"Name": "Swift", "File": "Swift.sil"}]}`
	if err := os.WriteFile(filepath.Join(dir, "library.json"), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	run([]string{"check", "--library", "9.0", filepath.Join("..", "..", "programs", "embedded", "classes", "O.sil")}, strings.NewReader(""), &stdout, &stderr)
	const want = "note: the program was printed by a Swift before 6.2, and the library in use is that of 9.0\n"
	if !strings.Contains(stderr.String(), want) {
		t.Errorf("it says %q, want %q", stderr.String(), want)
	}
}
