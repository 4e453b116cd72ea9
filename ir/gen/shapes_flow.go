package gen

import (
	"fmt"
	"strings"
)

// numberShape is arithmetic with checks that follow from one another, arguments of blocks that are always equal, and conditions that were
// asked before.
func numberShape(g *generator) string {
	return `sil [noinline] @SHAPE_pure : $@convention(thin) (Builtin.Int64) -> Builtin.Int64 {
bb0(%0 : $Builtin.Int64):
  %1 = integer_literal $Builtin.Int64, 255
  %2 = builtin "and_Int64"(%0 : $Builtin.Int64, %1 : $Builtin.Int64) : $Builtin.Int64
  return %2 : $Builtin.Int64
}

sil @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
  %1 = struct_extract %0 : $Int, #Int._value
  %2 = function_ref @SHAPE_pure : $@convention(thin) (Builtin.Int64) -> Builtin.Int64
  %3 = apply %2(%1) : $@convention(thin) (Builtin.Int64) -> Builtin.Int64
  %4 = integer_literal $Builtin.Int64, NUMBER
  %5 = integer_literal $Builtin.Int1, -1
  %6 = builtin "sadd_with_overflow_Int64"(%3 : $Builtin.Int64, %4 : $Builtin.Int64, %5 : $Builtin.Int1) : $(Builtin.Int64, Builtin.Int1)
  %7 = tuple_extract %6 : $(Builtin.Int64, Builtin.Int1), 0
  %8 = tuple_extract %6 : $(Builtin.Int64, Builtin.Int1), 1
  cond_fail %8 : $Builtin.Int1, "arithmetic overflow"
  %10 = builtin "sadd_with_overflow_Int64"(%3 : $Builtin.Int64, %4 : $Builtin.Int64, %5 : $Builtin.Int1) : $(Builtin.Int64, Builtin.Int1)
  %11 = tuple_extract %10 : $(Builtin.Int64, Builtin.Int1), 1
  cond_fail %11 : $Builtin.Int1, "arithmetic overflow"
  %13 = builtin "cmp_slt_Int64"(%7 : $Builtin.Int64, %3 : $Builtin.Int64) : $Builtin.Int1
  %14 = integer_literal $Builtin.Int64, -1
  %15 = builtin "cmp_slt_Int64"(%3 : $Builtin.Int64, %14 : $Builtin.Int64) : $Builtin.Int1
  cond_fail %13 : $Builtin.Int1, "below"
  cond_fail %15 : $Builtin.Int1, "below"
  %18 = apply %2(%1) : $@convention(thin) (Builtin.Int64) -> Builtin.Int64
  %19 = builtin "cmp_eq_Int64"(%18 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int1
  cond_br %19, bb1, bb2

bb1:
  %21 = integer_literal $Builtin.Int1, 0
  %22 = enum $Optional<Int>, #Optional.some!enumelt, %0 : $Int
  br bb3(%21 : $Builtin.Int1, %4 : $Builtin.Int64, %4 : $Builtin.Int64, %22 : $Optional<Int>)

bb2:
  %24 = builtin "cmp_eq_Int64"(%18 : $Builtin.Int64, %14 : $Builtin.Int64) : $Builtin.Int1
  %25 = enum $Optional<Int>, #Optional.none!enumelt
  br bb3(%24 : $Builtin.Int1, %18 : $Builtin.Int64, %18 : $Builtin.Int64, %25 : $Optional<Int>)

bb3(%27 : $Builtin.Int1, %28 : $Builtin.Int64, %29 : $Builtin.Int64, %30 : $Optional<Int>):
  cond_fail %27 : $Builtin.Int1, "minus one"
  switch_enum %30 : $Optional<Int>, case #Optional.some!enumelt: bb4, case #Optional.none!enumelt: bb5

bb4(%33 : $Int):
  %34 = function_ref @line : $@convention(thin) (Int) -> ()
  %35 = apply %34(%33) : $@convention(thin) (Int) -> ()
  br bb6

bb5:
  br bb6

bb6:
  cond_br %19, bb7, bb8

bb7:
  br bb9(%28 : $Builtin.Int64)

bb8:
  %40 = builtin "xor_Int64"(%29 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int64
  br bb9(%40 : $Builtin.Int64)

bb9(%42 : $Builtin.Int64):
  %43 = struct $Int (%42 : $Builtin.Int64)
  return %43 : $Int
}

`
}

