package verify_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"syscall"
	"testing"
	"time"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/ir/verify"
	"silvm/loader"
	"silvm/loader/siltest"
)

var (
	mutants    = flag.Int("mutants", 300, "number of mutated texts")
	mutantSeed = flag.Int64("mutants-seed", 1, "seed of the mutations")
	mutantKeep = flag.String("mutants-keep", "", "folder for the texts that silvm fails on")
)

const (
	mutantMost   = 64 << 10         // bytes of a text
	mutantMemory = 64 << 20         // bytes in use while one text is worked on
	mutantTime   = 2 * time.Second  // of processor time for one text
	mutantHang   = 60 * time.Second // of real time, after which the run is given up
)

// TestMutants changes programs, files that hold the forms of the grammar one by one, and judged texts in all sorts of ways, and takes each
// through loader, printer, loader again and verifier: no text makes any of them panic, take more than two seconds or more than 64 MiB, and
// what loads prints as text that loads to the same print. A million of them:
//
//	go test ./ir/verify -run TestMutants -mutants 1000000 -mutants-keep /tmp/bad -timeout 0 -v
func TestMutants(t *testing.T) {
	p := newTextPool(t)
	r := rand.New(rand.NewSource(*mutantSeed))
	var now []byte
	watch := time.AfterFunc(time.Hour, func() {
		fmt.Fprintf(os.Stderr, "a text hangs (%s)\n", keepMutant(now, "hang.sil"))
		debug.SetTraceback("all")
		panic("a text hangs")
	})
	defer watch.Stop()
	var s mutantStats
	began, said := time.Now(), time.Now()
	for n := range *mutants {
		now = p.mutant(r)
		watch.Reset(mutantHang)
		if *mutantKeep != "" {
			keepMutant(now, "current.sil") // a Go stack overflow leaves nothing else
		}
		if err := s.attempt(now); err != nil {
			t.Errorf("text %d of seed %d (%s): %v", n, *mutantSeed, keepMutant(now, fmt.Sprintf("%d-%d.sil", *mutantSeed, n)), err)
			if s.failed++; s.failed > 50 {
				t.Fatal("too many failures")
			}
		}
		if time.Since(said) > time.Minute {
			said = time.Now()
			t.Logf("%d texts in %v: %s", n+1, time.Since(began).Round(time.Second), &s)
		}
	}
	t.Logf("%d texts in %v: %s", *mutants, time.Since(began).Round(time.Second), &s)
}

// keepMutant writes a text to the folder that the flag names, and says where.
func keepMutant(text []byte, name string) string {
	if *mutantKeep == "" {
		return "see it with -mutants-keep DIR"
	}
	path := filepath.Join(*mutantKeep, name)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return err.Error()
	}
	return path
}

// mutantStats is what a run found out.
type mutantStats struct {
	loaded, verified int           // texts without errors
	allocated        uint64        // most bytes allocated for one text, in use at once or not
	live             uint64        // most bytes in use at once, of the texts for which more than the bound was allocated
	measured         int           // number of those
	longest          time.Duration // processor time
	failed           int
}

func (s *mutantStats) String() string {
	return fmt.Sprintf("%d load, %d verify; at most %.1f MiB allocated; %d measured, at most %.1f MiB in use; at most %v", s.loaded, s.verified,
		float64(s.allocated)/(1<<20), s.measured, float64(s.live)/(1<<20), s.longest.Round(time.Millisecond))
}

// attempt takes one text through everything. What is allocated for it bounds what is in use; where that is more than the bound, the
// text is taken again with a collector that runs at each twentieth of growth, and what is in use is sampled.
func (s *mutantStats) attempt(text []byte) error {
	before, began := allocated(), processorTime()
	loaded, verified, err := pipeline(text)
	took, bytes := processorTime()-began, allocated()-before
	s.longest, s.allocated = max(s.longest, took), max(s.allocated, bytes)
	if loaded {
		s.loaded++
	}
	if verified {
		s.verified++
	}
	switch {
	case err != nil:
		return err
	case took > mutantTime:
		if began := processorTime(); true { // the machine may have been busy with other things
			_, _, _ = pipeline(text)
			took = min(took, processorTime()-began)
		}
		if took > mutantTime {
			return fmt.Errorf("took %v", took)
		}
	}
	if bytes > mutantMemory {
		s.measured++
		live := inUse(text)
		if s.live = max(s.live, live); live > mutantMemory {
			return fmt.Errorf("%d MiB in use", live>>20)
		}
	}
	return nil
}

