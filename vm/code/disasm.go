package code

import (
	"fmt"
	"io"
	"strings"
)

// Disassemble writes the bytecode of a function that is lowered, one instruction a line: pc, operation, operands as the row of the
// operation names them, and at the first instruction of each SIL instruction that instruction's name.
func (p *Program) Disassemble(w io.Writer, f *Func) error {
	if _, err := fmt.Fprintf(w, "func %d %s: %d registers\n", f.Index, f.Name, f.NRegs); err != nil {
		return err
	}
	next := 0
	for pc := f.Entry; pc < f.End && int(pc) < len(p.Insts); pc++ {
		note := ""
		if next < len(f.Pos) && f.Pos[next].PC == pc {
			if i := f.Pos[next].Inst; i != nil {
				note = "; " + i.Op.String()
			}
			next++
		}
		if r := p.Reasons[pc]; r != "" {
			note += "; " + r
		}
		line := fmt.Sprintf("%5d  %-40s%s", pc-f.Entry, p.Text(p.Insts[pc], f.Entry), note)
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

// Text returns one instruction as text; code targets are given relative to entry.
func (p *Program) Text(in Inst, entry uint32) string {
	if int(in.Op) >= Count {
		return fmt.Sprintf("invalid %d", in.Op)
	}
	o := in.Op.Operands()
	var parts []string
	field := func(role Role, v uint16) {
		switch role {
		case RoleDef:
			parts = append(parts, fmt.Sprintf("=r%d", v))
		case RoleUse:
			parts = append(parts, fmt.Sprintf("r%d", v))
		case RoleDefPair:
			parts = append(parts, fmt.Sprintf("=r%d:%d", v, v+1))
		case RoleUsePair:
			parts = append(parts, fmt.Sprintf("r%d:%d", v, v+1))
		case RoleBase:
			parts = append(parts, fmt.Sprintf("@%d", v))
		case RoleConst:
			parts = append(parts, fmt.Sprint(v))
		case RoleSigned:
			parts = append(parts, fmt.Sprintf("#%d", int16(v)))
		case RoleSteps:
			if v > 0 {
				parts = append(parts, fmt.Sprintf("+%d", v))
			}
		}
	}
	field(o.A, in.A)
	field(o.B, in.B)
	field(o.C, in.C)
	imm := in.Imm
	if o.Reg == RoleUse {
		parts = append(parts, fmt.Sprintf("r%d", uint16(imm>>o.RegShift)))
		if imm &^= 0xffff << o.RegShift; o.RegShift == 0 {
			imm >>= 16
		}
	}
	switch {
	case in.Op == Switch:
		parts = append(parts, p.tableText(imm, entry))
	case o.Imm == RoleConst && imm > 1<<32:
		parts = append(parts, fmt.Sprintf("#%#x", imm))
	case o.Imm == RoleConst:
		parts = append(parts, fmt.Sprintf("#%d", imm))
	case o.Imm == RoleTargets && (o.A == RoleUse || in.Op == Yield):
		parts = append(parts, fmt.Sprintf("-> %d else %d", uint32(imm)-entry, uint32(imm>>32)-entry))
	case o.Imm == RoleTargets:
		parts = append(parts, fmt.Sprintf("-> %d", uint32(imm)-entry))
	}
	if (in.Op == Call || in.Op == CallTry || in.Op == TailCall || in.Op == FuncHandle) && imm < uint64(len(p.Funcs)) {
		parts = append(parts, p.Funcs[imm].Name)
	}
	return strings.TrimRight(fmt.Sprintf("%-10s %s", table[in.Op].Name, strings.Join(parts, " ")), " ")
}

func (p *Program) tableText(n uint64, entry uint32) string {
	if n >= uint64(len(p.JumpTables)) {
		return "-> no table"
	}
	s := "->"
	for _, t := range p.JumpTables[n] {
		s += fmt.Sprintf(" %d", t-entry)
	}
	return s
}
