package gen

import (
	"fmt"
	"strings"
)

// noncopyableShape has structs that are not copied, one inside another, the inner one with a deinit that prints: put together, taken apart, stored,
// replaced, lent to a call, consumed on one of two paths.
func noncopyableShape(g *generator) string {
	fmt.Fprintf(&g.decls, "struct Nc%[1]d : ~Copyable {\n  @_hasStorage let n: Int { get }\n  @_hasStorage let held: %[2]s { get }\n  deinit\n}\n\n"+
		"struct Mc%[1]d : ~Copyable {\n  @_hasStorage var a: Nc%[1]d { get set }\n  @_hasStorage var b: Nc%[1]d { get set }\n}\n\n", g.shapes, g.classes[0].name)
	fmt.Fprintf(&g.tables, "sil_moveonlydeinit Nc%d {\n  @%s\n}\n\n", g.shapes, fmt.Sprintf("deinit_Nc%d", g.shapes))
	end := pick(g, []string{`destroy_value %21 : $MN`, `(%e1, %e2) = destructure_struct %21 : $MN
  destroy_value %e2 : $NN
  %e3 = function_ref @SHAPE_eat : $@convention(thin) (@owned NN) -> Int
  %e4 = apply %e3(%e1) : $@convention(thin) (@owned NN) -> Int`, `%e1 = alloc_stack $MN
  store %21 to [init] %e1 : $*MN
  %e2 = struct_element_addr %e1 : $*MN, #MN.a
  %e3 = struct_element_addr %e1 : $*MN, #MN.b
  %e4 = load [take] %e2 : $*NN
  destroy_value %e4 : $NN
  %e5 = apply %6(%15) : $@convention(thin) (Int) -> @owned NN
  store %e5 to [init] %e2 : $*NN
  %e6 = apply %6(%0) : $@convention(thin) (Int) -> @owned NN
  store %e6 to [assign] %e3 : $*NN
  destroy_addr %e1 : $*MN
  dealloc_stack %e1 : $*MN`})
	return strings.NewReplacer("NN", fmt.Sprintf("Nc%d", g.shapes), "MN", fmt.Sprintf("Mc%d", g.shapes)).Replace(`sil [ossa] @deinit_NN : $@convention(method) (@owned NN) -> () {
bb0(%0 : @owned $NN):
  %1 = drop_deinit %0 : $NN
  (%2, %3) = destructure_struct %1 : $NN
  %4 = function_ref @line : $@convention(thin) (Int) -> ()
  %5 = apply %4(%2) : $@convention(thin) (Int) -> ()
  %b = begin_borrow %3 : $C
  %6 = ref_element_addr %b : $C, #C.v
  %7 = load [trivial] %6 : $*Int
  end_borrow %b : $C
  %8 = apply %4(%7) : $@convention(thin) (Int) -> ()
  destroy_value %3 : $C
  %10 = tuple ()
  return %10 : $()
}

sil [ossa] NOINLINE@SHAPE_make : $@convention(thin) (Int) -> @owned NN {
bb0(%0 : $Int):
  %1 = function_ref @make_C : $@convention(thin) (Int) -> @owned C
  %2 = apply %1(%0) : $@convention(thin) (Int) -> @owned C
  %3 = struct $NN (%0 : $Int, %2 : $C)
  return %3 : $NN
}

sil [ossa] NOINLINE@SHAPE_look : $@convention(thin) (@guaranteed NN) -> Int {
bb0(%0 : @guaranteed $NN):
  %1 = struct_extract %0 : $NN, #NN.n
  %2 = struct_extract %0 : $NN, #NN.held
  %3 = ref_element_addr %2 : $C, #C.v
  %4 = begin_access [modify] [dynamic] %3 : $*Int
  store %1 to [trivial] %4 : $*Int
  end_access %4 : $*Int
  return %1 : $Int
}

sil [ossa] NOINLINE@SHAPE_eat : $@convention(thin) (@owned NN) -> Int {
bb0(%0 : @owned $NN):
  %1 = begin_borrow %0 : $NN
  %2 = struct_extract %1 : $NN, #NN.n
  end_borrow %1 : $NN
  destroy_value %0 : $NN
  return %2 : $Int
}

sil [ossa] @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
  %5 = integer_literal $Builtin.Int64, NUMBER
  %6 = function_ref @SHAPE_make : $@convention(thin) (Int) -> @owned NN
  %7 = apply %6(%0) : $@convention(thin) (Int) -> @owned NN
  %8 = struct $Int (%5 : $Builtin.Int64)
  %9 = apply %6(%8) : $@convention(thin) (Int) -> @owned NN
  %10 = alloc_stack $NN
  store %7 to [init] %10 : $*NN
  %12 = load_borrow %10 : $*NN
  %13 = function_ref @SHAPE_look : $@convention(thin) (@guaranteed NN) -> Int
  %14 = apply %13(%12) : $@convention(thin) (@guaranteed NN) -> Int
  end_borrow %12 : $NN
  %15 = struct $Int (%5 : $Builtin.Int64)
  %16 = struct_extract %14 : $Int, #Int._value
  %17 = builtin "cmp_slt_Int64"(%16 : $Builtin.Int64, %5 : $Builtin.Int64) : $Builtin.Int1
  cond_br %17, bb1, bb2

bb1:
  %18 = load [take] %10 : $*NN
  %19 = function_ref @SHAPE_eat : $@convention(thin) (@owned NN) -> Int
  %20 = apply %19(%18) : $@convention(thin) (@owned NN) -> Int
  %b1 = apply %6(%20) : $@convention(thin) (Int) -> @owned NN
  store %b1 to [init] %10 : $*NN
  br bb3

bb2:
  %b2 = apply %6(%14) : $@convention(thin) (Int) -> @owned NN
  store %b2 to [assign] %10 : $*NN
  br bb3

bb3:
  %b3 = load [take] %10 : $*NN
  dealloc_stack %10 : $*NN
  %21 = struct $MN (%b3 : $NN, %9 : $NN)
  ` + end + `
  return %14 : $Int
}

`)
}

