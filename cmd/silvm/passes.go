package main

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

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
