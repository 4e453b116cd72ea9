package access

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// AccessEnforcementDom takes the check at run time from accesses to a variable that was accessed before on all paths, if nothing conflicts inside
// (docs/SIL.rst, begin_access; the compiler's AccessEnforcementDom describes the algorithm): what it would conflict with, the first one met too.
//
//	%1 = begin_access [read] [dynamic] [no_nested_conflict] %0       %1 = begin_access [modify] [dynamic] [no_nested_conflict] %0
//	end_access %1                                                    end_access %1
//	…                                                           ⇒    …
//	%2 = begin_access [modify] [dynamic] [no_nested_conflict] %0     %2 = begin_access [modify] [static] [no_nested_conflict] %0
//
// An access in a loop is checked before the loop. A check becomes stronger, or moves, only to where the access comes for sure: the compiler
// doesn't ask, and lets programs trap that access nothing twice.
var AccessEnforcementDom = &pass.Pass{
	Name: "access-enforcement-dom",
	Doc:  "Checks accesses once that come after others to the same variable",
	Function: func(c *pass.Context, f *ir.Function) bool {
		d := &dominatedAccesses{c: c, f: f, p: c.Program(f), calls: facts.FormalAccessAnalysis{Program: c.Program(f)}, storage: map[*ir.Inst]*facts.AccessStorage{},
			effects: map[*ir.Inst]*facts.FormalAccesses{}, inner: map[*ir.Inst]bool{}, reads: map[*ir.Inst]bool{}}
		return d.run()
	},
}

// dominatedAccesses is the pass on one function.
type dominatedAccesses struct {
	c     *pass.Context
	f     *ir.Function
	p     *facts.Program
	calls facts.FormalAccessAnalysis

	storage map[*ir.Inst]*facts.AccessStorage
	effects map[*ir.Inst]*facts.FormalAccesses // of coroutines that are under way
	inner   map[*ir.Inst]bool                  // another access is open that may be to the same variable
	reads   map[*ir.Inst]bool                  // another access inside reads what may be the same variable
	ends    map[*ir.Block]*openAccesses
	checks  []*ir.Inst // accesses that are checked, those that dominate others first

	dom   *cfg.Dominators
	post  *cfg.PostDominators
	loops *cfg.Loops
}

func (d *dominatedAccesses) run() bool {
	n := 0
	for i := range d.f.Insts() {
		if i.Op == op.BeginAccess || i.Op == op.BeginUnpairedAccess {
			s := d.p.AccessStorage(i.Arg(0))
			d.storage[i] = &s
			n++
		}
	}
	if n == 0 || n > maxOptimizedAccesses {
		return false
	}
	d.ends = solveAccesses(d.c, d.f, d.visit)
	d.dom, d.post = d.c.Dominators(d.f), cfg.NewPostDominators(d.f)
	d.loops = cfg.FindLoops(d.dom)
	changed := false
	for _, b := range d.dom.Order {
		for _, i := range b.InstList() {
			if isCheckedAccess(i) && d.storage[i].IsIdentified() {
				changed = d.access(i) || changed
			}
		}
	}
	return changed
}

// visit goes over one instruction.
func (d *dominatedAccesses) visit(s *openAccesses, i *ir.Inst, last bool) {
	switch {
	case i.Op == op.BeginAccess, i.Op == op.BeginUnpairedAccess:
		for _, a := range s.open {
			if d.mayMeet(a, d.storage[i]) {
				d.inner[i] = true
				d.reads[a] = d.reads[a] || facts.AccessKindOf(i) == facts.AccessRead
			}
		}
		s.begin(i)
	case i.Op == op.BeginApply:
		if d.effects[i] == nil {
			d.effects[i] = d.calls.OfCall(i)
		}
		s.begin(i)
	case i.Op == op.Yield:
		s.begin(i) // what the caller begins meanwhile may still be open later
	case i.Op == op.EndAccess, i.Op == op.EndApply, i.Op == op.AbortApply:
		s.end(i.Arg(0).Inst())
	}
}

// mayMeet reports whether an open access, or a coroutine under way, may be to the storage.
func (d *dominatedAccesses) mayMeet(open *ir.Inst, storage *facts.AccessStorage) bool {
	switch open.Op {
	case op.BeginApply:
	case op.Yield:
		return true
	default:
		return !d.storage[open].IsDistinct(storage)
	}
	all := d.effects[open]
	return all.Unidentified != facts.AccessNone || slices.ContainsFunc(all.List, func(x facts.FormalAccess) bool { return !x.Storage.IsDistinct(storage) })
}

// access takes the check from an access, or notes it as one that others may rely on.
func (d *dominatedAccesses) access(i *ir.Inst) bool {
	if i.Has(op.QualNoNestedConflict) && !d.inner[i] {
		if d.relyOnOther(i) || d.checkBeforeLoop(i) {
			d.c.Passed(d.f, i, "checked an access once that comes after another one")
			return setEnforcement(i, op.QualStatic)
		}
	}
	d.checks = append(d.checks, i)
	return false
}

// relyOnOther finds an access whose check is enough for this one too, or can be made so.
func (d *dominatedAccesses) relyOnOther(i *ir.Inst) bool {
	for _, a := range d.checks {
		if !d.storage[a].IsSamePart(d.storage[i]) || !d.dominates(a, i) {
			continue
		}
		if facts.AccessKindOf(a) != facts.AccessRead || facts.AccessKindOf(i) == facts.AccessRead {
			return true
		}
		if a.Has(op.QualNoNestedConflict) && !d.inner[a] && !d.reads[a] && d.post.Dominates(i.Block(), a.Block()) {
			rewrite.SetQual(a, op.QualRead, op.Qual(facts.AccessKindOf(i)))
			return true
		}
	}
	return false
}

func (d *dominatedAccesses) dominates(a, i *ir.Inst) bool {
	if a.Block() == i.Block() {
		return ownership.ComesAfter(a, i)
	}
	return d.dom.Dominates(a.Block(), i.Block())
}

// checkBeforeLoop puts an access before the loop around this one.
func (d *dominatedAccesses) checkBeforeLoop(i *ir.Inst) bool {
	l := d.loops.Of(i.Block())
	if l == nil {
		return false
	}
	to := rewrite.Preheader(d.dom, l)
	if to == nil || !d.dom.Dominates(i.Arg(0).Block(), to) || !d.post.Dominates(i.Block(), to) {
		return false
	}
	if slices.ContainsFunc(d.ends[to].open, func(a *ir.Inst) bool { return d.mayMeet(a, d.storage[i]) }) {
		return false
	}
	b := ir.At(d.c.Module, to.Last())
	b.Loc, b.Scope = i.Loc, i.Scope
	check := b.Emit(&ir.Inst{Op: op.BeginAccess, Quals: i.Quals}, i.Arg(0))
	rewrite.Emit(b, op.EndAccess, check.Result())
	d.storage[check] = d.storage[i]
	d.checks = append(d.checks, check)
	return true
}
