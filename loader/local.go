package loader

import (
	"maps"
	"slices"
	"strings"

	"silvm/ir"
)

// The compiler does not print the declarations of types that are declared inside functions; it only refers to
// their members, as #<abstract function>Point.x or, inside a closure, #<anonymous function>Point.x. What such a type stores is found out from the instructions that
// touch it. The order of a class's fields and of an enum's cases is that in which they are met, which nothing but
// reflection of a class could notice. A type of which more is in doubt stays without a declaration.

// localMark begins what the compiler prints for the function around a local type in a reference to a member: #<abstract function>,
// #<anonymous function>, #<top level code> and so on (lib/SIL/IR/SILPrinter.cpp, printFullContext).
const localMark = "#<"

// cutLocal cuts a text at the first reference to a member of a local type: what comes before it, and what follows the function.
func cutLocal(text string) (before, after string, ok bool) {
	for from := 0; ; {
		n := strings.Index(text[from:], localMark)
		if n < 0 {
			return text, "", false
		}
		at := from + n
		from = at + len(localMark)
		if end := contextEnd(text[from:]); end > 0 {
			return text[:at], text[from+end:], true
		}
	}
}

// contextEnd returns where "abstract function>" at the beginning of a text ends, 0 when there is none.
func contextEnd(text string) int {
	end := 0
	for end < len(text) && (text[end] == ' ' || text[end] >= 'a' && text[end] <= 'z') {
		end++
	}
	if end == 0 || end == len(text) || text[end] != '>' {
		return 0
	}
	return end + 1
}

// cutContext returns the path of a member without the function in front, and whether there is one.
func cutContext(path string) (rest string, ok bool) {
	if !strings.HasPrefix(path, localMark[1:]) {
		return path, false
	}
	end := contextEnd(path[1:])
	return path[min(1+end, len(path)):], end > 0
}

// localType holds the facts about one local type.
type localType struct {
	name    string
	kind    ir.NominalKind
	fields  []ir.Field // found by name, without order
	untold  []string   // fields of which some instruction does not tell the type, although others may
	untyped []string   // fields, and cases with a payload, of which some instruction does not tell the type
	inits   []structInit
	cases   []ir.EnumCase
	supers  []*ir.Type
	upcasts []specialized     // superclasses of S<Int>
	params  int               // generic parameters; fields and payloads speak of them by localParam
	around  int               // those of the types around it
	seen    []specialized     // fields of S<Int>, where no instruction tells those of S<T>
	loosely []ir.Field        // fields that an instruction tells of which the type around them is not known: it may be generic
	loose   bool              // a payload was taken from an instruction that doesn't tell the type of the enum
	heads   map[string]string // name of an untyped field -> the generic type that it is of, without arguments
	getters []string          // the fields in the order of their getters, in code that is not optimized
	labels  []string          // those of the initializer that the compiler makes for the fields, when that one stores one by one
	split   []string          // the fields in the order in which a constant that was taken apart has them; empty when places disagree
	equated []string          // the fields in the order in which the == that the compiler made compares them
	// those that hold references, in the order in which code of the library releases them; empty when places disagree
	replaced []string
	depth    int         // superclasses, itself included; 0 when not yet counted
	protocol *ir.Nominal // of a protocol
	bad      string      // why it can't be declared, "" while it can
}

// structInit is one struct instruction: types and names of the fields in order, where known.
type structInit struct {
	types  []*ir.Type
	names  []string   // of fields of other values, maybe, that have the same values
	labels []string   // in the initializer that the compiler makes for the fields
	args   []*ir.Type // the generic arguments of the struct
	raw    []*ir.Type // the types of the values where types does not have them, as they are for these arguments
}

