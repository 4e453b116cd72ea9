package gen

import (
	"fmt"
	"strconv"
	"strings"
)

// replaceShape calls functions in ownership form that begin with the release of what the caller has, and that return copies of what they were lent.
func replaceShape(g *generator) string {
	g.ownClass()
	body := "store %0 to [assign] %1 : $*C"
	if g.chance(2) {
		body = "destroy_addr %1 : $*C\n  store %0 to [init] %1 : $*C"
	}
	return strings.NewReplacer("BODY", body).Replace(`sil @OWN_DEINIT : $@convention(method) (@owned OWN) -> () {
bb0(%0 : $OWN):
  %1 = ref_element_addr %0 : $OWN, #OWN.held
  destroy_addr %1 : $*C
  dealloc_ref %0 : $OWN
  %4 = tuple ()
  return %4 : $()
}

sil hidden NOINLINE[ossa] @SHAPE_replace : $@convention(thin) (@owned C, @inout C) -> () {
bb0(%0 : @owned $C, %1 : $*C):
  BODY
  %4 = tuple ()
  return %4 : $()
}

sil hidden NOINLINE[ossa] @SHAPE_choose : $@convention(thin) (@owned C, @inout C, Builtin.Int1) -> () {
bb0(%0 : @owned $C, %1 : $*C, %2 : $Builtin.Int1):
  cond_br %2, bb1, bb2

bb1:
  store %0 to [assign] %1 : $*C
  br bb3

bb2:
  destroy_addr %1 : $*C
  store %0 to [init] %1 : $*C
  br bb3

bb3:
  %9 = tuple ()
  return %9 : $()
}

sil hidden NOINLINE[ossa] @SHAPE_held : $@convention(thin) (@guaranteed OWN) -> @owned C {
bb0(%0 : @guaranteed $OWN):
  %1 = ref_element_addr %0 : $OWN, #OWN.held
  %2 = load [copy] %1 : $*C
  return %2 : $C
}

sil [ossa] @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
  %1 = function_ref @make_C : $@convention(thin) (Int) -> @owned C
  %2 = apply %1(%0) : $@convention(thin) (Int) -> @owned C
  %3 = apply %1(%0) : $@convention(thin) (Int) -> @owned C
  %4 = apply %1(%0) : $@convention(thin) (Int) -> @owned C
  %5 = apply %1(%0) : $@convention(thin) (Int) -> @owned C
  %6 = alloc_ref $OWN
  %7 = begin_borrow %6 : $OWN
  %8 = ref_element_addr %7 : $OWN, #OWN.limit
  store %0 to [trivial] %8 : $*Int
  %10 = ref_element_addr %7 : $OWN, #OWN.first
  store %0 to [trivial] %10 : $*Int
  %12 = ref_element_addr %7 : $OWN, #OWN.held
  store %2 to [init] %12 : $*C
  end_borrow %7 : $OWN
  %15 = alloc_stack $C
  store %3 to [init] %15 : $*C
  %17 = function_ref @SHAPE_replace : $@convention(thin) (@owned C, @inout C) -> ()
  %18 = apply %17(%4, %15) : $@convention(thin) (@owned C, @inout C) -> ()
  %19 = struct_extract %0 : $Int, #Int._value
  %20 = integer_literal $Builtin.Int64, NUMBER
  %21 = builtin "cmp_slt_Int64"(%19 : $Builtin.Int64, %20 : $Builtin.Int64) : $Builtin.Int1
  %22 = function_ref @SHAPE_choose : $@convention(thin) (@owned C, @inout C, Builtin.Int1) -> ()
  %23 = apply %22(%5, %15, %21) : $@convention(thin) (@owned C, @inout C, Builtin.Int1) -> ()
  destroy_addr %15 : $*C
  dealloc_stack %15 : $*C
  %26 = begin_borrow %6 : $OWN
  %27 = function_ref @SHAPE_held : $@convention(thin) (@guaranteed OWN) -> @owned C
  %28 = apply %27(%26) : $@convention(thin) (@guaranteed OWN) -> @owned C
  end_borrow %26 : $OWN
  destroy_value %6 : $OWN
  %31 = begin_borrow %28 : $C
  %32 = ref_element_addr %31 : $C, #C.v
  %33 = load [trivial] %32 : $*Int
  end_borrow %31 : $C
  destroy_value %28 : $C
  return %33 : $Int
}

`)
}

