package verify

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/facts"
)

// operands checks the types of an instruction's operands against the classes of its row, and what they say of each other.
func (c *checker) operands(i *ir.Inst) {
	rows := i.Row().Operands
	for n := range i.Operands {
		t := i.Arg(n).Type
		if !known(t) || len(rows) == 0 {
			continue
		}
		row := rows[min(n, len(rows)-1)]
		if len(i.Operands) > len(rows) && n >= len(rows)-1 && !isList(row.Role) || optionalBefore(rows, n) {
			continue // which operand is which is not told by its number alone
		}
		if is := classes[row.Class]; is != nil && !is(t) {
			c.diags.InstErrorf(i.Pos, "operand-type", "%s takes %s as its %s, $%s is none", i.Op, article(row.Class.String()), role(row.Role), t)
			return
		}
	}
	if check := pairs[i.Op]; check != nil {
		check(c, i)
	}
}

// isList says whether a role stands for any number of operands.
func isList(role string) bool { return len(role) > 3 && role[len(role)-3:] == "..." }

// optionalBefore says whether an operand in front of number n may be absent.
func optionalBefore(rows []op.OperandRow, n int) bool {
	for k := 0; k <= n && k < len(rows); k++ {
		if r := rows[k].Role; r[len(r)-1] == '?' || k < n && isList(r) {
			return true
		}
	}
	return false
}

// role gives the name of a role without its marks.
func role(r string) string {
	for len(r) > 0 && (r[len(r)-1] == '.' || r[len(r)-1] == '?') {
		r = r[:len(r)-1]
	}
	return r
}

func article(noun string) string {
	switch noun[0] {
	case 'a', 'e', 'i', 'o', 'u':
		return "an " + noun
	}
	return "a " + noun
}

// classes tells the classes of types that can be told without declarations. A generic parameter is never a builtin, a tuple or
// a function; whether it is a class is not asked here.
var classes = map[op.TypeClass]func(*ir.Type) bool{
	op.ClassAddress:   (*ir.Type).IsAddress,
	op.ClassObject:    isObject,
	op.ClassReference: isObject,
	op.ClassClass:     isObject,
	op.ClassBox:       isObject,
	op.ClassEnum:      isObject,
	op.ClassStruct:    isObject,
	op.ClassPointer:   func(t *ir.Type) bool { return t.IsBuiltin("RawPointer") },
	op.ClassInt1:      func(t *ir.Type) bool { return t.IsBuiltin("Int1") },
	op.ClassTuple:     func(t *ir.Type) bool { return t.Kind == ir.KindTuple },
	op.ClassFunction: func(t *ir.Type) bool { // or an optional of one, which is_escaping_closure takes
		return t.Kind == ir.KindFunction || t.Kind == ir.KindNominal && t.Name == "Optional"
	},
	op.ClassMetatype: func(t *ir.Type) bool {
		return t.Kind == ir.KindMetatype || t.Kind == ir.KindExistentialMetatype
	},
}

func isObject(t *ir.Type) bool { return !t.IsAddress() }

// pairs are the checks that compare operands with each other or with what the instruction says.
var pairs = map[op.Op]func(*checker, *ir.Inst){
	op.Store: sameObject, op.StoreBorrow: sameObject, op.Assign: sameObject,
	op.CopyAddr: sameObject, op.ExplicitCopyAddr: sameObject,
	op.Apply: callArgs, op.TryApply: callArgs, op.BeginApply: callArgs, op.PartialApply: captures,
	op.Return: returned,
}

// known says whether the loader could tell the type of a value.
func known(t *ir.Type) bool { return t != nil && t.Kind != ir.KindInvalid && t.Kind != ir.KindUnparsed }

// differ says that two types are not the same, whatever the equations between the generic parameters of the function are.
func (c *checker) differ(a, b *ir.Type) bool {
	if a == b || open(a) || open(b) {
		return false
	}
	a, b = c.f.Module.Canonical(a), c.f.Module.Canonical(b)
	return a != b && !open(a) && !open(b)
}

func open(t *ir.Type) bool { return t.HasParams() || t.HasLocal() }

// sameObject checks that source and destination have the same type, but for the address.
func sameObject(c *checker, i *ir.Inst) {
	if len(i.Operands) != 2 || !known(i.Arg(0).Type) || !known(i.Arg(1).Type) {
		return
	}
	if src, dst := i.Arg(0).Type.Object(), i.Arg(1).Type.Object(); c.differ(src, dst) {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s moves a $%s to a $%s", i.Op, src, dst)
	}
}

// callArgs checks number and kind of the arguments of a call: an argument is an address where the convention says so.
func callArgs(c *checker, i *ir.Inst) {
	fn := facts.Callee(i)
	if fn == nil {
		return
	}
	out := 0
	for _, r := range fn.Results {
		if r.Conv.IsIndirect() {
			out++
		}
	}
	if fn.Error != nil && fn.Error.Conv.IsIndirect() {
		out++
	}
	if got, want := len(i.Operands)-1, out+len(fn.Params); got != want {
		c.diags.InstErrorf(i.Pos, "argument-count", "%s passes %d arguments, the function takes %d", i.Op, got, want)
		return
	}
	for n := range i.Operands[1:] {
		address := n < out || fn.Params[n-out].Conv.IsIndirect()
		c.argument(i, n, address)
	}
}

// captures checks the arguments of a partial_apply, which are the last ones of the function.
func captures(c *checker, i *ir.Inst) {
	fn := facts.Callee(i)
	if fn == nil {
		return
	}
	got := len(i.Operands) - 1
	if got > len(fn.Params) {
		c.diags.InstErrorf(i.Pos, "argument-count", "%s passes %d arguments, the function takes %d", i.Op, got, len(fn.Params))
		return
	}
	for n := range got {
		c.argument(i, n, fn.Params[len(fn.Params)-got+n].Conv.IsIndirect())
	}
}

func (c *checker) argument(i *ir.Inst, n int, address bool) {
	if t := i.Arg(n + 1).Type; known(t) && t.IsAddress() != address {
		c.diags.InstErrorf(i.Pos, "operand-type", "argument %d of %s has type $%s, the convention says otherwise", n, i.Op, t)
	}
}

// returned checks that a function returns a tuple of as many elements as it has direct results, or one value for one.
func returned(c *checker, i *ir.Inst) {
	if c.f.Type == nil || c.f.Type.Func == nil || len(i.Operands) != 1 || !known(i.Arg(0).Type) {
		return
	}
	var direct []*ir.Type
	fn := c.f.Type.Func
	subst := c.f.Module.SubstCallee(fn, nil)
	for _, r := range fn.Results {
		if !r.Conv.IsIndirect() {
			direct = append(direct, subst(r.Type))
		}
	}
	want := c.f.Module.Types.Tuple(direct, nil)
	if got := i.Arg(0).Type; c.differ(got, want) {
		c.diags.InstErrorf(i.Pos, "return-type", "return gives a $%s, the function's type says $%s", got, want)
	}
}
