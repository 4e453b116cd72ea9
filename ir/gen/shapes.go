package gen

import (
	"fmt"
	"strconv"
	"strings"
)

// Shapes are functions that passes look for which random statements never make: loops that make an array mutable or check its index, closures
// handed to functions that call them, captured constants, constant properties, strings made of literals, functions that begin with a release.
// Each is a text with numbers and ways to be chosen, and takes and returns a number, so that everything else may call it.

// shape writes one such function, and what belongs to it.
func (g *generator) shape(write func(g *generator) string) {
	s := &signature{name: g.symbol("shape"), params: []param{{"", intType}}, result: intType, cost: 150}
	g.shapes++
	text := write(g)
	own := fmt.Sprintf("L%d", g.shapes)
	c := g.classes[0].name
	g.body.WriteString(strings.NewReplacer("@SHAPE", "@"+s.name, "$C", "$"+c, "*C", "*"+c, "@owned C", "@owned "+c, "@guaranteed C", "@guaranteed "+c,
		"@inout C", "@inout "+c, "@inout_aliasable C", "@inout_aliasable "+c, "@in_guaranteed C", "@in_guaranteed "+c, "@out C", "@out "+c, "#C", "#"+c, "@make_C ", "@make_"+c+" ", "@show_C ", "@show_"+c+" ", "000000LL", fmt.Sprintf("%08X", 0xF0000000+g.shapes), "GLOBAL", fmt.Sprintf("@lent%d", g.shapes), "OWN_DEINIT", dealloc(own), "OWN", own, "NUMBER", strconv.Itoa(g.n(90)), "COUNT", strconv.Itoa(1+g.n(4)),
		"NOINLINE", pick(g, []string{"", "[noinline] "})).Replace(text))
	g.sigs = append(g.sigs, s)
}

// ownClass declares a class with constant properties for a shape.
func (g *generator) ownClass() {
	name, c := fmt.Sprintf("L%d", g.shapes), g.classes[0].name
	fmt.Fprintf(&g.decls, "final class %s {\n  @_hasStorage @_hasInitialValue final let limit: Int { get }\n  @_hasStorage final let first: Int { get }\n  @_hasStorage final var held: %s { get set }\n  deinit\n}\n\n", name, c)
	fmt.Fprintf(&g.tables, "sil_vtable %s {\n  #%s.deinit!deallocator: @%s\n}\n\n", name, name, dealloc(name))
}

var shapes = []func(g *generator) string{closureShape, mutableShape, checkShape, cowShape, constantShape, replaceShape, stringShape, latchShape,
	numberShape, globalShape, existentialShape, literalShape, countShape, nativeShape, eachShape, noncopyableShape, captureShape, lentShape, interiorShape}

