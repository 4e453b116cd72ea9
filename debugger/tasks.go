package debugger

import (
	"cmp"
	"slices"

	"silvm/heap"
	"silvm/vm"
)

// Task is one task of the program, the main thread, or a call of a custom executor's enqueue. It is valid until the run goes on.
type Task struct {
	vm.Task
	Name   string // what messages call it
	State  string // what it does or waits for, in words
	Frames []Frame
}

// TaskFrames is how many frames of a task are enough to tell where in the source it is.
const TaskFrames = 8

// Place is the innermost of the frames that has a line of the source, or the innermost one; nil when there is none.
func (t *Task) Place() *Frame {
	for n := range t.Frames {
		if l := t.Frames[n].Loc(); l != nil && l.Line > 0 {
			return &t.Frames[n]
		}
	}
	if len(t.Frames) > 0 {
		return &t.Frames[0]
	}
	return nil
}

// Tasks returns the tasks that have not ended, in the order in which they were made, each with up to n frames, innermost first. Frames of natives
// and of what silvm brings along do not count; a task that has none was not run yet, or has nothing of the program to do.
func (d *Debugger) Tasks(n int) []Task {
	var out []Task
	for _, t := range d.m.Tasks() {
		x := Task{Task: t, Name: d.m.TaskName(t), State: d.m.Waits(t)}
		hidden := 0
		if t.Running {
			hidden = d.hidden
		}
		walk := func(yield func(vm.Frame) bool) { d.m.TaskFrames(t, yield) }
		d.inSource(walk, hidden, func(f Frame) bool {
			if f.Inst != nil && !d.mod.Files.IsOurs(f.Inst.Pos) {
				x.Frames = append(x.Frames, f)
			}
			return len(x.Frames) < n
		})
		out = append(out, x)
	}
	return out
}

// Unfinished are the tasks that had not ended when the program exited: nobody resumed them, or nobody waited for them.
func (d *Debugger) Unfinished() (out []Task) {
	if e := d.atEnd(); e == nil || e.Trap != nil {
		return nil
	}
	for _, t := range d.Tasks(TaskFrames) {
		if !t.Running && !t.Thread && t.Number != 0 && t.Object != 0 {
			out = append(out, t)
		}
	}
	return out
}

// KeptBy lists the live objects of the program, not those of the concurrency library, that nothing but a task keeps alive, by serial number.
func (d *Debugger) KeptBy(t Task) (out []Object) {
	seen := map[uint64]bool{}
	var queue []uint64
	add := func(target uint64) {
		if o, ok := d.m.Heap().BlockContaining(target); ok && o.State != heap.Freed && !seen[o.Ref] {
			seen[o.Ref] = true
			queue = append(queue, o.Ref)
		}
	}
	reach := func(each func(ref uint64)) {
		for len(queue) > 0 {
			ref := queue[0]
			queue = queue[1:]
			each(ref)
			d.eachEdge(ref, func(e Edge) { add(e.To) })
		}
	}
	for _, g := range d.m.Program().Globals {
		d.m.ReferencesOf(g, func(_, target heap.Addr) { add(target) })
	}
	for _, other := range d.m.Tasks() {
		if other.Number != t.Number {
			d.m.HeldByTask(other, add)
		}
	}
	reach(func(uint64) {})
	d.m.HeldByTask(t.Task, add)
	reach(func(ref uint64) {
		if o, ok := d.ObjectAt(ref); ok && o.Counts.State == heap.Live && (o.Alloc.Inst == nil || !d.mod.Files.IsOurs(o.Alloc.Inst.Pos)) {
			out = append(out, o)
		}
	})
	slices.SortFunc(out, func(a, b Object) int { return cmp.Compare(a.Serial, b.Serial) })
	return out
}
