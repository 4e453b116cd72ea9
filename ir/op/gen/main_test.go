package main

import (
	"bytes"
	"os"
	"testing"

	"silvm/ir/op"
)

// TestOpcodesCurrent compares opcodes.go with what the table gives now.
func TestOpcodesCurrent(t *testing.T) {
	want, err := opcodes(op.Rows())
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../opcodes.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("opcodes.go is stale; run: go generate ./ir/op")
	}
}
