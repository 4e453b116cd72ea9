// Package pass is what every transformation of SIL is written against: the pass itself, the context that it sees, the remarks that it
// leaves, the settings of the command line, and Run, which applies passes to a module and verifies what they leave.
//
// Invariants: a pass leaves a module that verifies; it keeps what the program prints and the order of its deinits as far as the
// language fixes it, and adds no retain or release that runs more often than the one it replaces. Facts that the context keeps hold
// until the function is said to be changed: by the pass while it runs, by Run after it. Same module, same passes, same result: the
// order of a map never reaches the text. Functions that a pass makes go through the passes that follow in the same run.
//
// The package knows no pass by name; the table of passes is in package opt. Read pass.go first, then run.go.
package pass
