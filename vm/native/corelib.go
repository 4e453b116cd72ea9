package native

// coreLibrary are the functions of C that the standard library calls when it is inlined into a program (stdlib/public/stubs).
var coreLibrary = map[string]func(*call){
	"_swift_stdlib_has_malloc_size": func(c *call) { c.Set(0, 1) },
	"_swift_stdlib_malloc_size":     func(c *call) { c.Set(0, c.Heap().UsableSize(c.Arg(0))) },
	"swift_stdlib_isStackAllocationSafe": func(c *call) {
		const most = 1024 // bytes that the standard library puts on the stack (stdlib/public/core/TemporaryAllocation.swift)
		c.setBool(c.Arg(0) <= most)
	},
	"_swift_stdlib_reportUnimplementedInitializer": func(c *call) {
		c.fail(c.Fatal("Use of unimplemented initializer '" + string(c.mem(c.Arg(2), c.Arg(3))) + "' for class '" +
			string(c.mem(c.Arg(0), c.Arg(1))) + "'"))
	},
}
