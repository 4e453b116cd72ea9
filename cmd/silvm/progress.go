package main

import (
	"fmt"
	"time"
)

// progress tells on stderr how far long work has come: at every step on a terminal, else a plain line every ten seconds.
type progress struct {
	app      *app
	what     string
	done, of int
	last     time.Time
	terminal bool
}

// progressEvery is how often a line is written where no terminal reads it.
const progressEvery = 10 * time.Second

func (a *app) newProgress(what string, of int) *progress {
	return &progress{app: a, what: what, of: of, last: time.Now(), terminal: isTerminal(a.err)}
}

// sessionProgress returns what shows how far a command of the debugger has come, nil for nothing: a line that the next one replaces on a
// terminal, else a plain line every ten seconds.
func (a *app) sessionProgress() func(text string) {
	switch {
	case a.flags.quiet:
		return nil
	case isTerminal(a.err):
		return func(text string) { fmt.Fprintf(a.err, "\r\x1b[K%s", text) }
	}
	var last time.Time
	return func(text string) {
		switch {
		case text == "":
			last = time.Time{}
		case last.IsZero():
			last = time.Now()
		case time.Since(last) >= progressEvery:
			last = time.Now()
			fmt.Fprintln(a.err, text)
		}
	}
}

// step notes that one more of the things is done.
func (p *progress) step(name string) {
	p.done++
	if p.of < 2 || p.app.flags.quiet || p.app.flags.json {
		return
	}
	if p.terminal || time.Since(p.last) >= progressEvery {
		fmt.Fprintf(p.app.err, "%s: %d of %d, %s\n", p.what, p.done, p.of, name)
		p.last = time.Now()
	}
}
