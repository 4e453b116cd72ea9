package code

import "strings"

// Role says what an operation does with a field.
type Role uint8

// The roles of a field.
const (
	RoleNone    Role = iota
	RoleUse          // a register that is read
	RoleDef          // a register that is written
	RoleUsePair      // the register and its neighbour are read
	RoleDefPair      // the register and its neighbour are written
	RoleBase         // the base of the callee's window
	RoleConst        // a constant
	RoleSigned       // a constant of 16 bits with a sign
	RoleSteps        // a number of steps
	RoleTargets      // Imm only: a pair of code targets
)

// Operands says what an operation does with its fields. Imm is RoleNone, RoleConst or RoleTargets; Reg is RoleUse when Imm
// holds a register too, RegShift bits up, and the constant is in the bits that the register leaves.
type Operands struct {
	A, B, C, Imm Role
	Reg          Role
	RegShift     uint
	// MayCall: the operation may run other functions in a window at the base before the next instruction runs.
	MayCall bool
	known   bool
}

var operands = parseOperands()

// Operands returns the parsed field list of the operation's row; those of an operation out of range are all RoleNone.
func (o Op) Operands() *Operands {
	if int(o) < Count {
		return &operands[o]
	}
	return &operands[Nop]
}

func parseOperands() *[Count]Operands {
	var all [Count]Operands
	for i := range table {
		all[i].known = true
		for f := range strings.FieldsSeq(table[i].Fields) {
			if !all[i].parse(f) {
				all[i].known = false
			}
		}
	}
	return &all
}

func (o *Operands) parse(f string) bool {
	switch f {
	case "imm":
		o.Imm = RoleConst
		return true
	case "targets":
		o.Imm = RoleTargets
		return true
	case "r":
		o.Reg = RoleUse
		return true
	case "r8":
		o.Reg, o.RegShift = RoleUse, 8
		return true
	case "b":
		o.B = RoleSigned
		return true
	}
	role := RoleUse
	switch f[0] {
	case '=':
		role = RoleDef
	case '@':
		role, o.MayCall = RoleBase, true
	case 'k':
		role = RoleConst
	case '#':
		role = RoleSteps
	}
	f = strings.TrimLeft(f, "=@k#")
	if strings.HasSuffix(f, "2") {
		role += RoleUsePair - RoleUse
		f = f[:len(f)-1]
	}
	switch f {
	case "A":
		o.A = role
	case "B":
		o.B = role
	case "C":
		o.C = role
	default:
		return false
	}
	return true
}

// Merge puts a register number into Imm beside the constant, as Reg and RegShift say.
func (o *Operands) Merge(imm uint64, reg uint16) uint64 {
	if o.RegShift == 0 {
		return imm<<16 | uint64(reg)
	}
	return imm | uint64(reg)<<o.RegShift
}
