package repl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"silvm/debugger/debugtest"
)

// open starts a session on a program; what it shows is in the buffer.
func open(t *testing.T, file string) (*REPL, *bytes.Buffer) {
	t.Helper()
	d := debugtest.Open(t, file, io.Discard)
	out := &bytes.Buffer{}
	return New(d, Config{Out: out, File: file}), out
}

// say does lines and returns what they show.
func say(r *REPL, out *bytes.Buffer, lines ...string) string {
	out.Reset()
	for _, line := range lines {
		r.Do(line)
	}
	return out.String()
}

// Every row is whole, and no word means two commands.
func TestTable(t *testing.T) {
	words := map[string]string{}
	for _, c := range commands {
		if c.name == "" || c.help == "" || c.run == nil || !slices.Contains(groups, c.group) {
			t.Errorf("the row of %q is not whole", c.name)
		}
		if c.title() == "" || len(c.title()) > 120 {
			t.Errorf("%s: the short help is %q", c.name, c.title())
		}
		for _, w := range append([]string{c.name}, c.aliases...) {
			if words[w] != "" {
				t.Errorf("%s means %s and %s", w, words[w], c.name)
			}
			words[w] = c.name
			if found, err := lookup(w); err != nil || found.name != c.name {
				t.Errorf("%s finds %v, %v", w, found, err)
			}
		}
		if c.back != "" {
			if back, err := lookup(c.back); err != nil || back.name != c.back {
				t.Errorf("%s goes back by %s, which is no command", c.name, c.back)
			}
		}
	}
	for _, p := range phrases {
		if (p.to == "") == (p.say == "") && p.from != "thread/th apply all" && p.from != "info/inf/i" {
			t.Errorf("the phrase %q is not whole", p.from)
		}
		if p.to != "" {
			word, _ := cutWord(p.to)
			if c, err := lookup(word); err != nil || c.name != word {
				t.Errorf("the phrase %q leads to %s, which is no command", p.from, word)
			}
		}
		from := strings.Fields(p.from)
		for form := range strings.SplitSeq(from[0], "/") {
			if len(from) == 1 && words[form] != "" {
				t.Errorf("the phrase %q hides the command %s", form, words[form])
			}
		}
	}
}

func TestPrefixes(t *testing.T) {
	for word, want := range map[string]string{"cont": "continue", "fini": "finish", "ref": "refcount", "bal": "balance", "wh": "", "s": "step",
		"rs": "rstep", "b": "break", "bre": "", "cyc": "cycles", "nosuch": "", "tra": "transcript"} {
		c, err := lookup(word)
		switch {
		case want == "" && err == nil:
			t.Errorf("%s means %s, want an error", word, c.name)
		case want != "" && (err != nil || c.name != want):
			t.Errorf("%s means %v (%v), want %s", word, c, err, want)
		}
	}
	if _, err := lookup("re"); err == nil || !strings.Contains(err.Error(), "refcount") || !strings.Contains(err.Error(), "restart") {
		t.Errorf("an ambiguous word gives %v", err)
	}
}

// What users of other debuggers type.
func TestPhrases(t *testing.T) {
	for line, want := range map[string]string{
		"info locals": "locals", "i lo": "locals", "info b": "breakpoints", "info breakpoints": "breakpoints", "info registers": "values",
		"info args": "args", "thread backtrace": "bt", "thread apply all bt": "bt tasks", "thread apply all bt full": "bt tasks full", "thread backtrace all": "bt tasks", "frame variable x y": "locals x y", "fr v -L x": "locals x",
		"po self.name": "print self.name", "expr -O -- a.b + 1": "print a.b + 1", "expression x": "print x", "e -- -1": "print -1",
		"breakpoint set --name make": "break make", "br s -n make": "break make", "breakpoint set --file a.swift --line 3": "break a.swift:3",
		"b": "", "br set -r Node.*": "break /Node.*/", "breakpoint set -f a.swift -l 9 -c 'x == 3'": "break a.swift:9 if x == 3",
		"breakpoint modify -c 'n > 2' 1": "condition 1 n > 2", "breakpoint list": "breakpoints", "breakpoint delete 2": "delete 2",
		"watchpoint set variable x.y": "watch x.y", "watchpoint set expression -- Node#1.next": "watch Node#1.next",
		"memory read --count 16 &x": "x &x 16", "memory read -c 32 0x1000": "x 0x1000 32", "process continue": "continue", "reverse-stepi 3": "rstep 3", "rni": "rnext",
		"rewind": "rcontinue", "stepout": "finish", "step out": "finish", "advance f": "until f", "rbreak ^Node": "break /^Node/", "clearall": "delete",
		"nosuch": "", "step line": "", "print x": "",
	} {
		to, said, ok := translate(line)
		if said != "" || ok != (want != "") || to != want {
			t.Errorf("%s is %q (%v %q), want %q", line, to, ok, said, want)
		}
	}
	r, out := open(t, "leak.sil")
	for _, line := range []string{"set var x = 3", "jump 7", "info threads", "goroutines", "rwatch x", "attach 1", "shell ls", "signal SIGINT"} {
		if text := say(r, out, line); text == "" || strings.Contains(text, "no command") {
			t.Errorf("%s shows %q", line, text)
		}
	}
}

