package loops

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// ABCOpts takes out checks of array bounds that were made before, and makes those in a loop once before it:
//
//	apply @check(%i, %a)                   apply @check(%i, %a)
//	…                                 ⇒    …
//	apply @check(%i, %a)
//
//	bb1: br bb2(0)                         bb1: cond_fail 0 >= %n ; apply @check(0, %a) ; apply @check(%n - 1, %a) ; br bb2(0)
//	bb2(%i): apply @check(%i, %a)     ⇒    bb2(%i):
//	     %j = %i + 1                            %j = %i + 1
//	     cond_br %j == %n, bb3, bb2(%j)         cond_br %j == %n, bb3, bb2(%j)
//
// A check from 0 to the count of the array itself is needed nowhere. What may change the number of elements between two checks: calls that
// change the array, calls of unknown functions, stores to where the array is, and releases that may run a deinit that does such a thing.
// An array that is a value, and not in memory, is never changed: whoever changes its storage has it for himself.
//
// A check that is made earlier ends the program earlier. So checks leave a loop only where nothing can be seen of what would have
// happened before: the loop calls nothing but functions of arrays, runs no deinit and fails in no other way.
var ABCOpts = &pass.Pass{Name: "abcopts", Doc: "Removes needless checks of array bounds, and makes those of loops before them", Function: func(c *pass.Context, f *ir.Function) bool {
	return newBoundsChecks(c, f).run()
}}

// BCOpts is what newer compilers call it.
var BCOpts = &pass.Pass{Name: "bcopts", Doc: "The name that newer compilers have for abcopts", Function: ABCOpts.Function}

// maxCheckDepth bounds how deep the dominator tree is followed, as in the compiler.
const maxCheckDepth = 500

// boundsChecks is the pass on one function.
type boundsChecks struct {
	*rewrite.Editor
	p       *facts.Program
	rc      *facts.RCIdentity
	dom     *cfg.Dominators
	loops   *cfg.Loops
	own     map[*ir.Value]bool        // arrays, and places of arrays, whose release does nothing but free memory
	below   map[*ir.Block][]*ir.Block // the blocks right below one in the dominator tree
	changed bool
}

func newBoundsChecks(c *pass.Context, f *ir.Function) *boundsChecks {
	return &boundsChecks{Editor: rewrite.NewEditor(c, f), p: c.Program(f), dom: c.Dominators(f), rc: c.RCIdentity(f), own: map[*ir.Value]bool{}}
}

func (x *boundsChecks) run() bool {
	found := false
	for i := range x.Func.Insts() {
		if _, what := facts.ArrayCall(i); what == facts.ArrayNone || what == facts.ArrayMakes {
			continue
		}
		array, _ := facts.IndexCheck(i)
		found = found || array != nil
		root := x.rc.Root(facts.ArraySelf(i))
		if !x.p.DeinitActs(root.Type.Object()) {
			x.own[root], x.own[placeOfArray(root)] = true, true
		}
	}
	if !found && !x.hasInduction() {
		return false
	}
	for _, b := range x.Func.Blocks {
		x.once(b)
	}
	x.below = map[*ir.Block][]*ir.Block{}
	for _, b := range x.dom.Order {
		if up := x.dom.Idom(b); up != nil && up != b {
			x.below[up] = append(x.below[up], b)
		}
	}
	x.loops = cfg.FindLoops(x.dom)
	if !x.loops.Irreducible {
		for _, l := range x.loops.InnerFirst() {
			x.loop(l)
		}
	}
	return x.changed
}

// hasInduction reports whether there is a number that may count the iterations of a loop.
func (x *boundsChecks) hasInduction() bool {
	for i := range x.Func.Insts() {
		if i.Op == op.Builtin && facts.BuiltinID(i) == op.BuiltinSaddWithOverflow {
			return true
		}
	}
	return false
}

