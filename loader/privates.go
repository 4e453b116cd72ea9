package loader

import (
	"slices"
	"sort"
	"strings"

	"silvm/ir"
	"silvm/ir/mangle"
)

// Each file of a module may declare a private type of the same name, and the text says just that name. Symbols say which file they mean:
// its private names carry one discriminator. The declarations come file by file, without saying where a file ends; so which of them belongs
// to which discriminator follows from the members that both have, and from what stands around.

// privates are the names that several declarations at the top of the text have, some of which are private.
type privates struct {
	types   map[string][]*topDecl                 // those of a name, in the order of the text
	decls   map[int][]*topDecl                    // all of a text, by its number, in order
	sources map[string]map[string]bool            // the name of a Swift file that debug info tells -> its files in symbols
	byFile  map[string]map[string]string          // what the names mean in a file
	members map[string]map[string]map[string]bool // what symbols say: the name of a type -> its file -> its members
	owners  map[string]map[string]bool            // what has no type of these around it: its name, or that of its type -> the files
	bodies  map[string]map[string]bool            // the same for what the bodies of functions mention, see gatherBodies
}

// topDecl is a declaration at the top of a text.
type topDecl struct {
	at, end    int // offsets of its line, and after it
	word, name string
	private    bool
	members    map[string]bool
	file       string // "" while it is not known
	number     int    // among those of its name, from 1
}

// entityWords begin what is no type or extension; their symbols tell the file of what stands around them.
var entityWords = []string{"func", "var", "let"}

// findPrivates finds them, nil when there are none.
func findPrivates(texts []string) *privates {
	count, private := map[string]int{}, map[string]bool{}
	for _, text := range texts {
		for word := range nominalKinds {
			eachTopDecl(text, word, func(d topDecl) {
				if d.isType() {
					count[d.name]++
					private[d.name] = private[d.name] || d.private
				}
			})
		}
	}
	p := &privates{types: map[string][]*topDecl{}, decls: map[int][]*topDecl{}}
	for name, n := range count {
		if n > 1 && private[name] {
			p.types[name] = nil
		}
	}
	if len(p.types) == 0 {
		return nil
	}
	for n, text := range texts {
		add := func(d topDecl) {
			d.members = membersIn(text[d.at:d.end])
			p.decls[n] = append(p.decls[n], &d)
		}
		for word := range nominalKinds {
			eachTopDecl(text, word, add)
		}
		for _, word := range entityWords {
			eachTopDecl(text, word, add)
		}
		sort.Slice(p.decls[n], func(i, j int) bool { return p.decls[n][i].at < p.decls[n][j].at })
		for _, d := range p.decls[n] {
			if of, ok := p.types[d.name]; ok && d.isType() {
				d.number = len(of) + 1
				p.types[d.name] = append(of, d)
			}
		}
	}
	order := p.gather(texts)
	p.gatherBodies(texts)
	for name := range p.types {
		p.assign(name, order)
	}
	p.settle()
	return p
}

// eachTopDecl calls yield for each declaration that begins with a word, after attributes and modifiers, at the start of a line.
func eachTopDecl(text, word string, yield func(topDecl)) {
	declared(text, word+" ", func(before, name, rest string) {
		if strings.TrimLeft(before, " \t") != before {
			return
		}
		d := topDecl{word: word, name: name}
		from := len(text) - len(rest)
		d.at = strings.LastIndexByte(text[:from], '\n') + 1
		line, _, _ := strings.Cut(rest, "\n")
		d.end = from + len(line)
		if strings.HasSuffix(strings.TrimRight(line, " "), "{") {
			if n := strings.Index(text[d.end:], "\n}"); n >= 0 {
				d.end += n
			}
		}
		d.private = slices.ContainsFunc(strings.Fields(before), func(w string) bool { return w == "private" || w == "fileprivate" })
		yield(d)
	})
}

// membersIn returns the names that a declaration declares.
func membersIn(text string) map[string]bool {
	out := map[string]bool{}
	for _, line := range strings.Split(text, "\n")[1:] {
		for rest := strings.TrimLeft(line, " "); rest != ""; {
			word, after, _ := strings.Cut(rest, " ")
			if declWords[word] || nominalKinds[word] != 0 {
				eachName(after, word == "case", func(name string) { out[name] = true })
				break
			}
			rest = after
		}
	}
	return out
}

