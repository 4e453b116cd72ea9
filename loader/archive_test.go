package loader_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/source"
	"silvm/loader"
)

// recorded returns a file of testdata/library, unpacked.
func recorded(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "library", name))
	if err == nil && strings.HasSuffix(name, ".gz") {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(text)); err == nil {
			text, err = io.ReadAll(z)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// indexed makes a library of a text.
func indexed(t testing.TB, text []byte) *loader.Library {
	t.Helper()
	index, diags, err := loader.BuildIndex("Swift.sil", text, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return open(t, text, index)
}

func open(t testing.TB, text, index []byte) *loader.Library {
	t.Helper()
	lib, err := loader.OpenLibrary("Swift", "Swift.sil", bytes.NewReader(text), int64(len(text)), index, 1)
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// reach reads the bodies of everything that main refers to.
func reach(t *testing.T, m *ir.Module) map[string]*ir.Function {
	t.Helper()
	seen := map[string]*ir.Function{}
	work := []*ir.Function{m.Func("main")}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		if f == nil || seen[f.Name] != nil {
			continue
		}
		seen[f.Name] = f
		if err := f.Body(); err != nil {
			t.Fatalf("@%s: %v", f.Name, err)
		}
		for i := range f.Insts() {
			if aux, ok := i.Aux.(*ir.SymbolAux); ok && i.Op == op.FunctionRef {
				work = append(work, aux.Func)
			}
		}
	}
	return seen
}

func TestArchiveLinksWhatIsReached(t *testing.T) {
	library := recorded(t, "Swift.sil.gz")
	main := loader.Input{Name: "main.sil", Text: recorded(t, "main.sil")}
	m, diags := loader.LoadFiles([]loader.Input{main}, loader.Options{Lazy: true, Libraries: []*loader.Library{indexed(t, library)}})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	whole, diags := loader.LoadFiles([]loader.Input{main, {Name: "Swift.sil", Text: library}}, loader.Options{Lazy: true})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	const makeIterator = "$sSlss16IndexingIteratorVyxG0B0RtzrlE04makeB0ACyF"
	if f := m.Funcs[makeIterator]; f == nil || f.IsDeclaration() {
		t.Fatalf("@%s, which the program declares, has no body from the library", makeIterator)
	}
	if n := len(m.Funcs); n >= len(whole.Funcs) {
		t.Errorf("%d functions are in the module before any body was read, all %d of program and library", n, len(whole.Funcs))
	}
	reached, wanted := reach(t, m), reach(t, whole)
	bodies := 0
	for name, f := range wanted {
		g := reached[name]
		if g == nil {
			t.Errorf("@%s is reached when the library is linked as a file, and not from its index", name)
			continue
		}
		var a, b strings.Builder
		if f.Print(&a) != nil || g.Print(&b) != nil || a.String() != b.String() {
			t.Errorf("@%s is\n%s\nfrom the file, and from the index\n%s", name, a.String(), b.String())
		}
		if len(f.Blocks) > 0 {
			bodies++
		}
	}
	if bodies < 15 || len(reached) != len(wanted) {
		t.Errorf("%d functions with %d bodies are reached, and %d from the index", len(wanted), bodies, len(reached))
	}
	array := m.Types.Nominal(nil, "Array", m.Types.Nominal(nil, "Int"))
	if len(m.WitnessTables) >= len(whole.WitnessTables) {
		t.Errorf("%d witness tables were read that nobody asked for", len(m.WitnessTables))
	}
	if w, _ := m.WitnessTable(array, "Collection"); w == nil || len(w.Entries) < 10 {
		t.Errorf("the table of [Int]: Collection is %v", w)
	}
	if v := m.VTable("__ContiguousArrayStorageBase"); v == nil || len(v.Entries) == 0 {
		t.Errorf("the vtable of __ContiguousArrayStorageBase is %v", v)
	}
	if g := m.Global("_swiftEmptyArrayStorage"); g == nil {
		t.Error("the global _swiftEmptyArrayStorage is not found")
	}
	if f := m.Func("$s4nobodyyF"); f != nil {
		t.Errorf("a function that nobody has is %v", f)
	}
	names := slices.Collect(m.Archive.FunctionNames())
	for name := range whole.Funcs {
		if m.Funcs[name] == nil && !slices.Contains(names, name) {
			t.Errorf("FunctionNames leaves out @%s", name)
		}
	}
}

func TestProgramWinsOverArchive(t *testing.T) {
	library := "sil_stage canonical\n\nprotocol Tag {}\n\nstruct Mine { var x: Builtin.Int64 }\n\nstruct Theirs { @_hasStorage var y: Builtin.Int64 }\n\n" +
		"sil public @both : $@convention(thin) () -> () {\nbb0:\n  unreachable\n}\n\n" +
		"sil public @other : $@convention(thin) (Builtin.Int64) -> () {\nbb0(%0 : $Builtin.Int64):\n  unreachable\n}\n"
	program := "sil_stage canonical\n\nstruct Mine { @_hasStorage var z: Builtin.Int8 }\n\n" +
		"sil @both : $@convention(thin) () -> () {\nbb0:\n  %0 = tuple ()\n  return %0 : $()\n}\n\nsil @other : $@convention(thin) () -> ()\n\n" +
		"sil @main : $@convention(thin) (Theirs, @in any Tag) -> () {\nbb0(%0 : $Theirs, %1 : $*any Tag):\n  %2 = struct_extract %0 : $Theirs, #Theirs.y\n  %3 = tuple ()\n  return %3 : $()\n}\n"
	m, diags := loader.LoadFiles([]loader.Input{{Name: "main.sil", Text: []byte(program)}}, loader.Options{Libraries: []*loader.Library{indexed(t, []byte(library))}})
	if diags.Errors() > 0 {
		t.Fatal(diags.Err())
	}
	if f := m.Func("both"); len(f.Blocks) != 1 || f.Blocks[0].Last().Op != op.Return {
		t.Error("the library's body of @both replaced the program's")
	}
	if f := m.Func("other"); !f.IsDeclaration() {
		t.Error("@other has a body of another type")
	}
	if all := diags.All(); len(all) != 1 || source.Lookup(all[0].Code).Name != "signature-mismatch" {
		t.Errorf("the types of @other differ, and the diagnostics are %v", diags)
	}
	if d := m.Nominal("Mine"); d == nil || len(d.Fields) != 1 || d.Fields[0].Name != "z" {
		t.Errorf("the program's struct Mine is %v", d)
	}
	if d := m.Nominal("Theirs"); d == nil || len(d.Fields) != 1 || d.Module != "Swift" {
		t.Errorf("the library's struct Theirs is %v", d)
	}
}

func TestArchiveWithErrors(t *testing.T) {
	library := []byte("sil_stage canonical\n\nsil public @head : $@convention(thin) () -> (Builtin.Int64 { what }\n\n" +
		"sil public @body : $@convention(thin) () -> () {\nbb0:\n  %0 = tupel ()\n  return %0 : $()\n}\n\n" +
		"sil public @fine : $@convention(thin) () -> () {\nbb0:\n  unreachable\n}\n")
	index, diags, err := loader.BuildIndex("Swift.sil", library, 1)
	if err != nil || diags.Errors() != 1 {
		t.Fatalf("%v, %v: one function has a head that can't be read", err, diags.Err())
	}
	if _, err := loader.OpenLibrary("Swift", "Swift.sil", bytes.NewReader(library), int64(len(library)), index, 2); err != loader.ErrIndex {
		t.Errorf("an index that lacks an item, by another silvm: %v", err)
	}
	link := func(text []byte, name string) (*ir.Module, error) {
		program := "sil_stage canonical\n\nsil @main : $@convention(thin) () -> () {\nbb0:\n  %0 = function_ref @" + name +
			" : $@convention(thin) () -> ()\n  unreachable\n}\n"
		m, diags := loader.LoadFiles([]loader.Input{{Name: "main.sil", Text: []byte(program)}}, loader.Options{Libraries: []*loader.Library{open(t, text, index)}})
		if diags.Errors() > 0 {
			return m, diags.Err()
		}
		return m, m.Func(name).Body()
	}
	if _, err := link(library, "fine"); err != nil {
		t.Errorf("a function beside wrong ones: %v", err)
	}
	for name, want := range map[string]string{"head": "Swift.sil:3:", "body": "Swift.sil:7:"} {
		if _, err := link(library, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("@%s: the error is %v, and should be at %s", name, err, want)
		}
	}
	changed := bytes.Replace(library, []byte("unreachable"), []byte("unreachible"), 1)
	if _, err := link(changed, "fine"); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("a text that was changed after its index: %v", err)
	}
}

// TestHiddenNames loads two files with a type of one name, each with functions of two modules: none may be taken, beside a library that has a third: nor may that one.
func TestHiddenNames(t *testing.T) {
	file := func(module string) loader.Input {
		return loader.Input{Name: module + ".sil", Text: []byte("sil_stage canonical\n\nimport Swift\n\nclass Parser {\n}\n\nsil hidden @$s1" + module +
			"6ParserC1fyyF : $@convention(thin) () -> () {\nbb0:\n  %0 = tuple ()\n  return %0 : $()\n}\n\nsil hidden @$s1C" +
			"1gyyF : $@convention(thin) () -> () {\nbb0:\n  %0 = tuple ()\n  return %0 : $()\n}\n")}
	}
	const library = "sil_stage canonical\n\nimport Swift\n\npublic struct Parser {\n  @_hasStorage var n: Int { get set }\n}\n"
	m, _ := loader.LoadFiles([]loader.Input{file("A"), file("B")}, loader.Options{Libraries: []*loader.Library{indexed(t, []byte(library))}})
	if d := m.Nominal("Parser"); d != nil {
		t.Errorf("Parser is declared, as %v", d.Kind)
	}
}
