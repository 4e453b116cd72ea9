// Package facts answers questions about SIL without changing it: what a type needs to be copied and destroyed, how an argument is passed,
// which functions a call reaches, what an instruction may do to memory, which references may be the same. The verifier and the passes
// ask it. Questions about ownership, borrow scopes and lifetimes of values are for ir/ownership.
//
// An answer is computed from the instruction's row, its types and its surroundings when it is asked for, so it holds for a function
// that a pass is changing. Only the answers about types are kept (Trivials); types never change. Where something is not known (an
// unknown instruction, a type that nobody declares) the answer says so, and no caller may conclude anything from it.
//
// Three subjects, each from the bottom up:
//
//   - types: trivial.go (Types), reference.go, loadable.go, fields.go, lowering.go
//   - one instruction: definition.go, literal.go, cases.go, convention.go, dead.go
//   - memory: program.go (Program), then accesspath.go for places, alias.go, escape.go, effects.go for calls, and
//     membehavior.go, which puts them together; rcidentity.go for references
package facts
