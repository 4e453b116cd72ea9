// Package combine applies local rules to a function until none matches: sil-combine, the simplification passes, constant propagation and
// the cleanup after SILGen. A rule looks at one instruction, its operands and its uses.
//
// Invariants: a rule leaves fewer or cheaper instructions, so the work ends; in ownership form it hands on what it took. What needs the
// paths of a function is no rule but a pass of its own. Read sil_combine.go first, then simplification_rules.go.
package combine
