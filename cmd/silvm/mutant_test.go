package main

import (
	"math/rand"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"silvm/ir/op"
	"silvm/ir/verify"
	"silvm/loader"
	"silvm/loader/siltest"
)

// pool is what mutants are made of: the lines of programs, and the words that are in them.
type pool struct {
	programs [][]string          // lines with their ends
	alike    map[string][]string // instructions of the same syntax, by name
}

// newPool reads the recorded programs; the short test leaves the large ones out.
func newPool(t *testing.T) *pool {
	p := &pool{alike: map[string][]string{}}
	for _, f := range siltest.Programs(t, filepath.Join("..", "..", "programs")) {
		if most := 60 << 10; len(f.Text) < most || *mutateFor > 0 && len(f.Text) < 10*most {
			p.programs = append(p.programs, strings.SplitAfter(string(f.Text), "\n"))
		}
	}
	bySyntax := map[string][]string{}
	for _, row := range op.Rows() {
		key := strings.Replace(row.Syntax(), row.Name, "", 1)
		bySyntax[key] = append(bySyntax[key], row.Name)
	}
	for _, names := range bySyntax {
		for _, name := range names {
			p.alike[name] = names
		}
	}
	return p
}

// mutant returns a program with some changes. Most changes that make it unreadable are taken back, so that later ones meet a
// program that runs.
func (p *pool) mutant(r *rand.Rand) []byte {
	lines := p.programs[r.Intn(len(p.programs))]
	for range 1 + r.Intn(8) {
		if len(lines) == 0 {
			break
		}
		next := changes[r.Intn(len(changes))](p, r, append([]string(nil), lines...))
		if loads(next) || r.Intn(100) == 0 {
			lines = next
		}
	}
	return []byte(strings.Join(lines, ""))
}

// loads reports whether the text is SIL that the verifier takes.
func loads(lines []string) bool {
	mod, diags := loader.Load("mutant.sil", []byte(strings.Join(lines, "")), loader.Options{})
	if diags.Errors() == 0 {
		verify.Module(mod, diags)
	}
	return diags.Errors() == 0
}

// tokens are the pieces of SIL that a change takes as wholes.
var (
	tokens  = regexp.MustCompile(`"[^"\n]*"|[%@#$]?[A-Za-z0-9_.]+|-?[0-9]+|[^\sA-Za-z0-9_]`)
	number  = regexp.MustCompile(`\b\d+\b`)
	opcode  = regexp.MustCompile(`^(\s+(?:\S+ = )?)([a-z_]+)\b`)
	operand = regexp.MustCompile(`%\d+ : \$[A-Za-z0-9_.*]+`)
	block   = regexp.MustCompile(`\bbb\d+`)
	symbol  = regexp.MustCompile(`@[A-Za-z0-9_$]+ : `)
	field   = regexp.MustCompile(`^\s.*var \w+: (.*?)(?: \{|$)`)
)

// numbers are those on which bounds break.
var numbers = []string{"0", "1", "-1", "2", "7", "63", "64", "127", "128", "255", "256", "65535", "65536", "1048576", "2147483647", "2147483648",
	"4294967296", "1152921504606846976", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615",
	"18446744073709551616", "340282366920938463463374607431768211456", strings.Repeat("9", 200)}

// qualifiers change places with each other.
var qualifiers = [][]string{
	{"[copy]", "[take]", "[trivial]"}, {"[init]", "[assign]", "[trivial]"}, {"[read]", "[modify]", "[init]", "[deinit]"},
	{"[dynamic]", "[static]", "[unknown]", "[unsafe]"}, {"[stack]", "[objc]", ""}, {"[strict]", "[invariant]", ""},
	{"[tail_elems ", "[stack] [tail_elems "}, {"@owned", "@guaranteed", "@unowned"}, {"@in ", "@in_guaranteed ", "@inout "},
	{"[take] ", ""}, {"[init] ", ""}, {"private ", "public ", "shared "},
}