// stringShape appends strings to one another, some of them constants, and counts what comes out.
func stringShape(g *generator) string {
	texts := []string{"", "x", "ab", "a longer text that takes memory"}
	literal := func(n string) string {
		t := pick(g, texts)
		r := strings.NewReplacer("N", n, "TEXT", t, "LENGTH", strconv.Itoa(len(t)))
		return r.Replace(`  %tN = string_literal utf8 "TEXT"
  %lN = integer_literal $Builtin.Word, LENGTH
  %mN = metatype $@thin String.Type
  %sN = apply %f(%tN, %lN, %yes, %mN) : $@convention(method) (Builtin.RawPointer, Builtin.Word, Builtin.Int1, @thin String.Type) -> @owned String
`)
	}
	appendTo := func(n string) string {
		r := strings.NewReplacer("N", n)
		return r.Replace(`  %aN = function_ref @$sSS6appendyySSF : $@convention(method) (@guaranteed String, @inout String) -> ()
  %rN = apply %aN(%sN, %v) : $@convention(method) (@guaranteed String, @inout String) -> ()
  release_value %sN : $String
`)
	}
	if !g.strings {
		g.strings = true
		g.body.WriteString(`sil [readonly] [_semantics "string.makeUTF8"] @$sSS21_builtinStringLiteral17utf8CodeUnitCount7isASCIISSBp_BwBi1_tcfC : $@convention(method) (Builtin.RawPointer, Builtin.Word, Builtin.Int1, @thin String.Type) -> @owned String

sil [_semantics "string.append"] @$sSS6appendyySSF : $@convention(method) (@guaranteed String, @inout String) -> ()

sil @$sSS5countSivg : $@convention(method) (@guaranteed String) -> Int

`)
	}
	text := `sil @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
  %yes = integer_literal $Builtin.Int1, -1
  %f = function_ref @$sSS21_builtinStringLiteral17utf8CodeUnitCount7isASCIISSBp_BwBi1_tcfC : $@convention(method) (Builtin.RawPointer, Builtin.Word, Builtin.Int1, @thin String.Type) -> @owned String
` + literal("0") + literal("1") + `  %v = alloc_stack $String
  store %s0 to %v : $*String
` + appendTo("1")
	if g.chance(2) {
		text += literal("2") + appendTo("2")
	}
	if g.chance(3) { // a copy that keeps what it was
		text += "  %before = load %v : $*String\n  retain_value %before : $String\n" + literal("3") + appendTo("3") + `  %c = function_ref @$sSS5countSivg : $@convention(method) (@guaranteed String) -> Int
  %n1 = apply %c(%before) : $@convention(method) (@guaranteed String) -> Int
  %w = function_ref @line : $@convention(thin) (Int) -> ()
  %wr = apply %w(%n1) : $@convention(thin) (Int) -> ()
  release_value %before : $String
`
	}
	return text + `  %e = load %v : $*String
  %count = function_ref @$sSS5countSivg : $@convention(method) (@guaranteed String) -> Int
  %n = apply %count(%e) : $@convention(method) (@guaranteed String) -> Int
  release_value %e : $String
  dealloc_stack %v : $*String
  return %n : $Int
}

`
}

