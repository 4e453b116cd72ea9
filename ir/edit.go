package ir

import "silvm/ir/op"

// MoveBefore takes the instruction from where it is to the place before at. Operands and results stay.
func (i *Inst) MoveBefore(at *Inst) {
	if i == at {
		return
	}
	i.unlink()
	i.InsertBefore(at)
}

// MoveToEnd takes the instruction from where it is to the end of the block. Operands and results stay.
func (i *Inst) MoveToEnd(b *Block) {
	i.unlink()
	b.Append(i)
}

// unlink takes the instruction out of its block and leaves its operands alone.
func (i *Inst) unlink() {
	b := i.block
	if b == nil {
		return
	}
	if i.prev != nil {
		i.prev.next = i.next
	} else {
		b.first = i.next
	}
	if i.next != nil {
		i.next.prev = i.prev
	} else {
		b.last = i.prev
	}
	i.block, i.prev, i.next = nil, nil, nil
	if b.Func != nil {
		b.Func.Edited = i
	}
}

// ReplaceWith makes every user of the results use vs instead, in order, and removes the instruction.
func (i *Inst) ReplaceWith(vs ...*Value) {
	for n, r := range i.Results {
		r.ReplaceAllUses(vs[n])
	}
	i.Remove()
}

// resetOperands gives the instruction other operands than it had. Edges keep their First and N, which the
// caller must set where they changed.
func (i *Inst) resetOperands(vs []*Value) {
	for n := range i.Operands {
		i.Operands[n].Set(nil)
	}
	i.SetOperands(vs)
}

// values lists the values of the operands.
func (i *Inst) values() []*Value {
	vs := make([]*Value, len(i.Operands))
	for n := range i.Operands {
		vs[n] = i.Operands[n].value
	}
	return vs
}

// AddEdgeArg passes v as a further, last argument along edge n.
func (i *Inst) AddEdgeArg(n int, v *Value) {
	e := &i.Succs[n]
	at := e.First + e.N
	vs := i.values()
	vs = append(vs, nil)
	copy(vs[at+1:], vs[at:])
	vs[at] = v
	e.N++
	for k := n + 1; k < len(i.Succs); k++ {
		i.Succs[k].First++
	}
	i.resetOperands(vs)
}

// RemoveEdgeArg no longer passes argument k along edge n.
func (i *Inst) RemoveEdgeArg(n, k int) {
	e := &i.Succs[n]
	at := e.First + k
	vs := i.values()
	vs = append(vs[:at], vs[at+1:]...)
	e.N--
	for j := n + 1; j < len(i.Succs); j++ {
		i.Succs[j].First--
	}
	i.resetOperands(vs)
}

// RemoveArg takes argument k from the block; it must have no uses, and the caller takes it from the edges.
func (b *Block) RemoveArg(k int) {
	b.Args = append(b.Args[:k], b.Args[k+1:]...)
	for n := k; n < len(b.Args); n++ {
		b.Args[n].index = n
	}
}

// RemoveBlock takes the block out of the function with all its instructions. No edge may lead to it, and
// none of its values may be used outside of it.
func (f *Function) RemoveBlock(b *Block) {
	for i := b.first; i != nil; i = b.first {
		i.Remove()
	}
	for n, have := range f.Blocks {
		if have == b {
			f.Blocks = append(f.Blocks[:n], f.Blocks[n+1:]...)
			break
		}
	}
	f.Renumber()
}

// SplitBefore moves i and everything after it to a new block, which follows directly on the old one in
// the function and has no arguments. The old block is left without a terminator.
func (f *Function) SplitBefore(i *Inst) *Block {
	old := i.block
	b := &Block{Func: f}
	for x := i; x != nil; {
		next := x.next
		x.unlink()
		b.Append(x)
		x = next
	}
	f.insertBlockAfter(old, b)
	return b
}

// SplitEdge puts a new block with nothing but a branch on edge n of the terminator and returns it. The
// arguments of the edge are passed on by the branch.
func SplitEdge(term *Inst, n int) *Block {
	f := term.block.Func
	branch := &Inst{Op: op.Br, Loc: term.Loc, Scope: term.Scope}
	e := term.Succs[n]
	args := make([]*Value, e.N)
	for k, o := range term.EdgeArgs(n) {
		args[k] = o.value
	}
	for k := e.N - 1; k >= 0; k-- {
		term.RemoveEdgeArg(n, k)
	}
	b := &Block{Func: f}
	term.Succs[n].To = b
	if e.N == 0 && len(e.To.Args) > 0 { // the terminator itself defines the arguments
		for _, a := range e.To.Args {
			v := b.AddArg(a.Type)
			v.Ownership = a.Ownership
			args = append(args, v)
		}
	}
	branch.Succs = []Edge{{To: e.To, N: len(args)}}
	branch.SetOperands(args)
	b.Append(branch)
	f.insertBlockAfter(term.block, b)
	return b
}

func (f *Function) insertBlockAfter(at, b *Block) {
	for n, have := range f.Blocks {
		if have == at {
			f.Blocks = append(f.Blocks, nil)
			copy(f.Blocks[n+2:], f.Blocks[n+1:])
			f.Blocks[n+1] = b
			break
		}
	}
	f.Renumber()
}

// MoveArg makes v, an argument of a block that has no others or none of them any more, the last argument of b.
func (b *Block) MoveArg(v *Value) {
	v.block, v.index = b, len(b.Args)
	b.Args = append(b.Args, v)
}

// TakeArgs gives the block the arguments of another one, after its own; the other has none left.
func (b *Block) TakeArgs(from *Block) {
	for _, a := range from.Args {
		a.block, a.index = b, len(b.Args)
		b.Args = append(b.Args, a)
	}
	from.Args = nil
}

// InsertBlockAfter puts a new block without arguments and instructions after another one.
func (f *Function) InsertBlockAfter(at *Block) *Block {
	b := &Block{Func: f}
	f.insertBlockAfter(at, b)
	return b
}
