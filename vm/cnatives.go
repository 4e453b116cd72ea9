package vm

import (
	"maps"
	"math"
	"sort"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/code"
	"silvm/vm/libm"
	"silvm/vm/lower"
)

// cNatives are the functions of the C library and of Swift's runtime that programs in Embedded mode leave outside, and those
// with which a program asks for reference counts (C11 7.21-7.24, POSIX, stdlib/public/runtime/HeapObject.cpp).
var cNatives = map[string]Native{
	"putchar":                  putchar,
	"getchar":                  getchar,
	"malloc":                   malloc,
	"posix_memalign":           posixMemalign,
	"aligned_alloc":            alignedAlloc,
	"free":                     free,
	"abort":                    abort,
	"exit":                     exit,
	"_exit":                    exit,
	"_Exit":                    exit,
	"memcpy":                   memcpy,
	"memmove":                  memcpy,
	"memset":                   memset,
	"memcmp":                   memcmp,
	"_swift_stdlib_memcmp":     memcmp,
	"strlen":                   strlen,
	"_swift_stdlib_strlen":     strlen,
	"arc4random_buf":           randomBytes,
	"getentropy":               randomBytes,
	"swift_stdlib_random":      randomBytes,
	"swift_retainCount":        retainCount,
	"swift_unownedRetainCount": unownedRetainCount,
	"swift_weakRetainCount":    weakRetainCount,
	"_swift_stdlib_gettid":     threadID,
	"swift_willThrow":          nothing, // hooks for debuggers
	"swift_willThrowTypedImpl": nothing,

	code.DeallocPartialInstance: deallocPartialInstance,

	"_swift_embedded_get_heap_object_metadata_pointer":          embeddedMetadata,
	"_swift_embedded_set_heap_object_metadata_pointer":          embeddedSetMetadata,
	"_swift_embedded_invoke_heap_object_destroy":                embeddedDestroy,
	"_swift_embedded_invoke_heap_object_optional_ivardestroyer": embeddedIVarDestroyer,
}

func init() {
	unary := map[string]func(float64) float64{
		"sqrt": math.Sqrt, "floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "round": math.Round, "rint": math.RoundToEven,
		"nearbyint": math.RoundToEven, "fabs": math.Abs, "_stdlib_squareRoot": math.Sqrt,
	}
	binary := map[string]func(x, y float64) float64{
		"copysign": math.Copysign, "_stdlib_remainder": libm.Remainder, "fmin": minNum, "fmax": maxNum,
	}
	maps.Copy(unary, libm.Unary)
	maps.Copy(binary, libm.Binary)
	for name, f := range unary {
		cNatives[name], cNatives[name+"f"] = unary64(f), unary32(f)
	}
	for name, f := range binary {
		cNatives[name], cNatives[name+"f"] = binary64(f), binary32(f)
	}
}

// nothing is a function that programs call for an effect which no program can see.
func nothing(*Machine, *NativeCall) *Trap { return nil }

// threadID gives the number of the one thread there is; Linux gives its first process 1.
func threadID(_ *Machine, c *NativeCall) *Trap {
	c.Set(0, 1)
	return nil
}

func unary64(f func(float64) float64) Native {
	return func(_ *Machine, c *NativeCall) *Trap {
		c.Set(0, math.Float64bits(f(f64(c.Arg(0)))))
		return nil
	}
}

func unary32(f func(float64) float64) Native {
	return func(_ *Machine, c *NativeCall) *Trap {
		c.Set(0, uint64(math.Float32bits(float32(f(float64(f32(c.Arg(0))))))))
		return nil
	}
}

func binary64(f func(x, y float64) float64) Native {
	return func(_ *Machine, c *NativeCall) *Trap {
		c.Set(0, math.Float64bits(f(f64(c.Arg(0)), f64(c.Arg(1)))))
		return nil
	}
}

func binary32(f func(x, y float64) float64) Native {
	return func(_ *Machine, c *NativeCall) *Trap {
		c.Set(0, uint64(math.Float32bits(float32(f(float64(f32(c.Arg(0))), float64(f32(c.Arg(1))))))))
		return nil
	}
}

