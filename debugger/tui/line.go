package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gdamore/tcell/v2"
)

// The keyboard and the line on which commands are typed.

// editor is the line.
type editor struct {
	text    []rune
	pos     int
	history []string
	at      int    // in history, while one goes through it
	repeat  string // what an empty line does
}

func (e *editor) set(text string) {
	e.text = []rune(text)
	e.pos = len(e.text)
}

func (e *editor) insert(r rune) {
	e.text = slices.Insert(e.text, e.pos, r)
	e.pos++
}

// older and newer go through the history.
func (e *editor) older() {
	if e.at > 0 {
		e.at--
		e.set(e.history[e.at])
	}
}

func (e *editor) newer() {
	if e.at++; e.at >= len(e.history) {
		e.at = len(e.history)
		e.set("")
		return
	}
	e.set(e.history[e.at])
}

// word deletes the word before the cursor.
func (e *editor) word() {
	from := e.pos
	for from > 0 && e.text[from-1] == ' ' {
		from--
	}
	for from > 0 && e.text[from-1] != ' ' {
		from--
	}
	e.text = slices.Delete(e.text, from, e.pos)
	e.pos = from
}

// keys are the keys that stand for commands, whatever is on the line.
var keys = map[tcell.Key]string{
	tcell.KeyF5: "continue", tcell.KeyF6: "rcontinue", tcell.KeyF7: "rstep", tcell.KeyF8: "step", tcell.KeyF9: "rnext", tcell.KeyF10: "next",
	tcell.KeyF11: "rfinish", tcell.KeyF12: "finish",
}

// keyHelp tells of the keys.
const keyHelp = `commands are those of silvm debug; help lists them, Enter repeats, Tab completes
Left and Right on an empty line   one instruction back or forwards in time, over calls (rnext, next); with Shift into calls
F5 F6   continue forwards, back      F8 F7   step forwards, back
F10 F9  next forwards, back          F12 F11 finish forwards, back
Ctrl-O  the next panel: objects, tasks, breakpoints      PgUp PgDn  scroll the SIL
a click on the line of time goes there      Ctrl-C  stops the run or clears the line      Ctrl-D or quit  ends`

// handle does what an event asks for; true ends the session.
func (a *App) handle(e tcell.Event) (over bool) {
	switch e := e.(type) {
	case *tcell.EventResize:
		a.screen.Sync()
	case *tcell.EventMouse:
		a.mouse(e)
	case *tcell.EventKey:
		return a.key(e)
	}
	return false
}

// mouse goes to a step on the line of time, and scrolls.
func (a *App) mouse(e *tcell.EventMouse) {
	x, y := e.Position()
	switch b := e.Buttons(); {
	case b&tcell.WheelUp != 0:
		a.offset -= 3
	case b&tcell.WheelDown != 0:
		a.offset += 3
	case b&tcell.Button1 != 0 && y == a.bar.y && x >= a.bar.x && x < a.bar.x+a.bar.w && a.bar.w > 1:
		a.run(fmt.Sprintf("goto %d", uint64(float64(x-a.bar.x)/float64(a.bar.w-1)*float64(a.last))))
	}
}

func (a *App) key(e *tcell.EventKey) (over bool) {
	l := &a.line
	empty := len(l.text) == 0
	if command := keys[e.Key()]; command != "" {
		a.run(command)
		return false
	}
	switch k := e.Key(); {
	case k == tcell.KeyCtrlC && a.busy:
		a.d.Interrupt()
	case k == tcell.KeyCtrlC:
		l.set("")
	case k == tcell.KeyCtrlD && empty:
		return true
	case k == tcell.KeyLeft && empty:
		a.run(within(e, "rstep", "rnext"))
	case k == tcell.KeyRight && empty:
		a.run(within(e, "step", "next"))
	case k == tcell.KeyEnter:
		return a.enter()
	case k == tcell.KeyTab:
		a.complete()
	case k == tcell.KeyCtrlO:
		a.pane = (a.pane + 1) % len(panes)
	case k == tcell.KeyPgUp:
		a.offset -= 10
	case k == tcell.KeyPgDn:
		a.offset += 10
	case k == tcell.KeyCtrlL:
		a.screen.Sync()
	default:
		l.edit(e)
	}
	return false
}

// within is the command for an arrow key: with Shift it goes into calls.
func within(e *tcell.EventKey, into, over string) string {
	if e.Modifiers()&tcell.ModShift != 0 {
		return into
	}
	return over
}

// edit changes the line.
func (e *editor) edit(key *tcell.EventKey) {
	switch key.Key() {
	case tcell.KeyRune:
		e.insert(key.Rune())
	case tcell.KeyBackspace, tcell.KeyBackspace2:
		if e.pos > 0 {
			e.text = slices.Delete(e.text, e.pos-1, e.pos)
			e.pos--
		}
	case tcell.KeyDelete, tcell.KeyCtrlD:
		if e.pos < len(e.text) {
			e.text = slices.Delete(e.text, e.pos, e.pos+1)
		}
	case tcell.KeyLeft:
		e.pos = max(e.pos-1, 0)
	case tcell.KeyRight:
		e.pos = min(e.pos+1, len(e.text))
	case tcell.KeyHome, tcell.KeyCtrlA:
		e.pos = 0
	case tcell.KeyEnd, tcell.KeyCtrlE:
		e.pos = len(e.text)
	case tcell.KeyUp, tcell.KeyCtrlP:
		e.older()
	case tcell.KeyDown, tcell.KeyCtrlN:
		e.newer()
	case tcell.KeyCtrlU:
		e.text = slices.Delete(e.text, 0, e.pos)
		e.pos = 0
	case tcell.KeyCtrlK:
		e.text = e.text[:e.pos]
	case tcell.KeyCtrlW:
		e.word()
	}
}

// enter does the line; true ends the session.
func (a *App) enter() (over bool) {
	if a.busy {
		return false // the line stays until the run has stopped
	}
	text := strings.TrimSpace(string(a.line.text))
	a.line.set("")
	if text == "" {
		text = a.line.repeat
	} else if n := len(a.line.history); n == 0 || a.line.history[n-1] != text {
		a.line.history = append(a.line.history, text)
	}
	a.line.at = len(a.line.history)
	switch text {
	case "":
		return false
	case "quit", "q", "exit":
		return true
	case "keys":
		a.say(keyHelp, stylePlain)
		return false
	}
	a.line.repeat = text
	a.say("(silvm) "+text, styleDim)
	a.run(text)
	return false
}

// complete goes on with the word before the cursor as far as there is one way, and lists the ways.
func (a *App) complete() {
	if a.busy || a.line.pos != len(a.line.text) {
		return
	}
	text := string(a.line.text)
	words := a.cfg.Console.Complete(text)
	if len(words) == 0 {
		return
	}
	common := words[0]
	for _, w := range words[1:] {
		for !strings.HasPrefix(w, common) {
			common = common[:len(common)-1]
		}
	}
	head := text[:strings.LastIndexAny(text, " ;")+1]
	switch a.line.set(head + common); {
	case len(words) == 1 && (strings.HasSuffix(common, ":") || strings.HasSuffix(common, "/") || len(a.cfg.Console.Complete(head+common+".")) > 0):
		// more may follow without a blank
	case len(words) == 1:
		a.line.insert(' ')
	default:
		a.say(strings.Join(words[:min(len(words), 40)], "  "), styleDim)
	}
}
