package fold

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"sync"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// CSE removes instructions whose result is already there:
//
//	%2 = struct_extract %0 : $S, #S.x        %2 = struct_extract %0 : $S, #S.x
//	%3 = struct_extract %0 : $S, #S.x     →
//	use %3                                   use %2
//
// It walks the dominator tree; what was computed in a dominating block may be used again. On the way it removes what is dead and
// simplifies by the rules of simplify.go.
var CSE = &pass.Pass{Name: "cse", Doc: "Removes common subexpressions", Function: func(c *pass.Context, f *ir.Function) bool {
	return runCSE(c, f, false)
}}

// HighLevelCSE is cse where calls of array functions with known semantics are not inlined yet: it may remove some of them too.
var HighLevelCSE = &pass.Pass{Name: "high-level-cse", Doc: "Removes common subexpressions, array semantics calls included", Function: func(c *pass.Context, f *ir.Function) bool {
	return runCSE(c, f, true)
}}

// runCSE walks the dominator tree: what was computed in a block is available in those that it dominates.
func runCSE(c *pass.Context, f *ir.Function, highLevel bool) bool {
	r := &CSERun{c: c, f: f, highLevel: highLevel, preds: cfg.NewPredecessors(f), Ids: map[any]uint64{}, available: availableTables.Get().(*availableTable)}
	defer availableTables.Put(r.available)
	defer r.available.shrink(0)
	r.rauw = rewrite.NewReplacer(c, f, r.preds)
	dom := c.Dominators(f)
	children := dom.Children()
	type visit struct {
		b     *ir.Block
		next  int
		scope int // length of the undo list at the start
	}
	changed := r.block(f.Blocks[0])
	stack := []visit{{b: f.Blocks[0]}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(children[top.b.Index]) {
			r.available.shrink(top.scope)
			stack = stack[:len(stack)-1]
			continue
		}
		child := children[top.b.Index][top.next]
		top.next++
		stack = append(stack, visit{b: child, scope: len(r.available.list)})
		changed = r.block(child) || changed
	}
	return changed
}

// CSERun is one walk over the dominator tree of a function with the instructions that are available.
type CSERun struct {
	c         *pass.Context
	f         *ir.Function
	highLevel bool
	preds     *cfg.Predecessors
	rauw      *rewrite.Replacer
	available *availableTable
	Ids       map[any]uint64
	opened    *openedNames // made when two openings of a value meet
	key       []byte
}

// availableTable has instructions by their keys, and forgets those that were entered last. It keeps the keys in one piece.
type availableTable struct {
	keys []byte
	list []availableInst
	at   []int32 // by hash: one more than the place of the first in the list; the length is a power of two
}

type availableInst struct {
	inst     *ir.Inst
	hash     uint64
	from, to int // of keys
	next     int32
}

var availableTables = sync.Pool{New: func() any { return new(availableTable) }} // empty ones

var availableSeed = maphash.MakeSeed() // no order depends on the hash

func (t *availableTable) get(hash uint64, key []byte) *ir.Inst {
	if len(t.at) == 0 {
		return nil
	}
	for n := t.at[hash&uint64(len(t.at)-1)]; n != 0; n = t.list[n-1].next {
		if e := &t.list[n-1]; e.hash == hash && bytes.Equal(t.keys[e.from:e.to], key) {
			return e.inst
		}
	}
	return nil
}

// add enters an instruction whose key is not there.
func (t *availableTable) add(hash uint64, key []byte, i *ir.Inst) {
	if len(t.list) >= len(t.at) {
		t.at = make([]int32, max(64, 4*len(t.at)))
		for n := range t.list {
			t.link(n)
		}
	}
	from := len(t.keys)
	t.keys = append(t.keys, key...)
	t.list = append(t.list, availableInst{inst: i, hash: hash, from: from, to: len(t.keys)})
	t.link(len(t.list) - 1)
}

// link puts an entry in front of those of its place.
func (t *availableTable) link(n int) {
	first := &t.at[t.list[n].hash&uint64(len(t.at)-1)]
	t.list[n].next, *first = *first, int32(n+1)
}

// shrink forgets all but the n instructions that were entered first.
func (t *availableTable) shrink(n int) {
	for len(t.list) > n {
		e := &t.list[len(t.list)-1]
		t.at[e.hash&uint64(len(t.at)-1)] = e.next // the last one is in front
		t.keys = t.keys[:e.from]
		t.list = t.list[:len(t.list)-1]
	}
}

