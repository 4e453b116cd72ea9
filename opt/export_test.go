package opt

// Pipelines is for tests from outside.
var Pipelines = pipelines
