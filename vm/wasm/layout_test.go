package wasm

import (
	"math/rand/v2"
	"testing"
)

// answered is what emitCastClass makes of the word at the place of a cast.
func answered(word uint32, object, class uint64) (is, known bool) {
	answer := word - uint32(object|class<<castShift) - castYes
	return answer == 0, answer&^uint32(castNo-castYes) == 0
}

// A word answers the cast that it was noted for and no other, wherever that has its place; an empty place answers none.
func TestCastsAnswerOnlyThemselves(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	edges := []uint64{0, 1, 2, 1<<castShift - 2, 1<<castShift - 1}
	number := func() uint64 {
		if k := r.IntN(2 * len(edges)); k < len(edges) {
			return edges[k]
		}
		return r.Uint64N(1 << castShift)
	}
	for range 200_000 {
		object, class, is := number(), number(), r.IntN(2) == 0
		place, word := Cast(object, class, is)
		if place%4 != 0 || place >= 4*castCount {
			t.Fatalf("the cast of %d to %d has the place %d", object, class, place)
		}
		if got, known := answered(word, object, class); !known || got != is {
			t.Fatalf("the cast of %d to %d: %t, known %t", object, class, got, known)
		}
		otherObject, otherClass := number(), number()
		if _, known := answered(word, otherObject, otherClass); known && (otherObject != object || otherClass != class) {
			t.Fatalf("the cast of %d to %d answers that of %d to %d", object, class, otherObject, otherClass)
		}
		if _, known := answered(0, object, class); known {
			t.Fatalf("nothing answers the cast of %d to %d", object, class)
		}
	}
}
