package main

import (
	"bytes"
	"os"
	"testing"
)

// TestFilesCurrent compares the generated files with what is generated from the table now.
func TestFilesCurrent(t *testing.T) {
	for name, generate := range files {
		want, err := generate()
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is stale; run: go generate ./ir/op", name)
		}
	}
}
