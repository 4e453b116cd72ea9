package loader

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/source"
	"silvm/ir/worklist"
)

// What a SIL file says about the standard library's types is not enough to run it: their fields, cases and
// conformances stay behind in the library. These texts have them, one line for a type with all that is nested
// in it, one line for the protocols that it conforms to under the same requirements, sorted by name. A name is
// read when something asks for it.

//go:embed stdlib/ordinary.silh
var ordinaryText string

// embeddedText has the types that are laid out differently in Embedded Swift.
//
//go:embed stdlib/embedded.silh
var embeddedText string

// concurrencyText, synchronizationText, observationText, regexText and regexBuilderText have the types of five more modules, and the protocols
// of them that the standard library's conform to.
//
//go:embed stdlib/concurrency.silh
var concurrencyText string

//go:embed stdlib/synchronization.silh
var synchronizationText string

//go:embed stdlib/observation.silh
var observationText string

//go:embed stdlib/regex.silh
var regexText string

//go:embed stdlib/regexbuilder.silh
var regexBuilderText string

// The same of a newer release, where it says something else of a name.
var (
	//go:embed stdlib/newer_ordinary.silh
	newerOrdinaryText string
	//go:embed stdlib/newer_embedded.silh
	newerEmbeddedText string
	//go:embed stdlib/newer_concurrency.silh
	newerConcurrencyText string
	//go:embed stdlib/newer_synchronization.silh
	newerSynchronizationText string
	//go:embed stdlib/newer_observation.silh
	newerObservationText string

	//go:embed stdlib/c.silh
	cText string

	//go:embed stdlib/internal.txt
	internalNames string
)

// isInternal reports whether a type at the top of a library module is one that no code outside names: it is neither public nor usable from
// inlined code.
func isInternal(name string) bool { return internals()[name] }

var internals = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(internalNames) {
		names[name] = true
	}
	return names
})

// libraryIndex finds the lines of a name.
type libraryIndex map[string]string

// releases is what the releases of a library module say of each name.
type releases struct{ older, newer func() libraryIndex }

func releasesOf(older, newer *string) releases {
	index := func(text *string) func() libraryIndex {
		return sync.OnceValue(func() libraryIndex { return indexLibrary(*text) })
	}
	return releases{index(older), index(newer)}
}

// of returns what the release that m was made with says of a name. What only the newer release has is there for all.
func (r releases) of(m *ir.Module, name string) (lines string, ok bool) {
	older, ok := r.older()[name]
	if ok && m.Release < op.Swift62 {
		return older, true
	}
	if newer, ok := r.newer()[name]; ok {
		return newer, true
	}
	return older, ok
}

var (
	ordinary = releasesOf(&ordinaryText, &newerOrdinaryText)
	embedded = releasesOf(&embeddedText, &newerEmbeddedText)
)

// besides are the library modules that programs see besides the standard library.
var besides = []*libraryModule{
	{name: "_Concurrency", implicit: true, index: releasesOf(&concurrencyText, &newerConcurrencyText)},
	{name: "Synchronization", index: releasesOf(&synchronizationText, &newerSynchronizationText)},
	{name: "_StringProcessing", implicit: true, index: releasesOf(&regexText, &regexText)},
	{name: "RegexBuilder", index: releasesOf(&regexBuilderText, &regexBuilderText)},
	{name: "Observation", index: releasesOf(&observationText, &newerObservationText)},
}

type libraryModule struct {
	name     string
	implicit bool // every program imports it, but those in Embedded Swift
	index    releases
}

// cStructs are the structs of C that programs see which the modules of the C library let them see: all but those in Embedded Swift.
var cStructs = sync.OnceValue(func() libraryIndex { return indexLibrary(cText) })

// lines returns what the module says of a name, nothing when m does not import it.
func (l *libraryModule) lines(m *ir.Module, name string) string {
	text, _ := l.index.of(m, name)
	if text == "" || !(l.implicit && !m.Embedded) && !m.ImportsModule(l.name) {
		return ""
	}
	return text
}

// indexLibrary cuts the text where the name changes that its lines begin with.
func indexLibrary(text string) libraryIndex {
	index := libraryIndex{}
	start, last := 0, ""
	for off := 0; off < len(text); {
		end := endOfLine(text, off)
		name := libraryName(text[off:end])
		if name != last {
			if last != "" {
				index[last] = text[start:off]
			}
			start, last = off, name
		}
		off = min(end+1, len(text))
	}
	if last != "" {
		index[last] = text[start:]
	}
	return index
}

