// Package definiteinit has definite initialization: it proves that what raw SIL marks with mark_uninitialized is initialized before it is used,
// says where it is not, and decides what raw SIL leaves open: which writes initialize and which replace, and what is to be destroyed where
// memory is initialized in part or on some paths only.
//
// Invariants: each marked object is worked on by itself, in the order of the text; facts about paths are computed for the function as the object
// found it, and all questions are asked before the first block is split. An object of a shape that is not understood is refused by name and
// left alone, and so is one about which an error was said.
//
// Read definite_init.go first, then object.go (what is initialized piece by piece), uses.go (who touches it), flow.go (what is initialized
// where), checker.go.
package definiteinit
