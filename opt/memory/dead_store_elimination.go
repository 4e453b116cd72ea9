package memory

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// DeadStoreElimination removes a store of which nobody reads the value before it is overwritten or the memory goes away:
//
//	store %1 to %addr           …
//	…   // no reads             store %2 to %addr
//	store %2 to %addr
//
// When only a part is overwritten the store is split. In ownership form only stores of trivial values go: another store keeps its value
// alive.
var DeadStoreElimination = &pass.Pass{
	Name:  "dead-store-elimination",
	Doc:   "Removes stores of which nobody reads the value",
	Needs: [][]op.Op{{op.Store}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		e := &storeEliminator{c: c, f: f, p: c.Program(f), e: rewrite.NewEditor(c, f), budget: maxStoreScan}
		for _, b := range f.Blocks {
			for i := b.First(); i != nil; {
				if i.Op == op.Store {
					i = e.try(i)
					continue
				}
				i = i.Next()
			}
		}
		return e.changed
	},
}

// maxStoreScan bounds the instructions looked at for one function.
const maxStoreScan = 10000

type storeEliminator struct {
	c       *pass.Context
	f       *ir.Function
	p       *facts.Program
	e       *rewrite.Editor
	budget  int
	changed bool
}

// try removes or splits a store and returns the instruction to go on with.
func (e *storeEliminator) try(store *ir.Inst) *ir.Inst {
	next := store.Next()
	if store.Has(op.QualInit) || store.Has(op.QualAssign) {
		return next
	}
	path := e.p.AccessPath(store.Arg(1), 0)
	dead, partial := e.isDead(store, path)
	switch {
	case dead:
		e.c.Passed(e.f, store, "removed a store that nobody reads")
		e.e.SalvageStore(store)
		store.Remove()
		e.changed = true
	case partial != nil:
		if dead, _ := e.isDead(store, *partial); dead {
			prev, block := store.Prev(), store.Block()
			if rewrite.SplitStore(e.e, store) {
				e.changed = true
				if prev != nil {
					return prev.Next()
				}
				return block.First()
			}
		}
	default:
		e.c.Missed(e.f, store, "kept store: the value may be read")
	}
	return next
}

// isDead reports whether nobody reads the memory at the path after the store; partial is a part of it that is overwritten first.
func (e *storeEliminator) isDead(store *ir.Inst, path facts.AccessPath) (dead bool, partial *facts.AccessPath) {
	s := &storeScan{e: e, path: path, address: store.Arg(1)}
	var home *ir.Block
	if r := path.Reference(); r != nil {
		home = facts.ReferenceRoot(r).Block()
	}
	switch s.scan(store.Next()) {
	case scanFound:
		return true, nil
	case scanLost:
		return false, s.partial
	}
	work := worklist.Of(rewrite.Successors(store.Block())...)
	for b := range work.All() {
		if b == home {
			return false, s.partial
		}
		switch s.scan(b.First()) {
		case scanLost:
			return false, s.partial
		case scanOn:
			work.Push(rewrite.Successors(b)...)
		}
	}
	return true, nil
}

type storeScan struct {
	e       *storeEliminator
	path    facts.AccessPath
	address *ir.Value
	partial *facts.AccessPath
}

// scan goes from an instruction to the end of its block: found means overwritten, lost that it may be read.
func (s *storeScan) scan(i *ir.Inst) scanResult {
	p := s.e.p
	for ; i != nil; i = i.Next() {
		switch i.Op {
		case op.Store:
			a := p.AccessPath(i.Arg(1), 0)
			if _, ok := p.Contains(a, s.path); ok {
				return scanFound
			}
			if s.partial == nil {
				if rest, ok := p.Contains(s.path, a); ok && rewrite.CanProject(p, s.address.Type, rest) {
					s.partial = &a
				}
			}
			continue
		case op.DeallocRef, op.DeallocStackRef, op.DeallocBox:
			if r := s.path.Reference(); r != nil && facts.ReferenceRoot(r) == facts.ReferenceRoot(i.Arg(0)) {
				return scanFound
			}
			continue
		case op.DeallocStack:
			if s.path.Kind == facts.BaseStack && i.Arg(0) == s.path.Base {
				return scanFound
			}
			continue
		case op.FixLifetime, op.EndAccess:
			continue
		case op.Return, op.Throw, op.ThrowAddr, op.Unwind:
			return scanLost
		}
		if s.e.budget--; s.e.budget <= 0 || p.MayReadFrom(i, s.address) {
			return scanLost
		}
	}
	return scanOn
}
