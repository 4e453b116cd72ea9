// Package rewrite changes functions for the passes: it inserts (Editor), clones, replaces and deletes instructions, keeps debug info
// alive (salvage), finds the values of variables with several definitions (SSAUpdater), completes lifetimes and puts deallocations of
// stack memory in order.
//
// Invariants: an edit keeps a function that verified valid, or says in its comment what the caller owes; in ownership form a value that
// is put somewhere is copied, borrowed or consumed as its place demands. Nothing here decides whether a rewrite is worth it or
// permitted: that is the pass's affair. Edits of single instructions, without regard to ownership, are those of ir/edit.go.
//
// An instruction is taken away by one of four: Inst.Remove of package ir takes it alone, when nothing uses it; EraseWithDebugUses takes the
// debug_values of its results along; an Eraser takes what becomes dead by it too, and lets variables keep what they show, out of ownership
// form; a Deleter does so in ownership form, where scopes and destroys end with what they belong to.
//
// Read editor.go first, then replace.go and deleter.go.
package rewrite
