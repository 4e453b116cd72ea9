package cgen

import (
	_ "embed" // of the text of what programs need beside their code
	"fmt"
	"io"
	"slices"
	"strings"

	"silvm/heap"
	"silvm/vm/code"
	"silvm/vm/wasm"
)

//go:embed runtime/silvm.c
var runtimeC string

// CompilerFlags are what a compiler of C has to be told: the program counts on words that wrap, and on memory that has any type.
func CompilerFlags() []string {
	return []string{"-std=gnu11", "-O2", "-fno-strict-aliasing", "-fwrapv", "-ffp-contract=off", "-pthread", "-w"}
}

// C writes the program as one file of C for POSIX systems, which brings along what the module asks of its host. What that has not is
// refused by RefusedInC.
func (p *Program) C(w io.Writer) error {
	m, err := readModule(p.Module.Bytes)
	if err != nil {
		return err
	}
	t := &toC{p: p, module: m}
	t.head()
	t.classes()
	t.b.WriteString(runtimeC)
	t.casts()
	if err := t.program(); err != nil {
		return err
	}
	_, err = io.WriteString(w, t.b.String())
	return err
}

// RefusedInC returns the first thing that the program asks for and that programs in C have not, nil for none.
func (p *Program) RefusedInC() *Refusal {
	if r := p.Refused(); r != nil {
		return r
	}
	for _, i := range p.Whole.Imports {
		if _, cast := p.classCast(i); len(i.Sites) > 0 && !cast && !hasC(i) {
			what := "the operation " + i.Name
			if i.Native != nil {
				what = "the library function " + i.Name
			}
			e := p.Bridge.Ending(i.Sites[0].PC)
			return &Refusal{What: what, In: e.In, At: placeText(p.Bridge.Program().Module.Files, e.Pos)}
		}
	}
	return nil
}

// hasC reports whether the runtime has what a module imports, with these arguments and results: operations have their constant and their place
// besides.
func hasC(i *wasm.Import) bool {
	before, after, ok := strings.Cut(runtimeC, " "+nameInC(i)+"(")
	params, _, _ := strings.Cut(after, ")")
	if !ok {
		return false
	}
	if i.Op == code.FmathUnary64 && i.Native == nil {
		for _, s := range i.Sites {
			if code.MathFunc(s.Inst.Imm) > code.MathRoundEven { // whose last bits depend on the library of C
				return false
			}
		}
	}
	result := before[strings.LastIndexByte(before, '\n')+1:]
	want := "static u64"
	switch n := i.Results(); {
	case n == 0:
		want = "static void"
	case n > 1:
		want = fmt.Sprintf("static struct r%d", n)
	}
	return result == want && strings.Count(params, ",") == i.Params+1
}

// unmakes writes what destroys the stored properties of an object whose initializer failed, by its class.
func (t *toC) unmakes() {
	bases, _ := t.p.Bridge.Records()
	prog := t.p.Bridge.Program()
	t.b.WriteString("static void unmake(u64 meta, u64 ref) {\n\tswitch ((meta - TYPES) >> TYPE_SHIFT) {\n")
	for _, c := range prog.Classes {
		if c.IVars < 0 || c.Type.Addr == 0 {
			continue
		}
		t.printf("\tcase %d:\n", (c.Type.Addr-bases[0])>>code.TypeShift)
		if n, ok := t.p.Module.Numbers[prog.Funcs[c.IVars]]; ok && len(t.module.typeOf(n).params) == 1 {
			t.printf("\t\t%s(ref);\n\t\treturn;\n", t.nameOf(n))
		} else {
			t.b.WriteString("\t\tbroken();\n")
		}
	}
	t.b.WriteString("\t}\n}\n\n")
}

// classCast returns the metadata of the class that an import casts instances of another class to.
func (p *Program) classCast(i *wasm.Import) (meta uint64, ok bool) {
	if i.Op != code.CastDyn || i.Native != nil || len(i.Sites) == 0 || i.Params != 2 {
		return 0, false
	}
	prog := p.Bridge.Program()
	c := prog.Casts[i.Sites[0].Inst.Imm]
	from := false
	for _, ti := range prog.Types {
		if ti.Class == nil || ti.Addr == 0 {
			continue
		}
		from = from || ti.Type == c.From.Type
		if ti.Type == c.To.Type {
			meta = ti.Addr
		}
	}
	return meta, from && meta != 0
}