// eachName calls yield for the name at the beginning of a text; in a list of cases for those after commas too.
func eachName(text string, list bool, yield func(string)) {
	for depth, start := 0, true; text != ""; {
		if end := scanIdent(text, 0); start && end > 0 {
			yield(text[:end])
			text, start = text[end:], false
			continue
		}
		switch text[0] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			start = list && depth == 0
		}
		if text = text[1:]; !list {
			return
		}
		text = strings.TrimLeft(text, " ")
	}
}

// gather reads the symbols. It returns the files in the order of the functions that are defined for their private declarations.
func (p *privates) gather(texts []string) (order []string) {
	p.members, p.owners = map[string]map[string]map[string]bool{}, map[string]map[string]bool{}
	p.sources = map[string]map[string]bool{}
	seen := map[string]bool{}
	for _, text := range texts {
		p.gatherSources(text)
		eachSymbol(text, func(symbol string) {
			if seen[symbol] || !strings.Contains(symbol, "LL") {
				return
			}
			seen[symbol] = true
			for _, x := range mangle.Privates(symbol) {
				if !slices.Contains(order, x.File) {
					order = append(order, x.File)
				}
				switch {
				case x.Type == "":
					note(p.owners, x.Member, x.File)
				case x.IsType:
					if p.members[x.Type] == nil {
						p.members[x.Type] = map[string]map[string]bool{}
					}
					note(p.members[x.Type], x.File, x.Member)
				default:
					note(p.owners, x.Type, x.File)
				}
			}
		})
	}
	return order
}

// assign finds the files of the declarations of a name: a file goes with the declaration that has most of the members that symbols of the
// file mention, and what is left over in both goes together in order.
func (p *privates) assign(name string, order []string) {
	decls := p.types[name]
	var files []string
	for _, f := range order {
		if p.members[name][f] != nil {
			files = append(files, f)
		}
	}
	shared := func(d *topDecl, file string) (n int) {
		for m := range p.members[name][file] {
			if d.members[m] {
				n++
			}
		}
		return n
	}
	for again := true; again; {
		again = false
		for k, file := range files {
			best, most, tie := -1, 0, false
			for j, d := range decls {
				if n := shared(d, file); d.file == "" && n >= most && n > 0 {
					best, most, tie = j, n, n == most && best >= 0
				}
			}
			if best < 0 || tie {
				continue
			}
			decls[best].file, again = file, true
			files = slices.Delete(files, k, k+1)
			break
		}
	}
	var left []*topDecl
	for _, d := range decls {
		if d.file == "" && (d.private || len(files) == len(decls)) {
			left = append(left, d)
		}
	}
	if len(left) == len(files) {
		for k, d := range left {
			d.file = files[k]
		}
	}
}

// settle finds the files of the other declarations, as far as their own private members or the declarations before and after it tell, and
// what each name means in each file.
func (p *privates) settle() {
	for _, decls := range p.decls {
		for _, d := range decls {
			switch {
			case d.isExtension():
				d.file = p.extender(d)
			case d.number > 0:
			case d.private && p.members[d.name] != nil:
				d.file = only(p.members[d.name])
			default:
				d.file = only(p.owners[d.name])
			}
		}
		for again := true; again; {
			again = false
			for n, d := range decls {
				if d.file == "" {
					d.file = p.between(d, nearestFile(decls[:n], true), nearestFile(decls[n+1:], false))
					again = again || d.file != ""
				}
			}
		}
	}
	p.byFile = map[string]map[string]string{}
	for name, decls := range p.types {
		for _, d := range decls {
			if d.file == "" {
				continue
			}
			if p.byFile[d.file] == nil {
				p.byFile[d.file] = map[string]string{}
			}
			p.byFile[d.file][name] = ir.Namesake(name, d.number)
		}
	}
}

// extender returns the file of an extension, by the members that symbols mention.
func (p *privates) extender(d *topDecl) string {
	found := ""
	for file, members := range p.members[d.name] {
		for m := range d.members {
			if members[m] {
				if found != "" && found != file {
					return ""
				}
				found = file
			}
		}
	}
	return found
}

