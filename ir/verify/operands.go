package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// operands checks the types of an instruction's operands against the classes of its row, and what they say of each other.
func (c *checker) operands(i *ir.Inst) {
	_, text := i.Aux.(*ir.TextAux)
	for n := range i.Operands {
		t := i.Arg(n).Type
		if !known(t) || text {
			continue
		}
		row := i.OperandRow(n)
		if row == nil {
			continue
		}
		if is := classes[row.Class]; is != nil && !is(c, t) {
			c.diags.InstErrorf(i.Pos, "operand-type", "%s takes %s as its %s, $%s is none", i.Op, article(row.Class.String()), role(row.Role), t)
			return
		}
	}
	for _, check := range rules[i.Op] {
		check(c, i)
	}
}

// role returns the name of a role without its marks.
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

// classes tells the classes of types. Where that takes a declaration that isn't there, a type belongs to the class.
var classes = map[op.TypeClass]func(*checker, *ir.Type) bool{
	op.ClassAddress:   func(_ *checker, t *ir.Type) bool { return t.IsAddress() },
	op.ClassObject:    isObject,
	op.ClassReference: isObject,
	op.ClassClass:     isObject,
	op.ClassBox:       func(c *checker, t *ir.Type) bool { return c.isKind(t, ir.KindBox) },
	op.ClassEnum:      isObject,
	op.ClassStruct:    func(c *checker, t *ir.Type) bool { return c.isNominal(t, ir.Struct) },
	op.ClassPointer:   func(_ *checker, t *ir.Type) bool { return t.IsBuiltin(ir.BuiltinRawPointer) },
	op.ClassBridge:    func(_ *checker, t *ir.Type) bool { return t.IsBuiltin(ir.BuiltinBridgeObject) },
	op.ClassInt1:      func(_ *checker, t *ir.Type) bool { return t.IsBuiltinInt(1) },
	op.ClassInteger: func(_ *checker, t *ir.Type) bool {
		return t.Builtin().IsInteger()
	},
	op.ClassStorage:   func(c *checker, t *ir.Type) bool { return c.isKind(t, ir.KindStorage) },
	op.ClassToken:     func(c *checker, t *ir.Type) bool { return t.IsBuiltin(ir.BuiltinSILToken) || t.Kind == ir.KindSILToken },
	op.ClassPackIndex: func(_ *checker, t *ir.Type) bool { return t.IsBuiltin(ir.BuiltinPackIndex) },
	op.ClassTuple:     func(c *checker, t *ir.Type) bool { return c.isKind(t, ir.KindTuple) },
	op.ClassFunction: func(_ *checker, t *ir.Type) bool { // or an optional of one, which is_escaping_closure takes
		return t.Kind == ir.KindFunction || t.IsOptional()
	},
	op.ClassMetatype: func(_ *checker, t *ir.Type) bool {
		return t.Kind == ir.KindMetatype || t.Kind == ir.KindExistentialMetatype
	},
}

// isKind reports whether a type may be of a kind; the wrappers that noncopyable values lie in don't count.
func (c *checker) isKind(t *ir.Type, kind ir.TypeKind) bool {
	t = c.mod.Canonical(facts.Selfless(t))
	return t.Kind == kind || vague(t) || t.Kind == ir.KindNominal && c.mod.DeclOf(t) == nil && !t.IsOptional()
}

// isNominal reports whether a type may be declared by a declaration of that kind.
func (c *checker) isNominal(t *ir.Type, kind ir.NominalKind) bool {
	t = c.mod.Canonical(facts.Selfless(t))
	if t.Kind != ir.KindNominal {
		return vague(t) || t.Kind == ir.KindParam || t.Kind == ir.KindOpened
	}
	d := c.mod.DeclOf(t)
	return d == nil && !t.IsOptional() || d != nil && (d.Kind == kind || d.Kind == ir.TypeAlias || d.Kind == ir.ExtensionDecl)
}

func isObject(_ *checker, t *ir.Type) bool { return !t.IsAddress() }
