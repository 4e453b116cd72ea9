// Package rewrite changes functions for the passes: it inserts (Editor), clones, replaces and deletes instructions, keeps debug info
// alive (salvage), finds the values of variables with several definitions (SSAUpdater), completes lifetimes and puts deallocations of
// stack memory in order.
//
// Invariants: an edit keeps a function that verified valid, or says in its comment what the caller owes; in ownership form a value that
// is put somewhere is copied, borrowed or consumed as its place demands. Nothing here decides whether a rewrite is worth it or
// permitted: that is the pass's affair. Edits of single instructions, without regard to ownership, are those of ir/edit.go.
//
// Read editor.go first, then replace.go and deleter.go.
package rewrite
