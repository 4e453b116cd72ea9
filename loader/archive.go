package loader

import (
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode"

	"silvm/ir"
	"silvm/ir/source"
)

// Library is the text of a Swift module with its index. It is read in pieces, as programs reach them; several loads may share it, one
// after the other.
type Library struct {
	Module string // "Swift"
	name   string // of the file, for messages
	text   io.ReaderAt
	index  *libraryIndexFile
	wrong  error // why a piece could not be read, the first time that happened
}

// OpenLibrary takes the text of a Swift module, size bytes, with the index that BuildIndex made of it for this maker. The error is errIndex when the index
// is of another version, damaged, or not that of a text of this size; other changes of the text show when a piece is read, see Err.
func OpenLibrary(module, name string, text io.ReaderAt, size int64, index []byte, maker uint32) (*Library, error) {
	x, err := decodeIndex(index, size, maker)
	if err != nil {
		return nil, err
	}
	return &Library{Module: module, name: name, text: text, index: x}, nil
}

// Err says why a piece of the text could not be read, nil while all could.
func (b *Library) Err() error { return b.wrong }

// errChanged is for a text that is not what its index was made of.
var errChanged = errors.New("the text of the library was changed since its index was made")

// piece reads a part of the text.
func (b *Library) piece(e extent) (string, error) {
	data := make([]byte, e.len)
	n, err := b.text.ReadAt(data, int64(e.off))
	if n == len(data) {
		err = nil
		if checksum(data) != e.sum {
			err = errChanged
		}
	}
	if err != nil && b.wrong == nil {
		b.wrong = err
	}
	return string(data[:n]), err
}

// archive is the libraries that a load links from. A nil archive has nothing.
type archive struct {
	load    *load
	members []*archiveMember
	asked   map[indexKey]bool // what was entered, or is not there
}

type indexKey struct {
	kind        byte
	name, other string
}

// archiveMember is one library in one load.
type archiveMember struct {
	*Library
	file   *source.File
	parser parser // what all pieces share
}

// memberItem is an item of a library.
type memberItem struct {
	*archiveMember
	indexRecord
}

// openArchive makes the libraries known before the program is read: what types are called is asked early. A module that silvm brings along takes
// the place of the toolchain's.
func (l *load) openArchive(texts []string) {
	if l.opts.Unlinked {
		return
	}
	own := append(ownModules(texts), headModules(texts, l.opts.Libraries)...)
	if len(l.opts.Libraries)+len(own) == 0 {
		return
	}
	l.archive = &archive{load: l, asked: map[indexKey]bool{}}
	for _, b := range own {
		l.archive.members = append(l.archive.members, &archiveMember{Library: b})
	}
	for _, b := range l.opts.Libraries {
		if !slices.ContainsFunc(own, func(o *Library) bool { return o.Module == b.Module }) {
			l.archive.members = append(l.archive.members, &archiveMember{Library: b})
		}
	}
}

// linkArchive links the libraries to a program whose own declarations are known. A program in Embedded mode has all that it needs, in another
// layout; one that has the text of the standard library among its files uses that.
func (l *load) linkArchive() {
	a := l.archive
	if a == nil {
		return
	}
	if l.mod.Embedded || l.library != nil {
		l.archive = nil
		return
	}
	for _, m := range a.members {
		f, err := l.mod.Files.AddLater(m.name, m.index.size, func() string {
			data := make([]byte, m.index.size)
			n, _ := m.text.ReadAt(data, 0) // positions in a text that is gone have no lines
			return string(data[:n])
		})
		if err != nil {
			l.diags.Errorf(0, "file-too-large", "%s: %v", m.name, err)
			l.archive = nil
			return
		}
		f.Ours = true
		m.file = f
		m.parser = parser{mod: l.mod, ts: l.mod.Types, file: f, diags: l.diags, opts: l.opts, load: l,
			symbols: map[string]*ir.SymbolAux{}, members: map[string]*ir.MemberAux{},
			ints: map[string]*ir.IntAux{}, builtins: map[string]*ir.BuiltinAux{}, vars: map[string]*ir.DebugVar{}}
	}
	l.mod.Archive = a
	l.mod.SetLibrary(func(m *ir.Module, name string) {
		declareLibrary(m, name)
		a.declare(name)
	})
	for _, item := range l.mod.Items {
		if f, ok := item.(*ir.Function); ok && f.IsDeclaration() {
			a.function(f.Name, true)
		}
	}
	for _, m := range a.members {
		from, to := m.index.prefixed(keyDeinit, "")
		for i := from; i < to; i++ {
			root, _, _ := strings.Cut(m.index.key(i)[1:], ".")
			if d := l.mod.Nominals[root]; d != nil && d.Builtin { // declared before the libraries were there
				a.deinits(root)
			}
		}
	}
}

