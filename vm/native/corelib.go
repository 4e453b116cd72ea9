package native

// coreLibrary are the functions of C that the standard library calls when it is inlined into a program (stdlib/public/stubs).
var coreLibrary = map[string]func(*call){
	"swift_bufferAllocate": func(c *call) { // class, bytes with the header, alignment mask
		ti, t := c.TypeOf(c.Arg(0))
		if c.fail(t); t != nil {
			return
		}
		ref, t := c.AllocObject(ti.Type, c.Arg(1), c.Arg(2)+1)
		c.fail(t)
		c.Set(0, ref)
	},
	"_swift_stdlib_putc_stderr": func(c *call) {
		c.fail(c.WriteError([]byte{byte(c.Arg(0))}))
		c.Set(0, c.Arg(0)&0xff)
	},
	"_swift_stdlib_has_malloc_size": func(c *call) { c.Set(0, 1) },
	"_swift_stdlib_malloc_size":     func(c *call) { c.Set(0, c.Heap().UsableSize(c.Arg(0))) },
	"_swift_stdlib_getUnsafeArgvArgc": func(c *call) {
		c.storeN(c.Arg(0), 4, uint64(len(c.Args())))
		c.Set(0, c.ArgTable())
	},
	"silvm_refuse": func(c *call) { c.unsupported(c.text(c.argString(0))) },
	"silvm_environment": func(c *call) { // entry of the environment, "" after the last
		entry := ""
		if all := c.Environment(); c.Arg(0) < uint64(len(all)) {
			entry = all[c.Arg(0)]
		}
		c.setString(c.newString(entry))
	},
	"_swift_getSwiftClassInstanceExtents": func(c *call) { // bytes before the address of an instance and from there on
		ti, t := c.TypeOf(c.Arg(0))
		c.fail(t)
		if t == nil && ti.Class != nil && ti.Class.Layout != nil {
			c.Set(0, 0)
			c.Set(1, ti.Class.Layout.Size)
		}
	},
	// How arguments lie in a va_list on x86-64 (stdlib/public/core/VarArgs.swift).
	"$ss17_countGPRegistersSivg":  func(c *call) { c.Set(0, 6) },
	"$ss17_countFPRegistersSivg":  func(c *call) { c.Set(0, 8) },
	"$ss16_fpRegisterWordsSivg":   func(c *call) { c.Set(0, 2) },
	"$ss18_registerSaveWordsSivg": func(c *call) { c.Set(0, 6+8*2) },
	"swift_stdlib_isStackAllocationSafe": func(c *call) {
		const most = 1024 // bytes that the standard library puts on the stack (stdlib/public/core/TemporaryAllocation.swift)
		c.setBool(c.Arg(0) <= most)
	},
	"_swift_stdlib_reportUnimplementedInitializer": func(c *call) {
		c.fail(c.Fatal("Use of unimplemented initializer '" + string(c.mem(c.Arg(2), c.Arg(3))) + "' for class '" +
			string(c.mem(c.Arg(0), c.Arg(1))) + "'"))
	},
}

// atomicIntegers are the library's functions on one word in memory (stdlib/public/core/AtomicInt.swift). Threads only change places between
// steps, so that each is atomic.
var atomicIntegers = map[string]func(*call){
	"$ss27_swift_stdlib_atomicLoadInt6objectSiSpySiG_tF":               func(c *call) { c.Set(0, c.load(c.Arg(0))) },
	"$ss28_swift_stdlib_atomicStoreInt6object7desiredySpySiG_SitF":     func(c *call) { c.store(c.Arg(0), c.Arg(1)) },
	"$ss31_swift_stdlib_atomicFetchAddInt6object7operandSiSpySiG_SitF": fetchThen(func(a, b uint64) uint64 { return a + b }),
	"$ss31_swift_stdlib_atomicFetchAndInt6object7operandSiSpySiG_SitF": fetchThen(func(a, b uint64) uint64 { return a & b }),
	"$ss30_swift_stdlib_atomicFetchOrInt6object7operandSiSpySiG_SitF":  fetchThen(func(a, b uint64) uint64 { return a | b }),
	"$ss31_swift_stdlib_atomicFetchXorInt6object7operandSiSpySiG_SitF": fetchThen(func(a, b uint64) uint64 { return a ^ b }),
	"$ss44_swift_stdlib_atomicCompareExchangeStrongInt6object8expected7desiredSbSpySiG_AESitF": func(c *call) {
		old, expected := c.load(c.Arg(0)), c.load(c.Arg(1))
		if old == expected {
			c.store(c.Arg(0), c.Arg(2))
		} else {
			c.store(c.Arg(1), old)
		}
		c.setBool(old == expected)
	},
}

// fetchThen returns the word at an address and replaces it by what change makes of it and an operand.
func fetchThen(change func(old, operand uint64) uint64) func(*call) {
	return func(c *call) {
		old := c.load(c.Arg(0))
		c.store(c.Arg(0), change(old, c.Arg(1)))
		c.Set(0, old)
	}
}