// latchShape is a loop that goes back to its head from several places.
func latchShape(*generator) string {
	return `sil @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
` + newPair + `  %3 = integer_literal $Builtin.Int64, 0
  %4 = integer_literal $Builtin.Int64, 1
  %5 = integer_literal $Builtin.Int64, 5
  br bb1(%3 : $Builtin.Int64, %0 : $Int)

bb1(%7 : $Builtin.Int64, %8 : $Int):
  %9 = builtin "add_Int64"(%7 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int64
  %10 = builtin "cmp_eq_Int64"(%7 : $Builtin.Int64, %5 : $Builtin.Int64) : $Builtin.Int1
  cond_br %10, bb6, bb2

bb2:
  %12 = builtin "and_Int64"(%7 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int64
  %13 = builtin "cmp_eq_Int64"(%12 : $Builtin.Int64, %3 : $Builtin.Int64) : $Builtin.Int1
  cond_br %13, bb3, bb4

bb3:
  %15 = struct $Int (%7 : $Builtin.Int64)
  %16 = function_ref @line : $@convention(thin) (Int) -> ()
  %17 = apply %16(%15) : $@convention(thin) (Int) -> ()
  br bb1(%9 : $Builtin.Int64, %15 : $Int)

bb4:
  %19 = struct_extract %arr : $Arr, #Arr.buf
  %20 = ref_tail_addr %19 : $Buf, $C
  %21 = load %20 : $*C
  strong_retain %21 : $C
  %23 = ref_element_addr %21 : $C, #C.v
  %24 = struct $Int (%9 : $Builtin.Int64)
  store %24 to %23 : $*Int
  strong_release %21 : $C
  %27 = integer_literal $Builtin.Int64, NUMBER
  %28 = builtin "cmp_slt_Int64"(%9 : $Builtin.Int64, %27 : $Builtin.Int64) : $Builtin.Int1
  cond_br %28, bb5, bb6

bb5:
  br bb1(%9 : $Builtin.Int64, %24 : $Int)

bb6:
  release_value %arr : $Arr
  return %8 : $Int
}

`
}

