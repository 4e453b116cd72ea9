package arc

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/loops"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// ARCSequenceOpts removes a retain with the releases that it is paired with:
//
//	strong_retain %0
//	apply %f(%1)        // does not release %0
//	strong_release %0
//
// Two passes over the function, against and along the control flow, find for each retain the releases that it meets first on all paths
// and for each release the retains. Sets that agree go away when nothing in between can release the object, or when the object is known
// to live anyway: another retain or release around, a guaranteed parameter. Loops are done from the inside out; inside a loop around it, a
// loop is what its instructions may do (docs/ARCOptimization, ARC Sequence Optimization). With the setting enable-loop-arc=false the blocks of
// all loops lie side by side, and nothing is known across the back edge of a loop.
var ARCSequenceOpts = &pass.Pass{
	Name: "arc-sequence-opts",
	Doc:  "Removes retains with the releases that they pair with",
	Function: func(c *pass.Context, f *ir.Function) bool {
		if !c.IsOff("enable-loop-arc") {
			return pairCountsInLoops(c, f)
		}
		return mayHavePairs(f) && newARCSequences(c, f, &cfg.Loops{}).run()
	},
}

// ARCLoopOpts does the same; the compiler has two names for it.
var ARCLoopOpts = &pass.Pass{
	Name:     "arc-loop-opts",
	Doc:      "Removes retains with the releases that they pair with, loops from the inside out",
	Function: pairCountsInLoops,
}

func pairCountsInLoops(c *pass.Context, f *ir.Function) bool {
	if isSkippedByARC(f) {
		return false
	}
	changed := loops.Canonicalize(c, f)
	if !c.HasOne(f, op.StrongRetain, op.RetainValue) || !c.HasOne(f, op.StrongRelease, op.ReleaseValue) {
		return changed
	}
	loops := cfg.FindLoops(c.Dominators(f))
	if loops.Irreducible {
		return changed
	}
	return newARCSequences(c, f, loops).run() || changed
}

// isSkippedByARC reports whether the passes leave a function alone: in OSSA, or run once to make a global.
func isSkippedByARC(f *ir.Function) bool {
	return f.IsOSSA() || f.Attrs.Has(ir.AttrGlobalInitOnceFn)
}

// mayHavePairs reports whether the passes look at the function and it has both a retain and a release.
func mayHavePairs(f *ir.Function) bool {
	if isSkippedByARC(f) {
		return false
	}
	retains, releases := false, false
	for i := range f.Insts() {
		retains = retains || facts.IsRetain(i)
		releases = releases || facts.IsRelease(i)
	}
	return retains && releases
}

type arcSequences struct {
	c       *pass.Context
	f       *ir.Function
	p       *facts.Program
	lending *facts.Lending
	rc      *facts.RCIdentity
	dom     *cfg.Dominators
	loops   *cfg.Loops
	blocks  []*arcRegion             // by Block.Index
	nests   map[*cfg.Loop]*arcRegion // of loops, and by nil that of the function
	freeze  bool                     // releases at the end of owned parameters are left alone
	ends    *EpilogueARC
	roots   map[*ir.Value]arcEnds // nil where all are followed

	// What the two directions found for the region at hand: the state with which a retain met releases, a release retains.
	byRetain, byRelease arcMap
	unmatched           map[*ir.Inst]bool // of loops that are done
}

// arcMap keeps states by instruction in the order of their entry.
type arcMap struct {
	at   map[*ir.Inst]arcState
	list []*ir.Inst
}

func (m *arcMap) set(i *ir.Inst, s arcState) {
	if m.at == nil {
		m.at = map[*ir.Inst]arcState{}
	}
	if _, ok := m.at[i]; !ok {
		m.list = append(m.list, i)
	}
	m.at[i] = s
}

// arcRegion is a block, or a loop with the regions directly inside, or the function.
type arcRegion struct {
	block *ir.Block
	loop  *cfg.Loop
	order int          // of a part: its place in the function, in reverse postorder
	parts []*arcRegion // in reverse postorder
	preds []*arcRegion // of the same parent
	succs []*arcRegion
	exits []*ir.Block // blocks outside the parent that this part leads to
	leaks bool        // the program ends here
	insts []*ir.Inst  // what matters to reference counts

	up, down arcStates
}