// casts writes the casts between classes.
func (t *toC) casts() {
	prog := t.p.Bridge.Program()
	for k, i := range t.p.Whole.Imports {
		if meta, ok := t.p.classCast(i); ok {
			c := prog.Casts[i.Sites[0].Inst.Imm]
			t.printf("static u64 cast%d(u64 from, u64 to, u64 imm, u32 pc) { return cast_class(from, to, %#x, %t, %t); }\n", k, meta, c.Indirect, c.Unconditional)
		}
	}
}

// swiftInC names the functions of Swift's library that the runtime has.
var swiftInC = map[string]string{
	"$ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_A2HSus6UInt32VtF":  "c_failure",
	"$ss18_fatalErrorMessage__4file4line5flagss5NeverOs12StaticStringV_A2HSus6UInt32VtF": "c_failure",
}

// nameInC is what a function that a module imports is called in the runtime.
func nameInC(i *wasm.Import) string {
	switch {
	case i.Native == nil:
		return "op_" + i.Op.String()
	case strings.HasSuffix(i.Name, "'"):
		return "c_" + i.Native.Symbol + " of another type"
	}
	if name, ok := swiftInC[i.Native.Symbol]; ok {
		return name
	}
	return "c_" + i.Native.Symbol
}

// toC writes C.
type toC struct {
	p      *Program
	module *moduleText
	b      strings.Builder
	labels int
}

func (t *toC) printf(format string, args ...any) { fmt.Fprintf(&t.b, format, args...) }

// head writes what the runtime is told of the layout.
func (t *toC) head() {
	t.b.WriteString(`#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

struct ending { const char *code, *headline, *place, *in; int status; };
#define RESERVE (((u64)8 << 30) + (1 << 20))
#define STACK ((u64)4 << 30)
#define GUARD ((u64)1 << 20) // more than the frame of any function
static u8 *M, *stack;

`)
	arena := t.p.Arena
	queues := uint64(wasm.Control + heap.SharedMarks + heap.SharedReach>>heap.GranuleShift)
	for k := range uint64(64) {
		record := arena[wasm.Control+k<<heap.ClassShift:]
		if n := get32(record[heap.ClassSlots:]); n > 0 {
			queues = max(queues, uint64(get32(record[heap.ClassQueue:]))+4*uint64(n))
		}
	}
	bases, counts := t.p.Bridge.Records()
	for _, d := range []struct {
		name  string
		value uint64
	}{
		{"BASE", heap.Base}, {"LINEAR", wasm.Linear}, {"REACH", heap.SharedReach}, {"STATE", wasm.Control},
		{"MARKS", wasm.Control + heap.SharedMarks}, {"QUEUES", queues}, {"CLASS_SHIFT", heap.ClassShift}, {"CLASS_HEAD", heap.ClassHead},
		{"CLASS_TAIL", heap.ClassTail}, {"CLASS_KEEP", heap.ClassKeep}, {"CLASS_TOTAL", heap.ClassTotal}, {"CLASS_NEXT", heap.ClassNext},
		{"CLASS_END", heap.ClassEnd}, {"CLASS_SLOTS", heap.ClassSlots}, {"CLASS_QUEUE", heap.ClassQueue}, {"CLASS_ROUND", heap.ClassRound},
		{"CLASS_TABLE", wasm.ClassTable}, {"CLASS_BIG", uint64(heap.ClassBig)}, {"MAX_SMALL", heap.MaxSmall}, {"HEADER", heap.BlockHeader},
		{"MARK_LIVE", uint64(heap.MarkLive)}, {"MARK_OBJECT", uint64(heap.MarkObject)}, {"MARK_CLASS", uint64(heap.MarkClass)},
		{"COUNT_OBJECTS", heap.CountObjects}, {"COUNT_LIVE", heap.CountLive}, {"COUNT_BYTES", heap.CountBytes}, {"COUNT_PEAK", heap.CountPeak},
		{"KIND_OBJECT", uint64(heap.KindObject)}, {"KIND_STACK", uint64(heap.KindStack)}, {"KIND_RAW", uint64(heap.KindRaw)},
		{"FRESH", heap.FreshWord}, {"STACK_WORD", heap.FreshWord + 2}, {"TYPES", bases[0]}, {"TYPE_SHIFT", code.TypeShift}, {"NTYPES", counts[0]},
		{"DESTROYERS", wasm.Destroyers}, {"WORDS", wasm.Words}, {"WORD_STACK", wasm.WordStack}, {"WORD_STACK_END", wasm.WordStackEnd},
		{"WORD_ACCESSES", wasm.WordAccesses}, {"MAX_ACCESSES", code.MaxAccesses}, {"OPEN", wasm.Open},
		{"ACCESS_SIZE", code.AccessSize}, {"ACCESS_TOKEN", code.AccessToken}, {"CHUNK", 256 << 10}, {"SIZE", uint64(len(arena))},
		{"MATH_NEG", uint64(code.MathNeg)}, {"MATH_ABS", uint64(code.MathAbs)}, {"MATH_SQRT", uint64(code.MathSqrt)}, {"MATH_FLOOR", uint64(code.MathFloor)},
		{"MATH_CEIL", uint64(code.MathCeil)}, {"MATH_TRUNC", uint64(code.MathTrunc)}, {"MATH_ROUND", uint64(code.MathRound)},
	} {
		t.printf("#define %s ((u64)%#x)\n", d.name, d.value)
	}
	t.b.WriteString("\n")
	for _, n := range t.resultCounts() {
		t.printf("struct r%d { u64 %s; };\n", n, list(n, "v%d", ", "))
	}
}

