package opt

import (
	_ "embed"
	"strings"
)

// compilerPasses are the names of all passes of sil-opt 6.0.3, a line each, so that one that silvm lacks can be told from a
// misspelling and from an option that means nothing here.
//
//go:embed names.txt
var compilerPasses string

// IsCompilerPass says whether the compiler's sil-opt has a pass of that name, whether silvm has it or not.
func IsCompilerPass(name string) bool {
	for line := range strings.Lines(compilerPasses) {
		if strings.TrimSpace(line) == name {
			return true
		}
	}
	return false
}