// locals finds the types that are declared inside functions and declares them. It must run when the declared
// types of all files are known and before the first body is read.
func (l *load) locals() {
	l.findStrays()
	l.readAgain()
	if l.namesakes != nil && l.namesakes.private != nil {
		l.spreadPrivateTables()
	}
	c := &localFinder{mod: l.mod, clashes: l.clashes, taken: l.taken, archive: l.archive, namesakes: l.namesakes, found: map[string]*localType{}}
	for _, p := range l.parsers {
		c.members(p.lex.src)
	}
	constants := l.constants()
	for _, texts := range [][]bodyText{l.bodies, constants} {
		for _, b := range texts {
			if text := b.p.lex.src[b.from:b.to]; strings.Contains(text, " = struct $") {
				c.undeclared(text)
			}
		}
	}
	empty := l.emptyLocals(c)
	c.separate(l.namesakes)
	if len(c.found) == 0 {
		return
	}
	l.localContexts(c.found)
	for _, b := range l.bodies {
		if b.mayHaveLocals() {
			b.p.localEvidence(b, c, l.namesakes.in(b.fn.Name))
		}
	}
	for n, b := range constants {
		if b.mayHaveLocals() {
			b.p.localEvidence(b, c, l.inits[n].namesakes)
		}
	}
	for _, name := range empty {
		t := c.found[name]
		if t == nil {
			continue
		}
		t.be(ir.Struct)
		t.inits = append(t.inits, structInit{})
	}
	l.localVTables(c.found)
	for _, t := range c.found {
		t.superBySeen(l.mod.Types)
	}
	l.localProtocols(c)
	l.spreadConformances(c.found)
	for _, name := range c.order {
		l.declareLocal(c.found, c.found[name])
	}
}

// constants are the initializers of globals, read as the bodies of functions of which nothing is known: the optimizer lays out there what arrays of
// local types have in them, and then nothing else makes a value of such a type.
func (l *load) constants() []bodyText {
	texts := make([]bodyText, len(l.inits))
	for n, in := range l.inits {
		texts[n] = bodyText{&ir.Function{}, in.p, in.from, in.to}
	}
	return texts
}

// emptyLocals finds the structs whose initializer, "init() in E #1 in f()", returns a value without storing anything into it.
func (l *load) emptyLocals(c *localFinder) (empty []string) {
	for _, b := range l.bodies {
		nested, after, ok := cutInit(b.fn.Comment)
		_, after, ok2 := strings.Cut(after, ") in ")
		root, _, ok3 := strings.Cut(after, " #")
		if !ok || !ok2 || !ok3 || scanIdent(root, 0) != len(root) || c.isDeclared(root) {
			continue
		}
		name := strings.TrimSuffix(root+"."+nested, ".")
		text := b.p.lex.src[b.from:b.to]
		if (strings.Contains(text, " = alloc_stack [var_decl] $"+name+", var, name \"self\"") || isLoadedOnly(text, name)) &&
			!strings.Contains(text, localMark) && !strings.Contains(text, "store ") {
			c.add(name)
			if own, ok := l.namesakes.in(b.fn.Name)[root]; ok {
				name = own + strings.TrimPrefix(name, root)
			}
			empty = append(empty, name)
		}
	}
	return empty
}

// isLoadedOnly reports whether the memory that an initializer has for a struct of that name is loaded, and nothing else happens to it: what init
// accessors of computed properties do is in functions of their own.
func isLoadedOnly(text, name string) bool {
	before, after, ok := strings.Cut(text, " = alloc_stack $"+name)
	if !ok || scanIdent(after, 0) > 0 {
		return false
	}
	value := before[strings.LastIndexByte(before, '%'):]
	for {
		n := strings.Index(after, value)
		if n < 0 {
			return true
		}
		line := strings.TrimLeft(after[strings.LastIndexByte(after[:n], '\n')+1:n], " ")
		after = after[n+len(value):]
		if scanIdent(after, 0) == 0 && !strings.HasPrefix(line, "dealloc_stack ") && !strings.HasSuffix(line, " = load ") {
			return false
		}
	}
}

// localFinder gathers the names of local types.
type localFinder struct {
	clashes   map[string]bool
	taken     *takenNames
	namesakes *namesakes
	mod       *ir.Module
	archive   *archive
	found     map[string]*localType
	order     []string
}

// isDeclared reports whether a file or a library declares a type of that name.
func (c *localFinder) isDeclared(name string) bool {
	return c.mod.Nominals[name] != nil || c.clashes[name] || c.taken.has(name) || c.namesakes.isPrivate(name) || inLibrary(c.mod, name) || cStructs()[name] != "" || c.archive.holds(keyType, name)
}