func newARCSequences(c *pass.Context, f *ir.Function, loops *cfg.Loops) *arcSequences {
	a := &arcSequences{c: c, f: f, p: c.Program(f), dom: c.Dominators(f), loops: loops, nests: map[*cfg.Loop]*arcRegion{}, unmatched: map[*ir.Inst]bool{}}
	a.rc = a.c.RCIdentity(a.f)
	a.ends = NewEpilogueARC(a.p, a.rc, c, f)
	return a
}

// findRegions makes the tree of regions, with edges between those of one parent.
func (a *arcSequences) findRegions() {
	loops := a.loops
	a.lending = a.p.Lending(a.f)
	a.nests[nil] = &arcRegion{}
	a.blocks = make([]*arcRegion, len(a.f.Blocks))
	room := make([]arcRegion, len(a.dom.Order))
	for n, b := range a.dom.Order {
		home := loops.Of(b)
		if home != nil && home.Header == b {
			r := &arcRegion{loop: home, order: n}
			a.nests[home] = r
			parent := a.nests[home.Parent]
			parent.parts = append(parent.parts, r)
		}
		r := &room[n]
		r.block, r.order, r.leaks = b, n, a.p.EndsProgram(b)
		a.blocks[b.Index] = r
		parent := a.nests[home]
		parent.parts = append(parent.parts, r)
		a.summarize(r)
	}
	for _, b := range a.dom.Order {
		for _, e := range b.Terminator().Succs {
			a.connect(b, e.To)
		}
	}
}

// connect enters an edge: between the parts of the innermost region that holds both blocks, and as an exit of the parts around b that
// it leaves.
func (a *arcSequences) connect(b, to *ir.Block) {
	from := a.blocks[b.Index]
	home := a.loops.Of(b)
	for home != nil && !home.Has(to) {
		from.exits = rewrite.AppendBlock(from.exits, to)
		from = a.nests[home]
		home = home.Parent
	}
	if home != nil && home.Header == to {
		return // the back edge
	}
	target := a.blocks[to.Index]
	for inner := a.loops.Of(to); inner != home; inner = inner.Parent {
		target = a.nests[inner]
	}
	from.succs = appendRegion(from.succs, target)
	target.preds = appendRegion(target.preds, from)
}

func appendRegion(list []*arcRegion, r *arcRegion) []*arcRegion {
	if slices.Contains(list, r) {
		return list
	}
	return append(list, r)
}

// summarize lists the instructions of a block that may use, release or bring references.
func (a *arcSequences) summarize(r *arcRegion) {
	r.insts = r.insts[:0]
	for i := range r.block.Insts() {
		if !a.p.NeverUses(i) || a.p.MayReleaseOrCheck(i) || i.Op == op.AllocRef || i.Op == op.AllocRefDynamic || i.Op == op.AllocBox {
			r.insts = append(r.insts, i)
		}
	}
}

// arcEnds says which of retains and releases the function has of a root.
type arcEnds uint8

const (
	arcRetained arcEnds = 1 << iota
	arcReleased
	arcBoth = arcRetained | arcReleased
)

// findEnds finds the roots that are retained and released, and reports whether one is both: others have no pair. Remarks tell of all, so where
// somebody listens to them all are followed.
func (a *arcSequences) findEnds() bool {
	if a.c.HasListener() {
		return true
	}
	a.roots = map[*ir.Value]arcEnds{}
	paired := false
	for i := range a.f.Insts() {
		var end arcEnds
		switch {
		case facts.IsRetain(i):
			end = arcRetained
		case facts.IsRelease(i):
			end = arcReleased
		default:
			continue
		}
		root := a.rc.Root(i.Arg(0))
		a.roots[root] |= end
		paired = paired || a.roots[root] == arcBoth
	}
	return paired
}

// follow returns the state of a root, nil when it is of no use unless the function has these ends of it. One without a pair is only there to
// tell that the same count is met twice.
func (a *arcSequences) follow(states *arcStates, root *ir.Value, up bool, wanted arcEnds) *arcState {
	if a.roots == nil {
		return states.get(root, up)
	}
	has := a.roots[root]
	if has&wanted != wanted {
		return nil
	}
	s := states.get(root, up)
	s.idle = has != arcBoth
	return s
}

func (a *arcSequences) run() bool {
	if !a.findEnds() {
		return false
	}
	a.findRegions()
	changed := false
	for _, l := range a.loops.InnerFirst() {
		r := a.nests[l]
		if a.region(r, false) {
			a.region(r, true)
			changed = true
		}
		for _, part := range r.parts {
			r.insts = append(r.insts, part.insts...)
		}
	}
	top := a.nests[nil]
	if a.region(top, false) {
		a.region(top, true)
		changed = true
	}
	a.explain()
	return changed
}

