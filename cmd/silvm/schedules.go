package main

import (
	"bytes"
	"fmt"
	"io"

	"silvm/ir"
	"silvm/opt/pass"
	"silvm/vm"
	"silvm/vm/leak"
)

// --schedules N: the program runs with seeds one after the other, from --seed on, and the first run that goes wrong is shown as if it had been the
// only one (Miri calls this many seeds). A run goes wrong when it ends in a finding, with another status than 0, or with a leak where those
// count as errors. Runs that only print something else are not wrong: hashing depends on the seed too.

// runSchedules runs the program so many times, until a run goes wrong.
func (a *app) runSchedules(files, args []string, passes []*pass.Pass, look passLook, runs uint64) error {
	if runs == 0 {
		return failf(exitUsage, "--schedules needs a number that is not 0")
	}
	mod, config, err := a.toRun(files, args, passes, look)
	if err != nil {
		return err
	}
	input := &rewound{from: a.in}
	first := max(a.flags.seed, 1)
	var said []byte // what the first run printed
	other := uint64(0)
	for n := range runs {
		seed := first + n
		var out, errs bytes.Buffer
		config.Seed, config.Stdin, config.Stdout, config.Stderr = seed, input.again(), &out, &errs
		m, err := vm.New(mod, config)
		if err != nil {
			return notRun(files, err)
		}
		if n == 0 {
			a.listMissing(m)
		}
		stop := a.interruptible(m.Interrupt)
		end := a.runToEnd(m)
		stop()
		if end.Kind == vm.Interrupted || a.isWrong(m, end) {
			return a.showWrong(mod, m, end, seed, &out, &errs)
		}
		switch {
		case n == 0:
			said = bytes.Clone(out.Bytes())
		case other == 0 && !bytes.Equal(said, out.Bytes()):
			other = seed
		}
	}
	fmt.Fprintf(a.err, "%s, seeds %d to %d: none goes wrong\n", plural(runs, "schedule"), first, first+runs-1)
	if other != 0 {
		fmt.Fprintf(a.err, "note: what they print differs: --seed %d and --seed %d\n", first, other)
	}
	if a.flags.checks.value != "full" && !a.flags.quiet {
		fmt.Fprintln(a.err, "note: data races between tasks are only looked for with --checks=full")
	}
	return nil
}

// plural counts things.
func plural(n uint64, what string) string {
	if n != 1 {
		what += "s"
	}
	return comma(n) + " " + what
}

// isWrong reports whether a run ended in a finding, with a status other than 0, or with leaks that are errors.
func (a *app) isWrong(m *vm.Machine, end vm.Stop) bool {
	leaks := leak.Of(m)
	leaks.Allow(a.flags.allowLeak...)
	return end.Kind == vm.Trapped || end.ExitCode != 0 || a.flags.leaks.value == "error" && leaks.Count() > 0
}

// showWrong shows what a run printed and how it ended.
func (a *app) showWrong(mod *ir.Module, m *vm.Machine, end vm.Stop, seed uint64, out, errs io.Reader) error {
	stdout, stderr := a.programStreams()
	if _, err := io.Copy(stdout, out); err != nil {
		return failf(exitNoOutput, "the program's output could not be written: %v", err)
	}
	if _, err := io.Copy(stderr, errs); err != nil {
		return failf(exitNoOutput, "the program's output could not be written: %v", err)
	}
	a.flags.seed = seed
	if end.Kind != vm.Interrupted {
		fmt.Fprintf(a.err, "the run with --seed %d goes wrong\n", seed)
	}
	return a.finish(mod, m, end)
}

// rewound reads a stream that several runs read from its beginning.
type rewound struct {
	from io.Reader
	read []byte
}

func (r *rewound) again() io.Reader { return &rewoundReader{r: r} }

type rewoundReader struct {
	r  *rewound
	at int
}

func (x *rewoundReader) Read(p []byte) (int, error) {
	if x.at == len(x.r.read) {
		n, err := x.r.from.Read(p)
		x.r.read = append(x.r.read, p[:n]...)
		x.at += n
		return n, err
	}
	n := copy(p, x.r.read[x.at:])
	x.at += n
	return n, nil
}
