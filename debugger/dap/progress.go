package dap

import (
	"strconv"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/google/go-dap"
)

// A request that takes more than a second tells a client that wants to know how far the run is: a program that runs long, a search through
// its past. A pause ends both, and so does cancelling the progress.

const (
	progressAfter = time.Second
	progressEvery = 500 * time.Millisecond
)

// progress is what was told about the request under way.
type progress struct {
	wanted bool // the client shows progress
	began  time.Time
	told   time.Time // zero when nothing was
	number int
}

func (p *progress) id() string { return "run-" + strconv.Itoa(p.number) }

// work does what may take long.
func (s *Server) work(f func()) {
	p := &s.progress
	p.began = time.Now()
	f()
	if !p.told.IsZero() {
		p.told = time.Time{}
		s.send(&dap.ProgressEndEvent{Event: event("progressEnd"), Body: dap.ProgressEndEventBody{ProgressId: p.id()}})
	}
}

// tick is told again and again at which step the run is.
func (s *Server) tick(step uint64) {
	p, now := &s.progress, time.Now()
	text := "step " + humanize.Comma(int64(step))
	switch {
	case !p.wanted || now.Sub(p.began) < progressAfter || !p.told.IsZero() && now.Sub(p.told) < progressEvery:
		return
	case p.told.IsZero():
		p.number++
		s.send(&dap.ProgressStartEvent{Event: event("progressStart"), Body: dap.ProgressStartEventBody{ProgressId: p.id(), Title: "silvm runs", Message: text, Cancellable: true}})
	default:
		s.send(&dap.ProgressUpdateEvent{Event: event("progressUpdate"), Body: dap.ProgressUpdateEventBody{ProgressId: p.id(), Message: text}})
	}
	p.told = now
}
