package loader

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"slices"
	"strings"
	"sync"

	"silvm/ir"
	"silvm/ir/source"
)

// The witnesses of the library's wrapper types (LazyMapSequence, Zip2Sequence.Iterator, …) are in no file of a program that
// leaves their use generic. library/library.sil.gz has functions that do what they do; gen/library says how it is made.

//go:embed library/library.sil.gz
var librarySIL []byte

//go:embed library/names.txt
var libraryNames string

// What the concurrency library does with tasks, task groups and streams.
//
//go:embed library/tasks.sil.gz
var tasksSIL []byte

//go:embed library/tasks.txt
var tasksNames string

// What few programs call.
//
//go:embed library/seldom.sil.gz
var seldomSIL []byte

//go:embed library/seldom.txt
var seldomNames string

// What programs call of Foundation.
//
//go:embed library/foundation.sil.gz
var foundationSIL []byte

//go:embed library/foundation.txt
var foundationNames string

// JSONEncoder and JSONDecoder.
//
//go:embed library/json.sil.gz
var jsonSIL []byte

//go:embed library/json.txt
var jsonNames string

// IndexSet.
//
//go:embed library/indexset.sil.gz
var indexsetSIL []byte

//go:embed library/indexset.txt
var indexsetNames string

// NotificationCenter.
//
//go:embed library/notifications.sil.gz
var notificationsSIL []byte

//go:embed library/notifications.txt
var notificationsNames string

// NSRegularExpression.
//
//go:embed library/regex.sil.gz
var regexSIL []byte

//go:embed library/regex.txt
var regexNames string

// NSError.
//
//go:embed library/errors.sil.gz
var errorsSIL []byte

//go:embed library/errors.txt
var errorsNames string

// URL.
//
//go:embed library/urls.sil.gz
var urlsSIL []byte

//go:embed library/urls.txt
var urlsNames string

// Decimal.
//
//go:embed library/decimal.sil.gz
var decimalSIL []byte

//go:embed library/decimal.txt
var decimalNames string

// Observation.
//
//go:embed library/pattern.sil.gz
var patternSIL []byte

//go:embed library/pattern.txt
var patternNames string

//go:embed library/observation.sil.gz
var observationSIL []byte

//go:embed library/observation.txt
var observationNames string

// The module Dispatch, whose functions are in a library of C.
//
//go:embed library/dispatch.sil.gz
var dispatchSIL []byte

// dispatch is what silvm brings along instead of that module.
var dispatch = sync.OnceValue(func() *Library { return ownLibrary("Dispatch", dispatchSIL) })

// What the text of Foundation says of the types of which silvm brings functions along, for programs without that text: declarations, tables and the
// heads of functions. loader/gen/stdlib wrote them, of a newer release too.
var (
	//go:embed library/heads_foundation.sil.gz
	headsFoundation []byte
	//go:embed library/heads_foundationessentials.sil.gz
	headsEssentials []byte
	//go:embed library/newer_heads_foundation.sil.gz
	newerHeadsFoundation []byte
	//go:embed library/newer_heads_foundationessentials.sil.gz
	newerHeadsEssentials []byte
)

var (
	heads      = sync.OnceValue(func() []*Library { return headsOf(headsFoundation, headsEssentials) })
	newerHeads = sync.OnceValue(func() []*Library { return headsOf(newerHeadsFoundation, newerHeadsEssentials) })
)

func headsOf(foundation, essentials []byte) []*Library {
	return []*Library{ownLibrary("Foundation", foundation), ownLibrary("FoundationEssentials", essentials)}
}

// ownLibrary makes a library of a text that silvm brings along, nil when that is not possible: TestOwnModules says why.
func ownLibrary(module string, zipped []byte) *Library {
	name := module + ".sil"
	text, err := unzipped(zipped)
	if err != nil {
		return nil
	}
	index, _, err := BuildIndex(name, text, 0)
	if err != nil {
		return nil
	}
	b, err := OpenLibrary(module, name, bytes.NewReader(text), int64(len(text)), index, 0)
	if err != nil {
		return nil
	}
	return b
}

// headModules returns what silvm knows of Foundation, nil where no text imports that or a library has its text.
func headModules(texts []string, libraries []*Library) []*Library {
	if !slices.ContainsFunc(texts, importsFoundation) || slices.ContainsFunc(libraries, func(b *Library) bool { return strings.HasPrefix(b.Module, "Foundation") }) {
		return nil
	}
	if slices.ContainsFunc(texts, omitsTypes) {
		return newerHeads()
	}
	return heads()
}