func (d *topDecl) isType() bool {
	kind := nominalKinds[d.word]
	return kind != 0 && kind != ir.ExtensionDecl
}

func (d *topDecl) isExtension() bool { return nominalKinds[d.word] == ir.ExtensionDecl }

// only returns the key of a map that has one; "" otherwise.
func only[T any](m map[string]T) (key string) {
	for key = range m {
	}
	if len(m) != 1 {
		return ""
	}
	return key
}

// fileOf returns the file in which what a symbol stands for is declared, as far as what is around it at the top of the text tells.
func (p *privates) fileOf(symbol string) (file string) {
	name := mangle.OutermostName(symbol)
	if name == "" {
		return ""
	}
	for _, decls := range p.decls {
		for _, d := range decls {
			if d.name != name {
				continue
			}
			if d.file == "" || file != "" && file != d.file {
				return ""
			}
			file = d.file
		}
	}
	return file
}

// nearestFile returns the file of the last or first declaration whose file is known.
func nearestFile(decls []*topDecl, last bool) string {
	for n := range decls {
		if last {
			n = len(decls) - 1 - n
		}
		if decls[n].file != "" {
			return decls[n].file
		}
	}
	return ""
}

// between returns the file of a declaration that is between declarations of known files, "" when that is not clear.
func (p *privates) between(d *topDecl, front, behind string) string {
	if d.number > 0 {
		front, behind = p.without(d.name, front), p.without(d.name, behind)
	}
	switch {
	case front == behind, behind == "", d.isExtension() && p.types[d.name] != nil:
		return front
	case front == "":
		return behind
	}
	if f := only(p.bodies[d.name]); f == front || f == behind {
		return f
	}
	return ""
}

// without returns a file unless it is known to have a declaration of a name.
func (p *privates) without(name, file string) string {
	if slices.ContainsFunc(p.types[name], func(d *topDecl) bool { return d.file == file }) {
		return ""
	}
	return file
}

// inDecl returns what the names mean in the declaration at an offset of a text.
func (p *privates) inDecl(text, at int) map[string]string {
	if p == nil {
		return nil
	}
	decls := p.decls[text]
	n := sort.Search(len(decls), func(n int) bool { return decls[n].at > at }) - 1
	if n < 0 || at > decls[n].end {
		return nil
	}
	d := decls[n]
	if d.number == 0 {
		return p.byFile[d.file]
	}
	names := map[string]string{d.name: ir.Namesake(d.name, d.number)}
	for name, own := range p.byFile[d.file] {
		names[name] = own
	}
	return names
}

// add puts what the names mean in text that has symbols into names: each that the symbols tell, or else the file of which alone they have
// private declarations, or else the file in which own is declared, the one that debug info tells, or the one whose types' members the text
// has.
func (p *privates) add(names map[string]string, own, source string, symbols func(yield func(string)), text string) {
	if p == nil {
		return
	}
	mentioned, files := map[string]map[string]bool{}, map[string]bool{}
	symbols(func(symbol string) {
		if !strings.Contains(symbol, "LL") {
			return
		}
		for _, x := range mangle.Privates(symbol) {
			if x.IsType {
				note(mentioned, x.Type, x.File)
			}
			files[x.File] = true
		}
	})
	for _, other := range []func() string{
		func() string { return p.fileOf(own) },
		func() string { return only(p.sources[source]) },
		func() string { return p.fileOfMembers(text) },
	} {
		if len(files) == 0 {
			if f := other(); f != "" {
				files[f] = true
			}
		}
	}
	for name, decls := range p.types {
		if names[name] != "" {
			continue
		}
		from := mentioned[name]
		if len(from) == 0 {
			from = files
		}
		var meant []*topDecl
		for _, d := range decls {
			if d.file != "" && from[d.file] {
				meant = append(meant, d)
			}
		}
		if len(meant) == 1 {
			names[name] = ir.Namesake(name, meant[0].number)
		}
	}
}

