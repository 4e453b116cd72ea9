package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

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

// loadSound reads and links the files, with the library, and shows what is wrong with them; with lazy, bodies are read when they are first
// needed. The error ends the command.
func (a *app) loadSound(files []string, lazy bool) (*ir.Module, error) {
	mod, diags, err := a.load(files, lazy)
	return a.sound(mod, diags, err)
}

// sound shows what is wrong with a module that was loaded.
func (a *app) sound(mod *ir.Module, diags *source.List, err error) (*ir.Module, error) {
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

// loadText is loadSound with all bodies of the files and nothing beside them but, if wanted, people's comments: for commands that print what
// they read.
func (a *app) loadText(files []string, comments bool) (*ir.Module, error) {
	p, err := a.readProgram(files)
	if err != nil {
		return nil, err
	}
	mod, diags := loader.LoadFiles(p.inputs, a.textOptions(comments))
	return a.sound(mod, diags, nil)
}

// textOptions are the loader's for commands that print what they read.
func (a *app) textOptions(comments bool) loader.Options {
	options := a.loaderOptions(false)
	options.Unlinked, options.Comments = true, comments
	return options
}

// load reads the files and links them with the library. The error is that of the exit status.
func (a *app) load(files []string, lazy bool) (*ir.Module, *source.List, error) {
	p, err := a.readProgram(files)
	if err != nil {
		return nil, nil, err
	}
	options := a.loaderOptions(lazy)
	if options.Libraries, err = a.libraries(p); err != nil {
		return nil, nil, err
	}
	mod, diags := loader.LoadFiles(p.inputs, options)
	return mod, diags, nil
}

func (a *app) loaderOptions(lazy bool) loader.Options {
	limits := a.flags.limits()
	return loader.Options{MaxNesting: limits.nesting, MaxBytes: limits.fileBytes, Lazy: lazy}
}

// readProgram reads the files; those of Swift are compiled together, as one module.
func (a *app) readProgram(files []string) (*program, error) {
	p := &program{}
	var swift []string
	for _, name := range files {
		if isSwift(name) {
			swift = append(swift, name)
		}
	}
	if len(swift) > 0 {
		compiled, err := a.compile(swift)
		if err != nil {
			return nil, err
		}
		*p = *compiled
	}
	for _, name := range files {
		if isSwift(name) {
			continue
		}
		text, err := a.read(name, a.flags.limits().fileBytes)
		if err != nil {
			return nil, err
		}
		if name == "-" {
			name = "<stdin>"
		}
		p.inputs = append(p.inputs, loader.Input{Name: name, Text: text})
	}
	return p, nil
}

// read returns the text of one file: "-" is stdin, gzip is unpacked whatever the name says, Swift is compiled first.
func (a *app) read(name string, max int) ([]byte, error) {
	if isSwift(name) {
		p, err := a.compile([]string{name})
		if err != nil {
			return nil, err
		}
		return p.text(), nil
	}
	in, size := a.in, 0
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, failf(exitNoInput, "%v", err)
		}
		defer f.Close()
		if about, err := f.Stat(); err == nil && about.Mode().IsRegular() {
			size = int(min(about.Size(), int64(max)))
		}
		in = f
	}
	text, err := readAtMost(in, size, max)
	if err != nil {
		return nil, failf(exitNoInput, "%s: %v", name, err)
	}
	if bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return nil, failf(exitNoInput, "%s: %v", name, err)
		}
		if text, err = readAtMost(z, 4*size, max); errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, failf(exitNoInput, "%s: the packed text breaks off", called(name))
		} else if err != nil {
			return nil, failf(exitNoInput, "%s: %v", name, err)
		}
	}
	return text, nil
}

// readAtMost reads to the end, which is about size bytes away, and fails rather than take more than max bytes.
func readAtMost(r io.Reader, size, max int) ([]byte, error) {
	room := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err := room.ReadFrom(io.LimitReader(r, int64(max)+1))
	text := room.Bytes()
	if err == nil && len(text) > max {
		err = errors.New("more than " + humanize.IBytes(uint64(max)) + " of text")
	}
	return text, err
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
		swift := a.swiftFiles(files)
		for _, d := range list.All() {
			line, err := files.MarshalLine(d, swift)
			if err != nil {
				return err
			}
			if err := written(a.json.Finding(line)); err != nil {
				return err
			}
		}
		return nil
	}
	r := source.Renderer{Files: files, Paint: a.painter(a.err), Swift: a.swiftFiles(files)}
	return r.Render(a.err, list)
}