// classes writes the tables of methods, of those that have handles, by the numbers of the metadata records.
func (t *toC) classes() {
	bases, counts := t.p.Bridge.Records()
	prog := t.p.Bridge.Program()
	var rows strings.Builder
	for _, ti := range prog.Types {
		n := (ti.Addr - bases[0]) >> code.TypeShift
		if ti.Class == nil || ti.Addr == 0 || n >= counts[0] {
			continue
		}
		t.printf("static const u64 slots%d[] = {", n)
		for _, fi := range ti.Class.VTable {
			handle := uint64(0)
			if fi >= 0 {
				handle = prog.Funcs[fi].Handle
			}
			t.printf("%#x, ", handle)
		}
		t.b.WriteString("0};\n")
		super := uint64(0)
		if c := ti.Class.Super; c != nil {
			super = c.Type.Addr
		}
		fmt.Fprintf(&rows, "\t[%d] = {slots%d, %d, %#x},\n", n, n, len(ti.Class.VTable), super)
	}
	t.printf("static const struct class { const u64 *slots; u64 n, super; } classes[] = {\n\t[0] = {0},\n%s};\n\n", rows.String())
}

// list joins n texts.
func list(n int, format, by string) string {
	parts := make([]string, n)
	for k := range parts {
		parts[k] = fmt.Sprintf(format, k)
	}
	return strings.Join(parts, by)
}

// resultCounts returns how many words functions give that give several.
func (t *toC) resultCounts() []int {
	counts := []int{2}
	for _, f := range t.module.types {
		if n := len(f.results); n > 1 && !slices.Contains(counts, n) {
			counts = append(counts, n)
		}
	}
	slices.Sort(counts)
	return counts
}

var typeNames = map[byte]string{valI32: "u32", valI64: "u64", valF32: "float", valF64: "double"}

// prototype writes the head of a function.
func (t *toC) prototype(name string, f funcType) string {
	result := "void"
	switch {
	case len(f.results) == 1:
		result = typeNames[f.results[0]]
	case len(f.results) > 1:
		result = fmt.Sprintf("struct r%d", len(f.results))
	}
	params := "void"
	if len(f.params) > 0 {
		parts := make([]string, len(f.params))
		for k, p := range f.params {
			parts[k] = fmt.Sprintf("%s l%d", typeNames[p], k)
		}
		params = strings.Join(parts, ", ")
	}
	return fmt.Sprintf("static %s %s(%s)", result, name, params)
}

// nameOf is what function n is called.
func (t *toC) nameOf(n int) string {
	if n >= len(t.module.imports) {
		return fmt.Sprintf("f%d", n)
	}
	name := t.module.imports[n].name
	if k := n - t.p.Whole.First(); k >= 0 && k < len(t.p.Whole.Imports) {
		if _, ok := t.p.classCast(t.p.Whole.Imports[k]); ok {
			return fmt.Sprintf("cast%d", k)
		}
		return nameInC(t.p.Whole.Imports[k])
	}
	return "host_" + name
}