// globalShape reads global variables with a value from the start: one that nobody writes, and one that somebody does.
func globalShape(g *generator) string {
	n := g.shapes
	for _, name := range []string{"fixed", "moving"} {
		fmt.Fprintf(&g.decls, "sil_global private @%s%d : $Int = {\n  %%0 = integer_literal $Builtin.Int64, %d\n  %%initval = struct $Int (%%0 : $Builtin.Int64)\n}\n\n", name, n, g.n(90))
	}
	write := "store %0 to %3 : $*Int"
	if g.chance(3) { // through a pointer
		write = "%p = address_to_pointer %3 : $*Int to $Builtin.RawPointer\n  %q = pointer_to_address %p : $Builtin.RawPointer to [strict] $*Int\n  store %0 to %q : $*Int"
	}
	return strings.NewReplacer("WRITE", write, "FIXED", fmt.Sprintf("@fixed%d", n), "MOVING", fmt.Sprintf("@moving%d", n)).Replace(`sil NOINLINE@SHAPE_write : $@convention(thin) (Int) -> () {
bb0(%0 : $Int):
  %3 = global_addr MOVING : $*Int
  WRITE
  %5 = tuple ()
  return %5 : $()
}

sil @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
  %1 = global_addr FIXED : $*Int
  %2 = load %1 : $*Int
  %3 = global_addr MOVING : $*Int
  %4 = load %3 : $*Int
  %5 = function_ref @line : $@convention(thin) (Int) -> ()
  %6 = apply %5(%4) : $@convention(thin) (Int) -> ()
  %7 = function_ref @SHAPE_write : $@convention(thin) (Int) -> ()
  %8 = apply %7(%2) : $@convention(thin) (Int) -> ()
  %9 = load %3 : $*Int
  %10 = load %1 : $*Int
  %11 = apply %5(%9) : $@convention(thin) (Int) -> ()
  return %10 : $Int
}

`)
}

// existentialShape hands an existential whose type is known to a function that asks it.
func existentialShape(g *generator) string {
	return `sil NOINLINE@SHAPE_ask : $@convention(thin) (Int, @in_guaranteed P) -> Int {
bb0(%0 : $Int, %1 : $*P):
  %2 = open_existential_addr immutable_access %1 : $*P to $*@opened("00000000-0000-0000-0000-0000000000LL", P) Self
  %3 = witness_method $@opened("00000000-0000-0000-0000-0000000000LL", P) Self, #P.tell : <Self where Self : P> (Self) -> (Int) -> Int, %2 : $*@opened("00000000-0000-0000-0000-0000000000LL", P) Self : $@convention(witness_method: P) <τ_0_0 where τ_0_0 : P> (Int, @in_guaranteed τ_0_0) -> Int
  %4 = apply %3<@opened("00000000-0000-0000-0000-0000000000LL", P) Self>(%0, %2) : $@convention(witness_method: P) <τ_0_0 where τ_0_0 : P> (Int, @in_guaranteed τ_0_0) -> Int
  return %4 : $Int
}

sil @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
  %1 = alloc_stack $P
  %2 = init_existential_addr %1 : $*P, $C
  %3 = function_ref @make_C : $@convention(thin) (Int) -> @owned C
  %4 = apply %3(%0) : $@convention(thin) (Int) -> @owned C
  store %4 to %2 : $*C
  %6 = function_ref @SHAPE_ask : $@convention(thin) (Int, @in_guaranteed P) -> Int
  %7 = apply %6(%0, %1) : $@convention(thin) (Int, @in_guaranteed P) -> Int
  %8 = alloc_stack $P
  copy_addr %1 to [init] %8 : $*P
  destroy_addr %1 : $*P
  %11 = apply %6(%7, %8) : $@convention(thin) (Int, @in_guaranteed P) -> Int
  destroy_addr %8 : $*P
  dealloc_stack %8 : $*P
  dealloc_stack %1 : $*P
  return %11 : $Int
}

`
}

