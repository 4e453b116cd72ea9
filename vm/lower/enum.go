package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// enumLowerings are the instructions that make, test and open enums (docs/SIL.rst, Enums). What each has to do with bits
// is said by vm/abi; here it becomes a few instructions.
var enumLowerings = map[op.Op]lowering{
	op.Enum:                      lowerEnum,
	op.UncheckedEnumData:         lowerUncheckedEnumData,
	op.InjectEnumAddr:            lowerInjectEnumAddr,
	op.InitEnumDataAddr:          lowerInitEnumDataAddr,
	op.UncheckedTakeEnumDataAddr: lowerUncheckedTakeEnumDataAddr,
	op.SwitchEnum:                lowerSwitchEnum,
	op.SwitchEnumAddr:            lowerSwitchEnum,
	op.SelectEnum:                lowerSelectEnum,
	op.SelectEnumAddr:            lowerSelectEnum,
}

// enumCase finds the enum of a type and the case that an instruction names.
func (b *builder) enumCase(t *ir.Type, m *ir.MemberAux) (*abi.Layout, *abi.EnumCase, error) {
	lay, err := b.layout(t)
	if err != nil {
		return nil, nil, err
	}
	if lay.Enum == nil {
		return nil, nil, unsupportedf("%s is no enum", t)
	}
	c := lay.Enum.Case(m.Name)
	if c == nil {
		return nil, nil, unsupportedf("enum %s has no case %s", t, m.Name)
	}
	return lay, c, nil
}

func lowerEnum(b *builder, i *ir.Inst) error {
	lay, c, err := b.enumCase(b.typeOf(i.Results[0]), i.Aux.(*ir.MemberAux))
	if err != nil {
		return err
	}
	var payload []operand
	if len(i.Operands) > 0 {
		payload = b.scalars(i.Arg(0))
	}
	b.define(i.Results[0], b.injectEnum(lay, c, payload))
	return nil
}

// injectEnum returns the scalars of a loadable enum in case c.
func (b *builder) injectEnum(lay *abi.Layout, c *abi.EnumCase, payload []operand) []operand {
	out := make([]operand, len(lay.Scalars))
	if !c.Stored {
		for n, v := range lay.Enum.Constants(c.Index) {
			out[n] = mir.Const(v)
		}
		return out
	}
	b.applyMoves(lay.Enum.Moves(c.Index), payload, out)
	for _, cell := range lay.Enum.Inject(c.Index) {
		if cell.Covers() {
			out[cell.Scalar] = mir.Const(cell.Value)
		} else if cell.Value != 0 {
			out[cell.Scalar] = b.op2(code.Or, out[cell.Scalar], mir.Const(cell.Value))
		}
	}
	return out
}

// applyMoves computes scalars from parts of others.
func (b *builder) applyMoves(moves []abi.Move, from, to []operand) {
	for _, m := range moves {
		if m.From >= len(from) || m.To >= len(to) {
			continue
		}
		part := from[m.From]
		if !m.IsAlias() {
			if m.Shift > 0 {
				part = b.op2(code.Shl, part, mir.Const(uint64(m.Shift)))
			} else if m.Shift < 0 {
				part = b.op2(code.Lshr, part, mir.Const(uint64(-int(m.Shift))))
			}
			part = b.op2(code.And, part, mir.Const(m.Mask))
		}
		if to[m.To] == (operand{}) {
			to[m.To] = part
		} else {
			to[m.To] = b.op2(code.Or, to[m.To], part)
		}
	}
}

// projectEnum returns the scalars of the payload of case c.
func (b *builder) projectEnum(lay *abi.Layout, c *abi.EnumCase, enum []operand) []operand {
	if c.Payload == nil {
		return nil
	}
	out := make([]operand, len(c.Payload.Scalars))
	b.applyMoves(lay.Enum.Project(c.Index), enum, out)
	return out
}

func lowerUncheckedEnumData(b *builder, i *ir.Inst) error {
	lay, c, err := b.enumCase(b.typeOf(i.Arg(0)), i.Aux.(*ir.MemberAux))
	if err != nil {
		return err
	}
	b.define(i.Results[0], b.projectEnum(lay, c, b.scalars(i.Arg(0))))
	return nil
}

func lowerInjectEnumAddr(b *builder, i *ir.Inst) error {
	if b.isDynamic(b.typeOf(i.Arg(0))) {
		return b.dynamicInject(i)
	}
	lay, c, err := b.enumCase(b.typeOf(i.Arg(0)), i.Aux.(*ir.MemberAux))
	if err != nil {
		return err
	}
	b.injectEnumAt(b.address(i.Arg(0)), lay, c)
	return nil
}

