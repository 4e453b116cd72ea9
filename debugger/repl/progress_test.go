package repl

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestProgress: a command that takes more than a second tells how far it is, takes that away before it prints anything and when it is done;
// a quick one tells nothing.
func TestProgress(t *testing.T) {
	r, out := open(t, "leak.sil")
	var told []string
	r.cfg.Progress = func(text string) {
		if text == "" {
			text = "taken away with " + strings.Fields(out.String() + " nothing shown")[0]
		}
		told = append(told, text)
	}
	r.d.OnProgress(r.tick)
	clock := time.Unix(0, 0)
	r.now = func() time.Time { return clock }
	say(r, out, "goto end", "goto start")
	if len(told) != 0 {
		t.Errorf("quick commands told %q", told)
	}
	r.now = func() time.Time { clock = clock.Add(2 * time.Second); return clock }
	out.Reset()
	r.Do("goto end")
	if len(told) < 2 || !strings.HasPrefix(told[0], "at step ") || !strings.HasSuffix(told[0], "Ctrl-C stops") {
		t.Fatalf("a slow command told %q", told)
	}
	if n := slices.IndexFunc(told, func(s string) bool { return strings.HasPrefix(s, "taken away") }); n < 0 || told[n] != "taken away with nothing" {
		t.Errorf("what was told was not taken away before the first line: %q", told)
	}
	if last := told[len(told)-1]; !strings.HasPrefix(last, "taken away") {
		t.Errorf("what was told last still stands: %q", last)
	}
}
