package arc

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// RetainSinking moves retains down to where something may release the object or looks at its count:
//
//	strong_retain %0          cond_br %1, bb1, bb2
//	cond_br %1, bb1, bb2      bb1: br bb3
//	bb1: br bb3               bb2: strong_retain %0
//	bb2: apply %f()                apply %f()
//
// A forward flow over the function says for each object at which places a retain of it is on its way on all paths; it is put where that
// ends (docs/ARCOptimization). Retains before the end of the program go.
var RetainSinking = &pass.Pass{
	Name:     "retain-sinking",
	Doc:      "Moves retains down to where the object may be released",
	Function: func(c *pass.Context, f *ir.Function) bool { return moveCounts(c, f, true, false) },
}

// ReleaseHoisting moves releases up to right after the last use of the object, on each path:
//
//	apply %f(%0)              apply %f(%0)
//	cond_br %1, bb1, bb2      strong_release %0
//	bb1: strong_release %0    cond_br %1, bb1, bb2
//	bb2: strong_release %0
//
// The releases that end owned parameters stay: that the object lives up to them proves others safe.
var ReleaseHoisting = &pass.Pass{
	Name:     "release-hoisting",
	Doc:      "Moves releases up to just after the last use, but for those that end owned parameters",
	Function: func(c *pass.Context, f *ir.Function) bool { return moveCounts(c, f, false, true) },
}

// LateReleaseHoisting is release-hoisting for all releases.
var LateReleaseHoisting = &pass.Pass{
	Name:     "late-release-hoisting",
	Doc:      "Moves releases up to just after the last use, those that end owned parameters too",
	Function: func(c *pass.Context, f *ir.Function) bool { return moveCounts(c, f, false, false) },
}

// maxMotionWork bounds the questions about one function: objects times instructions.
const maxMotionWork = 4 << 20

func moveCounts(c *pass.Context, f *ir.Function, down, keepEnds bool) bool {
	if f.IsOSSA() || c.IsSet("disable-arc-cm") {
		return false
	}
	counts := c.HasOne(f, movedOps[down]...)
	split := (counts || !c.Whole) && splitCritical(c, f) // as the compiler does where there is nothing to move
	if !counts {
		return split
	}
	m := &countMotion{c: c, f: f, down: down, e: rewrite.NewEditor(c, f), p: c.Program(f), dom: c.Dominators(f), index: map[*ir.Value]int{},
		moved: map[*ir.Inst]bool{}, points: map[*ir.Value][]*ir.Inst{}}
	m.rc = m.c.RCIdentity(m.f)
	if keepEnds {
		m.ends = epilogueBlockReleases(m.p, m.rc, f)
	}
	changed := m.run()
	if down {
		changed = dropRetainsBeforeEnd(c, f) || changed
	}
	return split || changed
}

// movedOps lists what is moved down, and what up.
var movedOps = map[bool][]op.Op{true: {op.StrongRetain, op.RetainValue, op.UnownedRetain}, false: {op.StrongRelease, op.ReleaseValue, op.UnownedRelease}}

// countMotion moves the retains or the releases of a function.
type countMotion struct {
	c      *pass.Context
	f      *ir.Function
	e      *rewrite.Editor
	p      *facts.Program
	rc     *facts.RCIdentity
	dom    *cfg.Dominators
	down   bool              // retains, along the flow; else releases, against it
	ends   map[*ir.Inst]bool // releases that stay
	root   []*ir.Value       // the objects, in the order of their first instruction
	index  map[*ir.Value]int // of root
	insts  []*ir.Inst        // what is moved
	moved  map[*ir.Inst]bool
	points map[*ir.Value][]*ir.Inst // where each object gets a new instruction, before these
	multi  bool                     // the flow has to be repeated until it is stable
	blocks []motionBlock            // by Block.Index
	order  []*ir.Block              // in the direction of the flow
}

// motionBlock is the flow at a block: the objects of which an instruction is on its way, by their index.
type motionBlock struct {
	enter, leave facts.Bits // where the flow comes into the block and where it leaves
	gen, kill    facts.Bits
	most         facts.Bits // what may be on its way at all
	interesting  bool
}

func (m *countMotion) isMoved(i *ir.Inst) bool {
	if m.down {
		return facts.IsRetain(i) || i.Op == op.UnownedRetain
	}
	return m.moved[i]
}

