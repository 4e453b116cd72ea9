//go:build unix

package debugger_test

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"syscall"
	"testing"
	"time"

	"silvm/debugger"
	"silvm/vm"
)

var (
	costOf   = flag.String("costof", "", "SIL file whose backward verbs are timed")
	costSize = flag.Uint64("costhistory", debugger.DefaultHistory, "bytes of history")
	costProf = flag.String("costprofile", "", "file for a CPU profile of the backward verbs")
)

// spent is the CPU time of the process so far: other work on the machine leaves it alone.
func spent() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// How much CPU time backward verbs take on a program of any size: from the end, then from places all over the run.
// go test ./debugger -run BackwardCost -v -costof FILE
func TestBackwardCost(t *testing.T) {
	if *costOf == "" {
		t.Skip("no program: -costof FILE")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	d := sessionWith(t, *costOf, debugger.Config{VM: vm.Config{Stdout: io.Discard}, History: *costSize})
	began := spent()
	end := d.GotoEnd().Step
	bytes, marks := d.HistoryBytes()
	t.Logf("%d steps forwards in %v; %d snapshots, %d MiB, %d live", end, spent()-began, marks, bytes>>20, d.Heap().Stats().LiveObjects)
	if *costProf != "" {
		f, err := os.Create(*costProf)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			t.Fatal(err)
		}
		defer pprof.StopCPUProfile()
	}
	verbs := []struct {
		name string
		do   func() debugger.Stop
	}{
		{"rstep", func() debugger.Stop { return d.ReverseStepBy(1) }}, {"rnext", func() debugger.Stop { return d.ReverseNext(1) }},
		{"rstep again", func() debugger.Stop { return d.ReverseStepBy(1) }}, {"rstep line", func() debugger.Stop { return d.ReverseStepLine(1, false) }},
		{"rnext line", func() debugger.Stop { return d.ReverseStepLine(1, true) }}, {"step", func() debugger.Stop { return d.StepBy(1) }},
		{"rfinish", func() debugger.Stop { return d.ReverseFinish() }},
	}
	worst := map[string]time.Duration{}
	rng := rand.New(rand.NewPCG(7, 7))
	line := "from the end:"
	for k := range 16 {
		for _, v := range verbs {
			began := spent()
			v.do()
			took := spent() - began
			worst[v.name] = max(worst[v.name], took)
			if k == 0 {
				line += fmt.Sprintf(" %s %v,", v.name, took.Round(time.Millisecond))
			}
		}
		if k == 0 {
			t.Log(line)
		}
		began := spent()
		d.Goto(rng.Uint64N(end))
		worst["goto"] = max(worst["goto"], spent()-began)
	}
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	bytes, marks = d.HistoryBytes()
	t.Logf("the longest: %v; %d snapshots, %d MiB, the process %d MiB", worst, marks, bytes>>20, mem.Sys>>20)
}
