// Package dumps has the passes that change nothing and print what the optimizer knows, in the words of the compiler's printers, and
// the test-runner with the tests that specify_test instructions name. (These tests may change the function.)
//
// Invariant: the text is that of the compiler's sil-opt, to the byte; recorded cases pin it. Read basic_dumps.go first, then test_runner.go.
package dumps
