package ossa

import (
	"strings"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// LetPropertyLowering says of which accesses to let properties of objects that nothing writes the property any more:
//
//	%1 = mark_uninitialized [rootself] %0 : $C            %1 = mark_uninitialized [rootself] %0 : $C
//	%2 = ref_element_addr %1 : $C, #C.a                   %2 = ref_element_addr %1 : $C, #C.a
//	store %v to [init] %2                             ⇒   store %v to [init] %2
//	%4 = ref_element_addr %1 : $C, #C.a                   %3 = end_init_let_ref %1 : $C
//	%5 = load %4                                          %4 = ref_element_addr [immutable] %3 : $C, #C.a
//
// In an initializer of a root class that begins where all let properties have their values, elsewhere everywhere but in the deinit.
// Source: SwiftCompilerSources/Sources/Optimizer/FunctionPasses/LetPropertyLowering.swift.
var LetPropertyLowering = &pass.Pass{
	Name:        "let-property-lowering",
	Doc:         "Says of which accesses to let properties that nothing writes the property any more",
	Unoptimized: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		if isDeinit(f) {
			return false
		}
		l := &letLowering{Editor: rewrite.NewEditor(c, f)}
		changed := false
		for _, b := range f.Blocks {
			for _, i := range b.InstList() {
				switch {
				case i.Op == op.MarkUninitialized && i.Has(op.QualRootself) && l.isClass(i.Result().Type):
					l.endInit(i)
					changed = true
				case i.Op == op.RefElementAddr && l.FieldIsLet(i) && !i.Has(op.QualImmutable) && !inInitializer(i.Arg(0)) && l.isClass(i.Arg(0).Type):
					c.Passed(f, i, "the property keeps its value")
					i.Quals = i.Quals.With(op.QualImmutable)
					changed = true
				}
			}
		}
		return changed
	},
}

type letLowering struct{ *rewrite.Editor }

// isDeinit reports whether a function is the deinit of a class, where let properties end.
func isDeinit(f *ir.Function) bool {
	return strings.HasSuffix(f.Name, "fD") || strings.HasSuffix(f.Name, "fd") || strings.HasSuffix(f.Name, "fZ")
}

func (l *letLowering) isClass(t *ir.Type) bool {
	return !t.IsAddress() && l.Context.Program(l.Func).IsClass(t) && !facts.IsMoveOnly(l.Context.Module, t)
}

// inInitializer reports whether an object is one that is being initialized, before the end of that is said.
func inInitializer(v *ir.Value) bool {
	for v.Inst() != nil {
		switch i := v.Inst(); i.Op {
		case op.BeginBorrow, op.LoadBorrow:
			v = i.Arg(0)
		default:
			return i.Op == op.MarkUninitialized
		}
	}
	return false
}

// endInit puts an end_init_let_ref where the last let property is written, and its result in the place of the object after that.
func (l *letLowering) endInit(mark *ir.Inst) {
	l.Context.Passed(l.Func, mark, "said where the let properties have their values")
	r := newInitRegion(l.Editor, mark)
	l.fill(r)
	u := rewrite.NewSSAUpdater(cfg.NewPredecessors(l.Func), mark.Result().Type, ir.OwnershipOwned)
	u.Defs[mark.Block()] = mark.Result()
	var uses []*ir.Operand
	for _, x := range mark.Result().UseList() {
		if !r.contains(x.User(), true) {
			uses = append(uses, x)
		}
	}
	end := func(b *ir.Builder) {
		v := rewrite.Emit(b, op.EndInitLetRef, mark.Result()).Result()
		u.Defs[b.Block] = v
	}
	for _, i := range r.ends() {
		end(l.After(i))
	}
	for _, b := range r.exits() {
		end(l.Before(b.First()))
	}
	for _, x := range uses {
		x.Set(u.AtEnd(x.User().Block()))
	}
}