// closureShape hands a closure that captured a number and an object to a function that calls it in a loop.
func closureShape(g *generator) string {
	make, end := "%9 = partial_apply [callee_guaranteed] %8(%3, %5)", "strong_release %9 : $@callee_guaranteed (Int) -> Int"
	kind := "@guaranteed @callee_guaranteed (Int) -> Int"
	value := "%9 : $@callee_guaranteed (Int) -> Int"
	give := "%9"
	if g.chance(3) { // on the stack
		make = "%9 = partial_apply [callee_guaranteed] [on_stack] %8(%3, %5)"
		end = "dealloc_stack %9 : $@noescape @callee_guaranteed (Int) -> Int\n  strong_release %5 : $C"
		kind = "@noescape @callee_guaranteed (Int) -> Int"
		value = "%9 : $@noescape @callee_guaranteed (Int) -> Int"
	}
	r := strings.NewReplacer("MAKE", make, "END", end, "KIND", kind, "OF", strings.TrimPrefix(value, "%9 : "), "GIVE", give)
	return r.Replace(`sil @SHAPE_body : $@convention(thin) (Int, Builtin.Int64, @guaranteed C) -> Int {
bb0(%0 : $Int, %1 : $Builtin.Int64, %2 : $C):
  %3 = struct_extract %0 : $Int, #Int._value
  %4 = builtin "add_Int64"(%3 : $Builtin.Int64, %1 : $Builtin.Int64) : $Builtin.Int64
  %5 = struct $Int (%4 : $Builtin.Int64)
  %6 = ref_element_addr %2 : $C, #C.v
  %7 = begin_access [modify] [dynamic] %6 : $*Int
  %8 = load %7 : $*Int
  store %5 to %7 : $*Int
  end_access %7 : $*Int
  %11 = struct_extract %8 : $Int, #Int._value
  %12 = integer_literal $Builtin.Int64, 1023
  %13 = builtin "and_Int64"(%11 : $Builtin.Int64, %12 : $Builtin.Int64) : $Builtin.Int64
  %14 = builtin "xor_Int64"(%13 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int64
  %15 = struct $Int (%14 : $Builtin.Int64)
  return %15 : $Int
}

sil NOINLINE@SHAPE_loop : $@convention(thin) (Int, KIND) -> Int {
bb0(%0 : $Int, %1 : OF):
  %2 = integer_literal $Builtin.Int64, 0
  %3 = integer_literal $Builtin.Int64, 1
  %4 = integer_literal $Builtin.Int64, COUNT
  br bb1(%2 : $Builtin.Int64, %0 : $Int)

bb1(%6 : $Builtin.Int64, %7 : $Int):
  %8 = apply %1(%7) : OF
  %9 = builtin "add_Int64"(%6 : $Builtin.Int64, %3 : $Builtin.Int64) : $Builtin.Int64
  %10 = builtin "cmp_eq_Int64"(%9 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int1
  cond_br %10, bb3, bb2

bb2:
  br bb1(%9 : $Builtin.Int64, %8 : $Int)

bb3:
  return %8 : $Int
}

sil @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
  %3 = integer_literal $Builtin.Int64, NUMBER
  %4 = function_ref @make_C : $@convention(thin) (Int) -> @owned C
  %5 = apply %4(%0) : $@convention(thin) (Int) -> @owned C
  strong_retain %5 : $C
  %8 = function_ref @SHAPE_body : $@convention(thin) (Int, Builtin.Int64, @guaranteed C) -> Int
  MAKE : $@convention(thin) (Int, Builtin.Int64, @guaranteed C) -> Int
  %11 = function_ref @SHAPE_loop : $@convention(thin) (Int, KIND) -> Int
  %12 = apply %11(%0, GIVE) : $@convention(thin) (Int, KIND) -> Int
  END
  %14 = ref_element_addr %5 : $C, #C.v
  %15 = load %14 : $*Int
  %16 = function_ref @line : $@convention(thin) (Int) -> ()
  %17 = apply %16(%15) : $@convention(thin) (Int) -> ()
  strong_release %5 : $C
  %18 = function_ref @same : $@convention(thin) (Int) -> Int
  %19 = function_ref @SHAPE_plain : $@convention(thin) (Int, @convention(thin) (Int) -> Int, Builtin.Int64) -> Int
  %20 = partial_apply [callee_guaranteed] %19(%18, %3) : $@convention(thin) (Int, @convention(thin) (Int) -> Int, Builtin.Int64) -> Int
  %21 = function_ref @SHAPE_call : $@convention(thin) (Int, @guaranteed @callee_guaranteed (Int) -> Int) -> Int
  %22 = apply %21(%12, %20) : $@convention(thin) (Int, @guaranteed @callee_guaranteed (Int) -> Int) -> Int
  strong_release %20 : $@callee_guaranteed (Int) -> Int
  return %22 : $Int
}

sil @SHAPE_plain : $@convention(thin) (Int, @convention(thin) (Int) -> Int, Builtin.Int64) -> Int {
bb0(%0 : $Int, %1 : $@convention(thin) (Int) -> Int, %2 : $Builtin.Int64):
  %3 = apply %1(%0) : $@convention(thin) (Int) -> Int
  %4 = struct_extract %3 : $Int, #Int._value
  %5 = builtin "xor_Int64"(%4 : $Builtin.Int64, %2 : $Builtin.Int64) : $Builtin.Int64
  %6 = struct $Int (%5 : $Builtin.Int64)
  return %6 : $Int
}

sil [noinline] @SHAPE_call : $@convention(thin) (Int, @guaranteed @callee_guaranteed (Int) -> Int) -> Int {
bb0(%0 : $Int, %1 : $@callee_guaranteed (Int) -> Int):
  %2 = apply %1(%0) : $@callee_guaranteed (Int) -> Int
  return %2 : $Int
}

`)
}

// newPair makes %arr, an array of the module's buffer, whose elements are two new objects.
const newPair = `  %make = function_ref @make_C : $@convention(thin) (Int) -> @owned C
  %o1 = apply %make(%0) : $@convention(thin) (Int) -> @owned C
  %o2 = apply %make(%0) : $@convention(thin) (Int) -> @owned C
  %pair = function_ref @arr_make : $@convention(thin) (@owned C, @owned C) -> @owned Arr
  %arr = apply %pair(%o1, %o2) : $@convention(thin) (@owned C, @owned C) -> @owned Arr
`

