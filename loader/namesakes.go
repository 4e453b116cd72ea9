package loader

import (
	"maps"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/mangle"
)

// Two functions may each declare a type of the same name, and the text of both says just that name. Which one is meant follows from the
// symbol of the function, global or table that the name is in: it lies inside the function that declares the type, or it mentions
// the type. ir.Namesake gives each of such types a name of its own.

// namesakes are the names that stand for several types.
type namesakes struct {
	types   map[string][]mangle.Local // those of a name, in the order of the text
	top     map[string]bool           // names that a type outside of functions has too
	one     map[string]mangle.Local   // names of which the symbols know one type
	stray   map[string]map[string]int // symbol of a body -> name -> number of a type that no symbol mentions, see findStrays
	strayAt map[string]map[string]int // the same by the outermost function, in the form of mangle.Outermost
	private *privates                 // nil when no two files have private types of one name
	script  map[string]string         // what the names mean in the top-level code
	library map[string]takenType      // names of one type inside a function that the library has too, see findHiding
}

// findNamesakes gathers them from the symbols in the texts.
func findNamesakes(texts []string) *namesakes {
	n := &namesakes{types: map[string][]mangle.Local{}, top: map[string]bool{}, one: map[string]mangle.Local{}, private: findPrivates(texts)}
	seen := map[string]bool{}
	for _, text := range texts {
		eachSymbol(text, func(symbol string) {
			if !mentionsLocal(symbol) || seen[symbol] {
				return
			}
			seen[symbol] = true
			mentioned, _ := mangle.Locals(symbol)
			for _, l := range mentioned {
				if !slices.Contains(n.types[l.Name], l) {
					n.types[l.Name] = append(n.types[l.Name], l)
				}
			}
		})
	}
	for _, word := range []string{"struct ", "class ", "enum "} {
		for _, text := range texts {
			declared(text, word, func(before, name, _ string) {
				if len(n.types[name]) > 0 && strings.TrimLeft(before, " \t") == before {
					n.top[name] = true
				}
			})
		}
	}
	n.findHiding(texts)
	for name, types := range n.types {
		if len(types) < 2 && !n.top[name] {
			n.one[name] = types[0]
			delete(n.types, name)
		}
	}
	n.findScript(texts)
	return n
}

func isScript(l mangle.Local) bool { return l.Script }

// findScript finds what the names mean in the top-level code: the one type that a block there declares, unless the code has members of one that is
// inside a function, which was inlined then.
func (n *namesakes) findScript(texts []string) {
	n.script = map[string]string{}
	for _, text := range texts {
		_, body, ok := strings.Cut(text, "\nsil @"+ir.EntryPoint+" : ")
		if !ok {
			continue
		}
		body, _, _ = strings.Cut(body, "\n}")
		for name, types := range n.types {
			at := slices.IndexFunc(types, isScript)
			if at >= 0 && !slices.ContainsFunc(types[at+1:], isScript) && !n.top[name] && !strings.Contains(body, " function>"+name+".") {
				n.script[name] = ir.Namesake(name, at+1)
			}
		}
	}
}

// findHiding finds the types inside functions that are called like one of the library, where each mention tells which it means: the program's takes
// no generic arguments, and the library's does or is a protocol.
func (n *namesakes) findHiding(texts []string) {
	n.library = map[string]takenType{}
	for name, types := range n.types {
		if len(types) > 1 || n.top[name] {
			continue
		}
		t, ok := libraryHas(name, libraryLines(name, texts))
		if ok && (t.libraryGeneric || t.library == ir.Protocol) && slices.ContainsFunc(texts, func(text string) bool { return hasBare(text, name) }) {
			n.library[name], n.top[name] = t, true
		}
	}
}

// hasBare reports whether a text has a type of a name without generic arguments.
func hasBare(text, name string) bool {
	for _, mark := range []string{"$" + name, "$*" + name} {
		for rest := text; ; {
			_, after, ok := strings.Cut(rest, mark)
			if !ok {
				break
			}
			rest = after
			if scanIdent(rest, 0) == 0 && !strings.HasPrefix(rest, "<") && !strings.HasPrefix(rest, ".") {
				return true
			}
		}
	}
	return false
}

// hides reports whether a name that is in a place, with generic arguments or without, means a type inside a function and not the library's.
func (n *namesakes) hides(name string, place namePlace, withArgs bool) bool {
	t, ok := n.library[name]
	return !ok || !withArgs && (t.library != ir.Protocol || !place.isConstraint())
}

// hidesLibrary reports whether a type inside a function is called like one of the library.
func (n *namesakes) hidesLibrary(name string) bool {
	if n == nil {
		return false
	}
	_, ok := n.library[name]
	return ok
}

// eachSymbol calls yield for each mangled name after an @ in a text.
func eachSymbol(text string, yield func(string)) {
	for {
		n := strings.Index(text, "@")
		if n < 0 {
			return
		}
		text = strings.TrimPrefix(text[n+1:], `"`)
		end := 0
		for end < len(text) && class[text[end]]&clsIdent != 0 || end < len(text) && text[end] == '$' {
			end++
		}
		if strings.HasPrefix(text, "$s") {
			yield(text[:end])
		}
		text = text[end:]
	}
}

