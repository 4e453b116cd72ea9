//go:build unix

package main

import (
	"os"
	"slices"
	"testing"

	"silvm/vm/code"
	"silvm/vm/gen/loop"
)

// What the overlays change stands in the files that they change.
func TestOverlaysApply(t *testing.T) {
	t.Chdir("../../..")
	if _, err := overlay(t.TempDir()); err != nil {
		t.Error(err)
	}
	if _, err := withoutRuns(t.TempDir()); err != nil {
		t.Error(err)
	}
}

// A loop of three instructions becomes one run, and nothing that did not run becomes one.
func TestChoosesTheLoop(t *testing.T) {
	t.Chdir("../../..")
	text, err := os.ReadFile(loopFile)
	if err != nil {
		t.Fatal(err)
	}
	src, err := loop.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	p := profile{
		File: kernels[0] + "/round/O.sil",
		Ops:  []code.Op{code.Sub, code.Mul, code.Add, code.AddI, code.JumpSlt, code.Xor, code.Or},
		Ran:  []uint64{0, 0, 1000, 1000, 1000, 0, 0},
		Fell: []uint64{0, 0, 0, 1000, 1000, 0, 0},
	}
	c := newChooser(src, []profile{p})
	runs, err := c.choose()
	if err != nil {
		t.Fatal(err)
	}
	want := []code.Op{code.Add, code.AddI, code.JumpSlt}
	if !slices.ContainsFunc(runs, func(ops []code.Op) bool { return slices.Equal(ops, want) }) {
		t.Errorf("runs %v without %v", runs, want)
	}
	for _, ops := range runs {
		if slices.Contains(ops, code.Mul) || slices.Contains(ops, code.Or) {
			t.Errorf("%v never ran", ops)
		}
	}
	if got := c.saved(runs, kernels); got != "  learned from 3.00 (round 3.00)\n" {
		t.Errorf("saved %q", got)
	}
}
