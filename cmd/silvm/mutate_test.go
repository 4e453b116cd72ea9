package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"silvm/ir/verify"
	"silvm/loader"
	"silvm/opt"
	"silvm/opt/pass"
)

var (
	mutateFor  = flag.Duration("mutate", 0, "run mutated programs for so long instead of once each")
	mutateSeed = flag.Int64("mutate-seed", 1, "seed of the mutations")
	mutateKeep = flag.String("mutate-keep", "", "folder for the texts that silvm fails on")
)

// TestMutatedPrograms changes recorded programs as a broken compiler or a hostile author might, and runs them under small
// limits: whatever becomes of a text, it must not make silvm panic, meet a bug in itself, hang or use much memory. For more
// than a look:
//
//	go test ./cmd/silvm -run TestMutatedPrograms -mutate 1h -mutate-seed 7 -mutate-keep /tmp/bad -timeout 0
func TestMutatedPrograms(t *testing.T) {
	pool := newPool(t)
	r := rand.New(rand.NewSource(*mutateSeed))
	w := &watchdog{}
	defer w.start()()
	seen := map[string]int{}
	began, n := time.Now(), 0
	for ; *mutateFor > 0 && time.Since(began) < *mutateFor || *mutateFor == 0 && n < 400; n++ {
		text := pool.mutant(r)
		if *mutateKeep != "" {
			keep(text, "current.sil") // a Go stack overflow leaves nothing else
		}
		w.begin(text)
		err := attempt(text)
		w.end()
		if err == nil {
			continue
		}
		sign := signature(err.Error())
		if seen[sign]++; seen[sign] > 1 {
			continue
		}
		t.Errorf("mutant %d of seed %d (%s): %s", n, *mutateSeed, keep(text, fmt.Sprintf("%d-%d.sil", *mutateSeed, n)), firstLines(err.Error(), 40))
	}
	for sign, times := range seen {
		t.Logf("%d times %s", times, sign)
	}
	t.Logf("%d mutants", n)
}

// TestMutatedOptimized takes the mutated programs that verify through the default pipeline: no pass may panic or run without end on
// SIL that is well formed, however odd.
func TestMutatedOptimized(t *testing.T) {
	pool := newPool(t)
	r := rand.New(rand.NewSource(*mutateSeed))
	w := &watchdog{}
	defer w.start()()
	seen := map[string]int{}
	began, n, tried := time.Now(), 0, 0
	for ; *mutateFor > 0 && time.Since(began) < *mutateFor || *mutateFor == 0 && n < 100; n++ {
		text := pool.mutant(r)
		if *mutateKeep != "" {
			keep(text, "optimized.sil")
		}
		w.begin(text)
		well, err := optimized(text)
		w.end()
		if well {
			tried++
		}
		if err == nil {
			continue
		}
		sign := passSignature(err.Error())
		if seen[sign]++; seen[sign] == 1 {
			t.Errorf("mutant %d of seed %d (%s): %s", n, *mutateSeed, keep(text, fmt.Sprintf("opt-%d-%d.sil", *mutateSeed, n)), firstLines(err.Error(), 40))
		}
	}
	for sign, times := range seen {
		t.Logf("%d times %s", times, sign)
	}
	t.Logf("%d mutants, %d of them verify and went through the pipeline", n, tried)
}

// optimized runs the default pipeline over a text that verifies; the error is a Go panic.
func optimized(text []byte) (well bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, panicStack(string(debug.Stack())))
		}
	}()
	mod, diags := loader.Load("fuzz.sil", text, loader.Options{})
	if diags.Errors() == 0 {
		verify.Module(mod, diags)
	}
	if diags.Errors() > 0 {
		return false, nil
	}
	if err := pass.Run(mod, opt.Default.Passes, pass.Options{Whole: true}); err != nil {
		return true, nil // a body that cannot be read, said in words
	}
	return true, mod.Print(io.Discard)
}

// keep writes a text that silvm fails on to the folder that the flag names, and says where.
func keep(text []byte, name string) string {
	if *mutateKeep == "" {
		return "see it with -mutate-keep DIR"
	}
	path := filepath.Join(*mutateKeep, name)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return err.Error()
	}
	return path
}

// signature returns what does not change from one time a bug is met to the next: its message without numbers and the first place of ours in the stack.
func signature(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	first = regexp.MustCompile(`\d+`).ReplaceAllString(first, "N")
	place := regexp.MustCompile(`/((?:vm|ir|heap|loader)/[a-z/_]*\.go:\d+)`).FindString(text)
	return first + " " + place
}

func firstLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

// watchdog ends the process, with all Go stacks, when a text takes too long or too much memory: neither can be stopped from
// outside of a goroutine.
type watchdog struct {
	since atomic.Int64 // when the text was begun, in nanoseconds; 0 between texts
	text  atomic.Pointer[[]byte]
}

const (
	mostTime   = time.Minute // on a busy machine, too
	mostMemory = 2 << 30
)

func (w *watchdog) begin(text []byte) {
	w.text.Store(&text)
	w.since.Store(time.Now().UnixNano())
}

func (w *watchdog) end() { w.since.Store(0) }

// start watches until the function it returns is called.
func (w *watchdog) start() func() {
	done := make(chan struct{})
	tick := time.NewTicker(20 * time.Millisecond)
	go func() {
		for {
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
				w.look()
			}
		}
	}()
	return func() { close(done) }
}

// goMemory returns the bytes of objects and stacks, those included that the collector has not come to.
func goMemory() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() + sample[1].Value.Uint64()
}

func (w *watchdog) look() {
	since := w.since.Load()
	if since == 0 {
		return
	}
	memory := goMemory()
	if memory > mostMemory { // on a busy machine most of it is what nobody holds any more
		runtime.GC()
		memory = goMemory()
	}
	if took := time.Since(time.Unix(0, since)); took > mostTime || memory > mostMemory {
		fmt.Fprintf(os.Stderr, "a text took %v and %d MiB (%s)\n", took, memory>>20, keep(*w.text.Load(), "watchdog.sil"))
		if err := pprof.Lookup("goroutine").WriteTo(os.Stderr, 2); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
}
