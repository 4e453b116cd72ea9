package opt

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// widthOf gives the number of bits of an integer type; Word counts 64. 0 for any other type.
func widthOf(t *ir.Type) uint {
	if t.Kind != ir.KindBuiltin {
		return 0
	}
	if t.Name == "Word" {
		return 64
	}
	rest, ok := strings.CutPrefix(t.Name, "Int")
	if !ok {
		return 0
	}
	n := uint(0)
	for _, c := range rest {
		if c < '0' || c > '9' || n > 4096 {
			return 0
		}
		n = n*10 + uint(c-'0')
	}
	return n
}

// wrapSigned gives the number that the low bits of n mean as a signed number.
func wrapSigned(n *big.Int, bits uint) *big.Int {
	mod := new(big.Int).Lsh(big.NewInt(1), bits)
	r := new(big.Int).Mod(n, mod)
	if r.Bit(int(bits-1)) == 1 {
		r.Sub(r, mod)
	}
	return r
}

// asUnsigned gives the number that the bits of n mean as an unsigned number.
func asUnsigned(n *big.Int, bits uint) *big.Int {
	return new(big.Int).Mod(n, new(big.Int).Lsh(big.NewInt(1), bits))
}

// literalOf emits a number of a type in front of at.
func literalOf(mod *ir.Module, at *ir.Inst, t *ir.Type, n *big.Int) *ir.Value {
	i := &ir.Inst{Op: op.IntegerLiteral, Types: []*ir.Type{t}, Aux: &ir.IntAux{Value: n}}
	return ir.At(mod, at).Emit(i).Results[0]
}

// foldBuiltin gives the value of a builtin whose operands are numbers: a literal, or a tuple of literals, made in front of it. nil when
// it cannot be computed.
func foldBuiltin(mod *ir.Module, i *ir.Inst) *ir.Value {
	if len(i.Operands) == 0 || len(i.Results) != 1 {
		return nil
	}
	name := builtinName(i)
	a := literal(i.Arg(0))
	var b *big.Int
	if len(i.Operands) > 1 {
		b = literal(i.Arg(1))
	}
	bits := widthOf(i.Arg(0).Type)
	result := i.Results[0].Type
	switch name {
	case "int_expect", "assumeNonNegative":
		if a != nil {
			return i.Arg(0)
		}
		return nil
	case "ptrtoint":
		return numberOfPointer(i)
	case "int_ctlz", "int_cttz":
		return foldZeros(mod, i, name, a, bits)
	case "itofp_with_overflow":
		return foldFloat(mod, i, name)
	case "zext", "zextOrBitCast", "sext", "sextOrBitCast", "trunc", "truncOrBitCast":
		if a == nil || bits == 0 {
			return nil
		}
		if strings.HasPrefix(name, "zext") {
			a = asUnsigned(a, bits)
		}
		if w := widthOf(result); w > 0 {
			return literalOf(mod, i, result, wrapSigned(a, w))
		}
		return nil
	}
	if pred, ok := strings.CutPrefix(name, "cmp_"); ok {
		return foldCompare(mod, i, pred, a, b, bits)
	}
	if base, ok := strings.CutSuffix(name, "_with_overflow"); ok {
		if a == nil || b == nil || bits == 0 {
			return nil
		}
		return foldOverflow(mod, i, base, a, b, bits)
	}
	if strings.HasSuffix(name, "_checked_trunc") {
		return foldCheckedTrunc(mod, i, name, a, bits)
	}
	if floatWidth(i.Arg(0).Type) > 0 {
		return foldFloat(mod, i, name)
	}
	if a == nil || b == nil || bits == 0 {
		return nil
	}
	if n := arithmetic(name, a, b, bits); n != nil {
		return literalOf(mod, i, result, wrapSigned(n, bits))
	}
	return nil
}

// numberOfPointer gives the number that a ptrtoint finds in a pointer that was made of it.
func numberOfPointer(i *ir.Inst) *ir.Value {
	made, name := builtinOf(i.Arg(0))
	if name != "inttoptr" || literal(made.Arg(0)) == nil || made.Arg(0).Type != i.Results[0].Type {
		return nil
	}
	return made.Arg(0)
}

