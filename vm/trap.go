package vm

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sort"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/ir/source"
	"silvm/vm/code"
)

// TrapKind says what stopped a run.
type TrapKind uint8

// The kinds of trap.
const (
	NoTrap             TrapKind = iota
	SwiftTrap                   // the program trapped as Swift defines it: overflow, a failed precondition, abort
	FatalError                  // the program called fatalError or its like: Msg is its text
	UncaughtError               // an error left the program
	FailedCast                  // a forced cast failed: Msg
	DeletedMethod               // a vtable entry that the optimizer removed was called
	OnceRecursion               // the initializer of a global needs that global
	HeapFault                   // Fault says what
	NullDeref                   // Addr is below the first page
	OutOfBounds                 // Addr is not in linear memory
	BadWord                     // What is not what the program used it as: metadata, witness table, function
	Uninitialized               // memory read before it was written
	Exclusivity                 // conflicting accesses: Access and Earlier
	UnreachableReached          // an unreachable instruction was executed
	Unsupported                 // What is not supported by silvm
	Limit                       // Limit is the one that was reached
	Invalid                     // the text is not valid SIL: Diags
	BrokenRule                  // a rule that only full checking looks at: Rule is its code, What says it, Notes explain it
	Internal                    // a bug in silvm: What
)

// LimitKind is one of the limits of a run: those of Config.Limits, and some of silvm's own.
type LimitKind uint8

// The limits.
const (
	NoLimit              LimitKind = iota
	LimitSteps                     // Limits.Steps, or the work of one native
	LimitMemory                    // memory of the program
	LimitDepth                     // frames
	LimitOutput                    // bytes printed
	LimitTime                      // Limits.Timeout
	LimitTasks                     // tasks that exist at one time
	LimitSpecializations           // functions made for types while the program runs
)

// Place is where something happened.
type Place struct {
	PC   uint32     // of the bytecode instruction
	Func *code.Func // nil when nothing is known
	Inst *ir.Inst   // nil for code without SIL
	Pos  source.Pos // of Inst
}

// ObjectNote describes an object that a trap is about.
type ObjectNote struct {
	Name    string // "Node#17"
	Part    string // of it that the trap's address lies in: ".next"; "" when that is not known
	Info    heap.ObjectInfo
	Alloc   Place // zero when not known
	Release Place // the last strong release, which started the deinit
	Free    Place

	// The calls that led to each of them, innermost first; nil when they are not known.
	Allocators, Releasers, Freers []Place

	// What refers to it in memory; of one that is strongly referenced as its memory goes.
	Holders []string

	told bool // whether these calls were looked for
}

// AccessNote is one of two conflicting accesses.
type AccessNote struct {
	Modify bool
	Place  Place
}

// Trap is why a run can't go on. Wording is made by Diagnostic.
type Trap struct {
	Kind    TrapKind
	What    string    // see the kinds
	Limit   LimitKind // Limit: which
	Msg     string    // what the Swift runtime prints at the same point, without "Fatal error: "
	Addr    uint64
	Block   uint64 // the block that the finding is about, where Addr lies outside of it; else 0
	Fault   *heap.Fault
	Object  *ObjectNote
	Global  *ir.Global // that Addr lies in, if it does
	Access  AccessNote // of Exclusivity: the access that conflicts
	Earlier AccessNote // the open one
	Missing bool       // Unsupported: a function whose body is in the text of the standard library
	Place   Place
	Frames  []Place      // innermost first, at most maxFrames of them from each end
	Omitted int          // frames left out in the middle
	Step    uint64       // SIL instructions run, to the block's start
	Exact   bool         // Step counts the instructions of the block too, the one that trapped the last: runs for tools only
	Stack   string       // Internal: the Go stack
	Rule    string       // BrokenRule: a code
	Notes   []Note       // BrokenRule
	Diags   *source.List // Invalid: what is wrong with the function that the program came to
}

// maxFrames is how many frames a trap keeps from each end of the call stack.
const maxFrames = 32

