package gen

import (
	"fmt"
	"strings"
)

// interior writes a function that gets a pointer into an object, hands it on in some ways, and lends it to a function that lets go of all
// other references to the object before it reads through the pointer. One retain keeps the object alive, and nothing uses the object by its
// name afterwards: whoever takes that retain away has something read that is no longer there.
type interior struct {
	g      *generator
	code   strings.Builder // of the function
	others strings.Builder // functions that it calls
	last   int
	ossa   bool
	object string // type of the object
	elem   string // type of what the pointer leads to
	fresh  string // code that makes another such object as %new
	end    string // code that lets go of what was made on the way
}

// interiorShape lends a pointer into an object whose last other reference goes before the pointer is used.
func interiorShape(g *generator) string {
	x := &interior{g: g, ossa: g.chance(3), object: "C", elem: "Int"}
	x.fresh = "%make = function_ref @make_C : $@convention(thin) (Int) -> @owned C\n  %new = apply %make(%0) : $@convention(thin) (Int) -> @owned C"
	place := pick(g, []func(*interior) string{(*interior).field, (*interior).field, (*interior).tail, (*interior).boxed, (*interior).addressor, (*interior).errorBox})(x)
	holder := pick(g, []func(*interior) (string, string){(*interior).inSlot, (*interior).inBox, (*interior).inGlobal})
	conv, end := holder(x)
	borrowed, done := "%object", "strong_release %object : $OBJECT"
	if x.ossa {
		borrowed, done = "%borrow", "end_borrow %borrow : $OBJECT\n  destroy_value %object : $OBJECT"
		x.op("%%borrow = begin_borrow %%object : $OBJECT")
	}
	x.op("%s", strings.ReplaceAll(place, "IT", borrowed))
	p := x.line("address_to_pointer %%place : $*ELEM to $POINTER")
	for range g.n(3) {
		p = pick(g, interiorWays)(x, p)
	}
	x.lend(conv, p)
	x.op("%s", strings.TrimSpace(x.end+"\n  "+done))
	x.op("%s", end)
	ossa := ""
	if x.ossa {
		ossa = "[ossa] "
	}
	text := x.others.String() + "sil " + ossa + "@SHAPE : $@convention(thin) (Int) -> Int {\nbb0(%0 : $Int):\n" + x.code.String() + "  return %0 : $Int\n}\n\n"
	real := func(t string) string {
		if t == "C" {
			return g.classes[0].name
		}
		return t
	}
	return strings.NewReplacer("var OBJECT", "var "+real(x.object), "<ELEM>", "<"+real(x.elem)+">", "OBJECT", x.object, "ELEM", x.elem, "HOLDER", conv, "FRESH", x.fresh, "POINTER", "Builtin.RawPointer").Replace(text)
}

func (x *interior) op(format string, args ...any) {
	fmt.Fprintf(&x.code, "  "+format+"\n", args...)
}

func (x *interior) value() string { x.last++; return fmt.Sprintf("%%p%d", x.last) }

// line writes an instruction with a result.
func (x *interior) line(format string, args ...any) string {
	name := x.value()
	x.op("%s = %s", name, fmt.Sprintf(format, args...))
	return name
}

func (x *interior) function(text string) { x.others.WriteString(text + "\n\n") }

// mark is the ownership of an access in ownership form.
func (x *interior) mark(word string) string {
	if x.ossa {
		return word + " "
	}
	return ""
}

func (x *interior) field() string {
	return "%place = ref_element_addr IT : $C, #C.v"
}

// tail is an element of a buffer.
func (x *interior) tail() string {
	x.object, x.elem = "Buf", "C"
	x.fresh = strings.TrimSpace(strings.ReplaceAll(newPair, "%arr =", "%both =")) + "\n  %new = struct_extract %both : $Arr, #Arr.buf"
	if x.g.chance(2) {
		return "%place = ref_tail_addr IT : $Buf, $C"
	}
	return "%tail = ref_tail_addr IT : $Buf, $C\n  %one = integer_literal $Builtin.Word, 1\n  %place = index_addr %tail : $*C, %one : $Builtin.Word"
}