// run solves the flow and moves the instructions. It reports whether it changed the function.
func (m *countMotion) run() bool {
	total := 0
	for i := range m.f.Insts() {
		total++
		if m.down && !m.isMoved(i) || !m.down && (!facts.IsRelease(i) && i.Op != op.UnownedRelease || m.ends[i]) {
			continue
		}
		m.moved[i] = true
		m.insts = append(m.insts, i)
		r := m.rc.Root(i.Arg(0))
		if _, ok := m.index[r]; !ok {
			m.index[r] = len(m.root)
			m.root = append(m.root, r)
		}
	}
	if len(m.root) == 0 || total*len(m.root) > maxMotionWork {
		return false
	}
	m.order = slices.Clone(m.dom.Order)
	if !m.down {
		slices.Reverse(m.order)
	}
	m.multi = m.hasBackEdge()
	m.init()
	if m.multi {
		m.findMost()
		m.findGenKill()
		m.converge()
	}
	for _, b := range m.order {
		m.place(b)
	}
	return m.perform()
}

// before lists the blocks from which the flow comes into b, after those to which it goes.
func (m *countMotion) before(b *ir.Block) []*ir.Block {
	if m.down {
		return m.dom.Preds[b.Index]
	}
	return rewrite.Successors(b)
}

func (m *countMotion) hasBackEdge() bool {
	seen := map[*ir.Block]bool{}
	for _, b := range m.order {
		for _, x := range m.before(b) {
			if !seen[x] {
				return true
			}
		}
		seen[b] = true
	}
	return false
}

func (m *countMotion) init() {
	n := len(m.root)
	m.blocks = make([]motionBlock, len(m.f.Blocks))
	hopeful := map[*ir.Block]bool{}
	if m.multi && !m.down { // blocks that lead to an exit; in others nothing may be put
		var work []*ir.Block
		for _, b := range m.order {
			if t := b.Terminator(); len(t.Succs) == 0 && t.Op != op.Unreachable {
				work = append(work, b)
			}
		}
		for b := range worklist.Drain(&work) {
			for _, p := range m.dom.Preds[b.Index] {
				if !hopeful[p] {
					hopeful[p] = true
					work = append(work, p)
				}
			}
		}
	}
	words := len(facts.NewBits(n))
	room := make(facts.Bits, 5*words*len(m.blocks)) // for all sets
	for k := range m.blocks {
		b := m.f.Blocks[k]
		s := &m.blocks[k]
		for _, set := range []*facts.Bits{&s.enter, &s.leave, &s.gen, &s.kill, &s.most} {
			*set, room = room[:words:words], room[words:]
		}
		if m.multi && (m.down || hopeful[b]) {
			fillBits(s.leave, n)
			if !m.down || b != m.f.Entry() {
				fillBits(s.most, n)
			}
		}
	}
}

func fillBits(s facts.Bits, n int) {
	for k := range n {
		s.Set(k)
	}
}

// each calls yield for the instructions of a block in the direction of the flow.
func (m *countMotion) each(b *ir.Block, yield func(i *ir.Inst)) {
	if m.down {
		for i := range b.Insts() {
			yield(i)
		}
		return
	}
	for i := range b.Backward() {
		yield(i)
	}
}

func (m *countMotion) findMost() {
	for _, b := range m.order {
		s := &m.blocks[b.Index]
		from := m.before(b)
		if len(from) == 0 {
			s.most = facts.NewBits(len(m.root))
		} else {
			fillBits(s.most, len(m.root))
			for _, x := range from {
				s.most.And(m.blocks[x.Index].most)
			}
		}
		m.each(b, func(i *ir.Inst) {
			if m.isMoved(i) {
				s.most.Set(m.index[m.rc.Root(i.Arg(0))])
			}
		})
	}
}

// isBlocked reports whether an instruction of object v may not be moved past i.
func (m *countMotion) isBlocked(i *ir.Inst, v *ir.Value) bool {
	if m.down {
		switch i.Op {
		case op.Return, op.Throw, op.ThrowAddr, op.Unwind, op.Unreachable:
			return true
		}
		return m.isMoved(i) && m.rc.Root(i.Arg(0)) == v || facts.ChecksCount(i) || m.p.MayDecrement(i, v)
	}
	return i == v.Inst() || m.isMoved(i) && m.rc.Root(i.Arg(0)) == v || m.p.MayUse(i, v)
}