// placeOfArray returns the address that an array is loaded from, or the array that it is a copy of, when it isn't loaded.
func placeOfArray(v *ir.Value) *ir.Value {
	for i := v.Inst(); i != nil; i = v.Inst() {
		switch i.Op {
		case op.CopyValue, op.BeginBorrow, op.MoveValue:
			v = i.Arg(0)
			continue
		case op.Load, op.LoadBorrow:
			return i.Arg(0)
		}
		break
	}
	return v
}

// sizeEffect is what an instruction may do to the number of elements of arrays.
type sizeEffect int

const (
	sizeStays sizeEffect = iota
	sizeOfOne            // of the array at one place
	sizeOfAny            // of all arrays in memory
)

// sizeChange returns what an instruction does to arrays, with the place for sizeOfOne.
func (x *boundsChecks) sizeChange(i *ir.Inst) (sizeEffect, *ir.Value) {
	switch i.Op {
	case op.StrongRetain, op.RetainValue, op.CondFail, op.DeallocStack, op.CopyValue, op.Load, op.LoadBorrow:
		if i.Has(op.QualTake) {
			return sizeOfOne, i.Arg(0)
		}
		return sizeStays, nil
	case op.StrongRelease, op.ReleaseValue, op.DestroyValue:
		if root := x.rc.Root(i.Arg(0)); x.own[root] || x.own[placeOfArray(root)] {
			return sizeStays, nil
		}
		return sizeOfAny, nil
	case op.Store:
		return x.storeChange(i)
	}
	switch _, what := facts.ArrayCall(i); what {
	case facts.ArrayAsks:
		return sizeStays, nil
	case facts.ArrayChanges:
		return sizeOfOne, facts.ArraySelf(i)
	case facts.ArrayMakes:
		return sizeOfAny, nil
	}
	if i.Row().Family == op.FamilyAllocation || !facts.MayHaveSideEffects(i) {
		return sizeStays, nil
	}
	return sizeOfAny, nil
}

// storeChange says what a store does to arrays. What is not itself an array, and destroys nothing, changes none when it is stored to the
// stack or into an element.
func (x *boundsChecks) storeChange(i *ir.Inst) (sizeEffect, *ir.Value) {
	if i.Has(op.QualAssign) || !x.Types.IsTrivial(i.Arg(0).Type) {
		if facts.DefinedBy(i.Arg(1), op.AllocStack) != nil && !i.Has(op.QualAssign) {
			return sizeOfOne, i.Arg(1)
		}
		return sizeOfAny, nil
	}
	if facts.DefinedBy(i.Arg(1), op.AllocStack) != nil || isElementAddress(i.Arg(1)) {
		return sizeStays, nil
	}
	return sizeOfAny, nil
}

// isElementAddress reports whether an address is that of an element of an array, or of a part of one.
func isElementAddress(v *ir.Value) bool {
	for i := v.Inst(); i != nil; i = v.Inst() {
		switch i.Op {
		case op.StructElementAddr, op.TupleElementAddr, op.IndexAddr, op.MarkDependence:
			v = i.Arg(0)
			continue
		case op.PointerToAddress:
			extract := facts.DefinedBy(i.Arg(0), op.StructExtract)
			if extract == nil || extract.Arg(0).Inst() == nil {
				return false
			}
			s, _ := facts.ArrayCall(extract.Arg(0).Inst())
			return s == ir.SemanticsArrayGetElementAddress
		}
		return i.Op == op.RefTailAddr
	}
	return false
}

// checkedIndex is one check: which array, or the place of which, and the index.
type checkedIndex struct {
	array, index *ir.Value
	semantics    ir.Semantics
}

// check returns what an instruction checks; ok is false when it is no check.
func (x *boundsChecks) check(i *ir.Inst) (c checkedIndex, ok bool) {
	array, index := facts.IndexCheck(i)
	if array == nil {
		return c, false
	}
	s, _ := facts.ArrayCall(i)
	return checkedIndex{placeOfArray(array), index, s}, true
}

