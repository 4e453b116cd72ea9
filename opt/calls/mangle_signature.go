package calls

import (
	"slices"
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/ir/mangle"
)

// generic names a function type with a signature.
func (n typeNamer) generic(f *ir.FuncType) *mangle.Node {
	plain := *f
	plain.Generic = nil
	node, sig := n.lowered(&plain), n.signature(f.Generic)
	if node == nil || sig == nil {
		return nil
	}
	node.Children = append(node.Children, sig)
	return node
}

// signature names a signature of one list of parameters: what it asks of which, and how many there are (docs/ABI/Mangling.rst,
// generic-signature).
func (n typeNamer) signature(sig *ir.GenericSig) *mangle.Node {
	for _, p := range sig.Params {
		if p.Each || p.Value != nil || strings.HasPrefix(p.Name, "τ_") && !strings.HasPrefix(p.Name, "τ_0_") {
			return nil // of an inner list of parameters
		}
	}
	node := &mangle.Node{Kind: mangle.DependentGenericSignature}
	for _, r := range sig.Requirements {
		c := n.requirement(sig, r)
		if c == nil {
			return nil
		}
		node.Children = append(node.Children, c)
	}
	if len(sig.Params) > 1 {
		node.Text = "r" + mangledIndex(len(sig.Params)-1)
	}
	node.Text += "l"
	return node
}

var layoutLetters = map[ir.LayoutConstraint]string{ir.LayoutAnyObject: "C", ir.LayoutClass: "C", ir.LayoutNativeClass: "D", ir.LayoutRefCountedObject: "R",
	ir.LayoutNativeRefCountedObject: "N", ir.LayoutTrivial: "T"}

// requirement names what a signature asks of one of its parameters; nil where it asks it of a type that belongs to one.
func (n typeNamer) requirement(sig *ir.GenericSig, r ir.Requirement) *mangle.Node {
	of := paramOf(sig, r.Subject)
	if of < 0 {
		return nil
	}
	who := paramIndex(of, "z")
	switch r.Kind {
	case ir.ReqConformance:
		d := n.mod.DeclOf(r.Type)
		if d == nil || d.Kind != ir.Protocol || r.Type.Parent != nil || len(r.Type.Args) > 0 {
			return nil
		}
		p := nodeOf(mangle.Protocol, leafNode(mangle.Module, n.moduleOf(d)), leafNode(mangle.Identifier, r.Type.Name))
		return &mangle.Node{Kind: mangle.DependentGenericConformanceRequirement, Children: []*mangle.Node{p}, Text: "R" + who}
	case ir.ReqSameType:
		if t := n.typeNode(r.Type); t != nil {
			return &mangle.Node{Kind: mangle.DependentGenericSameTypeRequirement, Children: []*mangle.Node{t}, Text: "Rs" + who}
		}
	case ir.ReqLayout:
		if letter := layoutLetters[r.Layout()]; letter != "" {
			if bits, ok := layoutBits(r.Text); !ok {
				return nil
			} else if len(bits) == 1 {
				letter = "e" + mangledIndex(bits[0])
			} else if len(bits) == 2 {
				letter = "E" + mangledIndex(bits[0]) + mangledIndex(bits[1])
			}
			return leafNode(mangle.DependentGenericLayoutRequirement, "Rl"+who+letter)
		}
	}
	return nil
}

// paramOf returns the number of the parameter of a signature that a type is, -1 for other types.
func paramOf(sig *ir.GenericSig, t *ir.Type) int {
	return slices.IndexFunc(sig.Params, func(p ir.GenericParam) bool { return t.Kind == ir.KindParam && p.Name == t.Name })
}

// layoutBits returns what a layout says of size and alignment: 64 and 32 for _Trivial(64, 32); ok is false where it is not a number of bits.
func layoutBits(text string) (bits []int, ok bool) {
	_, sizes, sized := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	if !sized {
		return nil, true
	}
	for _, word := range strings.Split(sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n <= 0 || n%8 != 0 || n > 1<<20 || len(bits) == 2 {
			return nil, false
		}
		bits = append(bits, n)
	}
	return bits, true
}

// box names a box: the types of its fields, and what stands for the parameters that it binds.
func (n typeNamer) box(t *ir.BoxType) *mangle.Node {
	inside := typeNamer{mod: n.mod, params: n.params}
	if t.Generic != nil {
		inside.params = t.Generic.Params
	}
	fields := &mangle.Node{Kind: mangle.TypeList}
	for _, f := range t.Fields {
		c := inside.typeNode(f.Type)
		if f.Mutable {
			c = nodeOf(mangle.InOut, c)
		}
		fields.Children = append(fields.Children, c)
	}
	switch {
	case t.Escaped:
		return nil
	case t.Generic == nil:
		return nodeOf(mangle.SILBoxTypeWithLayout, nodeOf(mangle.TypeList, fields.Children...))
	}
	return nodeOf(mangle.SILBoxTypeWithLayout, nodeOf(mangle.TypeList, fields.Children...), n.list(t.Subs), inside.signature(t.Generic))
}

// paramIndex writes which parameter is meant: the first has a letter of its own.
func paramIndex(n int, first string) string {
	if n == 0 {
		return first
	}
	return mangledIndex(n - 1)
}

// mangledIndex writes a number as mangled names have it (docs/ABI/Mangling.rst, INDEX).
func mangledIndex(n int) string {
	if n == 0 {
		return "_"
	}
	return strconv.Itoa(n-1) + "_"
}
