package fold

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// floatOf returns the number of a float_literal of 32 or 64 bits.
func floatOf(v *ir.Value) (n float64, bits int, ok bool) {
	i := facts.DefinedBy(v, op.FloatLiteral)
	if i == nil {
		return 0, 0, false
	}
	aux, isFloat := i.Aux.(*ir.FloatAux)
	if bits = floatWidth(v.Type); !isFloat || bits == 0 {
		return 0, 0, false
	}
	raw, err := strconv.ParseUint(strings.TrimPrefix(aux.Bits, "0x"), 16, bits)
	switch {
	case err != nil:
		return 0, 0, false
	case bits == 32:
		return float64(math.Float32frombits(uint32(raw))), bits, true
	}
	return math.Float64frombits(raw), bits, true
}

// floatWidth returns the number of bits of Builtin.FPIEEE32 and Builtin.FPIEEE64, 0 for any other type.
func floatWidth(t *ir.Type) int {
	if b := t.Builtin(); b.Kind == ir.BuiltinFloat && (b.Bits == 32 || b.Bits == 64) {
		return int(b.Bits)
	}
	return 0
}

// floatLiteral emits a number of a float type before at.
func floatLiteral(mod *ir.Module, at *ir.Inst, t *ir.Type, n float64) *ir.Value {
	raw := math.Float64bits(n)
	if floatWidth(t) == 32 {
		raw = uint64(math.Float32bits(float32(n)))
	}
	i := &ir.Inst{Op: op.FloatLiteral, Types: []*ir.Type{t}, Aux: &ir.FloatAux{Bits: fmt.Sprintf("0x%X", raw)}}
	return ir.At(mod, at).Emit(i).Results[0]
}

// foldFloat returns the value of a builtin on numbers with a fraction, or one that makes such a number; nil where the compiler leaves it.
func foldFloat(mod *ir.Module, i *ir.Inst, id op.BuiltinID) *ir.Value {
	t := i.Results[0].Type
	if id == op.BuiltinItofpWithOverflow {
		lit := facts.Literal(i.Arg(0))
		if lit == nil || floatWidth(t) == 0 {
			return nil
		}
		n := new(big.Float).SetInt(lit)
		if floatWidth(t) == 32 {
			f, _ := n.Float32()
			return floatLiteral(mod, i, t, float64(f))
		}
		f, _ := n.Float64()
		return floatLiteral(mod, i, t, f)
	}
	if id == op.BuiltinFptrunc && floatWidth(t) > 0 {
		if x, ok := longFloatOf(i.Arg(0), t); ok {
			return floatLiteral(mod, i, t, x)
		}
	}
	if (id == op.BuiltinFptosi || id == op.BuiltinFptoui) && i.Arg(0).Type.Builtin().Bits == 80 {
		return integerOf(mod, i, id)
	}
	if v := compareBits(mod, i, id); v != nil {
		return v
	}
	x, bits, ok := floatOf(i.Arg(0))
	if !ok {
		return nil
	}
	switch id {
	case op.BuiltinFptrunc:
		if floatWidth(t) == 0 {
			return nil
		}
		return floatLiteral(mod, i, t, x)
	case op.BuiltinFptosi, op.BuiltinFptoui:
		return foldFloatToInt(mod, i, id == op.BuiltinFptosi, x)
	}
	if len(i.Operands) != 2 {
		return nil
	}
	y, _, ok := floatOf(i.Arg(1))
	if !ok {
		return nil
	}
	if v := foldFloatCompare(mod, i, id, x, y); v != nil {
		return v
	}
	var n float64
	switch id {
	case op.BuiltinFadd:
		n = x + y
	case op.BuiltinFsub:
		n = x - y
	case op.BuiltinFmul:
		n = x * y
	case op.BuiltinFdiv:
		n = x / y
	default:
		return nil
	}
	if bits == 32 { // 64 bits are enough to round twice without an error
		n = float64(float32(n))
	}
	if math.IsNaN(n) {
		return nil // which one it is the machine decides
	}
	return floatLiteral(mod, i, t, n)
}

// longFloatOf returns a float_literal of 80 bits rounded to a type of fewer; ok is false for infinities, what is no number and what becomes
// infinite.
func longFloatOf(v *ir.Value, t *ir.Type) (n float64, ok bool) {
	f := exactFloat(v)
	if f == nil {
		return 0, false
	}
	n, _ = f.Float64()
	if floatWidth(t) == 32 {
		short, _ := f.Float32()
		n = float64(short)
	}
	return n, !math.IsInf(n, 0)
}

