package repl

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"silvm/debugger"
	"silvm/ir/source"
)

// Complete returns what the word at the end of a line may become, sorted.
func (r *REPL) Complete(line string) []string { return r.complete(line) }

// goesOn reports whether more may follow the last word of a line without a blank: lines of a file, files of a folder, properties of an object.
func (r *REPL) goesOn(line string) bool {
	return strings.HasSuffix(line, ":") || strings.HasSuffix(line, "/") || len(r.complete(line+".")) > 0
}

// complete returns what the word at the end of a line may become, sorted.
func (r *REPL) complete(line string) []string {
	if n := strings.LastIndexByte(line, ';'); n >= 0 {
		line = strings.TrimLeft(line[n+1:], " ")
	}
	n := strings.LastIndexByte(line, ' ') + 1
	word := line[n:]
	offers := secondWords(line[:n])
	if first, rest, has := strings.Cut(line, " "); has {
		if c, err := lookup(first); err == nil {
			offers = append(offers, r.arguments(c, rest[:max(0, len(rest)-len(word))], word)...)
		}
	} else {
		offers = append(offers, r.offers(commands_)...)
		for name := range r.aliases {
			offers = append(offers, name)
		}
	}
	var out []string
	for _, o := range offers {
		if strings.HasPrefix(o, word) && o != "" && !strings.ContainsAny(o, " \t") {
			out = append(out, o)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// secondWords are the words that phrases have after what was typed: breakpoints after "info ".
func secondWords(typed string) (out []string) {
	have := strings.Fields(typed)
	for _, p := range phrases {
		words := strings.Fields(p.from)
		if len(have) == 0 || len(words) <= len(have) {
			continue
		}
		same := true
		for n, w := range have {
			same = same && slices.Contains(strings.Split(words[n], "/"), w)
		}
		if same {
			next, _, _ := strings.Cut(words[len(have)], "/")
			out = append(out, next)
		}
	}
	return out
}

// arguments are what may come after a command and the words before the last.
func (r *REPL) arguments(c *command, before, word string) []string {
	words := strings.Fields(before)
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	k := c.args
	switch {
	case last == "in":
		k = places
	case last == "of":
		k = objects
	case last == "if":
		k = values
	case last == "--since":
		k = marks
	case c.name == "help":
		k = commands_
	}
	out := r.offers(k)
	switch k {
	case places:
		out = append(out, r.linePlaces(word)...)
		if c.name == "break" && len(words) == 0 {
			out = append(out, debugger.EventWords()...)
		}
		if c.name == "break" {
			out = append(out, r.d.Classes()...)
		}
	case values, objects, events:
		out = append(out, r.parts(word)...)
	case files:
		out = append(out, filesFrom(word)...)
	}
	return out
}

// parts are the properties, elements and counts of what comes before the last dot of a word.
func (r *REPL) parts(word string) (out []string) {
	n := strings.LastIndexByte(word, '.')
	if n < 1 {
		return nil
	}
	whole := word[:n]
	for _, f := range r.d.FieldsOf(whole) {
		out = append(out, whole+"."+f)
	}
	v, err := r.d.Eval(whole, r.frame)
	if err != nil {
		return out
	}
	for _, k := range r.d.Children(v, maxOffers) {
		if !strings.HasPrefix(k.Name, "[") {
			out = append(out, whole+"."+k.Name)
		}
	}
	if _, ok := r.d.Ref(v); ok {
		for _, count := range debugger.CountNames() {
			out = append(out, whole+"."+count)
		}
	}
	return out
}

// linePlaces are the files of the program with a colon after or, after that, the lines that have code.
func (r *REPL) linePlaces(word string) (out []string) {
	file, _, lines := strings.Cut(word, ":")
	seen := map[string]bool{}
	mod := r.d.Module()
	for _, f := range mod.Funcs {
		if mod.Files.IsOurs(f.Pos) {
			continue
		}
		for i := range f.Insts() {
			p := mod.Files.Place(i.Pos)
			places := []source.Place{p}
			if l := i.Loc; l != nil && l.Line > 0 {
				places = append(places, source.Place{File: l.File, Line: l.Line})
			}
			for _, p := range places {
				name := filepath.Base(p.File) + ":"
				if lines && name != file+":" || name == ":" {
					continue
				}
				if lines {
					name += strconv.Itoa(p.Line)
				}
				seen[name] = true
			}
		}
	}
	return slices.Collect(maps.Keys(seen))
}

// filesFrom are the files that a path may go on to.
func filesFrom(word string) (out []string) {
	dir, _ := filepath.Split(word)
	list, _ := os.ReadDir(cmp.Or(dir, "."))
	for _, e := range list {
		if name := dir + e.Name(); e.IsDir() {
			out = append(out, name+"/")
		} else {
			out = append(out, name)
		}
	}
	return out
}

// maxOffers is how many objects are offered.
const maxOffers = 500

func (r *REPL) offers(k kind) (out []string) {
	objectNames := func() {
		list, _ := r.d.LiveFrom("", 0, maxOffers)
		for _, o := range list {
			out = append(out, o.Name)
		}
	}
	switch k {
	case commands_:
		for _, c := range commands {
			out = append(out, c.name)
		}
	case places:
		for _, f := range r.d.Module().Funcs {
			name, _, _ := strings.Cut(debugger.Short(f), "(")
			out = append(out, name)
		}
	case values, objects:
		objectNames()
		out = append(out, r.d.Classes()...)
		if f, ok := r.d.Frame(r.frame); ok && k == values {
			for _, v := range r.d.Locals(f) {
				out = append(out, v.Name)
			}
			for _, v := range r.d.Values(f) {
				out = append(out, v.Name)
			}
			for _, v := range r.d.Globals() {
				out = append(out, v.Name)
			}
		}
	case events:
		out = append(out, debugger.EventWords()...)
		out = append(out, "finding", "throw")
		out = append(out, r.d.Classes()...)
		objectNames()
	case numbers:
		for _, b := range r.d.Breakpoints() {
			out = append(out, strconv.Itoa(b.ID))
		}
	case marks:
		for name := range r.d.Bookmarks() {
			out = append(out, name)
		}
		out = append(out, "start", "end")
	}
	return out
}
