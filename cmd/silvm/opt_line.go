package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"silvm/ir/source"
	"silvm/opt"
	"silvm/opt/pass"
)

// optLine is a command line of silvm opt, taken apart. The options are sil-opt's, with one dash or two, and silvm's own.
type optLine struct {
	files    []string
	settings []string
	passes   []*pass.Pass
	ignored  []string

	out          string
	verify       bool
	verified     bool // take the module for verified
	sorted       bool
	comments     bool   // keep people's
	places       bool   // print where instructions come from
	types        string // whether to print the types of all operands: "", "true" or "false"
	remarks      bool
	whole        bool
	linked       bool
	counts       bool
	time         bool
	printChanged string // "", "text" or "diff"
	html         string
	function     string
	before       string // names of passes, separated by commas
	after        string
	disable      string
	stopAfter    string
	log          passLog
	passCount    string
	module       string // the name of the Swift module, "" to find it in the names of what the files define
}

// optFlag is one option that silvm opt knows.
type optFlag struct {
	names  []string // the first is shown
	value  string   // how the value is shown, "" for an option without one
	spaced bool     // the value may be the next word
	doc    string
	set    func(a *app, l *optLine, value string)
}

var optFlags = []optFlag{
	{[]string{"o"}, "FILE", true, "write there instead of stdout", func(_ *app, l *optLine, v string) { l.out = v }},
	{[]string{"enable-sil-verify-all", "sil-verify-all"}, "", false, "verify before the first pass and after each one", func(_ *app, l *optLine, v string) { l.verify = isOn(v) }},
	{[]string{"sil-disable-input-verify"}, "", false, "take the module as it is: no verification before the first pass", func(_ *app, l *optLine, v string) { l.verified = isOn(v) }},
	{[]string{"emit-sorted-sil"}, "", false, "print the module in the order of names, blocks in reverse postorder", func(_ *app, l *optLine, v string) { l.sorted = isOn(v) }},
	{[]string{"keep-comments"}, "", false, "keep the comments of the file at what is left of what they stand at; sil-opt drops them", func(_ *app, l *optLine, v string) { l.comments = isOn(v) }},
	{[]string{"sil-print-debuginfo"}, "", false, "print where each instruction comes from, with the scopes", func(_ *app, l *optLine, v string) { l.places = isOn(v) }},
	{[]string{"sil-print-types", "print-types"}, "[=false]", false, "print the types of all operands, or only those that newer compilers print; as in the file if not given", func(_ *app, l *optLine, v string) {
		l.types = map[bool]string{true: "true", false: "false"}[isOn(v)]
	}},
	{[]string{"print-changed"}, "[=diff]", false, "print each function on stderr after a pass that changed it, or the difference", func(_ *app, l *optLine, v string) {
		l.printChanged = map[bool]string{true: "diff", false: "text"}[v == "diff"]
	}},
	{[]string{"print-before"}, "PASS,…", false, "print functions on stderr before these passes", func(_ *app, l *optLine, v string) { l.before = v }},
	{[]string{"print-after"}, "PASS,…", false, "print functions on stderr after these passes", func(_ *app, l *optLine, v string) { l.after = v }},
	{[]string{"print-around"}, "PASS,…", false, "print functions on stderr before and after these passes", func(_ *app, l *optLine, v string) {
		l.before, l.after = v, v
	}},
	{[]string{"func"}, "NAME", false, "print and record only functions with this in their names", func(_ *app, l *optLine, v string) { l.function = v }},
	{[]string{"disable"}, "PASS,…", false, "leave these passes out", func(_ *app, l *optLine, v string) { l.disable = v }},
	{[]string{"stop-after"}, "PASS", false, "run no pass after this one", func(_ *app, l *optLine, v string) { l.stopAfter = v }},
	{[]string{"module-name"}, "NAME", true, "the name of the Swift module, which is in the names of what passes add; main if not given and passes are", func(_ *app, l *optLine, v string) { l.module = v }},
	{[]string{"O"}, "", false, "the passes of silvm run -O", func(_ *app, l *optLine, v string) {
		if isOn(v) {
			l.passes = append(l.passes, opt.Default.Passes...)
		}
	}},
	{[]string{"wmo"}, "", false, "the module is the whole program", func(_ *app, l *optLine, _ string) { l.whole = true }},
	{[]string{"linked"}, "", false, "link the file with the library and take it as the whole program: what silvm run -O makes of it", func(_ *app, l *optLine, v string) { l.linked = isOn(v) }},
	{[]string{"remarks"}, "", false, "say on stderr what each pass did and what it left alone", func(_ *app, l *optLine, _ string) { l.remarks = true }},
	{[]string{"counts"}, "", false, "run the program after each pass and show the retains and releases on stderr", func(_ *app, l *optLine, _ string) { l.counts = true }},
	{[]string{"time"}, "", false, "show on stderr how long each pass took", func(_ *app, l *optLine, _ string) { l.time = true }},
	{[]string{"html"}, "FILE", false, "write a page with a column for each pass that changed something", func(_ *app, l *optLine, v string) { l.html = v }},
	{[]string{"v"}, "", false, "say more", func(a *app, _ *optLine, _ string) { a.flags.verbose = true }},
	{[]string{"q"}, "", false, "no notes", func(a *app, _ *optLine, _ string) { a.flags.quiet = true }},
}

// isOn reads the value of an option that is on or off; none at all means on.
func isOn(value string) bool { return value != "false" && value != "0" }

// silOptOptions are the options of sil-opt 6.0.3 and 6.2.3 that are no passes, a line each, with a = after those that have a value, which
// may be the next word.
//
//go:embed silopt_options.txt
var silOptOptions string

