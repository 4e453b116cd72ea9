package vm

import (
	"silvm/heap"
	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// What natives outside this package ask of the machine that runs them.

// Layouts returns the layouts of the program's types.
func (c *NativeCall) Layouts() *abi.Layouts { return c.m.prog.Layouts }

// TypeOf returns the type that a metadata word stands for.
func (c *NativeCall) TypeOf(meta uint64) (*code.TypeInfo, *Trap) { return c.m.typeOf(meta) }

// TypeOfObject returns the dynamic type of an object.
func (c *NativeCall) TypeOfObject(ref uint64) (*code.TypeInfo, *Trap) { return c.m.typeOfObject(ref) }

// TypeInfo returns the run-time record of a concrete type.
func (c *NativeCall) TypeInfo(t *ir.Type) (*code.TypeInfo, *Trap) {
	i, err := c.m.prog.Runtime.TypeInfo(t)
	if err != nil {
		return nil, c.m.unsupportedError(err)
	}
	return c.m.prog.Types[i], nil
}

// Metadata returns the metadata word of a concrete type.
func (c *NativeCall) Metadata(t *ir.Type) (uint64, *Trap) { return c.m.metadataOf(t) }

// MetadataOf returns the metadata word of a type's record.
func (c *NativeCall) MetadataOf(ti *code.TypeInfo) (uint64, *Trap) { return c.m.metadata(ti.Index) }

// GlobalAddr returns the address of a global variable of the program.
func (c *NativeCall) GlobalAddr(name string) (uint64, *Trap) {
	i, err := c.m.prog.Runtime.Global(name)
	if err != nil {
		return 0, c.m.unsupportedError(err)
	}
	return c.m.globalAddr(uint64(i))
}

// FullChecks reports whether the run is under full checking.
func (c *NativeCall) FullChecks() bool { return c.m.cfg.Checks == ChecksFull }

// Conforms reports whether a concrete type conforms to a protocol of that name.
func (c *NativeCall) Conforms(t *ir.Type, protocol string) bool {
	mod := c.m.prog.Module
	return mod.Conforms(t, mod.Types.Nominal(nil, protocol))
}

// WrittenIn reports whether the call of the native is in the text of a function that is: the one that runs or, where that was inlined
// or specialized, the one that the instruction comes from.
func (c *NativeCall) WrittenIn(is func(name string) bool) bool {
	p := c.m.place(c.m.callSite())
	if p.Func == nil || p.Func.Fn == nil {
		return false
	}
	if is(p.Func.Fn.Name) {
		return true
	}
	f := c.m.prog.Module.Files.File(p.Pos)
	return f != nil && is(f.FunctionAt(p.Pos))
}

// Requirement returns the function by which a concrete type meets a requirement, named as witness tables name it:
// "#Hashable.hash". types are the type, then the type arguments of a requirement that is generic itself.
func (c *NativeCall) Requirement(ref string, types ...*ir.Type) (int, *Trap) {
	fi, err := c.m.prog.Runtime.Requirement(ref, types)
	if err != nil {
		return 0, c.m.unsupportedError(err)
	}
	return fi, nil
}

// Library returns a function of the supplement to the standard library (loader/library), with its type arguments.
func (c *NativeCall) Library(name string, types ...*ir.Type) (int, *Trap) {
	fi, err := c.m.prog.Runtime.Library(name, types)
	if err != nil {
		return 0, c.m.unsupportedError(err)
	}
	return fi, nil
}

// Function returns a function of the program.
func (c *NativeCall) Function(fi int) *code.Func { return c.m.prog.Funcs[fi] }

// FuncHandle returns the word that stands for a function.
func (c *NativeCall) FuncHandle(fi int) (uint64, *Trap) { return c.m.handleOf(fi) }

// Called reports whether the native has called a function on this turn, so that there will be another.
func (c *NativeCall) Called() bool { return c.called }

// Payload returns the address of the value in the opaque existential at a, and its type.
func (c *NativeCall) Payload(a uint64) (uint64, *code.TypeInfo, *Trap) {
	ti, t := c.m.existentialType(a)
	if t != nil {
		return 0, nil, t
	}
	p, t := c.m.payload(a)
	return p, ti, t
}

// AnyHashableBox returns the type of the box in which an AnyHashable keeps values of a type, which are all that it stores.
func (c *NativeCall) AnyHashableBox(t *ir.Type) *ir.Type { return c.m.anyHashableBox(t) }

// InitOpaque makes the opaque existential at a one for a value of type ti that conforms to protocols, and returns the address where the
// value is to be put.
func (c *NativeCall) InitOpaque(a uint64, ti *code.TypeInfo, protocols ...*ir.Type) (uint64, *Trap) {
	meta, t := c.m.metadata(ti.Index)
	if t != nil {
		return 0, t
	}
	ok := c.m.heap.Store64(a+abi.ExistentialType, meta)
	for i, p := range protocols {
		table, t := c.m.conformance(ti.Type, p)
		if t == nil && table == 0 {
			t = c.m.unsupported(ti.Name + " as " + p.String())
		}
		if t != nil {
			return 0, t
		}
		ok = ok && c.m.heap.Store64(a+abi.ExistentialWitness+8*uint64(i), table)
	}
	if ti.Layout.IsInline() && ok {
		return a, nil
	}
	box, t := c.m.allocBox(ti)
	if t == nil && !c.m.heap.Store64(a, box) {
		t = c.m.badAddress(a)
	}
	return box + boxOffset(ti.Layout), t
}

// Cast casts the value of type from at src to type to, into the memory at dst, which holds no value. The source keeps its value, and the
// result has references of its own. False when the cast fails; then dst is left alone.
func (c *NativeCall) Cast(dst uint64, to *ir.Type, src uint64, from *ir.Type) (bool, *Trap) {
	ok, _, t := c.m.cast(dst, to, src, from, true)
	return ok, t
}

// Boxed returns the address of the Any in the object that stands for a value cast to AnyObject, to which there is a reference at a; false when the class
// is another.
func (c *NativeCall) Boxed(class *code.TypeInfo, a uint64) (uint64, bool) {
	field, ok := (&caster{m: c.m}).boxField(class)
	if !ok {
		return 0, false
	}
	ref, loaded := c.m.heap.Load64(a)
	return ref + field, loaded
}

// AllocObject makes an object of size bytes, header included, of which only the header is set.
func (c *NativeCall) AllocObject(t *ir.Type, size, align uint64) (uint64, *Trap) {
	meta, trap := c.m.metadataOf(t)
	if trap != nil {
		return 0, trap
	}
	ref, f := c.m.heap.AllocObject(meta, size, align, c.Site())
	if f != nil {
		return 0, c.m.fault(f)
	}
	c.m.count.AllocObject++
	return ref, nil
}

// ReleaseLeaf releases a strong reference to an object that has nothing inside that needs destroying, such as the storage of a
// string; at the last one its memory is freed at once.
func (c *NativeCall) ReleaseLeaf(ref uint64) *Trap {
	c.m.count.StrongRelease++
	last, f := c.m.heap.Release(ref, c.Site())
	if f == nil && last {
		c.m.count.Deinit++
		c.m.count.Dealloc++
		f = c.m.heap.DeallocObject(ref, c.Site())
	}
	if f != nil {
		return c.m.fault(f)
	}
	return nil
}

// Write adds bytes to standard output.
func (c *NativeCall) Write(b []byte) *Trap {
	if !c.m.world.write(b...) {
		return c.m.limit(LimitOutput)
	}
	return nil
}

// WriteError adds bytes to standard error.
func (c *NativeCall) WriteError(b []byte) *Trap {
	if !c.m.world.writeError(b) {
		return c.m.limit(LimitOutput)
	}
	return nil
}

// AllocRaw makes a block of raw memory, as malloc does.
func (c *NativeCall) AllocRaw(size, align uint64) (uint64, *Trap) {
	a, f := c.m.heap.AllocRaw(size, align, heap.KindMalloc, c.Site())
	if f != nil {
		return 0, c.m.fault(f)
	}
	c.m.count.AllocRaw++
	return a, nil
}

// FreeRaw frees a block of raw memory.
func (c *NativeCall) FreeRaw(a uint64) *Trap {
	c.m.count.FreeRaw++
	return c.Fault(c.m.heap.FreeRaw(a, c.Site()))
}

// CopyMemory copies n bytes, which may overlap.
func (c *NativeCall) CopyMemory(dst, src, n uint64) *Trap { return c.m.copyMemory(dst, src, n) }

// CompareMemory returns the difference of the first two of n bytes that differ, as a 32-bit integer; 0 when none do.
func (c *NativeCall) CompareMemory(a, b, n uint64) (uint64, *Trap) { return c.m.compare(a, b, n) }

// Exit ends the program with a status once the native has come back.
func (c *NativeCall) Exit(code int) { c.m.exit = exitState{true, code} }

// NativeWords is the number of words of state that natives have in the machine.
const NativeWords = 33

// Words returns the state of natives, which goes back with the run.
func (c *NativeCall) Words() *[NativeWords]uint32 { return &c.m.world.words }

// Read reads from standard input; 0 means its end.
func (c *NativeCall) Read(b []byte) int { return c.m.world.read(b) }

// Random returns 64 random bits that depend on the seed of the run only.
func (c *NativeCall) Random() uint64 { return c.m.world.rand() }

// Args returns the program's arguments, its name first.
func (c *NativeCall) Args() []string { return c.m.cfg.Args }

// ArgTable returns the address of the table of their addresses in memory, which ends in null.
func (c *NativeCall) ArgTable() uint64 { return c.m.argv }

// Environment returns the program's environment, NAME=VALUE each.
func (c *NativeCall) Environment() []string { return c.m.cfg.Environment }

// EnvironmentEntry returns the address in memory of entry n of the environment.
func (c *NativeCall) EnvironmentEntry(n int) uint64 {
	a, _ := c.m.heap.Load64(c.m.envp + 8*uint64(n))
	return a
}

// BadAddress is the trap for an address that is not mapped.
func (c *NativeCall) BadAddress(a uint64) *Trap { return c.m.badAddress(a) }

// Fault is the trap for a fault of the heap; nil when there is none.
func (c *NativeCall) Fault(f *heap.Fault) *Trap {
	if f == nil {
		return nil
	}
	return c.m.fault(f)
}

// SwiftTrap is the trap of a failed precondition; why is the text that an unoptimized program would show.
func (c *NativeCall) SwiftTrap(why string) *Trap { return &Trap{Kind: SwiftTrap, What: why} }

// Limit is the trap for a limit that is reached.
func (c *NativeCall) Limit(which LimitKind) *Trap { return c.m.limit(which) }

// Internal is the trap for a bug in a native.
func (c *NativeCall) Internal(what string) *Trap { return c.m.internal(what) }

// UnsupportedSymbol is the trap of a native that is there and can't do what it is asked with these types.
func (c *NativeCall) UnsupportedSymbol() *Trap { return c.m.unsupportedSymbol(c.Ref.Symbol) }

// PathPart returns a part of key paths by its number; nil when there is none.
func (c *NativeCall) PathPart(n uint64) *code.PathPart {
	if n >= uint64(len(c.m.prog.PathParts)) {
		return nil
	}
	return c.m.prog.PathParts[n]
}
