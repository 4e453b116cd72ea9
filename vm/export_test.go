package vm

// RuntimeNatives is for tests from outside, which compare it with the tables of other packages.
var RuntimeNatives = runtimeNatives
