package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/loader"
)

// programArgs parts the words of a command line: files up to a --, then the arguments of the program.
func programArgs(cmd *cobra.Command, args []string) (files, rest []string, err error) {
	files = args
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		files, rest = args[:n], args[n:]
	}
	if len(files) == 0 {
		return nil, nil, failf(exitUsage, "%s needs a file", cmd.Name())
	}
	return files, rest, nil
}

// loadSound reads and links the files and shows what is wrong with them; with lazy, bodies are read when they are first needed. The
// error ends the command.
func (a *app) loadSound(files []string, lazy bool) (*ir.Module, error) {
	mod, diags, err := a.load(files, lazy)
	if err != nil {
		return nil, err
	}
	if err := a.show(diags, mod.Files); err != nil {
		return nil, err
	}
	if diags.Errors() > 0 {
		return nil, exitWith(exitInvalid)
	}
	return mod, nil
}

// loadWhole is loadSound with all bodies.
func (a *app) loadWhole(files []string) (*ir.Module, error) { return a.loadSound(files, false) }

// load reads and links the files. Diagnostics go to stderr; the error is that of the exit status.
func (a *app) load(files []string, lazy bool) (*ir.Module, *source.List, error) {
	limits := a.flags.limits()
	var inputs []loader.Input
	for _, name := range files {
		text, err := a.read(name, limits.fileBytes)
		if err != nil {
			return nil, nil, err
		}
		if name == "-" {
			name = "<stdin>"
		}
		inputs = append(inputs, loader.Input{Name: name, Text: text})
	}
	mod, diags := loader.LoadFiles(inputs, loader.Options{MaxNesting: limits.nesting, MaxBytes: limits.fileBytes, Lazy: lazy})
	return mod, diags, nil
}

// read gives the text of one file: "-" is stdin, gzip is unpacked whatever the name says, Swift is compiled first.
func (a *app) read(name string, max int) ([]byte, error) {
	if strings.HasSuffix(name, ".swift") {
		return a.compile(name)
	}
	in := a.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, failf(exitNoInput, "%v", err)
		}
		defer f.Close()
		in = f
	}
	text, err := readAtMost(in, max)
	if err != nil {
		return nil, failf(exitNoInput, "%s: %v", name, err)
	}
	if bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return nil, failf(exitNoInput, "%s: %v", name, err)
		}
		if text, err = readAtMost(z, max); err != nil {
			return nil, failf(exitNoInput, "%s: %v", name, err)
		}
	}
	return text, nil
}

// readAtMost reads to the end, and fails rather than take more than max bytes.
func readAtMost(r io.Reader, max int) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, int64(max)+1))
	if err == nil && len(text) > max {
		err = errors.New("more than " + humanize.IBytes(uint64(max)) + " of text")
	}
	return text, err
}

// compile lets the swiftc on PATH print the SIL of a Swift file.
func (a *app) compile(name string) ([]byte, error) {
	if _, err := os.Stat(name); err != nil {
		return nil, failf(exitNoInput, "%v", err)
	}
	swiftc, err := exec.LookPath("swiftc")
	if err != nil {
		return nil, failf(exitNoInput, "%s: no swiftc on PATH to compile it; print its SIL with 'swiftc -emit-sil -O' and give me that", name)
	}
	cmd := exec.Command(swiftc, "-emit-sil", "-O", "-module-name", "main", name)
	cmd.Stderr = a.err
	text, err := cmd.Output()
	if err != nil {
		return nil, failf(exitInvalid, "%s: swiftc failed: %v", name, err)
	}
	return text, nil
}

// swiftFiles finds Swift source: in the folders of --source, beside the SIL files, where it was compiled.
func (a *app) swiftFiles(files *source.Set) *source.SwiftFiles {
	s := &source.SwiftFiles{Dirs: slices.Clone(a.flags.source), Anywhere: !a.flags.untrusted}
	if files != nil {
		for _, f := range files.Files() {
			if f.Name != "-" && !f.Ours && !slices.Contains(s.Dirs, filepath.Dir(f.Name)) {
				s.Dirs = append(s.Dirs, filepath.Dir(f.Name))
			}
		}
	}
	return s
}

// show writes diagnostics to stderr, or as JSON lines to stdout.
func (a *app) show(list *source.List, files *source.Set) error {
	if a.flags.json {
		for _, d := range list.All() {
			line, err := files.MarshalLine(d)
			if err != nil {
				return err
			}
			if _, err := a.out.Write(append(line, '\n')); err != nil {
				return err
			}
		}
		return nil
	}
	r := source.Renderer{Files: files, Paint: a.painter(a.err), Swift: a.swiftFiles(files)}
	return r.Render(a.err, list)
}
