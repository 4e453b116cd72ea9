package loader

import (
	"strings"

	"silvm/ir"
)

// A program may call a type like one of the library, such as Task or Result, and the text says the same name for both. Where the library's is
// generic and the program's is not, the arguments behind the name tell which is meant, and a member tells it by its own name.

// takenNumber makes the name of the program's type. No type inside a function gets as far.
const takenNumber = 1 << 20

// findTaken finds the types of the program with a generic namesake in the library that the text speaks of too.
func (l *load) findTaken(texts []string) map[string]bool {
	var taken map[string]bool
	for _, text := range texts {
		if !strings.Contains(text, "\nimport Swift\n") {
			continue
		}
		for _, word := range []string{"struct", "enum", "class"} {
			eachTopDecl(text, word, func(d topDecl) {
				line := text[d.at:d.end]
				_, behind, _ := strings.Cut(line, word+" "+d.name)
				if !l.isTaken(d.name, line) || strings.HasPrefix(behind, "<") || !saysGeneric(texts, d.name) {
					return
				}
				if taken == nil {
					taken = map[string]bool{}
				}
				taken[d.name] = true
			})
		}
	}
	return taken
}

// isTaken reports whether the library has a generic type of that name none of whose members the declaration has.
func (l *load) isTaken(name, declaration string) bool {
	lines := ordinary.older()[name]
	for _, m := range besides {
		lines += m.index.older()[name]
	}
	generic := false
	for _, word := range []string{"struct ", "enum ", "class "} {
		generic = generic || strings.Contains(lines, word+name+"<")
	}
	if !generic {
		return false
	}
	for member := range membersIn(declaration) {
		if hasWord(lines, member) {
			return false
		}
	}
	return true
}

// saysGeneric reports whether one of the texts has the name with arguments.
func saysGeneric(texts []string, name string) bool {
	for _, text := range texts {
		for off := 0; ; {
			n := strings.Index(text[off:], name+"<")
			if n < 0 {
				break
			}
			if at := off + n; at > 0 && class[text[at-1]]&clsIdent == 0 && text[at-1] != '.' {
				return true
			}
			off += n + len(name)
		}
	}
	return false
}

// takenName returns the name of the program's type where a name without arguments stands for it, and the name itself else.
func (p *parser) takenName(name string) string {
	if p.taken[name] {
		return ir.Namesake(name, takenNumber)
	}
	return name
}

// takenPath is takenName for a path to a member, which the library's type has where the program's does not declare it.
func (p *parser) takenPath(path string) string {
	name, member, ok := strings.Cut(path, ".")
	if !p.taken[name] {
		return path
	}
	if ok {
		member, _, _ = strings.Cut(member, ".")
		lines := ordinary.older()[name]
		for _, m := range besides {
			lines += m.index.older()[name]
		}
		if hasWord(lines, member) {
			return path
		}
	}
	return p.takenName(name) + path[len(name):]
}