// mentionsLocal reports whether a symbol may mention a type inside a function, for which the mangling has L_, L0_, L1_ and so on.
func mentionsLocal(symbol string) bool {
	for {
		_, after, ok := strings.Cut(symbol, "L")
		if !ok {
			return false
		}
		if strings.HasPrefix(strings.TrimLeft(after, "0123456789"), "_") {
			return true
		}
		symbol = after
	}
}

// in returns the types that the ambiguous names stand for in the item of a symbol. Names that it does not tell are left out.
func (n *namesakes) in(symbol string) map[string]string {
	names := n.locals(symbol)
	if names != nil {
		n.private.add(names, symbol, "", func(yield func(string)) { yield(symbol) }, "")
	}
	return names
}

// locals is in for types inside functions.
func (n *namesakes) locals(symbol string) map[string]string {
	if n == nil {
		return nil
	}
	names := map[string]string{}
	for name, number := range n.stray[symbol] {
		names[name] = ir.Namesake(name, number)
	}
	if len(n.types) == 0 {
		return names
	}
	if symbol == ir.EntryPoint {
		for name, types := range n.types {
			switch stray := names[name] != ""; {
			case stray && slices.ContainsFunc(types, isScript):
				delete(names, name) // the top-level code has one of each
			case !stray && n.script[name] != "":
				names[name] = n.script[name]
			}
		}
		return names
	}
	mentioned, places := mangle.Locals(symbol)
	for name, types := range n.types {
		if at := n.meant(types, mentioned, places); at >= 0 {
			names[name] = ir.Namesake(name, at+1)
		}
	}
	return names
}

// meant returns which of the types of a name an item means, -1 when that is not clear: the one that it mentions, or else the innermost one
// around it.
func (n *namesakes) meant(types, mentioned []mangle.Local, places map[string]bool) int {
	at, innermost, twice := -1, -1, false
	for k, l := range types {
		if slices.Contains(mentioned, l) {
			if at >= 0 {
				return -1
			}
			at = k
		}
		if !places[l.Context] {
			continue
		}
		switch {
		case innermost < 0 || len(l.Context) > len(types[innermost].Context):
			innermost, twice = k, false
		case l.Context == types[innermost].Context:
			twice = true
		}
	}
	switch {
	case at >= 0:
		return at
	case twice:
		return -1
	}
	return innermost
}

// inTable is in for a vtable or witness table whose text begins the argument: the functions that it lists tell.
func (n *namesakes) inTable(text string) map[string]string {
	if n == nil {
		return nil
	}
	if end := strings.Index(text, "\n}"); end >= 0 {
		text = text[:end]
	}
	head, _, _ := strings.Cut(text, "{")
	names := map[string]string{}
	for name, types := range n.types {
		if !strings.Contains(head, name) && !strings.Contains(text, ">"+name+".") { // a nested class alone is named by the head of its vtable
			continue
		}
		var all []mangle.Local
		eachSymbol(text, func(symbol string) {
			mentioned, _ := mangle.Locals(symbol)
			all = append(all, mentioned...)
		})
		if at := n.meant(types, all, nil); at >= 0 {
			names[name] = ir.Namesake(name, at+1)
		}
	}
	n.private.add(names, "", "", func(yield func(string)) { eachSymbol(text, yield) }, text)
	return names
}

// inBody is in for the text of a function's body; source is its Swift file, "" when that is not known. A name that a type outside of functions has too means that one, unless the text has members
// of the other: then it means none.
func (n *namesakes) inBody(symbol, source, text string) map[string]string {
	names := n.locals(symbol)
	if n == nil {
		return nil
	}
	n.private.add(names, symbol, source, func(yield func(string)) { yield(symbol); eachSymbol(text, yield) }, text)
	for name := range n.top {
		if names[name] != "" {
			continue
		}
		for rest := text; ; {
			_, after, ok := cutLocal(rest)
			if !ok {
				break
			}
			if strings.HasPrefix(after, name+".") {
				names[name] = ir.Namesake(name, 0)
				break
			}
			rest = after
		}
	}
	return names
}

// beside returns which type of a name a type inside a function means, "" when that is not clear: the one that is declared in the same place.
func (n *namesakes) beside(own, name string) string {
	if !n.isUnclear(name) {
		return name
	}
	for at, l := range append(n.types[ir.PlainName(own)], n.one[own]) {
		if ir.Namesake(l.Name, at+1) != own && l.Name != own {
			continue
		}
		for k, other := range n.types[name] {
			if other.Context == l.Context && other.Number == l.Number {
				return ir.Namesake(name, k+1)
			}
		}
	}
	return ""
}

// isUnclear reports whether a name stands for several types.
func (n *namesakes) isUnclear(name string) bool { return n != nil && n.types[name] != nil }

// isPrivate reports whether a name stands for types of several files.
func (n *namesakes) isPrivate(name string) bool {
	return n != nil && n.private != nil && n.private.types[name] != nil
}