func allocated() uint64 { return metric("/gc/heap/allocs:bytes") }

func metric(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// processorTime is what the process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// inUse returns the most bytes of heap and stacks that a text needs at once, beyond what was in use before.
func inUse(text []byte) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	runtime.GC()
	base := metric("/memory/classes/heap/objects:bytes") + metric("/memory/classes/heap/stacks:bytes")
	done, most := make(chan struct{}), make(chan uint64)
	go func() {
		tick := time.NewTicker(200 * time.Microsecond)
		defer tick.Stop()
		var top uint64
		for {
			select {
			case <-done:
				most <- top
				return
			case <-tick.C:
				top = max(top, metric("/memory/classes/heap/objects:bytes")+metric("/memory/classes/heap/stacks:bytes"))
			}
		}
	}()
	_, _, _ = pipeline(text)
	close(done)
	top := <-most
	return top - min(base, top)
}

// pipeline loads, prints, loads again and verifies.
func pipeline(text []byte) (loaded, verified bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	mod, diags := loader.Load("mutant.sil", text, loader.Options{})
	loaded = diags.Errors() == 0
	words := source.Renderer{Files: mod.Files}
	if !loaded {
		_ = printed(mod)
		return false, false, words.Render(io.Discard, diags)
	}
	first := printed(mod)
	again, problems := loader.Load("printed.sil", first, loader.Options{})
	if problems.Errors() > 0 {
		return loaded, false, fmt.Errorf("the print does not load: %w", problems.Err())
	}
	if second := printed(again); !bytes.Equal(first, second) {
		return loaded, false, fmt.Errorf("the print of the print differs: %s", firstDifference(first, second))
	}
	verify.Module(mod, diags)
	verified = diags.Errors() == 0
	if verified {
		verify.Exclusivity(mod, diags)
	}
	return loaded, verified, words.Render(io.Discard, diags)
}

func printed(m *ir.Module) []byte {
	var b bytes.Buffer
	_ = m.Print(&b) // a buffer takes all
	return b.Bytes()
}

func firstDifference(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for n := range min(len(x), len(y)) {
		if x[n] != y[n] {
			return fmt.Sprintf("line %d is %q, then %q", n+1, x[n], y[n])
		}
	}
	return fmt.Sprintf("%d lines, then %d", len(x), len(y))
}

// textPool holds what mutants are made of.
type textPool struct {
	texts  [][]string // lines with their ends
	tokens []string
}

func newTextPool(t *testing.T) *textPool {
	p := &textPool{}
	seen := map[string]bool{}
	add := func(text []byte) {
		lines := strings.SplitAfter(string(text), "\n")
		p.texts = append(p.texts, lines)
		for range 200 {
			for w := range strings.FieldsSeq(lines[rand.New(rand.NewSource(int64(len(p.tokens)))).Intn(len(lines))]) {
				if !seen[w] && len(w) < 40 {
					seen[w] = true
					p.tokens = append(p.tokens, w)
				}
			}
		}
	}
	for _, f := range siltest.Programs(t, "../../programs") {
		add(f.Text)
	}
	for _, glob := range []string{"../../loader/testdata/*.sil", "../../loader/testdata/dense/*.sil", "testdata/*/*.sil"} {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Fatal("no files", glob, err)
		}
		for _, name := range files {
			text, err := siltest.Read(name)
			if err != nil {
				t.Fatal(err)
			}
			for range 4 { // these hold most forms in little space
				add(text)
			}
		}
	}
	return p
}
