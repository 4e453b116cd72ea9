package ossa

import (
	"slices"
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// DestroyAddrHoisting moves the destroys of memory that only one address leads to backward to its last uses, and makes takes of the
// copies that they then follow. First it splits assignments, to have more destroys that move; those that did not move join again.
//
//	%1 = load [copy] %0                 %1 = load [take] %0
//	…                            ⇒      …
//	destroy_addr %0
var DestroyAddrHoisting = &pass.Pass{
	Name: "destroy-addr-hoisting",
	Doc:  "Moves destroys of memory to its last uses",
	Function: func(c *pass.Context, f *ir.Function) bool {
		if !f.IsOSSA() {
			return false
		}
		h := &destroyHoister{Editor: rewrite.NewEditor(c, f), prog: c.Program(f), kept: map[*ir.Inst]bool{}}
		return h.run()
	},
}

type destroyHoister struct {
	*rewrite.Editor
	prog    *facts.Program
	kept    map[*ir.Inst]bool // the destroys split off assignments that still stand
	changed bool
}

// run hoists the destroys of stack slots, accesses for modification and address arguments. Assignments are split into a destroy and an
// initialization for that long, and joined again where the destroy did not move.
func (h *destroyHoister) run() bool {
	var stacks, accesses, stores, copies []*ir.Inst
	for _, b := range h.Func.Blocks {
		for _, i := range b.InstList() {
			switch {
			case i.Op == op.AllocStack:
				stacks = append(stacks, i)
			case i.Op == op.BeginAccess && i.Has(op.QualModify):
				accesses = append(accesses, i)
			case i.Op == op.Store && i.Has(op.QualAssign):
				stores = append(stores, i)
			case i.Op == op.CopyAddr && !i.Has(op.QualInit):
				copies = append(copies, i)
			}
		}
	}
	assignments := append(stores, copies...)
	destroys := map[*ir.Inst]*ir.Inst{}
	for _, i := range assignments {
		d := rewrite.Emit(h.Before(i), op.DestroyAddr, i.Arg(1))
		destroys[i], h.kept[d] = d, true
		i.Quals = i.Quals.Without(op.QualAssign).With(op.QualInit)
	}
	for _, i := range slices.Backward(accesses) {
		h.hoist(i.Result(), true)
	}
	for _, i := range stacks {
		h.hoist(i.Result(), !i.Has(op.QualLexical))
	}
	for n, v := range h.Func.Entry().Args {
		if v.Type.IsAddress() {
			h.hoist(v, facts.EntryConv(h.Func, n) == facts.ConvInout)
		}
	}
	for _, i := range assignments {
		if d := destroys[i]; !h.kept[d] || d.Next() != i {
			h.changed = true
			continue
		}
		destroys[i].Remove()
		i.Quals = i.Quals.Without(op.QualInit)
		if i.Op == op.Store {
			i.Quals = i.Quals.With(op.QualAssign)
		}
	}
	return h.changed
}

// storageUses are the uses of a storage with one root address.
type storageUses struct {
	users    map[*ir.Inst]bool
	destroys []*ir.Inst
	debug    map[*ir.Inst]bool
}

// find collects the uses of an address; exact reports whether it is all of the storage. It is false when one is unknown.
func (s *storageUses) find(v *ir.Value, exact bool) bool {
	for _, x := range v.UseList() {
		i := x.User()
		switch i.Op {
		case op.StructElementAddr, op.TupleElementAddr, op.IndexAddr, op.InitEnumDataAddr:
			if x.Number() != 0 || !s.find(i.Result(), false) {
				return false
			}
		case op.UncheckedAddrCast:
			if !s.find(i.Result(), exact) {
				return false
			}
		case op.MarkDependence:
			if x.Number() == 1 {
				s.users[i] = true
			} else if !s.find(i.Result(), exact) {
				return false
			}
		case op.BeginAccess:
			for _, e := range rewrite.UsersWith(i.Result(), op.EndAccess) {
				s.users[e] = true
			}
			if !s.find(i.Result(), exact) {
				return false
			}
		case op.EndAccess, op.DeallocStack, op.AddressToPointer:
		case op.DebugValue:
			s.debug[i] = true
		case op.DestroyAddr:
			if !exact {
				return false
			}
			s.destroys = append(s.destroys, i)
		case op.Load, op.LoadWeak, op.LoadUnowned, op.ExistentialMetatype, op.CopyAddr, op.ExplicitCopyAddr, op.InjectEnumAddr:
			s.users[i] = true
		case op.Store, op.StoreWeak, op.StoreUnowned:
			if x.Number() != 1 {
				return false
			}
			s.users[i] = true
		case op.Apply, op.TryApply, op.BeginApply:
			s.users[i] = true
			if i.Op == op.BeginApply {
				ownership.TokenUses(i, func(end *ir.Inst) { s.users[end] = true })
			}
		default:
			return false
		}
	}
	return true
}

// hoist moves the destroys of one storage. The language fixes where values that can't be copied end.
func (h *destroyHoister) hoist(root *ir.Value, overDeinits bool) {
	if facts.IsMoveOnly(h.Context.Module, root.Type.Object()) {
		return
	}
	s := &storageUses{users: map[*ir.Inst]bool{}, debug: map[*ir.Inst]bool{}}
	if !s.find(root, true) || len(s.destroys) == 0 {
		return
	}
	for _, d := range s.destroys {
		if s.users[d] {
			return
		}
	}
	def := root
	if root.IsArg() {
		def = nil
	}
	isBarrier := func(i *ir.Inst) bool {
		return !s.debug[i] && (s.users[i] || !overDeinits && h.Context.IsDeinitBarrier(i) || h.prog.DependsOnDeinit(i, root.Type))
	}
	at := h.BarriersOutsideAccesses(s.destroys, def, true, isBarrier)
	isBarrierNow := func(i *ir.Inst) bool {
		return i == root.Inst() || isBarrier(i) || at.Closed[i]
	}
	p := &destroyPlacer{destroyHoister: h, root: root, uses: s, isBarrier: isBarrierNow, reused: map[*ir.Inst]bool{}}
	for _, i := range at.Insts {
		if !i.Op.IsTerminator() {
			if !p.foldAt(i) {
				p.place(i.Next())
			}
			continue
		}
		for _, e := range i.Succs {
			p.place(e.To.First())
		}
	}
	for _, b := range at.Edges {
		p.place(b.First())
	}
	if at.Begin[h.Func.Entry()] {
		p.place(h.Func.Entry().First())
	}
	for _, i := range at.Passed {
		if s.debug[i] && i.Block() != nil {
			i.Remove()
			h.changed = true
		}
	}
	for _, d := range s.destroys {
		if !p.reused[d] {
			if !h.kept[d] {
				h.Context.Passed(h.Func, d, "destroyed the memory after its last use")
			}
			delete(h.kept, d)
			d.Remove()
			h.changed = true
		}
	}
	for _, b := range p.merges {
		p.merge(b)
	}
}

// destroyPlacer puts the destroys of one storage.
type destroyPlacer struct {
	*destroyHoister
	root      *ir.Value
	uses      *storageUses
	isBarrier func(i *ir.Inst) bool
	reused    map[*ir.Inst]bool
	merges    []*ir.Block
}

// place puts a destroy before i, unless one is there.
func (p *destroyPlacer) place(i *ir.Inst) {
	if i.Op == op.Br {
		if b := i.Succs[0].To; !slices.Contains(p.merges, b) {
			p.merges = append(p.merges, b)
		}
	}
	if i.Op == op.DestroyAddr && slices.Contains(p.uses.destroys, i) {
		p.reused[i] = true
		return
	}
	rewrite.Emit(p.Before(i), op.DestroyAddr, p.root)
	p.changed = true
}

// merge replaces destroys at the ends of all predecessors by one.
func (p *destroyPlacer) merge(b *ir.Block) {
	var dead []*ir.Inst
	for _, from := range p.Preds(b) {
		d := from.Terminator().Prev()
		if d == nil || d.Op != op.DestroyAddr || d.Arg(0) != p.root {
			return
		}
		dead = append(dead, d)
	}
	if len(dead) < 2 {
		return
	}
	rewrite.Emit(p.Before(b.First()), op.DestroyAddr, p.root)
	for _, d := range dead {
		delete(p.kept, d)
		d.Remove()
	}
	p.changed = true
}

// foldAt makes takes of the copies that a barrier is or ends.
func (p *destroyPlacer) foldAt(i *ir.Inst) bool {
	if i.Op == op.EndAccess {
		begin := i.Arg(0).Inst()
		if begin == nil || StripAccesses(i.Arg(0)) != StripAccesses(p.root) {
			return false
		}
		for x := i.Prev(); x != nil && x != begin; x = x.Prev() {
			if p.uses.users[x] || p.isBarrier(x) {
				return p.fold(x)
			}
		}
	}
	return p.fold(i)
}

// StripAccesses returns the address that accesses are of.
func StripAccesses(v *ir.Value) *ir.Value {
	for v.Inst() != nil && v.Inst().Op == op.BeginAccess {
		v = v.Inst().Arg(0)
	}
	return v
}

// fold makes takes of the copies of all that the memory consists of, which lie together before i or at it.
func (p *destroyPlacer) fold(i *ir.Inst) bool {
	if base := StripAccesses(p.root); !base.IsArg() && (base.Inst() == nil || base.Inst().Op != op.AllocStack) {
		return false
	}
	parts := map[string]bool{}
	p.leaves(p.root.Type.Object(), "", 0, func(path string) { parts[path] = true })
	if len(parts) == 0 {
		return false
	}
	var takes []*ir.Inst
	var trivial []string // paths of parts without reference counts that are read after what would become a take
	for ; i != nil && len(parts) > 0; i = i.Prev() {
		if !(i.Op == op.Load || i.Op == op.CopyAddr) {
			if p.isBarrier(i) {
				return false
			}
			continue
		}
		path, sameLayout, inside := p.pathOf(i.Arg(0))
		if !inside {
			if p.isBarrier(i) {
				return false
			}
			continue
		}
		if !sameLayout || i.Op == op.Load && !i.Has(op.QualCopy) {
			return false
		}
		if i.Op == op.CopyAddr && i.Has(op.QualTake) {
			return false
		}
		if p.Types.IsTrivial(i.Arg(0).Type.Object()) {
			trivial = append(trivial, path)
			continue
		}
		if slices.ContainsFunc(trivial, func(read string) bool { return strings.HasPrefix(read+".", path+".") }) {
			return false
		}
		takes = append(takes, i)
		twice := false
		p.leaves(i.Arg(0).Type.Object(), path, 0, func(path string) {
			if !parts[path] {
				twice = true
			}
			delete(parts, path)
		})
		if twice {
			return false
		}
	}
	if len(parts) > 0 {
		return false
	}
	for _, x := range takes {
		p.Context.Passed(p.Func, x, "took the memory instead of copying and destroying it")
		x.Quals = x.Quals.Without(op.QualCopy).With(op.QualTake)
	}
	p.changed = true
	return true
}

// maxLeafDepth bounds how deep types nest.
const maxLeafDepth = 20

// leaves tells of the parts of a type that are not trivial and not made of parts.
func (p *destroyPlacer) leaves(t *ir.Type, path string, depth int, visit func(path string)) {
	if fields, ok := p.Types.FieldTypes(t); ok && len(fields) > 0 && depth < maxLeafDepth {
		for n, f := range fields {
			p.leaves(f, path+"."+strconv.Itoa(n), depth+1, visit)
		}
		return
	}
	if !p.Types.IsTrivial(t) {
		visit(path)
	}
}

// pathOf returns where in the storage an address lies; sameLayout is false when it was cast to another type or is that of a payload.
func (p *destroyPlacer) pathOf(v *ir.Value) (path string, sameLayout, inside bool) {
	sameLayout = true
	for v != p.root {
		i := v.Inst()
		if i == nil {
			return "", false, false
		}
		switch i.Op {
		case op.StructElementAddr, op.TupleElementAddr:
			path = "." + strconv.Itoa(facts.FieldNumber(p.Context.Module, i)) + path
		case op.BeginAccess, op.MarkDependence:
		case op.InitEnumDataAddr, op.UncheckedAddrCast, op.IndexAddr:
			sameLayout = false
		default:
			return "", false, false
		}
		v = i.Arg(0)
	}
	return path, sameLayout, true
}