// nativeShape asks in each iteration of a loop whether an array is native, and tells what it was told. The array stays as it is, or a function of
// arrays changes it, which keeps it native, or another one takes its place: in the loop, through a pointer, or in a function.
func nativeShape(g *generator) string {
	arr := fmt.Sprintf("N%d", g.shapes)
	of := arr + "<" + g.classes[0].name + ">"
	fmt.Fprintf(&g.decls, "struct %s<T> {\n  @_hasStorage var held: %s { get set }\n  @_hasStorage var tag: Int { get set }\n}\n\n", arr, g.classes[0].name)
	change := pick(g, []string{
		"",
		"%40 = function_ref @SHAPE_mutate : $@convention(method) (@owned C, @inout ARR) -> ()\n  %41 = apply %10(%1) : $@convention(thin) (Int) -> @owned C\n  %42 = apply %40(%41, %2) : $@convention(method) (@owned C, @inout ARR) -> ()",
		"%40 = function_ref @SHAPE_put : $@convention(thin) (Int, @inout ARR) -> ()\n  %41 = apply %40(%7, %2) : $@convention(thin) (Int, @inout ARR) -> ()",
		"%40 = struct_element_addr %2 : $*ARR, #NAME.tag\n  store %7 to %40 : $*Int",
		"%40 = address_to_pointer %2 : $*ARR to $Builtin.RawPointer\n  %41 = pointer_to_address %40 : $Builtin.RawPointer to [strict] $*ARR\n  %42 = struct_element_addr %41 : $*ARR, #NAME.tag\n  store %7 to %42 : $*Int",
	})
	return strings.NewReplacer("ARR", of, "NAME", arr).Replace(`sil NOINLINE[_semantics "array.props.isNativeTypeChecked"] @SHAPE_native : $@convention(method) (@guaranteed ARR) -> Bool {
bb0(%0 : $ARR):
  %1 = struct_extract %0 : $ARR, #NAME.tag
  %2 = struct_extract %1 : $Int, #Int._value
  %3 = integer_literal $Builtin.Int64, 1
  %4 = builtin "and_Int64"(%2 : $Builtin.Int64, %3 : $Builtin.Int64) : $Builtin.Int64
  %5 = builtin "cmp_eq_Int64"(%4 : $Builtin.Int64, %3 : $Builtin.Int64) : $Builtin.Int1
  %6 = struct $Bool (%5 : $Builtin.Int1)
  return %6 : $Bool
}

sil [noinline] [_semantics "array.mutate_unknown"] @SHAPE_mutate : $@convention(method) (@owned C, @inout ARR) -> () {
bb0(%0 : $C, %1 : $*ARR):
  %2 = struct_element_addr %1 : $*ARR, #NAME.held
  %3 = load %2 : $*C
  store %0 to %2 : $*C
  strong_release %3 : $C
  %6 = tuple ()
  return %6 : $()
}

sil [noinline] @SHAPE_put : $@convention(thin) (Int, @inout ARR) -> () {
bb0(%0 : $Int, %1 : $*ARR):
  %2 = struct_element_addr %1 : $*ARR, #NAME.tag
  store %0 to %2 : $*Int
  %4 = tuple ()
  return %4 : $()
}

sil NOINLINE@SHAPE_look : $@convention(thin) (Bool, @guaranteed ARR) -> Int {
bb0(%0 : $Bool, %1 : $ARR):
  %2 = struct_extract %0 : $Bool, #Bool._value
  %3 = builtin "zext_Int1_Int64"(%2 : $Builtin.Int1) : $Builtin.Int64
  %4 = struct $Int (%3 : $Builtin.Int64)
  %5 = function_ref @line : $@convention(thin) (Int) -> ()
  %6 = apply %5(%4) : $@convention(thin) (Int) -> ()
  %7 = struct_extract %1 : $ARR, #NAME.tag
  return %7 : $Int
}

sil @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%1 : $Int):
  %2 = alloc_stack $ARR
  %3 = integer_literal $Builtin.Int64, 0
  %4 = integer_literal $Builtin.Int64, 1
  %5 = integer_literal $Builtin.Int64, COUNT
  %10 = function_ref @make_C : $@convention(thin) (Int) -> @owned C
  %11 = apply %10(%1) : $@convention(thin) (Int) -> @owned C
  %12 = struct $ARR (%11 : $C, %1 : $Int)
  store %12 to %2 : $*ARR
  br bb1(%3 : $Builtin.Int64, %1 : $Int)

bb1(%6 : $Builtin.Int64, %8 : $Int):
  %7 = struct $Int (%6 : $Builtin.Int64)
  %20 = load %2 : $*ARR
  retain_value %20 : $ARR
  %21 = function_ref @SHAPE_native : $@convention(method) (@guaranteed ARR) -> Bool
  %22 = apply %21(%20) : $@convention(method) (@guaranteed ARR) -> Bool
  %23 = builtin "cmp_slt_Int64"(%6 : $Builtin.Int64, %3 : $Builtin.Int64) : $Builtin.Int1
  br bb2

bb2:
  %24 = function_ref @SHAPE_look : $@convention(thin) (Bool, @guaranteed ARR) -> Int
  %25 = apply %24(%22, %20) : $@convention(thin) (Bool, @guaranteed ARR) -> Int
  ` + change + `
  release_value %20 : $ARR
  cond_br %23, bb6, bb3

bb3:
  %30 = builtin "add_Int64"(%6 : $Builtin.Int64, %4 : $Builtin.Int64) : $Builtin.Int64
  %31 = builtin "cmp_eq_Int64"(%30 : $Builtin.Int64, %5 : $Builtin.Int64) : $Builtin.Int1
  cond_br %31, bb5, bb4

bb4:
  br bb1(%30 : $Builtin.Int64, %25 : $Int)

bb5:
  br bb7(%25 : $Int)

bb6:
  br bb7(%8 : $Int)

bb7(%35 : $Int):
  destroy_addr %2 : $*ARR
  dealloc_stack %2 : $*ARR
  return %35 : $Int
}

`)
}

