package debugger

import (
	"silvm/heap"
	"silvm/ir/source"
	"silvm/vm"
)

// maxReplayed is how long a run may be that is looked through for who called for a release, in steps.
const maxReplayed = 20 << 20

// Finding words a finding, with the calls that led to the making, the last release and the end of the block that it is about.
func (d *Debugger) Finding(t *vm.Trap) source.Diagnostic {
	d.tellCallers(t)
	return t.Diagnostic()
}

// tellCallers adds the calls to a finding; when the program has read input, or the user has changed something, which only the past has, those
// of the last release.
func (d *Debugger) tellCallers(t *vm.Trap) {
	if d.told == t {
		return
	}
	d.told = t
	if len(d.settings) == 0 {
		d.m.TellCallers(t)
	}
	if t.Kind != vm.HeapFault || t.Object == nil || t.Object.Release.Inst == nil || t.Object.Releasers != nil || d.Step() > maxReplayed {
		return
	}
	events, _, _ := d.History(d.object(t.Object.Info))
	for k := len(events) - 1; k >= 0; k-- {
		if e := &events[k]; e.Kind == heap.TapDeinit && len(e.Stack) > 1 {
			t.Object.Releasers = e.Stack[1:]
			return
		}
	}
}