func (m *countMotion) findGenKill() {
	for _, b := range m.order {
		s := &m.blocks[b.Index]
		m.each(b, func(i *ir.Inst) {
			s.most.Each(func(k int) {
				if done := s.kill.Has(k) && !s.gen.Has(k); !done && m.isBlocked(i, m.root[k]) {
					s.interesting = true
					s.kill.Set(k)
					s.gen.Clear(k)
				}
			})
			if m.isMoved(i) {
				k := m.index[m.rc.Root(i.Arg(0))]
				s.gen.Set(k)
				s.kill.Clear(k)
				s.interesting = true
			}
		})
		if m.down {
			continue
		}
		for k, v := range m.root {
			if v.IsArg() && v.Block() == b {
				s.interesting = true
				s.kill.Set(k)
				s.gen.Clear(k)
			}
		}
	}
}

// join sets what comes into the block.
func (m *countMotion) join(b *ir.Block) {
	s := &m.blocks[b.Index]
	s.enter = facts.NewBits(len(m.root))
	for n, x := range m.before(b) {
		if n == 0 {
			s.enter = m.blocks[x.Index].leave.Clone()
		} else {
			s.enter.And(m.blocks[x.Index].leave)
		}
	}
}

func (m *countMotion) converge() {
	queued := make([]bool, len(m.f.Blocks))
	work := make([]*ir.Block, 0, len(m.order))
	for n := len(m.order) - 1; n >= 0; n-- {
		work = append(work, m.order[n])
		queued[m.order[n].Index] = true
	}
	for b := range worklist.Drain(&work) {
		queued[b.Index] = false
		m.join(b)
		s := &m.blocks[b.Index]
		out := s.enter
		out.AndNot(s.kill)
		out.Or(s.gen)
		if out.Equal(s.leave) {
			continue
		}
		s.leave = out.Clone()
		next := rewrite.Successors(b)
		if !m.down {
			next = m.dom.Preds[b.Index]
		}
		for _, x := range next {
			if !queued[x.Index] {
				queued[x.Index] = true
				work = append(work, x)
			}
		}
	}
}

func (m *countMotion) point(k int, at *ir.Inst) {
	m.points[m.root[k]] = append(m.points[m.root[k]], at)
}

// place finds where the paths end that come into a block or begin in it.
func (m *countMotion) place(b *ir.Block) {
	m.join(b)
	s := &m.blocks[b.Index]
	from := m.before(b)
	some := facts.NewBits(len(m.root)) // on their way along some edges only
	for _, x := range from {
		some.Or(m.blocks[x.Index].leave)
	}
	some.AndNot(s.enter)
	some.Each(func(k int) {
		for _, x := range from {
			if m.blocks[x.Index].leave.Has(k) {
				if m.down {
					m.point(k, x.Terminator())
				} else {
					m.point(k, x.First())
				}
			}
		}
	})
	if m.multi && !s.interesting {
		return
	}
	at := s.enter
	if !m.down {
		term := b.Terminator()
		at.Each(func(k int) {
			if !m.isBlocked(term, m.root[k]) {
				return
			}
			for _, x := range from {
				if m.blocks[x.Index].leave.Has(k) {
					m.point(k, x.First())
				}
			}
			at.Clear(k)
		})
	}
	m.each(b, func(i *ir.Inst) {
		if !m.down && i == b.Terminator() {
			return
		}
		at.Each(func(k int) {
			if !m.isBlocked(i, m.root[k]) {
				return
			}
			at.Clear(k)
			if m.down {
				m.point(k, i)
			} else {
				m.point(k, i.Next())
			}
		})
		if m.isMoved(i) {
			at.Set(m.index[m.rc.Root(i.Arg(0))])
		}
	})
	if !m.down {
		for k, v := range m.root {
			if at.Has(k) && v.IsArg() && v.Block() == b {
				m.point(k, b.First())
				at.Clear(k)
			}
		}
	}
	if !m.multi {
		s.leave = at
	}
}

