package facts

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// IsCopyOnWrite reports whether a type is a collection of the standard library, its storage, or an aggregate of no more that is counted. A program
// can't look at the count of such a storage: the library does, to tell whether it may write in place, and nobody sees what it decided.
func (ts *Types) IsCopyOnWrite(t *ir.Type) bool { return ts.isCopyOnWrite(t.Object(), 0) }

func (ts *Types) isCopyOnWrite(t *ir.Type, depth int) bool {
	switch t.Known() {
	case ir.KnownArray, ir.KnownContiguousArray, ir.KnownContiguousArrayBuffer, ir.KnownContiguousArrayStorage, ir.KnownContiguousArrayStorageBase,
		ir.KnownDictionary, ir.KnownDictionaryStorage, ir.KnownSet, ir.KnownSetStorage:
		return true
	}
	fields, isProduct := ts.FieldTypes(t)
	if !isProduct || depth > 8 {
		return false
	}
	some := false
	for _, f := range fields {
		switch {
		case ts.IsTrivial(f):
		case !ts.isCopyOnWrite(f, depth+1):
			return false
		default:
			some = true
		}
	}
	return some
}

// HandsOverCopy reports whether a call gets the object of v, a collection with copy on write, handed over and by no other way: all memory that
// holds one of the other references is out of its reach. Whether it finds the object to be unique is then of interest only to who uses v
// after the call.
func (p *Program) HandsOverCopy(i *ir.Inst, v *ir.Value) bool {
	if !IsFullApply(i) || !p.Types.IsCopyOnWrite(v.Type) {
		return false
	}
	n := &names{p: p, call: i, sources: worklist.Of(v), all: worklist.Of(v)}
	if !n.areMadeOutOfReach() {
		return false
	}
	for v := range n.sources.Seen() {
		n.all.Push(v)
	}
	return n.areUsedOutOfReach() && n.handedOver == 1
}

// isOtherCollection reports whether v, a collection with copy on write that has a reference of its own, is another object than one that is written in
// place, and so has no other reference.
func (p *Program) isOtherCollection(written, v *ir.Value) bool {
	if !p.Types.IsCopyOnWrite(v.Type) || !p.Types.IsCopyOnWrite(written.Type) {
		return false
	}
	switch i := v.Inst(); {
	case i == nil && v.Block() == v.Block().Func.Entry():
		if c := ParamConvOf(v); c != ir.ParamDirectOwned && c != ir.ParamDirectGuaranteed {
			return false
		}
	case i != nil && i.Op == op.Apply:
	default:
		return false
	}
	from := &names{p: p, sources: worklist.Of(written), before: worklist.Of[*ir.Value]()}
	to := &names{p: p, all: worklist.Of(v)}
	if !from.areMadeOutOfReach() || from.sources.Has(v) || !to.areUsedOutOfReach() || to.all.Has(written) {
		return false
	}
	checked := &names{p: p, sources: from.before}
	return checked.areMadeOutOfReach() && !checked.sources.Has(v)
}

// maxNames bounds the values that are followed.
const maxNames = 64

// names are the values with the object of one, or with what it is part of.
type names struct {
	p          *Program
	call       *ir.Inst                  // nil for what may read all that is stored
	sources    *worklist.List[*ir.Value] // where the object comes from
	before     *worklist.List[*ir.Value] // what begin_cow_mutation looked at, where sources end there, and may not be memory
	all        *worklist.List[*ir.Value]
	handedOver int // operands of the call
}

func (n *names) areMadeOutOfReach() bool {
	for v := range n.sources.All() {
		if !n.madeOutOfReach(v) || n.sources.Len() > maxNames {
			return false
		}
	}
	return true
}

func (n *names) areUsedOutOfReach() bool {
	for v := range n.all.All() {
		if !n.usedOutOfReach(v) || n.all.Len() > maxNames {
			return false
		}
	}
	return true
}

// counted returns those of a list of values that hold references.
func (n *names) counted(values []*ir.Value) []*ir.Value {
	return slices.DeleteFunc(slices.Clone(values), func(v *ir.Value) bool { return v.Type.IsAddress() || n.p.Types.IsTrivial(v.Type) })
}

// madeOutOfReach follows where a value comes from; false when the call may read the memory, or that can't be told.
func (n *names) madeOutOfReach(v *ir.Value) bool {
	var from []*ir.Value
	i := v.Inst()
	switch {
	case i != nil && i.Op == op.Load:
		return n.before == nil && (n.call == nil || !n.p.MayReadFrom(n.call, i.Arg(0)))
	case i != nil && i.Op == op.BeginCowMutation && n.before != nil:
		n.before.Push(i.Arg(0))
		return true
	case i != nil && (i.Op == op.Apply || i.Op == op.AllocRef):
		return true
	case i == nil && v.Block() == v.Block().Func.Entry():
		return n.before == nil
	case i == nil:
		in, ok := n.p.Incoming(v)
		if !ok {
			return false
		}
		for _, o := range in {
			from = append(from, o.Value())
		}
	case isPart(i):
		for k := range i.Operands {
			from = append(from, i.Arg(k))
		}
	default:
		return false
	}
	n.sources.Push(n.counted(from)...)
	return true
}

// isPart reports whether the results of an instruction are its operands, parts of one, or made of them.
func isPart(i *ir.Inst) bool {
	switch i.Op {
	case op.StructExtract, op.TupleExtract, op.Struct, op.Tuple, op.Enum, op.UncheckedEnumData, op.Upcast, op.UncheckedRefCast, op.BeginCowMutation, op.EndCowMutation:
		return true
	}
	return false
}

// usedOutOfReach looks at the uses of a value.
func (n *names) usedOutOfReach(v *ir.Value) bool {
	for u := range v.Uses() {
		i := u.User()
		switch i.Op {
		case op.StrongRetain, op.StrongRelease, op.RetainValue, op.ReleaseValue, op.DebugValue, op.FixLifetime, op.RefElementAddr, op.RefTailAddr, op.Return, op.Throw:
		case op.Br, op.CondBr, op.SwitchEnum:
			for _, e := range i.Succs {
				n.all.Push(n.counted(e.To.Args)...)
			}
		case op.Store:
			if n.call == nil || n.p.MayReadFrom(n.call, i.Arg(1)) {
				return false
			}
		case op.Apply, op.TryApply:
			param := Param(i, u.Number())
			switch {
			case param == nil:
				return false
			case i != n.call:
			case param.Conv != ir.ParamDirectOwned:
				return false
			default:
				n.handedOver++
			}
		default:
			if !isPart(i) {
				return false
			}
			n.all.Push(n.counted(i.Results)...)
		}
	}
	return true
}
