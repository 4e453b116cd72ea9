// Package calls has the passes on calls and the functions behind them: devirtualization, inlining, specialization for types, closures and
// arguments, changed signatures, the effects of functions, and the removal of functions that nothing calls.
//
// Invariants: a call reaches the function that it reached before or a copy that does the same; a symbol that others may use keeps its
// name and type. Mangled names of copies are the compiler's. Read devirtualizer.go first, then inliner.go and specialized.go.
package calls
