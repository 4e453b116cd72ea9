package effects_test

import (
	"slices"
	"strings"
	"testing"

	"silvm/ir/effects"
	"silvm/ir/facts"
)

// The model of a path is the set of words that it selects: a word is a list of fields, each named, none a wildcard. It is enumerated
// over a small alphabet up to a length, and every operation on paths is compared with what it means for these sets.
//
// Two elements never follow one another in a word: from element 1 on, element 2 is element 3.

type field struct {
	kind  effects.FieldKind
	index int
}

var (
	modelFields = []field{{effects.FieldStruct, 0}, {effects.FieldStruct, 1}, {effects.FieldEnum, 0}, {effects.FieldEnum, 1}, {effects.FieldClass, 0}, {effects.FieldTail, 0}, {effects.FieldElement, 1}}
	pathFields  = append(slices.Clone(modelFields), field{effects.FieldAnyClass, 0}, field{effects.FieldAnyElement, 0}, field{effects.FieldAnyValue, 0})
)

const (
	modelLength = 4 // of the longest word
	pathLength  = 2 // of the longest path, a ** at the end not counted
)

type word []field

var (
	modelWords = allWords()
	modelPaths = allPaths()
)

func allWords() (list []word) {
	list = []word{nil}
	for from := 0; len(list[from]) < modelLength; from++ {
		w := list[from]
		for _, f := range modelFields {
			if len(w) == 0 || !(w[len(w)-1].kind.IsElement() && f.kind.IsElement()) {
				list = append(list, append(slices.Clone(w), f))
			}
		}
	}
	return list
}

func allPaths() (list []effects.Path) {
	seen := map[effects.Path]bool{}
	var grow func(p effects.Path, n int)
	grow = func(p effects.Path, n int) {
		if !seen[p] {
			seen[p] = true
			list = append(list, p)
		}
		if n < pathLength {
			for _, f := range pathFields {
				if top, _, _ := p.Top(); !(top.IsElement() && f.kind.IsElement()) {
					grow(p.Push(f.kind, f.index), n+1)
				}
			}
		}
	}
	grow(0, 0)
	grow(effects.PathAnything, 0)
	return list
}

// selects reports whether the path selects the word, by trying each way to match it.
func selects(p effects.Path, w word) bool {
	if p == 0 {
		return len(w) == 0
	}
	k, index, rest := p.Pop()
	switch k {
	case effects.FieldAnything:
		return true
	case effects.FieldAnyValue:
		return selects(rest, w) || len(w) > 0 && w[0].kind.IsValue() && selects(p, w[1:])
	case effects.FieldAnyElement:
		return selects(rest, w) || len(w) > 0 && w[0].kind.IsElement() && selects(rest, w[1:])
	case effects.FieldAnyClass:
		return len(w) > 0 && w[0].kind.IsClass() && selects(rest, w[1:])
	}
	return len(w) > 0 && w[0] == field{k, index} && selects(rest, w[1:])
}

// sets holds the words of each path.
var sets = func() map[effects.Path]facts.Bits {
	m := map[effects.Path]facts.Bits{}
	for _, p := range modelPaths {
		m[p] = wordsOf(p)
	}
	return m
}()

func wordsOf(p effects.Path) facts.Bits {
	s := facts.NewBits(len(modelWords))
	for n, w := range modelWords {
		if selects(p, w) {
			s.Set(n)
		}
	}
	return s
}

func setOf(p effects.Path) facts.Bits {
	s, ok := sets[p]
	if !ok {
		s = wordsOf(p)
		sets[p] = s
	}
	return s
}

// missing returns a word that is in a and not in b, "" when there is none.
func missing(a, b facts.Bits) (text string, ok bool) {
	left := a.Clone()
	left.AndNot(b)
	left.Each(func(n int) {
		if !ok {
			text, ok = wordText(modelWords[n]), true
		}
	})
	return text, ok
}

func wordText(w word) string {
	var p effects.Path
	for _, f := range slices.Backward(w) {
		p = p.Push(f.kind, f.index)
	}
	return "(" + p.String() + ")"
}

// overlap reports whether two words select memory in common: one is the beginning of the other. The payloads of two cases of an enum
// are the same memory, whatever fields they have.
func overlap(a, b word) bool {
	for len(a) > 0 && len(b) > 0 {
		if a[0] != b[0] {
			return a[0].kind == effects.FieldEnum && b[0].kind == effects.FieldEnum && overlap(a.behindValues(), b.behindValues())
		}
		a, b = a[1:], b[1:]
	}
	return true
}

