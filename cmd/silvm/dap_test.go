package main

import (
	"os"
	"path/filepath"
	"testing"
)

// An address without a host is one of this machine.
func TestListenIsLoopback(t *testing.T) {
	for address, want := range map[string]string{
		"4711": "127.0.0.1:4711", ":4711": "127.0.0.1:4711", "localhost:1": "localhost:1", "0.0.0.0:4711": "0.0.0.0:4711", "[::1]:5": "[::1]:5",
	} {
		if got := loopback(address); got != want {
			t.Errorf("%s: listens at %s, want %s", address, got, want)
		}
	}
}

// A client's console writes below the working folder and nowhere else.
func TestConsoleWritesHere(t *testing.T) {
	dir := t.TempDir()
	here := filepath.Join(dir, "here")
	if err := os.Mkdir(here, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(here)
	f, err := createHere("graph.svg")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(here, "link")); err != nil {
		t.Log("no symbolic links here: ", err)
	}
	for _, name := range []string{"../out", filepath.Join(dir, "out"), filepath.Join("link", "out")} {
		if f, err := createHere(name); err == nil {
			f.Close()
			t.Errorf("%s was written", name)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Error("a file outside was written")
	}
}