// changes are the ways in which a program becomes another: each returns the lines, which it may change, with one change.
var changes = []func(p *pool, r *rand.Rand, lines []string) []string{
	func(_ *pool, r *rand.Rand, lines []string) []string { // a line goes
		i := r.Intn(len(lines))
		return append(lines[:i], lines[i+1:]...)
	},
	func(_ *pool, r *rand.Rand, lines []string) []string { // an instruction without result goes
		i := seek(r, lines, func(l string) bool { return strings.HasPrefix(l, "  ") && !strings.Contains(l, " = ") })
		return append(lines[:i], lines[i+1:]...)
	},
	func(_ *pool, r *rand.Rand, lines []string) []string { // a line comes twice
		i := r.Intn(len(lines))
		return append(lines[:i+1:i+1], lines[i:]...)
	},
	func(_ *pool, r *rand.Rand, lines []string) []string { // two near lines change places
		i := r.Intn(len(lines))
		j := min(i+1+r.Intn(5), len(lines)-1)
		lines[i], lines[j] = lines[j], lines[i]
		return lines
	},
	func(_ *pool, r *rand.Rand, lines []string) []string { // a line comes from elsewhere
		lines[r.Intn(len(lines))] = lines[r.Intn(len(lines))]
		return lines
	},
	func(p *pool, r *rand.Rand, lines []string) []string { // a line comes from another program
		other := p.programs[r.Intn(len(p.programs))]
		lines[r.Intn(len(lines))] = other[r.Intn(len(other))]
		return lines
	},
	func(_ *pool, r *rand.Rand, lines []string) []string { // the end is missing
		if r.Intn(10) > 0 {
			return lines
		}
		i := r.Intn(len(lines))
		return append(lines[:i], lines[i][:r.Intn(len(lines[i])+1)])
	},
	func(p *pool, r *rand.Rand, lines []string) []string { // another instruction of the same form
		i := seek(r, lines, opcode.MatchString)
		m := opcode.FindStringSubmatchIndex(lines[i])
		if m == nil {
			return lines
		}
		names := p.alike[lines[i][m[4]:m[5]]]
		if len(names) == 0 {
			return lines
		}
		lines[i] = lines[i][:m[4]] + names[r.Intn(len(names))] + lines[i][m[5]:]
		return lines
	},
	func(_ *pool, r *rand.Rand, lines []string) []string { // a word is replaced everywhere
		return rename(r, lines, 0, len(lines))
	},
	func(_ *pool, r *rand.Rand, lines []string) []string { // a word is replaced in a stretch
		i := r.Intn(len(lines))
		return rename(r, lines, i, min(i+60, len(lines)))
	},
	func(_ *pool, r *rand.Rand, lines []string) []string { // a number is another
		i := seek(r, lines, func(l string) bool { return strings.Contains(l, "_literal") || strings.Contains(l, "Builtin.Int") })
		lines[i] = number.ReplaceAllStringFunc(lines[i], func(s string) string {
			if r.Intn(3) > 0 {
				return s
			}
			return numbers[r.Intn(len(numbers))]
		})
		return lines
	},
	func(_ *pool, r *rand.Rand, lines []string) []string { // a value is another of the same type
		i := seek(r, lines, operand.MatchString)
		return replaceNear(r, lines, i, 40, operand, func(old, new string) bool {
			return old[strings.Index(old, "$"):] == new[strings.Index(new, "$"):]
		})
	},
	func(_ *pool, r *rand.Rand, lines []string) []string { // a value is another with its type
		return replaceNear(r, lines, seek(r, lines, operand.MatchString), 40, operand, nil)
	},
	func(_ *pool, r *rand.Rand, lines []string) []string { // a branch goes elsewhere
		return replaceNear(r, lines, seek(r, lines, block.MatchString), 60, block, nil)
	},
	func(_ *pool, r *rand.Rand, lines []string) []string { // another function
		return replaceNear(r, lines, seek(r, lines, symbol.MatchString), len(lines), symbol, nil)
	},
	func(_ *pool, r *rand.Rand, lines []string) []string { // a field gets the type of another
		i := seek(r, lines, field.MatchString)
		j := seek(r, lines, field.MatchString)
		a, b := field.FindStringSubmatchIndex(lines[i]), field.FindStringSubmatch(lines[j])
		if a == nil || b == nil {
			return lines
		}
		lines[i] = lines[i][:a[2]] + b[1] + lines[i][a[3]:]
		return lines
	},
	func(_ *pool, r *rand.Rand, lines []string) []string { // another qualifier
		of := qualifiers[r.Intn(len(qualifiers))]
		old, new := of[r.Intn(len(of))], of[r.Intn(len(of))]
		if old == "" {
			return lines
		}
		i := seek(r, lines, func(l string) bool { return strings.Contains(l, old) })
		lines[i] = strings.Replace(lines[i], old, new, 1)
		return lines
	},
	func(_ *pool, r *rand.Rand, lines []string) []string { // a token goes, comes twice or is another
		i := r.Intn(len(lines))
		lines[i] = changeToken(r, lines[i], lines[max(0, i-20):min(i+20, len(lines))])
		return lines
	},
}

