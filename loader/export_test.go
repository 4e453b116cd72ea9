package loader

// ErrIndex is for tests from outside.
var ErrIndex = errIndex