// Help knows every command, and every command's help can be asked for.
func TestHelp(t *testing.T) {
	r, out := open(t, "leak.sil")
	all := say(r, out, "help")
	for _, c := range commands {
		if !strings.Contains(all, "  "+c.name) {
			t.Errorf("help leaves out %s", c.name)
		}
		if text := say(r, out, "help "+c.name); !strings.Contains(text, c.title()) {
			t.Errorf("help %s shows %q", c.name, text)
		}
	}
	if text := say(r, out, "apropos weak"); !strings.Contains(text, "weak") || !strings.Contains(text, "cycles") {
		t.Errorf("apropos weak shows %q", text)
	}
	if text := say(r, out, "apropos zzzz", "help nosuch"); !strings.Contains(text, "nothing about") || !strings.Contains(text, "no command nosuch") {
		t.Errorf("shows %q", text)
	}
}

func TestCompletion(t *testing.T) {
	r, out := open(t, "leak.sil")
	say(r, out, "break keep", "continue", "bookmark here", "alias mine = bt")
	for line, want := range map[string]string{"rfin": "rfinish", "break ke": "keep", "break rel": "release", "watch Node#": "Node#1", "goto he": "here", "mi": "mine",
		"print Nod": "Node", "history No": "Node#1", "help bal": "balance", "s; fini": "finish", "print %": "%0", "catch de": "deinit", "info br": "breakpoints", "breakpoint ": "set",
		"delete ": "1", "last Node#1.": "Node#1.strong", "watch Node.": "Node.value", "find retains of No": "Node", "find retains of Node in ke": "keep", "break leak.s": "leak.sil:",
		"break leak.sil:2": "leak.sil:26", "live --since he": "here", "source repl_t": "repl_test.go"} {
		if got := r.complete(line); !slices.Contains(got, want) {
			t.Errorf("%q offers %q, want %s among them", line, got, want)
		}
	}
	if got := r.complete("nosuch x"); got != nil {
		t.Errorf("an unknown command offers %q", got)
	}
	rest, n := completer{r}.Do([]rune("break kee"), 9)
	if n != 3 || len(rest) != 1 || string(rest[0]) != "p " {
		t.Errorf("the line editor is offered %q after %d", rest, n)
	}
	if rest, _ := (completer{r}).Do([]rune("break leak.sil"), 14); len(rest) != 1 || string(rest[0]) != ":" {
		t.Errorf("break leak.sil goes on with %q", rest)
	}
}

