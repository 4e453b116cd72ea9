package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"silvm/cmd/silvm/internal/console"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/loader"
	"silvm/opt/reduce"
)

// reduceFlags are the flags of reduce.
type reduceFlags struct {
	test    string
	output  string
	timeout time.Duration
}

func (a *app) reduceCommand() *cobra.Command {
	var f reduceFlags
	cmd := &cobra.Command{
		Use:   "reduce FILE --test CMD",
		Short: "Make a file as small as it can be while a test still succeeds",
		Long: "Takes functions, blocks, instructions and declarations out of the file as long as the test still succeeds on what is left, and prints\n" +
			"the smallest file. The test is a command for sh; {} in it stands for the file to look at, which otherwise is its last word. Status 0 means\n" +
			"that the file is still interesting. All files that it gets load, and verify if FILE does. Ctrl-C, SIGTERM and SIGHUP print the smallest\n" +
			"file so far; with -o it stands in the file at any time, also when silvm is killed.",
		Example: `  silvm reduce wrong.sil --test '! silvm validate -q {}' -o small.sil
  silvm reduce crash.sil --test 'silvm run -O {} 2>&1 | grep -q "silvm: bug"'
  silvm reduce over.sil --test 'silvm run {} >/dev/null 2>&1; test $? = 80'`,
		Args: takes(1, 1, "one file of SIL"),
		RunE: func(_ *cobra.Command, args []string) error { return a.reduce(args[0], f) },
	}
	cmd.Flags().StringVar(&f.test, "test", "", "command whose status 0 means that the file is still interesting")
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "file for the result; standard output when there is none")
	cmd.Flags().DurationVar(&f.timeout, "test-timeout", 30*time.Second, "most time for a test, after which the file is taken for dull; less when the tests that succeed are much faster")
	if err := cmd.MarkFlagRequired("test"); err != nil {
		panic(err) // a wrong name above
	}
	return cmd
}

// reduce is the command.
func (a *app) reduce(file string, f reduceFlags) error {
	limits := a.flags.limits()
	text, err := a.read(file, limits.fileBytes)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "silvm-reduce-")
	if err != nil {
		return failf(exitNoInput, "%v", err)
	}
	defer os.RemoveAll(dir)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	t := &reduceTest{command: f.test, file: filepath.Join(dir, testName(file)), timeout: f.timeout}
	began, p := time.Now(), &reduceProgress{app: a, last: time.Now(), every: console.ProgressEvery}
	if console.IsTerminal(a.err) {
		p.every = time.Second
	}
	keep := keepIn(f.output)
	result, err := reduce.Run(ctx, text, reduce.Options{
		Load: func(text []byte) (*ir.Module, error) {
			m, diags := loader.Load(file, text, loader.Options{MaxNesting: limits.nesting, MaxBytes: limits.fileBytes})
			if diags.Errors() > 0 {
				return nil, &unsound{diags, m.Files}
			}
			return m, nil
		},
		Test: t.run, Progress: p.tested, Keep: keep,
	})
	var bad *unsound
	var status *statusError
	switch {
	case errors.As(err, &status):
		return err
	case errors.As(err, &bad):
		if err := a.show(bad.diags, bad.files); err != nil {
			return err
		}
		return exitWith(exitInvalid)
	case errors.Is(err, reduce.ErrDull):
		return failf(exitUsage, "the test does not succeed on %s as silvm prints it back: it ends with %s, and status 0 means interesting%s", file, t.status, quoted(t.output.text))
	case errors.Is(err, context.Canceled):
		return failf(exitInterrupted, "interrupted before the test was known to succeed on %s", file)
	case err != nil:
		return failf(exitNoInput, "%v", err)
	}
	if !a.flags.quiet {
		fmt.Fprintf(a.err, "reduce: %d lines of %d are left after %d tests, %v%s\n", result.Lines, result.Was, result.Tests,
			time.Since(began).Round(100*time.Millisecond), p.remark(result.Sound, ctx.Err() != nil))
	}
	switch {
	case f.output == "":
		_, err = a.out.Write(result.Text)
	case keep == nil:
		if err = os.WriteFile(f.output, result.Text, 0o666); err != nil {
			return failf(exitNoOutput, "%v", err)
		}
	}
	return err
}

