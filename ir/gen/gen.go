// Package gen makes random SIL modules: valid, in ownership form or lowered, that end, do the same in each run, and print what they see.
//
// They are there to attack passes with. A module is classes with deinits that write, structs, enums, optionals, tuples, closures,
// existentials, generics and coroutines, and functions that hand such values to one another by every convention, change them through
// every reference that they have, and show them. What a program prints depends on values only, never on how often something
// was retained or when it dies, but for the lines of deinits: those may change places with others where a deinit may.
//
// Invariants: the same options yield the same bytes; each loop is counted and no function calls one that was made after it, so that every
// program ends, after a number of steps that is bounded while it is made; no access conflicts with another one; all objects are
// released. What is promised by an attribute is kept.
//
// Modules are text, so that this package needs nothing of ours, and a mistake of the builder or the printer can't hide in them. Read this
// file, then emit.go (how a function is written down in both forms), then body.go (what is in it); shapes.go has what is written as text;
// shapes_interior.go lends pointers into objects.
package gen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Form says in which form the functions of a module are.
type Form uint8

const (
	Mixed     Form = iota // each function in one of the two
	Ownership             // [ossa]
	Lowered               // without ownership
)

// Options choose a module.
type Options struct {
	Seed uint64
	Size int // about the number of functions besides main; 0 is 6
	Form Form
}

// Module returns the text of a module with a main.
func Module(o Options) []byte {
	if o.Size <= 0 {
		o.Size = 6
	}
	g := &generator{o: o, r: rand.New(rand.NewPCG(o.Seed, 0x5117))}
	g.types()
	g.leakers = map[string]*signature{}
	g.prelude()
	g.typeCode()
	for range g.n(4) {
		g.shape(pick(g, shapes))
	}
	if g.chance(2) {
		g.shape(interiorShape)
	}
	for range o.Size {
		g.function()
	}
	g.main()
	return g.text()
}

// generator is a module under way.
type generator struct {
	o Options
	r *rand.Rand

	classes, structs, enums []*typ
	all                     []*typ // what values may be of
	derived                 map[string]*typ
	shows                   map[string]string // function that shows a value, by type
	globals                 []global
	sigs                    []*signature // functions that others may call
	opened                  int
	failure                 *typ
	buffer                  *typ // a struct with a reference to a buffer of objects of the first class
	depth                   int  // closures under way, one in another
	leakers                 map[string]*signature
	shapes                  int  // how many were made
	strings                 bool // one of them needs strings

	decls, body, tables strings.Builder
	symbols             int
}

// global is a global variable. It is written to before anything reads it.
type global struct {
	name string
	t    *typ
}

func (g *generator) n(n int) int { return g.r.IntN(n) }

func (g *generator) chance(of int) bool { return g.r.IntN(of) == 0 }

// symbol returns a name that no function has yet.
func (g *generator) symbol(s string) string {
	g.symbols++
	return fmt.Sprintf("%s_%d", s, g.symbols)
}

// isFull reports whether the module is long enough, or closures are in closures deep enough, not to make another closure.
func (g *generator) isFull() bool { return g.depth > 1 || g.body.Len() > 15_000+5_000*g.o.Size }

func pick[T any](g *generator, list []T) T { return list[g.n(len(list))] }

// text puts the module together.
func (g *generator) text() []byte {
	form := map[Form]string{Mixed: "", Ownership: " --form ossa", Lowered: " --form lowered"}[g.o.Form]
	head := fmt.Sprintf("// silvm gen --seed %d --size %d%s\n\nsil_stage canonical\n\nimport Builtin\nimport Swift\nimport SwiftShims\n\n", g.o.Seed, g.o.Size, form)
	return []byte(head + g.decls.String() + g.body.String() + g.tables.String())
}

// isOSSA decides on the form of one function.
func (g *generator) isOSSA() bool {
	switch g.o.Form {
	case Ownership:
		return true
	case Lowered:
		return false
	}
	return g.chance(2)
}
