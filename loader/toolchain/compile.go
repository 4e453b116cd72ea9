package toolchain

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Program is the input that is compiled to the SIL of one module.
type Program struct {
	Module  string
	Sources []string
	Flags   []string   // for swiftc; those of the user come last and win
	Library bool       // no file has code at the top level
	Needs   []*Program // the modules of the same package that it imports, each after those that it needs itself
}

// Text is the SIL of one module.
type Text struct {
	Module string
	SIL    []byte
}

// ErrRejected is for sources that the compiler does not accept; what it says of them went to standard error.
var ErrRejected = errors.New("swiftc found errors")

// Compile prints the SIL of a program and of the modules that it needs, its own first: optimized unless the flags say otherwise, with the places
// of the Swift sources. What the compiler says goes to stderr.
func (t *Toolchain) Compile(p *Program, flags []string, stderr io.Writer) ([]Text, error) {
	interfaces := ""
	if len(p.Needs) > 0 {
		dir, err := os.MkdirTemp("", "silvm-modules-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		interfaces = dir
	}
	var needed []Text
	for _, m := range append(slices.Clone(p.Needs), p) {
		text, err := t.compileModule(m, interfaces, flags, stderr)
		if err != nil {
			return nil, err
		}
		needed = append(needed, Text{m.Module, text})
	}
	last := len(needed) - 1
	return append(needed[last:], needed[:last]...), nil
}

// compileModule prints the SIL of one module. In the folder interfaces, unless it is "", are the modules that others import, and it joins them.
func (t *Toolchain) compileModule(p *Program, interfaces string, flags []string, stderr io.Writer) ([]byte, error) {
	args := []string{"-emit-sil", "-O", "-module-name", p.Module, "-Xllvm", "-sil-print-debuginfo"}
	if len(p.Sources) > 1 || interfaces != "" {
		args = append(args, "-wmo")
	}
	if p.Library || len(p.Sources) == 1 && hasMain(p.Sources[0]) {
		args = append(args, "-parse-as-library")
	}
	if interfaces != "" {
		// a job of its own for the module would take stdout from the SIL
		args = append(args, "-I", interfaces, "-no-emit-module-separately-wmo", "-emit-module-path", filepath.Join(interfaces, p.Module+".swiftmodule"))
	}
	args = append(args, p.Flags...)
	args = append(args, flags...)
	args = append(args, "-o", "-")
	args = append(args, p.Sources...)
	cmd := exec.Command(t.Swiftc, args...)
	cmd.Stderr = stderr
	text, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return nil, fmt.Errorf("%w (%v)", ErrRejected, err)
	case err != nil:
		return nil, err
	case !bytes.HasPrefix(text, []byte("sil_stage ")):
		return nil, fmt.Errorf("%w: it printed no SIL", ErrRejected)
	}
	return text, nil
}

var mainAttribute = regexp.MustCompile(`(?m)^\s*@main\b`)

// hasMain reports whether a file marks the type whose main function the program begins with, so that it has no code at the top level.
func hasMain(path string) bool {
	if strings.HasSuffix(path, "main.swift") {
		return false
	}
	text, err := os.ReadFile(path)
	return err == nil && mainAttribute.Match(text)
}
