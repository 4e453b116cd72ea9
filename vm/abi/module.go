package abi

import (
	"silvm/ir"
	"silvm/ir/mangle"
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
		if name, _, ok := mangle.CutModule(f.Name); ok && name != "Swift" {
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
