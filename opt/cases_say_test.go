package opt_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var (
	// definition is the first line of a function with a body; its name is the last symbol before a type.
	definition = regexp.MustCompile(`^sil .*?@([^\s:"]+|"[^"]*") : \$.*\{( //.*)?$`)
	// named matches the functions that a comment names, but not attributes such as @_semantics.
	named = regexp.MustCompile(`(?:^|[^\w"])@([A-Za-z]\w*)`)
	// saysNothing matches names of a few letters and a number.
	saysNothing = regexp.MustCompile(`^([A-Za-z]{1,3}_?[0-9]*|(test|foo|bar|func)_?[0-9]*)$`)
)

// TestCasesSayWhatTheyProve fails for a function of a case whose name says nothing, or that has no line above it that tells what it shows, and for
// a case without a word at its head, or with one about a function that it hasn't.
func TestCasesSayWhatTheyProve(t *testing.T) {
	for _, name := range caseFiles(t) {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !hasWords(string(ar.Comment)) {
			t.Errorf("%s: nothing at its head says what it is about", name)
		}
		in := section(ar, "in.sil")
		if in == nil {
			t.Errorf("%s has no in.sil", name)
			continue
		}
		for _, m := range named.FindAllStringSubmatch(string(ar.Comment), -1) {
			if !regexp.MustCompile(`@` + m[1] + `\b`).Match(in.Data) {
				t.Errorf("%s: its head names @%s, which is not in in.sil", name, m[1])
			}
		}
		lines := strings.Split(string(in.Data), "\n")
		for n, line := range lines {
			m := definition.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			if saysNothing.MatchString(m[1]) {
				t.Errorf("%s: in.sil:%d: the name @%s says nothing", name, n+1, m[1])
			}
			if !saidAbove(lines, n) {
				t.Errorf("%s: in.sil:%d: no line above @%s says what it shows", name, n+1, m[1])
			}
		}
	}
}

// TestCasesAreShort asks for cases that fit on a few screens, with what sil-opt prints.
func TestCasesAreShort(t *testing.T) {
	const most = 250
	for _, name := range caseFiles(t) {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(txtar.Format(ar), []byte("\n")); lines > most {
			t.Errorf("%s has %d lines: split it by what it shows", name, lines)
		}
	}
}

// saidAbove reports whether the comment right above a line has a sentence.
func saidAbove(lines []string, n int) bool {
	for n--; n >= 0; n-- {
		said, ok := strings.CutPrefix(lines[n], "// ")
		if !ok {
			return false
		}
		if len(strings.Fields(said)) > 1 {
			return true
		}
	}
	return false
}

// hasWords reports whether a case's comment has more than lines with keys.
func hasWords(comment string) bool {
	for line := range strings.Lines(comment) {
		key, _, _ := strings.Cut(line, ":")
		switch key {
		case "passes", "verify":
		default:
			if strings.TrimSpace(line) != "" {
				return true
			}
		}
	}
	return false
}
