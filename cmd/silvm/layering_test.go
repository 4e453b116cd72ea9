package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layers lists, for each package, which of our packages it may import. Imports go downward only.
var layers = map[string][]string{
	"heap":               {},
	"ir/tables":          {},
	"ir/source":          {"ir/tables"},
	"ir/effects":         {},
	"ir/op":              {"ir/tables"},
	"ir/mangle":          {},
	"ir":                 {"ir/effects", "ir/source", "ir/op", "ir/mangle", "ir/graph", "ir/worklist"},
	"ir/graph":           {},
	"ir/worklist":        {},
	"ir/cfg":             {"ir", "ir/graph", "ir/op", "ir/worklist"},
	"ir/gen":             {}, // text; needs nothing that a pass may get wrong
	"loader":             {"loader/evidence", "ir/effects", "ir", "ir/source", "ir/op", "ir/mangle", "ir/worklist"},
	"loader/evidence":    {"ir", "ir/op", "ir/mangle"},
	"ir/facts":           {"ir/effects", "ir", "ir/op", "ir/cfg", "ir/mangle", "ir/worklist"},
	"ir/ownership":       {"ir", "ir/op", "ir/cfg", "ir/facts", "ir/worklist"},
	"ir/verify":          {"ir/effects", "ir", "ir/source", "ir/op", "ir/cfg", "ir/facts", "ir/ownership", "ir/worklist"},
	"opt/pass":           {"ir", "ir/source", "ir/op", "ir/cfg", "ir/graph", "ir/facts", "ir/ownership", "ir/verify", "ir/worklist"},
	"opt/rewrite":        {"ir/effects", "ir", "ir/op", "ir/cfg", "ir/graph", "ir/facts", "ir/ownership", "opt/pass", "ir/worklist"},
	"opt/fold":           {"ir", "ir/op", "ir/cfg", "ir/facts", "ir/ownership", "opt/pass", "opt/rewrite", "ir/worklist"},
	"opt/ossa":           {"ir", "ir/op", "ir/cfg", "ir/facts", "ir/ownership", "opt/pass", "opt/rewrite", "ir/worklist"},
	"opt/memory":         {"ir/effects", "ir", "ir/op", "ir/cfg", "ir/facts", "ir/ownership", "opt/pass", "opt/rewrite", "ir/worklist"},
	"opt/loops":          {"ir", "ir/op", "ir/cfg", "ir/facts", "ir/ownership", "opt/pass", "opt/rewrite", "ir/worklist"},
	"opt/arc":            {"ir/effects", "ir", "ir/op", "ir/cfg", "ir/mangle", "ir/facts", "ir/ownership", "opt/pass", "opt/rewrite", "ir/worklist"},
	"opt/access":         {"ir", "ir/op", "ir/cfg", "ir/facts", "ir/ownership", "opt/pass", "opt/rewrite", "ir/worklist"},
	"opt/calls":          {"ir/effects", "ir", "ir/op", "ir/cfg", "ir/facts", "ir/ownership", "ir/mangle", "opt/pass", "opt/rewrite", "ir/worklist"},
	"opt/flow":           {"ir", "ir/op", "ir/cfg", "ir/facts", "ir/ownership", "opt/pass", "opt/rewrite", "ir/worklist"},
	"opt/combine":        {"ir", "ir/op", "ir/cfg", "ir/facts", "ir/ownership", "opt/pass", "opt/rewrite", "ir/worklist"},
	"opt/definiteinit":   {"ir", "ir/source", "ir/op", "ir/cfg", "ir/facts", "ir/mangle", "opt/pass", "opt/rewrite"},
	"opt/dumps":          {"ir/effects", "ir", "ir/source", "ir/op", "ir/cfg", "ir/graph", "ir/mangle", "ir/facts", "ir/ownership", "ir/verify", "opt/pass", "opt/rewrite", "opt/ossa", "opt/arc", "opt/access", "opt/flow", "opt/combine", "ir/worklist"},
	"opt":                {"ir/tables", "ir", "opt/pass", "opt/fold", "opt/ossa", "opt/memory", "opt/loops", "opt/arc", "opt/access", "opt/calls", "opt/flow", "opt/combine", "opt/definiteinit", "opt/dumps"},
	"loader/toolchain":   {"loader"}, // swiftc, its library, the cache
	"opt/reduce":         {"ir", "ir/source", "ir/op", "ir/verify", "ir/worklist"},
	"vm/abi":             {"ir", "ir/source", "heap", "ir/mangle"},
	"vm/code":            {"vm/abi", "ir", "ir/source", "heap"},
	"vm/mir":             {"vm/code", "ir/graph"},
	"vm/gen/loop":        {"vm/code"}, // composes the dispatch loop
	"vm/lower":           {"ir/tables", "vm/libm", "vm/mir", "vm/code", "vm/abi", "ir", "ir/op", "ir/cfg", "ir/source", "ir/mangle", "ir/verify", "ir/worklist"},
	"vm/libm":            {},
	"vm":                 {"vm/lower", "vm/code", "vm/libm", "vm/abi", "ir", "ir/op", "ir/cfg", "ir/source", "ir/mangle", "heap"},
	"vm/wasm":            {"ir/graph", "vm/code", "heap"},
	"vm/jit":             {"vm/wasm", "vm/code", "vm"},
	"vm/cgen":            {"vm/wasm", "vm/code", "vm", "heap", "ir/source"},                                                                  // programs for others to run
	"vm/check":           {"ir/effects", "vm", "vm/abi", "vm/code", "heap", "ir", "ir/op", "ir/cfg", "ir/facts", "ir/mangle", "ir/worklist"}, // full checking
	"vm/libc":            {"ir/tables", "vm", "vm/libm"},
	"vm/native":          {"ir/tables", "vm/libc", "vm/libm", "vm", "vm/abi", "vm/code", "heap", "ir", "ir/op", "ir/mangle"},
	"vm/leak":            {"vm", "vm/abi", "heap", "ir", "ir/op", "ir/source"},                                                                         // what is never freed, and who keeps it
	"vm/measure":         {"vm", "vm/leak", "vm/check", "vm/code", "heap", "ir", "ir/facts", "ir/op", "ir/gen", "ir/source", "opt/pass", "opt/reduce"}, // bench, validate and arc: run a module between passes
	"debugger/picture":   {},                                                                                                                           // boxes and arrows
	"debugger":           {"debugger/picture", "ir/graph", "vm", "vm/leak", "vm/abi", "vm/code", "heap", "ir", "ir/cfg", "ir/op", "ir/source", "ir/mangle"},
	"debugger/view":      {"debugger", "ir", "ir/source", "vm"}, // plain objects for JSON
	"debugger/repl":      {"ir/tables", "debugger", "debugger/view", "ir", "ir/source"},
	"debugger/debugtest": {"debugger", "ir/source", "loader", "loader/siltest", "vm", "vm/native"},
	"debugger/tui":       {"debugger", "debugger/view", "ir/source"},
	"debugger/web":       {"debugger", "debugger/view", "ir/source"}, // the page
	"debugger/report":    {"debugger", "ir", "ir/source", "vm/measure"},
	"debugger/lsp":       {"ir", "ir/op", "ir/ownership", "ir/source"},
	"debugger/dap":       {"ir/tables", "debugger", "ir", "ir/source", "vm/code"}, // disassembly shows instructions and their functions

	"cmd/silvm/internal/console": {"ir/source"}, // knows nothing of SIL; the commands themselves may import all
}

