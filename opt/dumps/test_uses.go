package dumps

import (
	"errors"
	"fmt"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// liveUses notes uses in a liveness, and keeps the order in which they were found.
type liveUses struct {
	own       *facts.Ownership
	live      *facts.Liveness
	users     []*ir.Inst
	reborrows bool // a borrow goes on in a block argument
	escapes   []*ir.Inst
}

func (u *liveUses) note(i *ir.Inst, ends bool) {
	if !u.live.IsUser(i) {
		u.users = append(u.users, i)
	}
	u.live.Use(i, ends)
}

// simple notes the uses of def, of what is made of it without a copy, and the ends of borrows of these.
func (u *liveUses) simple(def *ir.Value) { u.simpleOf(def, def, map[*ir.Value]bool{}) }

func (u *liveUses) simpleOf(def, v *ir.Value, visited map[*ir.Value]bool) {
	if visited[v] {
		return
	}
	visited[v] = true
	for x := v.FirstUse(); x != nil; x = x.NextUse() {
		switch own := u.own.UseOf(x); own {
		case op.OwnershipNonUse:
		case op.OwnershipBorrow:
			u.own.ScopeEnds(x, func(end *ir.Inst) {
				u.reborrows = u.reborrows || end.Op == op.Br
				u.note(end, false)
			})
		case op.OwnershipPointerEscape:
			u.escapes = append(u.escapes, x.User())
		case op.OwnershipInteriorPointer:
			u.interior(x)
		case op.OwnershipGuaranteedForwarding:
			u.note(x.User(), false)
			u.forwarded(def, x, visited)
		case op.OwnershipTrivialUse:
			u.scopeOfAddress(x.User())
			u.note(x.User(), false)
		default:
			u.note(x.User(), facts.EndsLifetime(own) && u.own.KindOf(v) != facts.KindNone)
		}
	}
}

func (u *liveUses) forwarded(def *ir.Value, x *ir.Operand, visited map[*ir.Value]bool) {
	u.own.Forwarded(x, func(r *ir.Value) {
		if u.own.KindOf(r) == facts.KindNone {
			return
		}
		if x.User().Op == op.Br {
			for _, d := range u.own.EnclosingDefs(r) {
				if d == def {
					u.simpleOf(def, r, visited)
					return
				}
			}
			return
		}
		u.simpleOf(def, r, visited)
	})
}

// scopeOfAddress notes the ends of a store_borrow or begin_access.
func (u *liveUses) scopeOfAddress(i *ir.Inst) bool {
	end := op.EndAccess
	switch i.Op {
	case op.BeginAccess:
	case op.StoreBorrow:
		end = op.EndBorrow
	default:
		return false
	}
	for _, e := range rewrite.UsersWith(i.Result(), end) {
		u.note(e, false)
	}
	return true
}

// interior notes the uses of an address inside of a value, or where the address is made when it has none.
func (u *liveUses) interior(x *ir.Operand) {
	if u.scopeOfAddress(x.User()) {
		return
	}
	found := false
	for _, r := range x.User().Results {
		for _, use := range u.addressUses(r) {
			found = true
			u.note(use, false)
		}
	}
	if !found {
		u.note(x.User(), false)
	}
}

// addressUses lists the users of an address and of what is derived from it, in the order in which the compiler finds them.
func (u *liveUses) addressUses(v *ir.Value) []*ir.Inst {
	var found []*ir.Inst
	work := usesToVisit(v)
	for x := work.pop(); x != nil; x = work.pop() {
		i := x.User()
		switch {
		case facts.Column(i, x.Number()) == op.OwnershipNonUse:
		case i.Op == op.LoadBorrow:
			found = append(found, u.borrowedUses(i.Result())...)
		case facts.ProjectsAddress(i, x.Number()) && i.Result() != nil:
			if i.Result().FirstUse() == nil {
				found = append(found, i)
			}
			work.push(i.Result())
		case i.Op == op.AddressToPointer || i.Op == op.PartialApply || i.Op == op.Br || i.Op == op.MarkDependence:
			u.escapes = append(u.escapes, i)
			found = append(found, i)
		default:
			found = append(found, i)
		}
	}
	return found
}

// borrowedUses lists the users of a borrowed value and of what is made of it without a copy.
func (u *liveUses) borrowedUses(v *ir.Value) []*ir.Inst {
	var found []*ir.Inst
	work := usesToVisit(v)
	for x := work.pop(); x != nil; x = work.pop() {
		switch u.own.UseOf(x) {
		case op.OwnershipNonUse:
		case op.OwnershipPointerEscape:
			u.escapes = append(u.escapes, x.User())
			found = append(found, x.User())
		case op.OwnershipInteriorPointer:
			any := false
			for _, r := range x.User().Results {
				more := u.addressUses(r)
				any = any || len(more) > 0
				found = append(found, more...)
			}
			if !any {
				found = append(found, x.User())
			}
		case op.OwnershipGuaranteedForwarding:
			u.own.Forwarded(x, func(r *ir.Value) {
				if u.own.KindOf(r) == facts.KindGuaranteed {
					work.push(r)
				}
			})
			found = append(found, x.User())
		case op.OwnershipBorrow:
			u.own.ScopeEnds(x, func(end *ir.Inst) { found = append(found, end) })
		default:
			found = append(found, x.User())
		}
	}
	return found
}

// summary says why the uses that were found are not all.
func (u *liveUses) summary(t *testRun) {
	if u.reborrows {
		fmt.Fprintln(t.c.Out, "Incomplete liveness: Reborrowed inner scope")
	}
	if len(u.escapes) > 0 {
		fmt.Fprintln(t.c.Out, "Incomplete liveness: Escaping address")
	}
}

func testSSALiveness(t *testRun, v *ir.Value) error {
	u := t.liveUses()
	u.live.Define(v)
	u.simple(v)
	fmt.Fprintf(t.c.Out, "SSA lifetime analysis: %s", t.line(v))
	u.summary(t)
	t.printLiveness(u.live, u.users)
	return nil
}

// linear notes the uses that end the lifetime of v. goesOn is told of the block arguments in which it goes on.
func (u *liveUses) linear(v *ir.Value, goesOn func(phi *ir.Value)) {
	for x := v.FirstUse(); x != nil; x = x.NextUse() {
		if !facts.EndsLifetime(u.own.UseOf(x)) {
			continue
		}
		if x.User().Op == op.Br {
			goesOn(facts.ReceivedBy(x.User(), x.Number()))
		}
		u.note(x.User(), true)
	}
}

func testLinearLiveness(t *testRun, v *ir.Value) error {
	u := t.liveUses()
	u.live.Define(v)
	u.linear(v, func(*ir.Value) {})
	t.printFunction()
	fmt.Fprintf(t.c.Out, "Linear liveness: %s", t.line(v))
	t.printLiveness(u.live, u.users)
	return nil
}

func testExtendedLiveness(t *testRun, v *ir.Value) error {
	u := t.liveUses()
	var defs []*ir.Value
	seen := map[*ir.Value]bool{}
	define := func(v *ir.Value) {
		if !seen[v] {
			seen[v] = true
			defs = append(defs, v)
			u.live.Define(v)
		}
	}
	define(v)
	for n := 0; n < len(defs); n++ {
		u.linear(defs[n], define)
	}
	t.printFunction()
	fmt.Fprintf(t.c.Out, "Extended liveness: %s", t.line(v))
	t.printLiveness(u.live, u.users)
	return nil
}

// testSSAUseLiveness takes a value, the word "uses:" and pairs of an instruction and "ending" or "non-ending".
func testSSAUseLiveness(t *testRun, v *ir.Value) error {
	if err := t.takeUsesWord(); err != nil {
		return err
	}
	u := t.liveUses()
	u.live.Define(v)
	for len(t.args) > 0 {
		i, err := take[*ir.Inst](t)
		if err != nil {
			return err
		}
		kind, err := t.takeUseKind()
		if err != nil {
			return err
		}
		if kind == "non-" {
			return errors.New("silvm has no users of the kind non-use here")
		}
		u.note(i, kind == "lifetime-ending ")
	}
	t.printLiveness(u.live, u.users)
	return nil
}

func testScopedAddressLiveness(t *testRun, v *ir.Value) error {
	i := v.Inst()
	if i == nil || i.Op != op.BeginAccess && i.Op != op.StoreBorrow {
		return fmt.Errorf("it is about a begin_access or a store_borrow")
	}
	u := t.liveUses()
	u.live.Define(v)
	for _, x := range u.addressUses(v) {
		ends := (x.Op == op.EndAccess || x.Op == op.EndBorrow) && x.Arg(0) == v
		u.note(x, ends)
	}
	fmt.Fprintf(t.c.Out, "Scoped address analysis: %s", t.line(v))
	t.printLiveness(u.live, u.users)
	return nil
}

func testPointerEscape(t *testRun, v *ir.Value) error {
	fmt.Fprintf(t.c.Out, "%s%t\n", t.line(v), t.ownership().Escapes(v))
	return nil
}

func testOwnershipKind(t *testRun, v *ir.Value) error {
	fmt.Fprintf(t.c.Out, "%sOwnershipKind: %s\n", t.line(v), t.ownership().KindOf(v))
	return nil
}

// listTest is a test that prints the function, a heading and the values that belong to the one it is given.
func listTest(heading string, list func(o *facts.Ownership, v *ir.Value) []*ir.Value) func(t *testRun) error {
	return func(t *testRun) error {
		v, err := take[*ir.Value](t)
		if err != nil {
			return err
		}
		t.printFunction()
		fmt.Fprint(t.c.Out, heading)
		for _, d := range list(t.ownership(), v) {
			fmt.Fprint(t.c.Out, t.line(d))
		}
		return nil
	}
}

func testEnclosingValues(t *testRun, v *ir.Value) error {
	t.printFunction()
	fmt.Fprintf(t.c.Out, "Enclosing values for: %s", t.line(v))
	for _, d := range t.ownership().EnclosingDefs(v) {
		fmt.Fprint(t.c.Out, t.line(d))
	}
	return nil
}

func innerAdjacentPhis(o *facts.Ownership, v *ir.Value) []*ir.Value {
	var list []*ir.Value
	for _, a := range v.Block().Args {
		if a != v && o.EnclosesBeside(v, a) {
			list = append(list, a)
		}
	}
	return list
}

func (t *testRun) liveUses() *liveUses {
	return &liveUses{own: t.ownership(), live: facts.NewLiveness(rewrite.NewEditor(t.c, t.f).Preds)}
}

// takeUsesWord takes the word that stands between the values and the uses of a liveness.
func (t *testRun) takeUsesWord() error {
	if word, err := take[string](t); err != nil || word != "uses:" {
		return errors.New("the word uses: is missing")
	}
	return nil
}