func (x *interior) boxed() string {
	x.object = "{ var Int }"
	x.fresh = "%new = alloc_box ${ var Int }\n  %inner = project_box %new : ${ var Int }, 0\n  store %0 to %inner : $*Int"
	return "%place = project_box IT : ${ var Int }, 0"
}

// addressor is a function that returns the pointer.
func (x *interior) addressor() string {
	x.function(`sil NOINLINE@SHAPE_addressor : $@convention(method) (@guaranteed C) -> UnsafeMutablePointer<Int> {
bb0(%0 : $C):
  %1 = ref_element_addr %0 : $C, #C.v
  %2 = address_to_pointer %1 : $*Int to $POINTER
  %3 = struct $UnsafeMutablePointer<Int> (%2 : $POINTER)
  return %3 : $UnsafeMutablePointer<Int>
}`)
	return `%addressor = function_ref @SHAPE_addressor : $@convention(method) (@guaranteed C) -> UnsafeMutablePointer<Int>
  %unsafe = apply %addressor(IT) : $@convention(method) (@guaranteed C) -> UnsafeMutablePointer<Int>
  %found = struct_extract %unsafe : $UnsafeMutablePointer<Int>, #UnsafeMutablePointer._rawValue
  %place = pointer_to_address %found : $POINTER to [strict] $*Int`
}

// errorBox is what an error holds.
func (x *interior) errorBox() string {
	x.object, x.elem = "any Error", "C"
	x.fresh = strings.ReplaceAll(x.fresh, "%new", "%held") + "\n  %new = alloc_existential_box $any Error, $Failure\n  %inner = project_existential_box $Failure in %new : $any Error\n" +
		"  %failure = struct $Failure (%held : $C)\n  store %failure to %inner : $*Failure"
	return "%failed = project_existential_box $Failure in IT : $any Error\n  %place = struct_element_addr %failed : $*Failure, #Failure.held"
}

// first writes the object itself. It is made in a function of its own, without ownership.
func (x *interior) first() {
	x.function("sil NOINLINE@SHAPE_fresh : $@convention(thin) (Int) -> @owned OBJECT {\nbb0(%0 : $Int):\n  FRESH\n  return %new : $OBJECT\n}")
	x.op("%%fresh = function_ref @SHAPE_fresh : $@convention(thin) (Int) -> @owned OBJECT")
	x.op("%%first = apply %%fresh(%%0) : $@convention(thin) (Int) -> @owned OBJECT")
}

// second writes the reference that keeps the object alive: of the object itself, before or after it was put into memory, or loaded from there.
func (x *interior) second(address string) {
	loaded := x.g.chance(2)
	switch {
	case x.ossa && !loaded:
		x.op("%%object = copy_value %%first : $OBJECT")
	case !x.ossa && !loaded:
		x.op("strong_retain %%first : $OBJECT")
		x.op("%%object = unchecked_ref_cast %%first : $OBJECT to $OBJECT")
	}
	x.op("store %%first to %s%s : $*OBJECT", x.mark("[init]"), address)
	switch {
	case x.ossa && loaded:
		x.op("%%object = load [copy] %s : $*OBJECT", address)
	case loaded:
		x.op("%%object = load %s : $*OBJECT", address)
		x.op("strong_retain %%object : $OBJECT")
	}
}

// inSlot has the object in a variable that is lent to the callee, which replaces it. It returns how the callee gets the variable, and the end of it.
func (x *interior) inSlot() (conv, end string) {
	x.first()
	x.op("%%holder = alloc_stack $OBJECT")
	x.second("%holder")
	return "@inout OBJECT", "destroy_addr %holder : $*OBJECT\n  dealloc_stack %holder : $*OBJECT"
}

// inBox has it in a box.
func (x *interior) inBox() (conv, end string) {
	x.first()
	x.op("%%holder = alloc_box ${ var OBJECT }")
	at := "%holder"
	if x.ossa {
		x.op("%%lent = begin_borrow %%holder : ${ var OBJECT }")
		at = "%lent"
		end = "end_borrow %lent : ${ var OBJECT }\n  destroy_value %holder : ${ var OBJECT }"
	} else {
		end = "strong_release %holder : ${ var OBJECT }"
	}
	x.op("%%variable = project_box %s : ${ var OBJECT }, 0", at)
	x.second("%variable")
	return "@guaranteed { var OBJECT }", end
}

