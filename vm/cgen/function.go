package cgen

import (
	"encoding/binary"
	"fmt"
	"math"
	"sort"
	"strings"
)

// funcC writes a function: its stack is known at each place, so each entry of it is a variable, by depth and type.
type funcC struct {
	*toC
	r      reader
	code   strings.Builder
	stack  []byte // types
	vars   map[string]byte
	blocks []blockC
	dead   bool // nothing comes here
	result []byte
}

// blockC is an open block.
type blockC struct {
	op      byte // as in the code
	label   int
	used    bool // somebody goes there
	height  int
	result  byte // 0x40 for none
	live    bool // its begin is reached
	reached bool // of an if: the end of what comes before the else is
}

func (f *funcC) line(format string, args ...any) {
	f.code.WriteString("\t")
	fmt.Fprintf(&f.code, format, args...)
	f.code.WriteString("\n")
}

func (f *funcC) name(depth int, t byte) string {
	n := fmt.Sprintf("%c%d", map[byte]byte{valI32: 'i', valI64: 'j', valF32: 'e', valF64: 'd'}[t], depth)
	f.vars[n] = t
	return n
}

// push adds an entry to the stack and returns its variable.
func (f *funcC) push(t byte) string {
	f.stack = append(f.stack, t)
	return f.name(len(f.stack)-1, t)
}

func (f *funcC) pop() string {
	n := len(f.stack) - 1
	t := f.stack[n]
	f.stack = f.stack[:n]
	return f.name(n, t)
}

// popN pops n entries and returns their variables in the order in which they were pushed.
func (f *funcC) popN(n int) []string {
	names := make([]string, n)
	for k := n - 1; k >= 0; k-- {
		names[k] = f.pop()
	}
	return names
}

// function writes a function.
func (t *toC) function(name string, typ funcType, body []byte) error {
	f := &funcC{toC: t, r: reader{b: body}, vars: map[string]byte{}, result: typ.results}
	var locals strings.Builder
	types := append([]byte(nil), typ.params...)
	for n := f.r.n(); n > 0; n-- {
		count, ty := f.r.n(), f.r.byte()
		for ; count > 0; count-- {
			fmt.Fprintf(&locals, "\t%s l%d = 0;\n", typeNames[ty], len(types))
			types = append(types, ty)
		}
	}
	f.blocks = []blockC{{op: opBlockC, label: t.label(), result: 0x40, live: true}}
	for len(f.r.b) > 0 && len(f.blocks) > 0 {
		if err := f.inst(types); err != nil {
			return err
		}
	}
	if f.r.short {
		return fmt.Errorf("the code is cut off")
	}
	t.printf("%s {\n%s", t.prototype(name, typ), locals.String())
	names := make([]string, 0, len(f.vars))
	for n := range f.vars {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		t.printf("\t%s %s;\n", typeNames[f.vars[n]], n)
	}
	t.b.WriteString(f.code.String())
	t.b.WriteString("}\n\n")
	return nil
}

func (t *toC) label() int {
	t.labels++
	return t.labels
}

// leave writes a return of what is on top of the stack.
func (f *funcC) leave() {
	names := f.popN(len(f.result))
	switch len(names) {
	case 0:
		f.line("return;")
	case 1:
		f.line("return %s;", names[0])
	default:
		f.line("return (struct r%d){%s};", len(names), strings.Join(names, ", "))
	}
}

// branch is what goes to the block at a depth, as a statement.
func (f *funcC) branch(depth int) string {
	b := &f.blocks[len(f.blocks)-1-depth]
	if len(f.blocks)-1 == depth && b.op != opLoopC { // out of the function
		save := append([]byte(nil), f.stack...)
		names := f.popN(len(f.result))
		f.stack = save
		switch len(names) {
		case 0:
			return "return;"
		case 1:
			return "return " + names[0] + ";"
		}
		return fmt.Sprintf("return (struct r%d){%s};", len(names), strings.Join(names, ", "))
	}
	b.used = true
	if b.result != 0x40 && b.op != opLoopC {
		top := f.name(len(f.stack)-1, b.result)
		if to := f.name(b.height, b.result); to != top {
			return fmt.Sprintf("{ %s = %s; goto L%d; }", to, top, b.label)
		}
	}
	return fmt.Sprintf("goto L%d;", b.label)
}

// settle puts the result of the innermost block where those that come after it look for it.
func (f *funcC) settle(b *blockC) {
	if b.result == 0x40 || f.dead {
		return
	}
	top := f.pop()
	f.stack = f.stack[:b.height]
	if to := f.push(b.result); to != top {
		f.line("%s = %s;", to, top)
	}
}

