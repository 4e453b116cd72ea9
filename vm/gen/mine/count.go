//go:build unix

package main

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"silvm/vm"
	"silvm/vm/code"
)

// Counting. The machine's loop has no place for counters, so mine runs itself again with an overlay of vm/loop.go: there each
// instruction is dispatched by itself and counted.

// profile is what a program did.
type profile struct {
	File string
	Ops  []code.Op // by instruction
	Ran  []uint64  // how often it ran
	Fell []uint64  // how often it ran right after the instruction before it
}

// counted takes the counts of the first n instructions since it was called last; the overlay sets it.
var counted func(n int) (ran, fell []uint64)

// edits are what the overlay changes in loop.go: each old text stands there once.
var edits = []struct{ old, new string }{
	{"func (m *Machine) loop() (", "func (m *Machine) loopRuns() ("},
	{"switch in.Op & code.MaxOp {", "ran[p]++\nif p == last+1 {\nfell[p]++\n}\nlast = p\nswitch in.Op.First() {"},
}

const (
	countersFile = "vm/zz_loop.go"
	counters     = `package vm

var (
	ran, fell [maxInsts]uint64
	last      uint64
)

func (m *Machine) loop() (stopKind, *Trap) { return m.loopRuns() }

func Counted(n int) (a, b []uint64) {
	a, b = append(a, ran[:n]...), append(b, fell[:n]...)
	clear(ran[:n])
	clear(fell[:n])
	return a, b
}
`
	takerFile = "vm/gen/mine/zz_count.go"
	taker     = `package main

import "silvm/vm"

func init() { counted = vm.Counted }
`
)

// overlay returns the arguments of the go command that make it build the loop that counts, from files in dir.
func overlay(dir string) (string, error) {
	text, err := os.ReadFile(loopFile)
	if err != nil {
		return "", err
	}
	for _, e := range edits {
		if n := bytes.Count(text, []byte(e.old)); n != 1 {
			return "", fmt.Errorf("%s: %q stands there %d times, want once", loopFile, e.old, n)
		}
		text = bytes.Replace(text, []byte(e.old), []byte(e.new), 1)
	}
	replace := map[string]string{}
	for file, text := range map[string]string{loopFile: string(text), countersFile: counters, takerFile: taker} {
		to := filepath.Join(dir, filepath.Base(file))
		if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
			return "", err
		}
		at, err := filepath.Abs(file)
		if err != nil {
			return "", err
		}
		replace[at] = to
	}
	return writeOverlay(dir, replace)
}

func writeOverlay(dir string, replace map[string]string) (string, error) {
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return "-overlay=" + file, os.WriteFile(file, text, 0o666)
}

// profiles returns those of the corpus.
func profiles() ([]profile, error) {
	out, err := os.ReadFile(*keep)
	if err != nil {
		if out, err = countAll(); err != nil {
			return nil, err
		}
		if *keep != "" {
			if err := os.WriteFile(*keep, out, 0o666); err != nil {
				return nil, err
			}
		}
	}
	var all []profile
	err = gob.NewDecoder(bytes.NewReader(out)).Decode(&all)
	return all, err
}

// countAll runs the corpus in a process of its own.
func countAll() ([]byte, error) {
	dir, err := os.MkdirTemp("", "mine")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	with, err := overlay(dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "run", with, "./vm/gen/mine", "-count")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("counting: %w", err)
	}
	return out, nil
}

// writeProfiles runs the corpus.
func writeProfiles(w io.Writer) error {
	if counted == nil {
		return fmt.Errorf("this loop does not count")
	}
	var all []profile
	for _, folder := range slices.Concat(kernels, tests, []string{heldOut}) {
		list, err := files(folder)
		if err != nil {
			return err
		}
		for _, file := range list {
			p, err := run(file)
			if err != nil {
				return err
			}
			all = append(all, p)
		}
	}
	return gob.NewEncoder(w).Encode(all)
}

// run counts one program.
func run(file string) (profile, error) {
	m, err := start(file, vm.Limits{Steps: maxSteps})
	if err != nil {
		return profile{}, err
	}
	if err := ended(file, m.Run(0)); err != nil {
		return profile{}, err
	}
	insts := m.Program().Insts
	p := profile{File: file}
	p.Ran, p.Fell = counted(len(insts))
	for _, in := range insts {
		p.Ops = append(p.Ops, in.Op.First())
	}
	return p, nil
}
