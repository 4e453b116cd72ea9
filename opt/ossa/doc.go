// Package ossa has the passes on the ownership form of SIL: they shorten lifetimes, remove copies and borrows, and lower the form in
// the end (docs/SIL/Ownership.md).
//
// Invariants: every owned value is consumed exactly once on each path; the end of a lexical lifetime never moves up across a deinit barrier.
// Functions out of ownership form are left alone, but for the passes that say so.
//
// Read canonical_lifetime.go first, then semantic_arc_opts.go and ownership_model_eliminator.go.
package ossa
