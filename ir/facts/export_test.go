package facts

// Memory is for tests from outside.
var Memory = ownMemory
