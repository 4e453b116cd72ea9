// Package access has the passes on exclusive access to memory: which begin_access needs a check at run time, and which check can't
// fail or repeats another one.
//
// Invariant: a program that conflicts with itself is still stopped, at the same access or an earlier one; a check goes only where no
// path leads to a conflict. Read open_accesses.go first, then enforcement_opts.go.
package access