// spreadConformances deals with the witness tables of which no function tells the type, because they are empty. When all types of the name
// have one, each conforms; otherwise it is not known which, and none is declared.
func (l *load) spreadConformances(found map[string]*localType) {
	if l.namesakes == nil {
		return
	}
	type conformance struct{ name, protocol string }
	empty := map[conformance][]*ir.WitnessTable{}
	for _, w := range l.mod.WitnessTables {
		if t := w.Conformance.Type; t != nil && t.Parent == nil && l.namesakes.isUnclear(t.Name) && !l.namesakes.top[t.Name] {
			c := conformance{t.Name, w.Conformance.Protocol.QualifiedName()}
			empty[c] = append(empty[c], w)
		}
	}
	for c, tables := range empty {
		types := len(l.namesakes.types[c.name])
		for k := range types {
			own := ir.Namesake(c.name, k+1)
			if len(tables) == types {
				tables[k].Conformance.Type = l.mod.Types.Nominal(nil, own)
			} else if t := found[own]; t != nil {
				t.bad = "it is not known whether it conforms to " + c.protocol
			}
		}
	}
}

// strayGroup is what bodies with one outermost function say of a type of which their symbols tell nothing.
type strayGroup struct {
	name      string
	outermost string
	symbols   []string
	members   map[string]bool
}

// findStrays finds the types that no symbol mentions, such as an enum without methods: a body has members of a type of that name, and it
// neither lies in what declares the known ones nor has any of their members. Where it has some, nothing is known: the optimizer may have
// put there what the other function does.
func (l *load) findStrays() {
	n := l.namesakes
	if n == nil {
		return
	}
	known := map[string]map[string]bool{}
	groups := map[[2]string]*strayGroup{}
	var order []*strayGroup
	for _, b := range l.bodies {
		members := map[string]map[string]bool{}
		eachLocalMember(b.p.lex.src[b.from:b.to], func(name, member string) { note(members, name, member) })
		if len(members) == 0 {
			continue
		}
		names := n.in(b.fn.Name)
		mentioned, places := mangle.Locals(b.fn.Name)
		for name, of := range members {
			one, single := n.one[name]
			if names[name] != "" || single && n.meant([]mangle.Local{one}, mentioned, places) >= 0 {
				for m := range of {
					note(known, name, m)
				}
				continue
			}
			at := [2]string{name, mangle.Outermost(b.fn.Name)}
			g := groups[at]
			if g == nil {
				g = &strayGroup{name: name, outermost: at[1], members: map[string]bool{}}
				groups[at] = g
				order = append(order, g)
			}
			g.symbols = append(g.symbols, b.fn.Name)
			maps.Copy(g.members, of)
		}
	}
	n.stray, n.strayAt = map[string]map[string]int{}, map[string]map[string]int{}
	byName := map[string][]*strayGroup{}
	for _, g := range order {
		byName[g.name] = append(byName[g.name], g)
	}
	for name, of := range byName {
		number := max(len(n.types[name]), 1) + 1
		for k, g := range of {
			alone := disjoint(g.members, known[name])
			for j, other := range of {
				alone = alone && (j == k || disjoint(g.members, other.members))
			}
			if !alone || len(of) == 1 && len(known[name]) == 0 {
				continue
			}
			for _, symbol := range g.symbols {
				if n.stray[symbol] == nil {
					n.stray[symbol] = map[string]int{}
				}
				n.stray[symbol][name] = number
			}
			if n.strayAt[g.outermost] == nil {
				n.strayAt[g.outermost] = map[string]int{}
			}
			n.strayAt[g.outermost][name] = number
			number++
		}
	}
}

// inPlace is in for what the optimizer took out of a function: it may mean what only the body of that function tells.
func (n *namesakes) inPlace(symbol string) map[string]string {
	if n == nil || len(n.strayAt) == 0 {
		return nil
	}
	names := n.in(symbol)
	mentioned, places := mangle.Locals(symbol)
	for name, number := range n.strayAt[mangle.Outermost(symbol)] {
		one, single := n.one[name]
		if names[name] == "" && !(single && n.meant([]mangle.Local{one}, mentioned, places) >= 0) {
			names[name] = ir.Namesake(name, number)
		}
	}
	return names
}

func note(sets map[string]map[string]bool, name, member string) {
	if sets[name] == nil {
		sets[name] = map[string]bool{}
	}
	sets[name][member] = true
}

func disjoint(a, b map[string]bool) bool {
	for m := range a {
		if b[m] {
			return false
		}
	}
	return true
}

// eachLocalMember calls yield for each reference to a member of a type inside a function.
func eachLocalMember(text string, yield func(name, member string)) {
	for {
		_, after, ok := cutLocal(text)
		if !ok {
			return
		}
		text = after
		name := after[:scanIdent(after, 0)]
		if rest, ok := strings.CutPrefix(after[len(name):], "."); ok && name != "" {
			yield(name, rest[:scanIdent(rest, 0)])
		}
	}
}
