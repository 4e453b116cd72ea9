package toolchain

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// Program is the input that is compiled to the SIL of one module.
type Program struct {
	Module  string
	Sources []string
	Flags   []string // for swiftc; those of the user come last and win
	Library bool     // no file has code at the top level
}

// ErrRejected is for sources that the compiler does not accept; what it says of them went to standard error.
var ErrRejected = errors.New("swiftc found errors")

// Compile prints the SIL of a program, optimized unless the flags say otherwise, with the places of the Swift sources. What the compiler says
// goes to stderr.
func (t *Toolchain) Compile(p *Program, stderr io.Writer) ([]byte, error) {
	args := []string{"-emit-sil", "-O", "-module-name", p.Module, "-Xllvm", "-sil-print-debuginfo"}
	if len(p.Sources) > 1 {
		args = append(args, "-wmo")
	}
	if p.Library || len(p.Sources) == 1 && hasMain(p.Sources[0]) {
		args = append(args, "-parse-as-library")
	}
	args = append(args, p.Flags...)
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
