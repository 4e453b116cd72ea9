package web

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// maxOutput is how much of what the program prints is kept, in bytes.
const maxOutput = 1 << 20

// Output keeps what the program prints, with the step at which it did, so that the page can show what was printed up to any moment.
type Output struct {
	Step func() uint64 // where the run is; set before the program runs

	mu     sync.Mutex
	pieces []piece
	bytes  int
}

type piece struct {
	step uint64
	text string
}

// Write keeps a piece.
func (o *Output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.bytes < maxOutput {
		o.pieces = append(o.pieces, piece{o.Step(), string(b)})
		o.bytes += len(b)
	}
	return len(b), nil
}

// upTo returns what was printed before a step; more says that something was too much to keep.
func (o *Output) upTo(step uint64) (text string, more bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var b strings.Builder
	for _, p := range o.pieces {
		if p.step >= step {
			break
		}
		b.WriteString(p.text)
	}
	text = b.String()
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	return text, o.bytes >= maxOutput
}
