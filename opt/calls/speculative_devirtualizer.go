package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// Specdevirt asks objects for their exact classes before calls of methods, and calls the method of the class directly where it is the one:
//
//	%1 = class_method %0 : $A, #A.f         checked_cast_br [exact] A in %0 : $A to A, bb2, bb3
//	%2 = apply %1(%0)                ⇒    bb2(%3 : $A):
//	                                        %4 = function_ref @A_f
//	                                        %5 = apply %4(%3)
//	                                        br bb1(%5)
//	                                      bb3:
//	                                        … the same for subclasses, then the call of %1
//
// Where all classes are known, the last call is direct too. The rules are those of the compiler's SpeculativeDevirtualization, which leaves
// invalid code behind in ownership form: such functions stay as they are.
var Specdevirt = &pass.Pass{Name: "specdevirt", Doc: "Calls methods directly where an object is of a class that is asked for first", Function: func(c *pass.Context, f *ir.Function) bool {
	if f.IsOSSA() || f.Attrs.Has(ir.AttrOsize) || isThunk(f) {
		return false
	}
	var calls []*ir.Inst
	for i := range f.Insts() {
		if (i.Op == op.Apply || i.Op == op.TryApply) && facts.DefinedBy(i.Arg(0), op.ClassMethod) != nil {
			calls = append(calls, i)
		}
	}
	changed := false
	for _, call := range calls {
		s := &speculation{devirtualization: newDevirtualization(c, f), method: call.Arg(0).Inst()}
		changed = s.speculate(call) || changed
	}
	return changed
}}

// mostTargets is the number of subclasses that a call asks for.
const mostTargets = 6

// speculation is one call of a method that is about to get a choice of classes before it.
type speculation struct {
	*devirtualization
	method *ir.Inst
	last   *ir.Inst // the checked_cast_br that was made last
}

// speculate makes the choice, and reports whether it changed anything.
func (s *speculation) speculate(call *ir.Inst) bool {
	self := s.stripUpcasts(s.method.Arg(0))
	if self.Type.HasParams() || self.Type.HasLocal() {
		return false
	}
	class := instanceType(self.Type)
	decl := s.mod.DeclOf(class)
	if decl == nil || decl.Kind != ir.Class || s.stripCasts(call.Arg(len(call.Operands)-1)) != s.stripCasts(self) {
		return false // or the method is one for another object
	}
	h := s.c.ClassHierarchy()
	if len(h.Direct[decl]) == 0 {
		if s.restIsKnown(decl) {
			return s.callDirectly(call, class)
		}
		return s.ask(call, self.Type) != nil
	}
	if fn := s.implementation(class, s.method.Aux.(*ir.MethodAux)); fn != nil && fn.Attrs.Has(ir.AttrOnone) {
		return false
	}
	subclasses := s.subclasses(class, decl)
	left := max(len(subclasses)-mostTargets, 0) // subclasses that are not asked for
	subclasses = subclasses[:len(subclasses)-left]
	changed := false
	if rest := s.ask(call, self.Type); rest != nil {
		changed, call = true, rest
	}
	for _, sub := range subclasses {
		var rest *ir.Inst
		if sub.Generic == nil {
			rest = s.ask(call, s.like(self.Type, s.mod.SelfType(sub)))
		}
		if rest == nil {
			left++
			continue
		}
		changed, call = true, rest
	}
	if left > 0 || !s.restIsKnown(decl) {
		return changed
	}
	if s.last != nil && self == s.last.Arg(0) {
		s.takeLast()
		return true
	}
	return s.callDirectly(call, class) || changed
}

// like returns the class, or its metatype when t is one.
func (s *speculation) like(t, class *ir.Type) *ir.Type {
	if t.Kind == ir.KindMetatype {
		return s.mod.Types.Metatype(class, t.Rep)
	}
	return class
}

// subclasses lists the subclasses of a class, direct ones first. Of a generic class they are those of that instance of it, and generic ones.
func (s *speculation) subclasses(class *ir.Type, decl *ir.Nominal) []*ir.Nominal {
	h := s.c.ClassHierarchy()
	list := append(slices.Clone(h.Direct[decl]), h.Indirect(decl)...)
	if len(class.AllArgs()) == 0 {
		return list
	}
	return slices.DeleteFunc(list, func(sub *ir.Nominal) bool {
		return sub.Generic == nil && !s.mod.Inherits(s.mod.SelfType(sub), class)
	})
}

// restIsKnown reports whether objects of the class and of those of its subclasses that need no question of their own all run the same function:
// nobody else can derive from the class, and no subclass of a subclass has another implementation than the one that the call names.
func (s *speculation) restIsKnown(decl *ir.Nominal) bool {
	if decl.Attrs.Has(ir.ModFinal) {
		return true
	}
	if !s.isLocal(decl) {
		return false
	}
	ref := s.method.Aux.(*ir.MethodAux).Ref
	declares := s.mod.VTable(ref.Owner())
	if declares == nil {
		return false
	}
	for _, sub := range s.c.ClassHierarchy().Indirect(decl) {
		table := s.vtable(s.mod.SelfType(sub))
		if table == nil || methodIn(table, ref, ir.DeclType{}) != methodIn(declares, ref, ir.DeclType{}) {
			return false
		}
	}
	return true
}