// takesWord reports whether the word after an option of sil-opt is its value.
func takesWord(name string) bool { return strings.Contains("\n"+silOptOptions, "\n"+name+"=\n") }

// isSilOptOption reports whether sil-opt has an option of that name.
func isSilOptOption(name string) bool {
	return takesWord(name) || strings.Contains("\n"+silOptOptions, "\n"+name+"\n")
}

func lookupOptFlag(name string) *optFlag {
	for _, flags := range [][]optFlag{optFlags, logFlags} {
		for n := range flags {
			if slices.Contains(flags[n].names, name) {
				return &flags[n]
			}
		}
	}
	return nil
}

// parseOptLine reads the command line. A pass that only the compiler has is an error, and so is what neither it nor silvm knows; options
// that only sil-opt has are kept for a note. Flags that all commands have come last: sil-opt has some of their names.
func (a *app) parseOptLine(args []string, everywhere *pflag.FlagSet) (*optLine, error) {
	line, named := &optLine{}, false
	for n := 0; n < len(args); n++ {
		arg := args[n]
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			line.files = append(line.files, arg)
			continue
		}
		name, value, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		flag, tried, common := lookupOptFlag(name), opt.Lookup(name), everywhere.Lookup(name)
		spaced := flag != nil && flag.spaced || takesWord(name) || flag == nil && tried == nil && common != nil && common.NoOptDefVal == ""
		if next := n + 1; !given && next < len(args) && spaced {
			n, value, given = next, args[next], true
		}
		switch {
		case flag != nil:
			flag.set(a, line, value)
		case tried != nil && !given:
			line.passes = append(line.passes, tried)
			named = true
		case pass.LookupSetting(name) != nil:
			s := pass.LookupSetting(name)
			if s.Bare && !given {
				value = s.Words[0]
			}
			switch {
			case len(s.Words) > 0 && !slices.Contains(s.Words, value):
				return nil, failf(exitUsage, "-%s is %s, not %q", name, strings.Join(s.Words, ", "), source.Escape(value))
			case s.TakesValue():
				name += "=" + value
			case !isOn(value):
				name += "=false"
			}
			line.settings = append(line.settings, name)
		case opt.IsCompilerPass(name) && !given:
			return nil, failf(exitUnsupported, "not supported by silvm: the pass %s (silvm opt --help lists those it has)", name)
		case isSilOptOption(name):
			line.ignored = append(line.ignored, arg)
		case opt.IsCompilerPass(name):
			return nil, failf(exitUsage, "%s: a pass has no value", source.Escape(arg))
		case common != nil:
			if !given {
				value = common.NoOptDefVal
			}
			if !given && value == "" {
				return nil, failf(exitUsage, "--%s needs a value", name)
			}
			if err := everywhere.Set(name, value); err != nil {
				return nil, failf(exitUsage, "%v", err)
			}
		default:
			return nil, failf(exitUsage, "there is no pass or option %s%s", source.Escape(arg), source.DidYouMean(name, optWords()))
		}
	}
	if len(line.files) == 0 {
		line.files = []string{"-"} // as sil-opt does
	}
	if line.module == "" && named && len(line.files) == 1 && !line.linked {
		line.module = "main" // as sil-opt does
	}
	if err := a.flags.environment(); err != nil {
		return nil, err
	}
	return line, line.choose()
}

// choose leaves out passes that are disabled or after the last one.
func (l *optLine) choose() error {
	for _, list := range []string{l.before, l.after, l.disable, l.stopAfter} {
		if _, err := passesNamed(strings.Split(list, ",")); err != nil {
			return err
		}
	}
	var kept []*pass.Pass
	for _, p := range l.passes {
		if !slices.Contains(strings.Split(l.disable, ","), p.Name) {
			kept = append(kept, p)
		}
		if p.Name == l.stopAfter {
			break
		}
	}
	l.passes = kept
	return nil
}

// optWords lists what silvm opt takes: passes, options and settings.
func optWords() []string {
	words := passNames()
	for _, f := range slices.Concat(optFlags, logFlags) {
		words = append(words, f.names...)
	}
	for _, s := range pass.Settings() {
		words = append(words, s.Name)
	}
	return words
}

// optHelp lists options and passes.
func optHelp() string {
	var b strings.Builder
	for _, f := range slices.Concat(optFlags, logFlags) {
		name := "--" + f.names[0]
		switch {
		case strings.HasPrefix(f.value, "["):
			name += f.value
		case f.spaced:
			name += " " + f.value
		case f.value != "":
			name += "=" + f.value
		}
		fmt.Fprintf(&b, "  %-28s %s\n", name, f.doc)
	}
	b.WriteString("\nOther options of sil-opt are accepted with a note.\n\nPasses:\n")
	for _, p := range opt.Passes() {
		fmt.Fprintf(&b, "  -%-32s %s\n", p.Name, p.Doc)
	}
	b.WriteString("\nSettings of passes:\n")
	for _, s := range pass.Settings() {
		doc := s.Doc
		if s.Value != "" {
			doc = s.Value + ": " + doc
		}
		fmt.Fprintf(&b, "  -%-56s %s\n", s.Name, doc)
	}
	return b.String()
}

// noteIgnored says which options meant nothing.
func (a *app) noteIgnored(l *optLine) {
	if a.flags.quiet {
		return
	}
	for _, arg := range l.ignored {
		fmt.Fprintf(a.err, "note: %s means nothing to silvm\n", source.Escape(arg))
	}
}
