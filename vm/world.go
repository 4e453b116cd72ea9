package vm

import (
	"bytes"
	"io"

	"silvm/vm/lower"
)

// world is all that the program sees of the outside and that the outside sees of it.
//
// Standard output is buffered like the C library's, but never lost: it is flushed whenever Run comes back, also after a trap,
// where a native program whose output goes to a file loses what it had not flushed.
//
// A run that was put back to an earlier state reads again what it had read, and nobody sees again what it writes again.
type world struct {
	stdout, stderr io.Writer
	stdin          io.Reader
	out, err       []byte // not yet written
	limit          uint64 // 0 is none
	failed         error  // of the first write that failed
	worldState

	input     [][]byte  // what each read returned, for reading it again; an empty one is the end
	record    bool      // keep input
	delivered [2]uint64 // bytes of stdout and stderr that went out

	// Of a run that another one may follow, see replay.
	summing  bool
	sums     [2]uint64 // of all bytes that were flushed
	expected *world    // the run before
	diverged bool      // what was flushed is not what the run before had delivered
}

// worldState is the part of a world that goes back with a run.
type worldState struct {
	written  uint64 // bytes of both streams, buffered ones included
	random   uint64 // state of the generator
	words    [NativeWords]uint32
	elapsed  uint64    // nanoseconds by the program's clock
	reads    int       // reads of standard input so far
	produced [2]uint64 // bytes of stdout and stderr that were flushed
}

// The standard streams, as the words that C's stdin, stdout and stderr hold.
const (
	Stdin  = lower.Stdin
	Stdout = lower.Stdout
	Stderr = lower.Stderr
)

// clockTick is how many nanoseconds a look at the clock takes.
const clockTick = 1000

// now returns the nanoseconds since the run began.
func (w *world) now() uint64 {
	w.elapsed += clockTick
	return w.elapsed
}

// flushAt is how many buffered bytes are written at once.
const flushAt = 16 << 10

func (w *world) init(cfg Config) {
	w.stdout, w.stderr, w.stdin = cfg.Stdout, cfg.Stderr, cfg.Stdin
	w.limit, w.random, w.record = cfg.Limits.Output, cfg.Seed, cfg.Tools || cfg.KeepInput
}

// write adds bytes to standard output; false means that the limit is reached.
func (w *world) write(b ...byte) bool {
	if !w.count(len(b)) {
		return false
	}
	w.out = append(w.out, b...)
	if len(w.out) >= flushAt {
		w.flush()
	}
	return true
}

// writeError adds bytes to standard error, after all of standard output so far.
func (w *world) writeError(b []byte) bool {
	if !w.count(len(b)) {
		return false
	}
	w.flush()
	w.err = append(w.err, b...)
	w.flush()
	return true
}

func (w *world) count(n int) bool {
	if w.limit > 0 && uint64(n) > w.limit-w.written {
		return false
	}
	w.written += uint64(n)
	return true
}

// flush writes the buffers. After a failed write everything is discarded.
func (w *world) flush() {
	for k, s := range []struct {
		to  io.Writer
		buf *[]byte
	}{{w.stdout, &w.out}, {w.stderr, &w.err}} {
		w.sum(k, *s.buf)
		w.produced[k] += uint64(len(*s.buf))
		if w.produced[k] > w.delivered[k] {
			fresh := (*s.buf)[uint64(len(*s.buf))-(w.produced[k]-w.delivered[k]):]
			w.delivered[k] = w.produced[k]
			if s.to != nil && w.failed == nil {
				_, w.failed = s.to.Write(fresh)
			}
		}
		*s.buf = (*s.buf)[:0]
	}
}

// journal makes the world remember what a replay of the run needs: the input, and sums of the output.
func (w *world) journal() { w.record, w.summing = true, true }

// replay feeds the run the input of the run before, which had journalled, and has it print only what that one did not.
func (w *world) replay(before *world) {
	w.input, w.delivered, w.failed = before.input, before.delivered, before.failed
	w.summing, w.expected = true, before
}

// fork forgets what came after this point.
func (w *world) fork() {
	w.flush()
	w.delivered = w.produced
	if w.reads < len(w.input) {
		rest := bytes.Join(w.input[w.reads:], nil)
		w.input = w.input[:w.reads]
		if w.stdin == nil {
			w.stdin = bytes.NewReader(rest)
		} else {
			w.stdin = io.MultiReader(bytes.NewReader(rest), w.stdin)
		}
	}
}

// sum adds what is about to be flushed on stream k to the sum (FNV-1a, 64 bits), and compares it where the run before had got to.
func (w *world) sum(k int, b []byte) {
	if !w.summing {
		return
	}
	left := -1
	if w.expected != nil && w.produced[k] <= w.expected.delivered[k] {
		left = int(w.expected.delivered[k] - w.produced[k])
	}
	for n, c := range b {
		if n == left && w.sums[k] != w.expected.sums[k] {
			w.diverged = true
		}
		w.sums[k] = (w.sums[k] ^ uint64(c)) * 0x100000001b3
	}
	if len(b) == left && w.sums[k] != w.expected.sums[k] {
		w.diverged = true
	}
}

// Diverged reports whether a run that is over, one of Again, printed something else than the run before, or less.
func (m *Machine) Diverged() bool {
	w := &m.world
	if w.expected == nil {
		return false
	}
	return w.diverged || w.produced[0] < w.expected.delivered[0] || w.produced[1] < w.expected.delivered[1]
}

// Printed is the number of bytes that the program has written to standard output, for observers of a run that goes on.
func (m *Machine) Printed() uint64 { return m.world.produced[0] + uint64(len(m.world.out)) }

// WriteError returns the error of the first write of the program's output that failed; nil when all of it was written.
func (m *Machine) WriteError() error { return m.world.failed }

// read reads from standard input; 0 means its end.
func (w *world) read(b []byte) int {
	if w.stdin == nil || len(b) == 0 {
		return 0
	}
	w.reads++
	if w.reads <= len(w.input) {
		return copy(b, w.input[w.reads-1])
	}
	w.flush()
	for {
		n, err := w.stdin.Read(b)
		if n > 0 || err != nil {
			if w.record {
				w.input = append(w.input, bytes.Clone(b[:n]))
			}
			return n
		}
	}
}

// rand returns 64 random bits that depend on the seed only (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
// generators", 2014: SplitMix64).
func (w *world) rand() uint64 {
	w.random += 0x9e3779b97f4a7c15
	z := w.random
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
