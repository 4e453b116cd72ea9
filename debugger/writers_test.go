package debugger_test

import (
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// Looking only where a word may change finds the same moments as looking everywhere: for properties of live objects, their counts, and globals,
// from random steps.
func TestLastLooksWhereItMatters(t *testing.T) {
	files, err := filepath.Glob("../programs/embedded/*/O.sil*")
	more, _ := filepath.Glob("../programs/ordinary/[c-l]*/O*.sil*")
	if files = append(files, more...); err != nil || len(files) < 40 {
		t.Fatal(len(files), err)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	compared, changes := 0, 0
	for n, file := range files {
		if n%3 != 0 {
			continue
		}
		d := session(t, file, io.Discard)
		end := d.GotoEnd().Step
		if end > 200_000 {
			continue
		}
		for range 2 {
			d.Goto(rng.Uint64N(end + 1))
			from := d.Step()
			var places []string
			for _, g := range d.Globals() {
				places = append(places, g.Name)
			}
			list := d.Live("")
			rng.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
			for _, o := range list[:min(len(list), 3)] {
				for _, f := range d.Fields(o.Ref) {
					places = append(places, o.Name+"."+f.Name)
				}
				places = append(places, o.Name+".strong")
			}
			for _, what := range places {
				isCount := strings.HasSuffix(what, ".strong")
				if isCount || d.IsSparse(what) {
					fast, err := d.Last(what)
					if err != nil {
						continue
					}
					d.Goto(from)
					slow, err := d.LastSlow(what)
					if err != nil {
						t.Fatalf("%s: last %s at step %d: %v", file, what, from, err)
					}
					d.Goto(from)
					if compared++; slow.Change != nil {
						changes++
					}
					if isCount && fast.Step > slow.Step { // one instruction adds and takes one: only who hears it knows
						continue
					}
					if fast.Step != slow.Step || fast.Reason != slow.Reason || (fast.Change == nil) != (slow.Change == nil) || fast.Change != nil && *fast.Change != *slow.Change {
						t.Errorf("%s: last %s from step %d is step %d (%v), but step %d (%v) with a look at each boundary", file, what, from, fast.Step, fast.Change, slow.Step, slow.Change)
					}
				}
			}
		}
	}
	if compared < 100 || changes < 100 {
		t.Errorf("only %d compared, %d with a change", compared, changes)
	}
	t.Logf("%d compared, %d with a change", compared, changes)
}
