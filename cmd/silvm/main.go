// Command silvm loads Swift's SIL as the Swift compiler prints it, runs it with Swift's exact reference
// counts and says what went wrong. One file a sub-command; no logic lives here. Start with run.go.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"silvm/cmd/silvm/internal/console"
	"silvm/ir/op"
	"silvm/loader/toolchain"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run executes one command line and returns the exit status. It never panics: a Go panic in a command is
// reported as a bug of silvm.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	written := &console.Output{Writer: stdout}
	stdout = written
	app := &app{in: stdin, out: stdout, err: stderr, json: console.NewJSON(stdout), ended: func() {}}
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(stderr, "silvm: bug: %v\nThis is a bug in silvm, not in your program. Please report it with the input file.\n", r)
			status = exitBug
			if app.flags.json {
				app.json.End("", status, fmt.Sprintf("bug: %v", r))
			}
		}
	}()
	root := app.rootCommand()
	root.SetArgs(withDefaultCommand(root, args))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		// What comes after the flag that is wrong was not read.
		app.flags.json = slices.Contains(args, "--json") && !slices.Contains(textCommands, topName(cmd))
		return flagError(err)
	})
	if slices.Contains(args, "--json") {
		root.Version = app.json.Version(releases())
	}
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	defer app.closeLibraries()
	defer func() { app.ended() }()
	cmd, err := root.ExecuteC()
	st := &statusError{}
	unread := err != nil && !errors.As(err, &st) // the command line was not understood
	unwritten := &fs.PathError{}
	switch {
	case unread && errors.As(err, &unwritten) && unwritten.Op == "write":
		st, unread = &statusError{status: exitNoOutput, msg: fmt.Sprintf("the output could not be written: %v", unwritten)}, false
	case unread:
		st = &statusError{status: exitUsage, msg: err.Error()}
	}
	if unread && cmd == root && slices.Contains(args, "--json") { // there is no command that would know of it
		app.flags.json = true
	}
	if app.flags.json {
		if err := app.json.End(topName(cmd), st.status, st.msg); err != nil && st.status == exitOK {
			st = &statusError{status: exitNoOutput, msg: err.Error()}
		}
	}
	if written.Err != nil && (st.status == exitOK || st.status == exitUsage || st.status == exitLeak) {
		st = &statusError{status: exitNoOutput, msg: fmt.Sprintf("the output could not be written: %v", written.Err)}
		unread = false
	}
	if st.msg != "" {
		fmt.Fprintf(stderr, "silvm: %s\n", st.msg)
	}
	if unread {
		fmt.Fprintf(stderr, "silvm: run '%s --help' for usage\n", cmd.CommandPath())
	}
	return st.status
}

// app is what every command sees: the streams and the flags.
type app struct {
	in    io.Reader
	out   io.Writer
	err   io.Writer
	flags flags
	json  *console.JSON

	opens    map[string]*toolchain.Libraries // the libraries that were opened, by what they are
	compiled map[string]*program             // what was compiled from Swift, by the files

	reopen []string // the arguments by which silvm debug opens the program that runs; nil when it can't
	ended  func()   // ends what waits for signals while a command with --json runs

	terminated atomic.Bool // SIGTERM stopped the program
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "silvm",
		Short:         "Run, check and explain Swift's SIL",
		Long:          "silvm runs SIL as the Swift compiler prints it, with Swift's exact reference counts,\ndeinits and exclusivity checks, and names the object, the place and the reason when a program goes wrong.",
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			onCommandLine := a.flags.json
			if err := a.flags.fromEnvironment(cmd.Flags(), os.LookupEnv); err != nil {
				return err
			}
			if err := a.flags.environment(); err != nil {
				return err
			}
			if err := a.flags.readLists(); err != nil {
				return err
			}
			return a.acceptJSON(cmd, onCommandLine)
		},
	}
	root.Version = version()
	root.SetVersionTemplate("{{.Version}}\n")
	a.flags.register(root.PersistentFlags())
	root.AddCommand(a.debugCommand(), a.dapCommand(), a.webCommand(), a.lspCommand(), a.libraryCommand(), a.genCommand())
	root.AddCommand(a.runCommand(), a.buildCommand(), a.checkCommand(), a.fmtCommand(), a.optCommand(), a.benchCommand(), a.validateCommand(), a.diffCommand(), a.bisectCommand(), a.reduceCommand(), a.arcCommand(), a.leaksCommand(), a.reportCommand(), a.featuresCommand(), a.explainCommand(), a.manCommand())
	completeFlags(root)
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil {
		c.Args, c.RunE = nil, func(c *cobra.Command, args []string) error {
			return failf(exitUsage, "completion is for bash, fish, powershell or zsh, not for %q; '%s --help' tells more", strings.Join(args, " "), c.CommandPath())
		}
	}
	return root
}

