package debugger_test

import (
	"bytes"
	"fmt"
	"maps"
	"testing"

	"silvm/debugger"
	"silvm/heap"
	"silvm/vm"
)

const changes = "../cmd/silvm/testdata/debug/changes.sil.gz"

// A run that the user changed is as much the same at each step as one that nobody did: forwards, after going back, and from the start.
func TestSetIsReplayed(t *testing.T) {
	var out bytes.Buffer
	d := sessionWith(t, changes, debugger.Config{VM: vm.Config{Stdout: &out}})
	set := func(step uint64, what, value string) {
		t.Helper()
		if d.Goto(step); d.Step() != step {
			t.Fatalf("at step %d, not %d", d.Step(), step)
		}
		if _, _, err := d.Set(what, value, 0); err != nil {
			t.Fatalf("set %s = %s at %d: %v", what, value, step, err)
		}
	}
	set(75, "m.factor", "3")
	set(76, "m.limit", "nil")
	set(76, "m.value", "2")
	set(76, "total", "total + 100")
	set(95, "factor", "4") // in Meter.read, which has read it
	var st heap.Store
	m := d.Machine()
	end := d.GotoEnd()
	if end.End == nil || end.End.Trap != nil {
		t.Fatalf("the run ends in %+v", end)
	}
	kept := map[uint64]*vm.Snapshot{}
	for step := end.Step - 1; step > 0; step-- {
		d.Goto(step)
		kept[step] = m.Snapshot(&st, nil)
	}
	d.Goto(0)
	for step := uint64(1); step < end.Step; step++ {
		d.StepBy(1)
		if diff := m.Difference(kept[step], m.Snapshot(&st, nil)); diff != "" {
			t.Fatalf("%s differ at step %d", diff, step)
		}
	}
	if d.GotoEnd(); out.String() != "10\n2\n7\n1\n" {
		t.Errorf("output %q", out.String())
	}

	// An earlier change makes another run, in which the later ones are not.
	set(30, "factor", "5")
	if list := d.Settings(); len(list) != 1 {
		t.Errorf("settings: %+v", list)
	}
	d.GotoEnd()
	if got := out.String(); got != "10\n2\n7\n1\n"+"6\n1\n7\n1\n" {
		t.Errorf("output %q", got)
	}
}

// A call of the user leaves nothing behind, wherever the run stands, whatever the call does, and whichever way the run goes on.
func TestCallsLeaveNothing(t *testing.T) {
	var plain, out bytes.Buffer
	end := sessionWith(t, changes, debugger.Config{VM: vm.Config{Stdout: &plain}}).GotoEnd()
	d := sessionWith(t, changes, debugger.Config{VM: vm.Config{Stdout: &out}})
	m := d.Machine()
	var st heap.Store
	outcomes := map[string]int{}
	try := func(text string) {
		t.Helper()
		before := m.Snapshot(&st, nil)
		err := d.Call(text, 0, func(c debugger.Called) {
			outcomes[fmt.Sprintf("%s %q %v%s", c.Func, c.Printed, c.Threw, c.Stopped)]++
		})
		if err != nil && text == "round(3)" {
			t.Fatalf("%s at step %d: %v", text, d.Step(), err)
		}
		if diff := m.Difference(before, m.Snapshot(&st, nil)); diff != "" {
			t.Fatalf("%s at step %d changes %s", text, d.Step(), diff)
		}
	}
	all := func() {
		for _, text := range []string{"round(3)", "check(m)", "m.read()", "round(9223372036854775807)"} {
			try(text)
		}
	}
	if _, err := d.BreakAt("Meter.read", "", false); err != nil {
		t.Fatal(err)
	}
	for d.Step() < end.Step {
		all()
		if stop := d.StepBy(3); stop.End != nil {
			break
		}
	}
	for step := end.Step - 1; step > 23; step -= 23 {
		d.Goto(step)
		all()
	}
	d.Delete(1)
	if again := d.GotoEnd(); again.Step != end.Step || out.String() != plain.String() {
		t.Errorf("the run ends at step %d, not %d, with output %q, not %q", again.Step, end.Step, out.String(), plain.String())
	}
	for _, want := range []string{`round(_:) "8\n1\n" false`, `check(_:) "" false`, `Meter.read() "" false`,
		`round(_:) "" falsethe program trapped: arithmetic overflow`} {
		if outcomes[want] == 0 {
			t.Errorf("no call came to %s; they came to %v", want, outcomes)
		}
	}
}

// Each read of a place, and each throw, is met both ways at the same steps.
func TestAccessesBothWays(t *testing.T) {
	d := session(t, changes, nil)
	for _, make := range []func() (*debugger.Breakpoint, error){
		func() (*debugger.Breakpoint, error) { return d.WatchAccess("Meter.value", "", debugger.AnyRead) },
		func() (*debugger.Breakpoint, error) { return d.WatchAccess("Meter.limit", "", debugger.AnyAccess) },
		func() (*debugger.Breakpoint, error) { return d.CatchThrow("Fault", "") },
	} {
		if _, err := make(); err != nil {
			t.Fatal(err)
		}
	}
	d.Goto(76)
	if _, _, err := d.Set("m.value", "0", 0); err != nil {
		t.Fatal(err)
	}
	d.Goto(0)
	var steps []uint64
	what := map[string]int{}
	for stop := d.Continue(); stop.End == nil; stop = d.Continue() {
		steps = append(steps, stop.Step)
		switch {
		case stop.Access != nil:
			what[fmt.Sprintf("%s %v", stop.Access.What, stop.Access.Write)]++
		case stop.Thrown != nil:
			what[stop.Thrown.Value]++
		}
	}
	want := map[string]int{".low(0)": 1, "Meter#1.limit true": 1, "Meter#1.value false": 3, "Meter#5.limit false": 1, "Meter#5.limit true": 1, "Meter#5.value false": 3}
	if !maps.Equal(what, want) {
		t.Errorf("%v at %v, want %v", what, steps, want)
	}
	for n := len(steps) - 1; n >= 0; n-- {
		if stop := d.ReverseContinue(); stop.Step != steps[n] {
			t.Fatalf("back at %d, want %d", stop.Step, steps[n])
		}
	}
}
