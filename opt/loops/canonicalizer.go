package loops

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// LoopCanonicalizer gives each loop a preheader, which is its header's only predecessor outside and has no other successor, and a
// single back edge:
//
//	bb0: cond_br %0, bb1, bb2        bb0: cond_br %0, bb3, bb2
//	bb1: … br bb1                    bb3: br bb1
//	bb2: …                           bb1: … br bb1
var LoopCanonicalizer = &pass.Pass{
	Name:     "loop-canonicalizer",
	Doc:      "Gives each loop a preheader and a single back edge",
	Function: func(c *pass.Context, f *ir.Function) bool { return Canonicalize(c, f) },
}

// Canonicalize does so for all loops of a function and reports whether it changed anything.
func Canonicalize(c *pass.Context, f *ir.Function) bool {
	changed := false
	if !c.MayLoop(f) {
		return false
	}
	for range maxCanonicalRounds {
		loops := cfg.FindLoops(c.Dominators(f))
		again := false
		for _, l := range loops.InnerFirst() {
			if canonicalizeLoop(c, f, l) {
				again = true
				break // the loops have to be found anew
			}
		}
		if !again {
			break
		}
		changed = true
	}
	return changed
}

// maxCanonicalRounds bounds how many changes of loops are made to one function.
const maxCanonicalRounds = 1000

// canonicalizeLoop makes the changes that one loop needs and reports whether it made any.
func canonicalizeLoop(c *pass.Context, f *ir.Function, l *cfg.Loop) bool {
	dom := c.Dominators(f)
	changed := false
	var outside []*ir.Block
	for _, p := range dom.Preds[l.Header.Index] {
		if !l.Has(p) {
			outside = rewrite.AppendBlock(outside, p)
		}
	}
	var latches []*ir.Block
	for _, p := range l.Latches {
		latches = rewrite.AppendBlock(latches, p)
	}
	if len(outside) > 0 && l.Header != f.Entry() && (len(outside) > 1 || len(outside[0].Terminator().Succs) != 1) {
		if canRedirect(outside, l.Header) {
			mergeEdges(f, outside, l.Header, false)
			changed = true
		}
	}
	if len(latches) > 1 && canRedirect(latches, l.Header) {
		mergeEdges(f, latches, l.Header, true)
		changed = true
	}
	if changed {
		c.Changed(f)
	}
	return changed
}

// canRedirect reports whether all edges from the blocks to the header can be led to another block.
func canRedirect(from []*ir.Block, header *ir.Block) bool {
	for _, b := range from {
		t := b.Terminator()
		if len(header.Args) > 0 && t.Op != op.Br && t.Op != op.CondBr {
			return false
		}
	}
	return true
}

// mergeEdges leads the edges from the blocks to a header through a new block, which passes on what they pass.
func mergeEdges(f *ir.Function, from []*ir.Block, header *ir.Block, back bool) {
	at := header.Index
	if back {
		at = from[len(from)-1].Index + 1
	}
	b := f.AddBlock("")
	copy(f.Blocks[at+1:], f.Blocks[at:])
	f.Blocks[at] = b
	f.Renumber()
	var args []*ir.Value
	for _, a := range header.Args {
		v := b.AddArg(a.Type)
		v.Ownership = a.Ownership
		args = append(args, v)
	}
	br := &ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: header, N: len(args)}}}
	br.SetOperands(args)
	b.Append(br)
	for _, p := range from {
		t := p.Terminator()
		for n := range t.Succs {
			if t.Succs[n].To == header {
				t.Succs[n].To = b
			}
		}
		br.Loc, br.Scope = t.Loc, t.Scope
	}
}
