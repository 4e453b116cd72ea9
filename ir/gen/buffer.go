package gen

import "strings"

// bufferText is a buffer of two objects with its count in front, and a struct that copies it when somebody else holds it too. C is the class.
const bufferText = `sil [noinline] @arr_new : $@convention(thin) (@owned C, @owned C) -> @owned Buf {
bb0(%0 : $C, %1 : $C):
  %2 = integer_literal $Builtin.Word, 2
  %3 = alloc_ref [tail_elems $C * %2 : $Builtin.Word] $Buf
  %4 = ref_tail_addr %3 : $Buf, $C
  store %0 to %4 : $*C
  %6 = integer_literal $Builtin.Word, 1
  %7 = index_addr [stack_protection] %4 : $*C, %6 : $Builtin.Word
  store %1 to %7 : $*C
  return %3 : $Buf
}

sil @$s4main3BufCfD : $@convention(method) (@owned Buf) -> () {
bb0(%0 : $Buf):
  %1 = ref_tail_addr %0 : $Buf, $C
  destroy_addr %1 : $*C
  %3 = integer_literal $Builtin.Word, 1
  %4 = index_addr %1 : $*C, %3 : $Builtin.Word
  destroy_addr %4 : $*C
  dealloc_ref %0 : $Buf
  %7 = tuple ()
  return %7 : $()
}

sil @arr_make : $@convention(thin) (@owned C, @owned C) -> @owned Arr {
bb0(%0 : $C, %1 : $C):
  %2 = function_ref @arr_new : $@convention(thin) (@owned C, @owned C) -> @owned Buf
  %3 = apply %2(%0, %1) : $@convention(thin) (@owned C, @owned C) -> @owned Buf
  %4 = struct $Arr (%3 : $Buf)
  return %4 : $Arr
}

// arr_get returns an element.
sil @arr_get : $@convention(thin) (Int, @guaranteed Arr) -> @owned C {
bb0(%0 : $Int, %1 : $Arr):
  %2 = struct_extract %1 : $Arr, #Arr.buf
  %3 = ref_tail_addr [immutable] %2 : $Buf, $C
  %4 = struct_extract %0 : $Int, #Int._value
  %5 = integer_literal $Builtin.Int64, 1
  %6 = builtin "and_Int64"(%4 : $Builtin.Int64, %5 : $Builtin.Int64) : $Builtin.Int64
  %7 = builtin "truncOrBitCast_Int64_Word"(%6 : $Builtin.Int64) : $Builtin.Word
  %8 = index_addr %3 : $*C, %7 : $Builtin.Word
  %9 = load %8 : $*C
  strong_retain %9 : $C
  return %9 : $C
}

// arr_unique makes sure that nobody else holds the buffer.
sil @arr_unique : $@convention(thin) (@inout Arr) -> () {
bb0(%0 : $*Arr):
  %1 = begin_access [modify] [static] %0 : $*Arr
  %2 = struct_element_addr %1 : $*Arr, #Arr.buf
  UNIQUE
  cond_br %u, bb1, bb2

bb1:
  YES
  br bb3

bb2:
  NO
  %11 = ref_tail_addr [immutable] %old : $Buf, $C
  %12 = load %11 : $*C
  strong_retain %12 : $C
  %13 = integer_literal $Builtin.Word, 1
  %14 = index_addr %11 : $*C, %13 : $Builtin.Word
  %15 = load %14 : $*C
  strong_retain %15 : $C
  %16 = function_ref @arr_new : $@convention(thin) (@owned C, @owned C) -> @owned Buf
  %17 = apply %16(%12, %15) : $@convention(thin) (@owned C, @owned C) -> @owned Buf
  store %17 to %2 : $*Buf
  strong_release %old : $Buf
  br bb3

bb3:
  end_access %1 : $*Arr
  %21 = tuple ()
  return %21 : $()
}

// arr_set replaces an element.
sil @arr_set : $@convention(thin) (Int, @owned C, @inout Arr) -> () {
bb0(%0 : $Int, %1 : $C, %2 : $*Arr):
  %3 = function_ref @arr_unique : $@convention(thin) (@inout Arr) -> ()
  %4 = begin_access [modify] [static] %2 : $*Arr
  %5 = apply %3(%4) : $@convention(thin) (@inout Arr) -> ()
  %6 = struct_element_addr %4 : $*Arr, #Arr.buf
  %7 = load %6 : $*Buf
  %8 = ref_tail_addr %7 : $Buf, $C
  %9 = struct_extract %0 : $Int, #Int._value
  %10 = integer_literal $Builtin.Int64, 1
  %11 = builtin "and_Int64"(%9 : $Builtin.Int64, %10 : $Builtin.Int64) : $Builtin.Int64
  %12 = builtin "truncOrBitCast_Int64_Word"(%11 : $Builtin.Int64) : $Builtin.Word
  %13 = index_addr %8 : $*C, %12 : $Builtin.Word
  %14 = load %13 : $*C
  store %1 to %13 : $*C
  END
  end_access %4 : $*Arr
  strong_release %14 : $C
  %20 = tuple ()
  return %20 : $()
}

sil @show_Arr : $@convention(thin) (@guaranteed Arr) -> () {
bb0(%0 : $Arr):
  %1 = struct_extract %0 : $Arr, #Arr.buf
  %2 = ref_tail_addr [immutable] %1 : $Buf, $C
  %3 = load %2 : $*C
  %4 = ref_element_addr %3 : $C, #C.id
  %5 = load %4 : $*Int
  %6 = function_ref @line : $@convention(thin) (Int) -> ()
  %7 = apply %6(%5) : $@convention(thin) (Int) -> ()
  %8 = integer_literal $Builtin.Word, 1
  %9 = index_addr %2 : $*C, %8 : $Builtin.Word
  %10 = load %9 : $*C
  %11 = ref_element_addr %10 : $C, #C.v
  %12 = load %11 : $*Int
  %13 = apply %6(%12) : $@convention(thin) (Int) -> ()
  %14 = tuple ()
  return %14 : $()
}

`

