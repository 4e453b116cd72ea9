// Package debugtest opens the programs that the tests of the debugger's front ends step through.
package debugtest

import (
	"io"
	"path/filepath"
	"testing"

	"silvm/debugger"
	"silvm/ir/source"
	"silvm/loader"
	"silvm/loader/siltest"
	"silvm/vm"
	"silvm/vm/native"
)

// programs is where the programs are, from the folder of a front end.
const programs = "../../cmd/silvm/testdata/debug/"

// Read returns the text of a program, by the name of its file.
func Read(t testing.TB, file string) []byte {
	t.Helper()
	text, err := siltest.Read(filepath.FromSlash(programs + file))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Open opens a session on a program that prints to out.
func Open(t testing.TB, file string, out io.Writer) *debugger.Debugger {
	t.Helper()
	mod, diags := loader.Load(file, Read(t, file), loader.Options{Lazy: true})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	d, err := debugger.New(mod, debugger.Config{VM: vm.Config{Stdout: out, Natives: native.Table()}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Swift returns where the Swift files of the programs are.
func Swift() *source.SwiftFiles { return &source.SwiftFiles{Dirs: []string{programs}} }
