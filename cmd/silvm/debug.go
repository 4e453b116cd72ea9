package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	runtimedebug "runtime/debug"
	"strings"

	"github.com/fatih/color"
	"github.com/gdamore/tcell/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"silvm/cmd/silvm/internal/console"
	"silvm/debugger"
	"silvm/debugger/repl"
	"silvm/debugger/tui"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/vm"
	"silvm/vm/check"
)

// sessionFlags are the flags of every session of the debugger.
type sessionFlags struct {
	at      string
	stdin   string
	history size
}

func (f *sessionFlags) add(flags *pflag.FlagSet) {
	f.history = size{n: debugger.DefaultHistory, set: true}
	flags.StringVar(&f.at, "at", "", "open at the finding with this code, such as SV0103, or at a step")
	flags.StringVar(&f.stdin, "stdin", "", "file that the program reads as its standard input")
	flags.Var(&f.history, "history", historyUsage)
}

// debugFlags are the flags of debug.
type debugFlags struct {
	sessionFlags
	script  string
	execute []string
	tui     bool
}

func (a *app) debugCommand() *cobra.Command {
	f := debugFlags{}
	cmd := &cobra.Command{
		Use:     "debug FILE… [-- ARGS]",
		Aliases: []string{"dbg"},
		Short:   "Step through a program forwards and backwards and see every count",
		Long: "debug opens a session at the first instruction of the program. Commands come from the terminal, from --script,\n" +
			"from --ex or from standard input; help in the session lists them. With --json each command is one record with its data.",
		Args: takes(1, -1, aFile),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, rest, err := programArgs(cmd, args)
			if err != nil {
				return err
			}
			return a.debug(files, rest, f)
		},
	}
	f.add(cmd.Flags())
	cmd.Flags().BoolVar(&f.tui, "tui", false, "show source, SIL, values, calls, objects and a line of time on the whole terminal")
	cmd.Flags().StringVar(&f.script, "script", "", "file with commands")
	cmd.Flags().StringArrayVar(&f.execute, "ex", nil, "a command to begin with; may be given several times")
	return cmd
}

// thrifty makes the collector come by often, so that snapshots don't cost twice their size, until the function that it returns is called.
// It has little to look through: what takes the memory holds no pointers.
func thrifty() func() {
	old := runtimedebug.SetGCPercent(10)
	return func() { runtimedebug.SetGCPercent(old) }
}

// historyUsage is the help on --history.
const historyUsage = "memory that going back may cost beyond what the run itself takes, such as 512MiB; with too little, going back means running again from further away"

// outlet writes to what is known later.
type outlet struct{ to io.Writer }

func (o *outlet) Write(b []byte) (int, error) { return o.to.Write(b) }

// session makes a session over a program that prints to stdout and stderr. done ends what it needs.
func (a *app) session(files, args []string, f sessionFlags, stdout, stderr io.Writer) (d *debugger.Debugger, done func(), err error) {
	if isCode(f.at) && source.Lookup(f.at) == nil {
		return nil, nil, failf(exitUsage, "--at: no finding is called %s; 'silvm explain' lists them", f.at)
	}
	mod, err := a.loadSound(files, true)
	if err != nil {
		return nil, nil, err
	}
	config := a.config(files[0], args)
	config.Stdout, config.Stderr, config.Stdin = stdout, stderr, nil
	end := thrifty()
	defer func() {
		if err != nil {
			end()
		}
	}()
	if f.stdin != "" {
		in, err := os.Open(f.stdin)
		if err != nil {
			return nil, nil, failf(exitNoInput, "%v", err)
		}
		frugal := end
		end = func() { in.Close(); frugal() }
		config.Stdin = in
	}
	var finding *debugger.Finding
	if a.flags.checks.value == "full" || isCode(f.at) {
		if finding, err = a.lookAhead(mod, files, &config, f); err != nil {
			return nil, nil, err
		}
	}
	if d, err = debugger.New(mod, debugger.Config{VM: config, History: f.history.n, Finding: finding, AllowLeaks: a.flags.allowLeak}); err != nil {
		return nil, nil, notRun(files, err)
	}
	return d, end, nil
}

// debug runs a session.
func (a *app) debug(files, args []string, f debugFlags) error {
	out := &outlet{a.out}
	var stdout, stderr io.Writer = out, out
	if a.flags.json {
		stdout, stderr = a.programStreams()
	}
	d, done, err := a.session(files, args, f.sessionFlags, stdout, stderr)
	if err != nil {
		return err
	}
	defer done()
	if f.tui {
		return a.screen(d, out, files[0], f)
	}
	paint := a.painter(a.out)
	c := repl.Config{
		Out: a.out, File: files[0], Roles: paint, Swift: a.swiftFiles(d.Module().Files), History: historyFile(), Progress: a.sessionProgress(), Paint: func(s repl.Style, text string) string { return style(paint, s, text) },
	}
	var failed error
	if a.flags.json {
		c.Record = func(x repl.Record) { failed = cmp.Or(failed, a.debugRecord(x)) }
	}
	r := repl.New(d, c)
	out.to = r.Output()
	defer repl.Interruptible(d.Interrupt)()
	if f.at == "" {
		r.Start()
	} else if err := r.OpenAt(f.at); err != nil {
		return failf(exitUsage, "%v", err)
	}
	for _, command := range f.execute {
		if !a.flags.json {
			fmt.Fprintf(r.Output(), "(silvm) %s\n", command)
		}
		r.Do(command)
	}
	return errors.Join(a.commands(r, f.script), failed)
}

