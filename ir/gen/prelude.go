package gen

import "fmt"

const preludeText = `sil @putchar : $@convention(c) (Int32) -> Int32

// put writes one byte.
sil [noinline] @put : $@convention(thin) (Builtin.Int32) -> () {
bb0(%0 : $Builtin.Int32):
  %1 = struct $Int32 (%0 : $Builtin.Int32)
  %2 = function_ref @putchar : $@convention(c) (Int32) -> Int32
  %3 = apply %2(%1) : $@convention(c) (Int32) -> Int32
  %4 = tuple ()
  return %4 : $()
}

// digits writes a number that is not negative.
sil [noinline] @digits : $@convention(thin) (Builtin.Int64) -> () {
bb0(%0 : $Builtin.Int64):
  %1 = integer_literal $Builtin.Int64, 10
  %2 = builtin "cmp_ult_Int64"(%0 : $Builtin.Int64, %1 : $Builtin.Int64) : $Builtin.Int1
  cond_br %2, bb2, bb1

bb1:
  %4 = builtin "udiv_Int64"(%0 : $Builtin.Int64, %1 : $Builtin.Int64) : $Builtin.Int64
  %5 = function_ref @digits : $@convention(thin) (Builtin.Int64) -> ()
  %6 = apply %5(%4) : $@convention(thin) (Builtin.Int64) -> ()
  br bb3

bb2:
  br bb3

bb3:
  %8 = builtin "urem_Int64"(%0 : $Builtin.Int64, %1 : $Builtin.Int64) : $Builtin.Int64
  %9 = builtin "trunc_Int64_Int32"(%8 : $Builtin.Int64) : $Builtin.Int32
  %10 = integer_literal $Builtin.Int32, 48
  %11 = builtin "add_Int32"(%9 : $Builtin.Int32, %10 : $Builtin.Int32) : $Builtin.Int32
  %12 = function_ref @put : $@convention(thin) (Builtin.Int32) -> ()
  %13 = apply %12(%11) : $@convention(thin) (Builtin.Int32) -> ()
  %14 = tuple ()
  return %14 : $()
}

// line writes a number, modulo 2 to the 16, and a newline.
sil [noinline] @line : $@convention(thin) (Int) -> () {
bb0(%0 : $Int):
  %1 = struct_extract %0 : $Int, #Int._value
  %2 = integer_literal $Builtin.Int64, 65535
  %3 = builtin "and_Int64"(%1 : $Builtin.Int64, %2 : $Builtin.Int64) : $Builtin.Int64
  %4 = function_ref @digits : $@convention(thin) (Builtin.Int64) -> ()
  %5 = apply %4(%3) : $@convention(thin) (Builtin.Int64) -> ()
  %6 = integer_literal $Builtin.Int32, 10
  %7 = function_ref @put : $@convention(thin) (Builtin.Int32) -> ()
  %8 = apply %7(%6) : $@convention(thin) (Builtin.Int32) -> ()
  %9 = tuple ()
  return %9 : $()
}

// ended writes a letter for the class and the id of an object that dies.
sil [noinline] @ended : $@convention(thin) (Builtin.Int32, Int) -> () {
bb0(%0 : $Builtin.Int32, %1 : $Int):
  %2 = function_ref @put : $@convention(thin) (Builtin.Int32) -> ()
  %3 = apply %2(%0) : $@convention(thin) (Builtin.Int32) -> ()
  %4 = function_ref @line : $@convention(thin) (Int) -> ()
  %5 = apply %4(%1) : $@convention(thin) (Int) -> ()
  %6 = global_addr @deaths : $*Int
  %7 = begin_access [modify] [dynamic] [no_nested_conflict] %6 : $*Int
  %8 = load %7 : $*Int
  %9 = struct_extract %8 : $Int, #Int._value
  %10 = integer_literal $Builtin.Int64, 1
  %11 = builtin "add_Int64"(%9 : $Builtin.Int64, %10 : $Builtin.Int64) : $Builtin.Int64
  %12 = struct $Int (%11 : $Builtin.Int64)
  store %12 to %7 : $*Int
  end_access %7 : $*Int
  %15 = tuple ()
  return %15 : $()
}

// spent counts its calls and says when there were many.
sil [noinline] @spent : $@convention(thin) () -> Builtin.Int1 {
bb0:
  %0 = global_addr @shown : $*Int
  %1 = load %0 : $*Int
  %2 = struct_extract %1 : $Int, #Int._value
  %3 = integer_literal $Builtin.Int64, 1
  %4 = builtin "add_Int64"(%2 : $Builtin.Int64, %3 : $Builtin.Int64) : $Builtin.Int64
  %5 = struct $Int (%4 : $Builtin.Int64)
  store %5 to %0 : $*Int
  %7 = integer_literal $Builtin.Int64, 200
  %8 = builtin "cmp_slt_Int64"(%7 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int1
  return %8 : $Builtin.Int1
}

sil @same : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
  return %0 : $Int
}

sil @bump : $@convention(thin) (@inout Int) -> () {
bb0(%0 : $*Int):
  %1 = begin_access [modify] [static] %0 : $*Int
  %2 = load %1 : $*Int
  %3 = struct_extract %2 : $Int, #Int._value
  %4 = integer_literal $Builtin.Int64, 3
  %5 = builtin "add_Int64"(%3 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int64
  %6 = struct $Int (%5 : $Builtin.Int64)
  store %6 to %1 : $*Int
  end_access %1 : $*Int
  %9 = tuple ()
  return %9 : $()
}

sil [ossa] @twice : $@convention(thin) (@guaranteed @noescape @callee_guaranteed (Int) -> Int) -> Int {
bb0(%0 : @guaranteed $@noescape @callee_guaranteed (Int) -> Int):
  %1 = integer_literal $Builtin.Int64, 5
  %2 = struct $Int (%1 : $Builtin.Int64)
  %3 = apply %0(%2) : $@noescape @callee_guaranteed (Int) -> Int
  %4 = apply %0(%3) : $@noescape @callee_guaranteed (Int) -> Int
  return %4 : $Int
}

// The generic functions.
sil [ossa] @copy_of : $@convention(thin) <T> (@in_guaranteed T) -> @out T {
bb0(%0 : $*T, %1 : $*T):
  copy_addr %1 to [init] %0 : $*T
  %3 = tuple ()
  return %3 : $()
}

sil [ossa] @passed_on : $@convention(thin) <T> (@in T) -> @out T {
bb0(%0 : $*T, %1 : $*T):
  %2 = alloc_stack $T
  copy_addr [take] %1 to [init] %2 : $*T
  copy_addr %2 to [init] %0 : $*T
  destroy_addr %2 : $*T
  dealloc_stack %2 : $*T
  %7 = tuple ()
  return %7 : $()
}

sil @exchanged : $@convention(thin) <T> (@inout T, @in T) -> @out T {
bb0(%0 : $*T, %1 : $*T, %2 : $*T):
  copy_addr [take] %1 to [init] %0 : $*T
  copy_addr [take] %2 to [init] %1 : $*T
  %5 = tuple ()
  return %5 : $()
}

sil [ossa] @told : $@convention(thin) <T where T : P> (@in_guaranteed T) -> Int {
bb0(%0 : $*T):
  %1 = integer_literal $Builtin.Int64, 4
  %2 = struct $Int (%1 : $Builtin.Int64)
  %3 = witness_method $T, #P.tell : <Self where Self : P> (Self) -> (Int) -> Int : $@convention(witness_method: P) <τ_0_0 where τ_0_0 : P> (Int, @in_guaranteed τ_0_0) -> Int
  %4 = apply %3<T>(%2, %0) : $@convention(witness_method: P) <τ_0_0 where τ_0_0 : P> (Int, @in_guaranteed τ_0_0) -> Int
  return %4 : $Int
}

`