// captureShape has closures that do not leave over a variable by its address, in ownership form: they replace what is in it while it is borrowed
// before and after the call, and one calls the other.
func captureShape(g *generator) string {
	g.showName(g.classes[0])
	order := pick(g, []string{"", "%x1 = apply %12() : $@noescape @callee_guaranteed () -> ()\n  "})
	return strings.NewReplacer("ORDER", order, "KIND", "[callee_guaranteed] [on_stack]").Replace(`sil [ossa] @SHAPE_body : $@convention(thin) (@inout_aliasable C, @guaranteed C) -> () {
bb0(%0 : $*C, %1 : @guaranteed $C):
  %2 = copy_value %1 : $C
  %3 = begin_access [modify] [static] %0 : $*C
  store %2 to [assign] %3 : $*C
  end_access %3 : $*C
  %4 = load [copy] %0 : $*C
  %5 = function_ref @show_C : $@convention(thin) (@guaranteed C) -> ()
  %6 = apply %5(%4) : $@convention(thin) (@guaranteed C) -> ()
  destroy_value %4 : $C
  %8 = tuple ()
  return %8 : $()
}

sil [ossa] @SHAPE_twice : $@convention(thin) (@inout_aliasable C, @guaranteed @noescape @callee_guaranteed () -> ()) -> () {
bb0(%0 : $*C, %1 : @guaranteed $@noescape @callee_guaranteed () -> ()):
  %2 = load [copy] %0 : $*C
  %3 = apply %1() : $@noescape @callee_guaranteed () -> ()
  %4 = function_ref @show_C : $@convention(thin) (@guaranteed C) -> ()
  %5 = apply %4(%2) : $@convention(thin) (@guaranteed C) -> ()
  destroy_value %2 : $C
  %6 = load [take] %0 : $*C
  %7 = function_ref @make_C : $@convention(thin) (Int) -> @owned C
  %n = integer_literal $Builtin.Int64, NUMBER
  %8 = struct $Int (%n : $Builtin.Int64)
  %9 = apply %7(%8) : $@convention(thin) (Int) -> @owned C
  store %9 to [init] %0 : $*C
  destroy_value %6 : $C
  %10 = tuple ()
  return %10 : $()
}

sil [ossa] NOINLINE@SHAPE_run : $@convention(thin) (@guaranteed @noescape @callee_guaranteed () -> ()) -> () {
bb0(%0 : @guaranteed $@noescape @callee_guaranteed () -> ()):
  %1 = apply %0() : $@noescape @callee_guaranteed () -> ()
  %2 = tuple ()
  return %2 : $()
}

sil [ossa] @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
  %1 = function_ref @make_C : $@convention(thin) (Int) -> @owned C
  %2 = apply %1(%0) : $@convention(thin) (Int) -> @owned C
  %3 = apply %1(%0) : $@convention(thin) (Int) -> @owned C
  %4 = alloc_stack $C
  store %2 to [init] %4 : $*C
  %6 = load [copy] %4 : $*C
  %7 = begin_borrow %3 : $C
  %8 = function_ref @SHAPE_body : $@convention(thin) (@inout_aliasable C, @guaranteed C) -> ()
  %9 = partial_apply KIND %8(%4, %7) : $@convention(thin) (@inout_aliasable C, @guaranteed C) -> ()
  %10 = mark_dependence %9 : $@noescape @callee_guaranteed () -> () on %4 : $*C
  %12 = begin_borrow %10 : $@noescape @callee_guaranteed () -> ()
  ORDER%13 = function_ref @SHAPE_twice : $@convention(thin) (@inout_aliasable C, @guaranteed @noescape @callee_guaranteed () -> ()) -> ()
  %14 = partial_apply KIND %13(%4, %12) : $@convention(thin) (@inout_aliasable C, @guaranteed @noescape @callee_guaranteed () -> ()) -> ()
  %15 = mark_dependence %14 : $@noescape @callee_guaranteed () -> () on %4 : $*C
  %16 = function_ref @SHAPE_run : $@convention(thin) (@guaranteed @noescape @callee_guaranteed () -> ()) -> ()
  %17 = begin_borrow %15 : $@noescape @callee_guaranteed () -> ()
  %18 = apply %16(%17) : $@convention(thin) (@guaranteed @noescape @callee_guaranteed () -> ()) -> ()
  end_borrow %17 : $@noescape @callee_guaranteed () -> ()
  destroy_value %15 : $@noescape @callee_guaranteed () -> ()
  end_borrow %12 : $@noescape @callee_guaranteed () -> ()
  destroy_value %10 : $@noescape @callee_guaranteed () -> ()
  end_borrow %7 : $C
  %25 = load_borrow %4 : $*C
  %26 = ref_element_addr %25 : $C, #C.v
  %27 = load [trivial] %26 : $*Int
  end_borrow %25 : $C
  %28 = function_ref @show_C : $@convention(thin) (@guaranteed C) -> ()
  %29 = apply %28(%6) : $@convention(thin) (@guaranteed C) -> ()
  destroy_value %6 : $C
  destroy_value %3 : $C
  destroy_addr %4 : $*C
  dealloc_stack %4 : $*C
  return %27 : $Int
}

`)
}

