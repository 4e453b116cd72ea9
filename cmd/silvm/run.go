package main

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"silvm/cmd/silvm/internal/console"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/opt/pass"
	"silvm/vm"
	"silvm/vm/check"
	"silvm/vm/leak"
	"silvm/vm/measure"
	"silvm/vm/native"
)

func (a *app) runCommand() *cobra.Command {
	var stats bool
	var passes passFlags
	var look passLook
	var schedules count
	engine := choice{value: "auto", of: []string{"auto", "interp", "wasm"}}
	cmd := &cobra.Command{
		Use:   "run FILE… [-- ARGS]",
		Short: "Load, link and run SIL files",
		Args:  takes(1, -1, aFile),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, rest, err := programArgs(cmd, args)
			if err != nil {
				return err
			}
			list, err := passes.list()
			if err != nil {
				return err
			}
			if look.isSet() && len(list) == 0 {
				return failf(exitUsage, "no passes are run: -O or --passes says which")
			}
			if a.flags.checks.value == "full" && !cmd.Flags().Changed("leaks") {
				a.flags.leaks.value = "report"
			}
			if schedules.set {
				if stats {
					return failf(exitUsage, "--stats is of one run, --schedules makes many")
				}
				return a.runSchedules(files, rest, list, look, schedules.n)
			}
			return a.run(files, rest, list, look, stats, engine.value, cmd.Flags().Changed("engine"))
		},
	}
	passes.register(cmd.Flags(), "0")
	look.register(cmd.Flags())
	cmd.Flags().BoolVar(&stats, "stats", false, "print retains, releases, allocations, steps and peak memory at the end")
	cmd.Flags().Var(&schedules, "schedules", "run so many times, each with another seed, until a run goes wrong")
	cmd.Flags().Var(&engine, "engine", "what runs the program: auto, which compiles what is hot while the program runs, wasm, which compiles all of it to machine code, or interp")
	return cmd
}

// run loads the files, runs the passes, then main, by the engine of a name, which was asked for or not, and reports how it ended.
func (a *app) run(files, args []string, passes []*pass.Pass, look passLook, stats bool, engine string, asked bool) error {
	mod, config, err := a.toRun(files, args, passes, look)
	if err != nil {
		return err
	}
	fast := a.engine(engine, asked, &config, stats)
	m, err := vm.New(mod, config)
	if err != nil {
		return notRun(files, err)
	}
	a.listMissing(m)
	var end vm.Stop
	if fast != nil {
		if m, end, err = a.runBy(fast, engine, m); err != nil {
			return err
		}
	} else {
		stop := a.interruptible(m.Interrupt)
		end = a.runToEnd(m)
		stop()
	}
	if stats {
		if err := a.showStats(measure.Of(m, end)); err != nil {
			return err
		}
	}
	return a.finish(mod, m, end)
}

// toRun loads the files and runs the passes. The machine is asked for tools when full checks want them.
func (a *app) toRun(files, args []string, passes []*pass.Pass, look passLook) (*ir.Module, vm.Config, error) {
	config := a.config(files[0], args)
	mod, err := a.loadSound(files, true)
	if err != nil {
		return nil, config, err
	}
	if len(passes) == 0 {
		a.reopens(files, args)
	} else if err := a.runPassesSeen(mod, passes, look, pass.Options{Whole: true, Native: isNative(config), Reload: a.reload(files, true)}); err != nil {
		return nil, config, err
	}
	config.Tools = config.Checks == vm.ChecksFull
	return mod, config, nil
}

// runToEnd runs the program, with --checks=full under the eyes of the checker, and says which checks were switched off.
func (a *app) runToEnd(m *vm.Machine) vm.Stop {
	switch {
	case m.IsForTools():
		c := check.New(m)
		end := c.Run()
		if n := c.Skipped(); n > 0 && !a.flags.quiet {
			fmt.Fprintf(a.err, "note: %d functions have too many values to be followed: they ran without full checks\n", n)
		}
		return end
	case a.flags.checks.value == "fast" && !a.flags.quiet:
		defer fmt.Fprintln(a.err, "note: exclusivity not checked (--checks=fast)")
	}
	end := m.Run(0)
	for end.Kind == vm.Budget {
		end = m.Run(0)
	}
	return end
}

// config turns flags into what the machine asks for.
func (a *app) config(name string, args []string) vm.Config {
	l := a.flags.limits()
	stdout, stderr := a.programStreams()
	return vm.Config{
		Stdout: stdout, Stderr: stderr, Stdin: a.in,
		Args: append([]string{name}, args...), Environment: a.flags.env,
		Limits: vm.Limits{Steps: l.steps, Heap: l.heapBytes, Objects: l.objects, Depth: uint32(min(l.depth, 1<<32-1)),
			Output: l.output, Timeout: l.timeout},
		Checks: checkLevels[a.flags.checks.value],
		Seed:   a.flags.seed, KeepInput: true,
		Natives: native.Table(),
	}
}

var checkLevels = map[string]vm.CheckLevel{"fast": vm.ChecksFast, "default": vm.ChecksDefault, "full": vm.ChecksFull}

