package cgen

import (
	"encoding/binary"
	"errors"
)

// The parts of a module of WebAssembly (specification 2.0, section 5), as far as package wasm writes them.

// Value types.
const (
	valI32 = 0x7f
	valI64 = 0x7e
	valF32 = 0x7d
	valF64 = 0x7c
)

type funcType struct{ params, results []byte }

type moduleText struct {
	types   []funcType
	imports []moduleImport
	funcs   []int // type of each function that is not imported
	bodies  [][]byte
	globals []struct{}
	data    []moduleData
	entry   int // number of the function that the program begins with
}

type moduleImport struct {
	name string
	typ  int
}

type moduleData struct {
	at    uint32
	bytes []byte
}

// typeOf returns the type of function n.
func (m *moduleText) typeOf(n int) funcType {
	if n < len(m.imports) {
		return m.types[m.imports[n].typ]
	}
	return m.types[m.funcs[n-len(m.imports)]]
}

// reader reads numbers and names; what is after the end reads as 0 and is noted.
type reader struct {
	b     []byte
	short bool
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.short = true
		return 0
	}
	b := r.b[0]
	r.b = r.b[1:]
	return b
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.short, n = true, 0
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

// u reads an unsigned LEB128 number.
func (r *reader) u() uint64 {
	v, n := binary.Uvarint(r.b)
	r.take(max(n, 1))
	return v
}

// n reads a small number.
func (r *reader) n() int { return int(r.u()) }

// s reads a signed LEB128 number.
func (r *reader) s() (v int64) {
	for shift := 0; shift < 64; shift += 7 {
		b := r.byte()
		v |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			if b&0x40 != 0 && shift+7 < 64 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.short = true
	return v
}

func (r *reader) list(each func()) {
	for n := r.n(); n > 0 && !r.short; n-- {
		each()
	}
}

// readModule takes a module apart.
func readModule(text []byte) (*moduleText, error) {
	m := &moduleText{}
	r := &reader{b: text[8:]}
	for len(r.b) > 0 && !r.short {
		id := r.byte()
		s := &reader{b: r.take(r.n())}
		switch id {
		case 1:
			s.list(func() {
				s.byte()
				var f funcType
				f.params = s.take(s.n())
				f.results = s.take(s.n())
				m.types = append(m.types, f)
			})
		case 2:
			s.list(func() {
				s.take(s.n())
				name := string(s.take(s.n()))
				s.byte()
				m.imports = append(m.imports, moduleImport{name, s.n()})
			})
		case 3:
			s.list(func() { m.funcs = append(m.funcs, s.n()) })
		case 6:
			m.globals = make([]struct{}, s.n())
		case 7:
			s.list(func() {
				name := string(s.take(s.n()))
				if kind, n := s.byte(), s.n(); kind == 0 && name == "entry0" {
					m.entry = n
				}
			})
		case 10:
			s.list(func() { m.bodies = append(m.bodies, s.take(s.n())) })
		case 11:
			s.list(func() {
				s.byte()
				s.byte()
				at := uint32(s.s())
				s.byte()
				m.data = append(m.data, moduleData{at, s.take(s.n())})
			})
		}
		if s.short {
			r.short = true
		}
	}
	if r.short || len(m.bodies) != len(m.funcs) {
		return nil, errors.New("the module is cut off")
	}
	return m, nil
}
