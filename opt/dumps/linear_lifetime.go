package dumps

import (
	"slices"
	"strings"

	"silvm/ir"
)

// linearLifetime checks that a value is consumed exactly once on every path and used before that only, as the compiler's linear
// lifetime checker does (docs/OwnershipSSA): every fault is told in the compiler's order, none is left out because of another one.
// The work is that of the blocks between the definition and the consumes.
type linearLifetime struct {
	r         *ownershipReport
	value     *ir.Value
	consuming []*ir.Inst
	regular   map[*ir.Block][]*ir.Inst // uses that are not known to lie within the lifetime
	consumes  map[*ir.Block]bool
	visited   map[*ir.Block]bool
	work      []*ir.Block
	must      orderedBlocks // successors of blocks in the lifetime that nothing has shown to lie in it
}

// orderedBlocks is a set of blocks in the order in which they were put in.
type orderedBlocks struct {
	list []*ir.Block
	in   map[*ir.Block]bool
}

func (s *orderedBlocks) add(b *ir.Block) {
	if !s.in[b] {
		s.in[b] = true
		s.list = append(s.list, b)
	}
}

// consumedInBlocks looks at each consume beside the other uses and consumes of its block.
func (l *linearLifetime) consumedInBlocks() {
	for _, i := range l.consuming {
		b := i.Block()
		if l.consumes[b] {
			l.overConsume(b, i)
		}
		l.consumes[b] = true
		l.usedBehind(i)
	}
}

// usedBehind tells the uses that follow a consume in its block. A branch may hand on both a value and the borrow of it.
func (l *linearLifetime) usedBehind(consume *ir.Inst) {
	b := consume.Block()
	uses := l.regular[b]
	delete(l.regular, b)
	for _, use := range uses {
		if l.r.order[use] > l.r.order[consume] || use == consume && !consume.Row().IsTerminator() {
			l.r.error("Found outside of lifetime use?!", "Value: ", l.value, "Consuming User: ", consume, "Non Consuming User: ", use, b, "\n")
		}
	}
}

// usedElsewhere tells the uses in other blocks of a value whose one consume is in the block that defines it.
func (l *linearLifetime) usedElsewhere(regular []*ir.Inst) {
	for _, use := range regular {
		if b := use.Block(); b != l.value.Block() && !l.r.dead[b.Index] {
			l.r.error("Function: '"+l.r.f.Name+"'\nFound non consuming use outside of the lifetime being verified.", "Value: ", l.value, "User: ", use)
		}
	}
}

// overConsume tells that the value was consumed before; i, which may be nil, consumes it again.
func (l *linearLifetime) overConsume(b *ir.Block, i *ir.Inst) {
	parts := []any{"Value: ", l.value}
	if i != nil {
		parts = append(parts, "User: ", i)
	}
	parts = append(parts, b, "Consuming Users:\n")
	for _, c := range l.consuming {
		parts = append(parts, c)
	}
	l.r.error("Found over consume?!", append(parts, "\n")...)
}

func (l *linearLifetime) consumedBefore(b *ir.Block, i *ir.Inst) {
	if l.consumes[b] {
		l.overConsume(b, i)
		for _, e := range b.Terminator().Succs { // a loop: even a dead end behind it has to consume the value
			if !l.visited[e.To] {
				l.must.add(e.To)
			}
		}
	}
}

func (l *linearLifetime) visit(b *ir.Block) {
	if !l.visited[b] {
		l.visited[b] = true
		l.work = append(l.work, b)
	}
}

// flow walks backwards to the definition.
func (l *linearLifetime) flow() {
	for len(l.work) > 0 {
		b := l.work[len(l.work)-1]
		l.work = l.work[:len(l.work)-1]
		delete(l.must.in, b)
		delete(l.regular, b)
		for _, e := range b.Terminator().Succs {
			if !l.r.dead[e.To.Index] && !l.visited[e.To] {
				l.must.add(e.To)
			}
		}
		if b == l.value.Block() {
			continue
		}
		for _, p := range l.r.preds.Of(b) {
			l.consumedBefore(p, nil)
			l.visit(p)
		}
	}
}

// finish tells the paths on which nothing consumes the value, and the uses that no consume follows.
func (l *linearLifetime) finish() {
	var leaks strings.Builder
	for _, b := range l.must.list {
		if l.must.in[b] {
			leaks.WriteString(" " + l.r.blockName(b))
		}
	}
	if leaks.Len() > 0 {
		l.r.error("Error! Found a leak due to a consuming post-dominance failure!", "Value: ", l.value, "Post Dominating Failure Blocks:\n", leaks.String()+"\n")
	}
	var left []*ir.Block
	for b := range l.regular {
		if !l.r.dead[b.Index] {
			left = append(left, b)
		}
	}
	slices.SortFunc(left, func(a, b *ir.Block) int { return l.r.mentioned[a] - l.r.mentioned[b] })
	for _, b := range left {
		for _, use := range l.regular[b] {
			l.r.error("Found outside of lifetime use!", "Value: ", l.value, "User:", use, b)
		}
	}
}

// check tells the faults of a value; uses may stand in the lists several times.
func (r *ownershipReport) check(v *ir.Value, consuming, regular []*ir.Inst) {
	l := &linearLifetime{r: r, value: v, consuming: consuming, regular: map[*ir.Block][]*ir.Inst{}, consumes: map[*ir.Block]bool{},
		visited: map[*ir.Block]bool{}, must: orderedBlocks{in: map[*ir.Block]bool{}}}
	for _, i := range regular {
		l.regular[i.Block()] = append(l.regular[i.Block()], i)
	}
	l.consumedInBlocks()
	if len(consuming) == 1 && consuming[0].Block() == v.Block() {
		l.usedElsewhere(regular)
		return
	}
	for _, i := range consuming {
		l.visited[i.Block()] = true
	}
	for _, i := range consuming {
		if i.Block() == v.Block() {
			continue
		}
		for _, p := range r.preds.Of(i.Block()) {
			l.consumedBefore(p, i)
			l.visit(p)
		}
	}
	l.flow()
	l.finish()
}
