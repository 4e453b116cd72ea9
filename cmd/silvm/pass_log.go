package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/opt"
	"silvm/opt/pass"
)

// passLog tells what the pass manager does in the words of sil-opt, and leaves out what sil-opt would: -sil-print-… and its kin. Lists hold
// parts of names, by which a pass is meant whatever of its two names has them.
type passLog struct {
	names                  bool // tell each run
	all                    bool // print the module first, then what passes change
	before, after, disable []string
	around                 []string // before and after those passes, where there is no other list for the one or the other
	disableIn              []string // functions in which passes are disabled; all when empty
	functions              []string // names of functions to print; all when these are empty
	functionParts          []string
	most                   int // runs after which no pass is run, -1 for no bound

	a      *app
	passes []*pass.Pass
	runs   int
	inside bool // passes on functions are being run
	done   map[*ir.Function]map[string]bool
}

// logFlags are those that fill the log; one that takes a list may be repeated.
var logFlags = []optFlag{
	{[]string{"sil-print-before"}, "TEXT", true, "print functions on stderr before passes with this in their names", func(_ *app, l *optLine, v string) { l.log.before = append(l.log.before, v) }},
	{[]string{"sil-print-after"}, "TEXT", true, "print functions on stderr after passes with this in their names", func(_ *app, l *optLine, v string) { l.log.after = append(l.log.after, v) }},
	{[]string{"sil-print-around"}, "TEXT", true, "print functions on stderr before and after passes with this in their names", func(_ *app, l *optLine, v string) {
		l.log.around = append(l.log.around, v)
	}},
	{[]string{"sil-print-all"}, "", false, "print the module on stderr, then each function after a pass that changed it", func(_ *app, l *optLine, v string) { l.log.all = isOn(v) }},
	{[]string{"sil-print-function"}, "NAME", true, "print only this function", func(_ *app, l *optLine, v string) { l.log.functions = append(l.log.functions, v) }},
	{[]string{"sil-print-functions"}, "TEXT", true, "print only functions with this in their names", func(_ *app, l *optLine, v string) { l.log.functionParts = append(l.log.functionParts, v) }},
	{[]string{"sil-print-pass-name"}, "", false, "tell each run of a pass on stderr", func(_ *app, l *optLine, v string) { l.log.names = isOn(v) }},
	{[]string{"sil-disable-pass"}, "TEXT", true, "leave passes with this in their names out", func(_ *app, l *optLine, v string) { l.log.disable = append(l.log.disable, v) }},
	{[]string{"sil-disable-pass-only-function"}, "NAME", true, "leave them out in this function only", func(_ *app, l *optLine, v string) { l.log.disableIn = append(l.log.disableIn, v) }},
	{[]string{"sil-opt-pass-count"}, "N", true, "run no pass after N runs of passes", func(_ *app, l *optLine, v string) { l.passCount = v }},
}

// attach lets the log hear of the passes, of which one that is run several times must be told apart.
func (g *passLog) attach(a *app, mod *ir.Module, line *optLine, opts *pass.Options) error {
	g.a, g.most, g.done = a, -1, map[*ir.Function]map[string]bool{}
	if line.passCount != "" {
		n, err := strconv.Atoi(line.passCount)
		if err != nil {
			return failf(exitUnsupported, "not supported by silvm: -sil-opt-pass-count=%s, which stops in the middle of a pass", source.Escape(line.passCount))
		}
		g.most = n
	}
	for n, p := range line.passes {
		if slices.Contains(line.passes[:n], p) {
			again := *p
			line.passes[n] = &again
		}
	}
	g.passes = line.passes
	if len(g.before) == 0 {
		g.before = g.around
	}
	if len(g.after) == 0 {
		g.after = g.around
	}
	if g.all {
		fmt.Fprintln(a.err, "*** SIL module before Pass List Pipeline ***")
		if err := mod.PrintCommented(a.err); err != nil {
			return err
		}
	}
	opts.Allow = g.allow
	before, after := opts.Before, opts.After
	opts.Before = func(p *pass.Pass, f *ir.Function) {
		before(p, f)
		g.print("before", g.before, mod, p, f)
	}
	opts.After = func(p *pass.Pass, f *ir.Function, changed bool) {
		after(p, f, changed)
		which := g.after
		if g.all && changed {
			which = []string{""}
		}
		g.print("after", which, mod, p, f)
		g.finished(p, f, changed)
	}
	return nil
}

// allow reports whether a pass is run, and tells it. One that had nothing to do is not run again before something else has changed the function.
func (g *passLog) allow(p *pass.Pass, f *ir.Function) bool {
	if g.most >= 0 && g.runs >= g.most {
		return false
	}
	if g.names && f != nil && !g.inside {
		fmt.Fprintln(g.a.err, "Start function passes at stage: Pass List Pipeline")
	}
	g.inside = f != nil
	word, where := "Run", ""
	if f == nil {
		word = "Run module pass"
	} else {
		where = ", Function: " + f.Name
	}
	disabled := isNamed(g.disable, p) && (len(g.disableIn) == 0 || f != nil && slices.Contains(g.disableIn, f.Name))
	skipped := g.done[f][p.Name]
	switch {
	case disabled:
		word = "(Disabled)"
	case skipped:
		word = "(Skip)"
	}
	if g.names {
		fmt.Fprintf(g.a.err, "  %s %s%s\n", word, g.place(p), source.Escape(where))
	}
	return !disabled && !skipped
}

func (g *passLog) finished(p *pass.Pass, f *ir.Function, changed bool) {
	g.runs++
	switch {
	case changed && f == nil:
		clear(g.done)
	case changed:
		delete(g.done, f)
	case f != nil:
		if g.done[f] == nil {
			g.done[f] = map[string]bool{}
		}
		g.done[f][p.Name] = true
	}
}

// place says which run of which pass it is.
func (g *passLog) place(p *pass.Pass) string {
	return fmt.Sprintf("#%d, stage Pass List Pipeline, pass %d: %s (%s)", g.runs, slices.Index(g.passes, p), opt.CompilerTag(p.Name), p.Name)
}

// isNamed reports whether one of the texts is part of a name of the pass.
func isNamed(texts []string, p *pass.Pass) bool {
	return slices.ContainsFunc(texts, func(text string) bool {
		return strings.Contains(p.Name, text) || strings.Contains(opt.CompilerTag(p.Name), text)
	})
}

// print prints the function, or the module, that the pass is run on.
func (g *passLog) print(when string, which []string, mod *ir.Module, p *pass.Pass, f *ir.Function) {
	switch {
	case !isNamed(which, p):
	case f == nil:
		fmt.Fprintf(g.a.err, "  *** SIL module %s %s\n", when, g.place(p))
		_ = mod.PrintCommented(g.a.err) // stderr has nobody to tell
	case g.prints(f):
		fmt.Fprintf(g.a.err, "  *** SIL function %s  %s\n%s\n", when, g.place(p), ir.NewLines(f).Function())
	}
}

func (g *passLog) prints(f *ir.Function) bool {
	return len(g.functions) == 0 && len(g.functionParts) == 0 || slices.Contains(g.functions, f.Name) ||
		slices.ContainsFunc(g.functionParts, func(part string) bool { return strings.Contains(f.Name, part) })
}
