package evidence

import (
	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/ir/op"
)

// tailOf says that an object, if it is the storage of an array, has elements of a type after it.
func (t *Trial) tailOf(object *ir.Value, elem *ir.Type) {
	seen := map[*ir.Value]bool{}
	work := []*ir.Value{object}
	for len(work) > 0 && len(seen) < maxCastChain {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v == nil || seen[v] || v.Type == nil {
			continue
		}
		seen[v] = true
		if typ := v.Type.Object(); typ.Kind == ir.KindNominal && len(typ.Args) == 1 && arrayStorage[typ.Name] {
			t.SameType(typ.Args[0], elem)
			continue
		}
		if made := v.Inst(); made != nil && len(made.Operands) > 0 && passesStorage(made) {
			work = append(work, made.Arg(0))
		}
		if v.IsArg() {
			work = append(work, t.arriving()[v]...)
		}
		for use := range v.Uses() {
			user := use.User()
			if r := user.Result(); r != nil && passesStorage(user) {
				work = append(work, r)
			}
			work = append(work, passedTo(use)...)
		}
	}
}

// pointsTo says that a raw pointer points to values of a type.
func (t *Trial) pointsTo(pointer *ir.Value, elem *ir.Type) {
	seen := map[*ir.Value]bool{}
	work := []*ir.Value{pointer}
	for len(work) > 0 && len(seen) < maxCastChain {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v == nil || seen[v] || v.Type == nil || v.Type.Kind != ir.KindBuiltin || v.Type.Name != "RawPointer" {
			continue
		}
		seen[v] = true
		if made := v.Inst(); made != nil && len(made.Operands) > 0 {
			from := made.Arg(0)
			switch made.Op {
			case op.IndexRawPointer, op.MarkDependence:
				work = append(work, from)
			case op.AddressToPointer:
				t.SameType(from.Type, elem)
			case op.Apply:
				t.addressed(from.Inst(), elem)
			case op.TupleExtract, op.DestructureTuple:
				t.allocated(from.Inst(), elem)
			case op.StructExtract:
				t.typedPointer(from.Type, elem)
			}
		}
		for use := range v.Uses() {
			work = append(work, passedTo(use)...)
			switch user := use.User(); user.Op {
			case op.IndexRawPointer, op.MarkDependence:
				if use.Number() == 0 {
					work = append(work, user.Result())
				}
			case op.PointerToAddress, op.Struct:
				if r := user.Result(); r != nil && r.Type != nil {
					t.typedPointer(r.Type, elem)
				}
			}
		}
	}
}

// allocated says that a new array, which the library returns with a pointer to its elements, has elements of a type.
func (t *Trial) allocated(call *ir.Inst, elem *ir.Type) {
	if call == nil || call.Op != op.Apply || call.Arg(0).Inst() == nil {
		return
	}
	aux, ok := call.Aux.(*ir.ApplyAux)
	ref, named := call.Arg(0).Inst().Aux.(*ir.SymbolAux)
	if ok && named && len(aux.Subs) == 1 && ref.Name == allocateArray {
		t.SameType(aux.Subs[0], elem)
	}
}

// allocateArray is _allocateUninitializedArray<T>(_:), which array literals call.
const allocateArray = "$ss27_allocateUninitializedArrayySayxG_BptBwlF"

// addressed says that the addressor of a variable, which a function_ref names, returns a pointer to a value of a type.
func (t *Trial) addressed(ref *ir.Inst, elem *ir.Type) {
	if ref == nil || ref.Op != op.FunctionRef {
		return
	}
	aux, ok := ref.Aux.(*ir.SymbolAux)
	if !ok {
		return
	}
	said, ok := mangle.MentionsOf(aux.Name, t.names.Has)
	if !ok || !said.Exact {
		return
	}
	var names []string
	t.namesIn(elem, &names)
	if len(names) != len(said.Formal) {
		return
	}
	for k, name := range names {
		if n, ok := t.byName[name]; ok && t.mentions[n].name == said.Formal[k].Name {
			t.restrict(n, t.whose(said.Formal[k]))
		}
	}
}

// typedPointer says that an address or a pointer of the library is one to values of a type.
func (t *Trial) typedPointer(typ, elem *ir.Type) {
	switch {
	case typ == nil:
	case typ.Kind == ir.KindAddress:
		t.SameType(typ, elem)
	case typ.Kind == ir.KindNominal && len(typ.Args) == 1 && (typ.Name == "UnsafeMutablePointer" || typ.Name == "UnsafePointer"):
		t.SameType(typ.Args[0], elem)
	}
}

// passedTo returns the arguments of blocks that a value becomes by a use.
func passedTo(use *ir.Operand) (args []*ir.Value) {
	user := use.User()
	for k, e := range user.Succs {
		for n, a := range user.EdgeArgs(k) {
			if a.Value() == use.Value() && e.To != nil && n < len(e.To.Args) {
				args = append(args, e.To.Args[n])
			}
		}
	}
	return args
}

// arriving returns the values that the arguments of blocks in the body that is read have been made of.
func (t *Trial) arriving() map[*ir.Value][]*ir.Value {
	if t.arrive == nil {
		t.arrive = map[*ir.Value][]*ir.Value{}
		for _, b := range t.blocks {
			last := b.Last()
			if last == nil {
				continue
			}
			for k, e := range last.Succs {
				for n, a := range last.EdgeArgs(k) {
					if e.To != nil && n < len(e.To.Args) {
						t.arrive[e.To.Args[n]] = append(t.arrive[e.To.Args[n]], a.Value())
					}
				}
			}
		}
	}
	return t.arrive
}

// passesStorage reports whether the result of an instruction is its operand, or has nothing else in it, when that is the storage of an array.
func passesStorage(i *ir.Inst) bool {
	switch i.Op {
	case op.Upcast, op.UncheckedRefCast, op.BeginCowMutation, op.EndCowMutation, op.EndInitLetRef, op.CopyValue, op.BeginBorrow, op.MoveValue,
		op.MarkDependence:
		return true
	case op.Struct, op.StructExtract, op.StructElementAddr:
		return len(i.Operands) == 1
	case op.Load:
		return true
	}
	return false
}

// arrayStorage are the types that are, or have as their only field, the object after which the elements of an array are.
var arrayStorage = map[string]bool{"_ContiguousArrayStorage": true, "_ContiguousArrayBuffer": true, "Array": true, "ContiguousArray": true}

// maxCastChain bounds how far a reference is followed to what it was made of.
const maxCastChain = 100