// sideways lists the imports between rooms of one floor, each with its reason.
var sideways = map[string]map[string]string{
	"opt/arc":    {"opt/loops": "arc-loop-opts moves counts out of loops, which it first gives their canonical form"},
	"opt/memory": {"opt/ossa": "a variable that became a value gets the lifetime that its uses need"},
	"opt/flow":   {"opt/fold": "a branch goes where its condition, once computed, sends it"},
	"opt/calls": {
		"opt/arc":  "a parameter that every exit releases is passed borrowed: where these releases are",
		"opt/ossa": "a body in ownership form is lowered when it is inlined into a function that isn't",
	},
	"opt/combine": {
		"opt/calls": "a call of a method that is known becomes one of its function",
		"opt/fold":  "its rules use what is known of operands",
		"opt/ossa":  "copies of a value that a rule touched are propagated at once",
		"opt/flow":  "the branch of a cast whose outcome is known",
	},
}

// testsOnly are packages that only tests may import.
var testsOnly = []string{"debugger/debugtest", "loader/siltest"}

func TestImportsGoDownward(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".." && path != root) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		checkImports(t, path, filepath.ToSlash(rel))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg, rooms := range sideways {
		for room := range rooms {
			if !sidewaysMet[pkg+" "+room] {
				t.Errorf("%s no longer imports %s; take the arrow out of the list", pkg, room)
			}
		}
	}
}