func TestLines(t *testing.T) {
	r, out := open(t, "leak.sil")
	if text := say(r, out, "s; s  # a comment", "# nothing"); strings.Count(text, "step ") != 2 {
		t.Errorf("two commands on a line show %q", text)
	}
	if text := say(r, out, ""); !strings.HasPrefix(text, "step 3 ") {
		t.Errorf("an empty line after a comment shows %q", text)
	}
	at := r.d.Step()
	if say(r, out, "s", "", ""); r.d.Step() != at+3 {
		t.Errorf("empty lines repeat to step %d, want %d", r.d.Step(), at+3)
	}
	if say(r, out, "rev step 2"); r.d.Step() != at+1 {
		t.Errorf("rev step 2 comes to %d", r.d.Step())
	}
	say(r, out, "alias back = rstep", "back 1")
	if r.d.Step() != at {
		t.Errorf("an alias comes to %d, want %d", r.d.Step(), at)
	}
	if text := say(r, out, "alias loop = loop x", "loop"); !strings.Contains(text, "no command loop") {
		t.Errorf("an alias of itself shows %q", text)
	}
	if text := say(r, out, `print "a;b"`); !strings.Contains(text, `"a;b"`) {
		t.Errorf("a semicolon in quotes shows %q", text)
	}
	if say(r, out, "quit; s"); !r.Done() || r.d.Step() != at {
		t.Error("quit does not end the session")
	}
}

// A command that can't be done says why, and the session goes on.
func TestErrors(t *testing.T) {
	r, out := open(t, "leak.sil")
	for _, line := range []string{"break nosuch", "break leak.sil:99999", "break %999", "break /(/", "print", "print nosuch", "print 1 +", "print (1", "print x = 1", "watch", "watch nosuch",
		"goto", "goto nowhere", "delete 7", "condition 7 x", "ignore 1", "frame 99", "up 99", "down", "history nosuch", "why Node#99", "last", "rev print", "runtil", "source nosuch.txt",
		"transcript", "undisplay 3", "x", "x nosuch", "x/9999999x 0", "x/4q 0", "step -1", "next x", "finish;finish;nosuch", "catch x", "diff", "diff nowhere", "live --since nowhere",
		"list nosuch", "disassemble nosuch", "alias x", "time", "balance", "p 1/0", "p *nosuch", "p 5.5.5", "whatis", "display nosuch", "tbreak nosuch"} {
		if text := say(r, out, line); text == "" {
			t.Errorf("%s shows nothing", line)
		}
		if r.Done() {
			t.Fatalf("%s ended the session", line)
		}
	}
}

// closer is a file of a test.
type closer struct{ *bytes.Buffer }

func (closer) Close() error { return nil }

// Scripts do their lines, may read others, and a transcript has all that is shown.
func TestScriptsAndTranscripts(t *testing.T) {
	r, out := open(t, "leak.sil")
	scripts := map[string]string{"a": "s\nsource b\nsource loop\n", "b": "print 40 + 2\n", "loop": "source loop\n"}
	transcript := &bytes.Buffer{}
	r.cfg.Open = func(name string) (io.ReadCloser, error) {
		text, ok := scripts[name]
		if !ok {
			return nil, errors.New("no such file")
		}
		return io.NopCloser(strings.NewReader(text)), nil
	}
	r.cfg.Create = func(string) (io.WriteCloser, error) { return closer{transcript}, nil }
	text := say(r, out, "transcript t", "source a", "transcript off", "print 7")
	if !strings.Contains(text, "= 42") || !strings.Contains(text, "nested too deeply") || !strings.Contains(text, "(silvm) s\n") {
		t.Errorf("the script shows %q", text)
	}
	if got := transcript.String(); !strings.Contains(got, "= 42") || strings.Contains(got, "= 7") {
		t.Errorf("the transcript has %q", got)
	}
	out.Reset()
	if err := r.Run(NewScript(strings.NewReader("print 1\nquit\nprint 2\n"), r.Output())); err != nil || !r.Done() || strings.Contains(out.String(), "= 2") {
		t.Errorf("a script that quits shows %q (%v)", out, err)
	}
}

// typed is a user at a terminal: lines, or errors in their place.
type typed struct{ lines []any }

func (l *typed) Line(string) (string, error) {
	if len(l.lines) == 0 {
		return "", io.EOF
	}
	x := l.lines[0]
	l.lines = l.lines[1:]
	if err, ok := x.(error); ok {
		return "", err
	}
	return x.(string), nil
}

func TestInterruptedLines(t *testing.T) {
	r, out := open(t, "leak.sil")
	if err := r.Run(&typed{[]any{"s", errInterrupted, "print 11", io.EOF, "print 12"}}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "= 11") || strings.Contains(text, "= 12") {
		t.Errorf("shows %q", text)
	}
	if err := r.Run(&typed{[]any{fmt.Errorf("broken")}}); err == nil {
		t.Error("an error of the terminal is lost")
	}
}