func putchar(m *Machine, c *NativeCall) *Trap {
	ch := byte(c.Arg(0))
	if !m.world.write(ch) {
		return m.limit("output")
	}
	c.Set(0, uint64(ch))
	return nil
}

// getchar gives the next byte of standard input, -1 at its end.
func getchar(m *Machine, c *NativeCall) *Trap {
	var b [1]byte
	if m.world.read(b[:]) == 0 {
		c.Set(0, 1<<32-1)
		return nil
	}
	c.Set(0, uint64(b[0]))
	return nil
}

func (c *NativeCall) malloc(size, align uint64) *Trap {
	a, f := c.m.heap.AllocRaw(size, align, heap.KindMalloc, c.Site())
	if f != nil {
		return c.m.fault(f)
	}
	c.m.count.AllocRaw++
	c.Set(0, a)
	return nil
}

func malloc(_ *Machine, c *NativeCall) *Trap { return c.malloc(c.Arg(0), 16) }

func alignedAlloc(_ *Machine, c *NativeCall) *Trap { return c.malloc(c.Arg(1), c.Arg(0)) }

func posixMemalign(m *Machine, c *NativeCall) *Trap {
	const invalid = 22
	to, align, size := c.Arg(0), c.Arg(1), c.Arg(2)
	if align < 8 || align&(align-1) != 0 {
		c.Set(0, invalid)
		return nil
	}
	if t := c.malloc(size, align); t != nil {
		return t
	}
	if !m.heap.Store64(to, c.Arg(0)) {
		return m.badAddress(to)
	}
	c.Set(0, 0)
	return nil
}

func free(m *Machine, c *NativeCall) *Trap {
	if c.Arg(0) == 0 {
		return nil
	}
	m.count.FreeRaw++
	if f := m.heap.FreeRaw(c.Arg(0), c.Site()); f != nil {
		return m.fault(f)
	}
	return nil
}

func abort(m *Machine, _ *NativeCall) *Trap { return m.trapNow(SwiftTrap) }

func exit(m *Machine, c *NativeCall) *Trap {
	m.exit = exitState{true, int(uint8(c.Arg(0)))}
	return nil
}

func memcpy(m *Machine, c *NativeCall) *Trap { return m.copyMemory(c.Arg(0), c.Arg(1), c.Arg(2)) }

func memset(m *Machine, c *NativeCall) *Trap {
	b, ok := m.heap.Range(c.Arg(0), c.Arg(2))
	if !ok {
		return m.badAddress(c.Arg(0))
	}
	fill(b, byte(c.Arg(1)))
	return nil
}

func memcmp(m *Machine, c *NativeCall) *Trap {
	v, t := m.compare(c.Arg(0), c.Arg(1), c.Arg(2))
	c.Set(0, v)
	return t
}

func strlen(m *Machine, c *NativeCall) *Trap {
	n, t := m.stringLength(c.Arg(0))
	c.Set(0, n)
	return t
}

// stringLength counts the bytes before the NUL that ends the C string at a.
func (m *Machine) stringLength(a uint64) (uint64, *Trap) {
	return m.prefixLength(a, ^uint64(0))
}

// randomBytes fills memory with bytes that depend on the seed, and gives 0, which getentropy wants.
func randomBytes(m *Machine, c *NativeCall) *Trap {
	b, ok := m.heap.Range(c.Arg(0), c.Arg(1))
	if !ok {
		return m.badAddress(c.Arg(0))
	}
	for len(b) > 0 {
		v := m.world.rand()
		for i := 0; i < 8 && len(b) > 0; i++ {
			b[0], b, v = byte(v), b[1:], v>>8
		}
	}
	c.Set(0, 0)
	return nil
}

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

// missing lists the symbols that mod declares and neither it, find nor the supplement to the standard library has.
func missing(mod *ir.Module, find func(string) Native) []string {
	var out []string
	for name, f := range mod.Funcs {
		if f.IsDeclaration() && find(name) == nil && !lower.HasLibraryFunction(mod, f) {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out
}
