package gen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// swiftWriter writes a random Swift program: lines with their indentation, new names, and the variables in scope. T stands for a type of the
// program.
type swiftWriter[T comparable] struct {
	r      *rand.Rand
	out    strings.Builder
	indent int
	names  int
	scopes [][]swiftVar[T]
}

// swiftVar is a variable that code may use.
type swiftVar[T comparable] struct {
	name    string
	t       T
	mutable bool
}

func (w *swiftWriter[T]) n(n int) int        { return w.r.IntN(n) }
func (w *swiftWriter[T]) chance(of int) bool { return w.n(of) == 0 }

func (w *swiftWriter[T]) line(format string, args ...any) {
	w.out.WriteString(strings.Repeat("  ", w.indent))
	fmt.Fprintf(&w.out, format, args...)
	w.out.WriteByte('\n')
}

// block has write's lines stand one level deeper, in a scope of their own.
func (w *swiftWriter[T]) block(write func()) {
	w.indent++
	w.scopes = append(w.scopes, nil)
	write()
	w.scopes = w.scopes[:len(w.scopes)-1]
	w.indent--
}

func (w *swiftWriter[T]) name(prefix string) string {
	w.names++
	return fmt.Sprintf("%s%d", prefix, w.names)
}

func (w *swiftWriter[T]) declare(name string, t T, mutable bool) {
	w.scopes[len(w.scopes)-1] = append(w.scopes[len(w.scopes)-1], swiftVar[T]{name, t, mutable})
}

// vars lists the names of variables of a type; mutable asks for those that code may assign to.
func (w *swiftWriter[T]) vars(t T, mutable bool) (list []string) {
	for _, scope := range w.scopes {
		for _, v := range scope {
			if v.t == t && (v.mutable || !mutable) {
				list = append(list, v.name)
			}
		}
	}
	return list
}