// has reports whether a position is in a library of the archive.
func (a *archive) has(pos source.Pos) bool {
	if a == nil {
		return false
	}
	f := a.load.mod.Files.File(pos)
	for _, m := range a.members {
		if m.file == f && f != nil {
			return true
		}
	}
	return false
}

// Holds implements ir.Archive.
func (a *archive) Holds(item ir.Item) bool {
	switch x := item.(type) {
	case *ir.Function: // one that a pass made is where what it was made of does
		return a.has(x.Pos) && slices.ContainsFunc(a.find(keyFunction, x.Name), func(it memberItem) bool { return it.body.len > 0 })
	case *ir.Global:
		return a.has(x.Pos) && a.holds(keyGlobal, x.Name)
	}
	return false
}

// Forget implements ir.Archive.
func (a *archive) Forget(name string) {
	delete(a.asked, indexKey{keyFunction, name, ""})
	delete(a.asked, indexKey{keyGlobal, name, ""})
	delete(a.load.defined, name)
}

// once reports whether something is asked for the first time.
func (a *archive) once(kind byte, name, other string) bool {
	k := indexKey{kind, name, other}
	if a.asked[k] {
		return false
	}
	a.asked[k] = true
	return true
}

// find returns the items with a key, in the order of the libraries.
func (a *archive) find(kind byte, name string) []memberItem {
	var found []memberItem
	for _, m := range a.members {
		for i, to := m.index.find(kind, name); i < to; i++ {
			found = append(found, memberItem{m, m.index.record(i)})
		}
	}
	return found
}

// holds reports whether a library has an item with that key.
func (a *archive) holds(kind byte, name string) bool { return a != nil && len(a.find(kind, name)) > 0 }

// hasType reports whether a module besides the standard library, such as Foundation, declares a type of that name which the programs of the texts
// may see by importing one, and of which kind.
func (a *archive) hasType(name string, texts []string) (t takenType, ok bool) {
	if a == nil || !slices.ContainsFunc(texts, importsFoundation) {
		return t, false
	}
	var lines strings.Builder
	for _, it := range a.find(keyType, name) {
		if text, err := it.piece(it.item); err == nil && it.Module != "Swift" {
			lines.WriteString(strings.ReplaceAll(text, "\n", " ") + "\n")
		}
	}
	return libraryHas(name, lines.String())
}

// importsFoundation reports whether a program imports Foundation or what comes with it.
func importsFoundation(text string) bool {
	return strings.Contains(text, "\nimport Foundation") || strings.Contains(text, " Foundation.") || strings.Contains(text, "import Dispatch\n")
}

// open returns a parser at the beginning of a piece, nil with an error reported when it can't be read.
func (m *archiveMember) open(e extent) *parser {
	text, err := m.piece(e)
	if err != nil {
		m.parser.diags.Errorf(m.file.Base, "library-changed", "%s: %v", m.name, err)
		return nil
	}
	p := m.parser
	p.text, p.lex = text, lexer{src: text, base: m.file.Base + source.Pos(e.off)}
	p.next()
	return &p
}

// read opens an item of a library and enters it with rule.
func (it memberItem) read(rule func(*parser)) {
	p := it.open(it.item)
	if p == nil {
		return
	}
	l := p.load
	inits := len(l.inits)
	if it.body.len > 0 {
		p.memberBody = it.readBody
	}
	rule(p)
	pending := l.inits[inits:]
	l.inits = l.inits[:inits:inits]
	for _, in := range pending {
		in.parse()
	}
}

// readBody returns a function its blocks.
func (it memberItem) readBody(f *ir.Function) error {
	p := it.open(it.body)
	if p == nil {
		return it.wrong
	}
	return p.lazyBody(f, 0, len(p.text))
}

// Function implements ir.Archive.
func (a *archive) Function(name string) { a.function(name, false) }

// function enters a function, the definition if a library has one; with defined, that alone.
func (a *archive) function(name string, defined bool) {
	if !a.once(keyFunction, name, "") {
		return
	}
	found := a.find(keyFunction, name)
	for _, it := range found {
		if it.body.len > 0 {
			it.read((*parser).parseFunction)
			return
		}
	}
	if len(found) > 0 && !defined {
		found[0].read((*parser).parseFunction)
	}
}

