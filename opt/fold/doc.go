// Package fold knows values before the program runs: builtins on numbers, casts whose outcome the types tell, instructions that
// compute what another value already is. It also has the passes that need nothing else: cse, dce, the folding of boolean
// literals, and the evaluator of functions over constants with the passes that show what it finds.
//
// Invariant: the result of folding is what the machine would compute, traps included; an answer that depends on the platform or on types that
// nobody knows is not given. The passes that apply all of it (sil-combine, constant propagation) are in package combine.
//
// Read builtins.go first, then simplify.go and cast_outcome.go.
package fold