// ExitCode is the exit status that goes with the trap.
func (t *Trap) ExitCode() int {
	switch t.Kind {
	case HeapFault:
		switch {
		case t.Fault.Kind.IsLimit():
			return 124
		case t.Fault.Kind == heap.BadAlignment:
			return 134
		}
		return 80
	case NullDeref, OutOfBounds, BadWord, Uninitialized, OnceRecursion:
		return 80
	case BrokenRule:
		switch {
		case t.isExclusivity():
			return 81
		case strings.HasPrefix(t.Rule, "SV10"):
			return 85
		}
		return 80
	case Exclusivity:
		return 81
	case Unsupported:
		return 69
	case Limit:
		return 124
	case Invalid:
		return 65
	case Internal:
		return 70
	}
	return 134
}

// Error describes the trap in one line without places.
func (t *Trap) Error() string { return t.headline() }

func (m *Machine) trapNow(k TrapKind) *Trap { return &Trap{Kind: k} }

func (m *Machine) internal(what string) *Trap { return &Trap{Kind: Internal, What: what} }

func (m *Machine) limit(which LimitKind) *Trap { return &Trap{Kind: Limit, Limit: which} }

func (m *Machine) unsupported(what string) *Trap { return &Trap{Kind: Unsupported, What: what} }

// unsupportedSymbol is the trap for a function without body that no native stands for.
func (m *Machine) unsupportedSymbol(symbol string) *Trap {
	name := symbol
	comment := ""
	if mod := m.prog.Module; mod != nil && mod.Func(symbol) != nil {
		comment = mod.Func(symbol).Comment
	}
	if plain := ir.DisplayName(symbol, comment); plain != symbol {
		name = plain + " (" + symbol + ")"
	}
	what := "the library function " + name
	if module, _, ok := mangle.CutModule(symbol); ok && module != "Swift" {
		what = "the function " + name + " of the module " + module + ", which has no body in the SIL given"
	}
	t := &Trap{Kind: Unsupported, What: what}
	if mod := m.prog.Module; mod != nil && !mod.Embedded {
		given := 0 // what silvm brought along is no text of the library
		for _, f := range mod.Files.Files() {
			if !f.Ours {
				given++
			}
		}
		t.Missing = given == 1 && mangle.IsLibrary(symbol)
	}
	return t
}

// unsupportedError makes a trap of what lowering says it can't do, or of what loader and verifier say is wrong.
func (m *Machine) unsupportedError(err error) *Trap {
	if diags, ok := errors.AsType[*source.List](err); ok {
		return &Trap{Kind: Invalid, Diags: diags}
	}
	return &Trap{Kind: Unsupported, What: trimUnsupported(err.Error())}
}

func (m *Machine) fault(f *heap.Fault) *Trap {
	if f.Kind == heap.BadAddress {
		return m.badAddress(f.Ref)
	}
	return &Trap{Kind: HeapFault, Fault: f, Addr: f.Ref, Msg: f.Msg}
}

func (m *Machine) badAddress(a uint64) *Trap {
	if a < heap.Base {
		return &Trap{Kind: NullDeref, Addr: a}
	}
	if ti, off := m.typeAround(a); ti != nil {
		return m.unsupported(fmt.Sprintf("an access to the metadata of %s, %s", ti.Name, metadataPart(off)))
	}
	return &Trap{Kind: OutOfBounds, Addr: a}
}

// badWord is the trap for a word that does not stand for what the program used it as.
func (m *Machine) badWord(what string, word uint64) *Trap {
	if word < heap.Base {
		return &Trap{Kind: NullDeref, Addr: word}
	}
	return &Trap{Kind: BadWord, What: what, Addr: word}
}

func (m *Machine) deletedMethod(ti *code.TypeInfo) *Trap {
	return &Trap{Kind: DeletedMethod, What: ti.Name, Msg: "Call of deleted method"}
}

func (m *Machine) conflict(earlier access, modify bool) *Trap {
	return &Trap{
		Kind: Exclusivity, Addr: earlier.addr,
		Access:  AccessNote{Modify: modify, Place: m.place(m.pc - 1)},
		Earlier: AccessNote{Modify: earlier.modify, Place: m.place(earlier.pc)},
	}
}

