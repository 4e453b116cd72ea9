package verify

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// call warns of what the function called, and the closures that it gets, access of captured variables while the accesses in open are in
// progress. site is a call, or a closure that one gets; seen holds the closures that were looked at.
func (e *exclusivity) call(site *ir.Inst, open []formalAccess, seen map[*ir.Inst]bool) {
	if f := calleeBehind(site); f != nil {
		for n := 1; n < len(site.Operands); n++ {
			e.captured(capture{f, facts.CalleeArg(site, n)}, site.Arg(n), open)
		}
	}
	var found []*ir.Inst
	for n := 1; n < len(site.Operands); n++ {
		if v := site.Arg(n); isNoescape(v.Type) {
			found = closuresBehind(v, found)
		}
	}
	for _, closure := range closuresBehind(site.Arg(0), found) {
		if !seen[closure] {
			seen[closure] = true
			e.call(closure, open, seen)
		}
	}
}

// captured warns when what happens to a captured variable conflicts with an access in progress: of several such accesses of the one to the
// largest part.
func (e *exclusivity) captured(c capture, v *ir.Value, open []formalAccess) {
	list := e.summary(c)
	if len(list) == 0 {
		return
	}
	storage, ok := e.storage(v)
	if !ok {
		return
	}
	var first *formalAccess
	var worst formalAccess
	for _, a := range list {
		a.storage = storage
		if x := e.conflict(open, a); x != nil && (first == nil || e.comparePart(a.part, worst.part) < 0) {
			first, worst = x, a
		}
	}
	if first != nil {
		e.warn(first, &worst)
	}
}

// comparePart orders parts of a variable: the larger one first, then by the innermost field.
func (e *exclusivity) comparePart(a, b []*ir.Inst) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	for n := len(a) - 1; n >= 0; n-- {
		if d := facts.FieldNumber(e.prog.Mod, a[n]) - facts.FieldNumber(e.prog.Mod, b[n]); d != 0 {
			return d
		}
	}
	return 0
}

// isNoescape reports whether values of a type are functions, or optional ones, that can't outlive the call that gets them.
func isNoescape(t *ir.Type) bool {
	t = t.Object()
	if fn := t.Func; fn != nil {
		return fn.Noescape
	}
	return t.Kind == ir.KindNominal && len(t.Args) == 1 && t.Args[0].Func != nil && t.Args[0].Func.Noescape
}

// maxConversions bounds how often a function may be converted before it is called; code that is never reached may convert in a circle.
const maxConversions = 100

// calleeBehind returns the function that a call or closure names, through conversions; nil when it is computed.
func calleeBehind(site *ir.Inst) *ir.Function {
	v := site.Arg(0)
	for range maxConversions {
		i := v.Inst()
		if i == nil {
			return nil
		}
		switch i.Op {
		case op.FunctionRef:
			if aux, ok := i.Aux.(*ir.SymbolAux); ok {
				return aux.Func
			}
			return nil
		case op.ThinToThickFunction, op.ConvertFunction, op.ConvertEscapeToNoescape:
			v = i.Arg(0)
		default:
			return nil
		}
	}
	return nil
}

// closuresBehind adds to list the instructions that make the closures that a function value may be.
func closuresBehind(v *ir.Value, list []*ir.Inst) []*ir.Inst {
	work := worklist.Of(v)
	for v := range work.All() {
		i := v.Inst()
		switch {
		case i == nil:
			work.Push(incoming(v)...)
		case i.Op == op.PartialApply:
			if thunk := calleeBehind(i); thunk != nil && thunk.Attrs.Has(ir.AttrReabstractionThunk) && len(i.Operands) == 2 {
				work.Push(i.Arg(1))
			} else if !slices.Contains(list, i) {
				list = append(list, i)
			}
		case i.Op == op.InitBlockStorageHeader:
			work.Push(storedInBlock(i.Arg(0))...)
		case passesClosure(i.Op) && len(i.Operands) > 0:
			work.Push(i.Arg(0))
		}
	}
	return list
}

// passesClosure reports whether the result of an instruction is the function that its first operand is.
func passesClosure(o op.Op) bool {
	switch o {
	case op.BeginBorrow, op.CopyValue, op.MoveValue, op.ConvertFunction, op.ConvertEscapeToNoescape, op.ThinToThickFunction, op.MarkDependence,
		op.CopyBlock, op.CopyBlockWithoutEscaping, op.Enum, op.UncheckedEnumData, op.MarkUninitialized:
		return true
	}
	return false
}

// incoming lists the values that a block argument gets from the branches to it; none when the block is an entry or gets it otherwise.
func incoming(arg *ir.Value) []*ir.Value {
	var list []*ir.Value
	b := arg.Block()
	if b == nil {
		return nil
	}
	for _, from := range b.Func.Blocks {
		last := from.Last()
		for _, e := range last.Succs {
			if e.To == b && arg.Index() < e.N {
				list = append(list, last.Arg(e.First+arg.Index()))
			}
		}
	}
	return list
}

// storedInBlock lists the closures that are stored in the storage of a block.
func storedInBlock(storage *ir.Value) []*ir.Value {
	var list []*ir.Value
	for use := range storage.Uses() {
		if p := use.User(); p.Op == op.ProjectBlockStorage {
			for x := range p.Result().Uses() {
				if x.User().Op == op.Store && x.Number() == 1 {
					list = append(list, x.User().Arg(0))
				}
			}
		}
	}
	return list
}
