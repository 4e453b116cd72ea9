package toolchain

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// packageText is what swift package dump-package prints.
type packageText struct {
	Name                  string
	SwiftLanguageVersions []string
	Targets               []target
	ToolsVersion          struct {
		Version string `json:"_version"`
	}
}

type target struct {
	Name, Type, Path      string
	Dependencies          []map[string]json.RawMessage
	Exclude, Sources      []string
	Resources             []json.RawMessage
	PluginUsages          []json.RawMessage
	Settings              []setting
	CSettings, CxxSetting []json.RawMessage
}

type setting struct {
	Tool      string
	Kind      map[string]json.RawMessage
	Condition *struct {
		Config        string
		PlatformNames []string
	}
}

// ErrUnsupported is for packages that silvm can't compile.
var ErrUnsupported = errors.New("not supported by silvm")

// Package finds what to compile of a Swift package: the sources of its only executable target, or of the one of that name, and the targets of the
// package that it depends on.
func (t *Toolchain) Package(dir, name string) (*Program, error) {
	if _, err := os.Stat(filepath.Join(dir, "Package.swift")); err != nil {
		return nil, err
	}
	swift, err := t.tool("swift")
	if err != nil {
		return nil, err
	}
	out, err := output(exec.Command(swift, "package", "--package-path", dir, "dump-package"))
	if err != nil {
		return nil, fmt.Errorf("%w: swift package dump-package: %w", ErrRejected, err)
	}
	var p packageText
	if err := json.Unmarshal(out, &p); err != nil {
		return nil, fmt.Errorf("%w: swift package dump-package: %w", ErrUnsupported, err)
	}
	main, err := p.executable(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	needs, err := p.needs(main, dir, map[*target]bool{main: true}, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	program, err := p.program(main, dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	program.Needs = needs
	if len(program.Needs) > 0 {
		for _, m := range append(slices.Clone(program.Needs), program) {
			m.Flags = append(m.Flags, "-package-name", moduleName(p.Name))
		}
	}
	return program, nil
}

// program says how to compile a target.
func (p *packageText) program(t *target, dir string) (*Program, error) {
	switch {
	case len(t.Resources) > 0:
		return nil, fmt.Errorf("%w: target %s has resources", ErrUnsupported, t.Name)
	case len(t.PluginUsages) > 0:
		return nil, fmt.Errorf("%w: target %s uses plugins", ErrUnsupported, t.Name)
	}
	program := &Program{Module: moduleName(t.Name)}
	var err error
	if program.Sources, err = t.files(dir); err != nil {
		return nil, err
	}
	if program.Flags, err = p.flags(t); err != nil {
		return nil, err
	}
	program.Library = t.Type == "regular" || !slices.ContainsFunc(program.Sources, func(f string) bool { return filepath.Base(f) == "main.swift" }) &&
		(len(program.Sources) > 1 || hasMain(program.Sources[0]))
	return program, nil
}

// needs adds to a list the modules that a target imports, each after those that it needs itself.
func (p *packageText) needs(t *target, dir string, made map[*target]bool, list []*Program) ([]*Program, error) {
	for _, d := range t.Dependencies {
		name, applies := dependency(d)
		if !applies {
			continue
		}
		n := slices.IndexFunc(p.Targets, func(o target) bool { return o.Name == name })
		switch {
		case d["product"] != nil || n < 0:
			return nil, fmt.Errorf("%w: target %s depends on %s, which is of another package", ErrUnsupported, t.Name, name)
		case p.Targets[n].Type != "regular":
			return nil, fmt.Errorf("%w: target %s depends on %s, which is a target of type %s", ErrUnsupported, t.Name, name, p.Targets[n].Type)
		}
		other := &p.Targets[n]
		if made[other] {
			continue
		}
		made[other] = true
		var err error
		if list, err = p.needs(other, dir, made, list); err != nil {
			return nil, err
		}
		program, err := p.program(other, dir)
		if err != nil {
			return nil, err
		}
		list = append(list, program)
	}
	return list, nil
}

// executable returns the target to compile.
func (p *packageText) executable(name string) (*target, error) {
	var names []string
	var main *target
	for n := range p.Targets {
		if t := &p.Targets[n]; t.Type == "executable" && (name == "" || t.Name == name) {
			main = t
			names = append(names, t.Name)
		}
	}
	switch {
	case main == nil && name != "":
		return nil, fmt.Errorf("the package has no executable target %s", name)
	case main == nil:
		return nil, errors.New("the package has no executable target")
	case len(names) > 1:
		return nil, fmt.Errorf("the package has %d executable targets: choose one with --target %s", len(names), strings.Join(names, ", --target "))
	}
	return main, nil
}

// dependency reads {"byName": ["Name", null]} and its kin, where the last entry may say on which platforms it applies.
func dependency(d map[string]json.RawMessage) (name string, applies bool) {
	applies = true
	for _, text := range d {
		var parts []json.RawMessage
		if json.Unmarshal(text, &parts) != nil || len(parts) == 0 {
			continue
		}
		if json.Unmarshal(parts[0], &name) != nil {
			continue
		}
		var s setting
		if json.Unmarshal(parts[len(parts)-1], &s.Condition) == nil {
			applies = s.applies()
		}
	}
	return name, applies
}

// moduleName makes an identifier of a target's name, as the package manager does.
func moduleName(target string) string {
	var b strings.Builder
	for n, c := range target {
		switch {
		case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 || n > 0 && c >= '0' && c <= '9':
			b.WriteRune(c)
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}

// files finds the Swift sources of a target, sorted.
func (t *target) files(dir string) ([]string, error) {
	root, err := t.folder(dir)
	if err != nil {
		return nil, err
	}
	within := func(path string, list []string) bool {
		return slices.ContainsFunc(list, func(p string) bool {
			p = filepath.Join(root, filepath.FromSlash(p))
			return path == p || strings.HasPrefix(path, p+string(filepath.Separator))
		})
	}
	var files []string
	other := ""
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != root && (strings.HasPrefix(d.Name(), ".") || within(path, t.Exclude)):
			if d.IsDir() {
				return filepath.SkipDir
			}
		case d.IsDir() || t.Sources != nil && !within(path, t.Sources):
		case strings.HasSuffix(path, ".swift"):
			files = append(files, path)
		case slices.Contains([]string{".c", ".cc", ".cpp", ".m", ".mm", ".s", ".S"}, filepath.Ext(path)):
			other = path
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case other != "":
		return nil, fmt.Errorf("%w: target %s has sources of another language: %s", ErrUnsupported, t.Name, other)
	case len(files) == 0:
		return nil, fmt.Errorf("target %s has no Swift sources in %s", t.Name, root)
	}
	return files, nil
}

// folder finds the folder of a target's sources.
func (t *target) folder(dir string) (string, error) {
	var places []string
	if t.Path != "" {
		places = append(places, filepath.FromSlash(t.Path))
	} else {
		for _, parent := range []string{"Sources", "Source", "src", "srcs"} {
			places = append(places, filepath.Join(parent, t.Name))
		}
		places = append(places, "Sources") // of a package with one target
	}
	for _, p := range places {
		if info, err := os.Stat(filepath.Join(dir, p)); err == nil && info.IsDir() {
			return filepath.Join(dir, p), nil
		}
	}
	return "", fmt.Errorf("the sources of target %s are not found in %s", t.Name, filepath.Join(dir, places[0]))
}

// flags returns what the package manager hands to the compiler for a release build.
func (p *packageText) flags(t *target) ([]string, error) {
	mode := "5"
	if major, _, _ := strings.Cut(p.ToolsVersion.Version, "."); major != "" {
		if n, err := strconv.Atoi(major); err == nil && n >= 6 {
			mode = "6"
		}
	}
	if n := len(p.SwiftLanguageVersions); n > 0 {
		mode = p.SwiftLanguageVersions[n-1]
	}
	var flags []string
	for _, s := range t.Settings {
		if s.Tool != "swift" || !s.applies() {
			continue
		}
		for kind, text := range s.Kind {
			more, err := s.flags(kind, text)
			if err != nil {
				return nil, fmt.Errorf("%w: target %s has the setting %s", ErrUnsupported, t.Name, kind)
			}
			if kind == "swiftLanguageMode" {
				mode = more[0]
				continue
			}
			flags = append(flags, more...)
		}
	}
	return append([]string{"-swift-version", mode}, flags...), nil
}

// applies reports whether a setting's condition holds.
func (s *setting) applies() bool {
	c := s.Condition
	if c == nil {
		return true
	}
	platform := map[string]string{"darwin": "macos", "windows": "windows", "linux": "linux"}[runtime.GOOS]
	return c.Config != "debug" && (len(c.PlatformNames) == 0 || slices.Contains(c.PlatformNames, platform))
}

// settingFlags maps settings of one word to the compiler's flag.
var settingFlags = map[string]string{
	"define": "-D", "enableUpcomingFeature": "-enable-upcoming-feature", "enableExperimentalFeature": "-enable-experimental-feature", "swiftLanguageMode": "",
}

func (s *setting) flags(kind string, text json.RawMessage) ([]string, error) {
	var one struct {
		Value json.RawMessage `json:"_0"`
	}
	if err := json.Unmarshal(text, &one); err != nil {
		return nil, err
	}
	if kind == "unsafeFlags" {
		var all []string
		err := json.Unmarshal(one.Value, &all)
		return all, err
	}
	flag, known := settingFlags[kind]
	var word string
	if err := json.Unmarshal(one.Value, &word); err != nil || !known {
		return nil, errors.New("unknown setting")
	}
	if flag == "" {
		return []string{word}, nil
	}
	return []string{flag, word}, nil
}
