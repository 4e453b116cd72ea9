package memory

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// RedundantLoadElimination replaces a load by the value that is known to be in memory there: that of a store or load on each path, with
// no write in between.
//
//	store %1 to %addr           store %1 to %addr
//	…                           …
//	%2 = load %addr             // %1 in place of %2
//
// When only a part is known, the load is split into loads of the fields. In ownership form a load [take] moves the end of the lifetime in
// memory up to the store or load, and no copy comes in that was not there.
var RedundantLoadElimination = &pass.Pass{
	Name:     "redundant-load-elimination",
	Doc:      "Replaces loads by values that are known to be in memory",
	Needs:    [][]op.Op{{op.Load}},
	Function: func(c *pass.Context, f *ir.Function) bool { return eliminateLoads(c, f, false) },
}

// EarlyRedundantLoadElimination leaves loads of arrays alone, for the passes that know arrays.
var EarlyRedundantLoadElimination = &pass.Pass{
	Name:     "early-redundant-load-elimination",
	Doc:      "Replaces loads by values that are known to be in memory, those of arrays apart",
	Needs:    [][]op.Op{{op.Load}},
	Function: func(c *pass.Context, f *ir.Function) bool { return eliminateLoads(c, f, true) },
}

// maxLoadScan bounds the instructions looked at for one function.
const maxLoadScan = 50000

func eliminateLoads(c *pass.Context, f *ir.Function, spareArrays bool) bool {
	e := &loadEliminator{c: c, f: f, p: c.Program(f), e: rewrite.NewEditor(c, f), budget: maxLoadScan, paths: map[*ir.Value]facts.AccessPath{}}
	e.dead = append([]bool(nil), c.DeadEnds(f)...)
	for n := len(f.Blocks) - 1; n >= 0; n-- {
		for i := f.Blocks[n].Last(); i != nil; {
			at := i
			if i.Op == op.Load && !(spareArrays && i.Result().Type.Known() == ir.KnownArray) {
				at = e.try(i)
			}
			if at == nil {
				i = f.Blocks[n].Last()
				continue
			}
			i = at.Prev()
		}
	}
	return e.changed
}

type loadEliminator struct {
	c       *pass.Context
	f       *ir.Function
	p       *facts.Program
	e       *rewrite.Editor
	budget  int
	dead    []bool
	changed bool
	paths   map[*ir.Value]facts.AccessPath
}

func (e *loadEliminator) path(address *ir.Value) facts.AccessPath {
	a, ok := e.paths[address]
	if !ok {
		a = e.p.AccessPath(address, 0)
		e.paths[address] = a
	}
	return a
}

// try replaces or splits a load. It returns the instruction before which the search goes on, nil for the end of the block.
func (e *loadEliminator) try(load *ir.Inst) *ir.Inst {
	block, next := load.Block(), load.Next()
	found, partial := e.isRedundant(load, e.path(load.Arg(0)))
	switch {
	case found != nil:
		e.replace(load, found)
	case partial != nil:
		if values, _ := e.isRedundant(load, *partial); values == nil || rewrite.SplitLoad(e.e, load) == nil {
			return load
		}
		e.c.Passed(e.f, load, "split a load of which a part is known")
	default:
		e.c.Missed(e.f, load, "kept load: the value in memory is not known on all paths")
		return load
	}
	e.changed = true
	e.paths = map[*ir.Value]facts.AccessPath{}
	if next == nil || next.Block() != block {
		return nil
	}
	return next
}

// loadScan is the search for the values of one load.
type loadScan struct {
	load    *ir.Inst
	path    facts.AccessPath
	home    *ir.Block // where the object is defined whose memory is read, nil when there is none
	partial *facts.AccessPath
	found   []*ir.Inst // loads and stores
}

type scanResult uint8

const (
	scanOn    scanResult = iota // nothing found yet
	scanFound                   // a value for this path
	scanLost                    // overwritten
)

// isRedundant looks for the loads and stores that the value at the path comes from; partial is a part of it that is known, nil when none is.
func (e *loadEliminator) isRedundant(load *ir.Inst, path facts.AccessPath) (found []*ir.Inst, partial *facts.AccessPath) {
	s := &loadScan{load: load, path: path}
	if r := path.Reference(); r != nil {
		s.home = facts.ReferenceRoot(r).Block()
	}
	switch e.scan(s, load.Block(), load.Prev()) {
	case scanLost:
		return nil, s.partial
	case scanFound:
		return s.found, nil
	}
	work, begins := worklist.Of[*ir.Block](), map[*ir.Block]bool{}
	var inside []*ir.Block
	push := func(b *ir.Block) {
		preds := e.p.Predecessors(b)
		inside = append(inside, preds...)
		work.Push(preds...)
	}
	push(load.Block())
	for b := range work.All() {
		switch e.scan(s, b, b.Last()) {
		case scanLost:
			return nil, s.partial
		case scanFound:
			begins[b] = true
		default:
			push(b)
		}
	}
	if len(s.found) == 0 {
		return nil, s.partial
	}
	if load.Has(op.QualCopy) || load.Has(op.QualTake) {
		if e.isDead(load.Block()) {
			return nil, s.partial
		}
		for _, b := range inside {
			for _, to := range rewrite.Successors(b) {
				if to != load.Block() && (!work.Has(to) || begins[to]) && !e.isDead(to) {
					return nil, s.partial
				}
			}
		}
	}
	return s.found, nil
}