// literalShape makes an array of constants, as an array literal does, changes a copy of it, and adds up both.
func literalShape(g *generator) string {
	return `sil NOINLINE@SHAPE_sum : $@convention(thin) (@guaranteed __ContiguousArrayStorageBase) -> Int {
bb0(%0 : $__ContiguousArrayStorageBase):
  %1 = ref_tail_addr [immutable] %0 : $__ContiguousArrayStorageBase, $Int
  %2 = struct_element_addr %1 : $*Int, #Int._value
  %3 = load %2 : $*Builtin.Int64
  %4 = integer_literal $Builtin.Word, 1
  %5 = index_addr %1 : $*Int, %4 : $Builtin.Word
  %6 = struct_element_addr %5 : $*Int, #Int._value
  %7 = load %6 : $*Builtin.Int64
  %8 = builtin "add_Int64"(%3 : $Builtin.Int64, %7 : $Builtin.Int64) : $Builtin.Int64
  %9 = struct $Int (%8 : $Builtin.Int64)
  return %9 : $Int
}

sil @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
  %1 = integer_literal $Builtin.Word, 2
  %2 = alloc_ref [tail_elems $Int * %1 : $Builtin.Word] $_ContiguousArrayStorage<Int>
  %3 = upcast %2 : $_ContiguousArrayStorage<Int> to $__ContiguousArrayStorageBase
  %4 = integer_literal $Builtin.Int64, 2
  %5 = struct $Int (%4 : $Builtin.Int64)
  %6 = integer_literal $Builtin.Int64, 4
  %7 = struct $UInt (%6 : $Builtin.Int64)
  %8 = struct $_SwiftArrayBodyStorage (%5 : $Int, %7 : $UInt)
  %9 = struct $_ArrayBody (%8 : $_SwiftArrayBodyStorage)
  %10 = ref_element_addr %3 : $__ContiguousArrayStorageBase, #__ContiguousArrayStorageBase.countAndCapacity
  store %9 to %10 : $*_ArrayBody
  %12 = ref_tail_addr %3 : $__ContiguousArrayStorageBase, $Int
  %13 = integer_literal $Builtin.Int64, NUMBER
  %14 = struct $Int (%13 : $Builtin.Int64)
  store %14 to %12 : $*Int
  %16 = integer_literal $Builtin.Word, 1
  %17 = index_addr %12 : $*Int, %16 : $Builtin.Word
  store %5 to %17 : $*Int
  %19 = end_cow_mutation %3 : $__ContiguousArrayStorageBase
  %20 = function_ref @SHAPE_sum : $@convention(thin) (@guaranteed __ContiguousArrayStorageBase) -> Int
  %21 = apply %20(%19) : $@convention(thin) (@guaranteed __ContiguousArrayStorageBase) -> Int
  (%22, %23) = begin_cow_mutation %19 : $__ContiguousArrayStorageBase
  cond_br %22, bb1, bb2

bb1:
  %25 = ref_tail_addr %23 : $__ContiguousArrayStorageBase, $Int
  store %0 to %25 : $*Int
  br bb3

bb2:
  br bb3

bb3:
  %29 = end_cow_mutation %23 : $__ContiguousArrayStorageBase
  %30 = function_ref @line : $@convention(thin) (Int) -> ()
  %31 = apply %30(%21) : $@convention(thin) (Int) -> ()
  strong_release %29 : $__ContiguousArrayStorageBase
  return %21 : $Int
}

`
}

// countShape retains and releases in a loop, and hands a value on through a variable to the result.
func countShape(g *generator) string {
	return `sil NOINLINE@SHAPE_look : $@convention(thin) (@guaranteed C) -> Int {
bb0(%0 : $C):
  %1 = ref_element_addr %0 : $C, #C.v
  %2 = load %1 : $*Int
  return %2 : $Int
}

sil NOINLINE@SHAPE_hand : $@convention(thin) (@in_guaranteed C) -> @out C {
bb0(%0 : $*C, %1 : $*C):
  %2 = alloc_stack $C, var, name "x"
  copy_addr %1 to [init] %2 : $*C
  copy_addr [take] %2 to [init] %0 : $*C
  dealloc_stack %2 : $*C
  %6 = tuple ()
  return %6 : $()
}

sil @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
  %1 = function_ref @make_C : $@convention(thin) (Int) -> @owned C
  %2 = apply %1(%0) : $@convention(thin) (Int) -> @owned C
  %3 = integer_literal $Builtin.Int64, 0
  %4 = integer_literal $Builtin.Int64, 1
  %5 = integer_literal $Builtin.Int64, COUNT
  %6 = function_ref @SHAPE_look : $@convention(thin) (@guaranteed C) -> Int
  br bb1(%3 : $Builtin.Int64)

bb1(%8 : $Builtin.Int64):
  strong_retain %2 : $C
  %10 = apply %6(%2) : $@convention(thin) (@guaranteed C) -> Int
  %11 = builtin "and_Int64"(%8 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int64
  %12 = builtin "cmp_eq_Int64"(%11 : $Builtin.Int64, %3 : $Builtin.Int64) : $Builtin.Int1
  cond_br %12, bb2, bb3

bb2:
  %14 = ref_element_addr %2 : $C, #C.v
  %15 = struct $Int (%8 : $Builtin.Int64)
  store %15 to %14 : $*Int
  strong_release %2 : $C
  br bb4

bb3:
  strong_release %2 : $C
  br bb4

bb4:
  %20 = builtin "add_Int64"(%8 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int64
  %21 = builtin "cmp_eq_Int64"(%20 : $Builtin.Int64, %5 : $Builtin.Int64) : $Builtin.Int1
  cond_br %21, bb6, bb5

bb5:
  br bb1(%20 : $Builtin.Int64)

bb6:
  %24 = alloc_stack $C
  store %2 to %24 : $*C
  %26 = alloc_stack $C
  %27 = function_ref @SHAPE_hand : $@convention(thin) (@in_guaranteed C) -> @out C
  %28 = apply %27(%26, %24) : $@convention(thin) (@in_guaranteed C) -> @out C
  destroy_addr %24 : $*C
  %30 = load %26 : $*C
  %31 = apply %6(%30) : $@convention(thin) (@guaranteed C) -> Int
  strong_release %30 : $C
  dealloc_stack %26 : $*C
  dealloc_stack %24 : $*C
  return %31 : $Int
}

`
}