// inGlobal has it in a global variable.
func (x *interior) inGlobal() (conv, end string) {
	fmt.Fprintf(&x.g.decls, "sil_global private @lent%d : $%s\n\n", x.g.shapes, strings.ReplaceAll(x.object, "C", x.g.classes[0].name))
	x.first()
	x.op("%%holder = global_addr GLOBAL : $*OBJECT")
	x.second("%holder")
	return "", "destroy_addr %holder : $*OBJECT"
}

// change is code that lets the holder go of the object and gives it another one.
func (x *interior) change(conv string) string {
	at, find := "%1", ""
	switch {
	case conv == "":
		at, find = "%variable", fmt.Sprintf("%%variable = global_addr @lent%d : $*OBJECT\n  ", x.g.shapes)
	case conv != "@inout OBJECT":
		at, find = "%variable", "%variable = project_box %1 : ${ var OBJECT }, 0\n  "
	}
	take := find + "%old = load " + at + " : $*OBJECT\n  "
	put := "store %new to " + at + " : $*OBJECT"
	if x.g.chance(2) {
		return take + "strong_release %old : $OBJECT\n  FRESH\n  " + put
	}
	return take + "FRESH\n  " + put + "\n  strong_release %old : $OBJECT"
}

// look is code that shows what a place has.
func (x *interior) look(place string) string {
	if x.elem == "C" {
		return "%element = load " + place + " : $*C\n  %show = function_ref @show_C : $@convention(thin) (@guaranteed C) -> ()\n  %shown = apply %show(%element) : $@convention(thin) (@guaranteed C) -> ()"
	}
	return "%element = load " + place + " : $*Int\n  %show = function_ref @line : $@convention(thin) (Int) -> ()\n  %shown = apply %show(%element) : $@convention(thin) (Int) -> ()"
}

const unsafeElem = "UnsafeMutablePointer<ELEM>"