// bufferCode writes the buffer with one of the two instructions that ask whether it is shared.
func (g *generator) bufferCode() {
	g.decls.WriteString("class Buf {\n  deinit\n}\n\nstruct Arr {\n  @_hasStorage var buf: Buf { get set }\n}\n\n")
	g.tables.WriteString("sil_vtable Buf {\n  #Buf.deinit!deallocator: @$s4main3BufCfD\n}\n\n")
	c := g.classes[0].name
	r := strings.NewReplacer("UNIQUE", "%u = is_unique %2 : $*Buf", "YES\n  ", "", "NO", "%old = load %2 : $*Buf", "END\n  ", "",
		"$C", "$"+c, "*C", "*"+c, "@owned C", "@owned "+c, "#C", "#"+c)
	if g.chance(2) {
		r = strings.NewReplacer("UNIQUE", "%held = load %2 : $*Buf\n  (%u, %own) = begin_cow_mutation %held : $Buf", "YES", "store %own to %2 : $*Buf",
			"NO", "%old = load %2 : $*Buf", "END", "%16 = load %6 : $*Buf\n  %17 = end_cow_mutation %16 : $Buf\n  store %17 to %6 : $*Buf",
			"$C", "$"+c, "*C", "*"+c, "@owned C", "@owned "+c, "#C", "#"+c)
	}
	g.body.WriteString(r.Replace(bufferText))
}

// doBuffer writes to a buffer that may be shared, and reads from it.
func (f *fn) doBuffer() {
	c, t := f.g.classes[0], f.g.buffer
	f.cost += 100 * f.factor
	list := f.places(func(p *place) bool { return p.t == t && p.access == "static" && p.locks == 0 })
	if len(list) == 0 {
		list = []*place{f.variable(t, f.loose(t))}
	}
	p := pick(f.g, list)
	var before *value
	if f.g.chance(2) {
		before = f.load(p)
		before.locks++
	}
	n, name := f.int(), f.loose(c)
	a, end := f.begin(p, "modify")
	f.call("arr_set", "$@convention(thin) (Int, @owned "+c.name+", @inout Arr) -> ()", n, name, a)
	end()
	if before != nil {
		before.locks--
		f.show(before)
	}
	f.show(f.own(f.call("arr_get", "$@convention(thin) (Int, @guaranteed Arr) -> @owned "+c.name, f.int(), f.load(p).name), c))
}
