package console

import (
	"fmt"
	"io"
	"time"
)

// Progress tells how far long work has come: at every step on a terminal, else a plain line every ten seconds.
type Progress struct {
	to       io.Writer
	what     string
	done, of int
	last     time.Time
	terminal bool
}

// ProgressEvery is how often a line is written where no terminal reads it.
const ProgressEvery = 10 * time.Second

// NewProgress returns the progress of so many steps of some work, told to a stream.
func NewProgress(to io.Writer, what string, of int) *Progress {
	return &Progress{to: to, what: what, of: of, last: time.Now(), terminal: IsTerminal(to)}
}

// Step notes that one more of the things is done. A nil progress says nothing.
func (p *Progress) Step(name string) {
	if p == nil {
		return
	}
	p.done++
	if p.of > 1 && (p.terminal || time.Since(p.last) >= ProgressEvery) {
		fmt.Fprintf(p.to, "%s: %d of %d, %s\n", p.what, p.done, p.of, name)
		p.last = time.Now()
	}
}

// SessionProgress returns what shows how far a command of the debugger has come: a line that the next one replaces on a terminal, else a
// plain line every ten seconds.
func SessionProgress(to io.Writer) func(text string) {
	if IsTerminal(to) {
		return func(text string) { fmt.Fprintf(to, "\r\x1b[K%s", text) }
	}
	var last time.Time
	return func(text string) {
		switch {
		case text == "":
			last = time.Time{}
		case last.IsZero():
			last = time.Now()
		case time.Since(last) >= ProgressEvery:
			last = time.Now()
			fmt.Fprintln(to, text)
		}
	}
}
