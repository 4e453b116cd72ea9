package debugger

import "silvm/vm"

// Task is one task of the program, the main thread, or a call of a custom executor's enqueue. It is valid until the run goes on.
type Task struct {
	vm.Task
	Name   string // what messages call it
	State  string // what it does or waits for, in words
	Frames []Frame
}

// Tasks returns the tasks that have not ended, in the order in which they were made, each with up to n frames, innermost first. Frames of natives
// and of what silvm brings along do not count; a task that has none was not run yet, or has nothing of the program to do.
func (d *Debugger) Tasks(n int) []Task {
	var out []Task
	for _, t := range d.m.Tasks() {
		x := Task{Task: t, Name: d.m.TaskName(t), State: d.m.Waits(t)}
		index := 0
		d.m.TaskFrames(t, func(f vm.Frame) bool {
			if f.Inst != nil && !d.m.Module().Files.IsOurs(f.Inst.Pos) {
				x.Frames = append(x.Frames, Frame{Frame: f, Index: index})
			}
			index++
			return len(x.Frames) < n
		})
		out = append(out, x)
	}
	return out
}