// sidewaysMet are the arrows of sideways that some file needs, "from to".
var sidewaysMet = map[string]bool{}

func checkImports(t *testing.T, path, pkg string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	allowed, known := layers[pkg]
	if slices.Contains(testsOnly, pkg) || file.Name.Name == "main" {
		return
	}
	if !known {
		t.Errorf("%s: package %s has no place in the layers; add it to the table in layering_test.go", path, pkg)
		return
	}
	for room, reason := range sideways[pkg] {
		if reason == "" {
			t.Errorf("%s imports %s without a reason", pkg, room)
		}
		allowed = append(slices.Clip(allowed), room)
	}
	for _, imp := range file.Imports {
		name, ours := strings.CutPrefix(strings.Trim(imp.Path.Value, `"`), "silvm/")
		if ours && sideways[pkg][name] != "" {
			sidewaysMet[pkg+" "+name] = true
		}
		if ours && !slices.Contains(allowed, name) {
			t.Errorf("%s: package %s may not import %s", path, pkg, name)
		}
		if std := strings.Trim(imp.Path.Value, `"`); std == "unsafe" || std == "C" {
			t.Errorf("%s: import %q is not allowed", path, std)
		}
	}
}

// TestArchitectureNamesEveryPackage asks docs/ARCHITECTURE.md for each package.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	for dir := range packageFiles(t, root) {
		name, err := filepath.Rel(root, dir)
		if name = filepath.ToSlash(name); err != nil || !bytes.Contains(text, []byte("`"+name+"`")) {
			t.Errorf("docs/ARCHITECTURE.md does not name package %s", name)
		}
	}
}

// packageFiles counts the Go files of each package.
func packageFiles(t *testing.T, root string) map[string]int {
	t.Helper()
	files := map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".go") {
			files[filepath.Dir(path)]++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// maxFiles is how many files a package may have: one that is larger holds more than one room.
const maxFiles = 60

func TestPackagesAreSmall(t *testing.T) {
	files := packageFiles(t, filepath.Join("..", ".."))
	for dir, n := range files {
		if n > maxFiles {
			t.Errorf("%s has %d files, more than %d", dir, n, maxFiles)
		}
	}
	if len(files) < 30 {
		t.Errorf("only %d packages were found", len(files))
	}
}

// maxLines is how long a file may be that somebody wrote. The dispatch loop is one switch, and Go has no switch in several files.
const maxLines = 600

func TestFilesAreShort(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasPrefix(d.Name(), "zz_") || path == filepath.Join(root, "vm", "loop.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if n := bytes.Count(text, []byte("\n")); n > maxLines {
			t.Errorf("%s has %d lines, more than %d", path, n, maxLines)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
