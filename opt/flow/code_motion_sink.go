package flow

import (
	"reflect"
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// sinkWindow is how many instructions before a terminator are looked at.
const sinkWindow = 6

// canBeIdentical are the instructions that can be told to be the same as another one by looking at them.
var canBeIdentical = [op.Count]bool{
	op.InjectEnumAddr: true, op.DestroyAddr: true, op.ReleaseValue: true, op.ReleaseValueAddr: true, op.RetainValue: true,
	op.RetainValueAddr: true, op.DeallocStack: true, op.DeallocStackRef: true, op.AllocStack: true, op.DeallocBox: true, op.AllocBox: true,
	op.DeallocRef: true, op.DeallocPartialRef: true, op.DestructureStruct: true, op.DestructureTuple: true, op.AllocRef: true,
	op.DestroyValue: true, op.BeginCowMutation: true, op.EndCowMutation: true, op.AllocRefDynamic: true, op.ProjectBox: true,
	op.ProjectExistentialBox: true, op.BeginAccess: true, op.EndAccess: true, op.BeginUnpairedAccess: true, op.EndUnpairedAccess: true,
	op.StrongRelease: true, op.StrongRetain: true, op.Load: true, op.LoadBorrow: true, op.EndBorrow: true, op.BeginBorrow: true,
	op.StoreBorrow: true, op.Store: true, op.BindMemory: true, op.FunctionRef: true, op.DynamicFunctionRef: true,
	op.PrevDynamicFunctionRef: true, op.AllocGlobal: true, op.GlobalAddr: true, op.IntegerLiteral: true, op.FloatLiteral: true,
	op.StringLiteral: true, op.Struct: true, op.StructExtract: true, op.RefElementAddr: true, op.RefTailAddr: true,
	op.StructElementAddr: true, op.Tuple: true, op.TupleExtract: true, op.TupleElementAddr: true, op.Metatype: true, op.ValueMetatype: true,
	op.ExistentialMetatype: true, op.IndexRawPointer: true, op.IndexAddr: true, op.TailAddr: true, op.CondFail: true, op.Apply: true,
	op.Builtin: true, op.Enum: true, op.UncheckedEnumData: true, op.SelectEnum: true, op.SelectEnumAddr: true, op.UncheckedRefCast: true,
	op.UncheckedAddrCast: true, op.UncheckedTrivialBitCast: true, op.UncheckedBitwiseCast: true, op.Upcast: true, op.AddressToPointer: true,
	op.PointerToAddress: true, op.RefToRawPointer: true, op.RawPointerToRef: true, op.RefToUnmanaged: true, op.UnmanagedToRef: true,
	op.RefToUnowned: true, op.UnownedToRef: true, op.StrongRetainUnowned: true, op.UnownedRetain: true, op.UnownedRelease: true,
	op.ThinToThickFunction: true, op.ObjcToThickMetatype: true, op.ThickToObjcMetatype: true, op.ConvertFunction: true,
	op.ObjcMetatypeToObject: true, op.ObjcExistentialMetatypeToObject: true, op.UncheckedRefCastAddr: true, op.BridgeObjectToRef: true,
	op.RefToBridgeObject: true, op.ValueToBridgeObject: true, op.ClassifyBridgeObject: true, op.BridgeObjectToWord: true,
	op.ClassMethod: true, op.WitnessMethod: true, op.SuperMethod: true, op.MarkDependence: true,
}

// namesItsStart are the instructions whose operand must be what it ends itself, and can't be passed to a block.
var namesItsStart = [op.Count]bool{op.DeallocStack: true, op.DeallocStackRef: true, op.EndAccess: true, op.EndBorrow: true}

// isIdentical reports whether two instructions are the same, with operands that same says are.
func isIdentical(i, other *ir.Inst, same func(v, w *ir.Value) bool) bool {
	if i.Op != other.Op || !canBeIdentical[i.Op] || len(i.Operands) != len(other.Operands) || len(i.Results) != len(other.Results) {
		return false
	}
	for n := range i.Results {
		if i.Results[n].Type != other.Results[n].Type {
			return false
		}
	}
	for n := range i.Operands {
		if !same(i.Arg(n), other.Arg(n)) {
			return false
		}
	}
	return i.Quals == other.Quals && slices.Equal(i.Types, other.Types) && sameAux(i, other)
}

// sameAux reports whether the members, symbols and functions that two instructions of one op name are the same.
func sameAux(i, other *ir.Inst) bool {
	switch aux := i.Aux.(type) {
	case *ir.SymbolAux:
		return aux.Name == other.Aux.(*ir.SymbolAux).Name
	case *ir.MemberAux:
		return aux.Name == other.Aux.(*ir.MemberAux).Name
	case *ir.ApplyAux:
		o := other.Aux.(*ir.ApplyAux)
		return aux.Fn == o.Fn && slices.Equal(aux.Subs, o.Subs)
	case *ir.BuiltinAux:
		o := other.Aux.(*ir.BuiltinAux)
		return aux.Name() == o.Name() && slices.Equal(aux.Subs, o.Subs)
	}
	return i.Op == op.CondFail || reflect.DeepEqual(i.Aux, other.Aux)
}

func sameValue(v, w *ir.Value) bool { return v == w }

// canSink reports whether an instruction may move to another block: nothing uses it.
func canSink(i *ir.Inst) bool {
	if i.Op.IsTerminator() {
		return false
	}
	for _, r := range i.Results {
		if r.HasUses() {
			return false
		}
	}
	return true
}

func isSinkBarrier(i *ir.Inst) bool { return !i.Op.IsTerminator() && facts.MayHaveSideEffects(i) }

// operandRelation says how the operands of instructions that are the same compare.
type operandRelation uint8

const (
	relationOpen   operandRelation = iota
	relationEqual                  // they are the same values
	relationPassed                 // they are passed for the same argument of the next block
)

// passedTo tells for which argument of the next block a block passes a value.
type passedTo map[passedValue]int

type passedValue struct {
	v *ir.Value
	b *ir.Block
}

// cheaperPart returns the operand in which two instructions differ and that is as well passed on in their place, -1 when there is none.
func cheaperPart(i, other *ir.Inst) int {
	if i.Op == op.UnmanagedToRef || i.Op == op.UnownedToRef {
		return 0
	}
	if i.Op != op.Struct {
		return -1
	}
	part := -1
	for n := range i.Operands {
		if i.Arg(n) != other.Arg(n) {
			if part >= 0 {
				return -1
			}
			part = n
		}
	}
	if part < 0 || !i.Arg(part).Type.Builtin().IsInteger() {
		return -1
	}
	return part
}

// isOnlyTarget reports whether all predecessors lead to the block alone.
func (m *codeMotion) isOnlyTarget(b *ir.Block) bool {
	edges := m.preds.Edges(b)
	for _, e := range edges {
		if len(e.Term.Succs) != 1 {
			return false
		}
	}
	return len(edges) > 0
}

// sinkCode moves to the beginning of the block what all of its predecessors have at their ends.
func (m *codeMotion) sinkCode(b *ir.Block) bool {
	if !m.isOnlyTarget(b) {
		return false
	}
	preds := m.preds.Of(b)
	first := preds[0]
	if first.Last() == first.First() {
		return false
	}
	passed := passedTo{}
	for _, e := range m.preds.Edges(b) {
		if e.Term.Op == op.Br {
			for k := range b.Args {
				passed[passedValue{e.Arg(k), e.Term.Block()}] = k
			}
		}
	}
	changed := false
	i := first.Last()
	for budget := sinkWindow; budget > 0; {
		if canSink(i) {
			if twins, relation := m.findTwins(i, preds[1:], passed); len(twins) > 0 {
				m.sink(i, b, first, twins, relation, passed)
				changed = true
				i = first.Last()
				continue
			}
		}
		if isSinkBarrier(i) || i.Prev() == nil {
			return changed
		}
		budget--
		i = i.Prev()
	}
	return changed
}

// findTwins finds the same instruction in all other predecessors; none when one has none.
func (m *codeMotion) findTwins(i *ir.Inst, preds []*ir.Block, passed passedTo) ([]*ir.Inst, operandRelation) {
	relation := relationOpen
	var twins []*ir.Inst
	for _, p := range preds {
		if p == i.Block() {
			continue
		}
		twin := m.findIdentical(p, i, passed, &relation)
		if twin == nil {
			return nil, relation
		}
		twins = append(twins, twin)
	}
	return twins, relation
}

// findIdentical looks from the end of a block up for an instruction like i that may move to the end.
func (m *codeMotion) findIdentical(b *ir.Block, i *ir.Inst, passed passedTo, relation *operandRelation) *ir.Inst {
	same := func(v, w *ir.Value) bool {
		if *relation != relationPassed && v == w {
			*relation = relationEqual
			return true
		}
		if *relation == relationEqual || namesItsStart[i.Op] {
			return false
		}
		k, ok := passed[passedValue{v, i.Block()}]
		n, okThere := passed[passedValue{w, b}]
		if !ok || !okThere || k != n {
			return false
		}
		*relation = relationPassed
		return true
	}
	x := b.Last()
	for range sinkWindow {
		if canSink(x) && isIdentical(i, x, same) {
			return x
		}
		if isSinkBarrier(x) || x.Prev() == nil {
			return nil
		}
		x = x.Prev()
	}
	return nil
}

// sink moves i to the beginning of b and removes the others like it.
func (m *codeMotion) sink(i *ir.Inst, b, from *ir.Block, twins []*ir.Inst, relation operandRelation, passed passedTo) {
	i.MoveBefore(b.First())
	if relation == relationPassed {
		for n := range i.Operands {
			i.Operands[n].Set(b.Args[passed[passedValue{i.Arg(n), from}]])
		}
	}
	for _, twin := range twins {
		for _, r := range twin.Results {
			m.gone[r] = true
		}
		twin.ReplaceWith(i.Results...)
	}
}

// sinkLiterals replaces arguments of a block that are the same literal on all paths.
func (m *codeMotion) sinkLiterals(b *ir.Block) bool {
	if len(m.preds.Edges(b)) < 2 {
		return false
	}
	changed := false
	for k := range b.Args {
		changed = m.sinkLiteral(b, k) || changed
	}
	return changed
}

func (m *codeMotion) sinkLiteral(b *ir.Block, k int) bool {
	var first *ir.Inst
	edges := m.preds.Edges(b)
	for n := len(edges) - 1; n >= 0; n-- {
		v := edges[n].Arg(k)
		if v == nil || v.Inst() == nil || v.Inst().Row().Family != op.FamilyLiteral {
			return false
		}
		if first == nil {
			first = v.Inst()
		} else if !isIdentical(first, v.Inst(), sameValue) {
			return false
		}
	}
	copied := rewrite.NewCloner(m.Context.Module).Inst(first)
	copied.InsertBefore(b.First())
	b.Args[k].ReplaceAllUses(copied.Result())
	return true
}

// sinkArguments moves to the block what computes the same argument in all of its predecessors.
func (m *codeMotion) sinkArguments(b *ir.Block) bool {
	if len(m.preds.Edges(b)) < 2 || !m.isOnlyTarget(b) {
		return false
	}
	changed := false
	for k := range b.Args {
		changed = m.sinkArgument(b, k) || changed
	}
	return changed
}

// sinkArgument moves the instructions that make the values of block argument k, one in each predecessor, into the block: one of them does for all
// if they are the same but for at most one operand.
func (m *codeMotion) sinkArgument(b *ir.Block, k int) bool {
	edges := slices.Clone(m.preds.Edges(b))
	slices.Reverse(edges)
	first := m.movableArgument(edges[0], k)
	if first == nil || facts.OrderMemory(first).MayRead() ||
		facts.MayHaveSideEffects(first) && first.Row().Family != op.FamilyAllocation {
		return false
	}
	list := []*ir.Inst{first}
	part := -1
	for _, e := range edges[1:] {
		i := m.movableArgument(e, k)
		if i == nil || i.Op != first.Op {
			return false
		}
		if !isIdentical(first, i, sameValue) {
			n := cheaperPart(first, i)
			if n < 0 || part >= 0 && n != part {
				return false
			}
			part = n
		}
		list = append(list, i)
	}
	for _, r := range first.Results {
		rewrite.EraseDebugUses(r, nil)
	}
	if part >= 0 {
		m.sinkAllButPart(b, k, edges, list, part)
		return true
	}
	undef := ir.NewUndef(first.Result().Type)
	first.Result().ReplaceAllUses(undef)
	first.MoveBefore(b.First())
	b.Args[k].ReplaceAllUses(first.Result())
	for _, i := range list[1:] {
		for _, r := range i.Results {
			rewrite.EraseDebugUses(r, nil)
		}
		m.gone[i.Result()] = true
		i.Result().ReplaceAllUses(undef)
		i.Remove()
	}
	return true
}

// movableArgument returns the instruction that computes what an edge passes, if that is its only use.
func (m *codeMotion) movableArgument(e cfg.InEdge, k int) *ir.Inst {
	if e.Term.Op != op.Br && e.Term.Op != op.CondBr {
		return nil
	}
	v := e.Arg(k)
	if v == nil || v.Inst() == nil || len(v.Inst().Results) != 1 {
		return nil
	}
	n := 0
	for x := range v.Uses() {
		if !facts.IsDebug(x.User()) {
			n++
		}
	}
	if n != 1 {
		return nil
	}
	return v.Inst()
}

// sinkAllButPart moves an instruction to the block, which gets as argument the operand in which the ones like it differ.
func (m *codeMotion) sinkAllButPart(b *ir.Block, k int, edges []cfg.InEdge, list []*ir.Inst, part int) {
	first := list[0]
	first.MoveBefore(b.First())
	arg := b.Args[k]
	arg.ReplaceAllUses(first.Result())
	arg.Type = first.Arg(part).Type
	for n, e := range edges {
		s := e.Term.Succs[e.N]
		e.Term.Operands[s.First+k].Set(list[n].Arg(part))
		if n > 0 && facts.IsTriviallyDead(list[n]) {
			(&rewrite.Eraser{}).Erase(list[n])
		}
	}
	first.Operands[part].Set(arg)
}