// Global implements ir.Archive.
func (a *archive) Global(name string) {
	if a.once(keyGlobal, name, "") {
		for _, it := range a.find(keyGlobal, name) {
			it.read((*parser).parseGlobal)
		}
	}
}

// VTable implements ir.Archive.
func (a *archive) VTable(class string) {
	if a.once(keyVTable, class, "") {
		for _, it := range a.find(keyVTable, class) {
			it.read((*parser).parseVTable)
		}
	}
}

// WitnessTables implements ir.Archive.
func (a *archive) WitnessTables(typ, protocol string) {
	if !a.once(keyWitness, typ, protocol) {
		return
	}
	if protocol != "" {
		for _, it := range a.find(keyWitness, typ+"\x00"+protocol) {
			it.read((*parser).parseWitnessTable)
		}
		return
	}
	for _, m := range a.members {
		from, to := m.index.prefixed(keyWitness, typ+"\x00")
		for i := from; i < to; i++ {
			_, name, _ := strings.Cut(m.index.key(i), "\x00")
			a.WitnessTables(typ, name)
		}
	}
}

// FunctionNames implements ir.Archive.
func (a *archive) FunctionNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, m := range a.members {
			for i := range m.index.count {
				if key := m.index.key(i); key[0] == keyFunction && !yield(key[1:]) {
					return
				}
			}
		}
	}
}

// declare enters the type of that name at the top of a library, with its extensions. The types that silvm knows by itself are left alone,
// see findLibrary.
func (a *archive) declare(root string) {
	l := a.load
	a.deinits(root)
	if inLibrary(l.mod, root) {
		return
	}
	var parsers []*parser
	var tops []*ir.Nominal
	for _, it := range a.find(keyType, root) {
		p := it.open(it.item)
		if p == nil {
			return
		}
		if d := p.declaration(nil); d != nil {
			d.Module = it.Module
			tops = append(tops, d)
			parsers = append(parsers, p)
		}
	}
	if len(tops) == 0 {
		return
	}
	l.readDecls(parsers, tops)
	l.finishDecls(tops)
}

// Nested implements ir.Archive: Foundation's String.Encoding and the like. Of the extensions only the one that declares the type is read.
func (a *archive) Nested(root, name string) {
	l := a.load
	if !inLibrary(l.mod, root) || !a.once(keyType, root, name) {
		return
	}
	for _, it := range a.find(keyType, root) {
		text, err := it.piece(it.item)
		if it.Module == "Swift" || err != nil || !declares(text, name) {
			continue
		}
		p := it.open(it.item)
		if p == nil {
			return
		}
		if d := p.declaration(nil); d != nil && d.Kind == ir.ExtensionDecl {
			d.Module = it.Module
			tops := []*ir.Nominal{d}
			l.readDecls([]*parser{p}, tops)
			l.finishDecls(tops)
		}
	}
}

// declares reports whether the text of an extension declares a type of that name in it.
func declares(text, name string) bool {
	for line := range strings.Lines(text) {
		for _, word := range [...]string{"struct ", "enum ", "class ", "actor "} {
			_, rest, _ := strings.Cut(line, word)
			if rest, ok := strings.CutPrefix(rest, name); ok && strings.IndexFunc(rest, isNotInName) == 0 {
				return true
			}
		}
	}
	return false
}

func isNotInName(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// deinits enters what destroys the values of a noncopyable type and of the types in it.
func (a *archive) deinits(root string) {
	for _, m := range a.members {
		from, to := m.index.prefixed(keyDeinit, root)
		for i := from; i < to; i++ {
			r := m.index.record(i)
			if rest := r.key[1+len(root):]; rest != "" && rest[0] != '.' {
				continue
			}
			memberItem{m, r}.read(func(p *parser) {
				p.parseDeinitTable()
				for _, d := range p.deinits {
					if f := p.mod.Func(d.fn); f != nil && p.mod.Deinits[d.of(f)] == nil {
						p.mod.Deinits[d.of(f)] = f
					}
				}
			})
		}
	}
}

// typeName tells what the libraries say of the name of a type, see load.names.
func (a *archive) typeName(name string) typeName {
	if a == nil {
		return typeName{}
	}
	if a.holds(keyProtocol, name) {
		return typeName{protocol: true}
	}
	for _, it := range a.find(keyAlias, name) {
		if text, err := it.piece(it.item); err == nil {
			return typeName{alias: &alias{of: -1, text: strings.TrimSpace(text)}}
		}
	}
	return typeName{}
}