func (e *loadEliminator) isDead(b *ir.Block) bool { return b.Index < len(e.dead) && e.dead[b.Index] }

// scan goes from an instruction to the start of its block.
func (e *loadEliminator) scan(s *loadScan, b *ir.Block, i *ir.Inst) scanResult {
	for ; i != nil; i = i.Prev() {
		if e.budget--; e.budget <= 0 {
			return scanLost
		}
		if r := e.visit(s, i); r != scanOn {
			return r
		}
	}
	if s.home == b || len(e.p.Predecessors(b)) == 0 {
		return scanLost // in a loop the object would be another one
	}
	return scanOn
}

func (e *loadEliminator) visit(s *loadScan, i *ir.Inst) scanResult {
	switch i.Op {
	case op.FixLifetime, op.EndAccess, op.BeginBorrow, op.EndBorrow:
		return scanOn
	case op.Load:
		if i == s.load {
			return scanFound // around a loop
		}
		if e.take(s, i, i.Arg(0)) {
			return scanFound
		}
		if !s.load.Has(op.QualTake) {
			return scanOn
		}
	case op.Store:
		if i.Arg(0).IsUndef() {
			return scanLost
		}
		if e.take(s, i, i.Arg(1)) {
			return scanFound
		}
	}
	if s.load.Has(op.QualTake) && e.p.MayReadFrom(i, s.load.Arg(0)) || e.p.MayWriteTo(i, s.load.Arg(0)) {
		return scanLost
	}
	return scanOn
}

// take notes a load or store that has the value, or a part of it.
func (e *loadEliminator) take(s *loadScan, i *ir.Inst, address *ir.Value) bool {
	a := e.path(address)
	if rest, ok := e.p.Contains(a, s.path); ok && rewrite.CanProject(e.p, address.Type, rest) {
		s.found = append(s.found, i)
		return true
	}
	if s.partial == nil {
		if rest, ok := e.p.Contains(s.path, a); ok && rewrite.CanProject(e.p, s.load.Arg(0).Type, rest) {
			s.partial = &a
		}
	}
	return false
}

// replace puts the values that were found in the place of the load.
func (e *loadEliminator) replace(load *ir.Inst, found []*ir.Inst) {
	own := ir.OwnershipUnspecified
	if e.e.OSSA && !load.Has(op.QualTrivial) {
		own = ir.OwnershipOwned
	}
	target := e.path(load.Arg(0))
	if len(found) == 1 && ownership.ComesAfter(found[0], load) {
		e.c.Passed(e.f, load, "replaced a load by the value of a %s", found[0].Op)
		v := e.provide(load, found[0], target)
		load.ReplaceWith(v)
		return
	}
	u := rewrite.NewSSAUpdater(cfg.NewPredecessors(e.f), load.Result().Type, own)
	for _, i := range found {
		b := i.Block()
		u.Defs[b] = e.provide(load, i, target)
	}
	var v *ir.Value
	if len(found) == 1 {
		v = u.AtEnd(load.Block())
		e.c.Passed(e.f, load, "replaced a load by the value of a %s in another block", found[0].Op)
	} else {
		v = u.AtStart(load.Block())
		e.c.Passed(e.f, load, "replaced a load by the values of %d loads and stores", len(found))
	}
	load.ReplaceWith(v)
}

// provide returns the value that a load or store has for the path of the load.
func (e *loadEliminator) provide(load, from *ir.Inst, target facts.AccessPath) *ir.Value {
	v, address := from.Result(), from.Arg(0)
	b := e.e.After
	if from.Op == op.Store {
		v, address = from.Arg(0), from.Arg(1)
		b = e.e.Before
	}
	rest, _ := e.p.Contains(e.path(address), target)
	switch {
	case !e.e.OSSA:
		return rewrite.Project(e.e, b(from), v, rest)
	case !load.Has(op.QualTake):
		return rewrite.ProjectAndCopy(e.e, b(from), v, rest)
	case rest == 0:
		return e.shrink(from, v)
	}
	after := e.e.After(from)
	part := rewrite.ProjectAddress(e.e, after, address, rest)
	taken := e.e.Load(after, part, op.QualTake)
	if from.Op == op.Store {
		rewrite.SplitStore(e.e, from)
	} else {
		rewrite.SplitLoad(e.e, from)
	}
	return taken
}

// shrink ends the lifetime in memory at the load or store already: what it had goes to the load [take].
func (e *loadEliminator) shrink(from *ir.Inst, v *ir.Value) *ir.Value {
	if from.Op == op.Load {
		rewrite.SetQual(from, op.QualCopy, op.QualTake)
		return rewrite.Emit(e.e.After(from), op.CopyValue, v).Result()
	}
	if from.Has(op.QualAssign) {
		rewrite.Emit(e.e.After(from), op.DestroyAddr, from.Arg(1))
	}
	e.e.SalvageStore(from)
	from.Remove()
	return v
}