// screen runs a session on the whole terminal.
func (a *app) screen(d *debugger.Debugger, out *outlet, file string, f debugFlags) error {
	if a.flags.json {
		return failf(exitUsage, "--tui and --json exclude one another")
	}
	if in, ok := a.in.(*os.File); !ok || !console.IsTerminal(in) || !console.IsTerminal(a.out) {
		return failf(exitUsage, "--tui needs a terminal")
	}
	screen, err := tcell.NewScreen()
	if err == nil {
		err = screen.Init()
	}
	if err != nil {
		return failf(exitUsage, "--tui: %v", err)
	}
	defer screen.Fini()
	swift := a.swiftFiles(d.Module().Files)
	c := repl.NewConsole(d, repl.Config{Swift: swift, File: file})
	app := tui.New(d, screen, tui.Config{Title: filepath.Base(file), Swift: swift, Console: c, Color: a.painter(a.out).On})
	out.to = app
	if f.at != "" {
		shown, err := c.Open(f.at)
		if err != nil {
			return failf(exitUsage, "%v", err)
		}
		app.Say(shown)
	}
	if f.script != "" {
		f.execute = append(f.execute, "source "+f.script)
	}
	for _, command := range f.execute {
		app.Say(c.Do(command))
	}
	app.Run()
	return nil
}

// debugRecord writes what a command of the session told as a record of --json.
func (a *app) debugRecord(x repl.Record) error {
	fields := console.Fields{"command": x.Command, "name": x.Name, "step": x.Step}
	if x.Data != nil {
		fields["data"] = x.Data
	}
	if x.Text != "" {
		fields["text"] = x.Text
	}
	if x.Messages != nil {
		fields["messages"] = x.Messages
	}
	if x.Err != nil {
		fields["error"] = x.Err.Error()
	}
	return a.record("debug", fields)
}

// commands lets the session do what the script, the terminal or standard input says.
func (a *app) commands(r *repl.REPL, script string) error {
	if r.Done() {
		return nil
	}
	if script != "" {
		in, err := os.Open(script)
		if err != nil {
			return failf(exitNoInput, "%v", err)
		}
		defer in.Close()
		return r.Run(a.lines(in, r))
	}
	if in, ok := a.in.(*os.File); ok && !a.flags.json && console.IsTerminal(in) && console.IsTerminal(a.out) {
		t, err := r.NewTerminal()
		if err != nil {
			return failf(exitUsage, "%v", err)
		}
		defer t.Close()
		return r.Run(t)
	}
	return r.Run(a.lines(a.in, r))
}

// lines reads commands from a text; for people it shows each as if it had been typed.
func (a *app) lines(in io.Reader, r *repl.REPL) repl.Lines {
	if a.flags.json {
		return repl.NewScript(in, nil)
	}
	return repl.NewScript(in, r.Output())
}

// historyFile is where the lines of sessions are kept, "" when there is no place.
func historyFile() string {
	dir, err := os.UserCacheDir()
	if err != nil || os.MkdirAll(filepath.Join(dir, "silvm"), 0o700) != nil {
		return ""
	}
	return filepath.Join(dir, "silvm", "debug_history")
}

// styles are the looks of the session's output.
var styles = map[repl.Style][]color.Attribute{
	repl.Current: {color.FgGreen, color.Bold},
	repl.Name:    {color.FgCyan},
	repl.Number:  {color.FgYellow},
	repl.Word:    {color.Bold},
	repl.Type:    {color.FgBlue},
	repl.Good:    {color.FgGreen},
	repl.Bad:     {color.FgRed},
	repl.Dim:     {color.Faint},
}

// style colours text as a part of the session's output.
func style(p console.Painter, s repl.Style, text string) string {
	if !p.On || s == repl.Plain {
		return text
	}
	c := color.New(styles[s]...)
	c.EnableColor()
	return c.Sprint(text)
}

// isCode reports whether --at asks for a finding.
func isCode(at string) bool { return strings.HasPrefix(at, "SV") }

// lookAhead runs the program without output to see where full checking finds something. With --at SV0103 it does so only if the run does
// not end in that without, and the level of checks becomes full if that helps.
func (a *app) lookAhead(mod *ir.Module, files []string, config *vm.Config, f sessionFlags) (*debugger.Finding, error) {
	machine := func(c vm.Config) (*vm.Machine, func(), error) {
		c.Stdout, c.Stderr, c.Stdin, c.Tools = nil, nil, nil, true
		done := func() {}
		if f.stdin != "" {
			in, err := os.Open(f.stdin)
			if err != nil {
				return nil, nil, failf(exitNoInput, "%v", err)
			}
			c.Stdin, done = in, func() { in.Close() }
		}
		m, err := vm.New(mod, c)
		if err != nil {
			done()
			return nil, nil, notRun(files, err)
		}
		return m, done, nil
	}
	if config.Checks != vm.ChecksFull {
		m, done, err := machine(*config)
		if err != nil {
			return nil, err
		}
		stop := m.Run(0)
		for stop.Kind == vm.Budget {
			stop = m.Run(0)
		}
		done()
		if stop.Trap != nil && stop.Trap.Code() == f.at {
			return nil, nil
		}
	}
	full := *config
	full.Checks = vm.ChecksFull
	m, done, err := machine(full)
	if err != nil {
		return nil, err
	}
	defer done()
	c := check.New(m)
	stop := c.Run()
	if isCode(f.at) && config.Checks != vm.ChecksFull {
		if stop.Trap == nil || stop.Trap.Code() != f.at {
			return nil, nil // the session says what it finds instead
		}
		if !a.flags.quiet {
			fmt.Fprintf(a.err, "note: %s is found by --checks=full\n", f.at)
		}
	}
	*config = full
	if !c.Found() {
		return nil, nil
	}
	return &debugger.Finding{Step: m.Steps(), Trap: stop.Trap}, nil
}