// mutableShape makes an array mutable in each iteration of a loop; perhaps somebody else holds it before, or from an iteration on.
func mutableShape(g *generator) string {
	shared, before := "", "retain_value %arr : $Arr"
	if g.chance(2) {
		before = ""
	}
	release := ""
	if before != "" {
		release = "%sh = function_ref @show_Arr : $@convention(thin) (@guaranteed Arr) -> ()\n  %shr = apply %sh(%arr) : $@convention(thin) (@guaranteed Arr) -> ()\n  release_value %arr : $Arr"
	}
	if g.chance(3) { // a copy of the variable for a while
		shared = "%k = load %2 : $*Arr\n  retain_value %k : $Arr\n  %ks = function_ref @show_Arr : $@convention(thin) (@guaranteed Arr) -> ()\n  %kr = apply %ks(%k) : $@convention(thin) (@guaranteed Arr) -> ()\n  release_value %k : $Arr"
	}
	r := strings.NewReplacer("BEFORE", before, "RELEASE", release, "SHARED", shared)
	return r.Replace(`sil [_semantics "array.make_mutable"] @SHAPE_make : $@convention(method) (@inout Arr) -> () {
bb0(%0 : $*Arr):
  %1 = function_ref @arr_unique : $@convention(thin) (@inout Arr) -> ()
  %2 = apply %1(%0) : $@convention(thin) (@inout Arr) -> ()
  %3 = tuple ()
  return %3 : $()
}

sil [_semantics "array.end_mutation"] @SHAPE_end : $@convention(method) (@inout Arr) -> () {
bb0(%0 : $*Arr):
  %1 = tuple ()
  return %1 : $()
}

sil [_semantics "array.get_count"] @SHAPE_count : $@convention(method) (@guaranteed Arr) -> Int {
bb0(%0 : $Arr):
  %1 = integer_literal $Builtin.Int64, 2
  %2 = struct $Int (%1 : $Builtin.Int64)
  return %2 : $Int
}

sil @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
` + newPair + `  %2 = alloc_stack $Arr
  BEFORE
  store %arr to %2 : $*Arr
  %3 = integer_literal $Builtin.Int64, 0
  %4 = integer_literal $Builtin.Int64, 1
  %5 = integer_literal $Builtin.Int64, COUNT
  br bb1(%3 : $Builtin.Int64)

bb1(%7 : $Builtin.Int64):
  SHARED
  %8 = function_ref @SHAPE_make : $@convention(method) (@inout Arr) -> ()
  %9 = apply %8(%2) : $@convention(method) (@inout Arr) -> ()
  %10 = struct_element_addr %2 : $*Arr, #Arr.buf
  %11 = load %10 : $*Buf
  %12 = ref_tail_addr %11 : $Buf, $C
  %13 = load %12 : $*C
  %14 = ref_element_addr %13 : $C, #C.v
  %15 = struct $Int (%7 : $Builtin.Int64)
  store %15 to %14 : $*Int
  %17 = function_ref @SHAPE_end : $@convention(method) (@inout Arr) -> ()
  %18 = apply %17(%2) : $@convention(method) (@inout Arr) -> ()
  %19 = builtin "add_Int64"(%7 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int64
  %20 = builtin "cmp_eq_Int64"(%19 : $Builtin.Int64, %5 : $Builtin.Int64) : $Builtin.Int1
  cond_br %20, bb3, bb2

bb2:
  br bb1(%19 : $Builtin.Int64)

bb3:
  %23 = load %2 : $*Arr
  dealloc_stack %2 : $*Arr
  %25 = function_ref @show_Arr : $@convention(thin) (@guaranteed Arr) -> ()
  %26 = apply %25(%23) : $@convention(thin) (@guaranteed Arr) -> ()
  release_value %23 : $Arr
  RELEASE
  return %0 : $Int
}

`)
}

