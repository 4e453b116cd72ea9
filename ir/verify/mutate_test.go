package verify_test

import (
	"math/rand"
	"regexp"
	"strings"
)

// mutant returns a text of at most mutantMost bytes: one of the pool, or its beginning and a piece from inside, with changes.
func (p *textPool) mutant(r *rand.Rand) []byte {
	lines := p.window(r, p.texts[r.Intn(len(p.texts))])
	for range r.Intn(4) {
		if len(lines) == 0 {
			break
		}
		lines = lineChanges[r.Intn(len(lineChanges))](p, r, lines)
	}
	text := strings.Join(lines, "")
	for n := max(0, r.Intn(6)-2); n > 0 && len(text) > 0; n-- {
		text = byteChange(r, text)
	}
	return []byte(text[:min(len(text), mutantMost)])
}

// window cuts a text to what a mutant may have, most often much less: declarations at its beginning, and whole lines further on.
func (p *textPool) window(r *rand.Rand, all []string) []string {
	budget := 1 << (9 + r.Intn(8)) // 512 bytes to 64 KiB
	if r.Intn(3) > 0 {
		budget = min(budget, 8<<10)
	}
	var lines []string
	head, at := budget/2, 0
	if r.Intn(2) == 0 {
		head = mutantMost // the whole text, if it is not longer
	}
	for ; at < len(all) && len(all[at]) <= head; at++ {
		head -= len(all[at])
		lines = append(lines, all[at])
	}
	if at == len(all) {
		return lines
	}
	at += r.Intn(len(all) - at)
	for at > 0 && !strings.HasPrefix(all[at], "sil ") && !strings.HasPrefix(all[at], "}") {
		at--
	}
	for rest := budget / 2; at < len(all) && len(all[at]) <= rest; at++ {
		rest -= len(all[at])
		lines = append(lines, all[at])
	}
	return lines
}

var mutantWord = regexp.MustCompile(`"[^"\n]*"|[%@#$]?[A-Za-z0-9_.]+|-?[0-9]+|[^\sA-Za-z0-9_]`)

// nests are pairs that nest: what opens and what closes. They are repeated up to some ten thousand times.
var nests = [][2]string{
	{"(", ")"}, {"[", "]"}, {"{", "}"}, {"<", ">"}, {"Optional<", ">"}, {"Array<", ">"}, {"$", ""}, {"*", ""}, {"@", ""}, {"@owned ", ""}, {"@in ", ""},
	{"@callee_guaranteed () -> ", ""}, {"@callee_guaranteed (", ") -> ()"}, {"(Int, ", ")"}, {"any ", ""}, {"inout ", ""}, {"repeat each ", ""},
	{"Pack{", "}"}, {"{ var ", " }"}, {"<T> { var ", " } <Int>"}, {"@sil_weak ", ""}, {"@moveOnly ", ""}, {"@dynamic_self ", ""}, {"@thick ", ".Type"},
	{"", ".Type"}, {"", "?"}, {"", ".Element"}, {"@substituted <A> (A) -> ", " for <Int>"}, {"@block_storage ", ""}, {"[Int: ", "]"}, {"/* ", " */"},
	{"struct S { ", " }"}, {"class C<T> where T: P { ", "}"}, {"func f() { ", " }"}, {"enum E { case a(", ") }"}, {"init() { if x { ", " } }"},
	{"extension E { ", " }"}, {"#if X\n", "\n#endif\n"}, {"\"\\(", ")\""}, {"@available(", ")"}, {"@_semantics(\"", "\")"}, {"P & ", ""},
	{"@opened(\"00000000-0000-0000-0000-000000000000\", ", ") Self"}, {"@pack_element(\"A\") ", ""}, {"@_opaqueReturnTypeOf(\"f\", 0) ", ""},
	{"(root $S; optional_chain : ", ")"}, {"[serialized] ", ""}, {"[%0: ", "]"}, {"!", ""}, {"~", ""}, {"-", ""}, {"&", ""}, {"#S.", ""}, {"protocol P : ", ""},
	{"where T == ", ""}, {"= ", ""}, {"if ", ""}, {"throws(", ")"}, {"() throws(", ") -> ()"}, {"case ", ""}, {"%0 = ", ""}, {", ", ""}, {": ", ""}, {"@yields ", ""},
}