// fileOfMembers returns the one file whose declarations of the names have the members that a text mentions, "" when there is none.
func (p *privates) fileOfMembers(text string) string {
	used := map[string]map[string]bool{}
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, "#")
		if !ok {
			break
		}
		rest = after
		name := after[:scanIdent(after, 0)]
		if member, ok := strings.CutPrefix(after[len(name):], "."); ok && p.types[name] != nil {
			note(used, name, member[:scanIdent(member, 0)])
		}
	}
	found := ""
	for name, members := range used {
		var of []*topDecl
		for _, d := range p.types[name] {
			if hasAll(d.members, members) {
				of = append(of, d)
			}
		}
		switch {
		case len(of) != 1:
		case of[0].file == "" || found != "" && found != of[0].file:
			return ""
		default:
			found = of[0].file
		}
	}
	return found
}

func hasAll(set, members map[string]bool) bool {
	for m := range members {
		if !set[m] {
			return false
		}
	}
	return true
}

// gatherSources reads which private functions debug info puts into which Swift file.
func (p *privates) gatherSources(text string) {
	for {
		_, after, ok := strings.Cut(text, "{ loc \"")
		if !ok {
			return
		}
		text = after
		line, _, _ := strings.Cut(after, "\n")
		source, rest, _ := strings.Cut(line, "\"")
		if _, rest, ok = strings.Cut(rest, " parent @"); !ok {
			continue
		}
		eachSymbol("@"+rest, func(symbol string) {
			for _, x := range mangle.Privates(symbol) {
				note(p.sources, source, x.File)
			}
		})
	}
}

// spreadPrivateTables deals with the witness tables of which nothing tells the type or the protocol, because all their functions are gone. When
// there is one for each declaration of the name, they come in the same order.
func (l *load) spreadPrivateTables() {
	type conformance struct{ name, protocol string }
	open := map[conformance][]*ir.WitnessTable{}
	for _, w := range l.mod.WitnessTables {
		if t, p := w.Conformance.Type, w.Conformance.Protocol; t != nil && p != nil && (l.isOpen(t) || l.isOpen(p)) {
			c := conformance{ir.PlainName(t.QualifiedName()), ir.PlainName(p.QualifiedName())}
			open[c] = append(open[c], w)
		}
	}
	for _, tables := range open {
		for k, w := range tables {
			for _, t := range []**ir.Type{&w.Conformance.Type, &w.Conformance.Protocol} {
				if l.isOpen(*t) && len(l.namesakes.private.types[(*t).Name]) == len(tables) {
					*t = l.mod.Types.Nominal(nil, ir.Namesake((*t).Name, k+1), (*t).Args...)
				}
			}
		}
	}
}

// isOpen reports whether it is not known which of several private types is meant.
func (l *load) isOpen(t *ir.Type) bool {
	return t.Kind == ir.KindNominal && t.Parent == nil && l.namesakes.isPrivate(t.Name)
}

// ownPath returns the path of a type or of its member, at an offset, with the name by which the module knows the type.
func (p *parser) ownPath(path string, off int, place namePlace) string {
	name, _, _ := strings.Cut(path, ".")
	if own := p.namesakes[name]; own != "" && p.load.namesakes.isPrivate(name) {
		return own + path[len(name):]
	}
	return p.takenPath(path, off, place)
}

// gatherBodies reads which private declarations the bodies of functions mention, by what has the function around it at the top of the text.
// What was inlined mentions those of its own file, and a specialization those of its type arguments: so several files tell nothing, and
// one tells only between two that are possible.
func (p *privates) gatherBodies(texts []string) {
	p.bodies = map[string]map[string]bool{}
	for _, text := range texts {
		for {
			n := strings.Index(text, "\nsil ")
			if n < 0 {
				break
			}
			text = text[n+len("\nsil "):]
			head, _, _ := strings.Cut(text, "\n")
			if !strings.HasSuffix(head, "{") {
				continue
			}
			body := text
			if end := strings.Index(text, "\n}"); end >= 0 {
				body, text = text[:end], text[end:]
			}
			p.gatherBody(body)
		}
	}
}

// gatherBody is gatherBodies for one function, from its name on.
func (p *privates) gatherBody(text string) {
	if !strings.Contains(text, "LL") {
		return
	}
	own := ""
	eachSymbol(text, func(symbol string) {
		switch {
		case own == "":
			own = symbol
		case !strings.Contains(own, "LL") && strings.Contains(symbol, "LL"):
			for _, x := range mangle.Privates(symbol) {
				note(p.bodies, mangle.OutermostName(own), x.File)
			}
		}
	})
}
