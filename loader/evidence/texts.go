package evidence

import (
	"slices"
	"strings"

	"silvm/ir/mangle"
)

// Text is what a text says of the module that it is of.
type Text struct {
	Module string          // "" when its symbols do not tell
	sees   map[string]bool // modules whose types it may mention, its own among them
	all    bool            // it imports a module of which nothing is known
	tests  bool            // it has what is internal to modules that it imports
}

// TextsOf finds out which modules the texts of a program are of, and which they import, by way of each other too.
func TextsOf(texts []string) []Text {
	out := make([]Text, len(texts))
	imports := map[string][]string{} // of the modules whose text is there
	for k, text := range texts {
		out[k].Module = moduleOf(text)
		if m := out[k].Module; m != "" {
			imports[m] = append(imports[m], importsOf(text)...)
		}
	}
	for k := range out {
		t := &out[k]
		t.sees = map[string]bool{t.Module: true}
		t.tests = strings.Contains(texts[k], "@testable import ")
		work := importsOf(texts[k])
		for len(work) > 0 {
			m := work[len(work)-1]
			work = work[:len(work)-1]
			if t.sees[m] {
				continue
			}
			t.sees[m] = true
			further, known := imports[m]
			t.all = t.all || !known && !IsLibraryModule(m) && !slices.Contains(plainModules, m)
			work = append(work, further...)
		}
	}
	return out
}

// plainModules are further modules that import none of a program's.
var plainModules = []string{"Builtin", "SwiftShims", "SwiftOnoneSupport", "Glibc", "Musl", "Darwin", "Android", "_SwiftConcurrencyShims",
	"_Builtin_float", "CDispatch", "CoreFoundation", "_FoundationICU", "_FoundationCShims"}

// Sees reports whether the text may mention a type of a module, which is exported or not.
func (t *Text) Sees(module string, exported bool) bool {
	return module == t.Module || (exported || t.tests) && (t.all || t.sees[module])
}

// moduleOf returns the module whose functions a text defines, as far as it has no copies of them, "" when these are none or several.
func moduleOf(text string) string {
	found := ""
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, "\nsil ")
		if !ok {
			return found
		}
		line, tail, _ := strings.Cut(after, "\n")
		rest = "\n" + tail
		head, symbol, ok := strings.Cut(line, "@$s")
		if !ok || !strings.HasSuffix(line, "{") || isCopied(head) || !hasBlocks(tail) {
			continue
		}
		symbol, _, _ = strings.Cut(symbol, " ")
		if strings.Contains(symbol, "TW") || strings.Contains(symbol, "TR") { // a witness may be of another module's type
			continue
		}
		switch m := mangle.OutermostModule("$s" + symbol); {
		case m == "" || m == found || IsLibraryModule(m):
		case found != "":
			return ""
		default:
			found = m
		}
	}
}

// hasBlocks reports whether a function whose text goes on after its first line has a body; the effects of one that is only declared are in
// braces too.
func hasBlocks(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, "[") && !strings.HasPrefix(line, "//") {
			return strings.HasPrefix(line, "bb")
		}
	}
	return false
}

// isCopied reports whether a function with these words before its name may be another module's.
func isCopied(head string) bool {
	return slices.ContainsFunc(strings.Fields(head), func(w string) bool {
		return w == "shared" || strings.HasSuffix(w, "_external") || strings.HasSuffix(w, "non_abi")
	})
}

// importsOf returns the modules that a text imports.
func importsOf(text string) (modules []string) {
	text = "\n" + text
	for {
		before, after, ok := strings.Cut(text, "import ")
		if !ok {
			return modules
		}
		text = after
		if line := before[strings.LastIndexByte(before, '\n')+1:]; line != "" && !strings.HasPrefix(line, "@") || strings.HasPrefix(line, "@$") {
			continue
		}
		line, _, _ := strings.Cut(after, "\n")
		words := strings.Fields(line)
		if len(words) > 1 { // import struct M.S
			words = words[1:]
		}
		if len(words) > 0 {
			module, _, _ := strings.Cut(words[0], ".")
			modules = append(modules, module)
		}
	}
}
