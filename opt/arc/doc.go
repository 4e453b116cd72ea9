// Package arc has the passes on retains and releases out of ownership form: they move them towards each other and remove the pairs
// that nothing needs.
//
// Invariants: no object is released earlier than its last use needs, none gains a retain or release on any path; what may release or
// look at a count stops the search. Ownership form is package ossa's.
//
// Read state.go first, the phases of a sequence around one count, then sequence_opts.go and code_motion.go.
package arc