// prelude writes what every module has.
func (g *generator) prelude() {
	g.decls.WriteString("struct Failure : Error {\n  @_hasStorage var held: " + g.classes[0].name + " { get set }\n}\n\n")
	g.decls.WriteString("sil_global hidden @deaths : $Int\nsil_global hidden @never : $Int\nsil_global hidden @shown : $Int\n")
	for _, x := range g.globals {
		fmt.Fprintf(&g.decls, "sil_global hidden @%s : $%s\n", x.name, x.t.name)
	}
	g.decls.WriteString("\n")
	g.body.WriteString(preludeText)
	g.bufferCode()
}

// typeCode makes the functions that belong to types: initializers, deinits, methods, witnesses, coroutines.
func (g *generator) typeCode() {
	for _, c := range g.classes {
		g.deinit(c)
		g.method(c)
		g.modify(c)
	}
	for _, c := range g.classes {
		s := &signature{name: "make_" + c.name, params: []param{{"", intType}}, result: c}
		f := g.begin(s, pick(g, []string{"", "[noinline]"}), g.isOSSA())
		o := f.allocate(c, "%0")
		f.finishWith(o)
		g.sigs = append(g.sigs, s)
	}
	for _, s := range g.structs {
		g.structWitness(s)
	}
}

// dealloc is the mangled name of the deallocating deinit of a class: native code finds it by that.
func dealloc(class string) string { return fmt.Sprintf("$s4main%d%sCfD", len(class), class) }

