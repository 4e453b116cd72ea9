package debugger

import (
	"errors"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
)

// Watching a variable that lies on the stack. It is there from its alloc_stack to its dealloc_stack in one call; before and after that, and
// in calls of the same function later, its memory is somebody else's.

// stackVar is the variable.
type stackVar struct {
	alloc  *ir.Value
	fn     *code.Func
	depth  int
	from   uint64 // what is watched of it
	to     uint64
	here   map[uint32]bool // by boundary: it is there
	fresh  bool            // nothing was written to it yet
	writes bool            // the next instruction writes to it
	began  bool            // it was there when the search came to its stretch
}

// errGone is the error for a variable whose memory was given back.
var errGone = errors.New("the variable is not there any more: its memory was given back")

// stackVarAt finds the variable in whose memory a value lies; nil when none is known.
func (d *Debugger) stackVarAt(v Value) (out *stackVar, err error) {
	if o, ok := d.m.Heap().BlockContaining(v.Addr); !ok || o.Kind != heap.KindStack || v.Layout == nil {
		return nil, nil
	}
	d.calls(func(f Frame) bool {
		if f.Func == nil || f.Inst == nil {
			return true
		}
		for i := range f.Inst.Block().Func.Insts() {
			if i.Op != op.AllocStack {
				continue
			}
			a := i.Results[0]
			l, ok := f.Func.Values[a]
			lay := d.layout(d.concrete(a.Type.Object(), f.Func))
			if !ok || !l.IsAddress || lay == nil || !d.isDefined(a, f) {
				continue
			}
			if at := l.Address(f.Regs); v.Addr >= at && v.Addr < at+lay.Size {
				out = &stackVar{alloc: a, fn: f.Func, depth: d.m.Depth() - f.Index, from: v.Addr, to: v.Addr + v.Layout.Size, here: map[uint32]bool{}}
				if out.isIn(d, f) {
					err = nil
					return false
				}
				out, err = nil, errGone
			}
		}
		return true
	})
	return out, err
}

// isThere reports whether the variable is there where the run stands.
func (s *stackVar) isThere(d *Debugger) bool {
	n := d.m.Depth() - s.depth
	if n < 0 {
		return false
	}
	f, ok := d.call(n)
	return ok && f.Func == s.fn && f.Inst != nil && s.isIn(d, f)
}

// isIn reports whether a call of its function has it where it stands.
func (s *stackVar) isIn(d *Debugger, f Frame) bool {
	in, known := s.here[f.PC]
	if known {
		return in
	}
	in = d.isDefined(s.alloc, f)
	for u := range s.alloc.Uses() {
		if i := u.User(); in && i.Op == op.DeallocStack {
			in = !d.passed(i, f)
		}
	}
	s.here[f.PC] = in
	return in
}

// ahead notes whether the next instruction writes to the variable.
func (s *stackVar) ahead(d *Debugger) {
	if s.writes = false; !s.fresh {
		return
	}
	f, ok := d.call(0)
	if !ok || f.Inst == nil || f.Func == nil {
		return
	}
	for _, t := range touchesOf(f.Inst, d.runsNative(f)) {
		if from, to, ok := d.operandMemory(f, t.operand); ok && t.write && from < s.to && to > s.from {
			s.writes = true
		}
	}
}

// change tells what became of the variable: "" is nothing to tell of. now and old are what was read.
func (s *stackVar) change(d *Debugger, old, now reading) (before string, told bool) {
	switch {
	case !old.there && now.there:
		s.fresh = true
	case now.there && s.fresh && (s.writes || now != old):
		s.fresh = false
		s.ahead(d)
		return notSet, true
	}
	s.ahead(d)
	return "", !s.fresh && now != old && old.there
}