// block replaces what is available, and enters the rest.
func (r *CSERun) block(b *ir.Block) bool {
	changed := false
	for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
		next = i.Next()
		if rewrite.IsDead(i) {
			for next != nil && facts.IsDebug(next) && UsesResultOf(next, i) {
				next = next.Next()
			}
			rewrite.EraseWithUsers(i)
			changed = true
			continue
		}
		if i.Op == op.DestroyValue && r.rauw.Own != nil && r.rauw.Own.KindOf(i.Arg(0)) == ownership.KindNone {
			i.Remove()
			changed = true
			continue
		}
		if v := Simplified(i, r.preds); v != nil && r.rauw.CanReplace(i.Results[0], v) {
			next = r.rauw.ReplaceAndErase(i, v)
			changed = true
			continue
		}
		if !r.handles(i) {
			continue
		}
		key := r.KeyOf(i)
		hash := maphash.Bytes(availableSeed, key)
		if have := r.available.get(hash, key); have != nil && len(i.Results) == 1 {
			if i.Op == op.OpenExistentialRef {
				if r.opened == nil {
					r.opened = newOpenedNames(r.f)
				}
				r.opened.reopen(i, have)
			}
			if r.rauw.CanReplace(i.Results[0], have.Results[0]) {
				r.c.Passed(r.f, i, "%s was computed before", i.Row().Name)
				next = r.rauw.ReplaceAndErase(i, have.Results[0])
				changed = true
				continue
			}
		} else if have != nil {
			i.Remove() // cond_fail
			changed = true
			continue
		} else {
			r.available.add(hash, key, i)
		}
	}
	return changed
}

// UsesResultOf reports whether an operand of user is a result of i.
func UsesResultOf(user, i *ir.Inst) bool {
	for n := range user.Operands {
		if user.Arg(n).Inst() == i {
			return true
		}
	}
	return false
}

// CSEHandles are the instructions that depend on nothing but their operands, types and members.
var CSEHandles = [op.Count]bool{
	op.FunctionRef: true, op.GlobalAddr: true, op.IntegerLiteral: true, op.FloatLiteral: true, op.StringLiteral: true,
	op.Struct: true, op.StructExtract: true, op.StructElementAddr: true, op.Tuple: true, op.TupleExtract: true, op.TupleElementAddr: true,
	op.Metatype: true, op.ValueMetatype: true, op.ObjcProtocol: true, op.RefElementAddr: true, op.RefTailAddr: true, op.ProjectBox: true,
	op.IndexRawPointer: true, op.IndexAddr: true, op.PointerToAddress: true, op.AddressToPointer: true, op.CondFail: true,
	op.Enum: true, op.UncheckedEnumData: true, op.UncheckedTrivialBitCast: true, op.UncheckedBitwiseCast: true,
	op.RefToRawPointer: true, op.RawPointerToRef: true, op.RefToUnowned: true, op.UnownedToRef: true, op.RefToUnmanaged: true,
	op.UnmanagedToRef: true, op.Upcast: true, op.ThickToObjcMetatype: true, op.ObjcToThickMetatype: true, op.UncheckedRefCast: true,
	op.UncheckedAddrCast: true, op.InitExistentialMetatype: true, op.OpenExistentialRef: true, op.ObjcMetatypeToObject: true, op.ObjcExistentialMetatypeToObject: true, op.SelectEnum: true,
	op.RefToBridgeObject: true, op.BridgeObjectToRef: true, op.BridgeObjectToWord: true, op.ClassifyBridgeObject: true,
	op.ValueToBridgeObject: true, op.ClassMethod: true, op.WitnessMethod: true, op.SuperMethod: true,
	op.MarkDependence: true, op.BaseAddrForOffset: true,
}

// arrayCSE are the array functions that high-level CSE may call once instead of twice.
var arrayCSE = map[ir.Semantics]bool{ir.SemanticsArrayGetCount: true, ir.SemanticsArrayGetCapacity: true, ir.SemanticsArrayCheckIndex: true,
	ir.SemanticsArrayCheckSubscript: true}

func (r *CSERun) handles(i *ir.Inst) bool {
	switch i.Op {
	case op.Apply:
		if r.isPureCall(i) || facts.IsInitialization(i) {
			return true
		}
		if r.highLevel {
			if facts.SemanticsWith(facts.StaticCallee(i), func(a ir.Attr) bool { return arrayCSE[a.Semantics()] }) {
				self := facts.Param(i, len(i.Operands)-1)
				return self != nil && self.Conv == ir.ParamDirectGuaranteed
			}
		}
		return false
	case op.Builtin:
		return facts.BuiltinID(i) != op.BuiltinOnFastPath && !facts.MayReadOrWrite(i) || facts.IsInitialization(i)
	case op.ExistentialMetatype:
		return !i.Arg(0).Type.IsAddress()
	case op.OpenExistentialRef:
		return !r.f.IsOSSA()
	}
	return CSEHandles[i.Op]
}