// foldZeros counts the zeros in front of or behind the ones of a number.
func foldZeros(mod *ir.Module, i *ir.Inst, name string, a *big.Int, bits uint) *ir.Value {
	if a == nil || bits == 0 || len(i.Operands) != 2 || !isLiteral(i.Arg(1), 0) && a.Sign() == 0 {
		return nil
	}
	a = asUnsigned(a, bits)
	n := int64(bits) - int64(a.BitLen())
	if name == "int_cttz" && a.Sign() != 0 {
		n = int64(a.TrailingZeroBits())
	}
	return literalOf(mod, i, i.Results[0].Type, wrapSigned(big.NewInt(n), bits))
}

// arithmetic computes a builtin on two numbers, nil where it does not or where the result is undefined.
func arithmetic(name string, a, b *big.Int, bits uint) *big.Int {
	r := new(big.Int)
	ua, ub := asUnsigned(a, bits), asUnsigned(b, bits)
	switch name {
	case "add":
		return r.Add(a, b)
	case "sub":
		return r.Sub(a, b)
	case "mul":
		return r.Mul(a, b)
	case "and":
		return r.And(a, b)
	case "or":
		return r.Or(a, b)
	case "xor":
		return r.Xor(a, b)
	case "shl", "lshr", "ashr":
		if ub.Cmp(big.NewInt(int64(bits))) >= 0 {
			return nil
		}
		n := uint(ub.Uint64())
		switch name {
		case "shl":
			return r.Lsh(a, n)
		case "lshr":
			return r.Rsh(ua, n)
		}
		return r.Rsh(a, n)
	case "sdiv", "srem":
		if b.Sign() == 0 || b.Cmp(big.NewInt(-1)) == 0 && a.Cmp(wrapSigned(new(big.Int).Lsh(big.NewInt(1), bits-1), bits)) == 0 {
			return nil
		}
		if name == "sdiv" {
			return r.Quo(a, b)
		}
		return r.Rem(a, b)
	case "udiv", "urem":
		if ub.Sign() == 0 {
			return nil
		}
		if name == "udiv" {
			return r.Quo(ua, ub)
		}
		return r.Rem(ua, ub)
	}
	return nil
}

func foldCompare(mod *ir.Module, i *ir.Inst, pred string, a, b *big.Int, bits uint) *ir.Value {
	if bits == 0 {
		return nil
	}
	answer := func(yes bool) *ir.Value {
		n := big.NewInt(0)
		if yes {
			n = big.NewInt(-1)
		}
		return literalOf(mod, i, i.Results[0].Type, n)
	}
	if a == nil || b == nil {
		zeroB, zeroA := b != nil && b.Sign() == 0, a != nil && a.Sign() == 0
		switch { // what no unsigned number is
		case pred == "ult" && zeroB, pred == "ugt" && zeroA:
			return answer(false)
		case pred == "uge" && zeroB, pred == "ule" && zeroA:
			return answer(true)
		}
		return nil
	}
	c := a.Cmp(b)
	if strings.HasPrefix(pred, "u") {
		c = asUnsigned(a, bits).Cmp(asUnsigned(b, bits))
	}
	switch pred {
	case "eq":
		return answer(c == 0)
	case "ne":
		return answer(c != 0)
	case "slt", "ult":
		return answer(c < 0)
	case "sle", "ule":
		return answer(c <= 0)
	case "sgt", "ugt":
		return answer(c > 0)
	case "sge", "uge":
		return answer(c >= 0)
	}
	return nil
}

// pair emits a tuple of a number and a bit in front of i, as builtins that tell of overflow give it.
func pair(mod *ir.Module, i *ir.Inst, n *big.Int, overflow bool) *ir.Value {
	t := i.Results[0].Type
	v := literalOf(mod, i, t.Args[0], n)
	bit := big.NewInt(0)
	if overflow {
		bit = big.NewInt(-1)
	}
	o := literalOf(mod, i, t.Args[1], bit)
	return ir.At(mod, i).Emit(&ir.Inst{Op: op.Tuple}, v, o).Results[0]
}

