package check

import (
	"fmt"
	"maps"
	"slices"

	"silvm/heap"
	"silvm/ir/facts"
	"silvm/ir/mangle"
	"silvm/ir/op"
	"silvm/vm"
	"silvm/vm/code"
)

// A data race is two accesses to the same memory by different tasks, one of them a write, neither of which happens before the other. What
// happens before what is kept in vector clocks (Mattern 1988; the accesses of memory as in FastTrack, Flanagan and Freund 2009): a task begins
// after what made it, goes on after what made it ready, and after the task that it waited for; what runs on an actor or another
// serial executor is in order; so are atomic operations on one word, the uses of a lock, the initialization of globals, and the release of
// an object before its deinit or before somebody else learns to be its only owner.
//
// Nothing here reports an order that only this run had: time and the scheduler order nothing. Accesses by natives and by what silvm brings along
// are not looked at, nor is stack memory.
type races struct {
	clocks   map[uint64]clock // by number of the task
	keys     map[uint64]clock // of what orders: objects, executors, words
	cells    map[uint64]*cell // by address, in units of cellBytes
	ours     map[*code.Func]bool
	executor uint64 // that the running task was seen on
}

// clock says up to which time of each task everything happened before.
type clock map[uint64]uint64

func (c clock) join(o clock) {
	for t, n := range o {
		c[t] = max(c[t], n)
	}
}

const cellBytes = 8

// cell has the accesses to a few bytes that something may still race with.
type cell struct {
	serial uint64 // of the block: another one forgets
	marks  []accessMark
}

// accessMark is one access.
type accessMark struct {
	task, time uint64
	pc         uint32
	bytes      uint8 // of the cell, a bit each
	write      bool
}

// ordered takes what the machine says of order between tasks.
func (c *Checker) ordered(kind vm.OrderKind, by, key uint64) {
	r := c.races
	if r == nil {
		if kind != vm.OrderStart {
			return // before there is a second task, everything is in order
		}
		r = &races{clocks: map[uint64]clock{}, keys: map[uint64]clock{}, cells: map[uint64]*cell{}, ours: map[*code.Func]bool{},
			executor: c.m.CurrentExecutor().Identity}
		c.races = r
		c.follow()
	}
	switch kind {
	case vm.OrderStart, vm.OrderWake:
		r.clock(key).join(r.clock(by))
		r.clocks[by][by]++
	case vm.OrderRelease:
		r.release(by, key)
	case vm.OrderAcquire:
		r.acquire(by, key)
	}
}

func (r *races) clock(task uint64) clock {
	k := r.clocks[task]
	if k == nil {
		k = clock{task: 1}
		r.clocks[task] = k
	}
	return k
}

// release makes what a task did so far happen before what others do after they acquired the key.
func (r *races) release(task, key uint64) {
	if key == 0 {
		return
	}
	if r.keys[key] == nil {
		r.keys[key] = maps.Clone(r.clock(task))
	} else {
		r.keys[key].join(r.clock(task))
	}
	r.clock(task)[task]++
}

func (r *races) acquire(task, key uint64) {
	if k := r.keys[key]; k != nil && key != 0 {
		r.clock(task).join(k)
	}
}

// moves follows a task from one executor to another.
func (r *races) moves(task, to uint64) {
	if r.executor != to {
		r.release(task, r.executor)
		r.acquire(task, to)
		r.executor = to
	}
}

// switched follows the machine from one task to another.
func (r *races) switched(from, to, executor uint64) {
	r.release(from, r.executor)
	r.executor = executor
	r.acquire(to, executor)
}

// counts orders what is done to an object before its release with its deinit.
func (r *races) counts(task uint64, kind heap.TapKind, ref heap.Addr) {
	switch kind {
	case heap.TapRelease:
		r.release(task, ref)
	case heap.TapDeinit:
		r.acquire(task, ref)
	case heap.TapEnd:
		delete(r.keys, ref)
	}
}

// objectBits are those of a reference that lies in memory with others beside it, as in a bridge object.
const objectBits = 1<<56 - 8