// programTrap is the trap of a Trap instruction.
func (m *Machine) programTrap(k code.TrapKind) *Trap {
	reason := m.prog.Reasons[m.pc-1]
	switch k {
	case code.TrapUnsupported:
		return m.unsupported(trimUnsupported(reason))
	case code.TrapOnError:
		return &Trap{Kind: UncaughtError, What: reason}
	case code.TrapCast:
		return &Trap{Kind: FailedCast, What: reason}
	}
	return &Trap{Kind: SwiftTrap, What: reason}
}

// panicked makes a trap of a Go panic, which is always a bug of silvm.
func (m *Machine) panicked(p any) *Trap {
	return &Trap{Kind: Internal, What: fmt.Sprint(p), Stack: string(debug.Stack())}
}

// Fatal makes the trap of a native that ends the program with a message, as fatalError does.
func (c *NativeCall) Fatal(msg string) *Trap { return &Trap{Kind: FatalError, Msg: msg} }

// Unsupported makes the trap of a native that can't do what it is asked.
func (c *NativeCall) Unsupported(what string) *Trap { return c.m.unsupported(what) }

// funcAt finds the function that a pc belongs to, nil when there is none.
func (m *Machine) funcAt(pc uint32) *code.Func {
	fs := m.prog.Lowered
	n := sort.Search(len(fs), func(n int) bool { return fs[n].Entry > pc })
	if n > 0 && pc < fs[n-1].End {
		return fs[n-1]
	}
	return nil
}

// place finds the SIL instruction that a pc belongs to.
func (m *Machine) place(pc uint32) Place {
	p := Place{PC: pc, Func: m.funcAt(pc)}
	if p.Func == nil {
		return p
	}
	if e := posAt(p.Func, pc); e != nil {
		if p.Inst = e.Inst; p.Inst != nil {
			p.Pos = p.Inst.Pos
		}
	}
	return p
}

// posAt returns the entry of a function's positions that holds for a pc, nil for none.
func posAt(f *code.Func, pc uint32) *code.PosEntry {
	n, _ := slices.BinarySearchFunc(f.Pos, pc, func(e code.PosEntry, pc uint32) int {
		if e.PC <= pc {
			return -1
		}
		return 1
	})
	if n == 0 {
		return nil
	}
	return &f.Pos[n-1]
}

// stepsBefore is how many steps its block had before the instruction at a pc.
func (m *Machine) stepsBefore(pc uint32) uint64 {
	if f := m.funcAt(pc); f != nil {
		if e := posAt(f, pc); e != nil {
			return uint64(e.Step)
		}
	}
	return 0
}

// callSite is the pc of the call that made the running frame.
func (m *Machine) callSite() uint32 {
	ret := uint32(m.stack[m.frame>>32] >> 16)
	if ret == m.nest.ret && ret != 0 {
		return m.nest.site
	}
	return max(ret, 1) - 1
}

// userSite is the site of the call of the running native that stands for it to the program's user: where the program's own code, with a
// line of its source if there is one, led to it.
func (m *Machine) userSite() uint32 {
	site, own := m.callSite(), false
	m.Frames(func(f Frame) bool {
		p := m.place(f.PC)
		if p.Inst == nil || p.IsOurs() {
			return true
		}
		if line, _ := p.Inst.Swift(); line != "" {
			site = f.PC
			return false
		}
		if !own {
			site, own = f.PC, true
		}
		return true
	})
	return site
}