func (c *localFinder) add(name string) {
	if name != "" && c.found[name] == nil {
		c.found[name] = &localType{name: name}
		c.order = append(c.order, name)
	}
}

// separate makes several types of each name that stands for several.
func (c *localFinder) separate(n *namesakes) {
	if n == nil {
		return
	}
	names := c.order
	c.order = nil
	strays := map[string]bool{}
	for _, of := range n.stray {
		for name, number := range of {
			strays[ir.Namesake(name, number)] = true
		}
	}
	for _, own := range slices.Sorted(maps.Keys(strays)) {
		c.add(own)
	}
	for _, name := range names {
		root, nested, _ := strings.Cut(name, ".")
		if !n.isUnclear(root) {
			c.order = append(c.order, name)
			continue
		}
		delete(c.found, name)
		if nested != "" {
			nested = "." + nested
		}
		for k := range n.types[root] {
			c.add(ir.Namesake(root, k+1) + nested)
		}
	}
}

// seenIn returns the types by the names that they have in an item, where names that stand for several types mean what names says.
func (c *localFinder) seenIn(names map[string]string) map[string]*localType {
	if len(names) == 0 {
		return c.found
	}
	seen := maps.Clone(c.found)
	for name, own := range names {
		seen[name] = c.found[own]
		for nested, t := range c.found {
			if rest, ok := strings.CutPrefix(nested, own+"."); ok {
				seen[name+"."+rest] = t
			}
		}
	}
	return seen
}

// members takes the names of the types whose members a text refers to.
func (c *localFinder) members(text string) {
	for {
		_, after, ok := cutLocal(text)
		if !ok {
			return
		}
		text = after
		names := memberPath(text)
		for n := range max(len(names)-1, 1) {
			c.add(strings.Join(names[:n+1], "."))
		}
	}
}

// undeclared takes the names of types that are made and that nobody declares.
func (c *localFinder) undeclared(text string) {
	const mark = " = struct $"
	for {
		n := strings.Index(text, mark)
		if n < 0 {
			return
		}
		text = text[n+len(mark):]
		end := scanIdent(text, 0)
		if name := text[:end]; strings.HasPrefix(text[end:], " (") && (!c.isDeclared(name) || c.namesakes.hidesLibrary(name)) {
			c.add(name)
		}
	}
}

// mayHaveLocals reports whether a body is worth looking through.
func (b *bodyText) mayHaveLocals() bool {
	text := b.p.lex.src[b.from:b.to]
	return strings.Contains(text, localMark) || strings.Contains(text, " = struct $") || strings.Contains(text, " = upcast %")
}

// localEvidence reads what one body says of local types.
func (p *parser) localEvidence(b bodyText, c *localFinder, names map[string]string) {
	found := c.seenIn(names)
	p.fn, p.anyParams, p.namesakes = &funcParser{fn: b.fn}, true, names
	defer func() { p.fn, p.anyParams, p.namesakes = nil, false, nil }()
	p.localMade(b, found)
	p.localGetter(b, found)
	p.localEquated(b, found)
	p.localReplaced(b, found)
	p.localSplit(b, found)
	fragments := fieldNames{}     // what debug_values say
	stored := fieldNames{}        // what stores say
	places := map[string]string{} // address -> the field that lies there
	var inits []pendingInit
	for off := b.from; off < b.to; {
		end := min(endOfLine(p.lex.src, off), b.to)
		line := strings.TrimSpace(p.lex.src[off:end])
		at := off
		off = end + 1
		if value, field := storedTo(line, places); field != "" {
			stored.add(value, field)
		}
		if !strings.Contains(line, localMark) && !strings.Contains(line, "struct $") && !strings.Contains(line, "upcast %") {
			continue
		}
		result, rest, ok := strings.Cut(line, " = ")
		if !ok || !strings.HasPrefix(result, "%") {
			result, rest = "", line
		}
		word, _, _ := strings.Cut(rest, " ")
		switch word {
		case "struct_extract", "struct_element_addr", "ref_element_addr":
			p.localField(b, found, word, result, rest, at)
			if t, name := localMember(found, line); word == "struct_element_addr" && t != nil {
				places[result] = ir.PlainName(t.name) + "." + name
			}
		case "struct":
			if in, ok := p.localInit(b, found, rest, at); ok {
				inits = append(inits, in)
			}
		case "debug_value":
			if value, field, ok := fragment(rest); ok {
				fragments.add(value, field)
			}
		case "upcast":
			p.localUpcast(b, found, rest, at)
		default:
			p.localCase(b, found, result, rest, at)
		}
	}
	for value, name := range stored {
		if _, told := fragments[value]; !told {
			fragments[value] = name
		}
	}
	labels := p.madeLabels(b)
	for _, in := range inits {
		in.t.inits = append(in.t.inits, in.named(fragments, labels))
	}
}

