package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"silvm/loader"
	"silvm/vm"
	"silvm/vm/native"
)

// BenchmarkKernels runs the kernels of programs/bench and reports nanoseconds per SIL instruction, and retains and releases
// per run. Where $SILVM_NATIVE names a folder with a native binary NAME for each kernel, made by swiftc -O from the same
// source, it reports the ratio of our elapsed time to its CPU time too (run it on an idle machine):
//
//	SILVM_NATIVE=/tmp/native go test ./cmd/silvm -run '^$' -bench Kernels -benchtime 1x
//
// Its CPU profile is what the compiler lays out the dispatch loop by; record it anew after a change to vm/loop.go:
//
//	go test ./cmd/silvm -run '^$' -bench Kernels -benchtime 1x -cpuprofile cmd/silvm/default.pgo
func BenchmarkKernels(b *testing.B) {
	files, err := filepath.Glob(filepath.Join("..", "..", "programs", "bench", "*", "O.sil"))
	if err != nil || len(files) == 0 {
		b.Fatalf("no kernels: %v", err)
	}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		b.Run(name, func(b *testing.B) {
			var steps, counts uint64
			for range b.N {
				m := kernel(b, file)
				steps += m.Steps()
				counts += m.Counters().StrongRetain + m.Counters().StrongRelease
			}
			ours := b.Elapsed()
			b.ReportMetric(float64(ours.Nanoseconds())/float64(steps), "ns/step")
			b.ReportMetric(float64(counts)/float64(b.N), "rc/op")
			if t, ok := nativeTime(b, name); ok {
				b.ReportMetric(ours.Seconds()/float64(b.N)/t.Seconds(), "x-native")
			}
		})
	}
}

// kernel runs one kernel to its end and checks what it printed.
func kernel(b *testing.B, file string) *vm.Machine {
	text, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	mod, diags := loader.Load(file, text, loader.Options{Lazy: true})
	if diags.Errors() > 0 {
		b.Fatal(diags.Err())
	}
	var out strings.Builder
	m, err := vm.New(mod, vm.Config{Stdout: &out, Stderr: io.Discard, Natives: native.Table()})
	if err != nil {
		b.Fatal(err)
	}
	stop := m.Run(0)
	expected, err := os.ReadFile(strings.TrimSuffix(file, ".sil") + ".expected")
	if err != nil {
		b.Fatal(err)
	}
	if _, want, _ := strings.Cut(string(expected), "stdout:\n"); stop.Kind != vm.Exited || out.String() != want {
		b.Fatalf("%s printed %q, want %q (%v)", file, out.String(), want, stop.Trap)
	}
	return m
}

// nativeTime returns the least CPU time of three native runs; ok is false where there is no native binary.
func nativeTime(b *testing.B, name string) (least time.Duration, ok bool) {
	dir := os.Getenv("SILVM_NATIVE")
	if dir == "" {
		return 0, false
	}
	path := filepath.Join(dir, name)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	for range 3 {
		cmd := exec.Command(path)
		if err := cmd.Run(); err != nil {
			b.Logf("no native time: %v", err)
			return 0, false
		}
		if t := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); !ok || t < least {
			least, ok = t, true
		}
	}
	return least, ok
}
