//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"silvm/loader"
	"silvm/loader/siltest"
	"silvm/vm"
	"silvm/vm/native"
)

// The folders of recorded programs. The runs are learned from kernels and tests; heldOut is only measured.
const heldOut = "programs/heldout"

var (
	kernels = []string{"programs/bench", "programs/kernels"}
	tests   = []string{"programs/embedded", "programs/ordinary"}
)

// maxSteps is how many SIL instructions of a program are counted.
const maxSteps = 30_000_000

// files returns the programs of a folder.
func files(folder string) ([]string, error) {
	list, err := filepath.Glob(filepath.Join(folder, "*", "*.sil*"))
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("no programs in %s", folder)
	}
	return list, err
}

// start returns a machine that is about to run a program.
func start(file string, limits vm.Limits) (*vm.Machine, error) {
	text, err := siltest.Read(file)
	if err != nil {
		return nil, err
	}
	mod, diags := loader.Load(file, text, loader.Options{Lazy: true})
	if diags.Errors() > 0 {
		return nil, diags.Err()
	}
	return vm.New(mod, vm.Config{Stdout: io.Discard, Stderr: io.Discard, Natives: native.Table(), Limits: limits})
}

// ended returns an error unless the program came to its end or to a limit.
func ended(file string, stop vm.Stop) error {
	if stop.Kind == vm.Trapped && stop.Trap.Kind == vm.Unsupported {
		return errors.New(file + ": " + stop.Trap.Diagnostic().Msg)
	}
	return nil
}
