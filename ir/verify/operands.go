package verify

import (
	"silvm/ir"
	"silvm/ir/op"
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
	for _, check := range rules[i.Op] {
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
