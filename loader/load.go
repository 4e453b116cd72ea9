// Package loader reads SIL as the Swift 6 compiler prints it, and as people write it by hand, into an ir.Module.
//
// Loading has two steps. The first reads everything of every file but the bodies of functions: declarations,
// tables, globals, the heads of functions, and where the bodies are. The second reads bodies, at once or when
// ir.Function.Body asks, with all declarations at hand, so that the type of every value is known.
//
// What it keeps to: types are interned in the module's table; an operand's type is the one that the text states
// it; items stay in the order of the text; what it accepts prints as text that it reads back to the same print.
// All errors are positions in the text with a code, and reading goes on at the next line or item. Time and memory
// are linear in the text; nesting has a limit. It checks syntax, names, types at uses and the count of results,
// and leaves the rest (dominance, ownership, types of operands) to ir/verify.
//
// It refuses binary modules, files over Options.MaxBytes and misspelled instructions. An instruction that the
// table does not know and that looks like no other is kept as text.
//
// Read parser.go first (how errors travel), then parse_module.go and parse_inst.go.
package loader

import (
	"strings"
	"unicode/utf8"

	"silvm/ir"
	"silvm/ir/source"
)

// Options bound what the loader accepts. The zero Options mean the defaults.
type Options struct {
	MaxNesting int  // levels of nested types and braces; 0 means 1000
	MaxBytes   int  // bytes of text in one file; 0 means 1 GiB
	Lazy       bool // bodies of functions stay text until ir.Function.Body asks for them

	Libraries []*Library // whose items are linked in when something refers to them
	Embedded  bool       // the program is Embedded Swift, even if it does not define the functions of the runtime (yet)
	OfLibrary bool       // the files are the standard library's own, so that the names of its types mean no types of a program
	Unlinked  bool       // nothing is linked in besides the files, not even a module that silvm brings along: for who prints what was read

	Comments bool // those of people are kept in ir.Module.Comments: for who prints what was read

	leaveOut bool // a function whose head can't be read is left out with a warning
	opaque   bool // see ir.Module.OpaqueValues
	taken    *takenNames
}

// Input is one SIL file.
type Input struct {
	Name string // for messages
	Text []byte
}

// Load reads one SIL file. The list holds everything that is wrong with it; the module is never nil and
// holds what could be read.
func Load(name string, text []byte, opts Options) (*ir.Module, *source.List) {
	return LoadFiles([]Input{{name, text}}, opts)
}

// LoadFiles reads SIL files and links them into one module: a function or global that one file declares is
// the one that another defines. Declarations and headers of all files are read before the first body, so
// that the order of the files does not matter.
func LoadFiles(files []Input, opts Options) (*ir.Module, *source.List) {
	if opts.MaxNesting == 0 {
		opts.MaxNesting = 1000
	}
	if opts.MaxBytes == 0 {
		opts.MaxBytes = 1 << 30
	}
	opts.leaveOut = opts.Lazy
	mod, diags := loadAll(files, opts)
	if !usesOpaqueValues(mod) {
		return mod, diags
	}
	opts.opaque = true
	if again, more := loadAll(files, opts); more.Errors() <= diags.Errors() {
		return again, more
	}
	return mod, diags
}

// loadAll reads the files and links them. It is run again with other options where the first texts leave a choice open.
func loadAll(files []Input, opts Options) (*ir.Module, *source.List) {
	set := source.NewSet()
	diags := &source.List{Files: set}
	mod := ir.NewModule(ir.NewTypes(), set)
	mod.OpaqueValues = opts.opaque
	l := &load{mod: mod, diags: diags, opts: opts, defined: map[string]source.Pos{}, names: map[string]typeName{}, wrappers: map[string]bool{}}
	texts := make([]string, len(files))
	for n, in := range files {
		if len(in.Text) <= opts.MaxBytes {
			texts[n] = string(in.Text)
		}
	}
	l.openArchive(texts)
	l.namesakes = findNamesakes(texts)
	if l.taken = l.findTaken(texts); l.taken != nil && l.taken.meant == nil {
		l.taken.findMeant(files, opts)
	}
	for n, text := range texts {
		l.noteNames(n, text)
	}
	for n, in := range files {
		l.file(in.Name, texts[n])
	}
	l.declare()
	if l.taken != nil && l.taken.trial != nil {
		if l.taken.linked() {
			l.linkArchive()
		}
		l.takenBodies()
		return mod, diags
	}
	l.tellAssumed()
	l.linkArchive()
	l.link()
	for _, in := range l.inits {
		in.parse()
	}
	if !opts.Lazy {
		for _, body := range l.bodies {
			_ = body.fn.Body() // what is wrong is in diags
		}
	}
	for _, p := range l.parsers {
		p.keepComments()
	}
	return mod, diags
}

