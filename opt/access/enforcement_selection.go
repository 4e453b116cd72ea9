package access

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// AccessEnforcementSelection decides how accesses are checked of which SILGen left it open (docs/SIL.rst, begin_access; Swift's ownership manifesto, The
// Law of Exclusivity): statically where the variable can't be accessed from elsewhere, at run time where it may have escaped into a closure.
//
//	%1 = project_box %0, 0                         %1 = project_box %0, 0
//	%2 = begin_access [read] [unknown] %1     ⇒    %2 = begin_access [read] [static] %1
//	…  = partial_apply %f(%0)                      …  = partial_apply %f(%0)
//	%3 = begin_access [modify] [unknown] %1        %3 = begin_access [modify] [dynamic] %1
//
// A closure that doesn't escape gets captured variables as @inout_aliasable arguments: it checks at run time what has escaped otherwise when the closure
// may run.
var AccessEnforcementSelection = &pass.Pass{
	Name: "access-enforcement-selection",
	Doc:  "Decides whether accesses are checked statically or at run time",
	Module: func(c *pass.Context) bool {
		s := &enforcementSelector{c: c, boxes: map[*ir.Inst]*boxEscapes{}, dynamic: map[*ir.Value]bool{}, passed: map[*ir.Value][]*ir.Value{}}
		for _, f := range c.Module.Functions() {
			for i := range f.Insts() {
				s.captures(i)
			}
		}
		s.propagate()
		changed := false
		for _, f := range c.Module.Functions() {
			for i := range f.Insts() {
				if i.Op == op.BeginAccess && i.Has(op.QualUnknown) {
					changed = true
					setEnforcement(i, s.enforcement(i))
				}
			}
		}
		return changed
	},
}

// enforcementSelector knows what may be accessed through several names.
type enforcementSelector struct {
	c     *pass.Context
	boxes map[*ir.Inst]*boxEscapes
	// dynamic are the @inout_aliasable arguments whose variable has escaped, passed the arguments that are passed on to which others.
	dynamic map[*ir.Value]bool
	passed  map[*ir.Value][]*ir.Value
	work    []*ir.Value
}

// accessSource is the variable at an address: box is its alloc_box, arg the argument that it came in by. Neither is set when it is clear by itself
// whether the access is static.
type accessSource struct {
	box    *ir.Inst
	arg    *ir.Value
	static bool
}

func accessSourceOf(address *ir.Value) accessSource {
	for {
		i := address.Inst()
		if i == nil {
			if address.IsUndef() {
				return accessSource{static: true}
			}
			return argumentSource(address)
		}
		switch i.Op {
		case op.MarkUninitialized, op.MarkUnresolvedNonCopyableValue, op.BeginAccess, op.CopyableToMoveonlywrapperAddr, op.MoveonlywrapperToCopyableAddr,
			op.DropDeinit:
			address = i.Arg(0)
		case op.ProjectBox:
			return accessSource{box: allocatedBox(i.Arg(0))}
		default:
			return accessSource{static: i.Op == op.AllocStack}
		}
	}
}

func argumentSource(v *ir.Value) accessSource {
	if v.Block() != v.Block().Func.Entry() {
		return accessSource{}
	}
	switch facts.EntryConv(v.Block().Func, v.Index()) {
	case facts.ConvInoutAliasable:
		return accessSource{arg: v}
	case facts.ConvNone:
		return accessSource{}
	}
	return accessSource{static: true}
}

// allocatedBox returns the alloc_box of a box that nobody copied in between, nil when there is none.
func allocatedBox(box *ir.Value) *ir.Inst {
	for i := box.Inst(); i != nil; i = i.Arg(0).Inst() {
		switch i.Op {
		case op.AllocBox:
			return i
		case op.BeginBorrow, op.MarkUninitialized:
		default:
			return nil
		}
	}
	return nil
}

// captures notes the variables that a call or closure gets as @inout_aliasable arguments.
func (s *enforcementSelector) captures(i *ir.Inst) {
	if !facts.IsApply(i) {
		return
	}
	f := facts.StaticCallee(i)
	if f == nil || len(f.Blocks) == 0 {
		return
	}
	for n := 1; n < len(i.Operands); n++ {
		if !i.Arg(n).Type.IsAddress() || facts.CallConv(i, n) != facts.ConvInoutAliasable {
			continue
		}
		k := facts.CalleeArg(i, n)
		if k < 0 || k >= len(f.Entry().Args) {
			continue
		}
		to, from := f.Entry().Args[k], accessSourceOf(i.Arg(n))
		switch {
		case from.static:
		case from.arg != nil:
			s.passed[from.arg] = append(s.passed[from.arg], to)
		case from.box == nil || s.hasEscapedWhenCalled(s.escapesOf(from.box), i):
			s.setDynamic(to)
		}
	}
}

