package loader_test

import (
	"io"
	"runtime"
	"testing"

	"silvm/loader"
	"silvm/loader/siltest"
)

func benchText(b *testing.B) []byte {
	text, err := siltest.Read("../programs/embedded/dictionary/Onone.sil.gz")
	if err != nil {
		b.Fatal(err)
	}
	return text
}

// BenchmarkLoad reads a program with all bodies; it also reports the memory of the module per byte of text,
// the text included.
func BenchmarkLoad(b *testing.B) {
	text := benchText(b)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	m, _ := loader.Load("main.sil", text, loader.Options{})
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(m)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		loader.Load("main.sil", text, loader.Options{})
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(len(text)), "mem/byte")
}

// BenchmarkLoadLazy reads everything but the bodies.
func BenchmarkLoadLazy(b *testing.B) {
	text := benchText(b)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		loader.Load("main.sil", text, loader.Options{Lazy: true})
	}
}

// BenchmarkPrint prints a program; bytes are those of the print.
func BenchmarkPrint(b *testing.B) {
	m, _ := loader.Load("main.sil", benchText(b), loader.Options{})
	var n counter
	if err := m.Print(&n); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(n))
	for b.Loop() {
		if err := m.Print(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