// libraryName returns the name of the outermost type that a line is about, "" for a comment.
func libraryName(line string) string {
	for {
		word, rest, ok := strings.Cut(line, " ")
		if !ok || word == "//" {
			return ""
		}
		if nominalKinds[word] != 0 {
			if n := strings.IndexAny(rest, " .<:="); n >= 0 {
				rest = rest[:n]
			}
			return rest
		}
		line = rest
	}
}

// declare enters the Swift declarations of the files into the module, and the standard library's on demand.
func (l *load) declare() {
	_, l.mod.Embedded = l.defined["swift_retain"]
	l.mod.Embedded = l.mod.Embedded || l.opts.Embedded
	l.mod.Release = l.release()
	l.mod.Library, l.mod.LibraryFunc = declareLibrary, libraryFunction
	tops := l.topDecls()
	l.findLibrary(tops)
	l.readDecls(l.parsers, tops)
	l.hideClashes()
	l.nestedProtocols()
	l.locals()
	l.finishDecls(tops)
}

// release tells which release of the compiler wrote the program, as far as its text shows it: newer ones leave out the types of operands, which
// shows at the first function that returns something.
func (l *load) release() op.Version {
	if len(l.parsers) > 0 {
		text := l.parsers[0].lex.src
		if omitsTypes(text) {
			return op.Swift62
		}
	}
	return op.Swift60
}

// omitsTypes reports whether a text leaves out the types of operands.
func omitsTypes(text string) bool {
	_, after, ok := strings.Cut(text, "\n  return %")
	return ok && !strings.HasPrefix(strings.TrimLeft(after, "0123456789"), " : ")
}

// inLibrary reports whether the library modules that m imports have a type of that name.
func inLibrary(m *ir.Module, name string) bool {
	_, ok := ordinary.of(m, name)
	if !ok {
		_, ok = embedded.of(m, name)
	}
	return ok || slices.ContainsFunc(besides, func(l *libraryModule) bool { return l.lines(m, name) != "" })
}

// ordinaryLines returns what the standard library itself says of a name.
func ordinaryLines(m *ir.Module, name string) string {
	if m.Embedded {
		lines, ok := embedded.of(m, name)
		if _, older := ordinary.older()[name]; ok && (m.Release >= op.Swift62 || embedded.older()[name] != "" || !older) {
			return lines
		}
	}
	lines, _ := ordinary.of(m, name)
	return lines
}

// declareLibrary is the Library function of a module.
func declareLibrary(m *ir.Module, name string) {
	declareText(m, ordinaryLines(m, name), "Swift")
	for _, l := range besides {
		declareText(m, l.lines(m, name), l.name)
	}
	if m.Nominals[name] == nil && !m.Embedded {
		declareText(m, cStructs()[name], ir.ModuleC)
	}
}

// declareText enters declarations of a library module into m.
func declareText(m *ir.Module, text, module string) {
	if text == "" {
		return
	}
	l := &load{mod: m, diags: &source.List{}, opts: Options{MaxNesting: 1000, opaque: m.OpaqueValues}, names: map[string]typeName{}}
	p := &parser{lex: lexer{src: text}, mod: m, ts: m.Types, diags: l.diags, opts: l.opts, load: l}
	l.parsers = []*parser{p}
	var tops []*ir.Nominal
	for p.next(); p.tok.kind != tokEOF && !p.bad; {
		d := p.declaration(nil)
		if d == nil {
			break
		}
		d.Module, d.Builtin = module, true
		tops = append(tops, d)
	}
	l.readDecls(l.parsers, tops)
	for _, d := range tops {
		finishLibrary(m, d, module)
	}
}

// finishLibrary is finishNominal for the library's own declarations, whose types are canonical already and
// which name a superclass or a raw type first and nothing else.
func finishLibrary(m *ir.Module, top *ir.Nominal, module string) {
	work := []*ir.Nominal{top}
	for d := range worklist.Drain(&work) {
		work = append(work, d.Members...)
		d.Builtin, d.Pos, d.Text, d.Module = true, 0, "", module
		if _, name, ok := strings.Cut(d.Attrs.Find(ir.ModDeinit), `"`); ok {
			d.Deinit = strings.TrimSuffix(name, `")`)
		}
		if d.Kind == ir.Protocol {
			d.ClassBound = m.IsClassBound(d)
		}
		if len(d.Inherits) == 0 || d.Inherits[0].Kind != ir.KindNominal {
			continue
		}
		switch d.Kind {
		case ir.Class:
			d.Super = d.Inherits[0]
		case ir.Enum:
			d.RawType = d.Inherits[0]
		}
	}
}
