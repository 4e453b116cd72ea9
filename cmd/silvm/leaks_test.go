package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// leakWords are the findings on what leaks in recorded programs, sentence by sentence; the sources say why each is true.
var leakWords = map[string][]string{
	// Of three owners with children that refer back unowned, weakly and unmanaged, one is in a ring through its closure and one was
	// retained once too often. Nothing else leaks on its own account, and no reference that does not own makes a ring.
	"leaks": {
		"warning[SV0302]: strong references in a ring: Owner#N.handler -> Owner#N",
		"note: Owner#N.handler -> Owner#N is the capture of owner in closure #1 in ring()",
		"help: [weak owner] in closure #1 in ring() would break the ring",
		"note: keeps alive 1 Child, 40 B",
		"note: `silvm debug --at SV0302 FILE` opens that moment",
		"warning[SV0301]: Owner#N was never freed (1 strong reference at exit)",
		"note: keeps alive 1 Child, 1 closure, 64 B",
		"note: `silvm debug --at SV0301 FILE` opens that moment",
	},
	// Equal rings are one finding, a let is never made weak, storage that points into itself is no ring, a deinited object has no
	// strong references, and what a call refers to that the program exits from does not leak.
	"leakkinds": {
		"warning[SV0302]: strong references in a ring: Counter#N.onChange -> closure#N -> Counter#N",
		"note: closure#N -> Counter#N is the capture of self in closure #1 in Counter.start(_:)",
		"help: [weak self] in closure #1 in Counter.start(_:) would break the ring",
		"note: keeps alive 1 Counter, 40 B",
		"note: `silvm debug --at SV0302 FILE` opens that moment",
		"warning[SV0302]: strong references in a ring: Node#N.next -> Node#N.next -> Node#N",
		"help: a weak or unowned Node#N.next would break the ring",
		"note: 49 more rings like this",
		"note: together they keep alive 100 _ContiguousArrayStorage<Int>, 3.9 KiB",
		"warning[SV0302]: strong references in a ring: Parent#N.children[0] -> Child#N.parent -> Parent#N",
		"help: an unowned let Child#N.parent would break the ring",
		"note: another ring through some of the same objects: Parent#N.byName -> Child#N.parent -> Parent#N",
		"note: keeps alive 1 Child, 1 _DictionaryStorage<String, Child>, 144 B",
		"warning[SV0301]: Token#N was deinited, but its memory was never freed (1 unowned reference at exit)",
	},
	// What was removed from a dictionary is not held by it, though its words are still there.
	"unloaded": {
		"warning[SV0302]: strong references in a ring: Registry#N.byId -> Adder#N.host -> Registry#N",
		"help: an unowned let Adder#N.host would break the ring",
		"note: keeps alive 1 _DictionaryStorage<String, Plugin>, 136 B",
		"note: `silvm debug --at SV0302 FILE` opens that moment",
	},
}

func TestLeaksAreWordedTruly(t *testing.T) {
	serial := regexp.MustCompile(`([\w>])#\d+`)
	for name, want := range leakWords {
		var stdout, stderr bytes.Buffer
		file := filepath.Join("..", "..", "programs", "ordinary", name, "O.sil")
		if _, err := os.Stat(file); err != nil {
			file += ".gz"
		}
		if status := run([]string{"run", "--color=never", "--leaks=report", file}, strings.NewReader(""), &stdout, &stderr); status != exitOK {
			t.Fatalf("status %d: %s", status, stderr.String())
		}
		got := regexp.MustCompile(`(?m)^(?:warning\[\w+\]|help|note): .*`).FindAllString(stderr.String(), -1)
		for n := range got {
			got[n] = strings.ReplaceAll(serial.ReplaceAllString(got[n], "$1#N"), file, "FILE")
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s\nrun: silvm run --leaks=report %s", strings.Join(got, "\n"), strings.Join(want, "\n"), file)
		}
	}
}

// TestLeaksCommand: the same program through silvm leaks, with pictures, and one that leaks nothing.
func TestLeaksCommand(t *testing.T) {
	var stdout, stderr bytes.Buffer
	dir := t.TempDir()
	svg, dot := filepath.Join(dir, "heap.svg"), filepath.Join(dir, "heap.dot")
	file := filepath.Join("..", "..", "programs", "ordinary", "leaks", "O.sil")
	if status := run([]string{"leaks", "--color=never", "--svg", svg, "--dot", dot, file}, strings.NewReader(""), &stdout, &stderr); status != exitLeak {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	report := stderr.String()
	for _, want := range []string{"[SV0302]", ".handler -> Owner#", "[SV0301]", "no release goes with", "2 leaks: 5 objects"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report does not say %q:\n%s", want, report)
		}
	}
	for name, want := range map[string]string{svg: "<svg", dot: "digraph"} {
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), want) || !strings.Contains(string(text), "Owner#") {
			t.Errorf("%s: %v\n%.300s", filepath.Base(name), err, text)
		}
	}
	stderr.Reset()
	clean := filepath.Join("..", "..", "programs", "embedded", "classes", "O.sil")
	if status := run([]string{"leaks", clean}, strings.NewReader(""), &stdout, &stderr); status != exitOK || !strings.Contains(stderr.String(), "nothing leaks") {
		t.Errorf("status %d: %s", status, stderr.String())
	}
}

