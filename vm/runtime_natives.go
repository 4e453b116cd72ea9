package vm

import "silvm/vm/code"

// runtimeNatives are the functions of Swift's runtime that programs leave outside: hooks of Embedded mode, and those with which a
// program asks for reference counts (stdlib/public/runtime/HeapObject.cpp). They need the inside of the machine.
var runtimeNatives = map[string]Native{
	"swift_retainCount":        retainCount,
	"swift_unownedRetainCount": unownedRetainCount,
	"swift_weakRetainCount":    weakRetainCount,
	"swift_willThrow":          nothing, // hooks for debuggers
	"swift_willThrowTypedImpl": nothing,

	code.DeallocPartialInstance: deallocPartialInstance,

	"_swift_embedded_get_heap_object_metadata_pointer":          embeddedMetadata,
	"_swift_embedded_set_heap_object_metadata_pointer":          embeddedSetMetadata,
	"_swift_embedded_invoke_heap_object_destroy":                embeddedDestroy,
	"_swift_embedded_invoke_heap_object_optional_ivardestroyer": embeddedIVarDestroyer,
}

// nothing is a function that programs call for an effect which no program can see.
func nothing(*Machine, *NativeCall) *Trap { return nil }

func retainCount(m *Machine, c *NativeCall) *Trap {
	strong, _, _, _, _ := m.heap.Counts(c.Arg(0))
	c.Set(0, strong)
	return nil
}

func unownedRetainCount(m *Machine, c *NativeCall) *Trap {
	_, unowned, _, _, _ := m.heap.Counts(c.Arg(0))
	c.Set(0, unowned)
	return nil
}

func weakRetainCount(m *Machine, c *NativeCall) *Trap {
	_, _, weak, _, _ := m.heap.Counts(c.Arg(0))
	c.Set(0, weak)
	return nil
}

func embeddedMetadata(m *Machine, c *NativeCall) *Trap {
	meta, ok := m.heap.Load64(c.Arg(0))
	if !ok {
		return m.badAddress(c.Arg(0))
	}
	c.Set(0, meta)
	return nil
}

func embeddedSetMetadata(m *Machine, c *NativeCall) *Trap {
	if !m.heap.Store64(c.Arg(0), c.Arg(1)) {
		return m.badAddress(c.Arg(0))
	}
	return nil
}

func embeddedDestroy(m *Machine, c *NativeCall) *Trap {
	if c.State() != 0 {
		return nil
	}
	fi, t := m.destroyFunc(c.Arg(0))
	if t != nil {
		return t
	}
	c.SetState(1)
	return c.Call(fi, c.Arg(0))
}

func embeddedIVarDestroyer(m *Machine, c *NativeCall) *Trap {
	if c.State() != 0 {
		return nil
	}
	ti, t := m.typeOf(c.Arg(1))
	if t != nil || ti.Class == nil || ti.Class.IVars < 0 {
		return t
	}
	c.SetState(1)
	return c.Call(ti.Class.IVars, c.Arg(0))
}

// deallocPartialInstance runs the ivar destroyers of the object's class and of its superclasses up to the class where the initializer
// failed, without that one's, and frees the object. The state is one more than the index of the class whose turn is over.
func deallocPartialInstance(m *Machine, c *NativeCall) *Trap {
	class := (*code.Class)(nil)
	if s := c.State(); s > 0 {
		class = m.prog.Types[s-1].Class.Super
	} else {
		ti, t := m.typeOfObject(c.Arg(0))
		if t != nil {
			return t
		}
		class = ti.Class
	}
	for ; class != nil && class.Type.Addr != c.Arg(1); class = class.Super {
		if class.IVars >= 0 {
			c.SetState(uint64(class.Type.Index) + 1)
			return c.Call(class.IVars, c.Arg(0))
		}
	}
	m.count.Dealloc++
	if f := m.heap.DeallocUninitialized(c.Arg(0), m.site()); f != nil {
		return m.fault(f)
	}
	return nil
}
