// Package facts answers questions about SIL without changing it: what a type needs to be copied and destroyed, which ownership a
// value has, what an operand's use does with it, where a borrow scope ends, how an argument is passed. The verifier and the passes
// ask it.
//
// An answer is computed from the instruction's row, its types and its surroundings when it is asked for, so it holds for a function
// that a pass is changing. Only the answers about types are kept (Trivials); types never change. Where something is not known (an
// unknown instruction, a type that nobody declares) the answer says so, and no caller may conclude anything from it.
//
// Read ownership.go first.
package facts
