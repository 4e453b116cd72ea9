package debugger_test

import (
	"io"
	"testing"

	"silvm/debugger"
	"silvm/heap"
)

// What why calls leaked is there when the program ends: at places all over recorded programs, of all objects that are there.
func TestLeakedStays(t *testing.T) {
	for _, file := range []string{
		"../programs/ordinary/dispatch/O.sil.gz", "../programs/ordinary/closures/O.sil.gz", "../programs/ordinary/asyncsequences/O.sil.gz",
		"../programs/ordinary/pointers/O.sil.gz", "../programs/embedded/cycle/O.sil", "../programs/counts/closures.sil", "../cmd/silvm/testdata/debug/context.sil.gz",
		"../programs/ordinary/continuations/O.sil", "../programs/swift-6.2/ordinary/closuretypes/O.sil.gz",
	} {
		d := session(t, file, io.Discard)
		end := d.GotoEnd().Step
		left := map[uint64]bool{}
		d.Machine().Heap().Live(func(o heap.ObjectInfo) bool {
			left[o.Serial] = true
			return true
		})
		const moments = 40
		for k := uint64(1); k < moments; k++ {
			d.Goto(end * k / moments)
			list, _ := d.LiveFrom("", 0, 1000)
			for _, o := range list {
				if left[o.Serial] || o.Counts.State != debugger.StateLive {
					continue
				}
				if _, _, ok := d.Why(o); ok {
					continue
				}
				if _, _, ok := d.ByAddress(o); !ok {
					t.Errorf("%s: %s counts as leaked at step %d, and goes later", file, o.Name, d.Step())
				}
			}
		}
	}
}
