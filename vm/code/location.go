package code

// Location says where a SIL value is in the frame of its function, from its definition until the frame goes.
type Location struct {
	// Parts are the scalars of a loadable value, in the order of its layout.
	Parts []Part
	// An address is Base + Index*Stride + Off.
	IsAddress   bool
	Base, Index Part
	Stride      uint32
	Off         int64
	// Callee names a function value that is in no register: a function, or the method that a lookup asks for.
	Callee string
}

// Part is a register of the frame or, where that is 0, a constant.
type Part struct {
	Reg uint16
	Imm uint64
}

// In returns the word that the part stands for in a frame with the registers r.
func (p Part) In(r []uint64) uint64 {
	if p.Reg == 0 {
		return p.Imm
	}
	if int(p.Reg) < len(r) {
		return r[p.Reg]
	}
	return 0
}

// Address returns the address that the location stands for in a frame with the registers r.
func (l *Location) Address(r []uint64) uint64 {
	return l.Base.In(r) + l.Index.In(r)*uint64(l.Stride) + uint64(l.Off)
}
