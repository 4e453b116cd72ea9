package main

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize/english"

	"silvm/cmd/silvm/internal/console"
	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/ir/source"
	"silvm/loader"
	"silvm/vm/measure"
)

// validateDump runs what the compiler printed after each of its passes. beside are files: the module of a dump that has only functions.
func (a *app) validateDump(log string, beside []string, every bool) error {
	text, err := a.read(log, 4<<30)
	if err != nil {
		return err
	}
	var base []byte
	if len(beside) > 0 {
		if base, err = a.read(beside[0], a.flags.limits().fileBytes); err != nil {
			return err
		}
	}
	d, err := measure.ReadDump(text, base)
	if err != nil {
		return failf(exitInvalid, "%s: %v", log, err)
	}
	// What the compiler links from the library only later is linked from the text of the library.
	options := a.loaderOptions(false)
	options.Embedded = d.Embedded
	if !d.Embedded {
		if options.Libraries, err = a.libraries(&program{inputs: []loader.Input{{Name: log, Text: d.At(len(d.Steps) - 1)}}}); err != nil {
			return err
		}
	}
	load := func(step int) (*ir.Module, error) {
		mod, diags := loader.LoadFiles([]loader.Input{{Name: fmt.Sprintf("%s:%d", log, d.Steps[step].Line), Text: d.At(step)}}, options)
		return mod, diags.Err()
	}
	v, err := measure.ValidateDump(d, load, measure.Options{Config: a.config(log, nil)}, every)
	var refused *measure.NotComparable
	if err != nil && !errors.As(err, &refused) {
		return failf(exitInvalid, "%s: %v", log, err)
	}
	if a.flags.json {
		line := console.Fields{"steps": len(d.Steps), "compared": v.Compared, "not_compared": v.Skipped, "different": v.Wrong != "", "uncalled": len(v.Uncalled)}
		if v.Wrong != "" {
			line["step"], line["pass"], line["what"], line["line"] = d.Steps[v.Step].Name, d.Steps[v.Step].Pass(), v.Wrong, d.Steps[v.Step].Line
		}
		a.summarize(line)
	} else {
		a.tellDump(log, d, v)
	}
	switch {
	case v.Wrong != "":
		return exitWith(exitDifference)
	case refused != nil:
		return failf(refused.Status, "%s: %v", log, refused)
	}
	return nil
}

// tellDump says what was found.
func (a *app) tellDump(log string, d *measure.Dump, v *measure.DumpVerdict) {
	if v.Skipped > 0 && v.First >= 0 {
		fmt.Fprintf(a.err, "note: %d steps could not be run and were NOT COMPARED, the last: %s\n", v.Skipped, source.Escape(v.Why))
	}
	if v.Note != "" && !a.flags.quiet {
		fmt.Fprintf(a.err, "note: %s\n", source.Escape(v.Note))
	}
	if n, all := len(v.Uncalled), len(d.Shown()); n > 0 && v.First >= 0 {
		fmt.Fprintf(a.err, "note: %d of the %d functions in the dump were called in no run and are NOT COMPARED, such as %s: where their bodies are inlined "+
			"in FILE, give what -emit-silgen prints\n", n, all, source.Escape(mangle.Simplified(v.Uncalled[0])))
	}
	if v.Wrong != "" {
		s := &d.Steps[v.Step]
		fmt.Fprintf(a.out, "%s:%d: the program does something else from %s on: %s\n", source.Escape(log), s.Line, source.Escape(s.Name), source.Escape(v.Wrong))
		if v.Good+1 < v.Step {
			fmt.Fprintf(a.out, "%s before it could not be run, and may be what does it, after line %d\n",
				english.Plural(v.Step-v.Good-1, "step", ""), d.Steps[v.Good].Line)
		}
		return
	}
	if !a.flags.quiet && v.First >= 0 {
		fmt.Fprintf(a.out, "%d steps: %d compared with %s (line %d), none different\n", len(d.Steps), v.Compared, source.Escape(d.Steps[v.First].Name), d.Steps[v.First].Line)
	}
}