// deinit makes the deallocating deinit of a class: it writes, and lets the stored properties go, in a random order.
func (g *generator) deinit(c *typ) {
	f := g.begin(&signature{name: dealloc(c.name), conv: "method", params: []param{{"@owned ", c}}}, "", false)
	self := f.scopes[0].values[0]
	f.take(self)
	self.owned = false
	shown := c.root().fields[g.n(2)] // the id, or what may change up to the end
	f.field(self, shown, func(p *place) {
		id := f.def("load %s : $*Int", p.addr)
		letter := f.def("integer_literal $Builtin.Int32, %d", 'A'+c.number)
		f.call("ended", "$@convention(thin) (Builtin.Int32, Int) -> ()", letter, id)
	})
	fields := c.allFields()
	g.r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	for _, x := range fields {
		if x.t.isTrivial() {
			continue
		}
		a := f.fieldAddr("%0", c, x)
		if g.chance(2) {
			f.op("destroy_addr %s : $*%s", a, x.t.name)
			continue
		}
		f.destroy(&value{name: f.def("load %s : $*%s", a, x.t.name), t: x.t})
	}
	f.op("dealloc_ref %%0 : $%s", c.name)
	f.finish()
	override := ""
	if c.super != nil {
		override = " [override]"
	}
	root := c.root().name
	fmt.Fprintf(&g.tables, "sil_vtable %s {\n  #%s.tell: (%s) -> (Int) -> Int : @%s_tell%s\n  #%s.deinit!deallocator: @%s\n}\n\n",
		c.name, root, root, c.name, override, c.name, dealloc(c.name))
}

// method makes tell of a class, and the witness for it.
func (g *generator) method(c *typ) {
	f := g.begin(&signature{name: c.name + "_tell", conv: "method", params: []param{{"", intType}, {"@guaranteed ", c}}, result: intType}, "", g.isOSSA())
	var result string
	f.field(f.scopes[0].values[1], c.root().fields[1], func(p *place) {
		old := f.load(p).name
		if g.chance(2) {
			f.set(p, f.binary("add", old, "%0"))
		}
		result = f.binary("xor", old, f.integer(c.number))
	})
	f.finishWith(result)
	if c.super != nil {
		return
	}
	fmt.Fprintf(&g.body, `sil shared [thunk] @%[1]s_witness : $@convention(witness_method: P) (Int, @in_guaranteed %[1]s) -> Int {
bb0(%%0 : $Int, %%1 : $*%[1]s):
  %%2 = load %%1 : $*%[1]s
  %%3 = class_method %%2 : $%[1]s, #%[1]s.tell : (%[1]s) -> (Int) -> Int, $@convention(method) (Int, @guaranteed %[1]s) -> Int
  %%4 = apply %%3(%%0, %%2) : $@convention(method) (Int, @guaranteed %[1]s) -> Int
  return %%4 : $Int
}

`, c.name)
	g.witnessTable(c)
}

func (g *generator) witnessTable(t *typ) {
	fmt.Fprintf(&g.tables, "sil_witness_table %[1]s: P module main {\n  method #P.tell: <Self where Self : P> (Self) -> (Int) -> Int : @%[1]s_witness\n}\n\n", t.name)
}

// structWitness makes the witness of a struct: it reads through the address that it got.
func (g *generator) structWitness(t *typ) {
	f := g.begin(&signature{name: t.name + "_witness", conv: "witness_method: P", params: []param{{"", intType}, {"@in_guaranteed ", t}}, result: intType}, "", g.isOSSA())
	f.show(f.scopes[0].values[1])
	f.finishWith("%0")
	g.witnessTable(t)
}

// modify makes the coroutine that lends the number of an object.
func (g *generator) modify(c *typ) {
	x := c.root().fields[1]
	owner := c.root()
	up, of := "", "%0"
	ossa, word := "[ossa] ", "@guaranteed "
	if owner != c {
		up, of = fmt.Sprintf("  %%1 = upcast %%0 : $%s to $%s\n", c.name, owner.name), "%1"
	}
	if !g.isOSSA() {
		ossa, word = "", ""
	}
	fmt.Fprintf(&g.body, `sil %[1]s@%[2]s_modify : $@yield_once @convention(method) (@guaranteed %[2]s) -> @yields @inout Int {
bb0(%%0 : %[3]s$%[2]s):
%[4]s  %%2 = ref_element_addr %[5]s : $%[6]s, #%[6]s.%[7]s
  %%3 = begin_access [modify] [dynamic] %%2 : $*Int
  yield %%3 : $*Int, resume bb1, unwind bb2

bb1:
  end_access %%3 : $*Int
  %%6 = tuple ()
  return %%6 : $()

bb2:
  end_access %%3 : $*Int
  unwind
}

`, ossa, c.name, word, up, of, owner.name, x.name)
}
