package ir

import (
	"iter"
	"strings"

	"silvm/ir/effects"
	"silvm/ir/mangle"
	"silvm/ir/source"
)

// Function is a SIL function. A function without blocks is a declaration; its body may also still be text,
// see Body.
type Function struct {
	Name    string // mangled, without @
	Linkage Linkage
	Attrs   Attrs // in the order of the text
	Type    *Type // a KindFunction type
	// Effects is the effect list, nil when there is none.
	Effects *effects.List
	Blocks  []*Block
	Pos     source.Pos
	Loc     *Loc
	Scope   int
	Comment string // the demangled name that the compiler prints above a function, "" when none
	Module  *Module
	// Shadowed holds what the text of the body calls generic parameters where that is not what types call them: T for T1, which the signature
	// made to tell it from an outer T, and T1 for the τ_1_0 that function types in the body bind. Only Module.AsWritten cares.
	Shadowed map[string]string
	// Numbers holds the values by the numbers that they had in the text, nil where there is none; of functions with a specify_test only.
	Numbers []*Value
	// Edited is the instruction that was put in, moved or taken out last; whoever wants to know about some edits sets it to nil before.
	Edited *Inst

	lastID   int   // of a block
	lastInst int32 // ID of an instruction

	// lazy parses the body when it is first needed; nil when there is none or it was parsed.
	lazy func(*Function) error
}

// SetLazyBody makes the function get its blocks from parse when Body is first called.
func (f *Function) SetLazyBody(parse func(*Function) error) { f.lazy = parse }

// IsDeclaration reports whether the function has no body, parsed or not.
func (f *Function) IsDeclaration() bool { return len(f.Blocks) == 0 && f.lazy == nil }

// Body makes sure that the blocks are there. The error is the loader's diagnostics; after an error the
// function has no blocks.
func (f *Function) Body() error {
	if f.lazy == nil {
		return nil
	}
	parse := f.lazy
	f.lazy = nil
	if err := parse(f); err != nil {
		f.Blocks = nil
		return err
	}
	f.Renumber()
	return nil
}

// Insts iterates over the instructions of all blocks, as Block.Insts does over those of one.
func (f *Function) Insts() iter.Seq[*Inst] {
	return func(yield func(*Inst) bool) {
		for _, b := range f.Blocks {
			for i := b.first; i != nil; i = i.next {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// Entry returns the entry block, nil for a declaration.
func (f *Function) Entry() *Block {
	if len(f.Blocks) == 0 {
		return nil
	}
	return f.Blocks[0]
}

// Renumber sets the Index of each block to its position.
func (f *Function) Renumber() {
	for i, b := range f.Blocks {
		b.Index = i
	}
}

// TakeBlocks makes the body of another function that of f, which has none.
func (f *Function) TakeBlocks(from *Function) {
	f.Blocks, from.Blocks = from.Blocks, nil
	for _, b := range f.Blocks {
		b.Func = f
	}
	f.SettleIDs()
}

// SettleIDs gives the blocks and instructions new numbers, without gaps. No table that is indexed by the old ones may be in use.
func (f *Function) SettleIDs() {
	f.lastInst = 0
	for n, b := range f.Blocks {
		b.id = n + 1
		for i := b.first; i != nil; i = i.next {
			f.lastInst++
			i.ident = f.lastInst
		}
	}
	f.lastID = len(f.Blocks)
}

// AddBlock puts a new block at the end of the function.
func (f *Function) AddBlock(name string) *Block {
	b := &Block{Name: name, Func: f, Index: len(f.Blocks)}
	f.Blocks = append(f.Blocks, b)
	return b
}

// IsOSSA reports whether the function is in ownership form.
func (f *Function) IsOSSA() bool { return f.Attrs.Has(AttrOSSA) }

// DisplayName is the name for people, see the function of that name.
func (f *Function) DisplayName() string { return inMain(DisplayName(f.Name, f.Comment)) }

// DisplayName is the name of a symbol of the module for people.
func (m *Module) DisplayName(symbol string) string {
	if f := m.Func(symbol); f != nil {
		return f.DisplayName()
	}
	return inMain(DisplayName(symbol, ""))
}

// inMain names the top-level code as what a closure is in, which has no name in the symbol: "closure #1 in main".
func inMain(name string) string {
	if strings.HasSuffix(name, " in ") {
		return name + "main"
	}
	return name
}

// DisplayName is the name of a function or a global for people: the symbol demangled, as the compiler prints it above a
// definition. Where silvm can't demangle a mangled symbol it is the comment that was read there, and else the symbol.
func DisplayName(symbol, comment string) string {
	if rest, ok := strings.CutPrefix(symbol, "library_S"); ok { // of what silvm brings along in place of a library function
		if name := mangle.Simplified("$sS" + rest); name != "$sS"+rest {
			return name
		}
	}
	name := mangle.Simplified(symbol)
	if name == symbol && comment != "" && strings.HasPrefix(symbol, "$") {
		name = comment
	}
	return name
}
