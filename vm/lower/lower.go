// Package lower turns SIL functions into bytecode, one specialization (function and concrete type arguments) at a time, when
// it is first called.
//
// The way of a function: each SIL instruction is lowered to MIR, instructions of vm/code over virtual registers in basic blocks
// (mir.go, builder.go, and a file for each family of instructions); peepholes fuse what the machine can do in one step and remove
// what is known (fuse.go, facts.go, alive.go); liveness and linear scan assign physical registers (order.go, regs.go); block arguments
// become parallel moves (edges.go); encode.go writes vm/code instructions and the position table.
//
// Invariants: loadable values are exploded into scalars, one virtual register or constant each; addresses are symbolic
// (base, index, offset) until they must be one register; a step is one SIL instruction, counted at the end of its block, save
// that a br which is alone in its block counts nothing; what can't be run becomes a Trap that names it, at the place where it
// stands, and never fails the function around it. Refused: functions that need more than code.MaxReg registers.
//
// Read builder.go first, then lower.go and the table of lowerings in table.go.
package lower

import (
	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// Options choose between lowerings of the same meaning.
type Options struct {
	// Plain lowers without fusion: one boundary per SIL instruction, for tools and for the comparison in tests.
	Plain bool
	// Tools lowers for tools: plainly, with a boundary before each SIL instruction (see tools.go), and with every SIL value in
	// registers of its own until its frame goes.
	Tools bool
	// Unchecked leaves out the checks of [dynamic] accesses.
	Unchecked bool
	// HasNative reports whether the machine has Go code for a symbol; such functions are called as natives even if they have
	// a body. nil means none; functions without body are natives all the same.
	HasNative func(symbol string) bool
}

// Lowerer lowers the functions of a module into one program. It is not safe for use by several goroutines at once.
type Lowerer struct {
	Prog    *code.Program
	Mod     *ir.Module
	Layouts *abi.Layouts
	Opts    Options

	funcs      map[funcKey]int
	synthetics map[string]int
	natives    map[funcKey]int
	pathParts  map[string]int
	pathEnd    *ir.Function
	// partialDealloc stands for the native code.DeallocPartialInstance.
	partialDealloc *ir.Function
	// runtime stands for the natives that no program declares, by symbol.
	runtime map[string]*ir.Function
	// libraryMethods stand for methods of library classes, by their declarations.
	libraryMethods map[string]*ir.Function
	ambiguous      map[string]bool // keys of methods that the text does not tell apart
	classes        classTables
	types          typeTables
	globals        globalTables
	witnesses      witnessState
	verified       map[*ir.Function]error // nil for a sound body
	supplied       bool                   // readSupplements was done
}

// funcKey names a specialization: args is the tuple of its type arguments, nil when there are none.
type funcKey struct {
	fn   *ir.Function
	args *ir.Type
}

// maxTypeDepth bounds the type arguments of specializations: generic recursion that makes ever larger types stops here.
const maxTypeDepth = 60

// New returns a lowerer for mod with an empty program.
func New(mod *ir.Module, layouts *abi.Layouts, opts Options) *Lowerer {
	l := &Lowerer{
		Prog: &code.Program{
			Module: mod, Layouts: layouts,
			Insts:   []code.Inst{{Op: code.Unreachable}},
			Reasons: map[uint32]string{},
		},
		Mod: mod, Layouts: layouts, Opts: opts,
		funcs: map[funcKey]int{}, synthetics: map[string]int{}, natives: map[funcKey]int{}, verified: map[*ir.Function]error{},
		runtime: map[string]*ir.Function{},
	}
	return l
}

// key returns the key of a specialization.
func (l *Lowerer) key(fn *ir.Function, types []*ir.Type) funcKey {
	if len(types) == 0 {
		return funcKey{fn: fn}
	}
	return funcKey{fn, l.Mod.Types.Intern(&ir.Type{Kind: ir.KindTuple, Args: append([]*ir.Type(nil), types...)})}
}

// Func returns the index of the code.Func for fn, or what replaces it, with concrete type arguments; types has one for each parameter of
// fn's generic signature. The function is lowered when its Emit is first called. An error means that there is no such specialization.
func (l *Lowerer) Func(fn *ir.Function, types []*ir.Type) (int, error) {
	return l.exactFunc(l.Mod.Replacement(fn), types)
}

// exactFunc is Func without replacements.
func (l *Lowerer) exactFunc(fn *ir.Function, types []*ir.Type) (int, error) {
	for _, t := range types {
		if t.Depth() > maxTypeDepth {
			return 0, unsupportedf("generic function %s with a type nested %d deep", fn.Name, t.Depth())
		}
	}
	key := l.key(fn, types)
	if n, ok := l.funcs[key]; ok {
		return n, nil
	}
	f := &code.Func{Name: fn.Name, Fn: fn, Types: append([]*ir.Type(nil), types...)}
	native := l.Opts.HasNative != nil && l.Opts.HasNative(fn.Name)
	generic, args := l.unspecialized(fn)
	if generic == nil && fn.IsDeclaration() && !native && l.libraryFunction(fn) == nil {
		l.readSupplements()
		generic, args = l.unspecialized(fn)
	}
	if generic != nil && !native {
		n, err := l.Func(generic, args)
		if err == nil {
			l.funcs[key] = n
		}
		return n, err
	}
	if lf := l.libraryFunction(fn); lf != nil {
		n, err := l.Func(lf, types)
		if err == nil {
			l.funcs[key] = n
			return n, nil
		}
	}
	if l.isNative(fn) {
		f.Native = l.native(key, fn, f.Types)
	}
	f.Emit = func() error { return l.emitFunc(f) }
	n := l.add(f)
	l.funcs[key] = n
	return n, nil
}

// synthetic returns the index of a function that lowering makes up: a value witness, a thunk. key names it; emit fills the body
// when the function is first called: arguments are b.param(0) and following, and it must end each path in b.ret or a trap.
func (l *Lowerer) synthetic(key, name string, emit func(*builder) error) int {
	if n, ok := l.synthetics[key]; ok {
		return n
	}
	f := &code.Func{Name: name}
	f.Emit = func() error {
		b := newBuilder(l, f)
		if err := b.attempt(func() error { return emit(b) }); err != nil {
			return err
		}
		return b.finish()
	}
	n := l.add(f)
	l.synthetics[key] = n
	return n
}

func (l *Lowerer) add(f *code.Func) int {
	f.Index = len(l.Prog.Funcs)
	l.Prog.Funcs = append(l.Prog.Funcs, f)
	return f.Index
}

func (l *Lowerer) isNative(fn *ir.Function) bool {
	return fn.IsDeclaration() || l.Opts.HasNative != nil && l.Opts.HasNative(fn.Name)
}

// native returns the reference through which a function without body is called.
func (l *Lowerer) native(key funcKey, fn *ir.Function, types []*ir.Type) *code.NativeRef {
	if n, ok := l.natives[key]; ok {
		return l.Prog.Natives[n]
	}
	ref := &code.NativeRef{Index: len(l.Prog.Natives), Symbol: fn.Name, Fn: fn, Types: types}
	switch {
	case fn.Name == "$ss27_allocateUninitializedArrayySayxG_BptBwlF" && len(types) == 1:
		if elem, err := l.Layouts.Of(types[0]); err == nil {
			ref.Stride, ref.Align = elem.Stride, elem.Align
		}
	case fn.Name == "$sSSySSxcs25LosslessStringConvertibleRzlufC" && len(types) == 1:
		ref.From = integerWidths[types[0].Known()]
	}
	l.Prog.Natives = append(l.Prog.Natives, ref)
	l.natives[key] = ref.Index
	return ref
}
