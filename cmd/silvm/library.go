package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"silvm/cmd/silvm/internal/console"
	"silvm/ir/source"
	"silvm/loader"
	"silvm/loader/toolchain"
)

// libraryCommand is silvm library.
func (a *app) libraryCommand() *cobra.Command {
	var from, remove string
	cmd := &cobra.Command{
		Use:   "library [--from swiftc [MODULE…]]",
		Short: "Print the standard library of a Swift toolchain into the cache, where every command finds it",
		Long: "Code that is compiled without optimization calls functions of the standard library whose SIL is in the toolchain's modules.\n" +
			"--from swiftc lets the compiler of that name print all modules as text (about a minute, once for each version, 100 MB) and keeps them\n" +
			"in the cache of the user. From then on every command that runs or checks a program links what the program reaches. A\n" +
			"Swift source or package that silvm compiles gets the library of its compiler; the text of a .sil file tells only whether its\n" +
			"compiler is older than 6.2, and of those that fit the newest is taken. -v says which.\n\n" +
			"Without --from, lists what the cache has.\n\n" +
			"Every command takes --library (or SILVM_LIBRARY): a version in the cache such as 6.0.3, files with the text of modules,\n" +
			"or none.",
		RunE: func(_ *cobra.Command, modules []string) error {
			cache, err := toolchain.UserCache()
			if err != nil {
				return failf(exitNoInput, "%v", err)
			}
			switch {
			case remove != "":
				return a.removeLibrary(cache, remove)
			case from == "" && len(modules) > 0:
				return failf(exitUsage, "modules are printed with --from swiftc")
			case from == "":
				return a.listLibraries(cache)
			}
			t, err := toolchain.Find(from)
			if err != nil {
				return failf(exitNoInput, "%v", err)
			}
			if len(modules) == 0 {
				modules = nil
			}
			_, err = a.printLibrary(cache, t, modules)
			return err
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "the compiler whose library is printed: a name that PATH finds, or a path")
	cmd.Flags().StringVar(&remove, "remove", "", "take the libraries of this version out of the cache")
	return cmd
}

// listLibraries prints what the cache has.
func (a *app) listLibraries(cache toolchain.Cache) error {
	entries := cache.Entries()
	for _, e := range entries {
		if a.flags.json {
			if err := a.record("library", console.Fields{"swift": e.Version, "compiler": e.Compiler, "triple": e.Triple, "folder": e.Dir, "bytes": e.Size(), "modules": e.Names()}); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(a.out, "%s, %s: %d modules, %s, in %s\n", e.Compiler, e.Triple, len(e.Modules), humanize.IBytes(uint64(e.Size())), e.Dir)
		if a.flags.verbose {
			fmt.Fprintf(a.out, "  %s\n", strings.Join(e.Names(), " "))
		}
	}
	if a.flags.json {
		a.summarize(console.Fields{"libraries": len(entries)})
		return nil
	}
	if len(entries) == 0 && !a.flags.quiet {
		fmt.Fprintln(a.out, "no library is in the cache: silvm library --from swiftc")
	}
	return nil
}

func (a *app) removeLibrary(cache toolchain.Cache, version string) error {
	found := false
	for _, e := range cache.Entries() {
		if e.Version != version {
			continue
		}
		found = true
		if err := e.Remove(); err != nil {
			return failf(exitNoOutput, "%v", err)
		}
	}
	if !found {
		return failf(exitNoInput, "the cache has no library of Swift %s", version)
	}
	return nil
}

// printLibrary prints modules of a toolchain into the cache and says how far it is.
func (a *app) printLibrary(cache toolchain.Cache, t *toolchain.Toolchain, modules []string) (*toolchain.Entry, error) {
	if !a.flags.quiet {
		fmt.Fprintf(a.err, "printing the library of %s, once\n", t.Compiler)
	}
	failed := 0
	e, err := cache.Print(t, modules, func(name string, done, all int, err error) {
		switch {
		case err != nil:
			failed++
			if a.flags.verbose {
				fmt.Fprintf(a.err, "  %d/%d %s: %s\n", done, all, name, source.Escape(err.Error()))
			}
		case !a.flags.quiet:
			fmt.Fprintf(a.err, "  %d/%d %s\n", done, all, name)
		}
	})
	if err != nil {
		return nil, failf(exitNoInput, "%v", err)
	}
	if !a.flags.quiet {
		more := ""
		if failed > 0 {
			more = fmt.Sprintf("; %d can't be printed (-v says why)", failed)
		}
		fmt.Fprintf(a.err, "%d modules, %s, in %s%s\n", len(e.Modules), humanize.IBytes(uint64(e.Size())), e.Dir, more)
	}
	return e, nil
}

// program is what a load is about: its texts, and the compiler when silvm called one.
type program struct {
	inputs   []loader.Input
	compiler *toolchain.Toolchain
}

// importsMore reports whether the program imports a module besides those of every program. Each file of a module has its imports where its
// declarations begin, so that they stand all over the text.
func (p *program) importsMore() bool {
	for _, in := range p.inputs {
		for text := in.Text; ; {
			n := bytes.Index(text, []byte("import "))
			if n < 0 {
				break
			}
			before := text[bytes.LastIndexByte(text[:n], '\n')+1 : n]
			name, rest, _ := bytes.Cut(text[n+len("import "):], []byte("\n"))
			if (len(before) == 0 || before[0] == '@') && !slices.Contains([]string{"Builtin", "Swift", "SwiftShims", "_Concurrency"}, string(bytes.TrimSpace(name))) {
				return true
			}
			text = rest
		}
	}
	return false
}

// text returns the first text.
func (p *program) text() []byte { return p.inputs[0].Text }

// libraries returns what the program is linked with, as --library says. They stay open until the command ends.
func (a *app) libraries(p *program) ([]*loader.Library, error) {
	chosen := a.flags.library
	if slices.Equal(chosen, []string{"none"}) {
		return nil, nil
	}
	cache, err := toolchain.UserCache()
	if err != nil {
		if len(chosen) == 0 {
			return nil, nil // nobody asked for one
		}
		return nil, failf(exitNoInput, "--library: %v", err)
	}
	if len(chosen) == 0 {
		return a.fitting(cache, p)
	}
	if len(chosen) == 1 && !fileExists(chosen[0]) {
		for _, e := range cache.Entries() {
			if e.Version == chosen[0] {
				if _, fits := toolchain.Choose([]*toolchain.Entry{e}, p.text()); !fits {
					a.sayOther(e, p)
				}
				return a.opened(cache, e, p)
			}
		}
		if chosen[0] != filepath.Base(chosen[0]) || strings.HasSuffix(chosen[0], ".sil") {
			return nil, failf(exitNoInput, "--library: %s is no file", chosen[0])
		}
		return nil, failf(exitNoInput, "--library: %s is no file, and the cache has no library of that version (silvm library lists them)", chosen[0])
	}
	return a.libraryFiles(cache, chosen)
}

// sayOther says that a library is of another compiler than the program.
func (a *app) sayOther(e *toolchain.Entry, p *program) {
	if !a.flags.quiet {
		fmt.Fprintf(a.err, "note: the program was printed by %s, and the library in use is that of %s\n", toolchain.Prints(p.text()), e.Version)
	}
}

func fileExists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// libraryFiles opens the texts that --library names.
func (a *app) libraryFiles(cache toolchain.Cache, files []string) ([]*loader.Library, error) {
	key := strings.Join(files, "\x00")
	if l := a.opens[key]; l != nil {
		return l.List, nil
	}
	l := &toolchain.Libraries{}
	a.keepOpen(key, l)
	for _, name := range files {
		if err := cache.OpenFile(l, name, int64(a.flags.limits().fileBytes)); err != nil {
			return nil, failf(exitNoInput, "--library: %v", err)
		}
	}
	return l.List, nil
}

// keepOpen keeps libraries until the command ends.
func (a *app) keepOpen(key string, l *toolchain.Libraries) {
	if a.opens == nil {
		a.opens = map[string]*toolchain.Libraries{}
	}
	a.opens[key] = l
}

// closeLibraries ends the use of all libraries.
func (a *app) closeLibraries() {
	for _, l := range a.opens {
		l.Close()
	}
	a.opens = nil
}

// fitting returns the library of the program's compiler.
func (a *app) fitting(cache toolchain.Cache, p *program) ([]*loader.Library, error) {
	if p.compiler == nil {
		e, fits := toolchain.Choose(cache.Entries(), p.text())
		if e == nil {
			return nil, nil
		}
		if !fits {
			a.sayOther(e, p)
		}
		return a.opened(cache, e, p)
	}
	e := cache.Entry(p.compiler)
	if e == nil {
		var err error
		if e, err = a.printLibrary(cache, p.compiler, append(slices.Clone(toolchain.Implicit()), "Synchronization")); err != nil {
			fmt.Fprintf(a.err, "note: going on without the text of the library: %v\n", err)
			return nil, nil
		}
	}
	return a.opened(cache, e, p)
}

// opened opens the modules of a library that the program may reach. A damaged one is printed again when its compiler is at hand.
func (a *app) opened(cache toolchain.Cache, e *toolchain.Entry, p *program) ([]*loader.Library, error) {
	all := p.importsMore()
	key := fmt.Sprint(e.Dir, all)
	if l := a.opens[key]; l != nil {
		return l.List, nil
	}
	wanted := func(name string) bool { return all || slices.Contains(toolchain.Implicit(), name) }
	l, err := e.Open(wanted)
	if errors.Is(err, toolchain.ErrDamaged) {
		fmt.Fprintf(a.err, "note: %v\n", err)
		if again := a.printAgain(cache, e); again != nil {
			e = again
			l, err = e.Open(wanted)
		}
	}
	if err != nil {
		fmt.Fprintf(a.err, "note: going on without the text of the library: %v (silvm library --from swiftc makes it anew)\n", err)
		return nil, nil
	}
	if a.flags.verbose {
		fmt.Fprintf(a.err, "note: the library is that of %s, in %s\n", e.Compiler, e.Dir)
	}
	a.keepOpen(key, l)
	return l.List, nil
}

// printAgain makes a damaged library anew if the compiler on PATH is its own; nil when it can't.
func (a *app) printAgain(cache toolchain.Cache, e *toolchain.Entry) *toolchain.Entry {
	t, err := toolchain.Find("swiftc")
	if err != nil || t.Compiler != e.Compiler || t.Triple != e.Triple {
		return nil
	}
	again, err := a.printLibrary(cache, t, e.Names())
	if err != nil {
		return nil
	}
	return again
}