// begin opens a block.
func (f *funcC) begin(op byte) {
	b := blockC{op: op, label: f.label(), result: f.r.byte(), live: !f.dead}
	if op == opIfC && !f.dead {
		f.line("if (%s) {", f.pop())
	} else if op == opLoopC && !f.dead {
		f.line("L%d:;", b.label)
	}
	b.height = len(f.stack)
	f.blocks = append(f.blocks, b)
}

// orElse begins the else of an if.
func (f *funcC) orElse() {
	b := &f.blocks[len(f.blocks)-1]
	f.settle(b)
	b.reached = !f.dead
	b.op = opElseC
	if b.live {
		f.line("} else {")
	}
	f.stack = f.stack[:b.height]
	f.dead = !b.live
}

// end closes the innermost block.
func (f *funcC) end() {
	b := f.blocks[len(f.blocks)-1]
	if len(f.blocks) == 1 {
		if !f.dead {
			f.leave()
		}
		f.blocks = nil
		return
	}
	f.settle(&b)
	f.blocks = f.blocks[:len(f.blocks)-1]
	reached := !f.dead
	if b.live && (b.op == opIfC || b.op == opElseC) {
		f.line("}")
		reached = reached || b.reached || b.op == opIfC
	}
	if b.used && b.op != opLoopC {
		f.line("L%d:;", b.label)
		reached = true
	}
	f.dead = !reached
	f.stack = f.stack[:b.height]
	if b.result != 0x40 {
		f.push(b.result)
	}
}

// The instructions that open and part blocks.
const (
	opBlockC = 0x02
	opLoopC  = 0x03
	opIfC    = 0x04
	opElseC  = 0x05
)

// operator is an instruction that computes: the types that it takes, the type that it gives, and its expression.
type operator struct {
	takes string
	gives byte
	text  string
}

var operators = map[byte]operator{
	0x45: {"i", 'i', "!%s"}, 0x46: {"ii", 'i', "%s == %s"}, 0x47: {"ii", 'i', "%s != %s"}, 0x48: {"ii", 'i', "(s32)%s < (s32)%s"},
	0x49: {"ii", 'i', "%s < %s"}, 0x4a: {"ii", 'i', "(s32)%s > (s32)%s"}, 0x4b: {"ii", 'i', "%s > %s"}, 0x4f: {"ii", 'i', "%s >= %s"},
	0x50: {"j", 'i', "!%s"}, 0x51: {"jj", 'i', "%s == %s"}, 0x52: {"jj", 'i', "%s != %s"}, 0x53: {"jj", 'i', "(s64)%s < (s64)%s"},
	0x54: {"jj", 'i', "%s < %s"}, 0x55: {"jj", 'i', "(s64)%s > (s64)%s"}, 0x56: {"jj", 'i', "%s > %s"},
	0x57: {"jj", 'i', "(s64)%s <= (s64)%s"}, 0x58: {"jj", 'i', "%s <= %s"}, 0x59: {"jj", 'i', "(s64)%s >= (s64)%s"}, 0x5a: {"jj", 'i', "%s >= %s"},
	0x5b: {"ee", 'i', "%s == %s"}, 0x5c: {"ee", 'i', "%s != %s"}, 0x5d: {"ee", 'i', "%s < %s"}, 0x5e: {"ee", 'i', "%s > %s"},
	0x5f: {"ee", 'i', "%s <= %s"}, 0x60: {"ee", 'i', "%s >= %s"},
	0x61: {"dd", 'i', "%s == %s"}, 0x62: {"dd", 'i', "%s != %s"}, 0x63: {"dd", 'i', "%s < %s"}, 0x64: {"dd", 'i', "%s > %s"},
	0x65: {"dd", 'i', "%s <= %s"}, 0x66: {"dd", 'i', "%s >= %s"},

	0x6a: {"ii", 'i', "%s + %s"}, 0x6b: {"ii", 'i', "%s - %s"}, 0x6c: {"ii", 'i', "%s * %s"}, 0x71: {"ii", 'i', "%s & %s"},
	0x72: {"ii", 'i', "%s | %s"}, 0x73: {"ii", 'i', "%s ^ %s"}, 0x74: {"ii", 'i', "%s << (%s & 31)"}, 0x76: {"ii", 'i', "%s >> (%s & 31)"},

	0x79: {"j", 'j', "clz64(%s)"}, 0x7a: {"j", 'j', "ctz64(%s)"}, 0x7b: {"j", 'j', "(u64)__builtin_popcountll(%s)"},
	0x7c: {"jj", 'j', "%s + %s"}, 0x7d: {"jj", 'j', "%s - %s"}, 0x7e: {"jj", 'j', "%s * %s"}, 0x7f: {"jj", 'j', "divs(%s, %s)"},
	0x80: {"jj", 'j', "divu(%s, %s)"}, 0x81: {"jj", 'j', "rems(%s, %s)"}, 0x82: {"jj", 'j', "remu(%s, %s)"}, 0x83: {"jj", 'j', "%s & %s"},
	0x84: {"jj", 'j', "%s | %s"}, 0x85: {"jj", 'j', "%s ^ %s"}, 0x86: {"jj", 'j', "%s << (%s & 63)"}, 0x87: {"jj", 'j', "shr64(%s, %s)"},
	0x88: {"jj", 'j', "%s >> (%s & 63)"}, 0x8a: {"jj", 'j', "rotr64(%s, %s)"},

	0x8d: {"e", 'e', "ceilf(%s)"}, 0x8e: {"e", 'e', "floorf(%s)"}, 0x8f: {"e", 'e', "truncf(%s)"}, 0x90: {"e", 'e', "rintf(%s)"},
	0x91: {"e", 'e', "sqrtf(%s)"}, 0x92: {"ee", 'e', "%s + %s"}, 0x93: {"ee", 'e', "%s - %s"}, 0x94: {"ee", 'e', "%s * %s"}, 0x95: {"ee", 'e', "%s / %s"},
	0x99: {"d", 'd', "fabs(%s)"}, 0x9a: {"d", 'd', "-%s"}, 0x9b: {"d", 'd', "ceil(%s)"}, 0x9c: {"d", 'd', "floor(%s)"},
	0x9d: {"d", 'd', "trunc(%s)"}, 0x9e: {"d", 'd', "rint(%s)"}, 0x9f: {"d", 'd', "sqrt(%s)"},
	0xa0: {"dd", 'd', "%s + %s"}, 0xa1: {"dd", 'd', "%s - %s"}, 0xa2: {"dd", 'd', "%s * %s"}, 0xa3: {"dd", 'd', "%s / %s"},

	0xa7: {"j", 'i', "(u32)%s"}, 0xad: {"i", 'j', "(u64)%s"}, 0xb0: {"d", 'j', "trunc64(%s)"}, 0xb4: {"j", 'e', "(float)(s64)%s"},
	0xb5: {"j", 'e', "(float)%s"}, 0xb6: {"d", 'e', "(float)%s"}, 0xb9: {"j", 'd', "(double)(s64)%s"}, 0xba: {"j", 'd', "(double)%s"},
	0xbb: {"e", 'd', "(double)%s"}, 0xbc: {"e", 'i', "bits32(%s)"}, 0xbd: {"d", 'j', "bits64(%s)"}, 0xbe: {"i", 'e', "float32(%s)"}, 0xbf: {"j", 'd', "double64(%s)"},
}

