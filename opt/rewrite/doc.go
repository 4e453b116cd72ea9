// Package rewrite changes functions for the passes: it inserts (Editor), clones, replaces and deletes instructions, keeps debug info
// alive (salvage), finds the values of variables with several definitions (SSAUpdater), completes lifetimes and puts deallocations of
// stack memory in order.
//
// Invariants: an edit keeps a function that verified valid, or says in its comment what the caller owes; in ownership form a value that
// is put somewhere is copied, borrowed or consumed as its place demands. Nothing here decides whether a rewrite is worth it or
// permitted: that is the pass's affair. Edits of single instructions, without regard to ownership, are those of ir/edit.go.
//
// How an instruction is removed, from what promises least to what promises most; take the first that is enough:
//
//	Inst.Remove      (package ir) the instruction alone; nothing uses its results
//	EraseWithUsers   with all that uses its results, which the caller knows to be of no effect; EraseDebugUses: only the debug_values
//	Eraser           with the operands that are dead without it; variables keep what they show; out of ownership form
//	Deleter          the same in ownership form: scopes and destroys go with what they belong to, what was consumed is destroyed
//
// Read editor.go first, then replace.go and deleter.go.
package rewrite