// locate fills in where a trap happened.
func (m *Machine) locate(t *Trap) {
	t.Step, t.Exact = m.steps, m.IsForTools()
	if m.pc == 0 {
		return
	}
	if t.Place.Inst == nil {
		t.Place = m.place(m.pc - 1)
	}
	t.Frames, t.Omitted = m.frames()
	for _, p := range t.Frames {
		if t.Place.Inst != nil || t.Kind == Internal {
			break
		}
		if p.Inst != nil { // made-up code: the innermost frame that has SIL shows where
			t.Place = p
		}
	}
	if t.Kind == HeapFault && !t.Fault.Kind.IsLimit() {
		t.Object = m.objectNote(t.Fault.Ref)
		if o := t.Object; o != nil && o.Info.Kind == heap.KindStack {
			o.Name = m.stackName(t.Fault.Ref)
		}
		if o := t.Object; o != nil && t.isEscape() {
			o.Holders = m.holders(t.Fault.Ref)
		}
	} else if info, ok := m.heap.BlockContaining(t.Block); ok && t.Block != 0 {
		t.Object = m.noteOf(info)
	} else if t.Addr >= heap.Base {
		if info, ok := m.heap.BlockContaining(t.Addr); ok {
			t.Object = m.noteOf(info)
			if info.Kind == heap.KindObject {
				t.Object.Part = m.pathTo(info, t.Addr, true)
			}
		}
		t.Global = m.GlobalAt(t.Addr)
	}
	m.noteWeakNil(t)
}

// isEscape reports whether the trap is about a strong reference that outlives its object.
func (t *Trap) isEscape() bool {
	return t.Kind == HeapFault && (t.Fault.Kind == heap.EscapedDeinit || t.Fault.Kind == heap.StackObjectEscaped)
}

// GlobalAt finds the global that an address lies in, nil when there is none.
func (m *Machine) GlobalAt(a uint64) *ir.Global {
	for _, g := range m.prog.Globals {
		if g.Addr != 0 && a-g.Addr < max(g.Layout.Size, 1) {
			return g.Global
		}
	}
	return nil
}

// frames lists the places of the running frame and its callers, innermost first; the middle of a deep stack is left out.
func (m *Machine) frames() (out []Place, omitted int) {
	fp, pc := m.frame>>32, m.pc
	depth := int(uint32(m.frame))
	for n := 0; n < depth && pc != 0 && pc <= uint32(len(m.prog.Insts)) && fp < uint64(len(m.stack)); n++ {
		if n < maxFrames || n >= depth-maxFrames {
			out = append(out, m.place(pc-1))
		} else {
			omitted++
		}
		link := m.stack[fp]
		base := uint64(uint16(link))
		pc = uint32(link >> 16)
		if base > fp || base == 0 && n+1 < depth {
			break
		}
		fp -= base
	}
	return out, omitted
}

// objectNote describes the object at ref, nil when none is known there.
func (m *Machine) objectNote(ref uint64) *ObjectNote {
	info, ok := m.heap.Object(ref)
	if !ok {
		if info, ok = m.heap.BlockContaining(ref); !ok {
			return nil
		}
	}
	return m.noteOf(info)
}

func (m *Machine) noteOf(info heap.ObjectInfo) *ObjectNote {
	n := &ObjectNote{Name: m.ObjectName(info), Info: info}
	for _, s := range []struct {
		site uint32
		to   *Place
	}{{info.AllocSite, &n.Alloc}, {info.LastReleaseSite, &n.Release}, {info.FreeSite, &n.Free}} {
		if s.site != 0 {
			*s.to = m.place(s.site)
		}
	}
	return n
}

// stackName names an object that lives in memory of the stack, where it has no serial number.
func (m *Machine) stackName(ref heap.Addr) string {
	word, _ := m.heap.Load64(ref)
	if t := m.TypeAt(word); t != nil {
		return t.Name + " on the stack"
	}
	return "an object on the stack"
}

// ObjectName is how findings name a block: class and serial number, "Node#17"; "raw memory #3".
func (m *Machine) ObjectName(info heap.ObjectInfo) string {
	if info.Kind == heap.KindObject {
		name := "object"
		if n, ok := m.metas.number(info.Metadata); ok {
			name = m.prog.Types[m.metas.index[n]].Name
		}
		return fmt.Sprintf("%s#%d", name, info.Serial)
	}
	return fmt.Sprintf("%v #%d", info.Kind, info.Serial)
}