// checkShape checks the index of an array in a loop, and twice after it.
func checkShape(g *generator) string {
	return `sil [_semantics "array.get_count"] @SHAPE_count : $@convention(method) (@guaranteed Arr) -> Int {
bb0(%0 : $Arr):
  %1 = integer_literal $Builtin.Int64, 2
  %2 = struct $Int (%1 : $Builtin.Int64)
  return %2 : $Int
}

sil [_semantics "array.check_subscript"] @SHAPE_check : $@convention(method) (Int, Bool, @guaranteed Arr) -> _DependenceToken {
bb0(%0 : $Int, %1 : $Bool, %2 : $Arr):
  %3 = struct_extract %0 : $Int, #Int._value
  %4 = integer_literal $Builtin.Int64, 2
  %5 = builtin "cmp_uge_Int64"(%3 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int1
  cond_fail %5 : $Builtin.Int1, "index out of range"
  %7 = struct $_DependenceToken ()
  return %7 : $_DependenceToken
}

sil @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
` + newPair + `  %3 = integer_literal $Builtin.Int64, 0
  %4 = integer_literal $Builtin.Int64, 1
  %5 = integer_literal $Builtin.Int1, -1
  %6 = struct $Bool (%5 : $Builtin.Int1)
  %7 = function_ref @SHAPE_count : $@convention(method) (@guaranteed Arr) -> Int
  %8 = apply %7(%arr) : $@convention(method) (@guaranteed Arr) -> Int
  %9 = struct_extract %8 : $Int, #Int._value
  br bb1(%3 : $Builtin.Int64, %0 : $Int)

bb1(%11 : $Builtin.Int64, %12 : $Int):
  %13 = struct $Int (%11 : $Builtin.Int64)
  %14 = function_ref @SHAPE_check : $@convention(method) (Int, Bool, @guaranteed Arr) -> _DependenceToken
  %15 = apply %14(%13, %6, %arr) : $@convention(method) (Int, Bool, @guaranteed Arr) -> _DependenceToken
  %16 = struct_extract %arr : $Arr, #Arr.buf
  %17 = ref_tail_addr %16 : $Buf, $C
  %18 = builtin "truncOrBitCast_Int64_Word"(%11 : $Builtin.Int64) : $Builtin.Word
  %19 = index_addr %17 : $*C, %18 : $Builtin.Word
  %20 = load %19 : $*C
  %21 = ref_element_addr %20 : $C, #C.v
  %22 = load %21 : $*Int
  %23 = function_ref @line : $@convention(thin) (Int) -> ()
  %24 = apply %23(%22) : $@convention(thin) (Int) -> ()
  store %13 to %21 : $*Int
  %26 = builtin "sadd_with_overflow_Int64"(%11 : $Builtin.Int64, %4 : $Builtin.Int64, %5 : $Builtin.Int1) : $(Builtin.Int64, Builtin.Int1)
  %27 = tuple_extract %26 : $(Builtin.Int64, Builtin.Int1), 0
  %28 = tuple_extract %26 : $(Builtin.Int64, Builtin.Int1), 1
  cond_fail %28 : $Builtin.Int1, "arithmetic overflow"
  %30 = builtin "cmp_eq_Int64"(%27 : $Builtin.Int64, %9 : $Builtin.Int64) : $Builtin.Int1
  cond_br %30, bb3, bb2

bb2:
  br bb1(%27 : $Builtin.Int64, %22 : $Int)

bb3:
  %33 = struct $Int (%4 : $Builtin.Int64)
  %34 = function_ref @SHAPE_check : $@convention(method) (Int, Bool, @guaranteed Arr) -> _DependenceToken
  %35 = apply %34(%33, %6, %arr) : $@convention(method) (Int, Bool, @guaranteed Arr) -> _DependenceToken
  %36 = struct $Int (%3 : $Builtin.Int64)
  %37 = apply %34(%36, %6, %arr) : $@convention(method) (Int, Bool, @guaranteed Arr) -> _DependenceToken
  %38 = apply %34(%33, %6, %arr) : $@convention(method) (Int, Bool, @guaranteed Arr) -> _DependenceToken
  release_value %arr : $Arr
  return %22 : $Int
}

`
}

// cowShape ends a mutation of a buffer and begins another one, and prints whether the buffer was unique.
func cowShape(g *generator) string {
	between, after := "", ""
	switch g.n(4) {
	case 0:
		between = "strong_retain %old : $Buf"
		after = "strong_release %old : $Buf"
	case 1:
		between = "%sv = struct $Arr (%old : $Buf)\n  %sh = function_ref @show_Arr : $@convention(thin) (@guaranteed Arr) -> ()\n  %shr = apply %sh(%sv) : $@convention(thin) (@guaranteed Arr) -> ()"
	}
	return strings.NewReplacer("BETWEEN", between, "AFTER", after).Replace(`sil @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
` + newPair + `  %buf = struct_extract %arr : $Arr, #Arr.buf
  %old = end_cow_mutation %buf : $Buf
  BETWEEN
  (%unique, %own) = begin_cow_mutation %old : $Buf
  cond_br %unique, bb1, bb2

bb1:
  %3 = ref_tail_addr %own : $Buf, $C
  %4 = load %3 : $*C
  %5 = ref_element_addr %4 : $C, #C.v
  store %0 to %5 : $*Int
  br bb3

bb2:
  br bb3

bb3:
  %9 = end_cow_mutation %own : $Buf
  %10 = builtin "zext_Int1_Int64"(%unique : $Builtin.Int1) : $Builtin.Int64
  %11 = struct $Int (%10 : $Builtin.Int64)
  %12 = function_ref @line : $@convention(thin) (Int) -> ()
  %13 = apply %12(%11) : $@convention(thin) (Int) -> ()
  strong_release %9 : $Buf
  AFTER
  return %11 : $Int
}

`)
}

