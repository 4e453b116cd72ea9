package calls

import (
	"math/big"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/mangle"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// CapturePropagation replaces closures that capture constants alone by functions that have these constants in them, so that no context is
// allocated:
//
//	%1 = function_ref @g                              %1 = function_ref @$s1f1gTf3npf_n
//	%2 = function_ref @f                              %2 = thin_to_thick_function %1
//	%3 = partial_apply [callee_guaranteed] %2(%1) ⇒
//
// It does so where the function calls one of its arguments, which it then knows. A closure of a function that only passes its other
// arguments on becomes what that one calls (lib/SILOptimizer/IPO/CapturePropagation.cpp).
var CapturePropagation = &pass.Pass{Name: "capture-prop", Doc: "Replaces closures that capture constants by functions", Copies: true, Needs: [][]op.Op{{op.PartialApply}}, Function: func(c *pass.Context, f *ir.Function) bool {
	changed := false
	cold := coldBlocks(c, f)
	for _, b := range f.Blocks {
		for _, i := range b.InstList() {
			if i.Op == op.PartialApply && i.Block() != nil && !cold[b] && propagateCaptures(c, f, i) {
				changed = true
			}
		}
	}
	return changed
}}

func propagateCaptures(c *pass.Context, f *ir.Function, closure *ir.Inst) bool {
	callee := facts.StaticCallee(closure)
	if callee == nil || callee.Type.Func == nil || callee.Body() != nil || len(callee.Blocks) == 0 || callee == f || c.IsNative(callee) {
		return false
	}
	aux := closure.Aux.(*ir.ApplyAux)
	if slices.ContainsFunc(aux.Subs, func(t *ir.Type) bool { return t.HasParams() || t.HasLocal() }) {
		return false
	}
	if to := passedOn(c, callee, len(closure.Operands)-1); to != nil && len(aux.Subs) == 0 {
		c.Passed(f, closure, "the closure is @%s", to.Name)
		useFunction(c, closure, to)
		return true
	}
	captured := rewrite.Values(closure)[1:]
	for n, v := range captured {
		i := constantOf(v)
		if i == nil || i.Op == op.Keypath && !ownsNothing(closure, callee, n) {
			return false
		}
	}
	if !callsArgument(callee) {
		c.Missed(f, closure, "@%s does not call what it is passed", callee.Name)
		return false
	}
	name := captureName(c, f, callee, captured)
	made := c.Module.Funcs[name]
	if name == "" {
		c.Missed(f, closure, "there is no name for the copy of @%s", callee.Name)
		return false
	}
	if made == nil {
		if made = cloneWithConstants(c, callee, closure, name, serializedAttr(f)); made == nil {
			return false
		}
		c.AddFunction(made, callee)
	} else if !holdsKeyPaths(c, made, captured) {
		c.Missed(f, closure, "@%s has key paths of other classes in it", name)
		return false
	}
	c.Passed(f, closure, "the closure is @%s", name)
	useFunction(c, closure, made)
	return true
}

// longestString bounds the string literals that names of specializations hold.
const longestString = 32

// constantOf returns the literal or the reference behind conversions of functions, or the key path behind those of its class; nil when v is
// none that a name can hold.
func constantOf(v *ir.Value) *ir.Inst {
	i := v.Inst()
	if i == nil {
		return nil
	}
	switch i.Op {
	case op.ThinToThickFunction, op.ConvertFunction:
		return constantOf(i.Arg(0))
	case op.FunctionRef, op.GlobalAddr, op.FloatLiteral:
		return i
	case op.IntegerLiteral: // the compiler makes names of negative ones that it cannot read
		if n := facts.Literal(v); n != nil && n.Sign() >= 0 {
			return i
		}
	case op.StringLiteral: // of the encodings, names have this one
		if s := i.Aux.(*ir.StringAux); s.Encoding == ir.EncodingUTF8 && s.Value != "" && len(s.Value) <= longestString {
			return i
		}
	default:
		return constantKeyPath(v)
	}
	return nil
}

// captureName returns the name of the function that has constants in place of its last arguments (docs/ABI/Mangling.rst, function signature
// specialization); "" when that of the callee cannot be read, or it would be too long.
func captureName(c *pass.Context, caller, callee *ir.Function, captured []*ir.Value) string {
	m, ok := mangle.Resume(callee.Name)
	if !ok {
		return ""
	}
	code := strings.Repeat("n", len(callee.Entry().Args)-len(captured))
	for _, v := range captured {
		constant := constantCode(c, m, constantOf(v))
		if constant == "" {
			return ""
		}
		code += constant
	}
	name := string(m.Buf) + serializedCode(caller, "Tf3") + code + "_n"
	if len(name) > longestName {
		return ""
	}
	return name
}

// longestName bounds the names of copies for closures: a copy may close over others, and would be copied for ever.
const longestName = 1024

// constantCode returns the code of a constant in a name, and puts what it is called in front; "" when there is none.
func constantCode(c *pass.Context, m *mangle.Mangler, i *ir.Inst) string {
	switch aux := i.Aux.(type) {
	case *ir.SymbolAux:
		m.Name(aux.Name)
		if i.Op == op.GlobalAddr {
			return "pg"
		}
		return "pf"
	case *ir.IntAux:
		return "pi" + aux.Value.String()
	case *ir.FloatAux:
		if bits, ok := new(big.Int).SetString(aux.Bits, 0); ok {
			return "pd" + bits.String()
		}
	case *ir.StringAux:
		m.Name(asIdentifier(aux.Value))
		return "psb"
	case *ir.KeyPathAux:
		return keyPathCode(c, m, aux)
	}
	return ""
}

// asIdentifier returns text as a name can hold it: identifiers begin with no digit.
func asIdentifier(text string) string {
	if text[0] == '_' || text[0] >= '0' && text[0] <= '9' {
		return "_" + text
	}
	return text
}

// callsArgument reports whether the function calls what it is passed, or reads or writes through it as a key path.
func callsArgument(f *ir.Function) bool {
	for _, a := range f.Entry().Args {
		for u := range a.Uses() {
			if facts.IsFullApply(u.User()) && (u.Number() == 0 || isKeyPathOf(u)) {
				return true
			}
		}
	}
	return false
}

// passedOn returns the function that callee calls with all its arguments but the last ones, which are trivial, when it does nothing else;
// nil otherwise.
func passedOn(c *pass.Context, callee *ir.Function, dropped int) *ir.Function {
	entry, ts := callee.Entry(), c.Types(callee)
	if len(entry.Args) < dropped {
		return nil
	}
	kept := entry.Args[:len(entry.Args)-dropped]
	for _, a := range entry.Args[len(kept):] {
		if !ts.IsTrivial(a.Type) {
			return nil
		}
	}
	var to *ir.Function
	var result *ir.Value
	for i := range entry.Insts() {
		switch {
		case i.Op == op.Apply, i.Op == op.TryApply:
			aux := i.Aux.(*ir.ApplyAux)
			if to != nil || len(aux.Subs) > 0 || !slices.Equal(rewrite.Values(i)[1:], kept) {
				return nil
			}
			if to = facts.StaticCallee(i); to == nil || to.Type.Func == nil || to.Type.Func.Convention != ir.RepThin {
				return nil
			}
			if i.Op == op.TryApply {
				if onlyReturns(i.Succs[0].To) && onlyReturns(i.Succs[1].To) {
					return to
				}
				return nil
			}
			result = i.Result()
		case i.Op == op.Return:
			if result == nil || i.Arg(0) != result {
				return nil
			}
			return to
		case i.Op.IsTerminator() || facts.MayHaveSideEffects(i):
			return nil
		}
	}
	return nil
}

// onlyReturns reports whether a block does nothing but return or throw its argument.
func onlyReturns(b *ir.Block) bool {
	i := b.First()
	return i == b.Last() && (i.Op == op.Return || i.Op == op.Throw) && len(b.Args) == 1 && i.Arg(0) == b.Args[0]
}

// useFunction puts a function in the place of a closure.
func useFunction(c *pass.Context, closure *ir.Inst, f *ir.Function) {
	b := ir.At(c.Module, closure)
	ref := rewrite.FunctionRef(b, f)
	thick := b.Emit(&ir.Inst{Op: op.ThinToThickFunction, Types: []*ir.Type{closure.Result().Type}}, ref).Result()
	operands := rewrite.Values(closure)
	for _, x := range closure.Result().UseList() {
		if x.User().Op == op.DeallocStack {
			x.User().Remove()
		}
	}
	closure.ReplaceWith(thick)
	dead := &rewrite.Eraser{}
	for _, v := range operands {
		if kp := constantKeyPath(v); kp != nil && v.Inst().Block() != nil && facts.HasOnlyDebugUses(v.Inst()) {
			eraseKeyPath(v.Inst())
			continue
		}
		dead.EraseIfDead(v)
	}
}

// cloneWithConstants makes the copy of a function that has the constants of a closure in it.
func cloneWithConstants(c *pass.Context, callee *ir.Function, closure *ir.Inst, name string, serialized ir.AttrKind) *ir.Function {
	fn := *closure.Result().Type.Func
	fn.Convention, fn.Callee, fn.Noescape = ir.RepThin, ir.CalleeNone, false
	n := &ir.Function{Name: name, Linkage: ir.LinkageShared, Attrs: specializedAttrs(callee, serialized, noSemantics), Type: c.Module.Types.Function(&fn),
		Loc: callee.Loc, Pos: callee.Pos, Scope: callee.Scope, Module: c.Module, Comment: rewrite.SpecializedComment(callee)}
	cl := rewrite.NewCloner(c.Module)
	if sig := callee.Type.Func.Generic; sig != nil {
		subs := closure.Aux.(*ir.ApplyAux).Subs
		if len(subs) != len(sig.Params) {
			return nil
		}
		cl.Replace = substitution(c.Module, sig, subs)
		cl.Lowering = &rewrite.TypeLowering{Mod: c.Module, Replace: cl.Replace}
		if !cl.Lowering.LowersAll(callee) {
			return nil
		}
	}
	entry := n.AddBlock("")
	old := callee.Entry()
	first := len(old.Args) - (len(closure.Operands) - 1)
	constants := rewrite.NewCloner(c.Module)
	var made []*ir.Value
	for k, a := range old.Args {
		if k >= first {
			cl.Values[a] = cloneConstant(constants, entry, closure.Arg(1+k-first))
			made = append(made, cl.Values[a])
			continue
		}
		v := entry.AddArg(cl.Typ(a.Type))
		v.Ownership, v.Flags, v.Name = a.Ownership, a.Flags, a.Name
		cl.Values[a] = v
	}
	rewrite.SplitRevisitedEdges(c, callee)
	cl.Blocks[old] = entry
	cl.Body(callee, n)
	if cl.Lowering != nil && cl.Lowering.Failed {
		return nil
	}
	releaseKeyPaths(c, n, made)
	n.Renumber()
	return n
}

// cloneConstant copies a constant, and what it was converted from, to the end of a block.
func cloneConstant(cl *rewrite.Cloner, to *ir.Block, v *ir.Value) *ir.Value {
	if made := cl.Values[v]; made != nil {
		return made
	}
	for _, x := range rewrite.Values(v.Inst()) {
		cloneConstant(cl, to, x)
	}
	cl.Values[v] = cl.CopyTo(to, v.Inst())
	return cl.Values[v]
}
