package loader_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/loader"
	"silvm/loader/siltest"
)

// show returns the first diagnostics as text.
func show(m *ir.Module, l *source.List) string {
	r := &source.Renderer{Files: m.Files}
	var b strings.Builder
	for n, d := range l.All() {
		if n == 3 {
			break
		}
		b.WriteString(r.Text(d))
	}
	return b.String()
}

func print(t *testing.T, m *ir.Module) string {
	t.Helper()
	m.AsWritten = true
	var b bytes.Buffer
	if err := m.Print(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPrograms loads what the compiler printed, prints it and compares with the original; the types of
// all values must be known.
func TestPrograms(t *testing.T) {
	for _, f := range siltest.Programs(t, "../programs") {
		if !printed(f.Name) {
			continue
		}
		m, diags := loader.Load(f.Name, f.Text, loader.Options{Unlinked: true})
		isAssumed := func(d *source.Diagnostic) bool { return d.Severity == source.Warning && d.Code == "SV0018" }
		if wrong := slices.DeleteFunc(slices.Clone(diags.All()), isAssumed); len(wrong) > 0 {
			t.Errorf("%s: %d diagnostics\n%s", f.Name, diags.Len(), show(m, diags))
			continue
		}
		text := print(t, m)
		siltest.Compare(t, f.Name, siltest.Normalize(text), siltest.Normalize(string(f.Text)))
		untyped(t, f.Name, m)
	}
}

// untyped reports values without a type.
func untyped(t *testing.T, name string, m *ir.Module) {
	t.Helper()
	for _, fn := range m.Funcs {
		for i := range fn.Insts() {
			for _, r := range i.Results {
				if r.Type == nil || r.Type.Kind == ir.KindUnparsed {
					t.Errorf("%s: @%s: the type of %s is unknown: %s", name, fn.Name, r, i)
					return
				}
			}
		}
	}
}

// printed reports whether the compiler printed the file; those written by hand have values with names, which
// print as numbers.
func printed(name string) bool {
	base := strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".gz")
	return base == "O.sil" || base == "Onone.sil"
}

// TestFixedPoint prints a module written by hand, loads the print and prints that.
func TestFixedPoint(t *testing.T) {
	for _, f := range siltest.Programs(t, "../programs") {
		if printed(f.Name) {
			continue // TestPrograms compares those with the original
		}
		m, diags := loader.Load(f.Name, f.Text, loader.Options{})
		if diags.Len() > 0 {
			t.Errorf("%s: %s", f.Name, show(m, diags))
			continue
		}
		untyped(t, f.Name, m)
		first := print(t, m)
		m, diags = loader.Load(f.Name, []byte(first), loader.Options{})
		if diags.Len() > 0 {
			t.Errorf("%s, printed: %s\n%s", f.Name, show(m, diags), first)
			continue
		}
		if second := print(t, m); second != first {
			siltest.Compare(t, f.Name, strings.Split(second, "\n"), strings.Split(first, "\n"))
		}
	}
}

// TestByHand loads SIL written by hand, with the instructions that recorded programs lack, and compares the
// print with that of the compiler (sil-opt of Swift 6.0.3). The declarations of types are left out: the
// compiler prints them with members that it adds.
func TestByHand(t *testing.T) {
	var lines [2][]string
	for n, name := range []string{"testdata/byhand.sil", "testdata/byhand.printed"} {
		text, err := siltest.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		m, diags := loader.Load(name, text, loader.Options{})
		if diags.Len() > 0 {
			t.Fatalf("%s: %s", name, show(m, diags))
		}
		printed := print(t, m)
		if n == 1 {
			siltest.Compare(t, name, siltest.Normalize(printed), siltest.Normalize(string(text)))
		}
		lines[n] = siltest.Normalize(printed[strings.Index(printed, "sil_global"):])
	}
	siltest.Compare(t, "byhand.sil", lines[0], lines[1])
}

// TestLazy checks that bodies that are read on demand are the same as those read at once.
func TestLazy(t *testing.T) {
	text, err := siltest.Read("../programs/embedded/arrays/O.sil.gz")
	if err != nil {
		t.Fatal(err)
	}
	full, _ := loader.Load("O.sil", text, loader.Options{})
	lazy, diags := loader.Load("O.sil", text, loader.Options{Lazy: true})
	if diags.Len() > 0 {
		t.Fatal(show(lazy, diags))
	}
	for name, f := range lazy.Funcs {
		if len(f.Blocks) > 0 {
			t.Fatalf("the body of @%s was read without need", name)
		}
	}
	if print(t, lazy) != print(t, full) {
		t.Error("the lazily loaded module prints otherwise")
	}
}

// TestComments prints a module with the comments that the compiler's sil-opt puts beside the instructions.
func TestComments(t *testing.T) {
	text, err := siltest.Read("testdata/comments.sil")
	if err != nil {
		t.Fatal(err)
	}
	want, err := siltest.Read("testdata/comments.printed") // what sil-opt of 6.0.3 prints
	if err != nil {
		t.Fatal(err)
	}
	m, diags := loader.Load("comments.sil", text, loader.Options{})
	if diags.Len() > 0 {
		t.Fatal(show(m, diags))
	}
	var b bytes.Buffer
	if err := m.PrintCommented(&b); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); strings.TrimSpace(got) != strings.TrimSpace(string(want)) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestOwnModules loads a program that imports a module which silvm brings along, with all that the module has.
func TestOwnModules(t *testing.T) {
	text := "sil_stage canonical\n\nimport Builtin\nimport Swift\nimport SwiftShims\n\nimport Dispatch\n\n" +
		"sil @f : $@convention(thin) (@guaranteed DispatchQueue, DispatchTime) -> () {\nbb0(%0 : $DispatchQueue, %1 : $DispatchTime):\n" +
		"  %2 = struct_extract %1 : $DispatchTime, #DispatchTime.rawValue\n  %3 = tuple ()\n  return %3 : $()\n}\n"
	mod, diags := loader.LoadFiles([]loader.Input{{Name: "a.sil", Text: []byte(text)}}, loader.Options{})
	if mod.Archive == nil {
		t.Fatal("the module is not linked")
	}
	for name := range mod.Archive.FunctionNames() {
		mod.Func(name)
	}
	for _, f := range mod.Funcs {
		if err := f.Body(); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if err := diags.Err(); err != nil {
		t.Error(err)
	}
	d := mod.Nominal("DispatchQueue")
	if d == nil || d.Module != "Dispatch" || mod.Nominal("DispatchTime") == nil {
		t.Errorf("DispatchQueue is declared as %v", d)
	}
}

// TestFoundationHeads reads all that silvm brings along of Foundation: the types are there without the text of the module, each in its own.
func TestFoundationHeads(t *testing.T) {
	for release, end := range map[string]string{"6.0": " : $()", "6.2": ""} {
		text := "sil_stage canonical\n\nimport Builtin\nimport Swift\nimport Foundation\n\nsil @f : $@convention(thin) () -> () {\nbb0:\n  %0 = tuple ()\n  return %0" + end + "\n}\n"
		mod, diags := loader.LoadFiles([]loader.Input{{Name: "a.sil", Text: []byte(text)}}, loader.Options{})
		if mod.Archive == nil {
			t.Fatal("nothing is linked")
		}
		for name := range mod.Archive.FunctionNames() {
			mod.Func(name)
		}
		for name, module := range map[string]string{"Date": "FoundationEssentials", "NSLock": "Foundation", "Locale": "FoundationEssentials", "String.Encoding": "FoundationEssentials"} {
			d := mod.Nominal(name)
			if d == nil || d.Module != module {
				t.Errorf("%s: %s is declared as %v", release, name, d)
			}
		}
		if mod.VTable("NSLock") == nil {
			t.Errorf("%s: NSLock has no vtable", release)
		}
		if err := diags.Err(); err != nil {
			t.Errorf("%s: %v", release, err)
		}
	}
}

// TestOwnModulesOnlyWhenImported has a program without the import find nothing.
func TestOwnModulesOnlyWhenImported(t *testing.T) {
	mod, _ := loader.LoadFiles([]loader.Input{{Name: "a.sil", Text: []byte("sil_stage canonical\n\nimport Builtin\nimport Swift\n")}}, loader.Options{})
	if mod.Archive != nil || mod.Nominal("DispatchQueue") != nil {
		t.Error("Dispatch is linked to a program that does not import it")
	}
}

// TestBodiesWithinBodies loads functions whose bodies can be understood only when that of the next is known, which returns an opaque type.
func TestBodiesWithinBodies(t *testing.T) {
	const n = 200
	var b strings.Builder
	b.WriteString("sil_stage canonical\nimport Builtin\nimport Swift\nprotocol P { }\nstruct S : P { @_hasStorage let x: Int }\n")
	b.WriteString("sil @same : $@convention(thin) <T> (@in_guaranteed T) -> T\n")
	for k := range n {
		fmt.Fprintf(&b, "func f%03d() -> some P\n", k)
	}
	for k := range n {
		fmt.Fprintf(&b, "sil @$s4main4f%03dQryF : $@convention(thin) () -> @out @_opaqueReturnTypeOf(\"$s4main4f%03dQryF\", 0) __ {\n", k, k)
		if k == n-1 {
			b.WriteString("bb0(%0 : $*S):\n  unreachable\n}\n")
			continue
		}
		next := fmt.Sprintf("@_opaqueReturnTypeOf(\"$s4main4f%03dQryF\", 0) __", k+1)
		fmt.Fprintf(&b, "bb0(%%0 : $*%s):\n  %%1 = function_ref @same : $@convention(thin) <T> (@in_guaranteed T) -> T\n"+
			"  %%2 = apply %%1<%s>(%%0) : $@convention(thin) <T> (@in_guaranteed T) -> T\n  unreachable\n}\n", next, next)
	}
	for _, lazy := range []bool{false, true} {
		m, diags := loader.Load("chain.sil", []byte(b.String()), loader.Options{Lazy: lazy})
		for _, f := range m.Funcs {
			_ = f.Body() // what is wrong is in diags
		}
		if diags.Len() > 0 {
			t.Fatalf("lazy %v: %s", lazy, show(m, diags))
		}
		if got := len(m.Funcs["$s4main4f000QryF"].Blocks[0].First().Results); got != 1 {
			t.Errorf("%d results", got)
		}
	}
}

// TestMacroNames reads the names that a macro's expansion gives to generic parameters, beside types after their sign. The compiler prints such
// names, and does not read them back.
func TestMacroNames(t *testing.T) {
	const name, other = "$s1m1C10ObservablefMm_6MemberfMu_", "$s1m1C10ObservablefMm_6MemberfMu12_"
	text := `sil_stage canonical
import Swift
struct fMu_ {}
sil @f : $@convention(thin) <` + name + ", " + other + "> (@in_guaranteed " + name + ", Array<" + other + `>, fMu_) -> () {
bb0(%0 : $*` + name + ", %1 : $Array<" + other + `>, %2 : $fMu_):
  %3 = metatype $@thick ` + name + `.Type
  %4 = tuple ()
  return %4 : $()
}
`
	m, diags := loader.Load("m.sil", []byte(text), loader.Options{})
	if diags.Len() > 0 {
		t.Fatal(show(m, diags))
	}
	if printed := print(t, m); !strings.Contains(printed, "metatype $@thick "+name+".Type") || !strings.Contains(printed, "$Array<"+other+">") {
		t.Error(printed)
	}
}

// TestDistributedNames: compilers print an address of their own memory after the kind of a distributed function, which names nothing.
func TestDistributedNames(t *testing.T) {
	text := `sil_stage canonical
import Builtin
distributed actor A {
  distributed func f()
}
sil @f : $@convention(method) (@sil_isolated @guaranteed A) -> () {
bb0(%0 : $A):
  %1 = class_method %0 : $A, #A.f!distributed(0x559e643e9250) : (isolated A) -> () -> (), $@convention(method) (@sil_isolated @guaranteed A) -> ()
  unreachable
}
sil_vtable A {
  #A.f!distributed(0x559e643e86c0): (isolated A) -> () -> () : @f
  #A.f!distributed_thunk(0x559e643e86c0): (isolated A) -> () -> () : @f
}
`
	mod, diags := loader.Load("t.sil", []byte(text), loader.Options{})
	if diags.Errors() > 0 {
		t.Fatal(diags.Err())
	}
	if err := mod.Funcs["f"].Body(); err != nil {
		t.Fatal(err)
	}
	if got := print(t, mod); !strings.Contains(got, "#A.f!distributed : ") || !strings.Contains(got, "#A.f!distributed_thunk: ") {
		t.Error(got)
	}
}

// formatted returns the text as silvm fmt prints it.
func formatted(t *testing.T, name, text string, comments bool) string {
	t.Helper()
	mod, diags := loader.Load(name, []byte(text), loader.Options{Unlinked: true, Comments: comments})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	mod.AsWritten = true
	var b strings.Builder
	if err := mod.Print(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const commented = `// of the file

// more of the file
sil_stage canonical // at the stage
// above the import
import Builtin
import Swift // at the import


// of the class
class C { // in the class
  deinit // in it too
} // at its end

// of the global,
// in two lines
sil_global @g : $Builtin.Int64 = { // at the global
  // in its initializer
  %initval = integer_literal $Builtin.Int64, 3 // three
  // after it
} // at its end

/* of the function,
   in one comment */ // and another

// made by hand
sil [ossa] @f : $@convention(thin) (@owned C) -> Builtin.FPIEEE64 { // at the function
// of the block
// %0                                             // users: %2, %1
bb0(%0 : @owned $C):                              // Preds: bb1 // at the block
  // one

  // two
  %1 = copy_value %0 : $C                         // user: %3 // a user: %9
  destroy_value %0 : $C                           // id: %2
  destroy_value // of a value
    %1 /* over
    two lines */ : $C
  // function_ref f
  // of the reference
  %4 = function_ref @f : $@convention(thin) (@owned C) -> Builtin.FPIEEE64 /* in C's words */
  %5 = float_literal $Builtin.FPIEEE64, 0x3FF0000000000000 // 1.0E+0 // user: %6 // one
  return %5 : $Builtin.FPIEEE64                   // id: %6
  // before the brace
} // end sil function 'f' // at its end

sil_vtable C { // at the table
  // of the entry
  #C.deinit!deallocator: @f	// f // at the entry
  // before its brace
} // at its end

// the last
// Mappings from '#fileID' to '#filePath':
//   'main/main.swift' => 'main.swift'
`

const kept = `// of the file

// more of the file
sil_stage canonical                               // at the stage

// above the import
import Builtin
import Swift                                      // at the import

// of the class
class C { // in the class
  deinit // in it too
}                                                 // at its end

// of the global,
// in two lines
sil_global @g : $Builtin.Int64 = {                // at the global
  // in its initializer
  %initval = integer_literal $Builtin.Int64, 3    // three
  // after it
}                                                 // at its end

/* of the function,
   in one comment */ // and another

// made by hand
sil [ossa] @f : $@convention(thin) (@owned C) -> Builtin.FPIEEE64 { // at the function
// of the block
bb0(%0 : @owned $C):                              // at the block
  // one

  // two
  %1 = copy_value %0 : $C                         // a user: %9
  destroy_value %0 : $C
  destroy_value %1 : $C                           /* over
    two lines */ // of a value
  // of the reference
  %4 = function_ref @f : $@convention(thin) (@owned C) -> Builtin.FPIEEE64 /* in C's words */
  %5 = float_literal $Builtin.FPIEEE64, 0x3FF0000000000000 // one
  return %5 : $Builtin.FPIEEE64
  // before the brace
} // end sil function 'f'                         // at its end

sil_vtable C {                                    // at the table
  // of the entry
  #C.deinit!deallocator: @f                       // at the entry
  // before its brace
}                                                 // at its end

// the last
`

func TestCommentsStay(t *testing.T) {
	got := formatted(t, "a.sil", commented, true)
	if diff := cmp.Diff(kept, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(got, formatted(t, "a.sil", got, true)); diff != "" {
		t.Errorf("printed again it differs: %s", diff)
	}
	if strings.Contains(formatted(t, "a.sil", commented, false), "one") {
		t.Error("comments are kept without being asked for")
	}
}

// TestCommentsAnywhere writes comments at the end of and between the lines of recorded programs: none is lost, and nothing else changes.
func TestCommentsAnywhere(t *testing.T) {
	for _, name := range []string{"ordinary/packs/O.sil", "swift-6.2/ordinary/casts/O.sil", "embedded/statics/Onone.sil"} {
		name, err := filepath.Abs(filepath.Join("../programs", name))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := siltest.Read(name)
		if err != nil {
			if raw, err = siltest.Read(name + ".gz"); err != nil {
				t.Fatal(err)
			}
		}
		plain := formatted(t, name, string(raw), true)
		var b strings.Builder
		var marks []string
		mark := func() string {
			marks = append(marks, fmt.Sprintf("// note %d.", len(marks)))
			return marks[len(marks)-1]
		}
		inText := false // between the braces of a declaration, which is text
		lines := strings.Split(strings.TrimSuffix(plain, "\n"), "\n")
		for n, line := range lines {
			opens := strings.HasSuffix(line, "{") && !strings.HasPrefix(line, "sil")
			switch {
			case strings.HasPrefix(line, "["): // effects, which hand theirs on
				b.WriteString(line)
			case inText || opens:
				inText = line != "}"
				b.WriteString(line)
			case n%3 == 0 && line != "" && !strings.HasPrefix(line, "//"):
				b.WriteString(line + " " + mark())
			case n%3 == 1 && line != "" && (n == 0 || !strings.HasPrefix(lines[n-1], "//")):
				b.WriteString("    " + mark() + "\n" + line)
			default:
				b.WriteString(line)
			}
			b.WriteString("\n")
		}
		got := formatted(t, name, b.String(), true)
		if again := formatted(t, name, got, true); again != got {
			t.Errorf("%s: printed again it differs: %s", name, cmp.Diff(got, again))
		}
		var left []string
		for _, line := range strings.Split(strings.TrimSuffix(got, "\n"), "\n") {
			code, note, ok := strings.Cut(line, "// note ")
			if !ok {
				left = append(left, line)
				continue
			}
			if len(marks) == 0 || "// note "+note != marks[0] {
				t.Fatalf("%s: found %q, want %q", name, note, marks)
			}
			marks = marks[1:]
			if code = strings.TrimRight(code, " \t"); code != "" {
				left = append(left, code)
			}
		}
		if len(marks) > 0 {
			t.Errorf("%s: lost %q", name, marks)
		}
		if diff := cmp.Diff(strings.Split(strings.TrimSuffix(plain, "\n"), "\n"), left); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
