package lower

import (
	"math/big"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// globalTables remembers the globals and the constant strings of the program.
type globalTables struct {
	standard map[string]*ir.Global // the runtime library's that no file declares
	byGlobal map[*ir.Global]int
	byString map[string]int
}

// globalLowerings are the instructions that name globals (docs/SIL.rst, Allocation; Literals).
var globalLowerings = map[op.Op]lowering{
	op.AllocGlobal:   lowerNothing,
	op.GlobalAddr:    lowerGlobalAddr,
	op.GlobalValue:   lowerGlobalValue,
	op.StringLiteral: lowerStringLiteral,
}

func lowerGlobalAddr(b *builder, i *ir.Inst) error {
	index, err := b.global(i.Aux.(*ir.SymbolAux).Name)
	if err != nil {
		return err
	}
	r := b.NewReg()
	b.emit(code.GlobalAddr, r, 0, 0, uint64(index))
	b.defineAddress(i.Results[0], addr{base: r.Op()})
	return nil
}

func lowerGlobalValue(b *builder, i *ir.Inst) error {
	index, err := b.global(i.Aux.(*ir.SymbolAux).Name)
	if err != nil {
		return err
	}
	if g := b.Prog.Globals[index]; g.Object == nil && g.Why == "" {
		return unsupportedf("global_value of @%s, which holds no object", g.Global.Name)
	}
	r := b.NewReg()
	b.emit(code.GlobalObject, r, 0, 0, uint64(index))
	b.define(i.Results[0], mir.Ops(r))
	return nil
}

func lowerStringLiteral(b *builder, i *ir.Inst) error {
	r := b.NewReg()
	b.emit(code.StringAddr, r, 0, 0, uint64(b.constString(i.Aux.(*ir.StringAux).Value)))
	b.define(i.Results[0], mir.Ops(r))
	return nil
}

// constString returns the index of a constant string.
func (l *Lowerer) constString(s string) int {
	if n, ok := l.globals.byString[s]; ok {
		return n
	}
	if l.globals.byString == nil {
		l.globals.byString = map[string]int{}
	}
	n := len(l.Prog.Strings)
	l.Prog.Strings = append(l.Prog.Strings, &code.String{Bytes: s})
	l.globals.byString[s] = n
	return n
}

// global returns the index of a global variable, with the image of its static initializer.
func (l *Lowerer) global(name string) (int, error) {
	g := l.globalNamed(name)
	if g == nil {
		return 0, unsupportedf("global @%s, which is in no file", name)
	}
	if n, ok := l.globals.byGlobal[g]; ok {
		return n, nil
	}
	if l.globals.byGlobal == nil {
		l.globals.byGlobal = map[*ir.Global]int{}
	}
	lay, err := l.Layouts.Of(l.Mod.Canonical(g.Type))
	if err != nil {
		return 0, err
	}
	n := len(l.Prog.Globals)
	out := &code.Global{Global: g, Layout: lay}
	l.Prog.Globals = append(l.Prog.Globals, out)
	l.globals.byGlobal[g] = n
	if g.Init == nil || g.Init.Last() == nil {
		err = l.external(g, out)
	} else {
		ev := evaluator{l: l, values: map[*ir.Value][]constant{}}
		err = ev.initializer(g, out)
	}
	if err != nil {
		reason, ok := reasonOf(err)
		if !ok {
			return 0, err
		}
		out.Why = "initializer of @" + name + ": " + reason
	}
	return n, nil
}

// constant is a scalar known before the program runs: a number or the address of something.
type constant struct {
	imm   uint64
	reloc *code.Reloc // Offset unused
}

// evaluator computes static initializers (docs/SIL.rst, Global Variables): only literals, aggregates and a few operations on
// them are there, and no control flow.
type evaluator struct {
	l      *Lowerer
	values map[*ir.Value][]constant
}

func (ev *evaluator) initializer(g *ir.Global, out *code.Global) error {
	for i := range g.Init.Insts() {
		if i.Op == op.Object {
			return ev.object(i, out)
		}
		if err := ev.eval(i); err != nil {
			return err
		}
	}
	last := g.Init.Last()
	if len(last.Results) != 1 {
		return unsupportedf("%s at the end of an initializer", last.Op)
	}
	if out.Layout.AddressOnly {
		return unsupportedf("static initializer of %s", out.Layout.Type)
	}
	out.Image = &code.Image{Bytes: make([]byte, out.Layout.Size)}
	write(out.Image, 0, out.Layout, ev.values[last.Results[0]])
	return nil
}

// object lays out a static object: header, stored properties, tail elements.
func (ev *evaluator) object(i *ir.Inst, out *code.Global) error {
	t := i.Types[0]
	class, err := ev.l.Layouts.Class(t)
	if err != nil {
		return err
	}
	base := len(i.Operands)
	if aux, ok := i.Aux.(*ir.IntAux); ok {
		base = int(aux.Int64())
	}
	if base > len(class.Fields) {
		return unsupportedf("static object of %s with %d properties", t, base)
	}
	im := &code.Image{}
	place := func(off uint64, lay *abi.Layout, v *ir.Value) {
		if need := off + lay.Size; uint64(len(im.Bytes)) < need {
			im.Bytes = append(im.Bytes, make([]byte, need-uint64(len(im.Bytes)))...)
		}
		write(im, off, lay, ev.values[v])
	}
	im.Bytes = make([]byte, class.Size)
	for n := range base {
		place(class.Fields[n].Offset, class.Fields[n].Layout, i.Arg(n))
	}
	off, align := class.Size, class.Align
	for n := base; n < len(i.Operands); n++ {
		lay, err := ev.l.Layouts.Of(ev.l.Mod.Canonical(i.Arg(n).Type))
		if err != nil {
			return err
		}
		off = (off + lay.Align - 1) &^ (lay.Align - 1)
		align = max(align, lay.Align)
		place(off, lay, i.Arg(n))
		off += lay.Stride
	}
	ti, err := ev.l.TypeInfo(class.Type)
	if err != nil {
		return err
	}
	out.Image, out.Object = im, &code.StaticObject{Type: ti, Align: align}
	return nil
}

// write puts the scalars of a value into an image.
func write(im *code.Image, off uint64, lay *abi.Layout, value []constant) {
	for n, s := range lay.Scalars {
		if n >= len(value) {
			return
		}
		at := off + s.Offset
		if c := value[n]; c.reloc != nil {
			r := *c.reloc
			r.Offset = at
			im.Relocs = append(im.Relocs, r)
			continue
		}
		for k := range uint64(s.Width) {
			im.Bytes[at+k] = byte(value[n].imm >> (8 * k))
		}
	}
}

func (ev *evaluator) eval(i *ir.Inst) error {
	rule := evalRules[i.Op]
	if rule == nil {
		return unsupportedf("%s in a static initializer", i.Op)
	}
	value, err := rule(ev, i)
	if err != nil {
		return err
	}
	if len(i.Results) == 1 {
		ev.values[i.Results[0]] = value
	}
	return nil
}

// evalRules evaluate the instructions of static initializers.
var evalRules map[op.Op]func(*evaluator, *ir.Inst) ([]constant, error)

func init() {
	evalRules = map[op.Op]func(*evaluator, *ir.Inst) ([]constant, error){
		op.IntegerLiteral:          evalInteger,
		op.FloatLiteral:            evalFloat,
		op.StringLiteral:           evalString,
		op.Struct:                  evalConcat,
		op.Tuple:                   evalConcat,
		op.Vector:                  evalConcat,
		op.Enum:                    evalEnum,
		op.FunctionRef:             evalFunction,
		op.ThinToThickFunction:     evalThick,
		op.ConvertFunction:         evalConcat,
		op.GlobalAddr:              evalGlobal,
		op.GlobalValue:             evalGlobal,
		op.AddressToPointer:        evalConcat,
		op.PointerToAddress:        evalConcat,
		op.ValueToBridgeObject:     evalConcat,
		op.Upcast:                  evalConcat,
		op.UncheckedRefCast:        evalConcat,
		op.RawPointerToRef:         evalConcat,
		op.RefToRawPointer:         evalConcat,
		op.UncheckedTrivialBitCast: evalConcat,
		op.StructExtract:           evalExtract,
		op.TupleExtract:            evalExtract,
		op.Metatype:                evalMetatype,
		op.Builtin:                 evalBuiltin,
		op.DebugValue:              evalConcat,
	}
}

func evalInteger(ev *evaluator, i *ir.Inst) ([]constant, error) {
	lay, err := ev.l.Layouts.Of(i.Results[0].Type)
	if err != nil {
		return nil, err
	}
	v := i.Aux.(*ir.IntAux).Value
	out := make([]constant, len(lay.Scalars))
	for n, s := range lay.Scalars {
		word := new(big.Int).Rsh(v, uint(64*n))
		out[n].imm = truncate(word, s.Bits)
	}
	return out, nil
}

// truncate returns the low bits of a number in two's complement.
func truncate(v *big.Int, bits uint8) uint64 {
	mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(bits)), big.NewInt(1))
	return new(big.Int).And(v, mask).Uint64()
}