func (w word) behindValues() word {
	for len(w) > 0 && w[0].kind.IsValue() {
		w = w[1:]
	}
	return w
}

func TestPathTextRoundTrip(t *testing.T) {
	for _, p := range modelPaths {
		if again, ok := effects.ParsePath(p.String()); !ok || again != p {
			t.Errorf("%q is read as %q", p, again)
		}
	}
}

func TestPathPushAndPop(t *testing.T) {
	for _, p := range modelPaths {
		for _, f := range pathFields {
			got := p.Push(f.kind, f.index)
			if have, index, rest := got.Pop(); !f.kind.IsElement() && (have != f.kind || index != f.index || rest != p) && f.kind != effects.FieldAnyValue {
				t.Errorf("%q.Push(%v) is %q", p, f, got)
			}
			if f.kind >= effects.FieldAnyClass {
				continue
			}
			for n, w := range modelWords {
				if !setOf(p).Has(n) || len(w) == modelLength || len(w) > 0 && w[0].kind.IsElement() && f.kind.IsElement() {
					continue
				}
				if !selects(got, append(word{f}, w...)) {
					t.Errorf("%q.Push(%v) = %q does not select %s", p, f, got, wordText(w))
				}
			}
		}
	}
}

// Indexes take up to 32 bits, in one to five bytes; a path that does not fit any more selects more, never less.
func TestPathWideIndexes(t *testing.T) {
	for _, index := range []int{0, 1, 7, 8, 9, 127, 1023, 1024, 1 << 16, 1<<31 - 1} {
		p := effects.Path(0).Push(effects.FieldStruct, 1).Push(effects.FieldClass, index)
		if k, n, rest := p.Pop(); k != effects.FieldClass || n != index || rest != effects.Path(0).Push(effects.FieldStruct, 1) {
			t.Errorf("c%d.s1 is %q", index, p)
		}
		long := effects.Path(0)
		for range 20 {
			long = long.Push(effects.FieldStruct, index)
			if !long.Matches(effects.PathAnything) {
				t.Errorf("%q", long)
			}
		}
		if long.IsExact() {
			t.Errorf("twenty components of index %d fit: %q", index, long)
		}
	}
}

// An unknown field may be any.
func TestPathUnknownFields(t *testing.T) {
	for _, c := range []struct {
		kind effects.FieldKind
		want string
	}{{effects.FieldStruct, "v**.c0"}, {effects.FieldTuple, "v**.c0"}, {effects.FieldEnum, "v**.c0"}, {effects.FieldClass, "c*.s1.c0"}, {effects.FieldElement, "i*.s1.c0"}} {
		if got := effects.Path(0).Push(effects.FieldClass, 0).Push(effects.FieldStruct, 1).Push(c.kind, -1); got.String() != c.want {
			t.Errorf("Push(%v, -1): %q, want %q", c.kind, got, c.want)
		}
	}
}

// p.Matches(q) says that q selects all that p selects.
func TestPathMatches(t *testing.T) {
	for _, p := range modelPaths {
		for _, q := range modelPaths {
			w, more := missing(setOf(p), setOf(q))
			got := p.Matches(q)
			if got && more {
				t.Errorf("%q matches %q, but only the first selects %s", p, q, w)
			}
			if !got && !more && p.IsExact() {
				t.Errorf("%q does not match %q, which selects it", p, q)
			}
		}
	}
}

// p.Merge(q) selects what either selects; it commutes, and merging a path with itself is nothing.
func TestPathMerge(t *testing.T) {
	for _, p := range modelPaths {
		if p.Merge(p) != p {
			t.Errorf("%q merged with itself is %q", p, p.Merge(p))
		}
		for _, q := range modelPaths {
			m := p.Merge(q)
			both := setOf(p).Clone()
			both.Or(setOf(q))
			if w, ok := missing(both, setOf(m)); ok {
				t.Errorf("%q.Merge(%q) = %q does not select %s", p, q, m, w)
			}
			if other := q.Merge(p); !setOf(other).Equal(setOf(m)) {
				t.Errorf("%q.Merge(%q) = %q, the other way %q", p, q, m, other)
			}
		}
	}
}

