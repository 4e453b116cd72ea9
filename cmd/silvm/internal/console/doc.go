// Package console is how silvm talks to whoever started it: text and colours on a terminal, JSON records for a program, progress of long work,
// and commands of the shell. It knows nothing of SIL and decides nothing; what is said is the commands' matter. Start with terminal.go.
package console
