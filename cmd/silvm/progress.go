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