func evalFloat(ev *evaluator, i *ir.Inst) ([]constant, error) {
	bits, ok := new(big.Int).SetString(strings.TrimPrefix(i.Aux.(*ir.FloatAux).Bits, "0x"), 16)
	t := i.Results[0].Type.Builtin()
	if !ok || bits.BitLen() > int(t.Bits) {
		return nil, unsupportedf("float literal %s in a static initializer", i.Aux.(*ir.FloatAux).Bits)
	}
	low := constant{imm: truncate(bits, 64)}
	if t.Kind == ir.BuiltinFloat && t.Bits > 64 {
		return []constant{low, {imm: bits.Rsh(bits, 64).Uint64()}}, nil
	}
	return []constant{low}, nil
}

func evalString(ev *evaluator, i *ir.Inst) ([]constant, error) {
	index := ev.l.constString(i.Aux.(*ir.StringAux).Value)
	return []constant{{reloc: &code.Reloc{Kind: code.RelocString, Index: index}}}, nil
}

// evalConcat puts the scalars of the operands one after the other: aggregates and casts.
func evalConcat(ev *evaluator, i *ir.Inst) ([]constant, error) {
	var out []constant
	for n := range i.Operands {
		out = append(out, ev.values[i.Arg(n)]...)
	}
	return out, nil
}