// load is the state of one call of LoadFiles.
type load struct {
	mod      *ir.Module
	diags    *source.List
	opts     Options
	library  *source.File // the text of the standard library besides a program, nil when there is none
	bodies   []bodyText
	inits    []initializer
	outlined []outlined
	clashes  map[string]bool // names of types of several modules
	// typeModules are the modules of types by name, as the symbols in a file tell.
	typeModules map[*source.File]map[string][]string
	defined     map[string]source.Pos // where each function with a body is
	parsers     []*parser
	imports     map[string]bool   // those that mod.Imports lists; made when needed
	near        map[string]string // the instruction nearest to each unknown word; made when needed

	namesakes *namesakes // of types inside functions; nil when each of their names stands for one type

	taken    *takenNames         // of the program's types that the library has too; nil when there are none
	wrappers map[string]bool     // the property wrappers of the files
	names    map[string]typeName // of types that were met, and of those that the files declare

	archive *archive      // what Options.Libraries hold; nil when there is nothing
	index   *indexBuilder // what the items of a library are entered into, nil unless an index is made

	ours     bool // the text is a supplement
	searched int  // bytes that the search for local types looked through
}

// bodyText is the text of a function's body.
type bodyText struct {
	fn       *ir.Function
	p        *parser
	from, to int
}

func (l *load) file(name, text string) {
	if len(text) > l.opts.MaxBytes {
		l.diags.Errorf(0, "file-too-large", "%s: the file has %d bytes, more than %d", name, len(text), l.opts.MaxBytes)
		return
	}
	if !utf8.ValidString(text) {
		l.diags.Errorf(0, "not-text", "%s: the file is not text in UTF-8%s", name, binaryKind(text))
		return
	}
	f, err := l.mod.Files.Add(name, text)
	if err != nil {
		l.diags.Errorf(0, "file-too-large", "%s: %v", name, err)
		return
	}
	p := &parser{
		number: len(l.parsers), lex: lexer{src: text, base: f.Base}, text: text, mod: l.mod, ts: l.mod.Types, file: f, diags: l.diags, opts: l.opts, load: l,
		symbols: map[string]*ir.SymbolAux{}, members: map[string]*ir.MemberAux{},
		ints: map[string]*ir.IntAux{}, builtins: map[string]*ir.BuiltinAux{}, vars: map[string]*ir.DebugVar{},
	}
	p.isProgram = len(l.parsers) == 0
	if l.opts.Comments {
		p.marks = map[int]mark{}
	}
	if isProgramText(text) {
		p.taken = l.taken
	}
	l.parsers = append(l.parsers, p)
	p.parseFile()
}

// binaryKinds are files that lie beside SIL in a build, by what they begin with.
var binaryKinds = []struct{ magic, is string }{
	{"\xe2\x9c\xa8\x0e", "serialized SIL or a module (.sib, .swiftmodule); `swiftc -emit-sil -module-name NAME FILE.sib` prints the text of a .sib"},
	{"BC\xc0\xde", "LLVM bitcode, which comes after SIL"},
	{"\xde\xc0\x17\x0b", "LLVM bitcode, which comes after SIL"},
	{"\x7fELF", "a program or object file"},
	{"\xcf\xfa\xed\xfe", "a program or object file"},
	{"\xca\xfe\xba\xbe", "a program or object file"},
	{"!<arch>\n", "a library of object files"},
	{"\x00asm", "a WebAssembly module"},
	{"\xff\xfe", "text in UTF-16"},
	{"\xfe\xff", "text in UTF-16"},
}

// binaryKind says what a file is that is no text, "" when its beginning doesn't tell.
func binaryKind(text string) string {
	for _, k := range binaryKinds {
		if strings.HasPrefix(text, k.magic) {
			return ", but " + k.is
		}
	}
	return ""
}

// sourceOf returns the Swift file that a function comes from, "" when debug info does not tell.
func sourceOf(f *ir.Function) string {
	if f.Loc == nil {
		return ""
	}
	return f.Loc.File
}

// forBody returns a parser for a body.
func (p *parser) forBody(f *ir.Function, from, to int) *parser {
	q := *p
	q.lex.src = p.text
	q.namesakes = p.load.namesakes.inBody(f.Name, sourceOf(f), p.text[from:to])
	q.depth, q.bad, q.trial, q.fn, q.params, q.ownNames = 0, false, false, nil, nil, false
	q.shadows = nil
	q.diags = &source.List{Files: p.mod.Files}
	return &q
}

// lazyBody reads a body when it is first needed. That may be while another body is read, whose types ask for what this one returns: so it
// has a parser of its own, which shares with p the state of the whole file.
func (p *parser) lazyBody(f *ir.Function, from, to int) error {
	q := p.forBody(f, from, to)
	if s := shadowsOf(f); s != nil {
		q.parseShadowed(f, from, to, s)
	} else {
		q.parseBody(f, from, to)
	}
	for _, d := range q.diags.All() {
		p.load.diags.Add(d)
	}
	return q.diags.Err()
}
