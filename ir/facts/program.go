package facts

import (
	"silvm/ir"
	"silvm/ir/effects"
)

// Program answers questions that need the module as a whole: which functions a call may reach, what they do. Its answers about
// functions are those of their effect lists as they stand, so a pass that changes a list changes the answers. It is not safe for use
// by several goroutines at once.
type Program struct {
	*programTables
	Types *Types // in the function that the program was asked about, see In
}

// programTables is what holds in every function.
type programTables struct {
	Mod *ir.Module
	// Whole says that the module is the whole program: no class or method that is not open has overrides elsewhere.
	Whole bool

	methods  map[string][]*ir.Function // implementations of a method or requirement by the name of the declaration that introduced it
	unseen   map[string]bool           // methods that may have implementations that the module does not have
	knowable map[string]bool           // whether all implementations of a method can be known, by the path of its declaration
	dtors    map[string]*ir.Function   // deallocating deinit by the name of the class
	classes  []string                  // those with a method table, in the order of the text
	preds    map[*ir.Function]map[*ir.Block][]*ir.Block
	promises map[*ir.Function]*effects.List // by @_semantics; nil until asked for
	records  map[[2]*ir.Type]bool           // whether memory of two types may be the same
	deinits  map[*ir.Type]*deinitMemory     // what the end of a value does; nil until asked for
	indexed  int                            // number of tables that the index was made of
	counts   map[*ir.Function]*countChecks  // looks at reference counts in a body; nil until asked for
	reached  map[*ir.Function]bool          // whether such a look is in what a function calls; nil until asked for
	named    map[string]*ir.Function        // deallocating deinits by mangled name without the module; nil until asked for
}

// NewProgram returns an empty table of answers, outside of functions.
func NewProgram(mod *ir.Module) *Program {
	return &Program{Types: NewTypes(mod), programTables: &programTables{Mod: mod, indexed: -1, knowable: map[string]bool{}}}
}

// In returns the program as a function sees it: its types are those of f. All that is known is shared.
func (p *Program) In(f *ir.Function) *Program {
	types := p.Types.In(f)
	if types == p.Types {
		return p
	}
	return &Program{programTables: p.programTables, Types: types}
}
