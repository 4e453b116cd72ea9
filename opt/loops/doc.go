// Package loops has the passes on loops: the canonical form (one preheader, one latch, exits of their own), rotation, and the motion of
// loop-invariant code, memory and accesses out of them.
//
// Invariants: what may trap, write or release runs as often as before; an instruction leaves a loop only when it ran in each iteration or
// may run for nothing. Irreducible loops are left alone. Read canonicalizer.go first, then licm.go.
package loops