var letters = map[byte]byte{'i': valI32, 'j': valI64, 'e': valF32, 'd': valF64}

// accesses to memory: what they give or take, and the function.
var loads = map[byte]operator{
	0x28: {"", 'i', "ld32"}, 0x29: {"", 'j', "ld64"}, 0x2b: {"", 'd', "ldd"}, 0x2d: {"", 'i', "ld8"}, 0x31: {"", 'j', "ld8"}, 0x33: {"", 'j', "ld16"}, 0x35: {"", 'j', "ld32"},
}

var stores = map[byte]string{
	0x36: "st32(%s, %du, %s);", 0x37: "st64(%s, %du, %s);", 0x39: "std(%s, %du, %s);", 0x3a: "st8(%s, %du, (u8)%s);",
	0x3c: "st8(%s, %du, (u8)%s);", 0x3d: "st16(%s, %du, (u16)%s);", 0x3e: "st32(%s, %du, (u32)%s);",
}

// skip passes over an instruction that nothing comes to.
func (f *funcC) skip(op byte) error {
	r := &f.r
	switch {
	case op == 0x0c || op == 0x0d || op == 0x10 || op >= 0x20 && op <= 0x24:
		r.u()
	case op == 0x0e:
		r.list(func() { r.u() })
		r.u()
	case op == 0x11 || op >= 0x28 && op <= 0x3e:
		r.u()
		r.u()
	case op == 0x41 || op == 0x42:
		r.s()
	case op == 0x44:
		r.take(8)
	case op == 0xfc:
		if r.u() == 10 {
			r.byte()
		}
		r.byte()
	default:
		if _, ok := operators[op]; !ok && op != 0x00 && op != 0x0f && op != 0x1a && op != 0x1b {
			return fmt.Errorf("instruction %#x", op)
		}
	}
	return nil
}

