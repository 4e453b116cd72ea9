package check_test

import (
	"testing"

	"silvm/loader"
	"silvm/vm"
	"silvm/vm/check"
)

const head = `sil_stage canonical

import Builtin
import Swift

struct Padded {
  @_hasStorage var small: Int8 { get set }
  @_hasStorage var large: Int { get set }
}

class Node {
  @_hasStorage var value: Padded { get set }
}

sil_vtable Node {
}

// fresh() gives a new stack location a value, so that memory used before is used again.
sil @fresh : $@convention(thin) (Int) -> () {
bb0(%0 : $Int):
  %1 = alloc_stack $Int
  store %0 to %1 : $*Int
  dealloc_stack %1 : $*Int
  %4 = tuple ()
  return %4 : $()
}

// overwrite(_:) does not read what it gets, so the compiler drops stores before a call.
sil @overwrite : $@convention(thin) (@inout Int, Int) -> Int {
bb0(%0 : $*Int, %1 : $Int):
  store %1 to %0 : $*Int
  %3 = load %0 : $*Int
  return %3 : $Int
}

sil @look : $@convention(thin) (@in_guaranteed Int) -> Int {
bb0(%0 : $*Int):
  %1 = load %0 : $*Int
  return %1 : $Int
}

sil @lend : $@yield_once @convention(thin) () -> @yields @inout Int {
bb0:
  %0 = alloc_stack $Int
  %1 = integer_literal $Builtin.Int64, 4
  %2 = struct $Int (%1 : $Builtin.Int64)
  store %2 to %0 : $*Int
  yield %0 : $*Int, resume bb1, unwind bb2

bb1:
  dealloc_stack %0 : $*Int
  %6 = tuple ()
  return %6 : $()

bb2:
  dealloc_stack %0 : $*Int
  unwind
}

// unique(_:) has the effect list that the compiler gives to a look at a count.
sil @unique : $@convention(thin) (@inout Node) -> Builtin.Int1 {
[%0: destroy v**]
[global: ]
bb0(%0 : $*Node):
  %1 = is_unique %0 : $*Node
  return %1 : $Builtin.Int1
}

// handed(_:) is transparent and has the list of the load [copy] that it was; taken(_:) was never one.
sil [transparent] @handed : $@convention(thin) (@in_guaranteed Node) -> @owned Node {
[%0: noescape, escape c*.v** -> %r.v**, read v**]
[global: ]
bb0(%0 : $*Node):
  %1 = load %0 : $*Node
  strong_retain %1 : $Node
  return %1 : $Node
}

sil @taken : $@convention(thin) (@in_guaranteed Node) -> @owned Node {
[%0: noescape, escape c*.v** -> %r.v**, read v**]
[global: ]
bb0(%0 : $*Node):
  %1 = load %0 : $*Node
  strong_retain %1 : $Node
  return %1 : $Node
}

// behind(_:_:) overwrites a location after the borrow of it, which a branch hands on; within(_:_:) does so inside of it.
sil [ossa] @behind : $@convention(thin) (@inout Node, @owned Node) -> () {
bb0(%0 : $*Node, %1 : @owned $Node):
  %2 = load_borrow %0 : $*Node
  br bb1(%2 : $Node)

bb1(%4 : @reborrow @guaranteed $Node):
  end_borrow %4 : $Node
  store %1 to [assign] %0 : $*Node
  %7 = tuple ()
  return %7 : $()
}

sil [ossa] @within : $@convention(thin) (@inout Node, @owned Node) -> () {
bb0(%0 : $*Node, %1 : @owned $Node):
  %2 = load_borrow %0 : $*Node
  br bb1(%2 : $Node)

bb1(%4 : @reborrow @guaranteed $Node):
  store %1 to [assign] %0 : $*Node
  end_borrow %4 : $Node
  %7 = tuple ()
  return %7 : $()
}

// peek(_:_:) reads its second argument in an access.
sil @peek : $@convention(thin) (@inout Int, @inout_aliasable Int) -> Int {
bb0(%0 : $*Int, %1 : $*Int):
  %2 = begin_access [read] [dynamic] %1 : $*Int
  %3 = load %2 : $*Int
  end_access %2 : $*Int
  return %3 : $Int
}

// quiet(_:) says that it retains nothing, and keeps to that.
sil @quiet : $@yield_once @convention(thin) (@guaranteed Node) -> @yields @guaranteed Node {
[%0: noescape **]
[global: ]
bb0(%0 : $Node):
  yield %0 : $Node, resume bb1, unwind bb2

bb1:
  %2 = tuple ()
  return %2 : $()

bb2:
  unwind
}

// loud(_:) says so too, and retains once it goes on.
sil @loud : $@yield_once @convention(thin) (@guaranteed Node) -> @yields @guaranteed Node {
[%0: noescape **]
[global: ]
bb0(%0 : $Node):
  yield %0 : $Node, resume bb1, unwind bb2

bb1:
  strong_retain %0 : $Node
  %3 = tuple ()
  return %3 : $()

bb2:
  unwind
}

// silent(_:) promises the same, and ends before its caller retains.
sil @silent : $@convention(thin) (@guaranteed Node) -> () {
[%0: noescape **]
[global: ]
bb0(%0 : $Node):
  %1 = tuple ()
  return %1 : $()
}

// given(_:) returns a number, which gets somewhere although no argument escapes.
sil @given : $@convention(thin) (Int) -> Int {
[%0: noescape **]
[global: ]
bb0(%0 : $Int):
  return %0 : $Int
}

sil @main : $@convention(c) (Int32, UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>) -> Int32 {
bb0(%0 : $Int32, %1 : $UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>):
  %i8 = integer_literal $Builtin.Int8, 1
  %i64 = integer_literal $Builtin.Int64, 5
  %small = struct $Int8 (%i8 : $Builtin.Int8)
  %large = struct $Int (%i64 : $Builtin.Int64)
  %fresh = function_ref @fresh : $@convention(thin) (Int) -> ()
`

