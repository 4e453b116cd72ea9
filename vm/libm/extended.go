package libm

import (
	"math/big"
	"math/bits"
)

// Extended is a number of x87 double extended precision: sign and 15 bits of exponent in Top, then 64 bits with an explicit first one.
type Extended struct {
	Top  uint16
	Frac uint64
}

const (
	extendedBias = 16383
	extendedMax  = 0x7FFF // the exponent of infinities and NaNs
	extendedUnit = -16445 // the exponent of the smallest number
)

// exact is a number (-1)^neg * n * 2^exp, or one that is greater by less than 1 in the last place of n where more is set.
type exact struct {
	neg  bool
	n    *big.Int
	exp  int
	more bool
}

func (x Extended) neg() bool     { return x.Top>>15 != 0 }
func (x Extended) exponent() int { return int(x.Top & extendedMax) }

// IsNaN reports whether x is not a number, IsInf whether it is infinite.
func (x Extended) IsNaN() bool { return x.exponent() == extendedMax && x.Frac<<1 != 0 }

// IsInf reports whether x is an infinity.
func (x Extended) IsInf() bool { return x.exponent() == extendedMax && x.Frac<<1 == 0 }

func (x Extended) isZero() bool { return x.Frac == 0 && x.exponent() != extendedMax }

// IsNegative reports whether the sign of x is minus.
func (x Extended) IsNegative() bool { return x.neg() }

func (x Extended) signed(neg bool) Extended {
	x.Top &= extendedMax
	if neg {
		x.Top |= 1 << 15
	}
	return x
}

func (x Extended) magnitude() Extended { return x.signed(false) }

func extendedCopySign(x, y Extended) Extended { return x.signed(y.neg()) }

// extendedInvalid is what the machine makes of an operation that has no result.
var extendedInvalid = Extended{0xFFFF, 3 << 62}

func infinite(neg bool) Extended { return Extended{extendedMax, 1 << 63}.signed(neg) }

// nanOf returns the quiet NaN that an operation on a NaN makes: that with the larger significand.
func nanOf(x, y Extended) Extended {
	if !x.IsNaN() || y.IsNaN() && (y.Frac&^(1<<62) > x.Frac&^(1<<62)) {
		x = y
	}
	x.Frac |= 1 << 62
	return x
}

// exact takes a finite number apart.
func (x Extended) exact() exact {
	return exact{x.neg(), new(big.Int).SetUint64(x.Frac), max(x.exponent(), 1) - extendedBias - 63, false}
}

// rounded returns n * 2^exp as m * 2^at with at most prec bits and at no less than unit, to nearest, ties to even.
func (x exact) rounded(prec, unit int) (m uint64, at int) {
	at = max(x.exp+x.n.BitLen()-prec, unit)
	shift := at - x.exp
	if shift <= 0 {
		return new(big.Int).Lsh(x.n, uint(-shift)).Uint64(), at
	}
	rest := new(big.Int)
	whole := new(big.Int).Rsh(x.n, uint(shift))
	rest.Sub(x.n, new(big.Int).Lsh(whole, uint(shift)))
	half := rest.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(shift-1)))
	if half > 0 || half == 0 && (x.more || whole.Bit(0) == 1) {
		whole.Add(whole, big.NewInt(1))
	}
	if whole.BitLen() > prec {
		whole.Rsh(whole, 1)
		at++
	}
	return whole.Uint64(), at
}

// extended rounds to an Extended.
func (x exact) extended() Extended {
	m, at := x.rounded(64, extendedUnit)
	e := at + 63 + extendedBias
	switch {
	case m == 0:
		return Extended{}.signed(x.neg)
	case e >= extendedMax:
		return infinite(x.neg)
	case m>>63 == 0:
		e = 0
	}
	return Extended{uint16(e), m}.signed(x.neg)
}

// float rounds to a binary number of the interchange format of so many bits, with so many of them for the significand after the first.
func (x exact) float(width, stored int) uint64 {
	maxExp := 1<<(width-2-stored) - 1
	m, at := x.rounded(stored+1, 1-maxExp-stored)
	e := at + stored + maxExp
	v := m &^ (1 << stored)
	switch {
	case m == 0:
		e = 0
	case e > 2*maxExp:
		e, v = 2*maxExp+1, 0
	case m>>stored == 0:
		e = 0
	}
	v |= uint64(e) << stored
	if x.neg {
		v |= 1 << (width - 1)
	}
	return v
}

