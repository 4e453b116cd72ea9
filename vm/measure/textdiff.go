package measure

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"silvm/ir"
)

// How the texts of two modules are compared: function by function, with values and blocks matched, so that an instruction that is gone is one
// line, not all lines after it whose numbers changed.

// TextDiff is a difference between two modules.
type TextDiff struct {
	Func    string // as the compiler prints its name
	Symbol  string
	Unified string // "" for a function that only one of them has
	Only    string // "before" or "after" for such a function
	Lines   int    // lines that are other, gone or new
}

// diffText compares the functions of two modules. The error is that of a body that can't be read.
func diffText(before, after *ir.Module) ([]TextDiff, error) {
	// Where one text leaves out the types of operands, as newer compilers do, they are no difference.
	defer func(b, a bool) { before.OmitTypes, after.OmitTypes = b, a }(before.OmitTypes, after.OmitTypes)
	omit := before.OmitTypes || after.OmitTypes
	before.OmitTypes, after.OmitTypes = omit, omit
	var list []TextDiff
	for _, f := range before.Functions() {
		g := after.Funcs[f.Name]
		if err := f.Body(); err != nil {
			return nil, err
		}
		if g == nil {
			list = append(list, TextDiff{Func: f.DisplayName(), Symbol: f.Name, Only: "before", Lines: len(f.Blocks)})
			continue
		}
		if err := g.Body(); err != nil {
			return nil, err
		}
		unified := Unified("before", "after", f.String(), g.String())
		if unified == "" {
			continue
		}
		d := TextDiff{Func: f.DisplayName(), Symbol: f.Name, Unified: unified}
		for _, l := range strings.Split(d.Unified, "\n")[2:] {
			if strings.HasPrefix(l, "-") || strings.HasPrefix(l, "+") {
				d.Lines++
			}
		}
		list = append(list, d)
	}
	for _, f := range after.Functions() {
		if before.Funcs[f.Name] == nil {
			list = append(list, TextDiff{Func: f.DisplayName(), Symbol: f.Name, Only: "after"})
		}
	}
	return list, nil
}

// Unified returns the difference of two texts of functions, with the values and blocks of the second renamed to those of the first that they
// match; "" when there is none but in numbers, places and comments.
func Unified(before, after, a, b string) string {
	x, y := linesOf(a), linesOf(b)
	if !slices.Equal(x, y) {
		y = renamed(x, y)
	}
	return udiff.Unified(before, after, strings.Join(x, "\n")+"\n", strings.Join(y, "\n")+"\n")
}

var (
	comment  = regexp.MustCompile(` *// [^"]*$`)
	debugLoc = regexp.MustCompile(`, loc (?:"[^"]*"|\* "[^"]*"):\d+:\d+|, loc \* [^,]*|, scope \d+`)
	nameIn   = regexp.MustCompile(`"[^"]*"|%[A-Za-z0-9_]+|\bbb\d+\b`)
	opened   = regexp.MustCompile(`@opened\("[^"]*"`)
)

// linesOf returns the lines of functions without comments and places.
func linesOf(text string) (lines []string) {
	for line := range strings.Lines(text) {
		line = debugLoc.ReplaceAllString(comment.ReplaceAllString(strings.TrimRight(line, "\n"), ""), "")
		line = opened.ReplaceAllString(line, `@opened("…"`)
		if line = strings.TrimRight(line, " "); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// iterations of matching: an iteration knows the names that the one before it found.
const rounds = 3

// renamed returns the lines of b with the names of a, as far as the two texts match; other values and blocks get names that a does not have.
func renamed(a, b []string) []string {
	var names map[string]string // of b to those of a
	for range rounds {
		ka, kb := keys(a, nil, nil), keys(b, names, nil)
		if names != nil {
			known := map[string]bool{}
			for _, n := range names {
				known[n] = true
			}
			ka = keys(a, nil, known)
			kb = keys(b, names, known)
		}
		next := map[string]string{}
		taken := map[string]bool{}
		for _, p := range aligned(ka, kb) {
			x, y := namesOf(a[p[0]]), namesOf(b[p[1]])
			if len(x) != len(y) {
				continue
			}
			for n := range definitions(a[p[0]]) {
				if n < len(x) && next[y[n]] == "" && !taken[x[n]] {
					next[y[n]], taken[x[n]] = x[n], true
				}
			}
		}
		names = next
	}
	used := map[string]bool{}
	for _, l := range a {
		for _, n := range namesOf(l) {
			used[n] = true
		}
	}
	fresh := 0
	out := make([]string, len(b))
	for n, l := range b {
		out[n] = replaceNames(l, func(s string) string {
			if s[0] == '"' {
				return s
			}
			if names[s] == "" {
				for names[s] = s; used[names[s]]; fresh++ {
					names[s] = fmt.Sprintf("%s_new%d", strings.TrimRight(s, "0123456789"), fresh)
				}
				used[names[s]] = true
			}
			return names[s]
		})
	}
	return out
}

// namesOf returns the names of values and blocks in a line. An effect list, as in [%0: noescape, escape c*.v** -> %r.v**], has none: its
// numbers count parameters.
func namesOf(line string) []string {
	if strings.HasPrefix(line, "[") {
		return nil
	}
	return nameIn.FindAllString(line, -1)
}

// replaceNames puts other names in the place of those that namesOf finds.
func replaceNames(line string, name func(string) string) string {
	if strings.HasPrefix(line, "[") {
		return line
	}
	return nameIn.ReplaceAllStringFunc(line, name)
}

// definitions is the number of names that a line defines: they come first in it.
func definitions(line string) int {
	if strings.HasPrefix(line, "bb") { // a block with its arguments
		return len(namesOf(line))
	}
	if head, _, ok := strings.Cut(line, " = "); ok {
		return len(namesOf(head))
	}
	return 0
}

// keys returns what lines are matched by: their text with names left out, but for those of b that stand for known ones of a.
func keys(lines []string, names map[string]string, known map[string]bool) []string {
	out := make([]string, len(lines))
	for n, l := range lines {
		defs, k := definitions(l), 0
		out[n] = replaceNames(l, func(s string) string {
			k++
			switch {
			case s[0] == '"':
				return s
			case k <= defs:
				return "%"
			case names == nil && known[s]:
				return s
			case known[names[s]]:
				return names[s]
			}
			return "%"
		})
	}
	return out
}

// aligned pairs the lines that two texts have in common, in order.
func aligned(a, b []string) (pairs [][2]int) {
	x, y := strings.Join(a, "\n")+"\n", strings.Join(b, "\n")+"\n"
	edits := udiff.Lines(x, y)
	i, j, at := 0, 0, 0
	same := func(to int) {
		for at < to {
			at += len(a[i]) + 1
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		}
	}
	for _, e := range edits {
		same(e.Start)
		for at < e.End {
			at += len(a[i]) + 1
			i++
		}
		j += strings.Count(e.New, "\n")
	}
	same(len(x))
	return pairs
}
