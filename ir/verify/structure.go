// Package verify checks that SIL is well formed: what the loader cannot see while it reads one instruction at a time.
//
// It gathers everything that is wrong, in source order, each with a stable code, and tolerates what it complains about: no
// input makes it panic. It changes nothing. Read structure.go first.
package verify

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/source"
)

// Module checks all functions whose bodies are there and adds what is wrong to diags.
func Module(mod *ir.Module, diags *source.List) {
	types := facts.NewTypes(mod)
	for _, f := range mod.Functions() {
		if len(f.Blocks) > 0 {
			function(mod, types, f, mod.Stage, true, diags)
		}
	}
	tables(mod, diags)
	linkages(mod, diags)
	initializers(mod, diags)
	variables(mod, diags)
	unknownTypes(mod, diags)
	for _, d := range diags.All() {
		d.Msg = ir.PlainName(d.Msg) // types are told apart by numbers that nobody wrote
	}
}

// Function checks one function of a module in the given stage.
func Function(f *ir.Function, stage ir.Stage, diags *source.List) {
	mod := f.Module
	if mod == nil {
		mod = ir.NewModule(ir.NewTypes(), nil)
	}
	function(mod, facts.NewTypes(mod), f, stage, false, diags)
}

// function checks one function. What a later check relies on is checked before it: blocks, then dominance, then ownership only if nothing else
// was wrong.
func function(mod *ir.Module, types *facts.Types, f *ir.Function, stage ir.Stage, isRead bool, diags *source.List) {
	if stage == ir.StageUnstated {
		stage = ir.StageRaw // as the compiler takes it
	}
	c := &checker{mod: mod, types: types.In(f), f: f, stage: stage, isRead: isRead, ossa: f.IsOSSA(), diags: diags, order: map[*ir.Inst]int{}}
	before := diags.Errors()
	if !c.blocks() {
		return
	}
	c.entry()
	c.argumentForm()
	c.epilogues()
	c.dom = cfg.NewDominators(f)
	if !c.definitions() {
		if v := c.circular(); v != nil { // what follows values to where they come from would not end there
			if diags.Errors() == before {
				diags.InstErrorf(v.Inst().Pos, "dominance", "%s is computed from itself", v)
			}
			return
		}
	}
	c.joins()
	c.balance()
	c.immutable()
	c.archetypes()
	for i := range f.Insts() {
		c.inst(i)
	}
	// sil.verify_none is for text that breaks the rules on purpose, as far as it can be run
	if c.ossa && diags.Errors() == before && !facts.HasSemantics(f, ir.SemanticsVerifyNone) {
		o := newOwner(c)
		o.borrowedFrom()
		o.unownedResults()
		o.nonescaping()
		o.ownership()
		o.handsOn()
		o.loadBorrows()
		o.nestedLoans()
		o.memory()
	}
}

type checker struct {
	mod    *ir.Module
	types  *facts.Types
	f      *ir.Function
	stage  ir.Stage
	isRead bool // the module is as it was read, no pass has changed it
	ossa   bool
	diags  *source.List
	dom    *cfg.Dominators
	order  map[*ir.Inst]int // position in its block
	dead   []bool           // see deadEnds; nil until asked for
}

// deadEnds says by Block.Index from which blocks no path leads out of the function.
func (c *checker) deadEnds() []bool {
	if c.dead == nil {
		c.dead = cfg.DeadEnds(c.f)
	}
	return c.dead
}

// blocks checks that each block ends in its only terminator; without that nothing else can be said.
func (c *checker) blocks() bool {
	ok := true
	for _, b := range c.f.Blocks {
		last := b.Last()
		if last == nil {
			c.diags.Errorf(c.f.Pos, "no-terminator", "block %s of @%s is empty", b.Name, c.f.Name)
			ok = false
			continue
		}
		n := 0
		for i := range b.Insts() {
			c.order[i] = n
			n++
			switch term := i.Row().IsTerminator(); {
			case i == last && !term && i.Op != op.Invalid:
				c.diags.InstErrorf(i.Pos, "no-terminator", "block %s ends in %s, which is no terminator", b.Name, i.Op)
				ok = false
			case i != last && term:
				c.diags.InstErrorf(i.Pos, "terminator-inside", "%s stands before the end of block %s", i.Op, b.Name)
				ok = false
			}
		}
	}
	return ok
}

// entry checks that the entry block takes the function's parameters and that nothing branches to it.
func (c *checker) entry() {
	entry := c.f.Entry()
	for _, b := range c.f.Blocks {
		for _, e := range b.Last().Succs {
			if e.To == entry {
				c.diags.InstErrorf(b.Last().Pos, "entry-block", "%s branches to the entry block of @%s", b.Last().Op, c.f.Name)
			}
		}
	}
	if c.f.Type == nil || c.f.Type.Func == nil {
		return
	}
	want := len(c.f.Type.Func.Params) + facts.IndirectResults(c.f.Type.Func)
	if got := len(entry.Args); got != want {
		c.diags.Errorf(c.f.Pos, "entry-block", "the entry block of @%s takes %d arguments, its type has %d", c.f.Name, got, want)
		return
	}
	c.parameters()
}

// joins checks the blocks that take arguments and the edges between blocks: only branches pass arguments along several
// edges, addresses are never passed, and in ownership form no edge is critical (docs/SIL.rst, Basic Blocks).
func (c *checker) joins() {
	preds := cfg.NewPredecessors(c.f)
	for _, b := range c.f.Blocks {
		edges := preds.Edges(b)
		for _, e := range edges {
			if c.ossa && len(edges) > 1 && len(e.Term.Succs) > 1 {
				c.diags.InstErrorf(e.Term.Pos, "critical-edge", "the edge to %s is critical, which ownership form does not allow", b.Name)
			}
		}
		if len(b.Args) > 0 && b != c.f.Entry() {
			c.arguments(b, edges)
		}
	}
}