func foldOverflow(mod *ir.Module, i *ir.Inst, base string, a, b *big.Int, bits uint) *ir.Value {
	signed := base[0] == 's'
	if !signed {
		a, b = asUnsigned(a, bits), asUnsigned(b, bits)
	}
	n := arithmetic(base[1:], a, b, bits)
	if n == nil || len(i.Results[0].Type.Args) != 2 {
		return nil
	}
	fits := wrapSigned(n, bits)
	if !signed {
		return pair(mod, i, fits, asUnsigned(n, bits).Cmp(n) != 0)
	}
	return pair(mod, i, fits, fits.Cmp(n) != 0)
}

// foldCheckedTrunc computes s_to_u_checked_trunc and its kin; the two letters say how source and result are signed.
func foldCheckedTrunc(mod *ir.Module, i *ir.Inst, name string, a *big.Int, bits uint) *ir.Value {
	t := i.Results[0].Type
	if a == nil || t.Kind != ir.KindTuple || len(t.Args) != 2 {
		return nil
	}
	to := widthOf(t.Args[0])
	if to == 0 || bits == 0 && i.Arg(0).Type.Name != "IntLiteral" {
		return nil
	}
	n := wrapSigned(a, to)
	back := n
	if strings.Contains(name, "_to_u_") {
		back = asUnsigned(n, to)
	}
	same := back.Cmp(a) == 0
	if bits > 0 { // the bits of the source count, whatever its sign
		same = asUnsigned(back, bits).Cmp(asUnsigned(a, bits)) == 0
	}
	if !same {
		return nil // left for the diagnostics
	}
	return pair(mod, i, n, false)
}

// constantFolder folds what can be computed from constants, beginning with instructions that were added to its list.
type constantFolder struct {
	mod  *ir.Module
	work []*ir.Inst
	has  map[*ir.Inst]bool
	own  *facts.Ownership // nil where nothing is taken apart
	// folded is called for terminators that use a constant now.
	folded  func(user *ir.Inst)
	changed bool
}

func (f *constantFolder) add(i *ir.Inst) {
	if f.has == nil {
		f.has = map[*ir.Inst]bool{}
	}
	if !f.has[i] {
		f.has[i] = true
		f.work = append(f.work, i)
	}
}

// run works until the list is empty.
func (f *constantFolder) run() {
	e := &eraser{erased: func(i *ir.Inst) { delete(f.has, i) }}
	for len(f.work) > 0 {
		i := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		if !f.has[i] || i.Block() == nil {
			continue
		}
		delete(f.has, i)
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
			if d.Block() != nil && isTriviallyDead(d) {
				f.changed = true
				e.erase(d)
			}
		}
	}
}

// fold folds one user of a constant, and says whether uses changed.
func (f *constantFolder) fold(user *ir.Inst, dead *[]*ir.Inst) bool {
	if slices.Contains(*dead, user) {
		return false
	}
	switch user.Op {
	case op.Struct, op.Tuple:
		f.add(user)
		return false
	case op.CondFail:
		*dead = append(*dead, user)
		return false
	case op.DestructureStruct, op.DestructureTuple:
		if f.destructure(user) {
			*dead = append(*dead, user)
			f.changed = true
		}
		return false
	}
	if user.Op == op.Builtin && builtinName(user) == "inttoptr" {
		f.add(user) // a number again where it is used as one
		return false
	}
	if user.Row().IsTerminator() {
		if f.folded != nil {
			f.folded(user)
		}
		return false
	}
	v := f.value(user)
	if v == nil || v == user.Results[0] {
		return false
	}
	*dead = append(*dead, user)
	f.changed = true
	r := user.Results[0]
	if t := definedBy(v, op.Tuple); t != nil && user.Op == op.Builtin {
		for u, next := r.FirstUse(), (*ir.Operand)(nil); u != nil; u = next {
			next = u.NextUse()
			if ex := u.User(); ex.Op == op.TupleExtract {
				part := t.Arg(int(ex.Aux.(*ir.IntAux).Int64()))
				ex.Results[0].ReplaceAllUses(part)
				*dead = append(*dead, ex)
				f.add(part.Inst())
			}
		}
		*dead = append(*dead, t)
	}
	if onlyDead(r, *dead) {
		return true
	}
	r.ReplaceAllUses(v)
	if v.Inst() != nil {
		f.add(v.Inst())
	}
	return true
}