func (s *enforcementSelector) setDynamic(arg *ir.Value) {
	if !s.dynamic[arg] {
		s.dynamic[arg] = true
		s.work = append(s.work, arg)
	}
}

// propagate hands on what has escaped to the closures that get it from closures.
func (s *enforcementSelector) propagate() {
	for arg := range worklist.Drain(&s.work) {
		for _, to := range s.passed[arg] {
			s.setDynamic(to)
		}
	}
}

// hasEscapedWhenCalled reports whether the box has escaped at a call, or where a closure is used.
func (s *enforcementSelector) hasEscapedWhenCalled(e *boxEscapes, i *ir.Inst) bool {
	if i.Op != op.PartialApply {
		return e.before(i)
	}
	seen := map[*ir.Inst]bool{i: true}
	work := []*ir.Inst{i}
	for i := range worklist.Drain(&work) {
		for _, r := range i.Results {
			for x := range r.Uses() {
				u := x.User()
				if seen[u] {
					continue
				}
				seen[u] = true
				if facts.IsFullApply(u) {
					if e.before(u) {
						return true
					}
				} else {
					work = append(work, u)
				}
			}
		}
	}
	return false
}

// enforcement says how an access is to be checked.
func (s *enforcementSelector) enforcement(access *ir.Inst) op.Qual {
	from := accessSourceOf(access.Arg(0))
	switch {
	case from.static, from.arg != nil && !s.dynamic[from.arg]:
		return op.QualStatic
	case from.box != nil && !s.escapesOf(from.box).during(access):
		return op.QualStatic
	}
	return op.QualDynamic
}

func (s *enforcementSelector) escapesOf(box *ir.Inst) *boxEscapes {
	e := s.boxes[box]
	if e == nil {
		e = newBoxEscapes(box)
		s.boxes[box] = e
	}
	return e
}

// boxEscapes are the places at which a box may get other names.
type boxEscapes struct {
	insts  map[*ir.Inst]bool
	blocks map[*ir.Block]bool // it has escaped where they begin
}

func newBoxEscapes(box *ir.Inst) *boxEscapes {
	e := &boxEscapes{insts: map[*ir.Inst]bool{}, blocks: map[*ir.Block]bool{}}
	e.collect(box.Result())
	var work []*ir.Block
	for i := range e.insts {
		work = append(work, i.Block())
	}
	for b := range worklist.Drain(&work) {
		for _, to := range rewrite.Successors(b) {
			if !e.blocks[to] {
				e.blocks[to] = true
				work = append(work, to)
			}
		}
	}
	return e
}

func (e *boxEscapes) collect(box *ir.Value) {
	for x := range box.Uses() {
		switch i := x.User(); i.Op {
		case op.BeginBorrow, op.MarkUninitialized:
			e.collect(i.Result())
		case op.ProjectBox, op.StrongRetain, op.StrongRelease, op.DestroyValue, op.DeallocBox, op.EndBorrow:
		default:
			e.insts[i] = true
		}
	}
}

// before reports whether the box may have escaped before an instruction.
func (e *boxEscapes) before(i *ir.Inst) bool {
	if len(e.insts) == 0 {
		return false
	}
	if e.blocks[i.Block()] {
		return true
	}
	for x := i.Prev(); x != nil; x = x.Prev() {
		if e.insts[x] {
			return true
		}
	}
	return false
}

// during reports whether the box may have escaped before an access ends.
func (e *boxEscapes) during(access *ir.Inst) bool {
	if len(e.insts) == 0 {
		return false
	}
	if e.before(access) {
		return true
	}
	return !cfg.WalkPathsAfter(access, func(i *ir.Inst) cfg.Path {
		switch {
		case e.insts[i]:
			return cfg.Fail
		case i.Op == op.EndAccess && i.Arg(0) == access.Result():
			return cfg.EndPath
		}
		return cfg.Follow
	})
}
