package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/opt"
	"silvm/opt/pass"
)

// passFlags choose the passes that are run before execution: -O the default pipeline, -O0 none, --passes any.
type passFlags struct {
	level  string
	passes string
}

// register adds the flags. level is what holds when neither is given.
func (p *passFlags) register(fs *pflag.FlagSet, level string) {
	fs.StringVarP(&p.level, "optimize", "O", level, "optimize before execution: -O the default pipeline, -O0 nothing")
	fs.Lookup("optimize").NoOptDefVal = "1"
	fs.StringVar(&p.passes, "passes", "", "run these passes instead, separated by commas, under sil-opt's names")
}

// list returns the passes chosen.
func (p *passFlags) list() ([]*pass.Pass, error) {
	if p.passes != "" {
		return passesNamed(strings.Split(p.passes, ","))
	}
	switch p.level {
	case "0", "none":
		return nil, nil
	case "1", "", "size", "unchecked":
		return opt.Default.Passes, nil
	}
	return nil, failf(exitUsage, "-O%s: there is -O and -O0", p.level)
}

// passLook says what is told of passes before the program runs, as silvm opt tells it.
type passLook struct {
	remarks  bool
	changed  string // "", "text" or "diff"
	function string
	html     string
}

func (l *passLook) register(fs *pflag.FlagSet) {
	fs.BoolVar(&l.remarks, "remarks", false, "say on stderr what each pass did and what it left alone")
	fs.StringVar(&l.changed, "print-changed", "", "print each function on stderr after a pass that changed it (text), or the difference (diff)")
	fs.Lookup("print-changed").NoOptDefVal = "text"
	fs.StringVar(&l.function, "func", "", "print and record only functions with this in their names")
	fs.StringVar(&l.html, "html", "", "write a page with a column for each pass that changed something")
}

func (l *passLook) isSet() bool {
	return l.remarks || l.changed != "" || l.html != "" || l.function != ""
}

// runPassesSeen runs passes before the program and tells of them.
func (a *app) runPassesSeen(mod *ir.Module, passes []*pass.Pass, look passLook, opts pass.Options) error {
	if !look.isSet() {
		return a.runPasses(mod, passes, opts, runAgain)
	}
	if look.changed != "" && look.changed != "text" && look.changed != "diff" {
		return failf(exitUsage, "--print-changed=%s: there is text and diff", look.changed)
	}
	finish := a.observe(mod, &optLine{passes: passes, remarks: look.remarks, printChanged: look.changed, function: look.function, html: look.html}, &opts)
	return errors.Join(a.runPasses(mod, passes, opts, runAgain), finish())
}

// passesNamed looks passes up; the leading dash may be there or not.
func passesNamed(names []string) ([]*pass.Pass, error) {
	var list []*pass.Pass
	for _, name := range names {
		name = strings.TrimLeft(strings.TrimSpace(name), "-")
		if name == "" {
			continue
		}
		p := opt.Lookup(name)
		if p == nil {
			return nil, failf(exitUsage, "no pass %s%s", source.Escape(name), source.DidYouMean(name, passNames()))
		}
		list = append(list, p)
	}
	return list, nil
}

func passNames() []string {
	var names []string
	for _, p := range opt.Passes() {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return names
}
