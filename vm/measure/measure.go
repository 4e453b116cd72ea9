// Package measure runs a module and keeps what can be compared: what the program printed, how it ended, what it counted, how long
// it took. bench, validate and the statistics of run stand on it.
//
// A run never changes the module, so that the same module can be run between two passes. Counts are exact and repeat; only times
// vary. Read this file first, then bench.go.
package measure

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm"
	"silvm/vm/leak"
)

// Outcome is what one run showed.
type Outcome struct {
	Stdout []byte
	Stderr []byte
	Status int // exit status that silvm run would end with
	// Trap is the code and the first line of the finding that ended the run, "" when the program ended by itself.
	Trap        string
	Unsupported bool // the run ended at something that silvm does not support
	Invalid     bool // the run came to a function that is not valid SIL
	Limit       bool // the run ended at a limit
	Steps       uint64
	Counts      vm.Counters
	Heap        heap.Stats
	Leaks       int           // objects alive at exit that no global reaches
	Time        time.Duration // wall time of the run without loading

	// Of Watched only: what code outside of deinits printed, the deinits in the order in which they began, and the functions that were called,
	// by symbol.
	Code    []byte
	Deinits []*Deinit
	Called  map[string]bool
	watched bool
}

// Run runs the module to its end. Output goes to the outcome instead of the streams of cfg. The error says why the module has no
// main that could run.
func Run(mod *ir.Module, cfg vm.Config) (*Outcome, error) {
	r, err := run(mod, cfg)
	return r.outcome, err
}

func run(mod *ir.Module, cfg vm.Config) (ran, error) {
	var stdout, stderr bytes.Buffer
	cfg.Stdout, cfg.Stderr = &stdout, &stderr
	m, err := vm.New(mod, cfg)
	if err != nil {
		return ran{}, err
	}
	began := time.Now()
	end := m.Run(0)
	for end.Kind == vm.Budget {
		end = m.Run(0)
	}
	o := Of(m, end)
	o.Stdout, o.Stderr, o.Time = stdout.Bytes(), stderr.Bytes(), time.Since(began)
	lowered := map[*ir.Function]bool{}
	for _, f := range m.Program().Funcs {
		if f.Fn != nil && f.Entry != 0 {
			lowered[f.Fn] = true
		}
	}
	m.Release()
	return ran{o, lowered, contents(mod)}, nil
}

// Of returns what a run counted that ended with end; output and time are left out.
func Of(m *vm.Machine, end vm.Stop) *Outcome {
	o := &Outcome{Status: end.ExitCode, Steps: m.Steps(), Counts: m.Counters(), Heap: m.Heap().Stats()}
	switch end.Kind {
	case vm.Trapped:
		d := end.Trap.Diagnostic()
		o.Trap = d.Code + ": " + d.Msg
		o.Unsupported, o.Invalid = end.Trap.Kind == vm.Unsupported, end.Trap.Kind == vm.Invalid
		o.Limit = end.Trap.Kind == vm.Limit
	case vm.Exited:
		o.Leaks = leak.Of(m).Count()
	}
	return o
}

// Differs says in what the observable trace of two runs differs, "" when in nothing: output, exit status, the kind of finding,
// leaks that were not there before.
func Differs(before, after *Outcome) string {
	switch {
	case !sameTrap(before.Trap, after.Trap):
		return fmt.Sprintf("it ended in %s instead of %s", ending(after), ending(before))
	case before.Status != after.Status:
		return fmt.Sprintf("the exit status is %d instead of %d", after.Status, before.Status)
	case !bytes.Equal(before.Stdout, after.Stdout):
		return "it printed something else: " + firstDifference(before.Stdout, after.Stdout)
	case !bytes.Equal(before.Stderr, after.Stderr):
		return "it wrote something else to stderr: " + firstDifference(before.Stderr, after.Stderr)
	case after.Leaks > before.Leaks:
		return fmt.Sprintf("objects leak: %d, before %d", after.Leaks, before.Leaks)
	}
	return ""
}

// code returns the part of a trap that must not change; its wording names places.
func code(trap string) string { return trap[:min(len(trap), len("SV0000"))] }

// sameTrap reports whether two runs ended in the same trap. A precondition of the library that fails is a fatal error as long as the library is
// called, and a check in the program once its code is inlined: what it says of the reason stays.
func sameTrap(a, b string) bool {
	return code(a) == code(b) || trapReason(a) != "" && trapReason(a) == trapReason(b)
}

// trapReason returns what a trap as Swift defines it says of its reason, "" for another finding and for none.
func trapReason(trap string) string {
	_, text, _ := strings.Cut(trap, ": ")
	for _, head := range []string{"fatal error: ", "the program trapped: "} {
		if reason, ok := strings.CutPrefix(text, head); ok {
			return reason
		}
	}
	return ""
}

func ending(o *Outcome) string {
	if o.Trap == "" {
		return fmt.Sprintf("exit status %d", o.Status)
	}
	return o.Trap
}

// firstDifference quotes the first lines that differ.
func firstDifference(a, b []byte) string {
	as, bs := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for n := 0; n < len(as) || n < len(bs); n++ {
		var x, y []byte
		if n < len(as) {
			x = as[n]
		}
		if n < len(bs) {
			y = bs[n]
		}
		if !bytes.Equal(x, y) {
			return fmt.Sprintf("line %d was %.60q, is %.60q", n+1, x, y)
		}
	}
	return "nothing" // not reached for texts that differ
}
