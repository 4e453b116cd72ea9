package main

import (
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"silvm/cmd/silvm/internal/console"
)

// textCommands are the commands whose product is text on stdout: --json means nothing to them.
var textCommands = []string{"completion", "dap", "explain", "fmt", "gen", "help", "lsp", "opt", "reduce", "web"}

// programStreams returns the streams for what the program prints.
func (a *app) programStreams() (stdout, stderr io.Writer) {
	if a.flags.json {
		return a.json.Stream("stdout"), a.json.Stream("stderr")
	}
	return console.Escaped(a.out), console.Escaped(a.err)
}

// record writes one record of --json.
func (a *app) record(kind string, fields console.Fields) error {
	return written(a.json.Record(kind, fields))
}

// summarize keeps what the summary at the end of --json says besides the status.
func (a *app) summarize(fields console.Fields) { a.json.Summarize(fields) }

// grace is how long a command that stops by itself when it is told to end has for its own last records.
const grace = time.Second

// summarizeOnSignal makes the last record a summary too when the process is told to end, as long as the command runs: until a.ended is called.
func (a *app) summarizeOnSignal(command string) {
	c, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(c, syscall.SIGTERM)
	if command != "debug" { // there it interrupts the program, and the session goes on
		signal.Notify(c, os.Interrupt)
	}
	a.ended = sync.OnceFunc(func() { signal.Stop(c); close(done) })
	go func() {
		status := exitInterrupted
		select {
		case s := <-c:
			if s == syscall.SIGTERM {
				status = exitTerminated
			}
		case <-done:
			return
		}
		select {
		case <-time.After(grace):
			a.json.Close(command, status, "interrupted")
			os.Exit(status)
		case <-done:
		}
	}()
}

// acceptJSON refuses --json on the command line of a command whose product is text; from the environment it means nothing there.
func (a *app) acceptJSON(cmd *cobra.Command, onCommandLine bool) error {
	if a.flags.json && !slices.Contains(textCommands, topName(cmd)) {
		a.summarizeOnSignal(topName(cmd))
	}
	if !a.flags.json || !slices.Contains(textCommands, topName(cmd)) {
		return nil
	}
	if onCommandLine { // said in JSON, which is what the caller reads
		return failf(exitUsage, "silvm %s has no --json", topName(cmd))
	}
	a.flags.json = false
	return nil
}

// topName is the name of the sub-command of silvm that cmd is or belongs to.
func topName(cmd *cobra.Command) string {
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	return cmd.Name()
}