// ownModules returns the modules that silvm brings along, of those that the texts of a program import. Foundation has Dispatch with it, and a FileHandle names its
// types.
func ownModules(texts []string) []*Library {
	for _, text := range texts {
		if strings.Contains(text, "import Dispatch\n") || strings.Contains(text, "import Foundation\n") && (strings.Contains(text, "$s8Dispatch") || strings.Contains(text, "FileHandle")) {
			if b := dispatch(); b != nil {
				return []*Library{b}
			}
		}
	}
	return nil
}

func unzipped(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// tasksFile is the supplement that Embedded programs use too.
const tasksFile = "tasks.sil"

// supplement is a file that silvm brings along.
type supplement struct {
	file string
	text func() (string, error) // unzipped once
}

func newSupplement(file string, zipped []byte) *supplement {
	return &supplement{file, sync.OnceValues(func() (string, error) {
		text, err := unzipped(zipped)
		return string(text), err
	})}
}

// declarationsOf returns the part of a supplement that declares types: as the compiler prints a file, it ends at the first function.
func declarationsOf(text string) string {
	head, _, _ := strings.Cut(text, "\nsil ")
	return head
}

// supplemented returns the supplement that has a function.
var supplemented = sync.OnceValue(func() map[string]*supplement {
	names := map[string]*supplement{}
	for _, s := range []struct {
		supplement *supplement
		functions  string
	}{
		{newSupplement("library.sil", librarySIL), libraryNames},
		{newSupplement(tasksFile, tasksSIL), tasksNames},
		{newSupplement("seldom.sil", seldomSIL), seldomNames},
		{newSupplement("foundation.sil", foundationSIL), foundationNames},
		{newSupplement("json.sil", jsonSIL), jsonNames},
		{newSupplement("indexset.sil", indexsetSIL), indexsetNames},
		{newSupplement("notifications.sil", notificationsSIL), notificationsNames},
		{newSupplement("regex.sil", regexSIL), regexNames},
		{newSupplement("errors.sil", errorsSIL), errorsNames},
		{newSupplement("urls.sil", urlsSIL), urlsNames},
		{newSupplement("decimal.sil", decimalSIL), decimalNames},
		{newSupplement("pattern.sil", patternSIL), patternNames},
		{newSupplement("observation.sil", observationSIL), observationNames},
	} {
		for name := range strings.FieldsSeq(s.functions) {
			names[name] = s.supplement
		}
	}
	return names
})

// libraryFunction returns a function of a supplement by its name, such as library_Zip2Sequence_makeIterator; nil when there is none. The text is
// read into the module when the first one is asked for.
func libraryFunction(m *ir.Module, name string) *ir.Function {
	s := supplemented()[name]
	if s == nil || m.Embedded && s.file != tasksFile {
		return nil // the types of the library have other fields there
	}
	if f := m.Funcs[name]; f == nil || f.IsDeclaration() {
		_ = s.read(m) // TestLibraryFunctions checks the text
	}
	return m.Funcs[name]
}

// findLibrary notes which of several files is the text of the standard library itself: the one that declares the protocol which the literals
// of the compiler go by. Its functions count like those of any file. Its types are declared in every program already, with what natives
// and layouts know of them, so those declarations are left alone.
func (l *load) findLibrary(tops []*ir.Nominal) {
	if len(l.parsers) < 2 || l.mod.Embedded {
		return
	}
	for _, d := range tops {
		if d.Kind == ir.Protocol && d.Path == "_ExpressibleByBuiltinIntegerLiteral" {
			l.library = l.mod.Files.File(d.Pos)
		}
	}
}

// isKnown reports whether a declaration is in the text of the library and says what silvm's own declarations say.
func (l *load) isKnown(d *ir.Nominal) bool {
	if l.library == nil || l.mod.Files.File(d.Pos) != l.library {
		return false
	}
	return inLibrary(l.mod, root(d.Path))
}

// read adds the supplement to a module. What the module has already stays.
func (s *supplement) read(m *ir.Module) error {
	text, err := s.text()
	if err != nil {
		return err
	}
	l := &load{mod: m, ours: true, diags: &source.List{Files: m.Files}, opts: Options{MaxNesting: 1000, MaxBytes: len(text), Lazy: true, opaque: m.OpaqueValues},
		defined: map[string]source.Pos{}, names: map[string]typeName{}}
	for name, f := range m.Funcs {
		if !f.IsDeclaration() {
			l.defined[name] = f.Pos
		}
	}
	tables, items := len(m.WitnessTables), len(m.Items)
	l.noteNames(-1, declarationsOf(text))
	l.file(s.file, text)
	if files := m.Files.Files(); len(files) > 0 {
		files[len(files)-1].Ours = true
	}
	var tops []*ir.Nominal
	own := map[string]bool{}
	for _, item := range m.Items[items:] {
		if d, ok := item.(*ir.Nominal); ok {
			tops = append(tops, d)
			own[d.Path] = true
		}
	}
	m.WitnessTables = append(m.WitnessTables[:tables], slices.DeleteFunc(m.WitnessTables[tables:], func(t *ir.WitnessTable) bool {
		c := t.Conformance
		return c.Type == nil || !own[root(c.Type.QualifiedName())] && (c.Protocol == nil || !own[c.Protocol.QualifiedName()])
	})...)
	l.readDecls(l.parsers, tops)
	l.finishDecls(tops)
	nameShown(tops)
	for _, in := range l.inits {
		in.parse()
	}
	return l.diags.Err()
}

// root returns the outermost type of a type by its path.
func root(path string) string {
	first, _, _ := strings.Cut(path, ".")
	return first
}

// shownNames are the names under which the classes of the supplements appear to a user, by the names of their declarations in library/: the
// type of the library that an object of the class stands for, or what the runtime calls its own object. Type arguments follow as they are,
// and after them what follows <.
// TestSupplementClassesAreNamed checks that no class is missing.
var shownNames = map[string]string{
	"LibraryTask":   "Task",
	"LibraryTaskOf": "Task<_", // one class for tasks that throw and those that don't: the type of the error is not known

	"LibraryPlainTask":      "Task", // of a discarding group
	"LibraryAsyncLet":       "AsyncLet",
	"LibraryResumption":     "ContinuationJob",
	"LibraryDeinit":         "IsolatedDeinit",
	"LibraryGroup":          "TaskGroup",
	"LibraryGlobalExecutor": "GlobalExecutor",
	"LibraryThread":         "DispatchThread",

	"LibraryRecord":          "TaskStatusRecord",
	"LibraryHandler":         "CancellationHandler",
	"LibraryBorrowedHandler": "CancellationHandler",
	"LibraryCancelled":       "CancellationHandler",
	"LibraryEscalation":      "EscalationHandler",
	"LibrarySleep":           "SleepingTask",

	"LibraryPattern": "Regex.Program",
	"PatternCode":    "Regex.Program.ProgramBox",
	"PatternTable":   "Regex.CharacterSet",
	"LibraryClass":   "CharacterClass",

	"LibraryTaskLocal": "TaskLocal",
	"LibraryBinding":   "TaskLocalBinding",
	"LibraryBindingOf": "TaskLocalBinding",

	"LibraryPlainContext":    "AsyncStream",
	"LibraryThrowingContext": "AsyncThrowingStream",
	"LibraryStream":          "AsyncStreamStorage",
	"LibraryPlainStream":     "AsyncStreamStorage",
	"LibraryThrowingStream":  "AsyncThrowingStreamStorage",
	"LibraryWaiter":          "AsyncStreamConsumer",
	"LibraryTermination":     "AsyncStreamTermination",

	"LibraryProcess":       "ProcessInfo",
	"LibraryLock":          "pthread_mutex_t",
	"LibraryCondition":     "pthread_cond_t",
	"LibraryConditionLock": "NSCondition",
	"LibraryBytes":         "__DataStorage",
	"LibraryBounds":        "Data.RangeReference",
	"LibraryCharacterSet":  "CharacterSet",

	"LibraryEncoderFields": "JSONEncoder.Options",
	"LibraryDecoderFields": "JSONDecoder.Options",
	"LibraryJSONNode":      "JSONReference",
	"LibraryJSONText":      "JSONMap",
	"LibraryJSONFault":     "JSONError",
	"LibraryCodingKey":     "_CodingKey",

	"LibraryIndexKey": "_GenericIndexKey",

	"LibraryIndexes": "NSIndexSet",

	"LibraryObservers": "NotificationCenter.Observers",
	"LibraryValue":     "__SwiftValue",

	"LibraryRegex": "_CFRegularExpression",
	"LibraryURL":   "URLParseInfo",

	"LibraryExtent":       "ObservationRegistrar.Extent",
	"LibraryObservations": "ObservationRegistrar.Context",
	"LibraryAccesses":     "ObservationTracking.AccessList",
	"LibraryTracking":     "ObservationTracking",

	"LibraryCanary": "CheckedContinuationCanary",

	"LibraryEncodingBox": "KeyedEncodingContainer",
	"LibraryDecodingBox": "KeyedDecodingContainer",
}

// nameShown gives the classes of a supplement the names that a user knows.
func nameShown(tops []*ir.Nominal) {
	for _, d := range tops {
		d.Shown = shownNames[d.Path]
	}
}
