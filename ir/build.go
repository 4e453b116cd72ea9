package ir

// Builder puts new instructions into a block: at its end, or before an instruction. Their places in the
// Swift source are the builder's. The zero value of Before means the end.
type Builder struct {
	Module *Module
	Block  *Block
	Before *Inst
	Loc    *Loc
	Scope  int
}

// At returns a builder that inserts before i and takes over its place in the source.
func At(m *Module, i *Inst) *Builder {
	return &Builder{Module: m, Block: i.block, Before: i, Loc: i.Loc, Scope: i.Scope}
}

// AtEnd returns a builder that appends to the block.
func AtEnd(m *Module, b *Block) *Builder { return &Builder{Module: m, Block: b} }

// Emit returns the instruction, of which the caller has set Op, Quals, Types, Succs and Aux as its row wants
// them, its operands and results, and inserts it. The types of the results follow from the row's rule; where
// that cannot tell them the result's Type is nil and the caller sets it. i must not be in a block.
func (b *Builder) Emit(i *Inst, operands ...*Value) *Inst {
	i.SetOperands(operands)
	if i.Loc == nil {
		i.Loc, i.Scope = b.Loc, b.Scope
	}
	types, _ := b.Module.ResultTypes(i)
	for _, t := range types {
		i.AddResult(t)
	}
	if b.Before != nil {
		i.InsertBefore(b.Before)
	} else {
		b.Block.Append(i)
	}
	return i
}