// maxARCRounds bounds the iterations over a region up to the fixed point.
const maxARCRounds = 20

// region pairs what it can in a region and reports whether that was anything.
func (a *arcSequences) region(r *arcRegion, freeze bool) bool {
	a.freeze = freeze
	changed := false
	for range maxARCRounds {
		nested := a.upwards(r)
		nested = a.downwards(r) || nested
		paired := a.match()
		if r.loop != nil {
			a.remember(r)
		}
		for _, part := range r.parts {
			part.up.clear()
			part.down.clear()
			if part.block != nil && paired {
				a.summarize(part)
			}
		}
		a.byRetain, a.byRelease = arcMap{}, arcMap{}
		changed = changed || paired
		if !nested || !paired {
			break
		}
	}
	return changed
}

// remember notes the retains and releases of a loop that met no partner.
func (a *arcSequences) remember(r *arcRegion) {
	for _, part := range r.parts {
		for _, i := range part.insts {
			_, up := a.byRetain.at[i]
			_, down := a.byRelease.at[i]
			if i.Block() != nil && (facts.IsRetain(i) && !up || facts.IsRelease(i) && !down) {
				a.unmatched[i] = true
			}
		}
	}
}

// upwards goes through the parts of a region against the control flow.
func (a *arcSequences) upwards(r *arcRegion) bool {
	nested := false
	for n := len(r.parts) - 1; n >= 0; n-- {
		part := r.parts[n]
		a.joinSuccs(part)
		if part.loop != nil {
			a.loopUp(part)
		} else if a.blockUp(part) {
			nested = true
		}
	}
	return nested
}

func (a *arcSequences) joinSuccs(r *arcRegion) {
	first := true
	for _, s := range r.succs {
		if isWayBack(r, s) {
			r.up.clear()
			return
		}
		if s.leaks {
			continue
		}
		if first {
			r.up.copyFrom(&s.up)
			first = false
			continue
		}
		r.up.meet(&s.up)
	}
	for _, b := range r.exits {
		if !a.blocks[b.Index].leaks {
			r.up.clear()
			return
		}
	}
}

// isWayBack reports whether control goes back from one part to another; such edges lie between parts only when loops are none.
func isWayBack(from, to *arcRegion) bool { return from.order >= to.order }

// blockUp runs over the instructions of a region from the last to the first and pairs retains with the releases below them. It reports whether
// a release was met while another one of the same object was open.
func (a *arcSequences) blockUp(r *arcRegion) bool {
	nested := false
	w := newARCWaiting(&r.up)
	for n := len(r.insts) - 1; n >= 0; n-- {
		i := r.insts[n]
		if i.Op.IsTerminator() {
			continue
		}
		var own *arcState
		switch {
		case facts.IsRelease(i):
			root := a.rc.Root(i.Arg(0))
			if a.freeze && a.ends.has(root, i) {
				own = r.up.of(root)
				break
			}
			own = a.follow(&r.up, root, true, arcReleased)
			if own.begin(i, root) {
				nested = true
			}
			if !own.idle && a.isKnownSafe(i, root) {
				own.safe = true
			}
		case facts.IsRetain(i):
			own = a.follow(&r.up, a.rc.Root(i.Arg(0)), true, arcBoth)
			if own != nil && own.matches() {
				a.byRetain.set(i, *own)
				own.clear()
			} else if _, ok := a.byRetain.at[i]; !ok {
				a.distrust(&r.up, i, own)
			}
		case isPoolCall(i):
			r.up.clear()
			w = arcWaiting{}
			continue
		}
		w.step(a.lending, i, own)
	}
	var terms []*ir.Inst
	for _, p := range r.preds {
		if p.block != nil && isSignificantTerminator(p.block.Terminator()) {
			terms = append(terms, p.block.Terminator())
		}
	}
	for _, s := range r.up.states {
		s.updateTerminators(a.lending, terms)
	}
	return nested
}

// distrust tells the states but own that a retain or release of the kind that they look for has no partner.
func (a *arcSequences) distrust(states *arcStates, i *ir.Inst, own *arcState) {
	for n, k := range states.keys {
		if s := states.states[n]; s != own {
			s.distrust(a.p, a.rc, i, k)
		}
	}
}