// p.MayOverlap(q) is true when a word of p and one of q have memory in common, and symmetric. For exact paths it is exact.
func TestPathMayOverlap(t *testing.T) {
	overlapping := make([]facts.Bits, len(modelWords)) // with each word
	for n, w := range modelWords {
		overlapping[n] = facts.NewBits(len(modelWords))
		for m, v := range modelWords {
			if overlap(v, w) {
				overlapping[n].Set(m)
			}
		}
	}
	touched := map[effects.Path]facts.Bits{} // the words that have memory in common with a word of the path
	for _, p := range modelPaths {
		touched[p] = facts.NewBits(len(modelWords))
		setOf(p).Each(func(n int) { touched[p].Or(overlapping[n]) })
	}
	none := facts.NewBits(len(modelWords))
	for _, p := range modelPaths {
		for _, q := range modelPaths {
			common := touched[p].Clone()
			common.And(setOf(q))
			want := !common.Equal(none)
			got := p.MayOverlap(q)
			if want && !got {
				t.Errorf("%q and %q do overlap", p, q)
			}
			if got && !want && p.IsExact() && q.IsExact() {
				t.Errorf("%q and %q do not overlap", p, q)
			}
			if got != q.MayOverlap(p) {
				t.Errorf("MayOverlap(%q, %q) is not symmetric", p, q)
			}
		}
	}
}

// p.Subtract(q) leads on from p to q: each word of q is one of p with one of the rest after it.
func TestPathSubtract(t *testing.T) {
	for _, p := range modelPaths {
		for _, q := range modelPaths {
			rest, ok := p.Subtract(q)
			if !ok {
				if r, isPrefix := strings.CutPrefix(q.String(), p.String()+"."); p.IsExact() && (p == 0 || p == q || isPrefix && r != "") {
					t.Errorf("%q begins with %q, but Subtract does not see it", q, p)
				}
				continue
			}
			setOf(q).Each(func(n int) {
				w := modelWords[n]
				for cut := range len(w) + 1 {
					if selects(p, w[:cut]) && selects(rest, w[cut:]) {
						return
					}
				}
				t.Errorf("%q.Subtract(%q) = %q does not lead to %s", p, q, rest, wordText(w))
			})
		}
	}
}

// p.Concat(q) selects each word of p with each word of q after it.
func TestPathConcat(t *testing.T) {
	for _, p := range modelPaths {
		for _, q := range modelPaths {
			got := setOf(p.Concat(q))
			for n, v := range modelWords {
				if len(v) > 3 {
					continue
				}
				for cut := range len(v) + 1 {
					if !got.Has(n) && selects(p, v[:cut]) && selects(q, v[cut:]) {
						t.Errorf("%q.Concat(%q) = %q does not select %s", p, q, p.Concat(q), wordText(v))
					}
				}
			}
		}
	}
}

// popIf follows a field: whatever the path selects after the field, the result selects.
func TestPathPopIf(t *testing.T) {
	for _, p := range modelPaths {
		for _, f := range modelFields {
			rest, ok := p.PopIf(f.kind, f.index)
			any, anyOK := p.PopIf(f.kind, effects.AnyIndex)
			setOf(p).Each(func(n int) {
				w := modelWords[n]
				if len(w) == 0 || w[0] != f {
					return
				}
				if !ok || !selects(rest, w[1:]) {
					t.Errorf("%q.popIf(%v) = %q, %v loses %s", p, f, rest, ok, wordText(w))
				}
				if !anyOK || !selects(any, w[1:]) {
					t.Errorf("%q.popIf(%v, any) = %q, %v loses %s", p, f.kind, any, anyOK, wordText(w))
				}
			})
		}
	}
}

// What a path says of itself holds for each word that it selects.
func TestPathQuestions(t *testing.T) {
	for _, p := range modelPaths {
		words := 0
		some, all := false, true
		setOf(p).Each(func(n int) {
			words++
			has := slices.ContainsFunc(modelWords[n], func(f field) bool { return f.kind.IsClass() })
			some, all = some || has, all && has
			if object := p.PopLastClass(); has && p.HasClass() && !strings.HasSuffix(p.String(), "**") {
				found := false
				for cut, f := range modelWords[n] {
					found = found || f.kind.IsClass() && selects(object, modelWords[n][:cut])
				}
				if !found {
					t.Errorf("%q.popLastClass() = %q names no object on %s", p, object, wordText(modelWords[n]))
				}
			}
		})
		if words == 0 {
			t.Fatalf("%q selects nothing", p)
		}
		if some && !p.MayHaveClass() {
			t.Errorf("%q may lead into an object", p)
		}
		if p.HasClass() && !all {
			t.Errorf("%q does not always lead into an object", p)
		}
		if p.IsExact() && words != 1 {
			t.Errorf("%q is exact and selects %d words", p, words)
		}
	}
}
