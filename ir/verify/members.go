package verify

import (
	"strings"

	"silvm/ir"
	"silvm/ir/op"
)

// memberExists checks that a method lookup names a member that the text of the class or protocol has. Where the declaration is not
// in the text, or the member is one that the compiler makes, nothing is said.
func memberExists(c *checker, i *ir.Inst) {
	aux, ok := i.Aux.(*ir.MethodAux)
	if !ok {
		return
	}
	switch aux.Ref.First() {
	case ir.PartNone, ir.PartGetter, ir.PartSetter, ir.PartModify, ir.PartRead:
	default:
		return
	}
	owner, name := aux.Ref.Owner(), aux.Ref.Member()
	if owner == "" {
		return
	}
	d := c.mod.Nominals[owner]
	if d == nil || d.Builtin || d.Text == "" || !isIdentifier(name) || aux.Ref.IsSpecial() {
		return
	}
	switch {
	case i.Op == op.WitnessMethod && d.Kind != ir.Protocol:
		c.diags.InstErrorf(i.Pos, "unknown-member", "witness_method of %s, which is no protocol", owner)
		return
	case i.Op != op.WitnessMethod && d.Kind != ir.Class && d.Kind != ir.Actor:
		if i.Op == op.ClassMethod || i.Op == op.SuperMethod {
			c.diags.InstErrorf(i.Pos, "unknown-member", "%s of %s, which is no class", i.Op, owner)
		}
		return
	}
	if !hasWord(d.Text, name) {
		c.diags.InstErrorf(i.Pos, "unknown-member", "%s has no member %s", owner, name)
	}
}

func isIdentifier(s string) bool {
	for n, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (n == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// hasWord reports whether a text has a word that stands alone.
func hasWord(text, word string) bool {
	letter := func(b byte) bool {
		return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
	}
	for at := 0; ; {
		n := strings.Index(text[at:], word)
		if n < 0 {
			return false
		}
		begin := at + n
		end := begin + len(word)
		if (begin == 0 || !letter(text[begin-1])) && (end == len(text) || !letter(text[end])) {
			return true
		}
		at = begin + 1
	}
}

// named reports whether the path that a field or case is named with may be that of its declaration: the text may leave out the types
// around it, or call the type by another name.
func (c *checker) named(d *ir.Nominal, path string) bool {
	if alias := c.mod.Nominal(path); alias != nil && alias.Kind == ir.TypeAlias && alias.Target != nil && c.mod.DeclOf(alias.Target) == d {
		return true
	}
	last := func(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }
	return path == "" || !isIdentifier(last(path)) || last(path) == last(d.Path) || !isIdentifier(last(d.Path))
}
