package heap

import (
	"fmt"
	"strings"
	"testing"
)

// TestLeaks builds a heap from letters, each an object with its references in order, and wants the leaks as text: members in
// order, then the shortest cycle, "!" if another leak holds it.
func TestLeaks(t *testing.T) {
	for _, c := range []struct{ name, edges, roots, want string }{
		{"nothing", "", "", ""},
		{"all reachable", "a:b b:c c:a", "a", ""},
		{"forgotten", "a: b:", "a", "b"},
		{"self cycle", "a:a", "", "a (aa)"},
		{"pair", "a:b b:a", "", "ab (abba)"},
		{"order is the cycle's", "a:c c:b b:a", "", "acb (accbba)"},
		{"chain to a cycle", "a:b b:c c:b", "", "a | bc (bccb)!"},
		{"cycle holds one", "a:b b:ac c:", "", "ab (abba) | c!"},
		{"root keeps part", "a:b b:a c:d d:c", "d", "ab (abba)"},
		{"root inside a cycle", "a:b b:a", "b", ""},
		{"two cycles joined", "a:b b:ac c:d d:c", "", "ab (abba) | cd (cddc)!"},
		{"figure of eight", "a:b b:ac c:b", "", "abc (abba)"},
		{"long way and short way", "a:b b:c c:ad d:a", "", "abcd (abbcca)"},
		{"garbage points at what is reachable", "a:b b:c c:b d:a", "b", "d | a!"},
		{"two references", "a:bb b:a", "", "ab (abba)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := New(Config{})
			refs, names := map[string]Addr{}, map[Addr]string{}
			out := map[Addr]string{}
			for item := range strings.FieldsSeq(c.edges) {
				name, to, _ := strings.Cut(item, ":")
				a, _ := h.AllocObject(Base, 64, 16, 1)
				refs[name], names[a], out[a] = a, name, to
			}
			var roots []Addr
			for _, r := range c.roots {
				roots = append(roots, refs[string(r)])
			}
			leaks := Leaks(h, roots, func(o ObjectInfo, yield func(slot, target Addr)) {
				yield(o.Ref+HeaderSize, 0)
				for n, to := range out[o.Ref] {
					yield(o.Ref+HeaderSize+uint64(n)*8, refs[string(to)])
				}
			})
			var text []string
			for _, l := range leaks {
				s := ""
				for _, o := range l.Objects {
					s += names[o.Ref]
				}
				if l.Cycle != nil {
					s += " ("
					for _, e := range l.Cycle {
						s += names[e.From] + names[e.To]
						if at := strings.Index(out[e.From], names[e.To]); e.Slot != e.From+HeaderSize+uint64(at)*8 {
							t.Errorf("edge %s%s has slot %#x", names[e.From], names[e.To], e.Slot)
						}
					}
					s += ")"
				}
				if l.Held {
					s += "!"
				}
				text = append(text, s)
			}
			if got := strings.Join(text, " | "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestLeaksOfLongList has a ring and a chain of many objects: nothing may recurse, nothing may be quadratic.
func TestLeaksOfLongList(t *testing.T) {
	const n = 50_000
	for _, ring := range []bool{false, true} {
		h := New(Config{})
		refs := make([]Addr, n)
		for i := range refs {
			refs[i], _ = h.AllocObject(Base, 24, 16, 1)
			if i > 0 {
				h.Store64(refs[i-1]+HeaderSize, refs[i])
			}
		}
		h.Store64(refs[n-1]+HeaderSize, 0)
		if ring {
			h.Store64(refs[n-1]+HeaderSize, refs[0])
		}
		leaks := Leaks(h, nil, func(o ObjectInfo, yield func(slot, target Addr)) {
			v, _ := h.Load64(o.Ref + HeaderSize)
			yield(o.Ref+HeaderSize, v)
		})
		got := fmt.Sprint(len(leaks), len(leaks[0].Objects), len(leaks[0].Cycle), leaks[0].Held)
		want := fmt.Sprint(n, 1, 0, false)
		if ring {
			want = fmt.Sprint(1, n, n, false)
		}
		if got != want {
			t.Errorf("ring %v: got %s, want %s", ring, got, want)
		}
	}
}

// TestLeaksThroughRawMemory has references into the middle of a raw block, and stack chunks, which are no leaks.
func TestLeaksThroughRawMemory(t *testing.T) {
	h := New(Config{})
	h.AllocRaw(1<<12, 16, KindStack, 0)
	object, _ := h.AllocObject(Base, 24, 16, 1)
	raw, _ := h.AllocRaw(64, 16, KindRaw, 1)
	refsOf := func(o ObjectInfo, yield func(slot, target Addr)) {
		if o.Ref == object {
			yield(object+16, raw+32)
		}
	}
	if l := Leaks(h, []Addr{object}, refsOf); len(l) != 0 {
		t.Errorf("with a root: %+v", l)
	}
	l := Leaks(h, []Addr{raw + 63}, refsOf)
	if len(l) != 1 || l[0].Objects[0].Ref != object || l[0].Held {
		t.Errorf("with the raw block as root: %+v", l)
	}
}
