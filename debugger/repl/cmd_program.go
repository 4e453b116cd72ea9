package repl

import (
	"fmt"
	"slices"
	"strings"

	"silvm/debugger"
	"silvm/debugger/view"
	"silvm/ir"
)

// What the program is made of.

// maxListed is how many rows a list of the program's parts has.
const maxListed = 200

// listing prints up to maxListed rows.
func (r *REPL) listing(rows []string, what string) error {
	slices.Sort(rows)
	for _, row := range rows[:min(maxListed, len(rows))] {
		r.printf("  %s\n", row)
	}
	if len(rows) > maxListed {
		r.printf("  … %d more; say a word of their names\n", len(rows)-maxListed)
	}
	r.printf("%s\n", count(len(rows), what))
	return nil
}

func doFunctions(r *REPL, c call) error {
	word := strings.ToLower(strings.Trim(c.args, "/"))
	var rows []string
	found := view.Functions{Functions: []view.Function{}}
	defer r.give(func() any { return found })
	for _, f := range r.d.Module().Funcs {
		name := debugger.Demangled(f)
		if f.IsDeclaration() || !strings.Contains(strings.ToLower(name+" "+f.Name), word) {
			continue
		}
		found.Functions = append(found.Functions, r.view.Function(f))
		row := clean(name)
		if file := r.d.Module().Files.File(f.Pos); file != nil {
			row += r.paint(Dim, fmt.Sprintf("  %s:%d", clean(file.Name), file.Place(f.Pos).Line))
		}
		rows = append(rows, row)
	}
	return r.listing(rows, "function")
}

func doGlobals(r *REPL, c call) error {
	var rows []string
	var found []debugger.Variable
	for _, g := range r.d.Globals() {
		if strings.Contains(strings.ToLower(g.Name), strings.ToLower(c.args)) {
			found = append(found, g)
			rows = append(rows, r.paint(Name, clean(g.Name))+r.typed(g.Value)+" = "+clean(r.d.Text(g.Value)))
		}
	}
	r.give(func() any { return r.view.Variables(found) })
	return r.listing(rows, "global")
}

func doClasses(r *REPL, c call) error {
	_, by := r.d.LiveFrom("", 0, 0)
	var rows []string
	found := view.Classes{Classes: map[string]int{}}
	for _, name := range r.d.Classes() {
		if strings.Contains(strings.ToLower(name), strings.ToLower(c.args)) {
			found.Classes[name] = by[name]
			rows = append(rows, fmt.Sprintf("%-40s %s", clean(name), count(by[name], "live object")))
		}
	}
	r.give(func() any { return found })
	return r.listing(rows, "class")
}

func doSources(r *REPL, c call) error {
	seen := map[string]bool{}
	for _, f := range r.d.Module().Files.Files() {
		r.printf("  %s (%s)\n", clean(f.Name), count(f.Lines(), "line"))
	}
	for _, f := range r.d.Module().Funcs {
		for i := range f.Insts() {
			if i.Loc != nil && i.Loc.Line > 0 && i.Loc.File != "<compiler-generated>" {
				seen[i.Loc.File] = true
			}
		}
	}
	var names []string
	for name := range seen {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		r.printf("  %s (named by locations)\n", clean(name))
	}
	r.give(func() any { return r.view.Sources(names) })
	return nil
}

func doDisassemble(r *REPL, c call) error {
	here, _ := r.d.Frame(r.frame)
	var fn *ir.Function
	if name := strings.Trim(plainWords(c.args), `"'`); name != "" {
		if fn = r.d.FunctionNamed(name); fn == nil {
			return r.noFunction(name)
		}
	}
	if fn == nil {
		if here.Inst == nil {
			return fmt.Errorf("there is no SIL here")
		}
		fn = here.Inst.Block().Func
	}
	if err := fn.Body(); err != nil {
		return err
	}
	files := r.d.Module().Files
	r.give(func() any { return r.view.Body(fn, here.Inst) })
	r.printf("%s\n", r.paint(Name, clean(debugger.Demangled(fn))))
	last := 0
	for _, b := range fn.Blocks {
		if b.First() == nil {
			continue
		}
		r.printf("%s:\n", b.Name)
		for i := range b.Insts() {
			file := files.File(i.Pos)
			if file == nil {
				continue
			}
			line := file.Place(i.Pos).Line
			mark := "  "
			if i == here.Inst {
				mark = r.paint(Current, "=>")
			}
			if line != last || i == here.Inst {
				r.printf("%s %s\n", mark, r.code(line, file.Line(i.Pos)))
			}
			last = line
		}
	}
	return nil
}