// inst writes the next instruction.
func (f *funcC) inst(locals []byte) error {
	r := &f.r
	op := r.byte()
	switch op {
	case opBlockC, opLoopC, opIfC:
		f.begin(op)
		return nil
	case opElseC:
		f.orElse()
		return nil
	case 0x0b:
		f.end()
		return nil
	}
	if f.dead {
		return f.skip(op)
	}
	if o, ok := operators[op]; ok {
		args := make([]any, len(o.takes))
		for k, n := range f.popN(len(o.takes)) {
			args[k] = n
		}
		text := fmt.Sprintf(o.text, args...)
		f.line("%s = %s;", f.push(letters[o.gives]), text)
		return nil
	}
	if o, ok := loads[op]; ok {
		r.u()
		at := f.pop()
		f.line("%s = %s(%s, %du);", f.push(letters[o.gives]), o.text, at, r.u())
		return nil
	}
	if text, ok := stores[op]; ok {
		r.u()
		v := f.pop()
		f.line(text, f.pop(), r.u(), v)
		return nil
	}
	return f.control(op, locals)
}

// control writes the instructions that are no operators.
func (f *funcC) control(op byte, locals []byte) error {
	r := &f.r
	switch op {
	case 0x00:
		f.line("broken();")
		f.dead = true
	case 0x0c:
		f.line("%s", f.branch(r.n()))
		f.dead = true
	case 0x0d:
		cond := f.pop()
		f.line("if (%s) %s", cond, f.branch(r.n()))
	case 0x0e:
		f.line("switch (%s) {", f.pop())
		k := 0
		r.list(func() {
			f.line("case %d: %s", k, f.branch(r.n()))
			k++
		})
		f.line("default: %s", f.branch(r.n()))
		f.line("}")
		f.dead = true
	case 0x0f:
		f.leave()
		f.dead = true
	case 0x10:
		n := r.n()
		f.call(f.nameOf(n), f.module.typeOf(n))
	case 0x11:
		n := r.n()
		r.byte()
		typ := f.module.types[n]
		head := strings.TrimPrefix(f.prototype("(*)", typ), "static ")
		f.call(fmt.Sprintf("((%s)target(%s, %d))", head, f.pop(), n), typ)
	case 0x1a:
		f.pop()
	case 0x1b:
		cond, y := f.pop(), f.pop()
		x := f.pop()
		t := f.vars[x]
		f.line("%s = %s ? %s : %s;", f.push(t), cond, x, y)
	case 0x20:
		n := r.n()
		f.line("%s = l%d;", f.push(locals[n]), n)
	case 0x21:
		f.line("l%d = %s;", r.n(), f.pop())
	case 0x22:
		f.line("l%d = %s;", r.n(), f.name(len(f.stack)-1, f.stack[len(f.stack)-1]))
	case 0x23:
		f.line("%s = g%d;", f.push(valI64), r.n())
	case 0x24:
		f.line("g%d = %s;", r.n(), f.pop())
	case 0x41:
		f.line("%s = %du;", f.push(valI32), uint32(r.s()))
	case 0x42:
		f.line("%s = %#xull;", f.push(valI64), uint64(r.s()))
	case 0x44:
		text := r.take(8)
		if r.short {
			return nil
		}
		bits := binary.LittleEndian.Uint64(text)
		if v := math.Float64frombits(bits); math.IsNaN(v) || math.IsInf(v, 0) {
			f.line("%s = double64(%#xull);", f.push(valF64), bits)
		} else {
			f.line("%s = %x;", f.push(valF64), v)
		}
	case 0xfc:
		return f.memory(r.n())
	default:
		return fmt.Errorf("instruction %#x", op)
	}
	return nil
}

// memory writes a copy or a fill.
func (f *funcC) memory(which int) error {
	names := f.popN(3)
	f.r.byte()
	switch which {
	case 10:
		f.r.byte()
		f.line("memmove(M + %s, M + %s, %s);", names[0], names[1], names[2])
	case 11:
		f.line("memset(M + %s, (int)(u8)%s, %s);", names[0], names[1], names[2])
	default:
		return fmt.Errorf("instruction 0xfc %d", which)
	}
	return nil
}

// call writes a call.
func (f *funcC) call(name string, typ funcType) {
	text := name + "(" + strings.Join(f.popN(len(typ.params)), ", ") + ")"
	switch len(typ.results) {
	case 0:
		f.line("%s;", text)
	case 1:
		f.line("%s = %s;", f.push(typ.results[0]), text)
	default:
		f.line("{ struct r%d r = %s;", len(typ.results), text)
		for k, t := range typ.results {
			f.line("%s = r.v%d;", f.push(t), k)
		}
		f.line("}")
	}
}
