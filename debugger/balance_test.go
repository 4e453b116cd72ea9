package debugger_test

import (
	"flag"
	"hash/fnv"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"silvm/debugger"
)

var balances = flag.Int("balances", 20, "of how many recorded programs one is asked what balance names")

// What balance leaves without a release is what why shows: as many references as the strong count says, each reference in memory by one of
// them, and no other. go test ./debugger -run BalanceIsWhatWhyShows -balances 1
func TestBalanceIsWhatWhyShows(t *testing.T) {
	var files []string
	for _, p := range []string{"ordinary/*/O.sil*", "embedded/*/O*.sil*", "swift-6.2/*/*/O*.sil*", "counts/*.sil"} {
		list, _ := filepath.Glob("../programs/" + p)
		files = append(files, list...)
	}
	if len(files) < 100 {
		t.Fatalf("%d programs", len(files))
	}
	asked, named, missed := 0, 0, 0
	for _, file := range files {
		if !isSampled(file, uint64(*balances), 0) || strings.Contains(file, "longlist") || strings.Contains(file, "bench") {
			continue
		}
		d := session(t, file, io.Discard)
		end := d.GotoEnd().Step
		if end > 500_000 {
			continue
		}
		const moments, objects = 8, 6
		for k := uint64(1); k < moments; k++ {
			d.Goto(end * k / moments)
			list, _ := d.LiveFrom("", 0, 300)
			for n := 0; n < len(list); n += 1 + len(list)/objects {
				if o := list[n]; o.Counts.State == debugger.StateLive {
					a, b := compareBalance(t, d, o, file)
					asked, named, missed = asked+1, named+a, missed+b
				}
			}
		}
	}
	t.Logf("%d objects, %d references in memory named, %d not", asked, named, missed)
	if asked == 0 || missed*100 > named {
		t.Errorf("of %d objects balance names %d references in memory, and not %d", asked, named, missed)
	}
}

// isSampled reports whether a program is one of every so many whose turn it is. More programs change nothing for those that are there.
func isSampled(file string, every, turn uint64) bool {
	h := fnv.New64a()
	io.WriteString(h, file)
	return h.Sum64()%every == turn%every
}

// compareBalance returns how many references in memory to an object are named by a retain without a release, and how many are not.
func compareBalance(t *testing.T, d *debugger.Debugger, o debugger.Object, file string) (named, missed int) {
	t.Helper()
	at := func(format string, args ...any) {
		t.Helper()
		t.Errorf("at step %d of %s, %s: "+format, append([]any{d.Step(), file, o.Name}, args...)...)
	}
	b, ok := d.Balance(o)
	if !ok {
		at("interrupted")
	}
	if b.More {
		return 0, 0
	}
	open := map[string]int{}
	sum, extra := 0, 0
	for _, p := range b.Pairs {
		switch {
		case p.Release == nil:
			open[p.Holder]++
			sum++
		case p.Retain == nil:
			extra++
		case p.Retain.Step > p.Release.Step:
			at("the release at step %d goes with the retain at step %d", p.Release.Step, p.Retain.Step)
		}
	}
	if extra > 0 || uint64(sum) != o.Counts.Strong {
		at("%d retains without a release and %d releases without a retain, the strong count is %d", sum, extra, o.Counts.Strong)
	}
	edges, roots := d.Holders(o)
	memory := map[string]bool{}
	for _, e := range edges {
		memory[e.Name] = true
	}
	for _, r := range roots {
		if r.Frame < 0 && strings.HasPrefix(r.Name, "global ") {
			memory[r.Name] = true
		}
	}
	among := 0
	for holder, n := range open {
		switch list, several := strings.CutPrefix(holder, "one of "); {
		case several:
			among += n
			if n > len(memory) {
				at("%d retains are for %s", n, list)
			}
		case holder != "" && !memory[holder]:
			at("balance says that %q holds it, why does not", holder)
		}
	}
	if d.Excess(o) > 0 || len(memory) > 8 {
		return 0, 0
	}
	for name := range memory {
		switch {
		case open[name] > 0:
			named++
		case among > 0:
			named, among = named+1, among-1
		default:
			if missed++; testing.Verbose() {
				t.Logf("at step %d of %s, %s: balance does not name %s; %v", d.Step(), file, o.Name, name, open)
			}
		}
	}
	return named, missed
}