// isPureCall reports whether a call with the same operands as an earlier one returns what that returned. A callee may still copy
// references: its owned result is a copy of what its arguments lead to, and copying the first result does as well. Out of ownership form
// nobody would retain that copy or release what the call consumes.
func (r *CSERun) isPureCall(i *ir.Inst) bool {
	types := r.c.Types(r.f)
	if !r.f.IsOSSA() && !types.IsTrivial(i.Result().Type) {
		return false
	}
	for n := range i.Operands {
		p := facts.Param(i, n)
		consumed := p != nil && (p.Conv == ir.ParamIn || p.Conv == ir.ParamDirectOwned && !r.f.IsOSSA())
		if consumed && !types.IsTrivial(i.Arg(n).Type.Object()) {
			return false
		}
	}
	return r.c.Program(r.f).CallMemory(i) == op.MemNone
}

// value says which value it is.
func (r *CSERun) value(v *ir.Value) {
	i, b := v.Inst(), v.Block()
	switch {
	case i != nil && i.ID() > 0:
		r.key = binary.AppendUvarint(r.key, uint64(i.ID())<<2|2)
	case i == nil && b != nil && b.Func != nil:
		r.key = binary.AppendUvarint(r.key, uint64(b.ID())<<2|3)
	default:
		r.key = append(r.key, 1)
		r.id(v)
		return
	}
	r.key = binary.AppendUvarint(r.key, uint64(v.Index()))
}

// id numbers types, and values that are in no function.
func (r *CSERun) id(x any) {
	n, ok := r.Ids[x]
	if !ok {
		n = uint64(len(r.Ids) + 1)
		r.Ids[x] = n
	}
	r.key = binary.AppendUvarint(r.key, n)
}

func (r *CSERun) text(s string) {
	r.key = binary.AppendUvarint(r.key, uint64(len(s)))
	r.key = append(r.key, s...)
}

// KeyOf says in bytes what the instruction is: two with the same key compute the same.
func (r *CSERun) KeyOf(i *ir.Inst) []byte {
	r.key = binary.AppendUvarint(r.key[:0], uint64(i.Op))
	if i.Op != op.RefElementAddr && i.Op != op.RefTailAddr { // [immutable] says nothing of which address it is
		if i.Quals != (op.Quals{}) {
			r.text(i.Quals.String())
		}
	}
	r.key = append(r.key, 0)
	for n := range i.Operands {
		v := i.Arg(n)
		if i.Op == op.RefElementAddr || i.Op == op.RefTailAddr || ownership.IsForwardingColumn(ownership.Column(i, n)) {
			v = throughOwnership(v) // a copy does as well
		}
		r.value(v)
	}
	r.key = append(r.key, 0)
	if i.Op == op.OpenExistentialRef {
		if t := i.Result().Type; t.Kind == ir.KindOpened {
			r.id(t.Elem) // one of P may conform to less than one of P & Q
		}
		return r.key // every opening has another name for the same type
	}
	for _, t := range i.Types {
		r.id(t)
	}
	for _, v := range i.Results {
		r.id(v.Type)
	}
	r.key = append(r.key, 0)
	switch aux := i.Aux.(type) {
	case *ir.IntAux:
		r.text(aux.Value.String())
	case *ir.FloatAux:
		r.text(aux.Bits)
	case *ir.StringAux:
		if i.Op == op.CondFail {
			break // the message
		}
		r.text(aux.EncodingWord())
		r.text(aux.Value)
	case *ir.SymbolAux:
		r.text(aux.Name)
	case *ir.MemberAux:
		r.text(aux.Name)
	case *ir.MethodAux:
		r.text(aux.Ref.Text)
		r.text(aux.DeclType.String())
		r.id(aux.Type)
	case *ir.ApplyAux:
		for _, t := range aux.Subs {
			r.id(t)
		}
	case *ir.BuiltinAux:
		r.text(aux.Name())
		for _, t := range aux.Subs {
			r.id(t)
		}
	case *ir.CaseAux:
		for _, c := range aux.Cases {
			if c == nil {
				r.text("")
			} else {
				r.text(c.Name)
			}
		}
	case *ir.OpenPackAux:
		r.text(aux.Signature)
		r.text(aux.ID)
	case *ir.WordsAux:
		for _, w := range aux.Words {
			r.text(w)
		}
	case *ir.TextAux:
		r.text(aux.Name)
		r.text(aux.Text)
	case *ir.KeyPathAux:
		r.text(aux.Pattern)
	}
	return r.key
}
