package ir

import "iter"

// Archive holds declarations and definitions that are linked into a module when something refers to them, as a linker takes the members of
// a static library. Each method enters what the archive has under a name and the module has not, with whatever belongs to it; bodies stay
// text until Function.Body asks.
type Archive interface {
	Function(name string)
	Global(name string)
	VTable(class string)                // by VTable.QualifiedClass, specialized ones by their type as printed
	WitnessTables(typ, protocol string) // by qualified names; all of the type's when protocol is ""
	Nested(root, name string)           // the type of that name that a module puts into one of the standard library's
	FunctionNames() iter.Seq[string]    // of all functions, without entering any
	// Holds reports whether the module has a function or global from the archive: it can do without it while nothing refers to it.
	Holds(item Item) bool
	// Forget is told of a function or global that was taken out of the module: it is entered anew when something refers to it again.
	Forget(name string)
}

// Func returns a function by its name, from the module or its archive; nil when there is none.
func (m *Module) Func(name string) *Function {
	if f := m.Funcs[name]; f != nil || m.Archive == nil {
		return f
	}
	m.Archive.Function(name)
	return m.Funcs[name]
}

// Global returns a global by its name, from the module or its archive; nil when there is none.
func (m *Module) Global(name string) *Global {
	if g := m.Globals[name]; g != nil || m.Archive == nil {
		return g
	}
	m.Archive.Global(name)
	return m.Globals[name]
}

// VTable returns the table of a class by its key in VTables, from the module or its archive; nil when there is none.
func (m *Module) VTable(class string) *VTable {
	if t := m.VTables[class]; t != nil || m.Archive == nil {
		return t
	}
	m.Archive.VTable(class)
	return m.VTables[class]
}

// askTables lets the archive enter the witness tables of a type, those for one protocol or all.
func (m *Module) askTables(typ, protocol string) {
	if m.Archive != nil && typ != "" {
		m.Archive.WitnessTables(typ, protocol)
	}
}