// once takes out the checks of one block that were made in it before.
func (x *boundsChecks) once(b *ir.Block) {
	made, unsafe := map[checkedIndex]bool{}, map[*ir.Value]bool{}
	for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
		next = i.Next()
		switch what, place := x.sizeChange(i); what {
		case sizeOfAny:
			clear(made)
			continue
		case sizeOfOne:
			unsafe[place] = true
		}
		c, ok := x.check(i)
		switch {
		case !ok, unsafe[c.array]:
		case made[c]:
			x.Context.Passed(x.Func, i, "the index was checked before")
			x.remove(i)
		default:
			made[c] = true
		}
	}
}

// remove takes out a check. What depends on it depends on nothing, and an array that it owned is released.
func (x *boundsChecks) remove(i *ir.Inst) {
	if p := facts.Param(i, len(i.Operands)-1); p.Conv == ir.ParamDirectOwned {
		x.DestroyValue(x.Before(i), facts.ArraySelf(i))
	}
	x.unlinkToken(i)
	i.Remove()
	x.changed = true
}

// unlinkToken makes what uses the result of a check use an empty value: the check is no longer theirs.
func (x *boundsChecks) unlinkToken(i *ir.Inst) {
	if r := i.Result(); r != nil && r.Type.Kind != ir.KindTuple {
		r.ReplaceAllUses(x.Before(i).Emit(&ir.Inst{Op: op.Struct, Types: []*ir.Type{r.Type}}).Result())
	}
}

// checkedLoop is a loop of which the checks are looked at.
type checkedLoop struct {
	*cfg.Loop
	before *ir.Block
	unsafe map[*ir.Value]bool // arrays that it may change
	any    bool               // it may change all arrays in memory
	quiet  bool               // nothing can be seen of it but the failure of its checks
	counts map[*ir.Value]*induction
	ends   []*ir.Block // those that leave the loop, other than to where the program ends
	abrupt bool        // the program may end in it
}

func (l *checkedLoop) isUnsafe(array *ir.Value) bool {
	return l.any && array.Type.IsAddress() || l.unsafe[array]
}

func (x *boundsChecks) loop(of *cfg.Loop) {
	before := rewrite.Preheader(x.dom, of)
	if before == nil || len(of.Latches) != 1 {
		return
	}
	l := &checkedLoop{Loop: of, before: before, unsafe: map[*ir.Value]bool{}, counts: map[*ir.Value]*induction{}, quiet: true}
	for i := range of.Insts() {
		switch what, place := x.sizeChange(i); what {
		case sizeOfAny:
			l.any = true
		case sizeOfOne:
			l.unsafe[place] = true
		}
	}
	dead := x.Context.DeadEnds(x.Func)
	for _, b := range of.Blocks {
		for _, e := range b.Last().Succs {
			switch {
			case of.Has(e.To):
			case dead[e.To.Index]:
				l.abrupt = true
			default:
				l.ends = rewrite.AppendBlock(l.ends, b)
			}
		}
	}
	x.onceIn(l, of.Header, map[checkedIndex]bool{}, 0)
	x.findCounts(l)
	l.quiet = !l.abrupt && x.isQuiet(l)
	x.checkCounts(l)
	x.hoistFrom(l, of.Header, 0)
}

// onceIn takes out the checks of a loop that a block above made in the same iteration.
func (x *boundsChecks) onceIn(l *checkedLoop, b *ir.Block, made map[checkedIndex]bool, depth int) {
	if !l.Has(b) || depth > maxCheckDepth {
		return
	}
	var here []checkedIndex
	for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
		next = i.Next()
		c, ok := x.check(i)
		switch {
		case !ok, l.isUnsafe(c.array):
		case made[c]:
			x.Context.Passed(x.Func, i, "the index was checked before in the same round")
			x.remove(i)
		default:
			made[c] = true
			here = append(here, c)
		}
	}
	for _, child := range x.below[b] {
		x.onceIn(l, child, made, depth+1)
	}
	for _, c := range here {
		delete(made, c)
	}
}
