// Package ownership answers questions about values: who owns one, what each use does with it, which values it forwards or borrows from,
// where a borrow scope ends, where a value is live (docs/SIL.rst, Ownership SSA). It is the half of the analyses that looks at one function
// in ownership form; what the whole program does to memory is in ir/facts.
//
// An answer is computed from the instruction's row, its types and its surroundings when it is asked for, so it holds for a function that a
// pass is changing. Only a Liveness is a result that an edit makes stale.
//
// An Ownership answers for one function. Read ownership.go first, then uses.go, which says what an operand does, and liveness.go.
package ownership