// injectEnumAt makes the enum in memory case c; the payload of a case with storage is already there. A loadable enum is
// written whole, so that no bit is left from what was there before.
func (b *builder) injectEnumAt(a addr, lay *abi.Layout, c *abi.EnumCase) {
	if !c.Stored && !lay.AddressOnly {
		var ops []operand
		for _, v := range lay.Enum.Constants(c.Index) {
			ops = append(ops, mir.Const(v))
		}
		b.storeValue(a, lay, ops)
		return
	}
	b.setCells(a, lay.Enum.Inject(c.Index))
}

// setCells sets parts of a value in memory.
func (b *builder) setCells(a addr, cells []abi.Cell) {
	for _, cell := range cells {
		at := a.at(cell.Offset)
		v := mir.Const(cell.Value)
		if !cell.Covers() {
			v = b.op2(code.And, b.loadAt(at, cell.Width).Op(), mir.Const(^cell.Mask))
			if cell.Value != 0 {
				v = b.op2(code.Or, v, mir.Const(cell.Value))
			}
		}
		b.storeAt(at, cell.Width, v)
	}
}

func lowerInitEnumDataAddr(b *builder, i *ir.Inst) error {
	if b.isDynamic(b.typeOf(i.Arg(0))) {
		b.defineAddress(i.Results[0], b.address(i.Arg(0)))
		return nil
	}
	if _, _, err := b.enumCase(b.typeOf(i.Arg(0)), i.Aux.(*ir.MemberAux)); err != nil {
		return err
	}
	b.defineAddress(i.Results[0], b.address(i.Arg(0)))
	return nil
}

func lowerUncheckedTakeEnumDataAddr(b *builder, i *ir.Inst) error {
	if b.isDynamic(b.typeOf(i.Arg(0))) {
		return b.dynamicTake(i)
	}
	lay, c, err := b.enumCase(b.typeOf(i.Arg(0)), i.Aux.(*ir.MemberAux))
	if err != nil {
		return err
	}
	a := b.address(i.Arg(0))
	if c.Stored {
		b.setCells(a, lay.Enum.Strip())
	}
	b.defineAddress(i.Results[0], a)
	return nil
}

// enumReader returns the cells of an enum operand, in scalars or in memory.
func (b *builder) enumReader(v *ir.Value, lay *abi.Layout) func(abi.Cell) operand {
	if b.typeOf(v).IsAddress() {
		return b.memoryReader(b.address(v))
	}
	return scalarReader(b.scalars(v))
}

func scalarReader(ops []operand) func(abi.Cell) operand {
	return func(c abi.Cell) operand { return ops[c.Scalar] }
}

func (b *builder) memoryReader(a addr) func(abi.Cell) operand {
	return func(c abi.Cell) operand { return b.loadAt(a.at(c.Offset), c.Width).Op() }
}

// maxArms is how many values are compared one by one; more go through a jump table if they are dense.
const maxArms = 4

// decide ends the current block by going to target(case) for the case that the value has.
func (b *builder) decide(d *abi.Decision, read func(abi.Cell) operand, target func(int) *label) {
	if d == nil {
		b.trap(code.TrapProgram)
		return
	}
	if d.IsLeaf() {
		b.jump(target(d.Case))
		return
	}
	v := b.cellValue(read(d.Cell), d.Cell, d.Shift)
	arms, last := d.Arms, d.Default
	if last == nil {
		last, arms = arms[len(arms)-1].To, arms[:len(arms)-1]
	}
	memo := map[*abi.Decision]*label{}
	var pending []*abi.Decision
	labelOf := func(d *abi.Decision) *label {
		if d.IsLeaf() {
			return target(d.Case)
		}
		l := memo[d]
		if l == nil {
			l = b.newLabel()
			memo[d] = l
			pending = append(pending, d)
		}
		return l
	}
	if n := len(arms); n > maxArms && arms[n-1].Value < uint64(4*n) {
		table := make([]*label, arms[n-1].Value+2)
		for i := range table {
			table[i] = labelOf(last)
		}
		for _, arm := range arms {
			table[arm.Value] = labelOf(arm.To)
		}
		b.jumpTable(v, table)
	} else {
		for _, arm := range arms {
			next := b.newLabel()
			b.branch(code.JumpEq, v, mir.Const(arm.Value), labelOf(arm.To), next)
			b.placeLabel(next)
		}
		b.jump(labelOf(last))
	}
	for n := 0; n < len(pending); n++ {
		b.placeLabel(memo[pending[n]])
		b.decide(pending[n], read, target)
	}
}

