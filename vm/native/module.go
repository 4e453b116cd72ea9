package native

import (
	"strings"

	"silvm/ir"
)

// moduleName finds the name of the program's own module: the one that most of the names of its functions begin with.
func (l *library) moduleName(mod *ir.Module) string {
	if l.module != "" {
		return l.module
	}
	l.module = "main"
	votes, best := map[string]int{}, 0
	vote := func(name string) {
		if m := mangledModule(name); m != "" {
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

// mangledModule returns the module that a mangled name starts with, "" when it is the standard library (docs/ABI/Mangling.rst).
func mangledModule(symbol string) string {
	rest, ok := strings.CutPrefix(symbol, "$s")
	if !ok {
		return ""
	}
	n := 0
	for len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' && n < 1000 {
		n = 10*n + int(rest[0]-'0')
		rest = rest[1:]
	}
	if n == 0 || n >= len(rest) || symbol[2] == '0' {
		return ""
	}
	return rest[:n]
}
