package toolchain

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

// missingModule is what the compiler says when a module of the library imports a module for C that toolchains don't ship.
var missingModule = regexp.MustCompile(`missing required module '(\w+)'`)

// maxShims bounds how many such modules one module may want.
const maxShims = 10

// printModule returns the text of a library module: declarations, tables and the bodies that it lets others inline, lowered to plain reference
// counting. Modules for C that nothing but the module's own build needed are replaced by empty ones in the scratch folder.
func (t *Toolchain) printModule(frontend, name, scratch string) ([]byte, error) {
	args := []string{"-sil-opt", t.moduleFile(name), "-module-name", name, "-ownership-model-eliminator", "-o", "-"}
	shims, folder := []byte(nil), filepath.Join(scratch, "shims")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	for range maxShims {
		cmd := exec.Command(frontend, args...)
		cmd.Dir = scratch
		var said bytes.Buffer
		cmd.Stderr = &said
		text, err := cmd.Output()
		if err == nil && !bytes.HasPrefix(text, []byte("sil_stage ")) {
			return nil, errors.New("it has no SIL" + firstLines(said.String()))
		}
		if err == nil {
			return text, nil
		}
		missing := missingModule.FindSubmatch(said.Bytes())
		if missing == nil || bytes.Contains(shims, fmt.Appendf(nil, "module %s {", missing[1])) {
			return nil, errors.New(err.Error() + firstLines(said.String()))
		}
		if shims == nil {
			args = append(args, "-I", "shims")
		}
		shims = fmt.Appendf(shims, "module %s {}\n", missing[1])
		if err := os.WriteFile(filepath.Join(folder, "module.modulemap"), shims, 0o666); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("it wants too many modules that are not there")
}
