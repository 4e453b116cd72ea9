package wasm

import "strings"

// module is a WebAssembly module in the making: functions of the host, helpers and translated functions, in the order of their numbers; a
// memory; a table in which each function has its own number; mutable globals.
type module struct {
	host    string // name of the module that it imports from
	types   map[string]int
	typeSec writer
	imports writer
	nimport int
	funcs   []int // type of each function that is not imported
	bodies  [][]byte
}

// Sections of a module.
const (
	secType = iota + 1
	secImport
	secFunction
	secTable
	secMemory
	secGlobal
	secExport
	secStart
	secElement
	secCode
	secData
)

// Kinds of imports and exports.
const (
	kindFunc   = 0
	kindTable  = 1
	kindMemory = 2
	kindGlobal = 3
)

// typ returns the number of a function type.
func (m *module) typ(params, results []valtype) int {
	var k strings.Builder
	for _, t := range params {
		k.WriteByte(byte(t))
	}
	k.WriteByte(0)
	for _, t := range results {
		k.WriteByte(byte(t))
	}
	n, ok := m.types[k.String()]
	if !ok {
		n = len(m.types)
		m.types[k.String()] = n
		m.typeSec.b = append(m.typeSec.b, 0x60)
		m.typeSec.types(params)
		m.typeSec.types(results)
	}
	return n
}

// importFunc adds a function of the host and returns its number.
func (m *module) importFunc(name string, params, results []valtype) int {
	m.imports.name(m.host)
	m.imports.name(name)
	m.imports.b = append(m.imports.b, kindFunc)
	m.imports.u(uint64(m.typ(params, results)))
	m.nimport++
	return m.nimport - 1
}

// HostModule is where the functions of the host come from; the number of the area follows.
const HostModule = "silvm"

// words returns n types of 64-bit integers.
func words(n int) []valtype {
	ts := make([]valtype, n)
	for k := range ts {
		ts[k] = i64
	}
	return ts
}

// bytes returns the module, whose memory has at least min and at most max pages of 64 KiB. entries are the numbers of the functions to export.
func (m *module) bytes(min, max uint64, entries []int) []byte {
	out := writer{b: []byte("\x00asm\x01\x00\x00\x00")}
	section := func(id byte, count int, f func(w *writer)) {
		var w writer
		w.u(uint64(count))
		f(&w)
		out.b = append(out.b, id)
		out.u(uint64(len(w.b)))
		out.b = append(out.b, w.b...)
	}
	total := uint64(m.nimport + len(m.funcs))
	section(secType, len(m.types), func(w *writer) { w.b = append(w.b, m.typeSec.b...) })
	section(secImport, m.nimport, func(w *writer) { w.b = append(w.b, m.imports.b...) })
	section(secFunction, len(m.funcs), func(w *writer) {
		for _, t := range m.funcs {
			w.u(uint64(t))
		}
	})
	section(secTable, 1, func(w *writer) {
		w.b = append(w.b, 0x70, 1) // function references, with a maximum
		w.u(total)
		w.u(total)
	})
	section(secMemory, 1, func(w *writer) {
		w.b = append(w.b, 1)
		w.u(min)
		w.u(max)
	})
	section(secGlobal, numGlobals, func(w *writer) {
		for range numGlobals {
			w.b = append(w.b, byte(i64), 1)
			w.i64(0)
			w.op(opEnd)
		}
	})
	section(secExport, 3+len(entries), func(w *writer) {
		w.name(exportTable)
		w.b = append(w.b, kindTable, 0)
		w.name(exportMemory)
		w.b = append(w.b, kindMemory, 0)
		for k, n := range entries {
			w.name(ExportEntry(k))
			w.b = append(w.b, kindFunc)
			w.u(uint64(n))
		}
		w.name(GlobalStop)
		w.b = append(w.b, kindGlobal, globalStop)
	})
	section(secElement, 1, func(w *writer) {
		w.b = append(w.b, 0)
		w.i32(uint32(m.nimport))
		w.op(opEnd)
		w.u(uint64(len(m.funcs)))
		for k := range m.funcs {
			w.u(uint64(m.nimport + k))
		}
	})
	section(secCode, len(m.bodies), func(w *writer) {
		for _, b := range m.bodies {
			w.u(uint64(len(b)))
			w.b = append(w.b, b...)
		}
	})
	return out.b
}

// body puts the types of a function's locals, its parameters left out, before its code.
func body(locals []valtype, code []byte) []byte {
	var groups writer
	n := 0
	for k := 0; k < len(locals); n++ {
		e := k
		for e < len(locals) && locals[e] == locals[k] {
			e++
		}
		groups.u(uint64(e - k))
		groups.b = append(groups.b, byte(locals[k]))
		k = e
	}
	var w writer
	w.u(uint64(n))
	w.b = append(append(w.b, groups.b...), code...)
	return w.b
}
