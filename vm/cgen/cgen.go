// Package cgen builds programs to be run by others than silvm: a WebAssembly module of a whole program (package wasm), with the
// contents of its memory and with what its host has to know of its types; or the same as C, with a runtime that is such a host.
//
// There is no interpreter to fall back to. What a host could only do with the bytecode at hand is refused while the program is built, with the place.
// docs/BUILD.md says what the module asks of its host.
//
// Read cgen.go, then refuse.go; for C c.go, function.go, runtime/silvm.c.
package cgen

import (
	"fmt"

	"silvm/vm"
	"silvm/vm/code"
	"silvm/vm/wasm"
)

// Program is a program that is laid out to be built.
type Program struct {
	Bridge *vm.Bridge
	Module *wasm.Module
	Whole  *wasm.Whole
	Arena  []byte // the first contents of the memory
}

const (
	pageSize = 64 << 10
	maxPages = 1 << 16
	// depthMargin is how many calls before the limit a program stops: it does not count those of functions that call nothing.
	depthMargin = 100
)

// New lays out the program of a machine, which can't run any more.
func New(m *vm.Machine) (*Program, error) {
	b := m.LayOut(wasm.Control)
	main, _ := b.Main()
	if main == nil {
		return nil, fmt.Errorf("main can't be built, as it can't be run: silvm run says why")
	}
	funcs, trap := b.Settle()
	if trap != nil {
		return nil, trap
	}
	b.UseControl(wasm.Area)
	wasm.Prepare(b.Arena())
	bases, counts := b.Records()
	rec := wasm.Records{Bases: bases, Counts: counts}
	p := &Program{Bridge: b, Whole: &wasm.Whole{}}
	pages := uint64(len(b.Arena())) / pageSize
	p.Module = wasm.Translate(b.Program(), funcs, []wasm.Entry{{Func: main, PC: main.Entry}}, rec, pages, maxPages, wasm.Options{Whole: p.Whole})
	if len(p.Module.Entries) == 0 {
		return nil, fmt.Errorf("main can't be translated")
	}
	p.Arena = b.Arena()
	p.Module.Fill(b.Program(), rec, p.Arena, b.DestroyerOf, func(ti *code.TypeInfo) byte { return held(b.Held(ti.Addr)) })
	put64(p.Arena[wasm.Words+wasm.WordCalls:], b.MaxCalls()-depthMargin)
	sp, end := b.Stack()
	put64(p.Arena[wasm.Words+wasm.WordStack:], sp)
	put64(p.Arena[wasm.Words+wasm.WordStackEnd:], end)
	p.Module.AddData(p.Arena)
	types, err := p.types(rec)
	if err != nil {
		return nil, err
	}
	p.Module.AddSection("silvm.types", types)
	traps, err := p.traps()
	if err != nil {
		return nil, err
	}
	p.Module.AddSection("silvm.traps", traps)
	return p, nil
}

// held is how the module notes how values lie in existentials.
func held(h vm.Held) (bits byte) {
	for _, x := range [...]struct {
		is  bool
		bit byte
	}{{h.Inline, wasm.KnownInline}, {h.Trivial, wasm.KnownTrivial}, {h.Boxed, wasm.KnownBoxed}, {h.Ref, wasm.KnownRef}} {
		if x.is {
			bits |= x.bit
		}
	}
	return bits
}
