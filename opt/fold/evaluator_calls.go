package fold

import (
	"fmt"
	"math/big"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// apply evaluates a call.
func (fr *frame) apply(i *ir.Inst) *reason {
	callee, why := fr.get(i, i.Arg(0))
	if why != nil {
		return why
	}
	if callee.kind != constFunction && callee.kind != constClosure {
		return fr.unsupported(i)
	}
	f, bind := callee.fn, callee.bind
	if callee.kind == constFunction {
		bind = fr.bindingOf(f, i.Aux.(*ir.ApplyAux))
		if known, why := fr.wellKnown(i, f, bind); known || why != nil {
			return why
		}
	}
	args := make([]*constant, 0, len(i.Operands)-1+len(callee.elems))
	for n := 1; n < len(i.Operands); n++ {
		c, why := fr.get(i, i.Arg(n))
		if why != nil {
			return why
		}
		args = append(args, c)
	}
	args = append(args, callee.elems...) // captures come last
	if f.IsDeclaration() || len(f.Blocks) == 0 {
		return fr.fail(i, fmt.Sprintf("encountered call to '%s' whose body is not available. Imported functions must be marked '@inlinable' to constant evaluate", ir.DisplayName(f.Name, "")),
			"calls a function whose body is not available")
	}
	c, why := fr.e.call(fr, i, f, bind, args)
	if why == nil {
		fr.values[i.Result()] = c
	}
	return why
}

// wellKnown evaluates a call of a function of the library whose semantics are known; known is false for any other.
func (fr *frame) wellKnown(i *ir.Inst, f *ir.Function, bind func(*ir.Type) *ir.Type) (known bool, why *reason) {
	arg := func(n int) *constant {
		if why != nil || n+1 >= len(i.Operands) {
			if why == nil {
				why = fr.invalid(i)
			}
			return uninit
		}
		var c *constant
		if c, why = fr.get(i, i.Arg(n+1)); c == nil {
			c = uninit
		}
		return c
	}
	result := func(c *constant) (bool, *reason) {
		if why == nil {
			fr.values[i.Result()] = c
		}
		return true, why
	}
	for _, a := range f.Attrs {
		switch a.Semantics() {
		case ir.SemanticsStringInitEmpty:
			return result(&constant{kind: constString})
		case ir.SemanticsStringMakeUTF8:
			s, n := arg(0), arg(1)
			if why == nil && (s.kind != constString || n.kind != constInteger || n.num.Cmp(big.NewInt(int64(len(s.text)))) != 0) {
				why = fr.invalid(i)
			}
			return result(s)
		case ir.SemanticsStringEscapePercent:
			s := arg(0)
			if why == nil && s.kind != constString {
				why = fr.invalid(i)
			}
			return result(&constant{kind: constString, text: strings.ReplaceAll(s.text, "%", "%%")})
		case ir.SemanticsStringAppend:
			s, to := arg(0), arg(1)
			if why != nil {
				return true, why
			}
			old, why := fr.load(i, to)
			switch {
			case why != nil:
				return true, why
			case s.kind != constString || old.kind != constString || !to.at.write(fr.ts, &constant{kind: constString, text: old.text + s.text}):
				return true, fr.invalid(i)
			}
			return result(&constant{kind: constAggregate})
		case ir.SemanticsIntegerDescription:
			return fr.description(i, f, bind)
		case ir.SemanticsArrayInitEmpty:
			return result(fr.array(i.Result().Type, nil))
		case ir.SemanticsArrayUninitializedIntrinsic:
			n := arg(0)
			t := i.Result().Type
			if why == nil && (n.kind != constInteger || !n.num.IsInt64() || n.num.Sign() < 0 || n.num.Int64() > maxEvaluated || t.Kind != ir.KindTuple || len(t.Args) != 2) {
				why = fr.invalid(i)
			}
			if why != nil {
				return true, why
			}
			elems := make([]*constant, n.num.Int64())
			for k := range elems {
				elems[k] = uninit
			}
			made := fr.array(t.Args[0], elems)
			return result(&constant{kind: constAggregate, elems: []*constant{made, {kind: constAddress, at: made.at.part(0)}}})
		case ir.SemanticsArrayFinalizeIntrinsic:
			return result(arg(0))
		case ir.SemanticsArrayAppendElement:
			return true, fr.appendElement(i, arg(0), arg(1), &why)
		case ir.SemanticsProgramTerminationPoint:
			return true, fr.terminates(i)
		}
	}
	return false, nil
}

// array returns an array of a type with elements of its own.
func (fr *frame) array(t *ir.Type, elems []*constant) *constant {
	t = fr.subst(t)
	c := &constant{kind: constElements, elems: elems}
	if len(t.Args) == 1 {
		c.t = t.Args[0]
	}
	return &constant{kind: constArray, t: t, at: place{mem: &memory{t: t, value: c}}}
}

// appendElement puts the array with one more element in the place of the old one: others may have that.
func (fr *frame) appendElement(i *ir.Inst, element, to *constant, why **reason) *reason {
	if *why != nil {
		return *why
	}
	e, failed := fr.load(i, element)
	if failed != nil {
		return failed
	}
	old, failed := fr.load(i, to)
	if failed != nil {
		return failed
	}
	if old.kind != constArray {
		return fr.invalid(i)
	}
	have := old.at.read()
	if !to.at.write(fr.ts, fr.array(old.t, append(append([]*constant(nil), have.elems...), e))) {
		return fr.invalid(i)
	}
	fr.values[i.Result()] = &constant{kind: constAggregate}
	return nil
}

// description is the text of an integer in decimal.
func (fr *frame) description(i *ir.Inst, f *ir.Function, bind func(*ir.Type) *ir.Type) (bool, *reason) {
	c, why := fr.get(i, i.Arg(1))
	if why == nil && c.kind == constAddress {
		c, why = fr.load(i, c)
	}
	if why != nil {
		return true, why
	}
	if c.kind != constAggregate || len(c.elems) != 1 || c.elems[0].kind != constInteger || bind == nil {
		return true, fr.invalid(i)
	}
	t := fr.e.mod.Types.Subst(f.Type.Func.Params[0].Type, bind).Object()
	fields, ok := fr.ts.FieldTypes(t)
	if !ok || len(fields) != 1 || fields[0].IntWidth() == 0 {
		return true, fr.invalid(i)
	}
	n := c.elems[0].num
	if strings.HasPrefix(t.Name, "UInt") {
		n = facts.AsUnsigned(n, fields[0].IntWidth())
	}
	fr.values[i.Result()] = &constant{kind: constString, text: n.String()}
	return true, nil
}

// terminates says what a call that ends the program would print: the strings among its arguments.
func (fr *frame) terminates(i *ir.Inst) *reason {
	var said []string
	for n := 1; n < len(i.Operands); n++ {
		c := fr.values[i.Arg(n)]
		for c != nil && c.kind == constAggregate && len(c.elems) > 0 {
			c = c.elems[0] // of a StaticString: the pointer
		}
		if c != nil && c.kind == constString {
			said = append(said, c.text)
		}
	}
	why := fr.fail(i, strings.Join(said, ": "), "operation traps")
	why.stops = true
	return why
}

// builtin evaluates arithmetic.
func (fr *frame) builtin(i *ir.Inst) (*constant, *reason) {
	id := facts.BuiltinID(i)
	if id == op.BuiltinAssertConfiguration {
		return integer(assertConfiguration(fr.e.c), 32), nil
	}
	if name := i.Aux.(*ir.BuiltinAux).Name(); strings.HasPrefix(name, "tsanInoutAccess") {
		return &constant{kind: constAggregate}, nil
	}
	args := make([]*constant, len(i.Operands))
	for n := range args {
		c, why := fr.get(i, i.Arg(n))
		if why != nil {
			return nil, why
		}
		args[n] = c
	}
	if (id == op.BuiltinPtrtoint || id == op.BuiltinInttoptr) && args[0].kind == constString {
		return args[0], nil
	}
	for _, a := range args {
		if a.kind != constInteger {
			return nil, fr.unsupported(i)
		}
	}
	if len(args) == 0 {
		return nil, fr.unsupported(i)
	}
	overflow := func() *reason {
		why := fr.fail(i, "integer overflow detected", "operation overflows")
		why.stops = true
		return why
	}
	a, bits := args[0].num, i.Arg(0).Type.IntWidth()
	t := i.Result().Type
	switch id {
	case op.BuiltinZext, op.BuiltinZextOrBitCast:
		if bits == 0 || t.IntWidth() == 0 {
			return nil, fr.unsupported(i)
		}
		return integer(facts.AsUnsigned(a, bits), t.IntWidth()), nil
	case op.BuiltinSext, op.BuiltinSextOrBitCast, op.BuiltinTrunc, op.BuiltinTruncOrBitCast:
		if t.IntWidth() == 0 {
			return nil, fr.unsupported(i)
		}
		return integer(a, t.IntWidth()), nil
	case op.BuiltinSToSCheckedTrunc, op.BuiltinUToSCheckedTrunc, op.BuiltinSToUCheckedTrunc, op.BuiltinUToUCheckedTrunc:
		n, lost, ok := checkedTrunc(id, a, bits, t)
		switch {
		case !ok:
			return nil, fr.unsupported(i)
		case lost:
			return nil, overflow()
		}
		return &constant{kind: constAggregate, elems: []*constant{n, integer(new(big.Int), 1)}}, nil
	}
	if len(args) < 2 || bits == 0 {
		return nil, fr.unsupported(i)
	}
	b := args[1].num
	if yes, ok := compare(id, a, b, bits); ok {
		return integer(big.NewInt(map[bool]int64{true: -1, false: 0}[yes]), 1), nil
	}
	if plain, signed, ok := Overflowing(id); ok {
		if !signed {
			a, b = facts.AsUnsigned(a, bits), facts.AsUnsigned(b, bits)
		}
		n := Arithmetic(plain, a, b, bits)
		if n == nil {
			return nil, fr.unsupported(i)
		}
		fits := facts.WrapSigned(n, bits)
		if back := fits; signed && back.Cmp(n) != 0 || !signed && facts.AsUnsigned(back, bits).Cmp(n) != 0 {
			return nil, overflow()
		}
		return &constant{kind: constAggregate, elems: []*constant{{kind: constInteger, num: fits}, integer(new(big.Int), 1)}}, nil
	}
	if n := Arithmetic(id, a, b, bits); n != nil {
		return integer(n, bits), nil
	}
	return nil, fr.unsupported(i)
}

// checkedTrunc shortens a number, of that width or of none when it is a literal, and reports whether its value changed.
func checkedTrunc(id op.BuiltinID, a *big.Int, bits uint, t *ir.Type) (n *constant, lost, ok bool) {
	if t.Kind != ir.KindTuple || len(t.Args) != 2 || t.Args[0].IntWidth() == 0 {
		return nil, false, false
	}
	to := t.Args[0].IntWidth()
	if bits > 0 && (id == op.BuiltinUToSCheckedTrunc || id == op.BuiltinUToUCheckedTrunc) {
		a = facts.AsUnsigned(a, bits)
	}
	short := facts.WrapSigned(a, to)
	back := short
	if id == op.BuiltinSToUCheckedTrunc || id == op.BuiltinUToUCheckedTrunc {
		back = facts.AsUnsigned(short, to)
	}
	return &constant{kind: constInteger, num: short}, back.Cmp(a) != 0, true
}