// exactFloat returns the number of a float_literal of 80 bits, nil for infinities and what is no number.
func exactFloat(v *ir.Value) *big.Float {
	i := facts.DefinedBy(v, op.FloatLiteral)
	if b := v.Type.Builtin(); i == nil || b.Kind != ir.BuiltinFloat || b.Bits != 80 {
		return nil
	}
	aux, isFloat := i.Aux.(*ir.FloatAux)
	if !isFloat {
		return nil
	}
	raw, isHex := new(big.Int).SetString(strings.TrimPrefix(aux.Bits, "0x"), 16)
	if !isHex || raw.BitLen() > 80 {
		return nil
	}
	const bias, greatest = 16383, 0x7fff // of the exponent, which is above a mantissa of 64 bits that has its first bit
	mantissa := new(big.Int).And(raw, new(big.Int).SetUint64(math.MaxUint64))
	exponent := int(new(big.Int).Rsh(raw, 64).Uint64() & greatest)
	if exponent == greatest {
		return nil
	}
	f := new(big.Float).SetPrec(64).SetInt(mantissa)
	f.SetMantExp(f, max(exponent, 1)-bias-63)
	if raw.Bit(79) == 1 {
		f.Neg(f)
	}
	return f
}

// integerOf returns a number of 80 bits without its fraction, nil when the integer type does not hold it.
func integerOf(mod *ir.Module, i *ir.Inst, id op.BuiltinID) *ir.Value {
	f, bits := exactFloat(i.Arg(0)), i.Results[0].Type.IntWidth()
	if f == nil || bits == 0 || f.MantExp(nil) > int(bits)+1 {
		return nil
	}
	n, _ := f.Int(nil)
	fits := facts.WrapSigned(n, bits)
	back := fits
	if id == op.BuiltinFptoui {
		back = facts.AsUnsigned(fits, bits)
	}
	if back.Cmp(n) != 0 {
		return nil
	}
	return rewrite.LiteralOf(mod, i, i.Results[0].Type, fits)
}

// bitsOf returns a number that is written as a literal or as its bits, in the way of infinities and of what is no number.
func bitsOf(v *ir.Value) (n float64, ok bool) {
	if n, _, ok = floatOf(v); ok {
		return n, true
	}
	cast, id := facts.BuiltinOf(v)
	if cast == nil || id != op.BuiltinBitcast {
		return 0, false
	}
	raw, width := facts.Literal(cast.Arg(0)), floatWidth(v.Type)
	switch {
	case raw == nil || width == 0:
		return 0, false
	case width == 32:
		return float64(math.Float32frombits(uint32(facts.AsUnsigned(raw, 32).Uint64()))), true
	}
	return math.Float64frombits(facts.AsUnsigned(raw, 64).Uint64()), true
}

// compareBits folds comparisons that need not know both numbers, or know one by its bits: nil for any other builtin.
func compareBits(mod *ir.Module, i *ir.Inst, id op.BuiltinID) *ir.Value {
	if len(i.Operands) != 2 {
		return nil
	}
	x, okX := bitsOf(i.Arg(0))
	y, okY := bitsOf(i.Arg(1))
	switch {
	case okX && okY:
	case okX && math.IsNaN(x):
		y = x
	case okY && math.IsNaN(y):
		x = y
	default:
		return nil
	}
	return foldFloatCompare(mod, i, id, x, y)
}

// foldFloatToInt cuts off the fraction of a number; nil when what is left does not fit.
func foldFloatToInt(mod *ir.Module, i *ir.Inst, signed bool, x float64) *ir.Value {
	t := i.Results[0].Type
	width := t.IntWidth()
	if width == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	n, _ := big.NewFloat(x).Int(nil)
	back := facts.AsUnsigned(n, width)
	if signed {
		back = facts.WrapSigned(n, width)
	}
	if back.Cmp(n) != 0 {
		return nil
	}
	return rewrite.LiteralOf(mod, i, t, facts.WrapSigned(n, width))
}

// foldFloatCompare compares two numbers, nil for a builtin that compares none: the predicates that begin with o are false and those with u are true for what is not a number.
func foldFloatCompare(mod *ir.Module, i *ir.Inst, id op.BuiltinID, x, y float64) *ir.Value {
	unordered := math.IsNaN(x) || math.IsNaN(y)
	var holds bool
	switch id {
	case op.BuiltinFcmpOrd:
		holds = !unordered
	case op.BuiltinFcmpUno:
		holds = unordered
	case op.BuiltinFcmpOeq, op.BuiltinFcmpUeq:
		holds = x == y
	case op.BuiltinFcmpOne, op.BuiltinFcmpUne:
		holds = !unordered && x != y
	case op.BuiltinFcmpOlt, op.BuiltinFcmpUlt:
		holds = x < y
	case op.BuiltinFcmpOle, op.BuiltinFcmpUle:
		holds = x <= y
	case op.BuiltinFcmpOgt, op.BuiltinFcmpUgt:
		holds = x > y
	case op.BuiltinFcmpOge, op.BuiltinFcmpUge:
		holds = x >= y
	default:
		return nil
	}
	switch id {
	case op.BuiltinFcmpUno, op.BuiltinFcmpUeq, op.BuiltinFcmpUne, op.BuiltinFcmpUlt, op.BuiltinFcmpUle, op.BuiltinFcmpUgt, op.BuiltinFcmpUge:
		holds = holds || unordered
	}
	n := int64(0)
	if holds {
		n = -1
	}
	return rewrite.LiteralOf(mod, i, i.Results[0].Type, big.NewInt(n))
}