const tail = `
  %zero = integer_literal $Builtin.Int32, 0
  %status = struct $Int32 (%zero : $Builtin.Int32)
  return %status : $Int32
}
`

// run returns the code of the finding, "" when the program ended.
func run(t *testing.T, body string) string {
	t.Helper()
	mod, diags := loader.Load("test.sil", []byte(head+body+tail), loader.Options{})
	if diags.Errors() > 0 {
		t.Fatal(diags)
	}
	m, err := vm.New(mod, vm.Config{Checks: vm.ChecksFull, Tools: true})
	if err != nil {
		t.Fatal(err)
	}
	switch stop := check.New(m).Run(); stop.Kind {
	case vm.Exited:
		return ""
	case vm.Trapped:
		d := stop.Trap.Diagnostic()
		return d.Code
	default:
		t.Fatalf("stop %v", stop)
	}
	return ""
}

// clean are bodies of main that do nothing wrong.
var clean = map[string]string{
	"memory that the callee fills": `
  %a = alloc_stack $Int
  %f = function_ref @overwrite : $@convention(thin) (@inout Int, Int) -> Int
  %r = apply %f(%a, %large) : $@convention(thin) (@inout Int, Int) -> Int
  %v = load %a : $*Int
  dealloc_stack %a : $*Int`,
	"a number that looks like an address is returned": `
  %a = alloc_stack $Int
  %p = address_to_pointer %a : $*Int to $Builtin.RawPointer
  %w = builtin "ptrtoint_Int64"(%p : $Builtin.RawPointer) : $Builtin.Int64
  %n = struct $Int (%w : $Builtin.Int64)
  %f = function_ref @given : $@convention(thin) (Int) -> Int
  %r = apply %f(%n) : $@convention(thin) (Int) -> Int
  dealloc_stack %a : $*Int`,
	"a count is looked at": `
  %a = alloc_stack $Node
  %n = alloc_ref $Node
  store %n to %a : $*Node
  %f = function_ref @unique : $@convention(thin) (@inout Node) -> Builtin.Int1
  %r = apply %f(%a) : $@convention(thin) (@inout Node) -> Builtin.Int1
  dealloc_ref %n : $Node
  dealloc_stack %a : $*Node`,
	"padding is copied": `
  %a = alloc_stack $Padded
  %b = alloc_stack $Padded
  %as = struct_element_addr %a : $*Padded, #Padded.small
  %al = struct_element_addr %a : $*Padded, #Padded.large
  store %small to %as : $*Int8
  store %large to %al : $*Int
  copy_addr %a to [init] %b : $*Padded
  %v = load %b : $*Padded
  %n = alloc_ref $Node
  %p = ref_element_addr %n : $Node, #Node.value
  copy_addr [take] %b to [init] %p : $*Padded
  %w = load %p : $*Padded
  dealloc_ref %n : $Node
  dealloc_stack %b : $*Padded
  dealloc_stack %a : $*Padded`,
	"the payload of an empty enum is not asked for": `
  %a = alloc_stack $Optional<Int>
  inject_enum_addr %a : $*Optional<Int>, #Optional.none!enumelt
  %v = load %a : $*Optional<Int>
  dealloc_stack %a : $*Optional<Int>
  %b = alloc_stack $Optional<Padded>
  %c = init_enum_data_addr %b : $*Optional<Padded>, #Optional.some!enumelt
  %s = struct $Padded (%small : $Int8, %large : $Int)
  store %s to %c : $*Padded
  inject_enum_addr %b : $*Optional<Padded>, #Optional.some!enumelt
  %w = load %b : $*Optional<Padded>
  dealloc_stack %b : $*Optional<Padded>`,
	"a trivial value is assigned to fresh memory": `
  %a = alloc_stack $Int
  %b = alloc_stack $Int
  store %large to %a : $*Int
  copy_addr %a to %b : $*Int
  dealloc_stack %b : $*Int
  dealloc_stack %a : $*Int`,
	"stack memory is used again": `
  %x = apply %fresh(%large) : $@convention(thin) (Int) -> ()
  %y = apply %fresh(%large) : $@convention(thin) (Int) -> ()
  %n = integer_literal $Builtin.Word, 4
  %s = integer_literal $Builtin.Word, 8
  %m = builtin "stackAlloc"(%n : $Builtin.Word, %s : $Builtin.Word, %s : $Builtin.Word) : $Builtin.RawPointer
  %p = pointer_to_address %m : $Builtin.RawPointer to [strict] $*Int
  store %large to %p : $*Int
  %v = load %p : $*Int
  %d = builtin "stackDealloc"(%m : $Builtin.RawPointer) : $()
  %z = apply %fresh(%large) : $@convention(thin) (Int) -> ()`,
	"a coroutine lends its own memory": `
  %f = function_ref @lend : $@yield_once @convention(thin) () -> @yields @inout Int
  (%a, %t) = begin_apply %f() : $@yield_once @convention(thin) () -> @yields @inout Int
  %v = load %a : $*Int
  store %v to %a : $*Int
  %x = apply %fresh(%v) : $@convention(thin) (Int) -> ()
  %w = load %a : $*Int
  end_apply %t
  %y = apply %fresh(%large) : $@convention(thin) (Int) -> ()`,
	"whoever calls a coroutine that retains nothing may retain": `
  %n = alloc_ref $Node
  %f = function_ref @quiet : $@yield_once @convention(thin) (@guaranteed Node) -> @yields @guaranteed Node
  (%y, %t) = begin_apply %f(%n) : $@yield_once @convention(thin) (@guaranteed Node) -> @yields @guaranteed Node
  strong_retain %n : $Node
  strong_release %n : $Node
  end_apply %t
  strong_retain %n : $Node
  strong_release %n : $Node
  dealloc_ref %n : $Node`,
	"a location is overwritten after a borrow that a branch handed on": `
  %a = alloc_stack $Node
  %n = alloc_ref $Node
  %o = alloc_ref $Node
  store %n to %a : $*Node
  %f = function_ref @behind : $@convention(thin) (@inout Node, @owned Node) -> ()
  %r = apply %f(%a, %o) : $@convention(thin) (@inout Node, @owned Node) -> ()
  destroy_addr %a : $*Node
  dealloc_stack %a : $*Node`,
	"a transparent function hands out what it loads": `
  %a = alloc_stack $Node
  %n = alloc_ref $Node
  store %n to %a : $*Node
  %f = function_ref @handed : $@convention(thin) (@in_guaranteed Node) -> @owned Node
  %r = apply %f(%a) : $@convention(thin) (@in_guaranteed Node) -> @owned Node
  strong_release %r : $Node
  destroy_addr %a : $*Node
  dealloc_stack %a : $*Node`,
	"a call that retains nothing has ended": `
  %n = alloc_ref $Node
  %f = function_ref @silent : $@convention(thin) (@guaranteed Node) -> ()
  %r = apply %f(%n) : $@convention(thin) (@guaranteed Node) -> ()
  strong_retain %n : $Node
  strong_release %n : $Node
  dealloc_ref %n : $Node`,
	"accesses to parts that the compiler keeps apart": `
  %a = alloc_stack $Padded
  %s = struct $Padded (%small : $Int8, %large : $Int)
  store %s to %a : $*Padded
  %b = begin_access [modify] [static] %a : $*Padded
  %c = struct_element_addr %b : $*Padded, #Padded.small
  %d = begin_access [read] [static] %a : $*Padded
  %e = struct_element_addr %d : $*Padded, #Padded.large
  %v = load %e : $*Int
  store %small to %c : $*Int8
  end_access %d : $*Padded
  end_access %b : $*Padded
  dealloc_stack %a : $*Padded`,
	"a call inside of a merged access": `
  %a = alloc_stack $Int
  %o = alloc_stack $Int
  store %large to %o : $*Int
  %b = begin_access [modify] [static] [no_nested_conflict] %a : $*Int
  store %large to %b : $*Int
  %f = function_ref @peek : $@convention(thin) (@inout Int, @inout_aliasable Int) -> Int
  %r = apply %f(%o, %a) : $@convention(thin) (@inout Int, @inout_aliasable Int) -> Int
  store %large to %b : $*Int
  end_access %b : $*Int
  dealloc_stack %o : $*Int
  dealloc_stack %a : $*Int`,
	"memory that the closure fills": `
  %a = alloc_stack $Int
  %f = function_ref @overwrite : $@convention(thin) (@inout Int, Int) -> Int
  %c = partial_apply [callee_guaranteed] [on_stack] %f(%large) : $@convention(thin) (@inout Int, Int) -> Int
  %n = convert_function %c : $@noescape @callee_guaranteed (@inout Int) -> Int to $@noescape @callee_guaranteed @substituted <T> (@inout T) -> Int for <Int>
  %r = apply %n(%a) : $@noescape @callee_guaranteed @substituted <T> (@inout T) -> Int for <Int>
  dealloc_stack %c : $@noescape @callee_guaranteed (@inout Int) -> Int
  dealloc_stack %a : $*Int`,
}