func onlyDead(v *ir.Value, dead []*ir.Inst) bool {
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		if !slices.Contains(dead, u.User()) {
			return false
		}
	}
	return true
}

// value gives what the user of a constant computes, nil when that is not known.
func (f *constantFolder) value(user *ir.Inst) *ir.Value {
	switch user.Op {
	case op.Builtin:
		return foldBuiltin(f.mod, user)
	case op.TupleExtract:
		if t := definedBy(user.Arg(0), op.Tuple); t != nil {
			return t.Arg(int(user.Aux.(*ir.IntAux).Int64()))
		}
	case op.StructExtract:
		if definedBy(user.Arg(0), op.Struct) != nil {
			return simplifyStructExtract(user)
		}
	}
	return nil
}

// destructure replaces the parts that an instruction takes a struct or tuple apart into, when nobody owns them.
func (f *constantFolder) destructure(i *ir.Inst) bool {
	made := i.Arg(0).Inst()
	if made == nil || made.Op != op.Struct && made.Op != op.Tuple || len(made.Operands) != len(i.Results) ||
		f.own == nil || f.own.KindOf(i.Arg(0)) == facts.KindOwned {
		return false
	}
	for n, r := range i.Results {
		r.ReplaceAllUses(made.Arg(n))
	}
	return true
}

// performanceConstantPropagation folds constants in a whole function.
var performanceConstantPropagation = &Pass{Name: "performance-constant-propagation", Doc: "Folds what can be computed from constants", Function: foldFunction}

// diagnosticConstantPropagation does the same without the diagnostics of the compiler's pass of that name.
var diagnosticConstantPropagation = &Pass{Name: "diagnostic-constant-propagation", Doc: "Folds what can be computed from constants, before optimization", Function: foldFunction}

func foldFunction(c *Context, f *ir.Function) bool {
	fold := &constantFolder{mod: c.Module, own: facts.NewOwnership(f, c.Types(f))}
	fold.changed = foldCasts(c, f)
	for _, b := range f.Blocks {
		for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
			next = i.Next()
			switch i.Op {
			case op.IntegerLiteral, op.FloatLiteral, op.StringLiteral:
				if i.Results[0].HasUses() {
					fold.add(i)
				}
			case op.Struct, op.Tuple:
				if isTakenApart(i) {
					fold.add(i)
				}
			case op.Builtin:
				next = fold.question(c, i)
			}
		}
	}
	fold.run()
	return fold.changed
}

// isTakenApart says whether something takes a field from a struct or tuple right behind where it is made.
func isTakenApart(i *ir.Inst) bool {
	for u := i.Results[0].FirstUse(); u != nil; u = u.NextUse() {
		switch u.User().Op {
		case op.StructExtract, op.TupleExtract, op.DestructureStruct, op.DestructureTuple:
			return true
		}
	}
	return false
}

// question answers a builtin that asks for what the compiler knows, and gives the instruction behind it.
func (f *constantFolder) question(c *Context, i *ir.Inst) *ir.Inst {
	next := i.Next()
	switch name := builtinName(i); name {
	case "assert_configuration":
		n, err := strconv.ParseInt(c.valueOf("assert-conf-id"), 10, 32)
		if err != nil {
			n = 0
		}
		v := literalOf(f.mod, i, i.Results[0].Type, big.NewInt(n))
		i.Results[0].ReplaceAllUses(v)
		i.Remove()
		f.add(v.Inst())
		f.changed = true
	case "isConcrete":
		if i.Arg(0).Type.Elem == nil || isGeneric(i.Arg(0).Type.Elem) {
			return next
		}
		i.Results[0].ReplaceAllUses(literalOf(f.mod, i, i.Results[0].Type, big.NewInt(-1)))
		(&eraser{}).erase(i)
		f.changed = true
	}
	return next
}
