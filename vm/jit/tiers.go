package jit

import (
	"context"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"silvm/vm"
	"silvm/vm/code"
	"silvm/vm/wasm"
)

// tiers is what an engine keeps of a run in tiers. Each compilation is a module of its own, with an area of its own before the memory that
// all share; code of earlier ones goes on.
type tiers struct {
	ctx     context.Context
	rt      wazero.Runtime
	modules int
	pending *run
	done    chan result
	entries map[uint32]*entry   // by place
	before  map[*code.Func]bool // that were compiled
	undo    func()
}

// result is what a compilation gave.
type result struct {
	module wazero.CompiledModule
	err    error
}

// entry is a place where a module can be entered.
type entry struct {
	wasm.Entry
	run  *run
	name string
	idle []*call // that are not under way
}

// call is a function of a module with room for what it takes and returns. Calls can nest; each that is under way needs its own.
type call struct {
	f     api.Function
	words []uint64
}

// Compile begins to compile what is hot, unless that is more than most instructions.
func (e *Engine) Compile(b *vm.Bridge, h *vm.Heat, limit, most int) vm.Compilation {
	t := &e.tier
	if t.modules == wasm.Areas || !supported() {
		return vm.Compilation{}
	}
	c := choose(b, h, limit, t.before)
	if len(c.entries) == 0 {
		return vm.Compilation{}
	}
	if most > 0 && c.size > most {
		return vm.Compilation{Takes: c.size}
	}
	if t.rt == nil {
		t.undo = quiet(b) // before the arena is made, which would have Go collect
		b.Share(e.Control())
		e.waste.begin(b)
		t.ctx, t.rt = newRuntime(b)
		t.entries, t.done, t.before = map[uint32]*entry{}, make(chan result, 1), map[*code.Func]bool{}
	}
	r := e.translate(b, c.funcs, c.entries, t.modules, h.Words)
	if len(r.out.Entries) == 0 {
		return vm.Compilation{}
	}
	t.modules++
	fresh := slices.ContainsFunc(c.entries, func(en wasm.Entry) bool { return t.entries[en.PC] == nil })
	for f := range c.has {
		t.before[f] = true
	}
	t.pending = r
	ctx, rt, done := t.ctx, t.rt, t.done
	go func() {
		m, err := rt.CompileModule(ctx, r.out.Bytes)
		done <- result{m, err}
	}()
	return vm.Compilation{Busy: true, Takes: c.size, Fresh: fresh}
}

// Compiled returns the places of what was compiled last.
func (e *Engine) Compiled(_ *vm.Bridge) (places []uint32, busy bool) {
	t := &e.tier
	var res result
	select {
	case res = <-t.done:
	default:
		return nil, true
	}
	r := t.pending
	t.pending = nil
	if res.err == nil {
		res.err = e.instantiate(t.ctx, t.rt, r, res.module)
	}
	if res.err != nil {
		t.modules = wasm.Areas // nothing more is tried
		return nil, false
	}
	for k, en := range r.out.Entries {
		t.entries[en.PC] = &entry{Entry: en, run: r, name: wasm.ExportEntry(k)}
		places = append(places, en.PC)
	}
	return places, false
}

// Idle has Go collect while the program is in the interpreter.
func (e *Engine) Idle(b *vm.Bridge) {
	if e.tier.undo != nil {
		e.waste.look(b, looksApart/16)
	}
}

// Enter runs the code of a place in the running frame.
func (e *Engine) Enter(b *vm.Bridge, place uint32) (out vm.Outcome, on uint32) {
	e.waste.look(b, 1)
	en := e.tier.entries[place]
	r := en.run
	c := en.take()
	regs, calls := b.Frame()
	for k, reg := range en.Params {
		c.words[k] = regs[reg]
	}
	if calls > r.depth {
		b.Stopped("calls nest deeply")
		return vm.Ended, 0
	}
	before := r.get(wasm.WordCalls)
	r.put(wasm.WordCalls, r.depth-(calls-1))
	r.leave()
	if err := c.f.CallWithStack(e.tier.ctx, c.words); err != nil {
		b.Stopped(trapText(err))
		return vm.Ended, 0
	}
	r.enter()
	r.put(wasm.WordCalls, before)
	regs, _ = b.Frame()
	en.idle = append(en.idle, c)
	if n := r.get(wasm.WordExit); n != 0 {
		r.put(wasm.WordExit, 0)
		x := en.Exits[n-1]
		slots := b.Arena()[r.area+wasm.Slots:]
		for k, reg := range x.Regs {
			regs[reg] = le.Uint64(slots[8*k:])
		}
		return vm.Done, x.PC
	}
	words, threw := c.words, false
	if en.Flag {
		words, threw = words[1:], words[0] != 0
	}
	copy(regs[1:], words[:en.Results])
	if threw {
		return vm.Threw, 0
	}
	return vm.Done, 0
}

func (en *entry) take() *call {
	if n := len(en.idle); n > 0 {
		c := en.idle[n-1]
		en.idle = en.idle[:n-1]
		return c
	}
	return &call{en.run.module.ExportedFunction(en.name), make([]uint64, max(len(en.Params), en.Results+1))}
}

// Close gives up what a run in tiers has compiled.
func (e *Engine) Close() {
	t := &e.tier
	if t.pending != nil {
		<-t.done
	}
	if len(e.runs) > 0 {
		e.count(e.runs[0].b)
	}
	if t.undo != nil {
		t.undo()
	}
	if t.rt != nil {
		t.rt.Close(t.ctx)
	}
}
