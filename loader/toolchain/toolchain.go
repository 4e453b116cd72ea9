// Package toolchain asks the Swift toolchain on PATH for what silvm reads: the SIL of Swift sources and packages, and the text of the library
// modules, which it keeps in the user's cache.
//
// It starts the toolchain's programs and reads their output; it never links against them. Everything that it writes is below the cache's
// folder, by a temporary name first, so that several processes may write at once and none reads half a file. A text whose checksum is not
// the one that was written down with it is not used.
//
// Read toolchain.go first, then cache.go.
package toolchain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Toolchain is a Swift compiler with its library.
type Toolchain struct {
	Swiftc   string // path of the driver
	Compiler string // what it says it is: "Swift version 6.0.3 (swift-6.0.3-RELEASE)"
	Version  string // "6.0.3"
	Triple   string // of the modules: "x86_64-unknown-linux-gnu"

	imports  []string // folders with modules, the first is searched first
	resource string   // folder of the library and what belongs to it
}

// ErrNoCompiler is for a computer without the compiler that was asked for.
var ErrNoCompiler = errors.New("no Swift compiler")

// targetInfo is what swiftc -print-target-info prints.
type targetInfo struct {
	CompilerVersion string
	Target          struct{ Triple, ModuleTriple string }
	Paths           struct {
		RuntimeLibraryImportPaths []string
		RuntimeResourcePath       string
	}
}

var versionText = regexp.MustCompile(`Swift version (\d+(?:\.\d+)*)`)

// Find asks a compiler, such as swiftc on PATH, what it is. The error is ErrNoCompiler when there is none of that name.
func Find(swiftc string) (*Toolchain, error) {
	path, err := exec.LookPath(swiftc)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNoCompiler, err)
	}
	out, err := output(exec.Command(path, "-print-target-info"))
	if err != nil {
		return nil, fmt.Errorf("%s -print-target-info: %w", path, err)
	}
	var info targetInfo
	if err := json.Unmarshal(out, &info); err != nil {
		return nil, fmt.Errorf("%s -print-target-info: %w", path, err)
	}
	t := &Toolchain{Swiftc: path, Compiler: info.CompilerVersion, Triple: info.Target.ModuleTriple, resource: info.Paths.RuntimeResourcePath}
	if t.Triple == "" {
		t.Triple = info.Target.Triple
	}
	version := versionText.FindStringSubmatch(t.Compiler)
	if version == nil || t.Triple == "" || t.resource == "" {
		return nil, fmt.Errorf("%s -print-target-info: it says nothing of version, triple and resource path", path)
	}
	t.Version = version[1]
	t.imports = info.Paths.RuntimeLibraryImportPaths
	prebuilt, _ := filepath.Glob(filepath.Join(t.resource, "*", "prebuilt-modules", "*")) // the pattern is fine
	slices.Sort(prebuilt)
	slices.Reverse(prebuilt)
	t.imports = append(t.imports, prebuilt...)
	return t, nil
}

// tool finds a program of the toolchain: beside swiftc, in the folder that belongs to the library, on PATH.
func (t *Toolchain) tool(name string) (string, error) {
	places := []string{filepath.Dir(t.Swiftc)}
	if real, err := filepath.EvalSymlinks(t.Swiftc); err == nil {
		places = append(places, filepath.Dir(real))
	}
	places = append(places, filepath.Join(t.resource, "..", "..", "bin"))
	for _, dir := range places {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%w: %s, which belongs to %s, is not beside it", ErrNoCompiler, name, t.Swiftc)
	}
	return path, nil
}

// Modules returns the names of the modules of the library, sorted.
func (t *Toolchain) Modules() []string {
	var names []string
	for _, dir := range t.imports {
		entries, _ := os.ReadDir(dir) // a folder that is not there has no modules
		for _, e := range entries {
			name, ok := strings.CutSuffix(e.Name(), ".swiftmodule")
			if ok && !slices.Contains(names, name) && t.moduleFile(name) != "" {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// moduleFile finds the file of a module: M.swiftmodule, or in a folder of that name the one for the target, whose name may be more or less
// exact. "" when there is none.
func (t *Toolchain) moduleFile(name string) string {
	arch, _, _ := strings.Cut(t.Triple, "-")
	for _, dir := range t.imports {
		path := filepath.Join(dir, name+".swiftmodule")
		entries, err := os.ReadDir(path)
		if err != nil {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path
			}
			continue
		}
		best := ""
		for _, e := range entries {
			triple, ok := strings.CutSuffix(e.Name(), ".swiftmodule")
			switch {
			case !ok:
			case triple == t.Triple:
				return filepath.Join(path, e.Name())
			case best == "" && (triple == arch || strings.HasPrefix(triple, arch+"-")):
				best = e.Name()
			}
		}
		if best != "" {
			return filepath.Join(path, best)
		}
	}
	return ""
}

// output runs a command and returns its standard output. The error has the first lines of what it wrote to standard error.
func output(cmd *exec.Cmd) ([]byte, error) {
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w%s", err, firstLines(said.String()))
	}
	return out, nil
}

// firstLines returns the beginning of a message after a colon, "" when there is none.
func firstLines(said string) string {
	said = strings.TrimSpace(said)
	if said == "" {
		return ""
	}
	if len(said) > 2000 {
		said = strings.ToValidUTF8(said[:2000], "") + "…"
	}
	return ": " + said
}
