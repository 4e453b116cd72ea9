package facts

import "silvm/ir"

// IsUnownedStorage reports whether the type is the storage of an unowned reference.
func IsUnownedStorage(t *ir.Type) bool { return t.IsStorage(ir.StorageUnowned) }

// IsNoescape reports whether t is a function type that, out of ownership form, is a trivial pointer to its context.
func IsNoescape(t *ir.Type) bool { return t.Kind == ir.KindFunction && t.Func.Noescape }

// IsMoveOnly reports whether values of the type can't be copied.
func IsMoveOnly(m *ir.Module, t *ir.Type) bool {
	if t.Kind == ir.KindMoveOnly {
		return true
	}
	if d := m.DeclOf(t); d != nil && !d.NonCopyable {
		return false
	}
	return !m.IsCopyable(t)
}