// withDefaultCommand puts "run" in front when the first word that is no flag names no command: silvm FILE.
func withDefaultCommand(root *cobra.Command, args []string) []string {
	for i, arg := range args {
		if arg == "-h" || arg == "--help" || arg == "--" {
			return args
		}
		if strings.HasPrefix(arg, "-") && arg != "-" {
			if !strings.Contains(arg, "=") && takesValue(root, arg) && i+1 < len(args) {
				return slices.Concat(args[:i+2], withDefaultCommand(root, args[i+2:]))
			}
			continue
		}
		for _, c := range root.Commands() {
			if c.Name() == arg || c.HasAlias(arg) {
				return args
			}
		}
		if arg == "help" || arg == "completion" || strings.HasPrefix(arg, "__") {
			return args
		}
		if arg == "-" || strings.ContainsAny(arg, "./\\") {
			return append([]string{"run"}, args...)
		}
		return args
	}
	return args
}

// takesValue reports whether the flag takes the next word as its value.
func takesValue(root *cobra.Command, arg string) bool {
	f := root.PersistentFlags().Lookup(strings.TrimLeft(arg, "-"))
	return f != nil && f.NoOptDefVal == ""
}

// version returns what --version prints: the build, and the releases of Swift whose text silvm reads.
func version() string {
	build, platform, swift := releases()
	return fmt.Sprintf("silvm %s %s\nreads the SIL of Swift %s", build, platform, strings.Join(swift, " to "))
}

// releases returns where the binary comes from, what it runs on, and the first and the last release of Swift whose text silvm reads.
func releases() (build, platform string, swift []string) {
	build = "(built without version control)"
	if info, ok := debug.ReadBuildInfo(); ok {
		build = buildVersion(info)
	}
	for _, v := range op.Versions() {
		swift = append(swift, v.String())
	}
	return build, runtime.GOOS + "/" + runtime.GOARCH, swift
}

// buildVersion words where a binary comes from: the version of the module, or the commit of a checkout.
func buildVersion(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	commit := settings["vcs.revision"]
	if commit == "" {
		return "(built without version control)"
	}
	text := "commit " + commit[:min(len(commit), 12)]
	if day, _, ok := strings.Cut(settings["vcs.time"], "T"); ok {
		text += " of " + day
	}
	if settings["vcs.modified"] == "true" {
		text += ", changed"
	}
	return text
}

// The exit statuses of silvm; 0 to 63 are the program's own.
const (
	exitOK          = 0
	exitUsage       = 64  // wrong usage
	exitInvalid     = 65  // not valid SIL: parse or verify error
	exitNoInput     = 66  // file not readable
	exitUnsupported = 69  // reached something silvm does not support (not a finding)
	exitBug         = 70  // bug in silvm
	exitNoOutput    = 74  // the program's output, or silvm's own, could not be written
	exitMemory      = 80  // memory finding
	exitExclusivity = 81  // exclusivity conflict
	exitLeak        = 82  // leak, with --leaks=error
	exitDifference  = 83  // validate found a difference
	exitThreshold   = 84  // bench --check over a threshold
	exitLimit       = 124 // a limit was reached
	exitTrap        = 134 // the program trapped as Swift defines it
)

// statusError ends a command with an exit status. The message, if there is one, was not printed yet.
type statusError struct {
	status int
	msg    string
}

func (e *statusError) Error() string { return e.msg }

// exitWith returns the error that ends a command with status and says nothing more.
func exitWith(status int) error {
	if status == exitOK {
		return nil
	}
	return &statusError{status: status}
}

// failf returns the error that ends a command with status and a message.
func failf(status int, format string, args ...any) error {
	return &statusError{status: status, msg: fmt.Sprintf(format, args...)}
}

// written returns the error of a command that could not write.
func written(err error) error {
	if err != nil {
		return failf(exitNoOutput, "%v", err)
	}
	return nil
}

// painter returns what colours text for a stream.
func (a *app) painter(w io.Writer) console.Painter { return console.NewPainter(a.flags.color.value, w) }

// newProgress returns the progress of so many steps of some work, nil where nobody is to be told.
func (a *app) newProgress(what string, of int) *console.Progress {
	if a.flags.quiet || a.flags.json {
		return nil
	}
	return console.NewProgress(a.err, what, of)
}

// sessionProgress returns what shows how far a command of the debugger has come, nil for nothing.
func (a *app) sessionProgress() func(text string) {
	if a.flags.quiet {
		return nil
	}
	return console.SessionProgress(a.err)
}