// perform puts the new instructions and removes the old ones.
func (m *countMotion) perform() bool {
	changed := false
	keep := map[*ir.Inst]bool{}
	var made []*ir.Inst
	for _, v := range m.root {
		for _, at := range m.points[v] {
			if m.down && m.p.EndsProgram(at.Block()) {
				continue
			}
			if prev := at.Prev(); prev != nil && m.isMoved(prev) && m.rc.Root(prev.Arg(0)) == v {
				if m.moved[prev] && !keep[prev] {
					made = append(made, prev)
				}
				keep[prev] = true
				continue
			}
			if same := m.standsAt(at, v, keep); same != nil {
				keep[same] = true
				made = append(made, same)
				continue
			}
			b := m.e.Before(at)
			b.Loc, b.Scope = nil, 0
			was := at.Prev()
			if m.down {
				m.e.CopyValue(b, v)
			} else {
				m.e.DestroyValue(b, v)
			}
			// Nothing is made for a trivial root: an enum in a case without references, say.
			if counted := at.Prev(); counted != was {
				m.moved[counted] = true
				keep[counted] = true
				made = append(made, counted)
				changed = true
			}
		}
	}
	erase := rewrite.Eraser{}
	for _, i := range m.insts {
		if !keep[i] && i.Block() != nil {
			m.c.Passed(m.f, i, "moved %s of %s", i.Op, describeRoot(m.rc.Root(i.Arg(0))))
			erase.Erase(i)
			changed = true
		}
	}
	if !m.down {
		m.cancel(made)
	}
	return changed
}

// standsAt finds among the releases that stand from a place on one that is what would be put there.
func (m *countMotion) standsAt(at *ir.Inst, v *ir.Value, keep map[*ir.Inst]bool) *ir.Inst {
	for i := at; !m.down && i != nil && m.moved[i]; i = i.Next() {
		if i.Arg(0) == v && !keep[i] && !m.p.Types.IsTrivial(v.Type) {
			return i
		}
	}
	return nil
}

// cancel removes new releases that come after a retain of the same object, with it.
func (m *countMotion) cancel(made []*ir.Inst) {
	erase := rewrite.Eraser{}
	for _, i := range made {
		if i.Block() == nil {
			continue
		}
		prev := i.Prev()
		if prev != nil && facts.IsRetain(prev) && m.rc.Root(prev.Arg(0)) == m.rc.Root(i.Arg(0)) {
			erase.Erase(prev)
			erase.Erase(i)
		}
	}
}

// epilogueBlockReleases lists the releases at the end of the block that returns which end the lives of owned parameters: nothing but
// such releases and what can't release comes after them.
func epilogueBlockReleases(p *facts.Program, rc *facts.RCIdentity, f *ir.Function) map[*ir.Inst]bool {
	ends := map[*ir.Inst]bool{}
	var ret *ir.Block
	for _, b := range f.Blocks {
		if t := b.Terminator(); t != nil && t.Op == op.Return {
			ret = b
		}
	}
	if ret == nil {
		return ends
	}
	seen := map[*ir.Value][]*ir.Value{}
	for i := range ret.Backward() {
		if !facts.IsRelease(i) {
			if i.Op == op.DeallocRef || p.MayRelease(i) {
				break
			}
			continue
		}
		v := rc.Root(i.Arg(0))
		arg := stripProjections(v)
		if !isOwnedParam(arg) || overlapsAny(v, arg, seen[arg]) {
			break
		}
		seen[arg] = append(seen[arg], v)
		ends[i] = true
	}
	return ends
}

// stripProjections looks through the extraction of fields.
func stripProjections(v *ir.Value) *ir.Value {
	for {
		i := v.Inst()
		if i == nil {
			return v
		}
		switch i.Op {
		case op.StructExtract, op.TupleExtract, op.UncheckedEnumData:
			v = i.Arg(0)
		default:
			return v
		}
	}
}

// overlapsAny reports whether part v of a parameter is, holds or is held in one of those released already.
func overlapsAny(v, arg *ir.Value, list []*ir.Value) bool {
	for _, w := range list {
		if v == w || v == arg || w == arg {
			return true
		}
	}
	return false
}

// dropRetainsBeforeEnd removes the retains before calls that end the program, where everything may leak.
func dropRetainsBeforeEnd(c *pass.Context, f *ir.Function) bool {
	changed := false
	for _, b := range f.Blocks {
		t := b.Terminator()
		if t.Op != op.Unreachable || t == b.First() {
			continue
		}
		i := t.Prev()
		if facts.IsFullApply(i) {
			if !facts.IsTerminationPoint(i) {
				continue
			}
			i = i.Prev()
		}
		for i != nil {
			prev := i.Prev()
			switch {
			case !facts.MayHaveSideEffects(i):
			case facts.IsRetain(i):
				c.Passed(f, i, "removed %s before the end of the program", i.Op)
				i.Remove()
				changed = true
			default:
				prev = nil
			}
			i = prev
		}
	}
	return changed
}