// Programs that use memory as compilers do: nothing is found.
func TestClean(t *testing.T) {
	for name, body := range clean {
		t.Run(name, func(t *testing.T) {
			if code := run(t, body); code != "" {
				t.Errorf("found %s", code)
			}
		})
	}
}

// Each finding once more, next to the clean use that it differs from; whole programs are in programs/trap.
func TestFindings(t *testing.T) {
	for _, c := range []struct{ name, code, body string }{
		{"memory that the callee reads", "SV0109", `
  %a = alloc_stack $Int
  %f = function_ref @look : $@convention(thin) (@in_guaranteed Int) -> Int
  %r = apply %f(%a) : $@convention(thin) (@in_guaranteed Int) -> Int
  dealloc_stack %a : $*Int`},
		{"a field of a struct", "SV0109", `
  %a = alloc_stack $Padded
  %as = struct_element_addr %a : $*Padded, #Padded.small
  store %small to %as : $*Int8
  %b = alloc_stack $Padded
  copy_addr %a to [init] %b : $*Padded
  dealloc_stack %b : $*Padded
  dealloc_stack %a : $*Padded`},
		{"an enum that nothing wrote", "SV0109", `
  %a = alloc_stack $Optional<Int>
  %v = load %a : $*Optional<Int>
  dealloc_stack %a : $*Optional<Int>`},
		{"the bytes after a raw block", "SV0110", `
  %n = integer_literal $Builtin.Word, 20
  %al = integer_literal $Builtin.Word, 16
  %m = builtin "allocRaw"(%n : $Builtin.Word, %al : $Builtin.Word) : $Builtin.RawPointer
  %k = integer_literal $Builtin.Word, 16
  %q = index_raw_pointer %m : $Builtin.RawPointer, %k : $Builtin.Word
  %p = pointer_to_address %q : $Builtin.RawPointer to [strict] $*Int
  store %large to %p : $*Int`},
		{"a function that is not transparent and retains what it loads", "SV0122", `
  %a = alloc_stack $Node
  %n = alloc_ref $Node
  store %n to %a : $*Node
  %f = function_ref @taken : $@convention(thin) (@in_guaranteed Node) -> @owned Node
  %r = apply %f(%a) : $@convention(thin) (@in_guaranteed Node) -> @owned Node
  strong_release %r : $Node
  destroy_addr %a : $*Node
  dealloc_stack %a : $*Node`},
		{"a coroutine that retains once it goes on", "SV0122", `
  %n = alloc_ref $Node
  %f = function_ref @loud : $@yield_once @convention(thin) (@guaranteed Node) -> @yields @guaranteed Node
  (%y, %t) = begin_apply %f(%n) : $@yield_once @convention(thin) (@guaranteed Node) -> @yields @guaranteed Node
  strong_retain %n : $Node
  end_apply %t
  strong_release %n : $Node
  strong_release %n : $Node`},
		{"a location is overwritten inside a borrow that a branch handed on", "SV0114", `
  %a = alloc_stack $Node
  %n = alloc_ref $Node
  %o = alloc_ref $Node
  store %n to %a : $*Node
  %f = function_ref @within : $@convention(thin) (@inout Node, @owned Node) -> ()
  %r = apply %f(%a, %o) : $@convention(thin) (@inout Node, @owned Node) -> ()
  destroy_addr %a : $*Node
  dealloc_stack %a : $*Node`},
		{"a block in whose place an initialized one lay", "SV0109", `
  %m = alloc_ref $Node
  %q = ref_element_addr %m : $Node, #Node.value
  %s = struct $Padded (%small : $Int8, %large : $Int)
  store %s to %q : $*Padded
  dealloc_ref %m : $Node
  %n = alloc_ref $Node
  %p = ref_element_addr %n : $Node, #Node.value
  %l = struct_element_addr %p : $*Padded, #Padded.large
  %v = load %l : $*Int
  dealloc_ref %n : $Node`},
		{"a call that gets the address of a merged access", "SV0201", `
  %a = alloc_stack $Int
  %b = begin_access [modify] [static] [no_nested_conflict] %a : $*Int
  store %large to %b : $*Int
  %f = function_ref @peek : $@convention(thin) (@inout Int, @inout_aliasable Int) -> Int
  %r = apply %f(%b, %a) : $@convention(thin) (@inout Int, @inout_aliasable Int) -> Int
  store %large to %b : $*Int
  end_access %b : $*Int
  dealloc_stack %a : $*Int`},
		{"accesses to the same part", "SV0201", `
  %a = alloc_stack $Padded
  %s = struct $Padded (%small : $Int8, %large : $Int)
  store %s to %a : $*Padded
  %b = begin_access [modify] [static] %a : $*Padded
  %c = struct_element_addr %b : $*Padded, #Padded.large
  %d = begin_access [read] [static] %a : $*Padded
  %e = struct_element_addr %d : $*Padded, #Padded.large
  store %large to %c : $*Int
  %v = load %e : $*Int
  end_access %d : $*Padded
  end_access %b : $*Padded
  dealloc_stack %a : $*Padded`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if code := run(t, c.body); code != c.code {
				t.Errorf("found %q, want %s", code, c.code)
			}
		})
	}
}
