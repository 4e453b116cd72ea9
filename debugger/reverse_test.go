package debugger_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"silvm/debugger"
	"silvm/heap"
	"silvm/vm"
)

var reverseFiles = []string{
	"../programs/counts/weak.sil", "../programs/counts/unowned.sil", "../programs/counts/deinit.sil", "../programs/counts/closures.sil",
	"../programs/embedded/cycle/O.sil", "../programs/ordinary/classes/O.sil", "../programs/seeds/nested_access_conflict.sil",
}

// FuzzReverse runs n steps, goes k back and k forward: the state is the same.
func FuzzReverse(f *testing.F) {
	f.Add(uint8(0), uint16(100), uint16(7))
	f.Add(uint8(1), uint16(900), uint16(899))
	f.Add(uint8(4), uint16(5000), uint16(4321))
	f.Add(uint8(5), uint16(300), uint16(1))
	f.Add(uint8(6), uint16(1000), uint16(1))
	f.Fuzz(func(t *testing.T, file uint8, n, k uint16) {
		d := session(t, reverseFiles[int(file)%len(reverseFiles)], io.Discard)
		if d.Goto(uint64(n)); d.Ended() {
			d.ReverseStepBy(1)
		}
		var st heap.Store
		at := d.Step()
		k = min(k, uint16(at))
		if k == 0 {
			return
		}
		before := d.Machine().Snapshot(&st, nil)
		d.ReverseStepBy(uint64(k))
		if d.Step() != at-uint64(k) {
			t.Fatalf("%d back from %d is %d", k, at, d.Step())
		}
		d.StepBy(uint64(k))
		after := d.Machine().Snapshot(&st, nil)
		if diff := d.Machine().Difference(before, after); diff != "" {
			t.Fatalf("%s differ at step %d after %d back and forth", diff, at, k)
		}
	})
}

// A small history keeps its bound, and every step can still be gone to.
func TestHistoryBound(t *testing.T) {
	const limit = 256 << 10
	var out bytes.Buffer
	d := sessionWith(t, "../programs/embedded/sorting/O.sil.gz", debugger.Config{VM: vm.Config{Stdout: &out}, History: limit})
	end := d.GotoEnd().Step
	for k := uint64(1); k < 40; k++ {
		to := end * k / 40
		if d.Goto(to); d.Step() != to {
			t.Fatalf("at %d, not at %d", d.Step(), to)
		}
		d.ReverseStepBy(1)
		bytes, marks := d.HistoryBytes()
		if bytes > limit && marks > 1 {
			t.Fatalf("%d bytes in %d snapshots, the limit is %d", bytes, marks, limit)
		}
	}
}

// Input is read once and given again; output comes out once. The output is that of the native program.
func TestInputIsReplayed(t *testing.T) {
	var out bytes.Buffer
	in := &once{strings.NewReader("hello,\nworld\nlast")}
	d := sessionWith(t, "testdata/echo.sil.gz", debugger.Config{VM: vm.Config{Stdout: &out, Stdin: in}})
	end := d.GotoEnd()
	if end.End == nil || end.End.Trap != nil {
		t.Fatalf("the program ends in %v", end.End)
	}
	for _, step := range []uint64{3, end.Step / 2, 0, end.Step - 40} {
		if d.Goto(step); d.Step() != step {
			t.Errorf("at %d, not at %d", d.Step(), step)
		}
	}
	d.GotoEnd()
	if got := out.String(); got != "hello,\nworld\nlast\n15\n" {
		t.Errorf("output %q", got)
	}
}

// once fails when it is read after its end.
type once struct{ from *strings.Reader }

func (o *once) Read(b []byte) (int, error) {
	if o.from == nil {
		return 0, errors.New("read after the end")
	}
	n, err := o.from.Read(b)
	if err != nil {
		o.from = nil
	}
	return n, err
}

// A walk forwards and the same one backwards come by the same steps.
func TestSteppingTable(t *testing.T) {
	d := session(t, "../cmd/silvm/testdata/debug/leak.sil", io.Discard)
	verbs := []struct {
		name           string
		forth, back    func() debugger.Stop
		start, forward uint64
	}{
		{"step", func() debugger.Stop { return d.StepBy(1) }, func() debugger.Stop { return d.ReverseStepBy(1) }, 0, 60},
		{"next", func() debugger.Stop { return d.Next(1) }, func() debugger.Stop { return d.ReverseNext(1) }, 2, 40},
		{"next line", func() debugger.Stop { return d.StepLine(1, true) }, func() debugger.Stop { return d.ReverseStepLine(1, true) }, 2, 3},
		{"step line", func() debugger.Stop { return d.StepLine(1, false) }, func() debugger.Stop { return d.ReverseStepLine(1, false) }, 2, 6},
	}
	for _, v := range verbs {
		t.Run(v.name, func(t *testing.T) {
			d.Goto(v.start)
			steps := []uint64{d.Step()}
			live := []int{len(d.Live(""))}
			for range v.forward {
				v.forth()
				steps, live = append(steps, d.Step()), append(live, len(d.Live("")))
			}
			for n := len(steps) - 2; n >= 0; n-- {
				if v.back(); d.Step() != steps[n] || len(d.Live("")) != live[n] {
					t.Fatalf("back from %d: at %d with %d objects, want %d with %d", steps[n+1], d.Step(), len(d.Live("")), steps[n], live[n])
				}
			}
		})
	}
}