// evalEnum lays out an enum in a static initializer.
func evalEnum(ev *evaluator, i *ir.Inst) ([]constant, error) {
	lay, err := ev.l.Layouts.Of(ev.l.Mod.Canonical(i.Results[0].Type))
	if err != nil {
		return nil, err
	}
	c := lay.Enum.Case(i.Aux.(*ir.MemberAux).Name)
	if c == nil || lay.AddressOnly {
		return nil, unsupportedf("enum %s in a static initializer", lay.Type)
	}
	out := make([]constant, len(lay.Scalars))
	if !c.Stored {
		for n, v := range lay.Enum.Constants(c.Index) {
			out[n].imm = v
		}
		return out, nil
	}
	payload := ev.values[i.Arg(0)]
	for _, m := range lay.Enum.Moves(c.Index) {
		part := payload[m.From]
		if part.reloc != nil && (m.Shift != 0 || out[m.To].imm != 0) || out[m.To].reloc != nil {
			return nil, unsupportedf("an address inside a chunk of enum %s", lay.Type)
		}
		if part.reloc == nil {
			switch {
			case m.Shift > 0:
				part.imm <<= uint(m.Shift)
			case m.Shift < 0:
				part.imm >>= uint(-int(m.Shift))
			}
			part.imm = part.imm&m.Mask | out[m.To].imm
		}
		out[m.To] = part
	}
	for _, cell := range lay.Enum.Inject(c.Index) {
		if r := out[cell.Scalar].reloc; r != nil {
			tagged := *r
			tagged.Or |= cell.Value
			out[cell.Scalar].reloc = &tagged
			continue
		}
		out[cell.Scalar].imm = out[cell.Scalar].imm&^cell.Mask | cell.Value
	}
	return out, nil
}

func evalFunction(ev *evaluator, i *ir.Inst) ([]constant, error) {
	name := i.Aux.(*ir.SymbolAux).Name
	f := ev.l.Mod.Func(name)
	if f == nil {
		return nil, unsupportedf("function @%s, which is in no file", name)
	}
	index, err := ev.l.Func(f, nil)
	if err != nil {
		return nil, err
	}
	return []constant{{reloc: &code.Reloc{Kind: code.RelocFunc, Index: index}}}, nil
}

func evalThick(ev *evaluator, i *ir.Inst) ([]constant, error) {
	return append(append([]constant(nil), ev.values[i.Arg(0)]...), constant{}), nil
}

func evalGlobal(ev *evaluator, i *ir.Inst) ([]constant, error) {
	index, err := ev.l.global(i.Aux.(*ir.SymbolAux).Name)
	if err != nil {
		return nil, err
	}
	return []constant{{reloc: &code.Reloc{Kind: code.RelocGlobal, Index: index}}}, nil
}

func evalMetatype(ev *evaluator, i *ir.Inst) ([]constant, error) {
	t := i.Results[0].Type
	if t.Rep == ir.MetatypeThin {
		return nil, nil
	}
	index, err := ev.l.TypeInfo(t.Elem)
	if err != nil {
		return nil, err
	}
	return []constant{{reloc: &code.Reloc{Kind: code.RelocMetadata, Index: index}}}, nil
}

