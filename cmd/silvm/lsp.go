package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"silvm/debugger/lsp"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/ir/verify"
	"silvm/loader"
	"silvm/vm/measure"
)

func (a *app) lspCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lsp",
		Short: "The language server for editors: diagnostics, hover, definitions, references, rename, formatting",
		Long: "Speaks the Language Server Protocol on standard input and output, for files of SIL text.\n" +
			"The command silvm.counts (workspace/executeCommand, with the URI of an open file) runs the program and shows in\n" +
			"hover what each instruction did.",
		Args: takes(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			s := lsp.NewServer(lsp.Tools{Check: a.checkText, Format: a.formatText, Run: a.countText})
			if err := s.Serve(a.in, unclosed{a.out}); err != nil {
				return failf(exitNoInput, "%v", err)
			}
			return nil
		},
	}
}

// unclosed is standard output for who wants to close it.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// checkText does for a text what silvm check does for a file.
func (a *app) checkText(name string, text []byte) (*ir.Module, *source.List) {
	mod, diags := loader.Load(name, text, a.loaderOptions(false))
	checkModule(mod, diags)
	return mod, diags
}

// checkModule adds to diags what is wrong with a module that was read.
func checkModule(mod *ir.Module, diags *source.List) {
	if diags.Errors() == 0 {
		unknownInstructions(mod, diags)
		verify.Module(mod, diags)
	}
	if diags.Errors() == 0 {
		verify.Exclusivity(mod, diags)
		verify.Promises(mod, diags)
		verify.OptionalCasts(mod, diags)
	}
}

// formatText does for a text what silvm fmt does for a file.
func (a *app) formatText(name string, text []byte) ([]byte, error) {
	mod, diags := loader.Load(name, text, a.textOptions(true))
	if err := diags.Err(); err != nil {
		return nil, err
	}
	mod.AsWritten = true
	var out bytes.Buffer
	err := mod.Print(&out)
	return out.Bytes(), err
}

// countText runs a program and counts what its instructions did.
func (a *app) countText(name string, text []byte) (*lsp.Counts, error) {
	p := &program{inputs: []loader.Input{{Name: name, Text: text}}}
	options := a.loaderOptions(false)
	var err error
	if options.Libraries, err = a.libraries(p); err != nil {
		return nil, err
	}
	mod, diags := loader.LoadFiles(p.inputs, options)
	checkModule(mod, diags)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	cfg := a.config(name, nil)
	cfg.Stdin = bytes.NewReader(nil)
	t, err := measure.Trace(mod, cfg, false)
	if err != nil {
		return nil, err
	}
	if t.Outcome.Unsupported {
		return nil, fmt.Errorf("the program could not be run to its end: %s", t.Outcome.Trap)
	}
	counts := &lsp.Counts{Lines: map[int]lsp.Count{}}
	for _, site := range t.Sites {
		c := lsp.Count{Retains: site.Count.Retains, Releases: site.Count.Releases, Allocations: site.Count.Allocs, Deinits: site.Count.Deinits}
		counts.Total.Add(c)
		if site.Inst == nil {
			continue
		}
		if place := mod.Files.Place(site.Inst.Pos); place.File == name {
			line := counts.Lines[place.Line]
			line.Add(c)
			counts.Lines[place.Line] = line
		}
	}
	return counts, nil
}
