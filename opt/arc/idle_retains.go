package arc

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
)

// IdleRetains removes a retain of the storage of an array, and the releases that follow on all paths, where nothing between them uses it:
//
//	%1 = load %0                                 %1 = load %0
//	%2 = load %element of %1                     %2 = load %element of %1
//	strong_retain %1                       ⇒     …
//	…  // %1 is not used                         –
//	strong_release %1
//
// Such a retain is what is left of a temporary that ends with its statement. Without it the storage may die earlier, or be found to have one
// reference, where it had two: nobody can tell, if its elements need no deinit. So every use of it has to be known: only its parts are read.
var IdleRetains = &pass.Pass{
	Name:  "arc-idle-retains",
	Doc:   "Removes retains and releases of arrays that are not used between them",
	Needs: [][]op.Op{{op.StrongRetain, op.RetainValue}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		if f.IsOSSA() {
			return false
		}
		r := &idleRetains{c: c, f: f, types: c.Types(f), rc: c.RCIdentity(f), preds: cfg.NewPredecessors(f)}
		changed := false
		for _, b := range f.Blocks {
			for _, i := range b.InstList() {
				if i.Block() != nil && facts.IsRetain(i) {
					changed = r.remove(i) || changed
				}
			}
		}
		return changed
	},
}

// maxIdleBlocks bounds how far the releases may be.
const maxIdleBlocks = 64

type idleRetains struct {
	c     *pass.Context
	f     *ir.Function
	types *facts.Types
	rc    *facts.RCIdentity
	preds *cfg.Predecessors
}

// isPlainArray reports whether a reference is to the storage of an array whose elements need no deinit.
func (r *idleRetains) isPlainArray(v *ir.Value) bool {
	i := v.Inst()
	if i == nil || i.Op != op.Load {
		return false
	}
	field := facts.DefinedBy(i.Arg(0), op.StructElementAddr)
	if field == nil {
		return false
	}
	t := field.Arg(0).Type.Object()
	return t.Known() == ir.KnownContiguousArrayBuffer && len(t.Args) == 1 && !t.HasParams() && r.types.IsTrivial(t.Args[0])
}

// remove removes a retain with its releases.
func (r *idleRetains) remove(retain *ir.Inst) bool {
	root := r.rc.Root(retain.Arg(0))
	if !r.isPlainArray(root) {
		return false
	}
	uses := map[*ir.Inst]bool{}
	if !readOnlyUses(root, uses, 0) {
		return false
	}
	releases, ok := r.releasesAfter(retain, root, uses)
	if !ok || !r.onlyAfter(retain, releases) {
		return false
	}
	r.c.Passed(r.f, retain, "removed the retain of an array that is not used up to its release")
	for _, i := range releases {
		i.Remove()
	}
	retain.Remove()
	return true
}

// readOnlyUses gathers the instructions that use what a reference refers to; false when one of them does more than to read its parts.
func readOnlyUses(v *ir.Value, uses map[*ir.Inst]bool, depth int) bool {
	if depth > 16 {
		return false
	}
	for u := range v.Uses() {
		i := u.User()
		switch i.Op {
		case op.StrongRetain, op.StrongRelease, op.RetainValue, op.ReleaseValue, op.DebugValue:
			continue
		case op.RefElementAddr, op.RefTailAddr, op.StructElementAddr, op.TupleElementAddr, op.IndexAddr, op.Upcast, op.Struct, op.StructExtract:
			if i.Op == op.IndexAddr && u.Number() != 0 || !readOnlyUses(i.Result(), uses, depth+1) {
				return false
			}
		case op.Load:
			uses[i] = true
		default:
			return false
		}
	}
	return true
}

// releasesAfter walks on all paths from a retain to the first release; false when a path has none, or there is a use or another retain in front.
func (r *idleRetains) releasesAfter(retain *ir.Inst, root *ir.Value, uses map[*ir.Inst]bool) (releases []*ir.Inst, ok bool) {
	blocks := 0
	ok = cfg.WalkPathsAfter(retain, func(i *ir.Inst) cfg.Path {
		switch {
		case uses[i], facts.IsRetain(i) && r.rc.Root(i.Arg(0)) == root, root.Inst() == i:
			return cfg.Fail
		case facts.IsRelease(i) && r.rc.Root(i.Arg(0)) == root:
			releases = append(releases, i)
			return cfg.EndPath
		case !i.Op.IsTerminator():
			return cfg.Follow
		}
		if blocks++; blocks > maxIdleBlocks || len(i.Succs) == 0 && i.Op != op.Unreachable {
			return cfg.Fail
		}
		return cfg.Follow
	})
	return releases, ok && len(releases) > 0
}

// onlyAfter reports whether each path to the releases leads through the retain, and not through one of the others.
func (r *idleRetains) onlyAfter(retain *ir.Inst, releases []*ir.Inst) bool {
	stops := map[*ir.Inst]bool{}
	for _, i := range releases {
		stops[i] = true
	}
	seen := map[*ir.Block]bool{}
	var work []*ir.Inst
	for _, i := range releases {
		if i.Prev() == nil {
			work = append(work, r.lasts(i.Block(), seen)...)
		} else {
			work = append(work, i.Prev())
		}
		if i.Prev() == nil && i.Block() == r.f.Entry() {
			return false
		}
	}
	for i := range worklist.Drain(&work) {
		for i != retain {
			if stops[i] {
				return false
			}
			if i.Prev() != nil {
				i = i.Prev()
				continue
			}
			if i.Block() == r.f.Entry() || len(seen) > maxIdleBlocks {
				return false
			}
			work = append(work, r.lasts(i.Block(), seen)...)
			break
		}
	}
	return true
}

// lasts returns the ends of the predecessors of a block that were not seen.
func (r *idleRetains) lasts(b *ir.Block, seen map[*ir.Block]bool) (list []*ir.Inst) {
	for _, p := range r.preds.Blocks(b) {
		if !seen[p] {
			seen[p] = true
			list = append(list, p.Last())
		}
	}
	return list
}