func evalExtract(ev *evaluator, i *ir.Inst) ([]constant, error) {
	lay, err := ev.l.Layouts.Of(ev.l.Mod.Canonical(i.Arg(0).Type))
	if err != nil {
		return nil, err
	}
	for n, f := range lay.Fields {
		if m, ok := i.Aux.(*ir.MemberAux); ok && m.Name != f.Name {
			continue
		} else if k, ok := i.Aux.(*ir.IntAux); ok && int(k.Int64()) != n {
			continue
		}
		all := ev.values[i.Arg(0)]
		if end := f.First + len(f.Layout.Scalars); end <= len(all) {
			return all[f.First:end], nil
		}
	}
	return nil, unsupportedf("%s in a static initializer", i.Op)
}

// evalBuiltin does the conversions and the arithmetic that constant folding leaves in initializers: on addresses only what a
// Reloc can say.
func evalBuiltin(ev *evaluator, i *ir.Inst) ([]constant, error) {
	aux := i.Aux.(*ir.BuiltinAux)
	if aux.ID() == op.BuiltinZeroInitializer && len(i.Operands) == 0 {
		lay, err := ev.l.Layouts.Of(i.Results[0].Type)
		if err != nil {
			return nil, err
		}
		return make([]constant, len(lay.Scalars)), nil
	}
	refused := unsupportedf("builtin %s in a static initializer", aux.Name())
	first, second, _ := strings.Cut(aux.TypeNames(), "_")
	at, known := numberNamed(first)
	if !known || at.words() != 1 || at.lanes != 1 || at.literal || len(i.Operands) == 0 || len(ev.values[i.Arg(0)]) != 1 {
		return nil, refused
	}
	x := ev.values[i.Arg(0)][0]
	if to, ok := numberNamed(second); ok || second == "" && len(i.Operands) == 1 {
		if second == "" {
			to = at // ptrtoint, inttoptr: a word
		}
		x, ok = x.converted(aux.ID(), at, to)
		if !ok {
			return nil, refused
		}
		return []constant{x}, nil
	}
	if len(i.Operands) < 2 || len(ev.values[i.Arg(1)]) != 1 || ev.values[i.Arg(1)][0].reloc != nil {
		return nil, refused
	}
	y := ev.values[i.Arg(1)][0].imm
	sum, overflow := x, false
	switch id := aux.ID(); id {
	case op.BuiltinStringObjectOr, op.BuiltinOr:
		if x.reloc == nil {
			sum.imm |= y
		} else {
			r := *x.reloc
			r.Or |= y
			sum.reloc = &r
		}
	case op.BuiltinAdd, op.BuiltinSub, op.BuiltinUaddWithOverflow, op.BuiltinUsubWithOverflow, op.BuiltinSaddWithOverflow, op.BuiltinSsubWithOverflow:
		by := y
		if id == op.BuiltinSub || id == op.BuiltinUsubWithOverflow || id == op.BuiltinSsubWithOverflow {
			by = -y
		}
		overflow = id != op.BuiltinAdd && id != op.BuiltinSub
		if x.reloc == nil {
			sum.imm = (x.imm + by) & mask(at.bits)
		} else {
			r := *x.reloc
			r.Add += by
			sum.reloc = &r
		}
	default:
		return nil, refused
	}
	if overflow {
		return []constant{sum, {imm: mir.Flag(x.reloc == nil && overflows(aux.ID(), x.imm, y, sum.imm, at.bits))}}, nil
	}
	return []constant{sum}, nil
}

// overflows reports whether the sum or the difference of x and y left the range of integers of bits.
func overflows(id op.BuiltinID, x, y, result, bits uint64) bool {
	a, b, r := int64(signExtend(x, bits)), int64(signExtend(y, bits)), int64(signExtend(result, bits))
	switch id {
	case op.BuiltinUaddWithOverflow:
		return result < x
	case op.BuiltinUsubWithOverflow:
		return x < y
	case op.BuiltinSsubWithOverflow:
		return (a^b)&(a^r) < 0
	}
	return (a^r)&(b^r) < 0
}

// converted returns the constant as an integer of another width; false for what is no such conversion, or cuts an address.
func (c constant) converted(id op.BuiltinID, from, to number) (constant, bool) {
	if id == op.BuiltinBitcast {
		return c, from.bits == to.bits && from.lanes == to.lanes
	}
	if from.float || to.float || to.words() != 1 || to.lanes != 1 || c.reloc != nil && (from.bits != 64 || to.bits != 64) {
		return c, false
	}
	switch id {
	case op.BuiltinSextOrBitCast, op.BuiltinSext:
		c.imm = signExtend(c.imm, from.bits) & mask(to.bits)
	case op.BuiltinPtrtoint, op.BuiltinInttoptr, op.BuiltinZextOrBitCast, op.BuiltinZext, op.BuiltinTruncOrBitCast, op.BuiltinTrunc:
		c.imm &= mask(to.bits)
	default:
		return c, false
	}
	return c, true
}