// keepIn returns what puts the smallest text so far in a file, always a whole one; nil where that is no ordinary file, such as a pipe.
func keepIn(file string) func(text []byte) error {
	if file == "" {
		return nil
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return nil
	}
	if to, err := filepath.EvalSymlinks(file); err == nil {
		file = to
	}
	return func(text []byte) error {
		next := file + ".part"
		if err := os.WriteFile(next, text, 0o666); err != nil {
			return failf(exitNoOutput, "%v", err)
		}
		if err := os.Rename(next, file); err != nil {
			return failf(exitNoOutput, "%v", err)
		}
		return nil
	}
}

// unsound is the error for a text that does not load.
type unsound struct {
	diags *source.List
	files *source.Set
}

func (e *unsound) Error() string { return "not valid SIL" }

// testName is the name of the file that the test gets: that of the input, as SIL that is not packed.
func testName(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), ".gz")
	if name == "-" || name == "." || filepath.Ext(name) != ".sil" {
		name = strings.TrimSuffix(strings.Trim(name, "-."), ".swift") + ".sil"
	}
	if name == ".sil" {
		name = "input.sil"
	}
	return name
}

// reduceTest is the user's test.
type reduceTest struct {
	command, file string
	timeout       time.Duration
	status        string        // how it ended last
	output        keeping       // what it wrote last
	longest       time.Duration // that a test that succeeded took
}

// limit is the time for the next test. One that takes many times as long as those that succeeded most likely never ends.
func (t *reduceTest) limit() time.Duration {
	const least, factor = 2 * time.Second, 10
	if t.longest == 0 {
		return t.timeout
	}
	return min(t.timeout, max(least, factor*t.longest))
}

// run runs the test on a text.
func (t *reduceTest) run(ctx context.Context, text []byte) (bool, error) {
	if err := os.WriteFile(t.file, text, 0o666); err != nil {
		return false, err
	}
	limit := t.limit()
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	began := time.Now()
	word := "'" + strings.ReplaceAll(t.file, "'", `'\''`) + "'"
	line := strings.ReplaceAll(t.command, "{}", word)
	if line == t.command {
		line += " " + word
	}
	cmd, done := console.Shell(limited, line)
	defer done()
	cmd.WaitDelay = time.Second // for what the shell started and left behind
	t.output.text = nil
	cmd.Stdout, cmd.Stderr = io.Discard, &t.output
	err := cmd.Run()
	var status *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case limited.Err() != nil:
		t.status = "no status within " + limit.String()
		return false, nil
	case err == nil:
		t.longest = max(t.longest, time.Since(began))
		return true, nil
	case errors.As(err, &status):
		t.status = fmt.Sprintf("status %d", status.ExitCode())
		return false, nil
	case errors.Is(err, exec.ErrWaitDelay):
		return cmd.ProcessState.Success(), nil
	}
	return false, err
}

// keeping keeps the beginning of what is written.
type keeping struct{ text []byte }

func (k *keeping) Write(b []byte) (int, error) {
	k.text = append(k.text, b[:min(len(b), 1000-min(1000, len(k.text)))]...)
	return len(b), nil
}

// quoted returns what a test wrote to stderr for the end of a message.
func quoted(b []byte) string {
	text := strings.TrimSpace(string(b))
	if text == "" {
		return ""
	}
	return ":\n" + source.Escape(text)
}

// reduceProgress tells how far the reduction has come: a line every second on a terminal, else one every ten.
type reduceProgress struct {
	app   *app
	every time.Duration
	last  time.Time
}

func (p *reduceProgress) tested(r reduce.Progress) {
	if p.app.flags.quiet || time.Since(p.last) < p.every {
		return
	}
	p.last = time.Now()
	fmt.Fprintf(p.app.err, "reduce: %d lines of %d, %d tests, round %d: %s\n", r.Lines, r.Was, r.Tests, r.Round, r.Doing)
}

// remark says what the last line has to add.
func (p *reduceProgress) remark(sound, interrupted bool) string {
	switch {
	case interrupted:
		return "; interrupted"
	case !sound:
		return "; the file does not verify, and so neither may the result"
	}
	return ""
}