// eachShape goes through an array literal with a closure, whose variable the caller reads after it.
func eachShape(*generator) string {
	const each = "$@convention(thin) (@guaranteed @noescape @callee_guaranteed (@in_guaranteed Int) -> @error any Error, @in_guaranteed Array<Int>) -> @error any Error"
	end := `  end_borrow %19 : $*Array<Int>
  dealloc_stack %18 : $*Array<Int>
  end_borrow %17 : $Array<Int>
  destroy_value %16 : $@noescape @callee_guaranteed (@in_guaranteed Int) -> @error any Error
  destroy_value %4 : $Array<Int>
`
	return `sil NOINLINE[_semantics "array.uninitialized_intrinsic"] @SHAPE_allocate : $@convention(thin) (Builtin.Word) -> (@owned Array<Int>, Builtin.RawPointer) {
bb0(%0 : $Builtin.Word):
  %1 = alloc_ref [tail_elems $Int * %0 : $Builtin.Word] $_ContiguousArrayStorage<Int>
  %2 = upcast %1 : $_ContiguousArrayStorage<Int> to $__ContiguousArrayStorageBase
  %3 = builtin "sextOrBitCast_Word_Int64"(%0 : $Builtin.Word) : $Builtin.Int64
  %4 = struct $Int (%3 : $Builtin.Int64)
  %5 = integer_literal $Builtin.Int64, 4
  %6 = struct $UInt (%5 : $Builtin.Int64)
  %7 = struct $_SwiftArrayBodyStorage (%4 : $Int, %6 : $UInt)
  %8 = struct $_ArrayBody (%7 : $_SwiftArrayBodyStorage)
  %9 = ref_element_addr %2 : $__ContiguousArrayStorageBase, #__ContiguousArrayStorageBase.countAndCapacity
  store %8 to %9 : $*_ArrayBody
  %11 = ref_tail_addr %2 : $__ContiguousArrayStorageBase, $Int
  %12 = address_to_pointer %11 : $*Int to $Builtin.RawPointer
  %13 = struct $_ContiguousArrayBuffer<Int> (%2 : $__ContiguousArrayStorageBase)
  %14 = struct $Array<Int> (%13 : $_ContiguousArrayBuffer<Int>)
  %15 = tuple (%14 : $Array<Int>, %12 : $Builtin.RawPointer)
  return %15 : $(Array<Int>, Builtin.RawPointer)
}

sil NOINLINE[_semantics "sequence.forEach"] @SHAPE_each : ` + each + ` {
bb0(%0 : $@noescape @callee_guaranteed (@in_guaranteed Int) -> @error any Error, %1 : $*Array<Int>):
  %2 = load %1 : $*Array<Int>
  %3 = struct_extract %2 : $Array<Int>, #Array._buffer
  %4 = struct_extract %3 : $_ContiguousArrayBuffer<Int>, #_ContiguousArrayBuffer._storage
  %5 = ref_element_addr %4 : $__ContiguousArrayStorageBase, #__ContiguousArrayStorageBase.countAndCapacity
  %6 = struct_element_addr %5 : $*_ArrayBody, #_ArrayBody._storage
  %7 = struct_element_addr %6 : $*_SwiftArrayBodyStorage, #_SwiftArrayBodyStorage.count
  %8 = struct_element_addr %7 : $*Int, #Int._value
  %9 = load %8 : $*Builtin.Int64
  %10 = ref_tail_addr %4 : $__ContiguousArrayStorageBase, $Int
  %11 = integer_literal $Builtin.Int64, 0
  %12 = integer_literal $Builtin.Int64, 1
  br bb1(%11 : $Builtin.Int64)

bb1(%14 : $Builtin.Int64):
  %15 = builtin "cmp_slt_Int64"(%14 : $Builtin.Int64, %9 : $Builtin.Int64) : $Builtin.Int1
  cond_br %15, bb2, bb4

bb2:
  %17 = builtin "truncOrBitCast_Int64_Word"(%14 : $Builtin.Int64) : $Builtin.Word
  %18 = index_addr %10 : $*Int, %17 : $Builtin.Word
  try_apply %0(%18) : $@noescape @callee_guaranteed (@in_guaranteed Int) -> @error any Error, normal bb3, error bb5

bb3(%20 : $()):
  %21 = builtin "add_Int64"(%14 : $Builtin.Int64, %12 : $Builtin.Int64) : $Builtin.Int64
  br bb1(%21 : $Builtin.Int64)

bb4:
  %23 = tuple ()
  return %23 : $()

bb5(%25 : $any Error):
  throw %25 : $any Error
}

sil NOINLINE@SHAPE_body : $@convention(thin) (@in_guaranteed Int, @inout_aliasable Int) -> @error any Error {
bb0(%0 : $*Int, %1 : $*Int):
  %2 = load %0 : $*Int
  %3 = function_ref @line : $@convention(thin) (Int) -> ()
  %4 = apply %3(%2) : $@convention(thin) (Int) -> ()
  %5 = struct_extract %2 : $Int, #Int._value
  %6 = struct_element_addr %1 : $*Int, #Int._value
  %7 = load %6 : $*Builtin.Int64
  %8 = builtin "xor_Int64"(%5 : $Builtin.Int64, %7 : $Builtin.Int64) : $Builtin.Int64
  store %8 to %6 : $*Builtin.Int64
  %10 = tuple ()
  return %10 : $()
}

sil [ossa] @SHAPE : $@convention(thin) (Int) -> Int {
bb0(%0 : $Int):
  %1 = integer_literal $Builtin.Word, 2
  %2 = function_ref @SHAPE_allocate : $@convention(thin) (Builtin.Word) -> (@owned Array<Int>, Builtin.RawPointer)
  %3 = apply %2(%1) : $@convention(thin) (Builtin.Word) -> (@owned Array<Int>, Builtin.RawPointer)
  (%4, %5) = destructure_tuple %3 : $(Array<Int>, Builtin.RawPointer)
  %6 = pointer_to_address %5 : $Builtin.RawPointer to [strict] $*Int
  store %0 to [trivial] %6 : $*Int
  %8 = integer_literal $Builtin.Int64, NUMBER
  %9 = struct $Int (%8 : $Builtin.Int64)
  %10 = integer_literal $Builtin.Word, 1
  %11 = index_addr %6 : $*Int, %10 : $Builtin.Word
  store %9 to [trivial] %11 : $*Int
  %13 = alloc_stack $Int
  store %9 to [trivial] %13 : $*Int
  %15 = function_ref @SHAPE_body : $@convention(thin) (@in_guaranteed Int, @inout_aliasable Int) -> @error any Error
  %16 = partial_apply [callee_guaranteed] [on_stack] %15(%13) : $@convention(thin) (@in_guaranteed Int, @inout_aliasable Int) -> @error any Error
  %17 = begin_borrow %4 : $Array<Int>
  %18 = alloc_stack $Array<Int>
  %19 = store_borrow %17 to %18 : $*Array<Int>
  %20 = function_ref @SHAPE_each : ` + each + `
  try_apply %20(%16, %19) : ` + each + `, normal bb1, error bb2

bb1(%22 : $()):
` + end + `  %28 = load [trivial] %13 : $*Int
  dealloc_stack %13 : $*Int
  br bb3(%28 : $Int)

bb2(%31 : @owned $any Error):
` + end + `  destroy_value %31 : $any Error
  dealloc_stack %13 : $*Int
  br bb3(%0 : $Int)

bb3(%40 : $Int):
  return %40 : $Int
}

`
}