// listMissing names the functions that are in no file and that silvm does not bring.
func (a *app) listMissing(m *vm.Machine) {
	if !a.flags.verbose { // to look reads texts that the program may never need
		return
	}
	missing := m.Missing()
	if len(missing) == 0 {
		return
	}
	fmt.Fprintln(a.err, "note: not supported by silvm, and a trap if reached:")
	for _, symbol := range missing {
		fmt.Fprintf(a.err, "  %s\n", source.Escape(m.Module().DisplayName(symbol)))
	}
}

// interruptible makes Ctrl-C and SIGTERM stop the program, so that what it has printed is written; the second one ends the process. The
// function it returns undoes that.
func (a *app) interruptible(interrupt func()) func() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		select {
		case s := <-c:
			signal.Stop(c)
			if s == syscall.SIGTERM {
				a.terminated.Store(true)
			}
			interrupt()
		case <-done:
		}
	}()
	return func() { signal.Stop(c); close(done) }
}

// exitInterrupted is what a shell shows for a process that SIGINT ended.
const exitInterrupted = 130

// exitTerminated is the same of SIGTERM.
const exitTerminated = 143

// interruptedStatus is the status of a command that was told to end.
func (a *app) interruptedStatus() int {
	if a.terminated.Load() {
		return exitTerminated
	}
	return exitInterrupted
}

// finish reports a trap and leaks, and returns the exit status.
func (a *app) finish(mod *ir.Module, m *vm.Machine, end vm.Stop) error {
	switch end.Kind {
	case vm.Trapped:
		list := end.Trap.Diags
		if list == nil {
			list = &source.List{}
			m.TellCallers(end.Trap)
			d := end.Trap.Diagnostic()
			if end.Trap.Kind != vm.Unsupported && end.Trap.Kind != vm.Limit {
				a.offerDebugger(&d)
			}
			list.Add(&d)
		}
		if err := a.show(list, mod.Files); err != nil {
			return err
		}
		if end.Trap.Stack != "" && a.flags.verbose {
			fmt.Fprintln(a.err, end.Trap.Stack)
		}
		return exitWith(end.Trap.ExitCode())
	case vm.Interrupted:
		if m.Steps() == 0 { // of machine code, which counts none
			return failf(a.interruptedStatus(), "interrupted")
		}
		return failf(a.interruptedStatus(), "interrupted after %d steps", m.Steps())
	}
	if err := m.WriteError(); err != nil {
		return failf(exitNoOutput, "the program's output could not be written: %v", err)
	}
	leaked, err := a.showLeaks(mod, m)
	if err != nil {
		return err
	}
	if leaked && a.flags.leaks.value == "error" && end.ExitCode == 0 {
		return exitWith(exitLeak)
	}
	return exitWith(end.ExitCode)
}

// showLeaks reports the objects that are alive at exit and that no global reaches.
func (a *app) showLeaks(mod *ir.Module, m *vm.Machine) (bool, error) {
	if a.flags.leaks.value == "off" {
		return false, nil
	}
	list := &source.List{Ranked: true}
	offered := map[string]bool{}
	leaks := leak.Of(m)
	leaks.Allow(a.flags.allowLeak...)
	for _, f := range leaks.Findings() {
		d := leaks.Diagnostic(&f)
		if f.HasMoment() && !offered[d.Code] {
			offered[d.Code] = true
			a.offerDebugger(d)
		}
		list.Add(d)
	}
	a.tellAllowed(leaks)
	return list.Len() > 0, a.show(list, mod.Files)
}

// reopens remembers how silvm debug opens the program that is about to run.
func (a *app) reopens(files, args []string) {
	if slices.Contains(files, "-") {
		return // standard input can't be read again
	}
	a.reopen = files
	if len(args) > 0 {
		a.reopen = append(append(slices.Clone(files), "--"), args...)
	}
}

// offerDebugger says how to open the moment of a finding.
func (a *app) offerDebugger(d *source.Diagnostic) {
	if a.reopen == nil {
		return
	}
	words := []string{"silvm", "debug", "--at", d.Code}
	if a.flags.seed != 0 {
		words = append(words, "--seed", strconv.FormatUint(a.flags.seed, 10))
	}
	for _, w := range a.reopen {
		words = append(words, shellWord(w))
	}
	d.Notes = append(d.Notes, source.Note{Msg: "`" + strings.Join(words, " ") + "` opens that moment"})
}

// shellWord quotes a word for a shell where that is needed.
func shellWord(w string) string {
	if w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=+,@%") == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// showStats prints what a run counted: a table on stderr, or one JSON object on stdout.
func (a *app) showStats(o *measure.Outcome) error {
	if a.flags.json {
		out := console.Fields{}
		for _, m := range measure.Metrics {
			out[m.Key] = m.Of(o)
		}
		return a.record("stats", out)
	}
	for _, m := range measure.Metrics {
		if _, err := fmt.Fprintf(a.err, "%16s  %s\n", amount(m, m.Of(o)), m.Label); err != nil {
			return err
		}
	}
	return nil
}

// amount words a number of a metric for people.
func amount(m measure.Metric, n uint64) string {
	if m.Bytes {
		return humanize.IBytes(n)
	}
	return humanize.Comma(int64(n))
}
