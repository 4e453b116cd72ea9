package abi

import (
	"strings"

	"silvm/ir"
	"silvm/ir/source"
)

// moduleAt returns the name of the module that declares a type of the program. A program of several files may be of several modules: a file is
// of the one that most names of what it defines begin with. "" means that the file doesn't tell.
func (l *Layouts) moduleAt(d *ir.Nominal) string {
	if l.modules == nil {
		l.modules = l.fileModules()
	}
	return l.modules[l.mod.Files.File(d.Pos)]
}

func (l *Layouts) fileModules() map[*source.File]string {
	votes := map[*source.File]map[string]int{}
	for _, item := range l.mod.Items {
		f, ok := item.(*ir.Function)
		if !ok || f.IsDeclaration() || f.Linkage == ir.LinkageShared || f.Linkage.IsExternal() || l.mod.Files.IsOurs(f.Pos) {
			continue
		}
		if name := MangledModule(f.Name); name != "" {
			file := l.mod.Files.File(f.Pos)
			if votes[file] == nil {
				votes[file] = map[string]int{}
			}
			votes[file][name]++
		}
	}
	modules := map[*source.File]string{}
	for file, names := range votes {
		best := 0
		for name, n := range names {
			if n > best || n == best && name < modules[file] {
				modules[file], best = name, n
			}
		}
	}
	return modules
}

// MangledModule returns the module that a mangled name starts with, "" when it is the standard library (docs/ABI/Mangling.rst).
func MangledModule(symbol string) string {
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