// TestReportIsWhole: the page of a leaking program has every part, names the ring, and asks for nothing from outside.
func TestReportIsWhole(t *testing.T) {
	var stdout, stderr bytes.Buffer
	page := filepath.Join(t.TempDir(), "out.html")
	file := filepath.Join("..", "..", "programs", "ordinary", "leaks", "O.sil")
	if status := run([]string{"report", file, "-o", page}, strings.NewReader(""), &stdout, &stderr); status != exitOK || stdout.Len() > 0 {
		t.Fatalf("status %d, stdout %q, stderr %s", status, stdout.String(), stderr.String())
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, want := range []string{"SV0302", "live objects by class", "strong references held", "retains and releases", "given up", "The heap at exit", "Owner#", "Pairs that nothing needed", "</html>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, outside := range []string{"src=", "href=", "@import", "url(", "+Inf"} {
		if n := strings.Count(text, outside); n > 0 && outside != "url(" || strings.Contains(text, "url(http") {
			t.Errorf("the page asks for something by %q", outside)
		}
	}
}

// TestNumbersAgree: a number of a run that several commands show is the same number, of programs that end in every way: by leaving main, by
// exit, in a trap, with tasks. Every 150th of the recorded ones; go test ./cmd/silvm -run NumbersAgree -numbers 1
func TestNumbersAgree(t *testing.T) {
	schema := jsonSchema(t)
	files, _ := filepath.Glob(filepath.Join("..", "..", "programs", "[eos]*", "*", "O.sil*"))
	if len(files) < 100 {
		t.Fatalf("%d programs", len(files))
	}
	dir := filepath.Join("..", "..", "programs", "ordinary")
	some := []string{filepath.Join(dir, "leakkinds", "O.sil"), filepath.Join(dir, "tasklocals", "O.sil"), filepath.Join(dir, "trap_error", "O.sil")}
	for k, file := range files {
		if k%*compared == 0 {
			some = append(some, file)
		}
	}
	for _, file := range some {
		numbersAgree(t, schema, file)
	}
}

var compared = flag.Int("numbers", 150, "of how many recorded programs the numbers of one are compared")

func numbersAgree(t *testing.T, schema *jsonschema.Schema, file string) {
	said := map[string]map[float64][]string{} // who says which number
	say := func(what, who string, n any) {
		if x, ok := n.(float64); ok {
			if said[what] == nil {
				said[what] = map[float64][]string{}
			}
			said[what][x] = append(said[what][x], who)
		}
	}
	each := func(who string, r map[string]any, names ...string) {
		for _, name := range names {
			say(name, who, r[name])
		}
	}
	var stats map[string]any
	for _, r := range jsonRecords(t, schema, "", "run", "--stats", "--leaks=report", file) {
		switch r["type"] {
		case "stats":
			stats = r
			each("run", r, "steps", "strong_retains", "strong_releases", "live_objects", "deinits")
		case "summary":
			say("findings", "run", r["findings"])
		}
	}
	if stats == nil || stats["steps"].(float64) > 400_000 {
		return
	}
	for _, r := range jsonRecords(t, schema, "", "bench", "--runs=2", file) {
		if before, ok := r["before"].(map[string]any); ok {
			each("bench", before, "steps", "strong_retains", "strong_releases", "live_objects", "deinits")
		}
	}
	for _, r := range jsonRecords(t, schema, "", "arc", file) {
		if r["type"] == "summary" {
			each("arc", r, "strong_retains", "strong_releases")
		}
	}
	trapped := false
	for _, r := range jsonRecords(t, schema, "goto end\nlive\n", "debug", file) {
		data, _ := r["data"].(map[string]any)
		if end, ok := data["end"].(map[string]any); ok && r["command"] == "goto end" {
			step := end["step"].(float64)
			if trapped = end["code"] != nil; trapped {
				step++ // it is that of the instruction that trapped
			}
			say("steps", "debug", step)
			if !trapped {
				alive, _ := end["alive"].(float64)
				say("live_objects", "debug", alive)
			}
		}
		if r["command"] == "live" && !trapped {
			say("live_objects", "live", data["total"])
		}
	}
	if !trapped {
		for _, r := range jsonRecords(t, schema, "", "leaks", file) {
			if r["type"] == "summary" {
				say("findings", "leaks", r["kinds"])
			}
		}
	}
	var stdout, stderr bytes.Buffer
	page := filepath.Join(t.TempDir(), "out.html")
	if status := run([]string{"report", file, "-o", page}, strings.NewReader(""), &stdout, &stderr); status != exitOK {
		t.Fatalf("%s: status %d: %s", file, status, stderr.String())
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for what, pattern := range map[string]string{"steps": `([\d,]+)(?:</\w+>)? SIL instructions`, "deinits": `>([\d,]+) in all<`} {
		if m := regexp.MustCompile(pattern).FindSubmatch(text); m != nil {
			n, err := strconv.ParseFloat(strings.ReplaceAll(string(m[1]), ",", ""), 64)
			if err != nil {
				t.Fatal(err)
			}
			say(what, "report", n)
		}
	}
	for what, by := range said {
		if len(by) > 1 {
			t.Errorf("%s: %s: %v", file, what, by)
		}
	}
}
