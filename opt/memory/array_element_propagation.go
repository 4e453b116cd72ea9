package memory

import (
	"math/big"
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// ArrayElementPropagation takes elements from where an array literal got them, if nothing can have changed the array since:
//
//	%1 = apply %allocate(%s, %n)        // [_semantics "array.uninitialized"], an array and the address of its elements
//	store %x to %address
//	%2 = apply %getElement(%0, …, %1)               …
//	apply %appendContentsOf(%1, %a)            ⇒    apply %append(%x, %a) ; release_value %1
//	… %2 …                                          … %x …
//
// A literal that is appended has few elements; more are faster to append at once.
var ArrayElementPropagation = &pass.Pass{
	Name: "array-element-propagation",
	Doc:  "Replaces elements of array literals that are read, and literals that are appended, by what the literals are made of",
	Function: func(c *pass.Context, f *ir.Function) bool {
		return (&elementPropagation{Editor: rewrite.NewEditor(c, f)}).run()
	},
}

// ArrayLiteralMoves appends the elements of an array literal instead of the literal too, but only where nothing else is done with that: the
// elements need no second count then, and the literal is not made.
//
//	%1 = apply %allocate(%n) ; store %x to %address
//	apply %appendContentsOf(%1, %a)                    ⇒    apply %append(%x, %a)
var ArrayLiteralMoves = &pass.Pass{
	Name: "array-literal-moves",
	Doc:  "Appends the elements of an array literal that is made for nothing else, and does without the literal",
	Function: func(c *pass.Context, f *ir.Function) bool {
		return (&elementPropagation{Editor: rewrite.NewEditor(c, f), moves: true}).run()
	},
}

// maxAppendedElements is how many elements are appended one by one.
const maxAppendedElements = 6

// maxElements bounds which elements of a literal are looked for.
const maxElements = 1 << 16

// A literalArray is an array of which it is known what was stored as its elements.
type literalArray struct {
	elements map[int64]*ir.Inst // the stores, by index
	gets     []*ir.Inst
	appends  []*ir.Inst
	others   bool       // other instructions use the array
	pointer  *ir.Inst   // the mark_dependence of the elements' address on the array, nil without one
	counts   []*ir.Inst // retains and releases of the array
}

type elementPropagation struct {
	*rewrite.Editor
	moves bool // the literal goes, and with it what its elements cost
}

func (e *elementPropagation) run() bool {
	changed := false
	for _, b := range e.Func.Blocks {
		for _, i := range b.InstList() {
			if i.Op == op.Apply && i.Block() != nil {
				changed = e.array(i) || changed
			}
		}
	}
	return changed
}

// array looks at the array that a call makes.
func (e *elementPropagation) array(call *ir.Inst) bool {
	f := facts.StaticCallee(call)
	if !facts.HasSemantics(f, ir.SemanticsArrayUninitialized) && !(e.moves && facts.HasSemantics(f, ir.SemanticsArrayUninitializedIntrinsic)) {
		return false
	}
	array, elements := e.parts(call)
	if array == nil || elements == nil {
		return false
	}
	a := &literalArray{elements: map[int64]*ir.Inst{}}
	if !a.stores(elements) || len(a.elements) == 0 || !a.uses(array) {
		return false
	}
	if e.moves {
		if a.others || len(a.gets) > 0 || len(a.appends) != 1 || !a.isHeldFor(a.appends[0]) {
			return false
		}
		storage := storageOf(call)
		if storage == nil && !facts.HasSemantics(f, ir.SemanticsArrayUninitializedIntrinsic) {
			return false
		}
		if p := facts.Param(a.appends[0], 1); p == nil || p.Conv != ir.ParamDirectOwned || !e.append(a, a.appends[0]) {
			return false
		}
		rewrite.EraseWithUsers(call)
		if storage != nil {
			rewrite.EraseWithUsers(storage)
		}
		return true
	}
	changed := false
	for _, i := range a.gets {
		changed = e.get(a, i) || changed
	}
	for _, i := range a.appends {
		changed = e.append(a, i) || changed
	}
	return changed
}

// storageOf returns what allocates the storage that a call makes an array of, where nothing else uses that; nil otherwise.
func storageOf(call *ir.Inst) *ir.Inst {
	i := call.Arg(1).Inst()
	if i == nil || i.Op != op.AllocRef && i.Op != op.AllocRefDynamic || onlyUser(i.Result()) != call {
		return nil
	}
	return i
}

// parts returns the array that a call makes and the address of its elements, which nothing else is used of.
func (e *elementPropagation) parts(call *ir.Inst) (array, elements *ir.Value) {
	for u := range call.Result().Uses() {
		i := u.User()
		switch {
		case facts.IsDebug(i), facts.IsRefCounting(i):
		case i.Op == op.DestructureTuple && len(i.Results) == 2 && array == nil && elements == nil:
			array, elements = i.Results[0], i.Results[1]
		case i.Op == op.TupleExtract && i.Aux.(*ir.IntAux).Int64() == 0 && array == nil:
			array = i.Result()
		case i.Op == op.TupleExtract && i.Aux.(*ir.IntAux).Int64() == 1 && elements == nil:
			elements = i.Result()
		default:
			return nil, nil
		}
	}
	return array, elements
}

// stores finds what is stored as elements; false when something else is done with their address.
func (a *literalArray) stores(elements *ir.Value) bool {
	pointer := onlyUser(elements)
	for pointer != nil && (pointer.Op == op.StructExtract || pointer.Op == op.MarkDependence && pointer.Arg(0) == elements) {
		if pointer.Op == op.MarkDependence {
			a.pointer = pointer
		}
		elements = pointer.Result()
		pointer = onlyUser(elements)
	}
	if pointer == nil || pointer.Op != op.PointerToAddress {
		return false
	}
	for u := range pointer.Result().Uses() {
		i, index := u.User(), int64(0)
		if i.Op == op.IndexAddr && u.Number() == 0 {
			n := facts.Literal(i.Arg(1))
			if n == nil || !n.IsInt64() || n.Int64() < 0 || n.Int64() >= maxElements {
				return false
			}
			index = n.Int64()
			at := i.Result()
			if i = onlyUser(at); i == nil || len(i.Operands) != 2 || i.Arg(1) != at {
				return false
			}
		}
		if i.Op != op.Store || i.Arg(0).Type.IsAddress() || u.User() == i && u.Number() != 1 || a.elements[index] != nil {
			return false
		}
		a.elements[index] = i
	}
	return true
}

// onlyUser returns the only user of a value that does more than show it, nil when there is none or are several.
func onlyUser(v *ir.Value) *ir.Inst {
	var only *ir.Inst
	for u := range v.Uses() {
		if facts.IsDebug(u.User()) {
			continue
		}
		if only != nil {
			return nil
		}
		only = u.User()
	}
	return only
}

// uses gathers the calls that read elements of the array or append it; false when something may change the array or let it escape.
func (a *literalArray) uses(v *ir.Value) bool {
	for u := range v.Uses() {
		i := u.User()
		switch {
		case facts.IsDebug(i), i == a.pointer && u.Number() == 1:
			continue
		case facts.IsRefCounting(i):
			a.counts = append(a.counts, i)
			continue
		case i.Op == op.DestroyValue, i.Op == op.EndBorrow, i.Op == op.MarkDependence && u.Number() == 1:
			a.others = true
			continue
		case i.Op == op.StructExtract, i.Op == op.BeginBorrow, i.Op == op.CopyValue, i.Op == op.MoveValue:
			a.others = a.others || i.Op != op.StructExtract
			if !a.uses(i.Result()) {
				return false
			}
			continue
		}
		switch s, _ := facts.ArrayCall(i); s {
		case ir.SemanticsArrayAppendContentsOf:
			if u.Number() != 1 {
				return false
			}
			a.appends = append(a.appends, i)
		case ir.SemanticsArrayGetElement:
			if facts.ArraySelf(i) == v && !slices.Contains(a.gets, i) {
				a.gets = append(a.gets, i)
			}
		case ir.SemanticsArrayFinalizeIntrinsic:
			if !a.uses(i.Result()) {
				return false
			}
		default:
			if i.Op != op.Apply || !leavesArray(facts.StaticCallee(i)) && s != ir.SemanticsArrayGetCount {
				return false
			}
			a.others = true
		}
	}
	return true
}

// isHeldFor reports whether an array is retained for nothing but a call that takes it, or not at all: with one retain before the call there
// is one release after it.
//
//	strong_retain %1 ; apply %appendContentsOf(%1, %a) ; strong_release %1
func (a *literalArray) isHeldFor(call *ir.Inst) bool {
	if len(a.counts) == 0 {
		return true
	}
	if len(a.counts) != 2 {
		return false
	}
	retain, release := a.counts[0], a.counts[1]
	if !facts.IsRetain(retain) {
		retain, release = release, retain
	}
	return facts.IsRetain(retain) && facts.IsRelease(release) && retain.Block() == call.Block() && release.Block() == call.Block() &&
		ownership.ComesAfter(retain, call) && ownership.ComesAfter(call, release)
}

// element returns the value of an element where an instruction can use it, nil when it can't.
func (e *elementPropagation) element(a *literalArray, index int64, at *ir.Inst) *ir.Value {
	store := a.elements[index]
	if store == nil || e.OSSA && !e.Types.IsTrivial(store.Arg(0).Type) || !e.Dominates(store, at) {
		return nil
	}
	return store.Arg(0)
}

// get replaces a call that reads an element. The index must have been checked, or need no check.
func (e *elementPropagation) get(a *literalArray, call *ir.Inst) bool {
	if len(call.Operands) != 5 || call.Result().Type.IsAddress() {
		return false
	}
	number := facts.DefinedBy(call.Arg(1), op.Struct)
	if number == nil || len(number.Operands) != 1 {
		return false
	}
	index := facts.Literal(number.Arg(0))
	if index == nil || !index.IsInt64() {
		return false
	}
	v := e.element(a, index.Int64(), call)
	if v == nil || v.Type != call.Result().Type || !isCheckedIndex(call.Arg(3)) || !keepsSelf(call) {
		return false
	}
	e.Context.Passed(e.Func, call, "took element %d from where the array got it", index.Int64())
	call.Result().ReplaceAllUses(e.CopyValue(e.Before(call), v))
	token, self := call.Arg(3), facts.ArraySelf(call)
	call.Remove()
	e.dropCheck(token, number.Result(), self)
	return true
}

// dropCheck replaces the check of a subscript that is known to be one of the array.
func (e *elementPropagation) dropCheck(token, index, array *ir.Value) {
	i := token.Inst()
	if i.Op != op.Apply || i.Arg(1) != index || facts.ArraySelf(i) != array || !keepsSelf(i) {
		return
	}
	token.ReplaceAllUses(e.Before(i).Emit(&ir.Inst{Op: op.Struct, Types: []*ir.Type{token.Type}}).Result())
	i.Remove()
}

// isCheckedIndex reports whether a token says that a subscript was checked or need not be.
func isCheckedIndex(token *ir.Value) bool {
	i := token.Inst()
	if i == nil {
		return false
	}
	s, _ := facts.ArrayCall(i)
	return s == ir.SemanticsArrayCheckSubscript || i.Op == op.Struct && len(i.Operands) == 0
}

// keepsSelf reports whether the array still belongs to the caller after a call of its method.
func keepsSelf(call *ir.Inst) bool {
	p := facts.Param(call, len(call.Operands)-1)
	return p != nil && p.Conv == ir.ParamDirectGuaranteed
}

// append appends the elements of a literal one by one.
func (e *elementPropagation) append(a *literalArray, call *ir.Inst) bool {
	p := facts.Param(call, 1)
	if len(call.Operands) != 3 || p == nil || p.Conv != ir.ParamDirectOwned && p.Conv != ir.ParamDirectGuaranteed || call.Arg(1).Type != call.Arg(2).Type.Object() {
		return false
	}
	count := int64(len(a.elements))
	if count > maxAppendedElements {
		e.Context.Missed(e.Func, call, "kept the array that is appended: it has more than %d elements", maxAppendedElements)
		return false
	}
	values := make([]*ir.Value, count)
	for n := range values {
		if values[n] = e.element(a, int64(n), call); values[n] == nil {
			return false
		}
	}
	array := call.Arg(1).Type
	if len(array.Args) != 1 || array.Args[0] != values[0].Type {
		return false // such as functions, which are kept in another form than they are passed
	}
	add := e.arrayMethod(appendElement, array)
	if add == nil {
		e.Context.Missed(e.Func, call, "kept the array that is appended: the function that appends one element is not known")
		return false
	}
	b := e.Before(call)
	ref := rewrite.FunctionRef(b, add)
	if reserve := e.arrayMethod(reserveForAppend, array); count > 1 && reserve != nil {
		e.reserve(call, reserve, count)
	}
	for _, v := range values {
		e.appendElement(call, add, ref, v)
	}
	switch {
	case e.moves || p.Conv != ir.ParamDirectOwned:
	case e.OSSA:
		rewrite.Emit(b, op.DestroyValue, call.Arg(1))
	default:
		rewrite.Emit(b, op.ReleaseValue, call.Arg(1))
	}
	e.Context.Passed(e.Func, call, "appended the elements of the array one by one")
	call.Remove()
	return true
}

// A methodName is a method of Array: the symbol of the generic function, and what the library says of it, by which the specialized ones are known.
type methodName struct {
	generic   string
	semantics ir.Semantics
}

var (
	appendElement    = methodName{"$sSa6appendyyxnF", ir.SemanticsArrayAppendElement}
	reserveForAppend = methodName{"$sSa24reserveCapacityForAppend16newElementsCountySi_tF", ir.SemanticsArrayReserveCapacityForAppend}
)

// takesCopy reports whether a value with a count of its own is what to pass.
func takesCopy(conv ir.ParamConv) bool {
	return conv == ir.ParamIn || conv == ir.ParamDirectOwned || conv == ir.ParamDirectUnowned
}

// arrayMethod finds a method of arrays of that type, generic or specialized, which takes one argument and self; nil when there is none
// that can be called.
func (e *elementPropagation) arrayMethod(m methodName, array *ir.Type) *ir.Function {
	isFit := func(f *ir.Function, generic bool) bool {
		if f == nil || !facts.HasSemantics(f, m.semantics) || f.Type == nil || f.Type.Func == nil || (f.Type.Func.Generic != nil) != generic {
			return false
		}
		return len(f.Type.Func.Params) == 2 && len(f.Type.Func.Results) == 0 && f.Type.Func.Error == nil && (!f.IsDeclaration() || e.Context.IsNative(f))
	}
	if f := e.Context.Module.Func(m.generic); isFit(f, true) && (m != appendElement || f.Type.Func.Params[0].Conv == ir.ParamIn) {
		return f
	}
	for _, f := range e.Context.Module.Functions() {
		if f == e.Func || !isFit(f, false) {
			continue
		}
		if p := f.Type.Func.Params; p[1].Type.Object() == array && (m != appendElement || takesCopy(p[0].Conv) && p[0].Type.Object() == array.Args[0]) {
			return f
		}
	}
	return nil
}

// call emits a call of a method of arrays.
func (e *elementPropagation) call(b *ir.Builder, f *ir.Function, ref *ir.Value, element *ir.Type, args ...*ir.Value) {
	aux := &ir.ApplyAux{Fn: b.Module.Types.Unsugared(f.Type)}
	if f.Type.Func.Generic != nil {
		aux.Subs = []*ir.Type{element}
	}
	b.Emit(&ir.Inst{Op: op.Apply, Aux: aux}, append([]*ir.Value{ref}, args...)...)
}

// reserve makes room for elements in the array that a call appends to.
func (e *elementPropagation) reserve(call *ir.Inst, f *ir.Function, count int64) {
	number := f.Type.Func.Params[0].Type
	fields, ok := e.Types.FieldTypes(number)
	if !ok || len(fields) != 1 || fields[0].IntWidth() == 0 {
		return
	}
	b := e.Before(call)
	ref := rewrite.FunctionRef(b, f)
	n := rewrite.LiteralOf(e.Context.Module, call, fields[0], big.NewInt(count))
	capacity := b.Emit(&ir.Inst{Op: op.Struct, Types: []*ir.Type{number}}, n).Result()
	e.call(b, f, ref, call.Arg(1).Type.Args[0], capacity, call.Arg(2))
}

// appendElement appends one element to the array that a call appends to.
func (e *elementPropagation) appendElement(call *ir.Inst, f *ir.Function, ref, v *ir.Value) {
	b := e.Before(call)
	copied := v
	if !e.moves {
		copied = e.CopyValue(b, v)
	}
	if f.Type.Func.Params[0].Conv != ir.ParamIn {
		e.call(b, f, ref, v.Type, copied, call.Arg(2))
		return
	}
	slot := b.Emit(&ir.Inst{Op: op.AllocStack, Types: []*ir.Type{v.Type}}).Result()
	e.Store(b, copied, slot, op.QualInit)
	e.call(b, f, ref, v.Type, slot, call.Arg(2))
	rewrite.Emit(b, op.DeallocStack, slot)
}