// storedBits are the bits of the significand that a float of so many bits stores.
var storedBits = map[int]int{16: 10, 32: 23, 64: 52}

// Float rounds x to a float of 16, 32 or 64 bits.
func (x Extended) Float(width int) uint64 {
	stored := storedBits[width]
	sign := uint64(x.Top>>15) << (width - 1)
	top := uint64(1)<<(width-1-stored) - 1
	switch {
	case x.IsNaN():
		return sign | top<<stored | 1<<(stored-1) | x.Frac<<1>>(64-stored)
	case x.IsInf():
		return sign | top<<stored
	}
	return x.exact().float(width, stored)
}

// ExtendedOf returns a float of 16, 32 or 64 bits as an Extended.
func ExtendedOf(v uint64, width int) Extended {
	stored := storedBits[width]
	neg := v>>(width-1)&1 != 0
	top := uint64(1)<<(width-1-stored) - 1
	e, m := v>>stored&top, v&(1<<stored-1)
	switch {
	case e == top && m == 0:
		return infinite(neg)
	case e == top:
		return Extended{extendedMax, 1<<63 | m<<(63-stored) | 1<<62}.signed(neg)
	case e != 0:
		m |= 1 << stored
	}
	x := exact{neg: neg, n: new(big.Int).SetUint64(m), exp: int(max(e, 1)) - int(top>>1) - stored}
	return x.extended()
}

// ExtendedOfInteger rounds an integer.
func ExtendedOfInteger(v *big.Int) Extended {
	return exact{neg: v.Sign() < 0, n: new(big.Int).Abs(v)}.extended()
}

// ExtendedBinary are the operations on two numbers.
var ExtendedBinary = map[string]func(x, y Extended) Extended{
	"add": extendedAdd, "sub": func(x, y Extended) Extended { return extendedAdd(x, flipped(y)) },
	"mul": extendedMul, "div": extendedDiv, "rem": extendedRem, "remainder": extendedRemainder,
	"copysign": extendedCopySign,
}

// flipped negates what is no NaN.
func flipped(y Extended) Extended {
	if y.IsNaN() {
		return y
	}
	return y.signed(!y.neg())
}

func extendedAdd(x, y Extended) Extended {
	switch {
	case x.IsNaN() || y.IsNaN():
		return nanOf(x, y)
	case x.IsInf() && y.IsInf() && x.neg() != y.neg():
		return extendedInvalid
	case x.IsInf():
		return x
	case y.IsInf():
		return y
	case x.isZero() && y.isZero():
		return x.signed(x.neg() && y.neg())
	}
	return sum(x.exact(), y.exact()).extended()
}

// far is how far apart two numbers are of which the smaller only tells that something is there.
const far = 400

// sum adds two numbers of at most 130 bits; the zero that comes of others is positive.
func sum(x, y exact) exact {
	if x.n.Sign() == 0 || y.n.Sign() != 0 && x.exp+x.n.BitLen() < y.exp+y.n.BitLen() {
		x, y = y, x
	}
	if y.n.Sign() == 0 {
		return x
	}
	if x.exp+x.n.BitLen()-y.exp-y.n.BitLen() > far {
		x.n, x.exp, x.more = new(big.Int).Lsh(x.n, far/2), x.exp-far/2, true
		if x.neg != y.neg {
			x.n.Sub(x.n, big.NewInt(1))
		}
		return x
	}
	low := min(x.exp, y.exp)
	a, b := new(big.Int).Lsh(x.n, uint(x.exp-low)), new(big.Int).Lsh(y.n, uint(y.exp-low))
	if x.neg {
		a.Neg(a)
	}
	if y.neg {
		b.Neg(b)
	}
	a.Add(a, b)
	return exact{neg: a.Sign() < 0, n: a.Abs(a), exp: low}
}

func extendedMul(x, y Extended) Extended {
	neg := x.neg() != y.neg()
	switch {
	case x.IsNaN() || y.IsNaN():
		return nanOf(x, y)
	case x.IsInf() && y.isZero() || x.isZero() && y.IsInf():
		return extendedInvalid
	case x.IsInf() || y.IsInf():
		return infinite(neg)
	}
	return extendedProduct(x, y).extended()
}