// orders notes what an instruction itself puts in order, before it runs and again when it has run.
func (c *Checker) orders(s *site, regs []uint64) {
	r := c.races
	switch s.inst.Op {
	case op.IsUnique, op.BeginCowMutation:
		if a := s.args[0]; a.ok {
			w := a.word(regs)
			if a.address {
				w, _ = c.h.Load64(w)
			}
			r.acquire(c.current, w&objectBits)
		}
	case op.Builtin:
		if len(s.args) == 0 || !s.args[0].ok {
			return
		}
		if id := facts.BuiltinID(s.inst); id == op.BuiltinOnce || id.IsAtomic() {
			w := s.args[0].word(regs)
			r.acquire(c.current, w)
			r.release(c.current, w)
		}
	}
}

// race looks whether an access of size bytes races with one before.
func (c *Checker) race(s *site, addr, size uint64, write bool) *vm.Trap {
	r := c.races
	if r == nil || size == 0 || addr < heap.Base {
		return nil
	}
	ours, known := r.ours[s.fn]
	if !known {
		ours = c.mod.Files.IsOurs(s.inst.Pos)
		r.ours[s.fn] = ours
	}
	info, _ := c.h.Block(addr)
	if ours || info.Ref != 0 && (info.Kind == heap.KindStack || info.Freed) {
		return nil
	}
	now := r.clock(c.current)
	pc := c.userPC(s)
	for at := addr &^ (cellBytes - 1); at < addr+size; at += cellBytes {
		bytes := uint8(0xff)
		if at < addr {
			bytes &= 0xff << (addr - at)
		}
		if left := addr + size - at; left < cellBytes {
			bytes &= 1<<left - 1
		}
		k := r.cells[at]
		if k == nil || k.serial != info.Serial {
			k = &cell{serial: info.Serial}
			r.cells[at] = k
		}
		for _, m := range k.marks {
			if m.bytes&bytes != 0 && m.task != c.current && (write || m.write) && now[m.task] < m.time {
				if c.forLibrary() {
					return nil
				}
				return c.raceFound(addr, write, m)
			}
		}
		k.marks = slices.DeleteFunc(k.marks, func(m accessMark) bool {
			return m.bytes&^bytes == 0 && now[m.task] >= m.time && (write || !m.write && m.task == c.current)
		})
		k.marks = append(k.marks, accessMark{task: c.current, time: now[c.current], pc: pc, bytes: bytes, write: write})
	}
	return nil
}

// maxUnlined is how many calls are gone through for one with a line of the source.
const maxUnlined = 12

// userPC is where an access stands for the program's user: of one in code that has no line, as the library's in the program's text has none,
// the call that led there and has one.
func (c *Checker) userPC(s *site) uint32 {
	pc := s.pc
	if line, _ := s.inst.Swift(); line != "" {
		return pc
	}
	n := 0
	c.m.Frames(func(f vm.Frame) bool {
		if f.Inst != nil {
			if line, _ := f.Inst.Swift(); line != "" {
				pc, n = f.PC, maxUnlined
			}
		}
		n++
		return n < maxUnlined
	})
	return pc
}

// forLibrary reports whether the access is made on behalf of what silvm brings along, by code of the standard library that is in the
// program's text: the state of a stream, say, which is behind a lock where the system's own library has it.
func (c *Checker) forLibrary() (found bool) {
	c.m.Frames(func(f vm.Frame) bool {
		if f.Inst == nil || f.Func == nil || f.Func.Fn == nil {
			return true
		}
		found = c.mod.Files.IsOurs(f.Inst.Pos)
		return !found && mangle.IsLibrary(f.Func.Fn.Name)
	})
	return found
}

// raceFound words a race.
func (c *Checker) raceFound(addr uint64, write bool, m accessMark) *vm.Trap {
	verbs := map[bool][2]string{false: {"reads", "read"}, true: {"writes", "wrote"}}
	name := func(task uint64) string { return c.m.TaskName(vm.Task{Number: task, Object: 1}) }
	msg := fmt.Sprintf("data race: %s %s memory that %s %s, and nothing puts one before the other", name(c.current), verbs[write][0], name(m.task), verbs[m.write][1])
	first := vm.Note{Msg: fmt.Sprintf("%s %s it here", name(m.task), verbs[m.write][1]), Place: c.m.PlaceOf(m.pc)}
	return vm.Broken("SV1004", msg, addr, first)
}