// fieldNames are the fields that a body calls a value, by the value and the type of the field: "" where it is several.
type fieldNames map[[2]string]string

// add notes a field by its path, "P.x".
func (f fieldNames) add(value, field string) {
	n := strings.LastIndexByte(field, '.')
	key, name := [2]string{value, field[:max(n, 0)]}, field[n+1:]
	if old, twice := f[key]; twice && old != name {
		name = ""
	}
	f[key] = name
}

// storedTo returns the value of "store %1 to %2 : $*Int" and the field that lies at its address, "" when the line is no store to one.
func storedTo(line string, places map[string]string) (value, field string) {
	rest, ok := strings.CutPrefix(line, "store %")
	value, rest, ok2 := strings.Cut(rest, " to ")
	if !ok || !ok2 {
		return "", ""
	}
	if strings.HasPrefix(rest, "[") {
		_, rest, _ = strings.Cut(rest, "] ")
	}
	return "%" + value, places[leadingValue(rest)]
}

// pendingInit is a struct instruction whose fields have no names yet.
type pendingInit struct {
	structInit
	t      *localType
	values []string
}

// named returns the fields names: those of the debug_values of the same body, and in the initializer that the
// compiler makes for the fields, those of its parameters.
func (in pendingInit) named(fragments fieldNames, labels []string) structInit {
	out := in.structInit
	out.names = make([]string, len(in.types))
	memberwise := len(labels) == len(in.values)
	for i, v := range in.values {
		out.names[i] = fragments[[2]string{v, ir.PlainName(in.t.name)}]
		memberwise = memberwise && v == "%"+itoa(i)
	}
	if memberwise {
		out.labels = labels
	}
	return out
}

// fragment returns value and field of "debug_value %1 : $Int, let, name "p", type $P, expr op_fragment:#<…>P.x"
// when the value is the whole field of a whole variable.
func fragment(line string) (value, field string, ok bool) {
	_, after, ok := strings.Cut(line, "expr op_fragment:")
	_, after, mark := cutLocal(after)
	value = leadingValue(strings.TrimPrefix(line, "debug_value "))
	if !ok || !mark || value == "" {
		return "", "", false
	}
	end := 0
	for end < len(after) && (class[after[end]]&clsIdent != 0 || after[end] == '.') {
		end++
	}
	rest := strings.TrimSpace(after[end:])
	if rest != "" && !strings.HasPrefix(rest, "//") && !strings.HasPrefix(rest, ", loc") {
		return "", "", false
	}
	return value, after[:end], strings.Contains(after[:end], ".")
}

// localField takes an instruction that projects a field.
func (p *parser) localField(b bodyText, found map[string]*localType, word, result, line string, at int) {
	t, name := localMember(found, line)
	if t == nil || name == "" {
		return
	}
	if word == "ref_element_addr" {
		t.be(ir.Class)
	} else {
		t.be(ir.Struct)
	}
	typ := p.typeOfPlace(b, result, at)
	if typ == nil {
		t.untold = append(t.untold, name)
	} else {
		owner, whole := p.typeOfOwner(b, line, at), typ.Object()
		typ = p.declaredAs(t, owner, whole)
		if args, _ := allArgs(owner); typ == nil && len(args) > 0 {
			t.seen = append(t.seen, specialized{name, args, whole})
		}
		if owner == nil && typ != nil {
			t.loosely = append(t.loosely, ir.Field{Name: name, Type: typ})
			return
		}
	}
	if typ != nil {
		t.addField(name, typ)
		return
	}
	if head := p.headOfPlace(b, result, maxDefinitions); head != "" {
		if t.heads == nil {
			t.heads = map[string]string{}
		}
		t.heads[name] = head
	}
	if !slices.Contains(t.untyped, name) {
		t.untyped = append(t.untyped, name)
	}
}

