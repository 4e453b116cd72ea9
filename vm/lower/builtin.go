package lower

import (
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/tables"
)

// builtinCall is a builtin instruction taken apart.
type builtinCall struct {
	*ir.Inst
	name  string     // of the row, without types
	types []number   // the types after the name
	subs  []*ir.Type // substitutions, concrete and canonical
}

// number is a type that arithmetic builtins work on.
type number struct {
	lanes   int // of a vector, else 1
	float   bool
	bits    uint64
	literal bool // Builtin.IntLiteral
}

// words is how many scalars one lane has.
func (n number) words() int { return max(1, int(n.bits+63)/64) }

// builtinLowering lowers a builtin: it defines the results of the call.
type builtinLowering func(b *builder, c *builtinCall) error

// builtinLowerings has an entry for each builtin that silvm can run.
var builtinLowerings map[op.BuiltinID]builtinLowering

func init() {
	builtinLowerings = tables.Join("lowerings of builtins", builtinFamilies()...)
}

// builtinFamilies are the lowerings of builtins by subject. No builtin is in two of them.
func builtinFamilies() []map[op.BuiltinID]builtinLowering {
	return []map[op.BuiltinID]builtinLowering{intBuiltins, conversionBuiltins, floatBuiltins, hintBuiltins, memoryBuiltins, atomicBuiltins,
		typeBuiltins, concurrencyBuiltins}
}

func lowerBuiltin(b *builder, i *ir.Inst) error {
	aux, ok := i.Aux.(*ir.BuiltinAux)
	if !ok {
		return unsupportedf("builtin without a name")
	}
	f := builtinLowerings[aux.ID()]
	if f == nil {
		return unsupportedf("builtin %s", aux.Name())
	}
	c := &builtinCall{Inst: i, name: aux.Row().Name}
	if types := aux.TypeNames(); types != "" {
		for t := range strings.SplitSeq(types, "_") {
			n, ok := numberNamed(t)
			if !ok {
				return unsupportedf("builtin %s: type %s", aux.Name(), t)
			}
			c.types = append(c.types, n)
		}
	}
	for _, t := range aux.Subs {
		c.subs = append(c.subs, b.subst(t))
	}
	return f(b, c)
}

// maxLanes and maxIntBits bound the numbers that builtins work on.
const (
	maxLanes   = 1024
	maxIntBits = 2048
)

// numberOf returns what arithmetic needs to know of a builtin type; ok is false for a type without arithmetic.
func numberOf(t ir.BuiltinType) (n number, ok bool) {
	n = number{lanes: int(t.Lanes), bits: uint64(t.Bits)}
	kind := t.Kind
	if kind == ir.BuiltinVector {
		kind = t.Elem
	}
	switch kind {
	case ir.BuiltinWord, ir.BuiltinRawPointer:
		n.bits, ok = 64, true
	case ir.BuiltinIntLiteral:
		n.literal, ok = true, true
	case ir.BuiltinInt:
		ok = n.bits > 0 && n.bits <= maxIntBits
	case ir.BuiltinFloat:
		n.float, ok = true, n.bits == 16 || n.bits == 32 || n.bits == 64 || n.bits == 80
	}
	return n, ok && n.lanes <= maxLanes
}

// numberNamed returns the same for a type as the name of a builtin spells it: Int64, Word, FPIEEE64, Vec4xInt32.
func numberNamed(name string) (number, bool) { return numberOf(ir.ParseBuiltinType(name)) }

// result defines the only result.
func (c *builtinCall) result(b *builder, ops ...operand) error {
	if len(c.Results) == 1 {
		b.define(c.Results[0], ops)
	}
	return nil
}

// operands returns the scalars of all operands, and an error if there are fewer operands than want.
func (c *builtinCall) operands(b *builder, want int) ([][]operand, error) {
	if len(c.Operands) < want {
		return nil, unsupportedf("builtin %s with %d operands", c.name, len(c.Operands))
	}
	all := make([][]operand, len(c.Operands))
	for n := range c.Operands {
		all[n] = b.scalars(c.Arg(n))
	}
	return all, nil
}

// lanewise runs f on each lane of the operands: x holds one operand's words for each operand.
func (c *builtinCall) lanewise(b *builder, operands, words int, f func(x [][]operand) ([]operand, error)) error {
	args, err := c.operands(b, operands)
	if err != nil {
		return err
	}
	var out []operand
	for lane := 0; lane < c.types[0].lanes; lane++ {
		x := make([][]operand, operands)
		for n := range x {
			if len(args[n]) < (lane+1)*words {
				return unsupportedf("builtin %s on an operand of %d words", c.name, len(args[n]))
			}
			x[n] = args[n][lane*words : (lane+1)*words]
		}
		r, err := f(x)
		if err != nil {
			return err
		}
		out = append(out, r...)
	}
	return c.result(b, out...)
}

// oneWord wraps a lowering of one word on operands of one word each.
func oneWord(operands int, f func(b *builder, n number, x []operand) operand) builtinLowering {
	return func(b *builder, c *builtinCall) error {
		n := c.types[0]
		if n.words() != 1 || n.literal {
			return unsupportedf("builtin %s on integers of %d bits", c.name, n.bits)
		}
		return c.lanewise(b, operands, 1, func(x [][]operand) ([]operand, error) {
			words := make([]operand, len(x))
			for k := range x {
				words[k] = x[k][0]
			}
			return []operand{f(b, n, words)}, nil
		})
	}
}
