package fold

import (
	"math/big"
	"slices"
	"strconv"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// Builtin returns the value of a builtin whose operands are numbers: a literal, or a tuple of literals, made before it. nil when
// it cannot be computed.
func Builtin(mod *ir.Module, i *ir.Inst) *ir.Value {
	if len(i.Operands) == 0 || len(i.Results) != 1 {
		return nil
	}
	id := facts.BuiltinID(i)
	a := facts.Literal(i.Arg(0))
	var b *big.Int
	if len(i.Operands) > 1 {
		b = facts.Literal(i.Arg(1))
	}
	bits := i.Arg(0).Type.IntWidth()
	result := i.Results[0].Type
	switch id {
	case op.BuiltinIntExpect, op.BuiltinAssumeNonNegative:
		if a != nil {
			return i.Arg(0)
		}
		return nil
	case op.BuiltinPtrtoint:
		return numberOfPointer(i)
	case op.BuiltinIntCtlz, op.BuiltinIntCttz:
		return foldZeros(mod, i, id, a, bits)
	case op.BuiltinItofpWithOverflow:
		return foldFloat(mod, i, id)
	case op.BuiltinZext, op.BuiltinZextOrBitCast, op.BuiltinSext, op.BuiltinSextOrBitCast, op.BuiltinTrunc, op.BuiltinTruncOrBitCast:
		if a == nil || bits == 0 {
			return nil
		}
		if id == op.BuiltinZext || id == op.BuiltinZextOrBitCast {
			a = facts.AsUnsigned(a, bits)
		}
		if w := result.IntWidth(); w > 0 {
			return rewrite.LiteralOf(mod, i, result, facts.WrapSigned(a, w))
		}
		return nil
	case op.BuiltinCmpEq, op.BuiltinCmpNe, op.BuiltinCmpSlt, op.BuiltinCmpSle, op.BuiltinCmpSgt, op.BuiltinCmpSge,
		op.BuiltinCmpUlt, op.BuiltinCmpUle, op.BuiltinCmpUgt, op.BuiltinCmpUge:
		return foldCompare(mod, i, id, a, b, bits)
	case op.BuiltinSToSCheckedTrunc, op.BuiltinUToSCheckedTrunc:
		return foldCheckedTrunc(mod, i, true, a, bits)
	case op.BuiltinSToUCheckedTrunc, op.BuiltinUToUCheckedTrunc:
		return foldCheckedTrunc(mod, i, false, a, bits)
	}
	if plain, signed, ok := Overflowing(id); ok {
		if a == nil || b == nil || bits == 0 {
			return nil
		}
		return foldOverflow(mod, i, plain, signed, a, b, bits)
	}
	if i.Arg(0).Type.Builtin().Kind == ir.BuiltinFloat {
		return foldFloat(mod, i, id)
	}
	if a == nil || b == nil || bits == 0 {
		return nil
	}
	if n := Arithmetic(id, a, b, bits); n != nil {
		return rewrite.LiteralOf(mod, i, result, facts.WrapSigned(n, bits))
	}
	return nil
}

// numberOfPointer returns the number that a ptrtoint finds in a pointer that was made of it.
func numberOfPointer(i *ir.Inst) *ir.Value {
	made, id := facts.BuiltinOf(i.Arg(0))
	if id != op.BuiltinInttoptr || facts.Literal(made.Arg(0)) == nil || made.Arg(0).Type != i.Results[0].Type {
		return nil
	}
	return made.Arg(0)
}

// foldZeros counts the zeros before or after the ones of a number.
func foldZeros(mod *ir.Module, i *ir.Inst, id op.BuiltinID, a *big.Int, bits uint) *ir.Value {
	if a == nil || bits == 0 || len(i.Operands) != 2 || !facts.IsLiteral(i.Arg(1), 0) && a.Sign() == 0 {
		return nil
	}
	a = facts.AsUnsigned(a, bits)
	n := int64(bits) - int64(a.BitLen())
	if id == op.BuiltinIntCttz && a.Sign() != 0 {
		n = int64(a.TrailingZeroBits())
	}
	return rewrite.LiteralOf(mod, i, i.Results[0].Type, facts.WrapSigned(big.NewInt(n), bits))
}

// overflowing has the builtins that tell of overflow, with the arithmetic that they do and whether their operands are signed.
var overflowing = map[op.BuiltinID]struct {
	plain  op.BuiltinID
	signed bool
}{
	op.BuiltinSaddWithOverflow: {op.BuiltinAdd, true}, op.BuiltinUaddWithOverflow: {op.BuiltinAdd, false},
	op.BuiltinSsubWithOverflow: {op.BuiltinSub, true}, op.BuiltinUsubWithOverflow: {op.BuiltinSub, false},
	op.BuiltinSmulWithOverflow: {op.BuiltinMul, true}, op.BuiltinUmulWithOverflow: {op.BuiltinMul, false},
	op.BuiltinIntSaddWithOverflow: {op.BuiltinAdd, true}, op.BuiltinIntUaddWithOverflow: {op.BuiltinAdd, false},
	op.BuiltinIntSsubWithOverflow: {op.BuiltinSub, true}, op.BuiltinIntUsubWithOverflow: {op.BuiltinSub, false},
	op.BuiltinIntSmulWithOverflow: {op.BuiltinMul, true}, op.BuiltinIntUmulWithOverflow: {op.BuiltinMul, false},
}

// Overflowing returns the arithmetic that a builtin does which tells of overflow, and whether its operands are signed; false for others.
func Overflowing(id op.BuiltinID) (plain op.BuiltinID, signed, ok bool) {
	o, ok := overflowing[id]
	return o.plain, o.signed, ok
}

// Arithmetic computes a builtin on two numbers, nil where it does not or where the result is undefined.
func Arithmetic(id op.BuiltinID, a, b *big.Int, bits uint) *big.Int {
	r := new(big.Int)
	ua, ub := facts.AsUnsigned(a, bits), facts.AsUnsigned(b, bits)
	switch id {
	case op.BuiltinAdd:
		return r.Add(a, b)
	case op.BuiltinSub:
		return r.Sub(a, b)
	case op.BuiltinMul:
		return r.Mul(a, b)
	case op.BuiltinAnd:
		return r.And(a, b)
	case op.BuiltinOr:
		return r.Or(a, b)
	case op.BuiltinXor:
		return r.Xor(a, b)
	case op.BuiltinShl, op.BuiltinLshr, op.BuiltinAshr:
		if ub.Cmp(big.NewInt(int64(bits))) >= 0 {
			return nil
		}
		n := uint(ub.Uint64())
		switch id {
		case op.BuiltinShl:
			return r.Lsh(a, n)
		case op.BuiltinLshr:
			return r.Rsh(ua, n)
		}
		return r.Rsh(a, n)
	case op.BuiltinSdiv, op.BuiltinSrem:
		if b.Sign() == 0 || b.Cmp(big.NewInt(-1)) == 0 && a.Cmp(facts.WrapSigned(new(big.Int).Lsh(big.NewInt(1), bits-1), bits)) == 0 {
			return nil
		}
		if id == op.BuiltinSdiv {
			return r.Quo(a, b)
		}
		return r.Rem(a, b)
	case op.BuiltinUdiv, op.BuiltinUrem:
		if ub.Sign() == 0 {
			return nil
		}
		if id == op.BuiltinUdiv {
			return r.Quo(ua, ub)
		}
		return r.Rem(ua, ub)
	}
	return nil
}

func foldCompare(mod *ir.Module, i *ir.Inst, id op.BuiltinID, a, b *big.Int, bits uint) *ir.Value {
	if bits == 0 {
		return nil
	}
	answer := func(yes bool) *ir.Value {
		n := big.NewInt(0)
		if yes {
			n = big.NewInt(-1)
		}
		return rewrite.LiteralOf(mod, i, i.Results[0].Type, n)
	}
	switch {
	case a == nil && b == nil:
		return nil
	case b == nil:
		if yes, ok := compareExtreme(flipped[id], i.Arg(1), a, bits); ok {
			return answer(yes)
		}
		return nil
	case a == nil:
		if yes, ok := compareExtreme(id, i.Arg(0), b, bits); ok {
			return answer(yes)
		}
		return nil
	}
	if yes, ok := compare(id, a, b, bits); ok {
		return answer(yes)
	}
	return nil
}

// compare compares two numbers; ok is false for what is no comparison.
func compare(id op.BuiltinID, a, b *big.Int, bits uint) (yes, ok bool) {
	c := a.Cmp(b)
	switch id {
	case op.BuiltinCmpUlt, op.BuiltinCmpUle, op.BuiltinCmpUgt, op.BuiltinCmpUge:
		c = facts.AsUnsigned(a, bits).Cmp(facts.AsUnsigned(b, bits))
	}
	switch id {
	case op.BuiltinCmpEq:
		return c == 0, true
	case op.BuiltinCmpNe:
		return c != 0, true
	case op.BuiltinCmpSlt, op.BuiltinCmpUlt:
		return c < 0, true
	case op.BuiltinCmpSle, op.BuiltinCmpUle:
		return c <= 0, true
	case op.BuiltinCmpSgt, op.BuiltinCmpUgt:
		return c > 0, true
	case op.BuiltinCmpSge, op.BuiltinCmpUge:
		return c >= 0, true
	}
	return false, false
}

// flipped are the comparisons with their operands the other way round.
var flipped = map[op.BuiltinID]op.BuiltinID{
	op.BuiltinCmpSlt: op.BuiltinCmpSgt, op.BuiltinCmpSgt: op.BuiltinCmpSlt, op.BuiltinCmpSle: op.BuiltinCmpSge, op.BuiltinCmpSge: op.BuiltinCmpSle,
	op.BuiltinCmpUlt: op.BuiltinCmpUgt, op.BuiltinCmpUgt: op.BuiltinCmpUlt, op.BuiltinCmpUle: op.BuiltinCmpUge, op.BuiltinCmpUge: op.BuiltinCmpUle,
}

// compareExtreme compares a number that is not known with one that it can't be below or above; ok is false for any other.
func compareExtreme(id op.BuiltinID, v *ir.Value, n *big.Int, bits uint) (yes, ok bool) {
	made, how := facts.BuiltinOf(v)
	isGreatest := n.Cmp(facts.WrapSigned(new(big.Int).SetBit(big.NewInt(-1), int(bits)-1, 0), bits)) == 0
	switch id {
	case op.BuiltinCmpUlt, op.BuiltinCmpUge:
		return id == op.BuiltinCmpUge, n.Sign() == 0
	case op.BuiltinCmpSlt, op.BuiltinCmpSge:
		return id == op.BuiltinCmpSge, n.Sign() == 0 && made != nil && how == op.BuiltinAssumeNonNegative
	case op.BuiltinCmpSgt, op.BuiltinCmpSle:
		return id == op.BuiltinCmpSle, isGreatest
	case op.BuiltinCmpUgt, op.BuiltinCmpUle: // what is shifted to the right has no highest bit
		if n.IsInt64() && n.Int64() == -1 {
			return id == op.BuiltinCmpUle, true
		}
		if !isGreatest || made == nil || how != op.BuiltinLshr {
			return false, false
		}
		by := facts.Literal(made.Arg(1))
		return id == op.BuiltinCmpUle, by != nil && by.Sign() > 0 && by.Cmp(big.NewInt(int64(bits))) < 0
	}
	return false, false
}

// pair emits a tuple of a number and a bit before i, as builtins that report overflow return it.
func pair(mod *ir.Module, i *ir.Inst, n *big.Int, overflow bool) *ir.Value {
	t := i.Results[0].Type
	v := rewrite.LiteralOf(mod, i, t.Args[0], n)
	bit := big.NewInt(0)
	if overflow {
		bit = big.NewInt(-1)
	}
	o := rewrite.LiteralOf(mod, i, t.Args[1], bit)
	return ir.At(mod, i).Emit(&ir.Inst{Op: op.Tuple}, v, o).Results[0]
}

func foldOverflow(mod *ir.Module, i *ir.Inst, plain op.BuiltinID, signed bool, a, b *big.Int, bits uint) *ir.Value {
	if !signed {
		a, b = facts.AsUnsigned(a, bits), facts.AsUnsigned(b, bits)
	}
	n := Arithmetic(plain, a, b, bits)
	if n == nil || len(i.Results[0].Type.Args) != 2 {
		return nil
	}
	fits := facts.WrapSigned(n, bits)
	if !signed {
		return pair(mod, i, fits, facts.AsUnsigned(n, bits).Cmp(n) != 0)
	}
	return pair(mod, i, fits, fits.Cmp(n) != 0)
}

// foldCheckedTrunc computes s_to_u_checked_trunc and its kin; signed says what the result is.
func foldCheckedTrunc(mod *ir.Module, i *ir.Inst, signed bool, a *big.Int, bits uint) *ir.Value {
	t := i.Results[0].Type
	if a == nil || t.Kind != ir.KindTuple || len(t.Args) != 2 {
		return nil
	}
	to := t.Args[0].IntWidth()
	if to == 0 || bits == 0 && !i.Arg(0).Type.IsBuiltin(ir.BuiltinIntLiteral) {
		return nil
	}
	n := facts.WrapSigned(a, to)
	back := n
	if !signed {
		back = facts.AsUnsigned(n, to)
	}
	same := back.Cmp(a) == 0
	if bits > 0 { // the bits of the source count, whatever its sign
		same = facts.AsUnsigned(back, bits).Cmp(facts.AsUnsigned(a, bits)) == 0
	}
	if !same {
		return nil // left for the diagnostics
	}
	return pair(mod, i, n, false)
}

// ConstantFolder folds what can be computed from constants, beginning with instructions that were added to its list.
type ConstantFolder struct {
	Mod  *ir.Module
	work []*ir.Inst
	has  worklist.IDSet[*ir.Inst]
	Own  *ownership.Ownership // nil where nothing is taken apart
	// folded is called for terminators that use a constant now.
	Folded  func(user *ir.Inst)
	Changed bool
}

// Add puts an instruction on the worklist, once.
func (f *ConstantFolder) Add(i *ir.Inst) {
	if f.has.Add(i) {
		f.work = append(f.work, i)
	}
}

// Run works until the list is empty.
func (f *ConstantFolder) Run() {
	e := &rewrite.Eraser{Erased: func(i *ir.Inst) { f.has.Delete(i) }}
	for i := range worklist.Drain(&f.work) {
		if !f.has.Has(i) || i.Block() == nil {
			continue
		}
		f.has.Delete(i)
		var dead []*ir.Inst
		for _, r := range i.Results {
			for u := r.FirstUse(); u != nil; {
				user := u.User()
				twice := u.NextUse() != nil && u.NextUse().User() == user
				for u != nil && u.User() == user {
					u = u.NextUse()
				}
				if f.fold(user, &dead) {
					if twice && user.Op == op.Builtin && user.Results[0].Type.Kind == ir.KindBuiltin {
						f.value(user) // the compiler folds it for each use; what it makes again stays behind
					}
					u = r.FirstUse()
					for u != nil && slices.Contains(dead, u.User()) {
						u = u.NextUse()
					}
				}
			}
		}
		for _, d := range dead {
			if d.Block() != nil && facts.IsTriviallyDead(d) {
				f.Changed = true
				e.Erase(d)
			}
		}
	}
}

// fold folds one user of a constant, and reports whether uses changed.
func (f *ConstantFolder) fold(user *ir.Inst, dead *[]*ir.Inst) bool {
	if slices.Contains(*dead, user) {
		return false
	}
	switch user.Op {
	case op.Struct, op.Tuple:
		f.Add(user)
		return false
	case op.CondFail:
		*dead = append(*dead, user)
		return false
	case op.DestructureStruct, op.DestructureTuple:
		if f.destructure(user) {
			*dead = append(*dead, user)
			f.Changed = true
		}
		return false
	}
	switch user.Op {
	case op.Builtin:
		switch facts.BuiltinID(user) {
		case op.BuiltinInttoptr, op.BuiltinBitcast:
			f.Add(user) // a number again where it is used as one
			return false
		case op.BuiltinPtrtoint:
			if facts.DefinedBy(user.Arg(0), op.StringLiteral) != nil {
				return f.roundTrips(user, dead)
			}
		}
	case op.IndexAddr, op.IndexRawPointer:
		if !facts.IsLiteral(user.Arg(1), 0) || !user.Results[0].HasUses() {
			return false
		}
		user.Results[0].ReplaceAllUses(user.Arg(0))
		*dead = append(*dead, user)
		f.Changed = true
		return true
	}
	if user.Op.IsTerminator() {
		if f.Folded != nil {
			f.Folded(user)
		}
		return false
	}
	v := f.value(user)
	if v == nil || v == user.Results[0] {
		return false
	}
	*dead = append(*dead, user)
	f.Changed = true
	r := user.Results[0]
	if t := facts.DefinedBy(v, op.Tuple); t != nil && user.Op == op.Builtin {
		for u, next := r.FirstUse(), (*ir.Operand)(nil); u != nil; u = next {
			next = u.NextUse()
			switch ex := u.User(); ex.Op {
			case op.TupleExtract:
				part := t.Arg(int(ex.Aux.(*ir.IntAux).Int64()))
				ex.Results[0].ReplaceAllUses(part)
				*dead = append(*dead, ex)
				f.Add(part.Inst())
			case op.DestructureTuple:
				for n, part := range ex.Results {
					part.ReplaceAllUses(t.Arg(n))
					f.Add(t.Arg(n).Inst())
				}
				*dead = append(*dead, ex)
			}
		}
		*dead = append(*dead, t)
	}
	if onlyDead(r, *dead) {
		return true
	}
	r.ReplaceAllUses(v)
	if v.Inst() != nil {
		f.Add(v.Inst())
	}
	return true
}

// roundTrips puts the literal in the place of pointers that are made of its address as a number.
func (f *ConstantFolder) roundTrips(number *ir.Inst, dead *[]*ir.Inst) bool {
	changed := false
	for _, x := range number.Results[0].UseList() {
		back := x.User()
		if back.Op != op.Builtin || facts.BuiltinID(back) != op.BuiltinInttoptr || slices.Contains(*dead, back) {
			continue
		}
		back.Results[0].ReplaceAllUses(number.Arg(0))
		*dead = append(*dead, back)
		f.Changed, changed = true, true
	}
	if changed {
		*dead = append(*dead, number)
	}
	return changed
}

func onlyDead(v *ir.Value, dead []*ir.Inst) bool {
	for u := range v.Uses() {
		if !slices.Contains(dead, u.User()) {
			return false
		}
	}
	return true
}

// value returns what the user of a constant computes, nil when that is not known.
func (f *ConstantFolder) value(user *ir.Inst) *ir.Value {
	switch user.Op {
	case op.Builtin:
		return Builtin(f.Mod, user)
	case op.TupleExtract:
		if t := facts.DefinedBy(user.Arg(0), op.Tuple); t != nil {
			return t.Arg(int(user.Aux.(*ir.IntAux).Int64()))
		}
	case op.StructExtract:
		if facts.DefinedBy(user.Arg(0), op.Struct) != nil {
			return simplifyStructExtract(user)
		}
	}
	return nil
}

// destructure replaces the parts that an instruction takes a struct or tuple apart into, when nobody owns them.
func (f *ConstantFolder) destructure(i *ir.Inst) bool {
	made := i.Arg(0).Inst()
	if made == nil || made.Op != op.Struct && made.Op != op.Tuple || len(made.Operands) != len(i.Results) ||
		f.Own == nil || f.Own.KindOf(i.Arg(0)) == ownership.KindOwned {
		return false
	}
	for n, r := range i.Results {
		r.ReplaceAllUses(made.Arg(n))
	}
	return true
}

// IsTakenApart reports whether something takes a field from a struct or tuple right after where it is made.
func IsTakenApart(i *ir.Inst) bool {
	for u := range i.Results[0].Uses() {
		switch u.User().Op {
		case op.StructExtract, op.TupleExtract, op.DestructureStruct, op.DestructureTuple:
			return true
		}
	}
	return false
}

// assertConfiguration returns the number of the assert configuration, 0 when debugging.
func assertConfiguration(c *pass.Context) *big.Int {
	n, err := strconv.ParseInt(c.ValueOf("assert-conf-id"), 10, 32)
	if err != nil {
		n = 0
	}
	return big.NewInt(n)
}

// Question answers a builtin that asks for what the compiler knows, and returns the instruction after it.
func (f *ConstantFolder) Question(c *pass.Context, i *ir.Inst) *ir.Inst {
	next := i.Next()
	switch id := facts.BuiltinID(i); id {
	case op.BuiltinAssertConfiguration:
		v := rewrite.LiteralOf(f.Mod, i, i.Results[0].Type, assertConfiguration(c))
		i.Results[0].ReplaceAllUses(v)
		i.Remove()
		f.Add(v.Inst())
		f.Changed = true
	case op.BuiltinCondfailMessage:
		text := facts.DefinedBy(i.Arg(1), op.StringLiteral)
		if text == nil {
			return next
		}
		b := ir.At(f.Mod, i)
		b.Emit(&ir.Inst{Op: op.CondFail, Aux: &ir.StringAux{Value: text.Aux.(*ir.StringAux).Value}}, i.Arg(0))
		if i.Results[0].HasUses() {
			i.Results[0].ReplaceAllUses(b.Emit(&ir.Inst{Op: op.Tuple}).Result())
		}
		(&rewrite.Eraser{}).Erase(i)
		f.Changed = true
	case op.BuiltinGlobalStringTablePointer:
		call := facts.DefinedBy(i.Arg(0), op.Apply)
		if call == nil || facts.StaticCallee(call) == nil || !facts.HasSemantics(facts.StaticCallee(call), ir.SemanticsStringMakeUTF8) {
			return next
		}
		text := facts.DefinedBy(call.Arg(1), op.StringLiteral)
		if text == nil {
			return next
		}
		i.Results[0].ReplaceAllUses(text.Result())
		i.Remove()
		f.Changed = true
	case op.BuiltinIsConcrete:
		if i.Arg(0).Type.Elem == nil || IsGeneric(i.Arg(0).Type.Elem) {
			return next
		}
		i.Results[0].ReplaceAllUses(rewrite.LiteralOf(f.Mod, i, i.Results[0].Type, big.NewInt(-1)))
		(&rewrite.Eraser{}).Erase(i)
		f.Changed = true
	}
	return next
}