// be notes what kind of type it is.
func (t *localType) be(kind ir.NominalKind) {
	if t.kind != 0 && t.kind != kind {
		t.bad = "it is used as several kinds of type"
	}
	t.kind = kind
}

func (t *localType) addField(name string, typ *ir.Type) {
	for _, f := range t.fields {
		if f.Name == name {
			if f.Type != typ {
				t.bad = "the field " + name + " is used with several types"
			}
			return
		}
	}
	weak := typ.IsStorage(ir.StorageWeak)
	t.fields = append(t.fields, ir.Field{Name: name, Type: typ, Weak: weak})
}

// maxLocalSearch bounds the bytes that all searches for uses and blocks may look through in one load.
const maxLocalSearch = 1 << 30

// search returns the offset of a text in p.lex.src[from:to], -1 when it is not there or when the searches have
// looked through enough.
func (p *parser) search(text string, from, to int) int {
	if p.load.searched > maxLocalSearch {
		return -1
	}
	n := strings.Index(p.lex.src[from:to], text)
	if n < 0 {
		p.load.searched += to - from
		return -1
	}
	p.load.searched += n
	return from + n
}

// localInit takes "struct $P (%1 : $Int, %2 : $Int)".
func (p *parser) localInit(b bodyText, found map[string]*localType, line string, at int) (in pendingInit, ok bool) {
	path := typePath(strings.TrimPrefix(line, "struct $"))
	if p.load.namesakes.hidesLibrary(path) && strings.HasPrefix(line, "struct $"+path+"<") {
		return in, false // the library's
	}
	in.t = found[path]
	if in.t == nil {
		return in, false
	}
	in.t.be(ir.Struct)
	open := strings.Index(p.lex.src[at:b.to], "struct $")
	if open < 0 {
		return in, false
	}
	var owner *ir.Type
	p.within(at+open+len("struct "), b.to, func() {
		ok = p.attempt(func() bool {
			if owner = p.parseType(); owner == nil {
				return false
			}
			p.expect("(")
			for !p.bad && p.tok.kind == tokValue {
				in.values = append(in.values, p.tok.text)
				p.next()
				var typ *ir.Type
				if p.accept(":") {
					typ = p.parseType()
				}
				in.types = append(in.types, typ)
				if !p.accept(",") {
					break
				}
			}
			return p.expect(")")
		})
	})
	in.args, _ = allArgs(owner)
	in.raw = make([]*ir.Type, len(in.types))
	for n, typ := range in.types {
		if typ == nil { // newer compilers leave it out
			in.types[n] = p.typeOfValue(b, in.values[n])
		}
		if whole := in.types[n]; whole != nil {
			if in.types[n] = p.declaredAs(in.t, owner, whole); in.types[n] == nil {
				in.raw[n] = whole
			}
		}
	}
	return in, ok
}

// localUpcast takes "upcast %1 : $C to $Base", where newer compilers leave the first type out.
func (p *parser) localUpcast(b bodyText, found map[string]*localType, line string, at int) {
	from, _, ok := strings.Cut(line, " to $")
	owner := p.typeOfOwner(b, line, at)
	if !ok || owner == nil {
		return
	}
	t := found[owner.QualifiedName()]
	if t == nil {
		return
	}
	t.be(ir.Class)
	to := at + strings.Index(p.lex.src[at:b.to], from+" to $") + len(from+" to ")
	typ := p.typeAt(to, b.to)
	if typ == nil {
		return
	}
	args, _ := allArgs(owner)
	if super := p.declaredAs(t, owner, typ); super != nil {
		t.supers = append(t.supers, super)
	} else if len(args) > 0 {
		t.upcasts = append(t.upcasts, specialized{"", args, typ})
	}
}
