// Package tui is the debugger in the whole terminal: Swift source and SIL with the instruction that is about to run, values with their
// counts, calls, live objects, a line of time, and the debugger's language below, as users of gdb's and UDB's screens know it.
//
// An [App] shows views of debugger/view and hands lines to the same commands as at a terminal ([Console]); it has no commands of its own but
// keys that stand for them. The session is used by one goroutine at a time: the one that runs a command, or, between commands, the one that
// draws. While a command runs the screen shows what was there before it, resizes, and tells how far it is; Ctrl-C stops the run.
//
// Read this file, then draw.go and line.go.
package tui

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gdamore/tcell/v2"

	"silvm/debugger"
	"silvm/debugger/view"
	"silvm/ir/source"
)

// Console does lines of the debugger's language.
type Console interface {
	Do(line string) string         // returns what the line shows
	Complete(line string) []string // what the last word may become
	Frame() int                    // the frame that data commands look at
}

// Config is what the screen gets from outside.
type Config struct {
	Title   string
	Swift   *source.SwiftFiles
	Console Console
	Color   bool // false uses bold, underlined and reversed text only
}

// App is a session on a screen.
type App struct {
	cfg    Config
	d      *debugger.Debugger
	view   *view.Maker
	screen tcell.Screen

	now    view.State
	before map[string]view.Counts // of the objects that the stop before showed
	body   view.Listing           // of the function that is shown, the symbol of which is named
	named  string
	swift  map[string]view.Listing
	last   uint64 // step of the end, or the furthest that was seen
	known  bool   // last is the end

	line   editor
	pane   int // of panes
	offset int // by how many lines the SIL was scrolled away from the present instruction
	bar    rect

	busy    bool
	step    atomic.Uint64 // of a run under way
	results chan func()   // what the command that ends does to the App

	mu  sync.Mutex
	log []entry
}

// entry is a line of the log.
type entry struct {
	text string
	kind style
}

// maxLog is how many lines of the log are kept.
const maxLog = 2000

// New makes an app over a session.
func New(d *debugger.Debugger, screen tcell.Screen, cfg Config) *App {
	a := &App{cfg: cfg, d: d, view: view.New(d, cfg.Swift), screen: screen, swift: map[string]view.Listing{}, results: make(chan func(), 1)}
	d.OnProgress(a.step.Store)
	return a
}

// Write adds what the program prints to the log.
func (a *App) Write(b []byte) (int, error) {
	a.say(string(b), styleOutput)
	return len(b), nil
}

// say adds lines to the log.
func (a *App) say(text string, kind style) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		a.log = append(a.log, entry{source.Escape(strings.ReplaceAll(line, "\t", "    ")), kind})
	}
	if n := len(a.log) - maxLog; n > 0 {
		a.log = a.log[n:]
	}
}

// Say adds what a command showed before the screen was there.
func (a *App) Say(text string) { a.say(text, stylePlain) }

// Run shows the session until the user ends it. The screen must be open, and is not closed.
func (a *App) Run() {
	a.screen.EnableMouse(tcell.MouseButtonEvents)
	a.screen.EnablePaste()
	a.look()
	a.start(a.survey)
	events, quit := make(chan tcell.Event, 16), make(chan struct{})
	defer close(quit)
	go a.screen.ChannelEvents(events, quit)
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		a.draw()
		select {
		case e, open := <-events:
			if !open || a.handle(e) {
				a.finish()
				return
			}
		case done := <-a.results:
			a.busy = false
			done()
		case <-tick.C:
		}
	}
}

// finish waits for a command that still runs.
func (a *App) finish() {
	if a.busy {
		a.d.Interrupt()
		<-a.results
	}
}

// start runs something that uses the session, away from the screen. It returns what shall become of the App then.
func (a *App) start(f func() func()) {
	if a.busy {
		return
	}
	a.busy = true
	a.step.Store(a.d.Step())
	go func() { a.results <- f() }()
}

// run does a line of the debugger's language.
func (a *App) run(line string) {
	a.start(func() func() {
		text := a.cfg.Console.Do(line)
		return func() {
			if strings.TrimSpace(text) != "" {
				a.say(text, stylePlain)
			}
			a.look()
		}
	})
}

// survey runs to the end, so that the line of time has one, and comes back.
func (a *App) survey() func() {
	from := a.d.Step()
	stop := a.d.GotoEnd()
	furthest := a.d.Step()
	if furthest != from || a.d.Ended() {
		a.cfg.Console.Do(fmt.Sprintf("goto %d", from))
		a.d.Unseen()
	}
	return func() {
		if stop.End == nil {
			a.say("the end of the run was not reached; goto end goes on looking", styleDim)
		} else {
			a.say(fmt.Sprintf("run ahead to the end, step %d: all of its output stands above", furthest), styleDim)
		}
		a.last = max(a.last, furthest)
		a.look()
	}
}

// look brings what is shown up to date with the session.
func (a *App) look() {
	a.before = map[string]view.Counts{}
	for _, list := range [][]view.Variable{a.now.Locals, a.now.Values} {
		for _, v := range list {
			if v.Counts != nil {
				a.before[v.Object] = *v.Counts
			}
		}
	}
	a.now = a.view.State(a.cfg.Console.Frame())
	a.offset = 0
	a.last = max(a.last, a.now.Stop.Step)
	if e := a.now.Status.End; e != nil {
		a.last, a.known = e.Step, true
	}
	if a.now.Symbol != a.named {
		a.body, a.named = view.Listing{}, a.now.Symbol
		if fn := a.d.Module().Func(a.named); fn != nil {
			a.body = a.view.Body(fn, nil)
		}
	}
	if file, _ := a.swiftPlace(); file != "" {
		if _, known := a.swift[file]; !known {
			a.swift[file] = a.view.Swift(file, 1, maxSwift, 0)
		}
	}
}

// maxSwift is how many lines of a Swift file are shown.
const maxSwift = 100_000

// swiftPlace is where the frame is in the Swift source, "" when that is not known.
func (a *App) swiftPlace() (file string, line int) {
	for _, f := range a.now.Frames.Frames {
		if f.Index == a.now.Frame && f.Place != nil {
			if file, line, _, ok := source.SplitPlace(f.Place.Swift); ok {
				return file, line
			}
		}
	}
	return "", 0
}
