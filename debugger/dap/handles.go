package dap

import "silvm/debugger"

// handles are the numbers by which a client asks for parts of what it was shown. They hold until the program goes on.
type handles struct {
	list   []handle
	frames []taskFrame // those of tasks that do not run
}

// handle is a scope of a frame, or a value whose parts can be asked for.
type handle struct {
	frame int
	scope scope
	value debugger.Value
	path  string // the expression of the value, "" when there is none
}

// scope says what variables a handle stands for.
type scope uint8

const (
	scopeParts   scope = iota // the parts of a value
	scopeLocals               // the variables of the Swift source
	scopeValues               // the SIL values
	scopeGlobals              // the global variables that have memory
	scopeObjects              // the live objects
)

func (h *handles) clear() { h.list, h.frames = h.list[:0], h.frames[:0] }

// add returns the number of a new handle, from 1.
func (h *handles) add(x handle) int {
	h.list = append(h.list, x)
	return len(h.list)
}

func (h *handles) get(n int) (handle, bool) {
	if n < 1 || n > len(h.list) {
		return handle{}, false
	}
	return h.list[n-1], true
}