// callDirectly makes the call one of the method that the class has.
func (s *speculation) callDirectly(call *ir.Inst, class *ir.Type) bool {
	to := s.target(call, class)
	if to == nil {
		return false
	}
	s.redirect(call, to, true)
	s.c.Passed(s.f, call, "calls @%s directly", to.fn.Name)
	(&rewrite.Eraser{}).EraseIfDead(s.method.Result())
	return true
}

// target finds the method of the class for the call, nil when the call cannot be made one of it.
func (s *speculation) target(call *ir.Inst, class *ir.Type) *target {
	to := s.entry(class, s.method.Aux.(*ir.MethodAux), call)
	if to == nil || to.fn.Type.Func == nil || !s.canRedirect(call, to) {
		return nil
	}
	return to
}

// ask puts a question for the exact type t, of an object or a metatype, before the call. It returns the call for all others, nil when it
// did nothing.
func (s *speculation) ask(call *ir.Inst, t *ir.Type) *ir.Inst {
	to := s.target(call, instanceType(t))
	if to == nil {
		s.c.Missed(s.f, call, "cannot call the method of $%s directly", t)
		return nil
	}
	self := s.method.Arg(0)
	entry := call.Block()
	same, other := s.f.AddBlock(""), s.f.AddBlock("")
	rest := s.f.SplitBefore(call)
	v := same.AddArg(t)
	s.last = &ir.Inst{Op: op.CheckedCastBr, Quals: op.QualsOf(op.QualExact), Types: []*ir.Type{self.Type, t}, Succs: []ir.Edge{{To: same}, {To: other}}, Loc: call.Loc, Scope: call.Scope}
	if t.Kind != ir.KindMetatype {
		s.last.Forwarding = ir.OwnershipOwned
	}
	ir.AtEnd(s.mod, entry).Emit(s.last, self)
	direct, virtual := s.copyCall(call, same, rest), s.copyCall(call, other, rest)
	s.moveRelease(call, direct, virtual, v)
	s.join(call, direct, virtual, rest)
	direct.Operands[len(direct.Operands)-1].Set(v)
	s.redirect(direct, to, true)
	s.preds = nil // the edges are others now
	s.c.Passed(s.f, virtual, "calls @%s for exact $%s", to.fn.Name, t)
	return virtual
}

// copyCall puts a copy of the call at the end of a block. Edges of a try_apply, of the copy and of the call, get blocks of their own after
// the block of the call.
func (s *speculation) copyCall(call *ir.Inst, to, rest *ir.Block) *ir.Inst {
	again := rewrite.NewCloner(s.mod).Inst(call)
	to.Append(again)
	for n := range call.Succs {
		again.Succs[n].To = s.blockBefore(call, n, rest)
		call.Succs[n].To = s.blockBefore(call, n, rest)
	}
	return again
}

// blockBefore makes a block after at that goes where edge n of the call does.
func (s *speculation) blockBefore(call *ir.Inst, n int, at *ir.Block) *ir.Block {
	to := call.Succs[n].To
	b := s.f.InsertBlockAfter(at)
	var args []*ir.Value
	for _, a := range to.Args {
		args = append(args, b.AddArg(a.Type))
	}
	ir.AtEnd(s.mod, b).Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: to, N: len(args)}}, Loc: call.Loc, Scope: call.Scope}, args...)
	return b
}

// moveRelease lets a release of the object directly after the call follow each copy of it.
func (s *speculation) moveRelease(call, direct, virtual *ir.Inst, v *ir.Value) {
	release := call.Next()
	if release == nil || release.Op != op.StrongRelease || release.Arg(0) != s.method.Arg(0) {
		return
	}
	after := func(copied *ir.Inst, v *ir.Value) {
		again := rewrite.NewCloner(s.mod).Inst(release)
		copied.Block().Append(again)
		again.Operands[0].Set(v)
	}
	after(direct, v)
	after(virtual, release.Arg(0))
	release.Remove()
}

// join lets what follows the call go on with the results of the copies, and removes the call.
func (s *speculation) join(call, direct, virtual *ir.Inst, rest *ir.Block) {
	if call.Op == op.TryApply {
		s.f.RemoveBlock(rest)
		for n := range virtual.Succs {
			ir.SplitEdge(virtual, n)
		}
		return
	}
	result := rest.AddArg(call.Results[0].Type)
	for _, copied := range []*ir.Inst{direct, virtual} {
		b := &ir.Builder{Module: s.mod, Block: copied.Block(), Loc: call.Loc, Scope: call.Scope}
		if isNever(result.Type) {
			rewrite.Emit(b, op.Unreachable)
			continue
		}
		b.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: rest, N: 1}}}, copied.Results[0])
	}
	call.ReplaceWith(result)
}

// takeLast lets the question that was put last be answered with yes.
func (s *speculation) takeLast() {
	t, b := s.last.Types[1], ir.At(s.mod, s.last)
	cast := op.UncheckedRefCast
	if t.Kind == ir.KindMetatype {
		cast = op.UncheckedTrivialBitCast
	}
	v := b.Emit(&ir.Inst{Op: cast, Types: []*ir.Type{t}}, s.last.Arg(0)).Result()
	rewrite.BranchTo(s.mod, s.last, s.last.Succs[0].To, v)
}