// seek returns the number of a line of a sort, or of any when none is near where it looks.
func seek(r *rand.Rand, lines []string, is func(string) bool) int {
	i := r.Intn(len(lines))
	for n := range min(len(lines), 2000) {
		if k := (i + n) % len(lines); is(lines[k]) {
			return k
		}
	}
	return i
}

// replaceNear replaces one match in line i by a match in a line at most so far away; ok, if there, must agree.
func replaceNear(r *rand.Rand, lines []string, i, far int, what *regexp.Regexp, ok func(old, new string) bool) []string {
	at := what.FindAllStringIndex(lines[i], -1)
	if len(at) == 0 {
		return lines
	}
	k := at[r.Intn(len(at))]
	from, to := max(0, i-far), min(len(lines), i+far)
	for range 30 {
		found := what.FindAllString(lines[from+r.Intn(to-from)], -1)
		if len(found) == 0 {
			continue
		}
		old, new := lines[i][k[0]:k[1]], found[r.Intn(len(found))]
		if new != old && (ok == nil || ok(old, new)) {
			lines[i] = lines[i][:k[0]] + new + lines[i][k[1]:]
			return lines
		}
	}
	return lines
}

// rename replaces a word by another of the same sort within lines[from:to].
func rename(r *rand.Rand, lines []string, from, to int) []string {
	old := tokens.FindAllString(lines[from+r.Intn(to-from)], -1)
	if len(old) == 0 {
		return lines
	}
	a := old[r.Intn(len(old))]
	for range 20 {
		other := tokens.FindAllString(lines[r.Intn(len(lines))], -1)
		if len(other) == 0 {
			continue
		}
		if b := other[r.Intn(len(other))]; b != a && kindOf(a) == kindOf(b) {
			for n := from; n < to; n++ {
				lines[n] = tokens.ReplaceAllStringFunc(lines[n], func(s string) string {
					if s == a {
						return b
					}
					return s
				})
			}
			return lines
		}
	}
	return lines
}

// kindOf is the first byte of a word, with letters and digits taken together.
func kindOf(word string) byte {
	switch c := word[0]; {
	case c >= '0' && c <= '9':
		return '0'
	case c >= 'A' && c <= 'Z':
		return 'A'
	case c >= 'a' && c <= 'z' || c == '_':
		return 'a'
	default:
		return c
	}
}

// changeToken changes one token of a line, with help from the lines around.
func changeToken(r *rand.Rand, line string, near []string) string {
	at := tokens.FindAllStringIndex(line, -1)
	if len(at) == 0 {
		return line
	}
	k := at[r.Intn(len(at))]
	word := line[k[0]:k[1]]
	switch r.Intn(4) {
	case 0:
		word = ""
	case 1:
		word += " " + word
	default:
		for range 20 {
			other := tokens.FindAllString(near[r.Intn(len(near))], -1)
			if len(other) > 0 {
				if b := other[r.Intn(len(other))]; b != word && kindOf(b) == kindOf(word) {
					word = b
					break
				}
			}
		}
	}
	return line[:k[0]] + word + line[k[1]:]
}