// cellValue returns (v & mask) >> shift.
func (b *builder) cellValue(v operand, c abi.Cell, shift uint8) operand {
	if !c.Covers() {
		v = b.op2(code.And, v, mir.Const(c.Mask))
	}
	if shift > 0 {
		v = b.op2(code.Lshr, v, mir.Const(uint64(shift)))
	}
	return v
}

// lowerSwitchEnum decides the case and goes to a stub for each successor, which takes out the payload. Cases that share the default share its stub.
func lowerSwitchEnum(b *builder, i *ir.Inst) error {
	v := i.Arg(0)
	if b.isDynamic(b.typeOf(v)) {
		return b.dynamicSwitch(i)
	}
	lay, err := b.layoutOf(v)
	if err != nil {
		return err
	}
	if lay.Enum == nil {
		return unsupportedf("switch over %s, which is no enum", lay.Type)
	}
	isAddr := b.typeOf(v).IsAddress()
	var enum []operand
	if !isAddr {
		enum = b.scalars(v)
	}
	succ, fallback := caseTargets(i.Aux.(*ir.CaseAux), lay.Enum)
	made := map[int]*label{}
	type stub struct {
		at      *label
		n, kase int
	}
	var stubs []stub
	target := func(kase int) *label {
		n, ok := succ[kase]
		if !ok {
			n = fallback
		}
		if n < 0 {
			l := b.newLabel()
			stubs = append(stubs, stub{l, -1, kase})
			return l
		}
		key := n
		if !ok {
			key = -1 - n
		}
		l := made[key]
		if l == nil {
			l = b.newLabel()
			made[key] = l
			if !ok {
				kase = -1
			}
			stubs = append(stubs, stub{l, n, kase})
		}
		return l
	}
	b.decide(lay.Enum.Decision(), b.enumReader(v, lay), target)
	for _, s := range stubs {
		b.placeLabel(s.at)
		if s.n < 0 {
			b.trap(code.TrapProgram)
			continue
		}
		var args []operand
		if to := i.Succs[s.n].To; !isAddr && len(to.Args) > 0 {
			// A default block in ownership form gets the payload if it stands for one case, else the whole enum.
			if args = enum; s.kase < 0 && b.typeOf(to.Args[0]) != b.typeOf(v) {
				s.kase = remainingCase(succ, lay.Enum)
			}
			if s.kase >= 0 {
				args = b.projectEnum(lay, &lay.Enum.Cases[s.kase], enum)
			}
		}
		b.jump(b.edge(i, s.n, args...))
	}
	return nil
}

// remainingCase returns the only case that has no successor of its own, -1 when there are more.
func remainingCase(succ map[int]int, e *abi.Enum) int {
	only := -1
	for n := range e.Cases {
		if _, ok := succ[e.Cases[n].Index]; !ok {
			if only >= 0 {
				return -1
			}
			only = n
		}
	}
	return only
}

// caseTargets maps case indexes to positions in an instruction's list of cases; fallback is the default's, -1 when none.
func caseTargets(aux *ir.CaseAux, e *abi.Enum) (at map[int]int, fallback int) {
	at, fallback = map[int]int{}, -1
	for n, m := range aux.Cases {
		if m == nil {
			fallback = n
		} else if c := e.Case(m.Name); c != nil {
			at[c.Index] = n
		}
	}
	return at, fallback
}

// lowerSelectEnum decides the case and copies the operand of that arm to the registers of the result.
func lowerSelectEnum(b *builder, i *ir.Inst) error {
	v := i.Arg(0)
	if b.isDynamic(b.typeOf(v)) {
		return b.dynamicSelect(i)
	}
	lay, err := b.layoutOf(v)
	if err != nil {
		return err
	}
	if lay.Enum == nil {
		return unsupportedf("select over %s, which is no enum", lay.Type)
	}
	at, fallback := caseTargets(i.Aux.(*ir.CaseAux), lay.Enum)
	width := len(b.scalars(i.Arg(1)))
	out := b.newRegs(width)
	end := b.newLabel()
	arms := map[int]*label{}
	var order []int
	target := func(kase int) *label {
		n, ok := at[kase]
		if !ok {
			n = fallback
		}
		l := arms[n]
		if l == nil {
			l = b.newLabel()
			arms[n] = l
			order = append(order, n)
		}
		return l
	}
	b.decide(lay.Enum.Decision(), b.enumReader(v, lay), target)
	for _, n := range order {
		b.placeLabel(arms[n])
		if n < 0 {
			b.trap(code.TrapProgram)
			continue
		}
		for k, o := range b.scalars(i.Arg(1 + n)) {
			b.copyTo(out[k], o)
		}
		b.jump(end)
	}
	b.placeLabel(end)
	b.define(i.Results[0], mir.Ops(out...))
	return nil
}
