package tui

import (
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"silvm/debugger/debugtest"
	"silvm/debugger/repl"
)

// late passes on what is printed once it is known to whom.
type late struct{ app *App }

func (l *late) Write(b []byte) (int, error) { return l.app.Write(b) }

// open starts a session on a simulated terminal.
func open(t *testing.T, file string, width, height int) (*App, tcell.SimulationScreen) {
	t.Helper()
	out := &late{}
	d := debugtest.Open(t, file, out)
	screen := tcell.NewSimulationScreen("UTF-8")
	if err := screen.Init(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(screen.Fini)
	screen.SetSize(width, height)
	swift := debugtest.Swift()
	c := repl.NewConsole(d, repl.Config{Swift: swift})
	a := New(d, screen, Config{Title: file, Swift: swift, Console: c, Color: true})
	out.app = a
	a.look()
	a.start(a.survey)
	settle(a)
	return a, screen
}

// settle waits until no command runs, and draws.
func settle(a *App) {
	for a.busy {
		done := <-a.results
		a.busy = false
		done()
	}
	a.draw()
}

// press handles keys: a rune each, or the names of keys in angle brackets.
func press(t *testing.T, a *App, text string) (over bool) {
	t.Helper()
	named := map[string]tcell.Key{"enter": tcell.KeyEnter, "left": tcell.KeyLeft, "right": tcell.KeyRight, "tab": tcell.KeyTab, "up": tcell.KeyUp, "back": tcell.KeyBackspace2,
		"ctrl-o": tcell.KeyCtrlO, "ctrl-d": tcell.KeyCtrlD, "ctrl-c": tcell.KeyCtrlC, "ctrl-w": tcell.KeyCtrlW, "f5": tcell.KeyF5, "f6": tcell.KeyF6, "f8": tcell.KeyF8, "f7": tcell.KeyF7}
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "<"); ok {
			name, after, _ := strings.Cut(rest, ">")
			over = a.handle(tcell.NewEventKey(named[name], 0, 0))
			text = after
		} else {
			over = a.handle(tcell.NewEventKey(tcell.KeyRune, []rune(text)[0], 0))
			text = text[1:]
		}
		settle(a)
	}
	return over
}

// shown is what is on the screen.
func shown(s tcell.SimulationScreen) string {
	cells, w, h := s.GetContents()
	var b strings.Builder
	for y := range h {
		var line strings.Builder
		for x := range w {
			if r := cells[y*w+x].Runes; len(r) > 0 {
				line.WriteString(string(r))
			} else {
				line.WriteByte(' ')
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

func wants(t *testing.T, s tcell.SimulationScreen, what string, texts ...string) {
	t.Helper()
	all := shown(s)
	for _, want := range texts {
		if !strings.Contains(all, want) {
			t.Errorf("%s: the screen lacks %q:\n%s", what, want, all)
			return
		}
	}
}

// A session: what each part of the screen shows, forwards and back.
func TestSession(t *testing.T) {
	a, s := open(t, "leak.sil", 130, 42)
	wants(t, s, "the start", "leak.sil  at the start of the program in main", "●", "step 0 of 354", "=>   26   %2 = function_ref", "=>   19 work()", "no object is alive", "deinit 2", "run ahead to the end, step 354", "output (the command keys lists the keys)")
	press(t, a, "break retain<enter><f5>")
	wants(t, s, "a breakpoint", "breakpoint 1: about to retain Node#1 in keep(_:)", "step 139 of 354", "=>  505   strong_retain %0", "=>    9   return Unmanaged", "n = Node#1  strong 1",
		"> 0 keep(_:) leak.swift:9", "  1 work() leak.swift:15", "Node#2: new -> strong 1", "       2 Node", "breakpoint 1: retain")
	press(t, a, "<right>")
	wants(t, s, "a step", "n = Node#1  strong 2", "Node#1: strong 1 -> strong 2")
	press(t, a, "<left>")
	wants(t, s, "a step back", "n = Node#1  strong 1", "=>  505")
	press(t, a, "<ctrl-o><ctrl-o>")
	wants(t, s, "the third panel", "─ breakpoints", "  1 retain", "hit ")
	press(t, a, "goto end<enter>")
	wants(t, s, "the end", "the program has exited with status 0, 1 objects alive", "step 354 of 354", "no call is under way")
	press(t, a, "<f6>")
	wants(t, s, "back from the end", "breakpoint 1: about to retain Node#1 in work()")
	press(t, a, "nosuch<enter>")
	wants(t, s, "an error", "no command nosuch")
}

// The screen keeps its parts at each size, and what is typed stays when it changes.
func TestSizes(t *testing.T) {
	a, s := open(t, "leak.sil", 130, 42)
	press(t, a, "goto 139<enter>print n")
	for _, size := range [][2]int{{200, 60}, {100, 30}, {99, 30}, {64, 24}, {40, 12}, {39, 12}, {40, 11}, {10, 3}, {1, 1}, {80, 25}} {
		s.SetSize(size[0], size[1])
		a.handle(tcell.NewEventResize(size[0], size[1]))
		a.draw()
		if size[0] >= leastWidth && size[1] >= leastHeight {
			wants(t, s, "a size", "leak.sil", "step 139 of 354", "=>  505", "(silvm) print n")
		}
	}
	press(t, a, "<enter>")
	wants(t, s, "the line after all", "n : Node = Node#1")
}

// The line is edited, completed and remembered; Enter repeats; the session ends as at a terminal.
func TestLine(t *testing.T) {
	a, s := open(t, "leak.sil", 130, 42)
	press(t, a, "histx<back><tab>")
	if got := string(a.line.text); got != "history " {
		t.Errorf("completed to %q", got)
	}
	press(t, a, "Node<ctrl-w><ctrl-w>")
	if got := string(a.line.text); got != "" {
		t.Errorf("left is %q", got)
	}
	press(t, a, "step<enter><enter><enter>")
	wants(t, s, "Enter", "step 3 of 354")
	press(t, a, "<f7>")
	wants(t, s, "a key", "step 2 of 354")
	press(t, a, "<up>")
	if got := string(a.line.text); got != "step" {
		t.Errorf("the line before is %q", got)
	}
	press(t, a, "<ctrl-c>")
	if len(a.line.text) != 0 || press(t, a, "x<ctrl-d>") {
		t.Error("Ctrl-C clears the line, Ctrl-D on a line does not end the session")
	}
	press(t, a, "<back>")
	if !press(t, a, "<ctrl-d>") || !press(t, a, "quit<enter>") {
		t.Error("the session goes on")
	}
}

// A click on the line of time goes there; a finding is told; characters that move the cursor are shown as they are.
func TestTimeAndFindings(t *testing.T) {
	a, s := open(t, "over.sil", 120, 36)
	wants(t, s, "the line of time", "!", "●")
	a.handle(tcell.NewEventMouse(a.bar.w/2, a.bar.y, tcell.Button1, 0))
	settle(a)
	if step := a.now.Stop.Step; step < a.last/3 || step > a.last*2/3 {
		t.Errorf("a click in the middle leads to step %d of %d", step, a.last)
	}
	press(t, a, "goto end<enter>")
	wants(t, s, "the finding", "SV0104: over-release: Token#1", "> 0 ")
	_, _ = a.Write([]byte("a\x1b[2Jb\u202ec\n"))
	a.draw()
	wants(t, s, "escapes", `a\u{1B}[2Jb\u{202E}c`)
}