// lentShape calls a function with one object in a variable that the function changes, and beside it by itself, in a slot, in a tuple.
func lentShape(g *generator) string {
	g.showName(g.classes[0])
	lend := pick(g, []string{"copy_addr %4 to [init] %8 : $*C", "%7 = load %4 : $*C\n  strong_retain %7 : $C\n  store %7 to %8 : $*C", "strong_retain %2 : $C\n  store %2 to %8 : $*C"})
	end := pick(g, []string{"destroy_addr %8 : $*C", "%9 = load %8 : $*C\n  strong_release %9 : $C"})
	return strings.NewReplacer("LEND", lend, "END", end).Replace(`sil NOINLINE@SHAPE_change : $@convention(thin) (@inout C, @in_guaranteed C, @guaranteed C) -> Int {
bb0(%0 : $*C, %1 : $*C, %2 : $C):
  %3 = integer_literal $Builtin.Int64, NUMBER
  %4 = struct $Int (%3 : $Builtin.Int64)
  %5 = function_ref @make_C : $@convention(thin) (Int) -> @owned C
  %6 = apply %5(%4) : $@convention(thin) (Int) -> @owned C
  %7 = load %0 : $*C
  store %6 to %0 : $*C
  strong_release %7 : $C
  %8 = load %1 : $*C
  %9 = function_ref @show_C : $@convention(thin) (@guaranteed C) -> ()
  %10 = apply %9(%8) : $@convention(thin) (@guaranteed C) -> ()
  %11 = ref_element_addr %2 : $C, #C.v
  %12 = load %11 : $*Int
  return %12 : $Int
}

sil @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
  %1 = function_ref @make_C : $@convention(thin) (Int) -> @owned C
  %2 = apply %1(%0) : $@convention(thin) (Int) -> @owned C
  %4 = alloc_stack $C
  store %2 to %4 : $*C
  %8 = alloc_stack $C
  LEND
  %10 = load %4 : $*C
  strong_retain %10 : $C
  %11 = function_ref @SHAPE_change : $@convention(thin) (@inout C, @in_guaranteed C, @guaranteed C) -> Int
  %12 = apply %11(%4, %8, %10) : $@convention(thin) (@inout C, @in_guaranteed C, @guaranteed C) -> Int
  strong_release %10 : $C
  END
  dealloc_stack %8 : $*C
  destroy_addr %4 : $*C
  dealloc_stack %4 : $*C
  return %12 : $Int
}

`)
}
