package vm

import (
	"silvm/vm/code"
)

// Static memory: globals with their initializers and constant strings, made when first asked for. It is never freed.

// globalAddr returns the address of global i, or of its static object.
func (m *Machine) globalAddr(i uint64) (uint64, *Trap) {
	if i >= uint64(len(m.prog.Globals)) {
		return 0, m.internal("global out of range")
	}
	g := m.prog.Globals[i]
	if g.Addr == 0 {
		if t := m.placeGlobals(g); t != nil {
			return 0, t
		}
	}
	return g.Addr, nil
}

// placeGlobals returns a global its memory, and all that its initializer refers to, directly or not.
func (m *Machine) placeGlobals(g *code.Global) *Trap {
	if t := m.reserve(g); t != nil {
		return t
	}
	for work := []*code.Global{g}; len(work) > 0; {
		g, work = work[len(work)-1], work[:len(work)-1]
		if g.Image == nil {
			continue
		}
		for _, rel := range g.Image.Relocs {
			if rel.Kind != code.RelocGlobal || rel.Index < 0 || rel.Index >= len(m.prog.Globals) {
				continue
			}
			if other := m.prog.Globals[rel.Index]; other.Addr == 0 {
				if t := m.reserve(other); t != nil {
					return t
				}
				work = append(work, other)
			}
		}
		if t := m.relocate(g); t != nil {
			return t
		}
	}
	return nil
}

// reserve returns a global its address and writes the plain bytes of its initializer.
func (m *Machine) reserve(g *code.Global) *Trap {
	if g.Why != "" {
		return m.unsupported(trimUnsupported(g.Why))
	}
	size, align := g.Layout.Size, g.Layout.Align
	if g.Object != nil {
		size, align = 0, max(g.Object.Align, 16)
	}
	if g.Image != nil {
		size = max(size, uint64(len(g.Image.Bytes)))
	}
	addr, f := m.heap.AllocStatic(size, max(align, 8))
	if f != nil {
		return m.fault(f)
	}
	if g.Image != nil {
		if b, ok := m.heap.Range(addr, uint64(len(g.Image.Bytes))); ok {
			copy(b, g.Image.Bytes)
		}
	}
	if g.Object != nil {
		meta, t := m.metadata(g.Object.Type)
		if t != nil {
			return t
		}
		m.heap.InitStaticObject(addr, meta)
	}
	m.placeAt(&g.Addr, addr)
	return nil
}

// relocate writes the words of an initializer that are addresses; the globals among them are placed already.
func (m *Machine) relocate(g *code.Global) *Trap {
	for _, rel := range g.Image.Relocs {
		v, t := m.target(rel)
		if t != nil {
			return t
		}
		if !m.heap.Store64(g.Addr+rel.Offset, v+rel.Add|rel.Or) {
			return m.internal("relocation outside its global")
		}
	}
	return nil
}

func (m *Machine) target(rel code.Reloc) (uint64, *Trap) {
	switch rel.Kind {
	case code.RelocString:
		return m.stringAddr(rel.Index)
	case code.RelocFunc:
		return m.handleOf(rel.Index)
	case code.RelocMetadata:
		return m.metadata(rel.Index)
	case code.RelocWitness:
		return m.tableAddr(rel.Index)
	case code.RelocGlobal:
		if rel.Index >= 0 && rel.Index < len(m.prog.Globals) {
			return m.prog.Globals[rel.Index].Addr, nil
		}
	}
	return 0, m.internal("relocation of an unknown kind")
}

// stringAddr returns the address of constant string i, which a zero byte follows.
func (m *Machine) stringAddr(i int) (uint64, *Trap) {
	if i < 0 || i >= len(m.prog.Strings) {
		return 0, m.internal("string out of range")
	}
	s := m.prog.Strings[i]
	if s.Addr == 0 {
		addr, f := m.heap.AllocStatic(uint64(len(s.Bytes))+1, 16)
		if f != nil {
			return 0, m.fault(f)
		}
		b, _ := m.heap.Range(addr, uint64(len(s.Bytes)))
		copy(b, s.Bytes)
		m.placeAt(&s.Addr, addr)
	}
	return s.Addr, nil
}