// Who, when and why, in at most five commands.
func TestQuestions(t *testing.T) {
	for _, x := range []struct {
		file, lines string
		want        []string
	}{
		{"leak.sil", "continue; live; balance; why Node#1", []string{"Node#1", "never released", "leak.sil:505 (leak.swift:9)", "a retain has no release"}},
		{"over.sil", "continue; balance; history; last Token#1.strong", []string{"over-release", "1 release too many; the one that goes with no retain: step 91", "over.sil:331 (over.swift:6)"}},
		{"conflict.sil", "continue; accesses; bt", []string{"overlapping accesses", "begun at step 10 in run()", "conflict.swift:8"}},
	} {
		r, out := open(t, x.file)
		text := say(r, out, strings.Split(x.lines, "; ")...)
		for _, want := range x.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %s does not show %q:\n%s", x.file, x.lines, want, text)
			}
		}
	}
}

// Numbers and memory in the forms of x and print.
func TestForms(t *testing.T) {
	for _, x := range [][3]string{{"66", "d", "66"}, {"66", "c", `66 'B'`}, {"5", "t", "0b101"}, {"8", "o", "0o10"}, {"Optional(16)", "x", "0x0000000000000010"}, {"-1", "u", "18446744073709551615"}} {
		if got, ok := number64(x[0], x[1]); !ok || got != x[2] {
			t.Errorf("%s as %s is %s, want %s", x[0], x[1], got, x[2])
		}
	}
	if _, ok := number64(`"a"`, "d"); ok {
		t.Error("a string is no number")
	}
	r, out := open(t, "leak.sil")
	say(r, out, "break keep", "continue")
	if text := say(r, out, "x/2gx Node#1"); strings.Count(text, "0x") != 3 {
		t.Errorf("x/2gx shows %q", text)
	}
	if text := say(r, out, "print/x Node#1.value"); !strings.HasPrefix(text, "01 00 00 00 00 00 00 00 (8 bytes, at 0x") {
		t.Errorf("print/x shows %q", text)
	}
	if text := say(r, out, "print/t Node#1.value", "whatis Node#1", "print Node#1.name"); !strings.Contains(text, "= 0b1") || !strings.Contains(text, "  value : Int") ||
		!strings.Contains(text, `"node 1"`) {
		t.Errorf("shows %q", text)
	}
}

// A session that was saved is the same again: what was set, bookmarks, each kind of breakpoint with what belongs to it, displays, aliases, the step.
func TestSavedSession(t *testing.T) {
	const program = "changes.sil.gz"
	file := filepath.Join(t.TempDir(), "session")
	r, out := open(t, program)
	say(r, out, "alias w = why m", "break changes.swift:21 if total > 0", "on 1 bt", "c", "set m.value = 0", "set m.gain = 3", "bookmark here",
		"watch total", "break release Meter", "disable $", "tbreak deinit Meter", "ignore 2 3", `log check say "{m.value}" twice`, "condition $ 1 == 1",
		"catch throw Fault", "rwatch Meter.value", "awatch Meter.limit", "display total", "display m.value + 1", "step", "bookmark there")
	if text := say(r, out, "save "+file); !strings.Contains(text, "makes this session again") {
		t.Fatal(text)
	}
	want := r.session()
	if len(want) < 22 {
		t.Errorf("%d lines:\n%s", len(want), strings.Join(want, "\n"))
	}
	again, text := open(t, program)
	said := say(again, text, "source "+file)
	if got := again.session(); !slices.Equal(got, want) {
		t.Errorf("%s\n\nafter source:\n%s\n\nsaid:\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"), said)
	}
	if say(again, text, "breakpoints") == "" || again.d.Step() != r.d.Step() {
		t.Errorf("step %d, not %d", again.d.Step(), r.d.Step())
	}
	if text := say(r, out, "save "+filepath.Join(file, "below")); !strings.Contains(text, "not a directory") && !strings.Contains(text, "cannot find") {
		t.Errorf("a file that can't be written: %s", text)
	}
}
