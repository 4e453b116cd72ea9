package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"silvm/loader"
	"silvm/loader/toolchain"
)

// isSwift reports whether a file must be compiled first: Swift source, or the folder of a package.
func isSwift(name string) bool {
	if strings.HasSuffix(name, ".swift") {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// compile lets the swiftc on PATH print the SIL of Swift files, or of a package, once for each command.
func (a *app) compile(files []string) (*program, error) {
	key := strings.Join(files, "\x00")
	if p := a.compiled[key]; p != nil {
		return p, nil
	}
	for _, name := range files {
		if _, err := os.Stat(name); err != nil {
			return nil, failf(exitNoInput, "%v", err)
		}
	}
	if info, err := os.Stat(files[0]); err == nil && info.IsDir() {
		if _, err := os.Stat(filepath.Join(files[0], "Package.swift")); err != nil {
			return nil, failf(exitNoInput, "%s: a folder without Package.swift", files[0])
		}
	}
	t, err := toolchain.Find("swiftc")
	if errors.Is(err, toolchain.ErrNoCompiler) {
		return nil, failf(exitNoInput, "%s: no swiftc on PATH to compile it; print its SIL with 'swiftc -emit-sil -O' and give me that", files[0])
	}
	if err != nil {
		return nil, failf(exitNoInput, "%v", err)
	}
	source, err := a.swiftProgram(t, files)
	if err != nil {
		return nil, err
	}
	texts, err := t.Compile(source, strings.Fields(a.flags.swiftc), a.err)
	if err != nil {
		return nil, failf(exitInvalid, "%s: %v", files[0], err)
	}
	p := &program{compiler: t}
	for n, text := range texts {
		name := silName(files[0])
		if n > 0 {
			name = filepath.Join(files[0], text.Module+".sil")
		}
		p.inputs = append(p.inputs, loader.Input{Name: name, Text: text.SIL})
	}
	if a.compiled == nil {
		a.compiled = map[string]*program{}
	}
	a.compiled[key] = p
	return p, nil
}

// swiftProgram determines what to compile.
func (a *app) swiftProgram(t *toolchain.Toolchain, files []string) (*toolchain.Program, error) {
	for _, name := range files {
		if strings.HasSuffix(name, ".swift") {
			continue
		}
		if len(files) > 1 {
			return nil, failf(exitUsage, "%s: a package is compiled by itself", name)
		}
		if _, err := os.Stat(filepath.Join(name, "Package.swift")); err != nil {
			return nil, failf(exitNoInput, "%s: a folder without Package.swift", name)
		}
		p, err := t.Package(name, a.flags.target)
		switch {
		case errors.Is(err, toolchain.ErrUnsupported):
			return nil, failf(exitUnsupported, "%v", err)
		case errors.Is(err, toolchain.ErrRejected):
			return nil, failf(exitInvalid, "%s: %v", name, err)
		case err != nil:
			return nil, failf(exitNoInput, "%v", err)
		}
		return p, nil
	}
	return &toolchain.Program{Module: "main", Sources: files}, nil
}

// silName names the SIL that was made of a Swift file, for messages. It lies beside the source, where that is looked for.
func silName(file string) string {
	if source, ok := strings.CutSuffix(file, ".swift"); ok {
		return source + ".sil"
	}
	return filepath.Join(file, "package.sil")
}
