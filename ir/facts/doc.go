// Package facts answers questions about SIL without changing it: what a type needs to be copied and destroyed, how an argument is passed,
// which functions a call reaches, what an instruction may do to memory, which references may be the same. The verifier and the passes
// ask it. Questions about ownership, borrow scopes and lifetimes of values are for ir/ownership.
//
// An answer is computed from the instruction's row, its types and its surroundings when it is asked for, so it holds for a function
// that a pass is changing. Only the answers about types are kept (Trivials); types never change. Where something is not known (an
// unknown instruction, a type that nobody declares) the answer says so, and no caller may conclude anything from it.
//
// Where the answers are; types and single instructions answer for themselves, the others are methods of Program:
//
//	a type: trivial, address-only, its fields         trivial.go, typekinds.go, loadable.go, fields.go, reference.go, fixed_layout.go
//	a class: its declaration and stored properties    classes.go
//	a literal, the instruction behind a value         definition.go
//	an instruction that nobody needs                  dead.go, opened.go
//	a case of an enum                                 cases.go
//	a call: callee, parameter, convention             apply.go, convention.go
//	which functions a call or deinit may run          callees.go, deinits.go
//	what a callee does                                effects.go, roots.go, promises.go, semantics.go, arraycalls.go
//	the place that an address names                   accesspath.go, storage.go
//	whether two addresses or references are the same  alias.go, tbaa.go, escape.go, rcidentity.go
//	what an instruction does to memory                behavior.go, membehavior.go, code_writes.go
//	which accesses of the language a function makes   formalaccess.go, accessed.go
//	what a release or deinit may change               interference.go, lending.go, deinitmemory.go, countchecks.go
//	where the value of a global is still seen         global_life.go
//	what holds on the edges of a function             edges.go
//
// program.go (Program) is the place to start.
package facts