// arguments checks the arguments of a block against the terminators that lead to it.
func (c *checker) arguments(b *ir.Block, preds []cfg.InEdge) {
	branches := 0
	for _, e := range preds {
		switch t := e.Term; {
		case t.Op == op.Br, t.Op == op.CondBr && !c.ossa:
			branches++
		case t.Op == op.CondBr:
			c.diags.InstErrorf(t.Pos, "block-argument", "%s passes arguments to %s, which in ownership form only br may do", t.Op, b.Name)
		case len(preds) > 1:
			c.diags.InstErrorf(t.Pos, "block-argument", "%s leads to %s, which takes arguments and has other predecessors", t.Op, b.Name)
		}
	}
	if branches == 0 {
		return
	}
	for _, a := range b.Args {
		if a.Type != nil && a.Type.IsAddress() {
			c.diags.InstErrorf(preds[0].Term.Pos, "block-argument", "%s passes the address %s to %s", preds[0].Term.Op, a, b.Name)
		}
	}
}

func (c *checker) inst(i *ir.Inst) {
	c.stageOf(i)
	c.edges(i)
	c.operands(i)
	c.results(i)
}

// definitions checks that values are there where they are used. It reports whether all are, and control reaches all blocks.
func (c *checker) definitions() bool {
	fine := true
	for _, b := range c.f.Blocks {
		fine = fine && c.dom.IsReachable(b)
		for i := range b.Insts() {
			for n := range i.Operands {
				v := i.Arg(n)
				if v == nil || v.Block() == nil {
					continue // undef, or reported by the loader
				}
				if !c.defined(v, i) {
					fine = false
					c.diags.InstErrorf(i.Pos, "dominance", "%s uses a value that is not defined on every way to it", i.Op).
						Note(definition(v), "defined here")
				}
			}
		}
	}
	return fine
}

// circular finds a value that is computed from itself, which takes a use before the definition, or blocks that control never reaches.
// It is nil when there is none.
func (c *checker) circular() *ir.Value {
	const (
		open = iota + 1
		done
	)
	state := map[*ir.Inst]uint8{}
	type frame struct {
		i *ir.Inst
		n int
	}
	for i := range c.f.Insts() {
		if state[i] != 0 {
			continue
		}
		state[i] = open
		for work := []frame{{i, 0}}; len(work) > 0; {
			top := &work[len(work)-1]
			if top.n == len(top.i.Operands) {
				state[top.i] = done
				work = work[:len(work)-1]
				continue
			}
			v := top.i.Arg(top.n)
			top.n++
			if v == nil || v.Inst() == nil {
				continue
			}
			switch d := v.Inst(); state[d] {
			case open:
				return v
			case 0:
				state[d] = open
				work = append(work, frame{d, 0})
			}
		}
	}
	return nil
}

// definition returns the place where a value is made, 0 for block arguments.
func definition(v *ir.Value) source.Pos {
	if i := v.Inst(); i != nil {
		return i.Pos
	}
	return 0
}

// defined reports whether the value is there whenever the instruction runs.
func (c *checker) defined(v *ir.Value, at *ir.Inst) bool {
	def, use := v.Block(), at.Block()
	if def.Func != c.f {
		return false
	}
	if def != use {
		return c.dom.Dominates(def, use)
	}
	return v.IsArg() || c.order[v.Inst()] < c.order[at]
}

// stageOf checks that the instruction may be in this stage and form of function.
func (c *checker) stageOf(i *ir.Inst) {
	switch s := i.Row().Stage; {
	case s.IsOSSAOnly() && !c.ossa:
		c.diags.InstErrorf(i.Pos, "ownership-missing", "%s may stand in [ossa] functions only", i.Op)
	case s == op.StageNonOSSA && c.ossa:
		c.diags.InstErrorf(i.Pos, "ownership-forbidden", "%s may not stand in an [ossa] function", i.Op)
	case (s == op.StageRaw || s == op.StageRawOSSA) && c.stage != ir.StageRaw:
		c.diags.InstErrorf(i.Pos, "stage-only", "%s may stand in raw SIL only", i.Op)
	case s == op.StageLowered && c.stage != ir.StageLowered:
		c.diags.InstErrorf(i.Pos, "stage-only", "%s may stand in lowered SIL only", i.Op)
	}
}

// edges checks the arguments that a terminator passes itself.
func (c *checker) edges(i *ir.Inst) {
	if i.Op != op.Br && i.Op != op.CondBr {
		return
	}
	for n, e := range i.Succs {
		if e.To == nil {
			continue
		}
		if e.To.Func != c.f {
			c.diags.InstErrorf(i.Pos, "unknown-block", "%s goes to a block of another function", i.Op)
			continue
		}
		args := i.EdgeArgs(n)
		if len(args) != len(e.To.Args) {
			c.diags.InstErrorf(i.Pos, "argument-count", "%s passes %d arguments to %s, which takes %d", i.Op, len(args), e.To.Name, len(e.To.Args))
			continue
		}
		for k := range args {
			if v := args[k].Value(); v != nil && v.Type != e.To.Args[k].Type {
				c.diags.InstErrorf(i.Pos, "operand-type", "argument %d of %s has type $%s, %s takes $%s", k, i.Op, v.Type, e.To.Name, e.To.Args[k].Type)
			}
		}
	}
}