// program writes all that is the program's own.
func (t *toC) program() error {
	m := t.module
	t.b.WriteString("\nstatic const struct ending endings[] = {\n")
	for _, e := range t.p.endings() {
		t.printf("\t{%s, %s, %s, %s, %d},\n", quote(e.Code), quote(e.Headline), quote(e.Place), quote(e.In), e.Status)
	}
	t.b.WriteString("\t{0, 0, 0, 0, 0}\n};\nstatic _Noreturn void host_trap(u32 n) { stop(&endings[n]); }\n\n")
	for k := range m.globals {
		t.printf("static u64 g%d;\n", k)
	}
	first := len(m.imports)
	for k, ty := range m.funcs {
		t.printf("%s;\n", t.prototype(t.nameOf(first+k), m.types[ty]))
	}
	t.unmakes()
	t.b.WriteString("\ntypedef void (*any)(void);\nstatic const struct { any f; u32 type; } T[] = {\n")
	for range first {
		t.b.WriteString("\t{0, ~0u},\n")
	}
	for k, ty := range m.funcs {
		t.printf("\t{(any)%s, %d},\n", t.nameOf(first+k), ty)
	}
	t.b.WriteString("};\nstatic inline any target(u32 n, u32 type) {\n\tif (n >= sizeof T / sizeof *T || T[n].type != type) broken();\n\treturn T[n].f;\n}\n\n")
	for k, ty := range m.funcs {
		if err := t.function(t.nameOf(first+k), m.types[ty], m.bodies[k]); err != nil {
			return fmt.Errorf("function %d of the module: %w", first+k, err)
		}
	}
	for k, d := range m.data {
		t.printf("static const u8 d%d[] = {", k)
		for i, b := range d.bytes {
			if i%32 == 0 {
				t.b.WriteString("\n\t")
			}
			t.printf("%d,", b)
		}
		t.b.WriteString("\n};\n")
	}
	t.main()
	return nil
}

// main writes what lays out the memory and calls the program, on a stack as deep as the calls that it may have under way.
func (t *toC) main() {
	e := t.p.Module.Entries[0]
	t.b.WriteString(`
static void *run(void *unused) {
	(void)unused;
	static u8 room[1 << 16];
	stack_t signals = {.ss_sp = room, .ss_size = sizeof room};
	sigaltstack(&signals, 0);
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigaction(SIGSEGV, &action, 0);
	sigaction(SIGBUS, &action, 0);
`)
	for k, d := range t.module.data {
		t.printf("\tmemcpy(M + %d, d%d, sizeof d%d);\n", d.at, k, k)
	}
	_, args := t.p.Bridge.Main()
	call := fmt.Sprintf("%s(%s)", t.nameOf(t.module.entry), wordList(args[:len(e.Params)]))
	f := t.module.typeOf(t.module.entry)
	switch n := len(f.results); {
	case n == 0:
		t.printf("\t%s;\n\tfinish(0);\n", call)
	case n == 1:
		t.printf("\tfinish((u8)%s);\n", call)
	default:
		t.printf("\tfinish((u8)%s.v%d);\n", call, n-e.Results)
	}
	t.b.WriteString(`}

int main(void) {
	M = mmap(0, RESERVE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	stack = mmap(0, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (M == MAP_FAILED || stack == MAP_FAILED || mprotect(M, SIZE, PROT_READ | PROT_WRITE)) full();
	if (mprotect(stack, GUARD, PROT_NONE)) full();
	terminal = isatty(1);
	mapped = brk_ = SIZE - LINEAR;
	pthread_attr_t how;
	pthread_t program;
	pthread_attr_init(&how);
	if (pthread_attr_setstack(&how, stack + GUARD, STACK - GUARD) || pthread_create(&program, &how, run, 0)) full();
	pthread_join(program, 0);
	return 70;
}
`)
}

func wordList(words []uint64) string {
	parts := make([]string, len(words))
	for k, w := range words {
		parts[k] = fmt.Sprintf("%#xu", w)
	}
	return strings.Join(parts, ", ")
}

// quote is a string of C.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for k := range len(s) {
		switch c := s[k]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~' || c == '?': // three question marks in a row have a meaning
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