func extendedProduct(x, y Extended) exact {
	a, b := x.exact(), y.exact()
	return exact{neg: a.neg != b.neg, n: a.n.Mul(a.n, b.n), exp: a.exp + b.exp}
}

func extendedDiv(x, y Extended) Extended {
	neg := x.neg() != y.neg()
	switch {
	case x.IsNaN() || y.IsNaN():
		return nanOf(x, y)
	case x.IsInf() && y.IsInf() || x.isZero() && y.isZero():
		return extendedInvalid
	case x.IsInf() || y.isZero():
		return infinite(neg)
	case y.IsInf():
		return Extended{}.signed(neg)
	}
	a, b := x.exact(), y.exact()
	const more = 130
	q, r := new(big.Int).QuoRem(new(big.Int).Lsh(a.n, more), b.n, new(big.Int))
	return exact{neg, q, a.exp - b.exp - more, r.Sign() != 0}.extended()
}

// extendedRem is fmod: x minus y as often as that leaves the sign of x.
func extendedRem(x, y Extended) Extended {
	switch {
	case x.IsNaN() || y.IsNaN():
		return nanOf(x, y)
	case x.IsInf() || y.isZero():
		return extendedInvalid
	case y.IsInf() || x.isZero():
		return x
	}
	a, b := x.exact(), y.exact()
	if a.exp >= b.exp {
		power := new(big.Int).Exp(big.NewInt(2), big.NewInt(int64(a.exp-b.exp)), b.n)
		a.n.Mod(a.n.Mul(a.n, power), b.n)
		a.exp = b.exp
	} else if b.exp-a.exp < 128 {
		a.n.Mod(a.n, b.n.Lsh(b.n, uint(b.exp-a.exp)))
	}
	return a.extended()
}

// extendedRemainder is x minus the multiple of y that is nearest, the even one of two.
func extendedRemainder(x, y Extended) Extended {
	if x.IsNaN() || y.IsNaN() || x.IsInf() || y.IsInf() || x.isZero() || y.isZero() {
		return extendedRem(x, y)
	}
	a, b := x.exact(), y.exact()
	if b.exp-a.exp >= 128 {
		return x
	}
	if b.exp > a.exp {
		b.n.Lsh(b.n, uint(b.exp-a.exp))
		b.exp = a.exp
	}
	twice := new(big.Int).Lsh(b.n, 1)
	a.n.Mod(a.n.Mul(a.n, new(big.Int).Exp(big.NewInt(2), big.NewInt(int64(a.exp-b.exp)), twice)), twice)
	odd := a.n.Cmp(b.n) >= 0
	if odd {
		a.n.Sub(a.n, b.n)
	}
	if half := new(big.Int).Lsh(a.n, 1).Cmp(b.n); half > 0 || half == 0 && odd {
		a.n.Sub(b.n, a.n)
		a.neg = !a.neg
	}
	a.exp = b.exp
	return a.extended()
}

// ExtendedFMA returns x * y + z, rounded once.
func ExtendedFMA(x, y, z Extended) Extended {
	if x.IsNaN() || y.IsNaN() || z.IsNaN() {
		return nanOf(nanOf(x, y), z)
	}
	if x.IsInf() || y.IsInf() || z.IsInf() || x.isZero() || y.isZero() {
		return extendedAdd(extendedMul(x, y), z)
	}
	s := sum(extendedProduct(x, y), z.exact())
	return s.extended()
}

// ExtendedUnary are the operations on one number.
var ExtendedUnary = map[string]func(x Extended) Extended{
	"fabs": Extended.magnitude,
	"sqrt": extendedSqrt,
	"floor": func(x Extended) Extended {
		return x.integral(func(odd bool, rest int, neg bool) bool { return neg && rest > 0 })
	},
	"ceil": func(x Extended) Extended {
		return x.integral(func(odd bool, rest int, neg bool) bool { return !neg && rest > 0 })
	},
	"trunc": func(x Extended) Extended { return x.integral(func(bool, int, bool) bool { return false }) },
	"round": func(x Extended) Extended {
		return x.integral(func(odd bool, rest int, neg bool) bool { return rest >= 2 })
	},
	"rint": func(x Extended) Extended {
		return x.integral(func(odd bool, rest int, neg bool) bool { return rest > 2 || rest == 2 && odd })
	},
}