var lineChanges = []func(p *textPool, r *rand.Rand, lines []string) []string{
	func(_ *textPool, r *rand.Rand, lines []string) []string { // lines change places
		for range 1 + r.Intn(20) {
			i, j := r.Intn(len(lines)), r.Intn(len(lines))
			lines[i], lines[j] = lines[j], lines[i]
		}
		return lines
	},
	func(_ *textPool, r *rand.Rand, lines []string) []string { // a stretch is shuffled
		i := r.Intn(len(lines))
		part := lines[i:min(len(lines), i+1+r.Intn(30))]
		r.Shuffle(len(part), func(a, b int) { part[a], part[b] = part[b], part[a] })
		return lines
	},
	func(_ *textPool, r *rand.Rand, lines []string) []string { // lines go
		i := r.Intn(len(lines))
		return append(lines[:i], lines[min(len(lines), i+1+r.Intn(4)):]...)
	},
	func(_ *textPool, r *rand.Rand, lines []string) []string { // lines come again
		i := r.Intn(len(lines))
		part := lines[i:min(len(lines), i+1+r.Intn(20))]
		j := r.Intn(len(lines))
		return append(lines[:j:j], append(append([]string(nil), part...), lines[j:]...)...)
	},
	func(p *textPool, r *rand.Rand, lines []string) []string { // lines come from another text
		other := p.texts[r.Intn(len(p.texts))]
		i := r.Intn(len(other))
		part := other[i:min(len(other), i+1+r.Intn(20))]
		j := r.Intn(len(lines))
		return append(lines[:j:j], append(append([]string(nil), part...), lines[j:]...)...)
	},
	func(_ *textPool, r *rand.Rand, lines []string) []string { // the end is missing
		return lines[:1+r.Intn(len(lines))]
	},
	tokenChange, tokenChange, tokenChange, tokenChange,
	func(_ *textPool, r *rand.Rand, lines []string) []string { // something is nested
		i := r.Intn(len(lines))
		at := mutantWord.FindAllStringIndex(lines[i], -1)
		if len(at) == 0 {
			return lines
		}
		k := at[r.Intn(len(at))]
		how := nests[r.Intn(len(nests))]
		times := 1 << r.Intn(15)
		times = min(times, mutantMost/(2*(len(how[0])+len(how[1])+1)))
		inner := lines[i][k[0]:k[1]]
		if r.Intn(4) == 0 {
			inner = ""
		}
		closing := strings.Repeat(how[1], times)
		if r.Intn(4) == 0 {
			closing = ""
		}
		lines[i] = lines[i][:k[0]] + strings.Repeat(how[0], times) + inner + closing + lines[i][k[1]:]
		return lines
	},
}

// tokenChange removes words, doubles them, or puts others in their place: from the same line, one near, or from anywhere.
func tokenChange(p *textPool, r *rand.Rand, lines []string) []string {
	for range 1 + r.Intn(3) {
		i := r.Intn(len(lines))
		at := mutantWord.FindAllStringIndex(lines[i], -1)
		if len(at) == 0 {
			continue
		}
		k := at[r.Intn(len(at))]
		word := lines[i][k[0]:k[1]]
		switch r.Intn(5) {
		case 0:
			word = ""
		case 1:
			word += " " + word
		case 2:
			word = p.tokens[r.Intn(len(p.tokens))]
		default:
			near := mutantWord.FindAllString(lines[min(len(lines)-1, max(0, i-5+r.Intn(10)))], -1)
			if len(near) > 0 {
				word = near[r.Intn(len(near))]
			}
		}
		lines[i] = lines[i][:k[0]] + word + lines[i][k[1]:]
	}
	return lines
}

const mutantMarks = "(){}[]<>,:$@#%\"'/*=-&!?.\n\\`~|;"

// byteChange changes bytes without regard to what they mean.
func byteChange(r *rand.Rand, text string) string {
	i := r.Intn(len(text))
	n := min(len(text)-i, 1+r.Intn(40))
	switch r.Intn(7) {
	case 0:
		return text[:i] + string([]byte{byte(r.Intn(128))}) + text[i+1:]
	case 1:
		return text[:i] + string(mutantMarks[r.Intn(len(mutantMarks))]) + text[i+1:]
	case 2:
		return text[:i] + string(mutantMarks[r.Intn(len(mutantMarks))]) + text[i:]
	case 3:
		return text[:i] + text[i+n:]
	case 4:
		j := r.Intn(len(text))
		return text[:j] + text[i:i+n] + text[j:]
	case 5:
		return text[:i]
	}
	return text[:i] + string([]byte{byte(r.Intn(256))}) + text[i+1:]
}
