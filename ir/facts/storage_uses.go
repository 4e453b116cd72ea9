package facts

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
)

// A StorageUse is an operand by which an instruction may reach a storage, with the way from the base there: no storage where that is not known,
// such as of a reference to the whole object.
type StorageUse struct {
	Operand *ir.Operand
	At      AccessStorage
}

// StorageUses lists all uses of a storage in a function (docs/SILMemoryAccess.md, Access path uses), in the order of a walk from its root: what
// touches the memory, what hands its address or pointer on, and what uses the object in which it lies. All of a uniquely identified storage are
// there. Projections, casts, copies and the ends of borrows are no uses by themselves.
func (p *Program) StorageUses(f *ir.Function, s *AccessStorage) []StorageUse {
	w := &storageUses{p: p, s: s, seen: map[*ir.Value]bool{}}
	if s.Kind == BaseGlobal && s.Global != nil {
		for i := range f.Insts() {
			if w.isGlobal(i) {
				w.push(i.Result())
			}
		}
	} else {
		w.push(s.Root)
	}
	for len(w.work) > 0 {
		last := len(w.work) - 1
		u := w.work[last]
		w.work = w.work[:last]
		if !w.isFollowed(u) {
			w.found = append(w.found, StorageUse{u, p.AccessStorage(u.Value())})
		}
	}
	return w.found
}

// storageUses is the walk.
type storageUses struct {
	p     *Program
	s     *AccessStorage
	seen  map[*ir.Value]bool
	work  []*ir.Operand
	found []StorageUse
}

func (w *storageUses) isGlobal(i *ir.Inst) bool {
	switch i.Op {
	case op.GlobalAddr:
		return i.Aux.(*ir.SymbolAux).Global == w.s.Global
	case op.Apply:
		callee := StaticCallee(i)
		return callee != nil && callee.Attrs.Has(ir.AttrGlobalInit) && initializedGlobal(callee) == w.s.Global
	}
	return false
}

func (w *storageUses) push(v *ir.Value) {
	if !w.seen[v] {
		w.seen[v] = true
		w.work = append(w.work, v.UseList()...)
	}
}

// isFollowed reports whether an operand is no use by itself, and enters those after it.
func (w *storageUses) isFollowed(u *ir.Operand) bool {
	i := u.User()
	switch i.Op {
	case op.EndBorrow:
		return true
	case op.Br, op.CondBr:
		return w.follows(u)
	case op.StoreBorrow:
		if u.Number() == 1 {
			w.push(i.Result()) // and it initializes the memory
		}
		return false
	}
	if u.Number() != 0 || len(i.Results) != 1 {
		return false
	}
	if isObject(u.Value()) {
		return w.isOfObject(i)
	}
	if i.Op == op.Load { // it is a use, and so is what is done to the payload in a box
		for b := range i.Result().Uses() {
			step := storageSearch{p: w.p, hasPath: true}
			if _, ok := step.step(b.User()); ok && b.User().Op == op.ProjectBox {
				w.push(b.User().Result())
			}
		}
		return false
	}
	step := storageSearch{p: w.p, hasPath: true}
	if _, ok := step.step(i); !ok {
		return false
	}
	w.push(i.Result())
	return i.OperandMem(0) == op.MemNone // what opens an existential or takes the payload of an enum touches what it projects
}

// isObject reports whether a value is a reference to an object or a box.
func isObject(v *ir.Value) bool {
	return !v.Type.IsAddress() && !v.Type.IsBuiltin(ir.BuiltinRawPointer)
}

// isOfObject follows a reference: to the property or the elements in question, and through casts.
func (w *storageUses) isOfObject(i *ir.Inst) bool {
	switch i.Op {
	case op.RefElementAddr:
		if w.s.Kind == BaseClass && w.p.FieldIndex(i) == w.s.Property {
			w.push(i.Result())
		}
	case op.RefTailAddr:
		if w.s.Kind == BaseTail {
			w.push(i.Result())
		}
	case op.ProjectBox:
		if w.s.Kind == BaseBox {
			w.push(i.Result())
		}
	default:
		if !keepsObject(i) {
			return false
		}
		w.push(i.Result())
	}
	return true
}

// follows enters the block arguments that a branch gives a value to, if they stand for the same storage or object.
func (w *storageUses) follows(u *ir.Operand) bool {
	all, i := true, u.User()
	for n, e := range i.Succs {
		args := i.EdgeArgs(n)
		for at := range args {
			if &args[at] != u {
				continue
			}
			a := e.To.Args[at]
			same := false
			if isObject(a) {
				same = w.p.objectRoot(a) == w.s.Root
			} else {
				found := w.p.AccessStorage(a)
				same = found.IsSame(w.s)
			}
			if all = all && same; same {
				w.push(a)
			}
		}
	}
	return all
}

// Contains reports whether the memory at the end of a path is all of that at the end of another one, or has it as a part.
func (s *AccessStorage) Contains(o *AccessStorage) bool {
	return s.IsSame(o) && !s.unknown && !o.unknown && s.offset == o.offset && len(s.fields) <= len(o.fields) && slices.Equal(s.fields, o.fields[:len(s.fields)])
}

// MayOverlap reports whether the memory at the ends of two paths may have a part in common.
func (s *AccessStorage) MayOverlap(o *AccessStorage) bool {
	if !s.IsSame(o) || !s.unknown && !o.unknown && s.offset != o.offset {
		return false
	}
	n := min(len(s.fields), len(o.fields))
	return slices.Equal(s.fields[:n], o.fields[:n])
}