func extendedSqrt(x Extended) Extended {
	switch {
	case x.IsNaN():
		return nanOf(x, x)
	case x.isZero():
		return x
	case x.neg():
		return extendedInvalid
	case x.IsInf():
		return x
	}
	a := x.exact()
	shift := 130 + a.exp&1
	a.n.Lsh(a.n, uint(shift))
	root := new(big.Int).Sqrt(a.n)
	return exact{false, root, (a.exp - shift) / 2, a.n.Cmp(new(big.Int).Mul(root, root)) != 0}.extended()
}

// integral makes an integer of x: the magnitude is cut, and one is added where up says so: by whether it is odd then, by what was cut (0 nothing,
// 1 less than a half, 2 a half, 3 more) and by the sign.
func (x Extended) integral(up func(odd bool, rest int, neg bool) bool) Extended {
	switch e := x.exponent() - extendedBias; {
	case x.IsNaN():
		return nanOf(x, x)
	case e >= 63 || x.isZero():
		return x
	case e < -1:
		return extendedWhole(0, up(false, 1, x.neg()), x.neg())
	default:
		whole := x.Frac >> (63 - e) // all of it where e is -1
		below := x.Frac << (e + 1)
		rest := int(below>>63)<<1 | int(min(below<<1, 1))
		return extendedWhole(whole, up(whole&1 == 1, rest, x.neg()), x.neg())
	}
}

func extendedWhole(n uint64, up, neg bool) Extended {
	v := new(big.Int).SetUint64(n)
	if up {
		v.Add(v, big.NewInt(1))
	}
	return exact{neg: neg, n: v}.extended()
}

// Order compares: less than 0, 0 or more than 0; not ordered where one is a NaN.
func (x Extended) Order(y Extended) (order int, ordered bool) {
	switch {
	case x.IsNaN() || y.IsNaN():
		return 0, false
	case x.isZero() && y.isZero():
		return 0, true
	case x.neg() != y.neg():
		order = 1
	case x.exponent() != y.exponent():
		order = x.exponent() - y.exponent()
	case x.Frac > y.Frac:
		order = 1
	case x.Frac < y.Frac:
		order = -1
	}
	if x.neg() {
		order = -order
	}
	return order, true
}

// Integer cuts a number to an integer; not ok for infinities and NaNs.
func (x Extended) Integer() (v *big.Int, ok bool) {
	if x.exponent() == extendedMax {
		return nil, false
	}
	a := x.exact()
	if a.exp >= 0 {
		v = a.n.Lsh(a.n, uint(a.exp))
	} else {
		v = a.n.Rsh(a.n, uint(-a.exp))
	}
	if a.neg {
		v.Neg(v)
	}
	return v, true
}

// Big returns a finite number, with as many bits of precision as numbers of its size have.
func (x Extended) Big() *big.Float {
	a := x.exact()
	f := new(big.Float).SetPrec(max(uint(bits.Len64(x.Frac)), 1)).SetInt(a.n)
	f.SetMantExp(f, a.exp)
	if a.neg {
		f.Neg(f)
	}
	return f
}

// ExtendedOfDecimal rounds digits * base^power, where base is 10 or 2.
func ExtendedOfDecimal(neg bool, digits *big.Int, base, power int64) Extended {
	const limit = 40000 // beyond which nothing but zero and infinity is
	switch size := int64(digits.BitLen()); {
	case digits.Sign() == 0:
		return Extended{}.signed(neg)
	case power > limit:
		return infinite(neg)
	case base == 2:
		return exact{neg: neg, n: digits, exp: int(max(power, -limit-size))}.extended()
	case power >= 0:
		scale := new(big.Int).Exp(big.NewInt(base), big.NewInt(power), nil)
		return exact{neg: neg, n: scale.Mul(scale, digits)}.extended()
	case power < -limit-size:
		return Extended{}.signed(neg)
	default:
		scale := new(big.Int).Exp(big.NewInt(base), big.NewInt(-power), nil)
		shift := max(scale.BitLen()-digits.BitLen(), 0) + 130
		q, r := new(big.Int).QuoRem(new(big.Int).Lsh(digits, uint(shift)), scale, new(big.Int))
		return exact{neg, q, -shift, r.Sign() != 0}.extended()
	}
}
