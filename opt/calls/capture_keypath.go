package calls

import (
	"crypto/md5"
	"encoding/hex"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/mangle"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// Key paths that closures capture. Unlike other constants they are objects: the copy of the function makes one, and releases it where it
// returns. After that its reads and writes are the accesses that the key path stands for (opt/combine/keypaths.go).

// keyPathOperands lists the functions of the library that read and write through a key path, with the number of their operand that is
// one.
var keyPathOperands = map[string]int{"swift_getAtKeyPath": 3, "swift_setAtWritableKeyPath": 2, "swift_setAtReferenceWritableKeyPath": 2}

// isKeyPathOf reports whether a full apply reads or writes through its operand.
func isKeyPathOf(u *ir.Operand) bool {
	f := facts.StaticCallee(u.User())
	return f != nil && keyPathOperands[f.Name] == u.Number() && u.Number() > 0
}

// constantKeyPath returns the key path behind a conversion to its class, nil when v is none, or its copy elsewhere would be another.
func constantKeyPath(v *ir.Value) *ir.Inst {
	if i := facts.DefinedBy(v, op.Upcast); i != nil {
		v = i.Arg(0)
	}
	if i := facts.DefinedBy(v, op.OpenExistentialRef); i != nil {
		v = i.Arg(0)
	}
	i := facts.DefinedBy(v, op.Keypath)
	if i == nil || len(i.Operands) > 0 || v.Type.HasParams() || v.Type.HasLocal() {
		return nil
	}
	if aux, ok := i.Aux.(*ir.KeyPathAux); !ok || len(aux.Subs) > 0 { // names do not tell substitutions
		return nil
	}
	return i
}

// ownsNothing reports whether nobody misses a closure's reference to its capture number n, a key path: the function that it calls only
// borrows it, and the closure does so too or is the only one that uses it.
func ownsNothing(closure *ir.Inst, callee *ir.Function, n int) bool {
	params := callee.Type.Func.Params
	if params[len(params)-len(closure.Operands)+1+n].Conv != ir.ParamDirectGuaranteed {
		return false
	}
	if closure.Quals.Has(op.QualOnStack) {
		return true
	}
	for v := closure.Arg(1 + n); ; v = v.Inst().Arg(0) {
		uses := 0
		for u := range v.Uses() {
			if !facts.IsDebug(u.User()) {
				uses++
			}
		}
		if uses != 1 {
			return false
		}
		if v.Inst().Op == op.Keypath {
			return true
		}
	}
}

// keyPathCode returns the code of a key path in a name, and puts in front what its components look like, as a hash, and its types.
func keyPathCode(c *pass.Context, m *mangle.Mangler, aux *ir.KeyPathAux) string {
	_, components, ok := strings.Cut(aux.Pattern, "; ")
	if !ok || len(aux.Components) == 0 {
		return ""
	}
	sum := md5.Sum([]byte(strings.ReplaceAll(strings.TrimSuffix(components, ")"), "; ", "")))
	m.Name(asIdentifier(hex.EncodeToString(sum[:])))
	namer := typeNamer{mod: c.Module}
	for _, t := range []*ir.Type{aux.Root, aux.Components[len(aux.Components)-1].Type} {
		if node := namer.typeNode(t); node == nil || !m.Type(node) {
			return ""
		}
	}
	return "pk"
}

// holdsKeyPaths reports whether the entry of a copy makes key paths of the classes of those that are captured, which its name does not tell.
func holdsKeyPaths(c *pass.Context, made *ir.Function, captured []*ir.Value) bool {
	for _, v := range captured {
		want := constantKeyPath(v)
		if want == nil {
			continue
		}
		found := false
		for i := range made.Entry().Insts() {
			found = found || i.Op == op.Keypath && isSameKeyPath(c.Module, i, want)
		}
		if !found {
			return false
		}
	}
	return true
}

// isSameKeyPath reports whether two instructions without operands make equal objects of one class.
func isSameKeyPath(mod *ir.Module, a, b *ir.Inst) bool {
	class := func(i *ir.Inst) *ir.Type {
		t := i.Result().Type.Object()
		if c := mod.ClassConstraint(t); c != nil { // any WritableKeyPath<Root, Value> & Sendable
			return c
		}
		return t
	}
	return class(a) == class(b) && a.Aux.(*ir.KeyPathAux).Pattern == b.Aux.(*ir.KeyPathAux).Pattern
}

// releaseKeyPaths releases the key paths among the constants that a copy was made with, where it returns, throws or unwinds.
func releaseKeyPaths(c *pass.Context, made *ir.Function, constants []*ir.Value) {
	release := op.StrongRelease
	if made.IsOSSA() {
		release = op.DestroyValue
	}
	released := map[*ir.Inst]bool{}
	for _, v := range constants {
		kp := constantKeyPath(v)
		if kp == nil || released[kp] {
			continue
		}
		released[kp] = true
		for _, b := range made.Blocks {
			if t := b.Terminator(); rewrite.IsFunctionExit(t) {
				rewrite.Emit(ir.At(c.Module, t), release, v)
			}
		}
	}
}

// eraseKeyPath removes a key path that nothing uses, with the conversions after it: to make one does nothing that could be missed.
func eraseKeyPath(i *ir.Inst) {
	for i.Op != op.Keypath {
		from := i.Arg(0).Inst()
		rewrite.EraseWithUsers(i)
		i = from
	}
	rewrite.EraseWithUsers(i)
}
