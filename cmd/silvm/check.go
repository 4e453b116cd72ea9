package main

import (
	"fmt"
	"sort"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"silvm/cmd/silvm/internal/console"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/source"
)

func (a *app) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE…",
		Short: "Parse and verify; list what silvm does not support",
		Args:  takes(1, -1, aFile),
		RunE: func(_ *cobra.Command, args []string) error {
			mod, diags, err := a.load(args, false)
			if err != nil {
				return err
			}
			if len(mod.Items) == 0 && diags.Errors() == 0 {
				return failf(exitInvalid, "%s: the file is empty", called(args[0]))
			}
			checkModule(mod, diags)
			return a.reportCheck(mod, ofProgram(mod, diags))
		},
	}
}

// ofProgram leaves out what is about the library that is linked to the program.
func ofProgram(mod *ir.Module, diags *source.List) *source.List {
	list := &source.List{Files: diags.Files}
	for _, d := range diags.All() {
		if !mod.Files.IsOurs(d.Pos) {
			list.Add(d)
		}
	}
	return list
}

// functions returns the functions of the program's own files.
func functions(mod *ir.Module) []*ir.Function {
	var list []*ir.Function
	for _, f := range mod.Functions() {
		if !mod.Files.IsOurs(f.Pos) {
			list = append(list, f)
		}
	}
	return list
}

func (a *app) reportCheck(mod *ir.Module, diags *source.List) error {
	if err := a.show(diags, mod.Files); err != nil {
		return err
	}
	missing := unsupported(mod)
	switch {
	case a.flags.json:
		for _, u := range missing {
			if err := a.record("unsupported", console.Fields{"instruction": u.name, "count": u.count}); err != nil {
				return err
			}
		}
		a.summarize(console.Fields{"functions": len(functions(mod)), "errors": diags.Errors()})
	default:
		for _, u := range missing {
			fmt.Fprintf(a.err, "note: not supported by silvm: %s, %d times, first in %s\n", u.name, u.count, source.Escape(mod.DisplayName(u.first)))
		}
		if !a.flags.quiet {
			stage := ""
			if mod.Stage == ir.StageRaw {
				stage = " (raw SIL, which the compiler has not diagnosed yet)"
			}
			fmt.Fprintf(a.err, "%s, %s%s\n", english.Plural(len(functions(mod)), "function", ""), english.Plural(diags.Errors(), "error", ""), stage)
		}
	}
	if diags.Errors() > 0 {
		return exitWith(exitInvalid)
	}
	return nil
}

// unknownInstructions makes errors of the instructions that no row of the table is for: a run may never come to them, but they are no SIL that
// silvm knows.
func unknownInstructions(mod *ir.Module, diags *source.List) {
	for _, f := range mod.Functions() {
		for i := range f.Insts() {
			if text, ok := i.Aux.(*ir.TextAux); ok && i.Op == op.Invalid {
				diags.InstErrorf(i.Pos, "unknown-instruction", "unknown instruction '%s'", text.Name)
			}
		}
	}
}

// use is an instruction that silvm can't run, and how often the module has it.
type use struct {
	name  string
	count int
	first string // function
}

// unsupported counts the instructions whose row says that the machine only traps on them, and the words in the types of functions that only a
// newer compiler knows.
func unsupported(mod *ir.Module) []use {
	found := map[string]*use{}
	note := func(name string, f *ir.Function) {
		if found[name] == nil {
			found[name] = &use{name: name, first: f.Name}
		}
		found[name].count++
	}
	for _, f := range functions(mod) {
		if f.Type != nil && f.Type.Func != nil {
			if word := f.Type.Func.Unread(); word != "" {
				note(word, f)
			}
		}
		for i := range f.Insts() {
			if i.Op != op.Invalid && i.Row().Run != op.RunTrap {
				continue
			}
			name := i.Op.String()
			if text, ok := i.Aux.(*ir.TextAux); ok {
				name = text.Name
			}
			note(name, f)
		}
	}
	var out []use
	for _, u := range found {
		out = append(out, *u)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out
}
