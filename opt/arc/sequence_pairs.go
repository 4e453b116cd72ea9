package arc

import (
	"slices"
	"strconv"

	"silvm/ir"
	"silvm/ir/facts"
)

func counted(n int, word string) string {
	if n == 1 {
		return "a " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

func describeRoot(v *ir.Value) string { return "a value of type $" + v.Type.String() }

// match removes the sets of retains and releases that agree.
func (a *arcSequences) match() bool {
	var dead []*ir.Inst
	gone := map[*ir.Inst]bool{}
	for _, i := range a.byRetain.list {
		if gone[i] {
			continue
		}
		retains, releases, ok := a.pair(i, gone)
		if !ok || len(retains) == 0 || len(releases) == 0 {
			continue
		}
		for _, x := range append(retains, releases...) {
			gone[x] = true
			dead = append(dead, x)
		}
		a.c.Passed(a.f, i, "removed %s with %s", counted(len(retains), "retain"), counted(len(releases), "release"))
	}
	for _, i := range dead {
		i.Remove()
	}
	return len(dead) > 0
}

// pair collects the releases that go with a retain, the retains that go with those, and so on; ok says that all agree and that removing
// them is safe.
func (a *arcSequences) pair(i *ir.Inst, gone map[*ir.Inst]bool) (retains, releases []*ir.Inst, ok bool) {
	safe, still := true, true // known safe; safe for moving
	newRetains := []*ir.Inst{i}
	retains = newRetains
	var newReleases []*ir.Inst
	collect := func(from []*ir.Inst, here, there *arcMap, into *[]*ir.Inst, fresh *[]*ir.Inst) bool {
		for _, x := range from {
			s, found := here.at[x]
			if !found || gone[x] {
				return false
			}
			safe = safe && s.safe
			still = still && s.isMotionSafe()
			for _, y := range s.insts {
				back, found := there.at[y]
				if !found || gone[y] || !slices.Contains(back.insts, x) {
					return false
				}
				if !slices.Contains(*into, y) {
					*into = append(*into, y)
					*fresh = append(*fresh, y)
				}
			}
		}
		return true
	}
	for {
		if !collect(newRetains, &a.byRetain, &a.byRelease, &releases, &newReleases) {
			return nil, nil, false
		}
		newRetains = nil
		if len(newReleases) == 0 {
			break
		}
		if !collect(newReleases, &a.byRelease, &a.byRetain, &retains, &newRetains) {
			return nil, nil, false
		}
		newReleases = nil
		if len(newRetains) == 0 {
			break
		}
	}
	return retains, releases, safe || still
}

// explain says of each retain that stayed what keeps it.
func (a *arcSequences) explain() {
	for i := range a.f.Insts() {
		if facts.IsRetain(i) {
			a.c.Missed(a.f, i, "kept %s of %s: %s", i.Op, describeRoot(a.rc.Root(i.Arg(0))), a.reason(i))
		}
	}
}

// reason looks for what is between a retain and the release that could be its partner, within the block.
func (a *arcSequences) reason(i *ir.Inst) string {
	root := a.rc.Root(i.Arg(0))
	for x := i.Next(); x != nil; x = x.Next() {
		switch {
		case facts.IsRelease(x) && a.rc.Root(x.Arg(0)) == root:
			return "a release of the same object follows, but not the same retains and releases meet on all paths"
		case a.p.MayDecrement(x, root):
			return x.Op.String() + " in between may release the object or look at its count"
		}
	}
	return "no release of the same object meets it on all paths"
}