// lend calls the function that changes the holder and then looks through the pointer, which it gets in one of many ways.
func (x *interior) lend(conv, p string) {
	arg, holder, kind := "%2", "", ""
	if conv != "" {
		holder, kind = "%holder, ", conv+", "
		if strings.HasPrefix(conv, "@guaranteed") && x.ossa {
			holder = "%lent, "
		}
	} else {
		arg = "%1"
	}
	type way struct{ give, param, typ, find string }
	w := way{p, "POINTER", "POINTER", "%place = pointer_to_address " + arg + " : $POINTER to [strict] $*ELEM"}
	call := ""
	switch x.g.n(9) {
	case 0:
	case 1, 2: // the address
		w = way{x.line("pointer_to_address %s : $POINTER to [strict] $*ELEM", p), pick(x.g, []string{"@inout ELEM", "@in_guaranteed ELEM", "@inout_aliasable ELEM"}), "*ELEM", "%place = struct_element_addr"}
		w.find = ""
	case 3: // a pointer of Swift
		w = way{x.line("struct $"+unsafeElem+" (%s : $POINTER)", p), unsafeElem, unsafeElem, "%raw = struct_extract " + arg + " : $" + unsafeElem + ", #UnsafeMutablePointer._rawValue\n  %place = pointer_to_address %raw : $POINTER to [strict] $*ELEM"}
	case 4: // in a slot
		s := x.line("alloc_stack $POINTER")
		x.op("store %s to %s%s : $*POINTER", p, x.mark("[trivial]"), s)
		w = way{s, "@in_guaranteed POINTER", "*POINTER", "%raw = load " + arg + " : $*POINTER\n  %place = pointer_to_address %raw : $POINTER to [strict] $*ELEM"}
		x.end += "\n  dealloc_stack " + s + " : $*POINTER"
	case 5: // a number
		w = way{x.line(`builtin "ptrtoint_Word"(%s : $POINTER) : $Builtin.Word`, p), "Builtin.Word", "Builtin.Word", `%raw = builtin "inttoptr_Word"(` + arg + " : $Builtin.Word) : $POINTER\n  %place = pointer_to_address %raw : $POINTER to [strict] $*ELEM"}
	default: // a closure over the pointer, or over the address
		captured, t := p, "POINTER"
		find := "%place = pointer_to_address %0 : $POINTER to [strict] $*ELEM\n  "
		look := x.look("%place")
		onStack := x.g.chance(2)
		if onStack && x.g.chance(2) {
			captured, t, find, look = x.line("pointer_to_address %s : $POINTER to [strict] $*ELEM", p), "@inout_aliasable ELEM", "", x.look("%0")
		}
		x.function("sil NOINLINE@SHAPE_body : $@convention(thin) (" + t + ") -> () {\nbb0(%0 : $" + strings.Replace(t, "@inout_aliasable ", "*", 1) + "):\n  " + find + look + "\n  %end = tuple ()\n  return %end : $()\n}")
		x.op("%%body = function_ref @SHAPE_body : $@convention(thin) (%s) -> ()", t)
		if onStack {
			w.typ = "@noescape @callee_guaranteed () -> ()"
			w.give = x.line("partial_apply [callee_guaranteed] [on_stack] %%body(%s) : $@convention(thin) (%s) -> ()", captured, t)
			if x.ossa {
				x.end += "\n  destroy_value " + w.give + " : $" + w.typ
			} else {
				x.end += "\n  dealloc_stack " + w.give + " : $" + w.typ
			}
		} else {
			w.typ = "@callee_guaranteed () -> ()"
			w.give = x.line("partial_apply [callee_guaranteed] %%body(%s) : $@convention(thin) (%s) -> ()", captured, t)
			if x.ossa {
				x.end += "\n  destroy_value " + w.give + " : $" + w.typ
			} else {
				x.end += "\n  strong_release " + w.give + " : $" + w.typ
			}
		}
		w.param, call = "@guaranteed "+w.typ, "%call = apply "+arg+"() : $"+w.typ
	}
	if call == "" {
		at := "%place"
		if w.find == "" {
			at = arg
		} else {
			w.find += "\n  "
		}
		call = w.find + x.look(at)
	}
	args := "%0 : $Int"
	if conv != "" {
		args += ", %1 : $" + strings.NewReplacer("@inout ", "*", "@guaranteed ", "").Replace(conv)
	}
	x.function("sil [noinline] @SHAPE_change : $@convention(thin) (Int, " + kind + w.param + ") -> () {\nbb0(" + args + ", " + arg + " : $" + w.typ + "):\n  " + x.change(conv) + "\n  " + call + "\n  %end = tuple ()\n  return %end : $()\n}")
	x.op("%%change = function_ref @SHAPE_change : $@convention(thin) (Int, %s%s) -> ()", kind, w.param)
	x.op("%%changed = apply %%change(%%0, %s%s) : $@convention(thin) (Int, %s%s) -> ()", holder, w.give, kind, w.param)
}