// constantShape makes objects with constant properties, one of them perhaps on the stack, and reads these.
func constantShape(g *generator) string {
	g.ownClass()
	alloc, last := "alloc_ref $OWN", ""
	if g.chance(2) {
		alloc, last = "alloc_ref [stack] $OWN", "dealloc_stack_ref %4 : $OWN"
	}
	return strings.NewReplacer("MAKE_IT", alloc, "LAST", last).Replace(`sil @OWN_DEINIT : $@convention(method) (@owned OWN) -> () {
bb0(%0 : $OWN):
  %1 = ref_element_addr %0 : $OWN, #OWN.limit
  %2 = load %1 : $*Int
  %3 = function_ref @line : $@convention(thin) (Int) -> ()
  %4 = apply %3(%2) : $@convention(thin) (Int) -> ()
  %5 = ref_element_addr %0 : $OWN, #OWN.held
  destroy_addr %5 : $*C
  dealloc_ref %0 : $OWN
  %8 = tuple ()
  return %8 : $()
}

sil NOINLINE@SHAPE_fill : $@convention(method) (Int, @owned C, @owned OWN) -> @owned OWN {
bb0(%0 : $Int, %1 : $C, %4 : $OWN):
  %8 = struct_extract %0 : $Int, #Int._value
  %9 = struct $Int (%8 : $Builtin.Int64)
  %10 = integer_literal $Builtin.Int64, NUMBER
  %2 = struct $Int (%10 : $Builtin.Int64)
  %11 = ref_element_addr %4 : $OWN, #OWN.limit
  store %2 to %11 : $*Int
  %13 = ref_element_addr %4 : $OWN, #OWN.first
  store %9 to %13 : $*Int
  %15 = ref_element_addr %4 : $OWN, #OWN.held
  store %1 to %15 : $*C
  return %4 : $OWN
}

sil @SHAPE_ask : $@convention(method) (@guaranteed OWN) -> Int {
bb0(%0 : $OWN):
  %1 = ref_element_addr %0 : $OWN, #OWN.limit
  %2 = struct_element_addr %1 : $*Int, #Int._value
  %3 = load %2 : $*Builtin.Int64
  %4 = ref_element_addr %0 : $OWN, #OWN.first
  %5 = struct_element_addr %4 : $*Int, #Int._value
  %6 = load %5 : $*Builtin.Int64
  %7 = builtin "xor_Int64"(%3 : $Builtin.Int64, %6 : $Builtin.Int64) : $Builtin.Int64
  %8 = struct $Int (%7 : $Builtin.Int64)
  return %8 : $Int
}

sil @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
  %1 = function_ref @make_C : $@convention(thin) (Int) -> @owned C
  %2 = apply %1(%0) : $@convention(thin) (Int) -> @owned C
  %4 = MAKE_IT
  %5 = function_ref @SHAPE_fill : $@convention(method) (Int, @owned C, @owned OWN) -> @owned OWN
  %6 = apply %5(%0, %2, %4) : $@convention(method) (Int, @owned C, @owned OWN) -> @owned OWN
  %7 = function_ref @SHAPE_ask : $@convention(method) (@guaranteed OWN) -> Int
  %8 = apply %7(%4) : $@convention(method) (@guaranteed OWN) -> Int
  strong_release %4 : $OWN
  LAST
  %11 = alloc_ref $OWN
  %12 = apply %1(%8) : $@convention(thin) (Int) -> @owned C
  %13 = integer_literal $Builtin.Int64, NUMBER
  %14 = struct $Int (%13 : $Builtin.Int64)
  %15 = ref_element_addr %11 : $OWN, #OWN.limit
  store %14 to %15 : $*Int
  %17 = ref_element_addr %11 : $OWN, #OWN.first
  store %8 to %17 : $*Int
  %19 = ref_element_addr %11 : $OWN, #OWN.held
  store %12 to %19 : $*C
  %21 = apply %7(%11) : $@convention(method) (@guaranteed OWN) -> Int
  strong_release %11 : $OWN
  return %21 : $Int
}

`)
}
