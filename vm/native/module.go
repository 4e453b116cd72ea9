package native

import (
	"silvm/ir"
	"silvm/ir/mangle"
)

// moduleName finds the name of the program's own module: the one that most of the names of its functions begin with.
func (l *library) moduleName(mod *ir.Module) string {
	if l.module != "" {
		return l.module
	}
	l.module = "main"
	votes, best := map[string]int{}, 0
	vote := func(name string) {
		if m, _, ok := mangle.CutModule(name); ok && m != "Swift" {
			votes[m]++
		}
	}
	for name, f := range mod.Funcs {
		if !f.IsDeclaration() && !mod.Files.IsOurs(f.Pos) {
			vote(name)
		}
	}
	for name, g := range mod.Globals {
		if !mod.Files.IsOurs(g.Pos) {
			vote(name)
		}
	}
	for m, n := range votes {
		if n > best || n == best && m < l.module {
			l.module, best = m, n
		}
	}
	return l.module
}
