// Package flow has the passes on control flow: branches whose outcome is known, blocks that do nothing, arguments of blocks, jump
// threading, and the motion of code between the blocks of a branch. (The graph itself, dominators and loops as facts, is package cfg.)
//
// Invariants: every path runs the same effects in the same order; a variable that a debugger sees keeps a value or says that it has
// none. Read simplify_cfg.go first; it says which file has which rule.
package flow