// isSignificantTerminator reports whether a terminator may use references itself.
func isSignificantTerminator(t *ir.Inst) bool {
	return t.Op != op.Br && t.Op != op.CondBr && t.Op != op.Unreachable
}

func isPoolCall(i *ir.Inst) bool {
	if i.Op != op.Apply {
		return false
	}
	f := facts.StaticCallee(i)
	return f != nil && (f.Name == "objc_autoreleasePoolPush" || f.Name == "objc_autoreleasePoolPop")
}

// isKnownSafe reports whether the object lives after a release for a reason outside of the function, or by a later release.
func (a *arcSequences) isKnownSafe(i *ir.Inst, root *ir.Value) bool {
	if a.freeze && a.ends.guard(root, i) {
		return true
	}
	if isGuaranteedParam(root) {
		return true
	}
	if def := root.Inst(); def != nil && def.Op == op.Load {
		v := a.rc.Root(def.Arg(0))
		return v.IsArg() && v.Block() == a.f.Entry() && facts.EntryConv(a.f, v.Index()) == facts.ConvInGuaranteed
	}
	return false
}

// isGuaranteedParam reports whether the value is a parameter that the caller keeps alive.
func isGuaranteedParam(v *ir.Value) bool { return facts.ParamConvOf(v) == ir.ParamDirectGuaranteed }

// isOwnedParam reports whether the value is a parameter that the caller hands over.
func isOwnedParam(v *ir.Value) bool { return facts.ParamConvOf(v) == ir.ParamDirectOwned }

// loopUp applies what a loop may do to the states after it.
func (a *arcSequences) loopUp(r *arcRegion) {
	for _, b := range r.exits {
		if !a.blocks[b.Index].leaks {
			r.up.clear()
			return
		}
	}
	a.applyLoop(r, &r.up)
}

func (a *arcSequences) applyLoop(r *arcRegion, states *arcStates) {
	for n, k := range states.keys {
		s := states.states[n]
		for _, i := range r.insts {
			if i.Block() == nil {
				continue
			}
			if a.unmatched[i] && s.looksFor(i) {
				s.distrust(a.p, a.rc, i, k)
			}
			s.updateInner(a.lending, i)
		}
	}
}

// downwards goes through the parts of a region along the control flow.
func (a *arcSequences) downwards(r *arcRegion) bool {
	nested := false
	for _, part := range r.parts {
		if part.leaks {
			continue
		}
		first := true
		for _, p := range part.preds {
			if isWayBack(p, part) {
				part.down.clear()
				break
			}
			if first {
				part.down.copyFrom(&p.down)
				first = false
				continue
			}
			part.down.meet(&p.down)
		}
		if part.loop == nil {
			if a.blockDown(part) {
				nested = true
			}
		} else if len(part.preds) == 1 {
			a.applyLoop(part, &part.down)
		} else {
			part.down.clear()
		}
	}
	return nested
}

// blockDown runs over the instructions of a region in order and pairs releases with the retains above them. It reports whether a retain was met
// while another one of the same object was open.
func (a *arcSequences) blockDown(r *arcRegion) bool {
	nested := false
	if r.block == a.f.Entry() {
		for _, v := range r.block.Args {
			if isOwnedParam(v) {
				if own := a.follow(&r.down, v, false, arcRetained); own != nil {
					own.beginFresh(v)
				}
			}
		}
	}
	w := newARCWaiting(&r.down)
	for _, i := range r.insts {
		var own *arcState
		switch {
		case facts.IsRetain(i):
			root := a.rc.Root(i.Arg(0))
			own = a.follow(&r.down, root, false, arcRetained)
			if own.begin(i, root) {
				nested = true
			}
		case facts.IsRelease(i):
			own = a.follow(&r.down, a.rc.Root(i.Arg(0)), false, arcBoth)
			if own != nil && own.matches() {
				a.byRelease.set(i, *own)
				own.clear()
			} else if _, ok := a.byRelease.at[i]; !ok {
				a.distrust(&r.down, i, own)
			}
		case isPoolCall(i):
			r.down.clear()
			w = arcWaiting{}
			continue
		case i.Op == op.AllocRef, i.Op == op.AllocRefDynamic, i.Op == op.AllocBox, i.Op == op.PartialApply, i.Op == op.Apply && isFreshCall(i):
			if own = a.follow(&r.down, i.Result(), false, arcRetained); own != nil {
				own.beginFresh(i.Result())
			}
		}
		w.step(a.lending, i, own)
	}
	return nested
}