// interiorWays are ways of a pointer that end with the same pointer.
var interiorWays = []func(x *interior, p string) string{
	func(x *interior, p string) string { // an argument of a block
		q, n := x.value(), x.last
		x.op("br way%d(%s : $POINTER)\n\nway%d(%s : $POINTER):", n, p, n, q)
		return q
	},
	func(x *interior, p string) string { // one of two
		q, n := x.value(), x.last
		x.op("%%n%d = struct_extract %%0 : $Int, #Int._value\n  %%z%d = integer_literal $Builtin.Int64, 0", n, n)
		x.op(`%%c%d = builtin "cmp_slt_Int64"(%%n%d : $Builtin.Int64, %%z%d : $Builtin.Int64) : $Builtin.Int1`, n, n, n)
		x.op("cond_br %%c%d, less%d, more%d\n\nless%d:", n, n, n, n)
		x.op("%%w%d = integer_literal $Builtin.Word, 0\n  %%i%d = index_raw_pointer %s : $POINTER, %%w%d : $Builtin.Word\n  br way%d(%%i%d : $POINTER)\n\nmore%d:", n, n, p, n, n, n, n)
		x.op("br way%d(%s : $POINTER)\n\nway%d(%s : $POINTER):", n, p, n, q)
		return q
	},
	func(x *interior, p string) string { // memory
		s := x.line("alloc_stack $POINTER")
		x.op("store %s to %s%s : $*POINTER", p, x.mark("[trivial]"), s)
		q := x.line("load %s%s : $*POINTER", x.mark("[trivial]"), s)
		x.op("dealloc_stack %s : $*POINTER", s)
		return q
	},
	func(x *interior, p string) string { // the result of a call
		n := x.last
		x.function(fmt.Sprintf("sil NOINLINE@SHAPE_same%d : $@convention(thin) (POINTER) -> POINTER {\nbb0(%%0 : $POINTER):\n  return %%0 : $POINTER\n}", n))
		x.op("%%f%d = function_ref @SHAPE_same%d : $@convention(thin) (POINTER) -> POINTER", n, n)
		return x.line("apply %%f%d(%s) : $@convention(thin) (POINTER) -> POINTER", n, p)
	},
	func(x *interior, p string) string { // what a call writes
		n := x.last
		x.function(fmt.Sprintf("sil NOINLINE@SHAPE_out%d : $@convention(thin) (POINTER) -> @out POINTER {\nbb0(%%0 : $*POINTER, %%1 : $POINTER):\n  store %%1 to %%0 : $*POINTER\n  %%3 = tuple ()\n  return %%3 : $()\n}", n))
		x.op("%%f%d = function_ref @SHAPE_out%d : $@convention(thin) (POINTER) -> @out POINTER", n, n)
		s := x.line("alloc_stack $POINTER")
		x.line("apply %%f%d(%s, %s) : $@convention(thin) (POINTER) -> @out POINTER", n, s, p)
		q := x.line("load %s%s : $*POINTER", x.mark("[trivial]"), s)
		x.op("dealloc_stack %s : $*POINTER", s)
		return q
	},
	func(x *interior, p string) string { // a number
		n := x.line(`builtin "ptrtoint_Word"(%s : $POINTER) : $Builtin.Word`, p)
		return x.line(`builtin "inttoptr_Word"(%s : $Builtin.Word) : $POINTER`, n)
	},
	func(x *interior, p string) string { // another address
		a := x.line("pointer_to_address %s : $POINTER to [strict] $*ELEM", p)
		return x.line("address_to_pointer %s : $*ELEM to $POINTER", a)
	},
	func(x *interior, p string) string { // an optional
		s := x.line("struct $"+unsafeElem+" (%s : $POINTER)", p)
		e := x.line("enum $Optional<"+unsafeElem+">, #Optional.some!enumelt, %s : $"+unsafeElem, s)
		d := x.line("unchecked_enum_data %s : $Optional<"+unsafeElem+">, #Optional.some!enumelt", e)
		return x.line("struct_extract %s : $"+unsafeElem+", #UnsafeMutablePointer._rawValue", d)
	},
	func(x *interior, p string) string { // a closure that returns it
		n := x.last
		x.function(fmt.Sprintf("sil NOINLINE@SHAPE_give%d : $@convention(thin) (POINTER) -> POINTER {\nbb0(%%0 : $POINTER):\n  return %%0 : $POINTER\n}", n))
		x.op("%%f%d = function_ref @SHAPE_give%d : $@convention(thin) (POINTER) -> POINTER", n, n)
		c := x.line("partial_apply [callee_guaranteed] %%f%d(%s) : $@convention(thin) (POINTER) -> POINTER", n, p)
		q := x.line("apply %s() : $@callee_guaranteed () -> POINTER", c)
		if x.ossa {
			x.op("destroy_value %s : $@callee_guaranteed () -> POINTER", c)
		} else {
			x.op("strong_release %s : $@callee_guaranteed () -> POINTER", c)
		}
		return q
	},
	func(x *interior, p string) string { // a coroutine that yields it
		n := x.last
		x.function(fmt.Sprintf("sil NOINLINE@SHAPE_coroutine%d : $@yield_once @convention(thin) (POINTER) -> @yields POINTER {\nbb0(%%0 : $POINTER):\n  yield %%0 : $POINTER, resume bb1, unwind bb2\n\nbb1:\n  %%2 = tuple ()\n  return %%2 : $()\n\nbb2:\n  unwind\n}", n))
		x.op("%%f%d = function_ref @SHAPE_coroutine%d : $@yield_once @convention(thin) (POINTER) -> @yields POINTER", n, n)
		q := x.value()
		x.op("(%s, %%t%d) = begin_apply %%f%d(%s) : $@yield_once @convention(thin) (POINTER) -> @yields POINTER\n  end_apply %%t%d", q, n, n, p, n)
		return q
	},
}
