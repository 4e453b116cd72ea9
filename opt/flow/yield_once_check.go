package flow

import (
	"fmt"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// YieldOnceCheck reports accessors that return without having yielded, or yield twice:
//
//	bb0: cond_br %1, bb1, bb2        // note: missing yield when the condition is false
//	bb1: yield %0, resume bb3, unwind bb4
//	bb2: br bb5
//	bb5: return %2                   // error: accessor must yield on all paths before returning
//
// It changes nothing. Source: lib/SILOptimizer/Mandatory/YieldOnceCheck.cpp.
var YieldOnceCheck = &pass.Pass{
	Name:        "yield-once-check",
	Doc:         "Reports accessors that return without having yielded, or yield twice",
	Unoptimized: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		if f.Type.Func != nil && f.Type.Func.Coroutine == ir.YieldOnce {
			y := &yieldCheck{c: c, f: f, preds: cfg.NewPredecessors(f), state: map[*ir.Block]yieldState{}}
			y.run()
		}
		return false
	},
}

type yieldCheck struct {
	c     *pass.Context
	f     *ir.Function
	preds *cfg.Predecessors
	state map[*ir.Block]yieldState // at the beginning of blocks that were reached
}

// yieldState says whether the accessor has yielded: on no path, on all, or on some.
type yieldState struct {
	yield *ir.Inst // the yield; nil when no path has one
	// yielding and without are the predecessors by which a path with and one without a yield come in, where they meet; nil where all are alike.
	yielding, without *ir.Block
}

func (s yieldState) conflicts() bool { return s.yielding != nil }

// run follows the paths from the entry, shorter ones first.
func (y *yieldCheck) run() {
	y.state[y.f.Entry()] = yieldState{}
	queue := []*ir.Block{y.f.Entry()}
	var never *ir.Inst // a return without a yield
	for len(queue) > 0 {
		b := queue[0]
		queue = queue[1:]
		in := y.state[b]
		out, term := in, b.Last()
		switch {
		case term.Op == op.Return && in.conflicts():
			y.c.Diagnose(term, "error", "accessor must yield on all paths before returning")
			y.noteBranch(in)
			return
		case term.Op == op.Return && in.yield == nil:
			if never == nil {
				never = term
			}
			continue
		case term.Op == op.Yield && in.yield != nil:
			y.c.Diagnose(term, "error", "accessor must not yield more than once")
			y.c.Diagnose(in.yield, "note", "previous yield was here")
			return
		case term.Op == op.Yield:
			out = yieldState{yield: term}
		}
		for _, e := range term.Succs {
			old, seen := y.state[e.To]
			met := out
			if seen {
				if met = y.meet(e.To, old, out, b); met == old {
					continue
				}
			}
			y.state[e.To] = met
			queue = append(queue, e.To)
		}
	}
	if never != nil {
		y.c.Diagnose(never, "error", "accessor must yield before returning")
	}
}

// meet returns what holds in a block that was reached with the state old and is reached from another one with the state now.
func (y *yieldCheck) meet(b *ir.Block, old, now yieldState, from *ir.Block) yieldState {
	switch {
	case old.conflicts() || !now.conflicts() && (old.yield == nil) == (now.yield == nil):
		return old
	case now.conflicts():
		return now
	}
	other := from
	for _, p := range y.preds.Of(b) {
		if _, seen := y.state[p]; seen && p != from {
			other = p
			break
		}
	}
	if old.yield == nil {
		return yieldState{now.yield, from, other}
	}
	return yieldState{old.yield, other, from}
}

// before lists the blocks from which a block is reached, itself first and nearer ones before others.
func (y *yieldCheck) before(b *ir.Block) (list []*ir.Block) {
	seen := map[*ir.Block]bool{b: true}
	queue := []*ir.Block{b}
	for len(queue) > 0 {
		b := queue[0]
		queue = queue[1:]
		if _, reached := y.state[b]; reached {
			list = append(list, b)
		}
		for _, p := range y.preds.Of(b) {
			if !seen[p] {
				seen[p] = true
				queue = append(queue, p)
			}
		}
	}
	return list
}

// noteBranch says at which branch the path without a yield leaves the one with it.
func (y *yieldCheck) noteBranch(s yieldState) {
	yielding, without := map[*ir.Block]bool{}, map[*ir.Block]bool{}
	for _, b := range y.before(s.yielding) {
		yielding[b] = true
	}
	for _, b := range y.before(s.without) {
		if !yielding[b] {
			without[b] = true
			continue
		}
		for n, e := range b.Last().Succs {
			if without[e.To] {
				y.note(b.Last(), n)
				return
			}
		}
		return
	}
}

// note says on which edge of a branch the yield is missing.
func (y *yieldCheck) note(br *ir.Inst, n int) {
	to := br.Succs[n].To
	switch br.Op {
	case op.CondBr:
		y.c.Diagnose(br, "note", "missing yield when the condition is "+[]string{"true", "false"}[n])
	case op.TryApply:
		y.c.Diagnose(br, "note", "missing yield when error is "+[]string{"not ", ""}[n]+"thrown")
	case op.SwitchEnum, op.SwitchEnumAddr:
		which := "this"
		if m := br.Aux.(*ir.CaseAux).Cases[n]; m != nil {
			which = "'" + m.Name + "'"
			if br.Arg(0).Type.Object().IsOptional() {
				which = map[string]string{ir.CaseNone: "the nil", ir.CaseSome: "the non-nil"}[m.Name]
			} else {
				which = "the " + which
			}
		}
		y.c.Diagnose(to.First(), "note", "missing yield in "+which+" case")
	case op.SwitchValue:
		which := "this"
		if n+1 < len(br.Operands) {
			which = "the " + ordinal(n+1)
		}
		y.c.Diagnose(to.First(), "note", "missing yield in "+which+" case")
	}
}

// ordinal returns 1st, 2nd, 3rd, 4th, …
func ordinal(n int) string {
	suffix := "th"
	if n/10%10 != 1 && n%10 <= 3 {
		suffix = [...]string{"th", "st", "nd", "rd"}[n%10]
	}
	return fmt.Sprintf("%d%s", n, suffix)
}