// fill enters what writes let properties of the object, or takes them back when the initializer fails, and whole borrow scopes.
func (l *letLowering) fill(r *initRegion) {
	object := r.begin.Result()
	r.insert(r.begin)
	var borrows []*ir.Inst
	for i := range l.Func.Insts() {
		switch i.Op {
		case op.Assign, op.Store, op.CopyAddr:
			if l.isLetOf(i.Arg(1), object) {
				r.insert(i)
			}
		case op.BeginAccess:
			if facts.AccessKindOf(i) == facts.AccessKind(op.QualDeinit) && l.isLetOf(i.Arg(0), object) {
				r.insert(i)
			}
		case op.BeginBorrow, op.StoreBorrow:
			if comesFrom(i.Arg(0), object) {
				borrows = append(borrows, i)
			}
		}
	}
	for _, i := range borrows {
		if r.contains(i, false) {
			l.Ownership().BorrowEnds(i.Result(), r.insert)
		}
	}
}

// isLetOf reports whether an address is in a let property of the object.
func (l *letLowering) isLetOf(address, object *ir.Value) bool {
	for address.Inst() != nil {
		switch i := address.Inst(); i.Op {
		case op.StructElementAddr, op.TupleElementAddr, op.BeginAccess, op.MarkUninitialized:
			address = i.Arg(0)
		default:
			return i.Op == op.RefElementAddr && l.FieldIsLet(i) && comesFrom(i.Arg(0), object)
		}
	}
	return false
}

// comesFrom reports whether a value is the object, a borrow, copy or cast of it.
func comesFrom(v, object *ir.Value) bool {
	for v != object {
		i := v.Inst()
		if i == nil || len(i.Operands) == 0 {
			return false
		}
		switch i.Op {
		case op.BeginBorrow, op.CopyValue, op.MoveValue:
		default:
			if !ownership.IsForwarding(i) || len(i.Operands) != 1 {
				return false
			}
		}
		v = i.Arg(0)
	}
	return true
}

// initRegion is what lies between an instruction and others that come after it.
type initRegion struct {
	*rewrite.Editor
	preds *cfg.Predecessors
	begin *ir.Inst
	has   map[*ir.Inst]bool
	block map[*ir.Block]bool // with an inserted instruction
	to    map[*ir.Block]bool // from whose end an inserted instruction is reached
}

func newInitRegion(e *rewrite.Editor, begin *ir.Inst) *initRegion {
	return &initRegion{Editor: e, preds: cfg.NewPredecessors(e.Func), begin: begin, has: map[*ir.Inst]bool{}, block: map[*ir.Block]bool{}, to: map[*ir.Block]bool{}}
}

func (r *initRegion) insert(i *ir.Inst) {
	r.has[i] = true
	b := i.Block()
	if r.block[b] {
		return
	}
	r.block[b] = true
	if b == r.begin.Block() {
		return
	}
	work := worklist.Of(b)
	for b := range work.All() {
		for _, p := range r.preds.Of(b) {
			r.to[p] = true
			if p != r.begin.Block() {
				work.Push(p)
			}
		}
	}
}

// contains reports whether an instruction is in the region. inclusive counts the last instructions of the region to it.
func (r *initRegion) contains(i *ir.Inst, inclusive bool) bool {
	b := i.Block()
	if !r.block[b] && !r.to[b] {
		return false
	}
	home := r.begin.Block()
	if r.to[b] && b != home {
		return true
	}
	if b == home && i != r.begin && !r.begin.IsBefore(i) {
		return false
	}
	if r.to[b] || inclusive && r.has[i] {
		return true
	}
	for n := i.Next(); n != nil; n = n.Next() {
		if r.has[n] {
			return true
		}
	}
	return false
}

// ends lists the last inserted instructions of the blocks that lead to no other one.
func (r *initRegion) ends() (list []*ir.Inst) {
	for _, b := range r.Func.Blocks {
		if !r.block[b] || r.to[b] {
			continue
		}
		for i := range b.Backward() {
			if r.has[i] {
				list = append(list, i)
				break
			}
		}
	}
	return list
}

// exits lists the blocks by which a path leaves the region.
func (r *initRegion) exits() (list []*ir.Block) {
	seen := map[*ir.Block]bool{}
	for _, b := range r.Func.Blocks {
		if !r.to[b] {
			continue
		}
		for _, e := range b.Last().Succs {
			if !r.to[e.To] && !r.block[e.To] && !seen[e.To] {
				seen[e.To] = true
				list = append(list, e.To)
			}
		}
	}
	return list
}
