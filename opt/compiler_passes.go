package opt

import (
	_ "embed"
	"strings"
)

// compilerPasses are the names of all passes of sil-opt 6.0.3, a line each with the name that the compiler's own code has for the pass, so
// that one that silvm lacks can be told from a misspelling and from an option that means nothing here. Passes that only 6.2.3 has follow
// with a dash in place of that name.
//
//go:embed compiler_passes.txt
var compilerPasses string

// IsCompilerPass reports whether the compiler's sil-opt has a pass of that name, whether silvm has it or not.
func IsCompilerPass(name string) bool { return CompilerTag(name) != "" }

// CompilerTag returns the name that the compiler's own code has for a pass of its sil-opt, "" when it has none of that name.
func CompilerTag(name string) string {
	for line := range strings.Lines(compilerPasses) {
		if pass, tag, _ := strings.Cut(strings.TrimSpace(line), " "); pass == name {
			return tag
		}
	}
	return ""
}
