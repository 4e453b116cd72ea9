package verify_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"silvm/ir/source"
	"silvm/ir/verify"
	"silvm/loader"
)

// A message is one that the source of the verifier can make.
type message struct {
	place  token.Position
	format string
	text   *regexp.Regexp
	said   bool
}

// messagesOf finds the calls in this package that pass the name of a code and, after it, a format.
func messagesOf(t *testing.T) []message {
	t.Helper()
	verb := regexp.MustCompile(`%[a-z]`)
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	var list []message
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		literal := func(e ast.Expr) (string, bool) {
			lit, ok := e.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return "", false
			}
			text, err := strconv.Unquote(lit.Value)
			return text, err == nil
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for k := range len(call.Args) - 1 {
				code, _ := literal(call.Args[k])
				format, ok := literal(call.Args[k+1])
				if ok && source.Lookup(code) != nil {
					text := verb.ReplaceAllString(regexp.QuoteMeta(format), `(?s:.+)`)
					list = append(list, message{files.Position(call.Pos()), format, regexp.MustCompile("^" + text + "$"), false})
				}
			}
			return true
		})
	}
	return list
}

// TestEveryMessageIsSaid fails for a message of the verifier that no text in testdata leads to, except for those to which none can.
func TestEveryMessageIsSaid(t *testing.T) {
	messages := messagesOf(t)
	if len(messages) < 100 {
		t.Fatalf("only %d messages were found", len(messages))
	}
	check := func(name, text string) {
		mod, diags := loader.Load(name, []byte(text), loader.Options{})
		if diags.Errors() > 0 {
			return
		}
		verify.Module(mod, diags)
		verify.Exclusivity(mod, diags)
		verify.Promises(mod, diags)
		verify.OptionalCasts(mod, diags)
		for _, d := range diags.All() {
			for n := range messages {
				if m := &messages[n]; !m.said && m.text.MatchString(d.Msg) {
					m.said = true
				}
			}
		}
	}
	for _, dir := range []string{"reject", "judged", "exclusivity", "promises", "optionalcasts"} {
		files, err := filepath.Glob(filepath.Join("testdata", dir, "*.sil"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files in %s: %v", dir, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			parts := strings.Split(string(text), "\n// ---- ")
			if len(parts) == 1 {
				check(name, parts[0])
			}
			for _, part := range parts[1:] {
				_, body, _ := strings.Cut(part, "\n")
				check(name, parts[0]+"\n"+body)
			}
		}
	}
	known := map[string]bool{}
	for _, m := range messages {
		switch exempt := slices.Contains(unsaid, m.format); {
		case !m.said && !exempt:
			t.Errorf("%s: no text in testdata makes the verifier say %q", m.place, m.format)
		case m.said && exempt:
			t.Errorf("%s: %q is said: take it out of the list", m.place, m.format)
		}
		known[m.format] = true
	}
	for _, format := range unsaid {
		if !known[format] {
			t.Errorf("%q is no message of the verifier", format)
		}
	}
}

// unsaid are the messages to which no text leads, since the loader refuses it or works the result out by itself: they are for what passes make.
var unsaid = []string{
	"%s gives %d results, the struct has %d fields",
	"%s goes to a block of another function",
	"%s stands before the end of block %s",
	"begin_apply gives %d values, the coroutine yields %d",
	"block %s ends in %s, which is no terminator",
	"block %s of @%s is empty",
	"the result of %s is $%s, not $%s",
}
