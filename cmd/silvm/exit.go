package main

import "fmt"

// The exit statuses of silvm; 0 to 63 are the program's own.
const (
	exitOK          = 0
	exitUsage       = 64  // wrong usage
	exitInvalid     = 65  // not valid SIL: parse or verify error
	exitNoInput     = 66  // file not readable
	exitUnsupported = 69  // reached something silvm does not support (not a finding)
	exitBug         = 70  // bug in silvm
	exitNoOutput    = 74  // the program's output could not be written
	exitMemory      = 80  // memory finding
	exitExclusivity = 81  // exclusivity conflict
	exitLeak        = 82  // leak, with --leaks=error
	exitDifference  = 83  // validate found a difference
	exitThreshold   = 84  // bench --check over a threshold
	exitLimit       = 124 // a limit was reached
	exitTrap        = 134 // the program trapped as Swift defines it
)

// statusError ends a command with an exit status. The message, if there is one, was not printed yet.
type statusError struct {
	status int
	msg    string
}

func (e *statusError) Error() string { return e.msg }

// exitWith returns the error that ends a command with status and says nothing more.
func exitWith(status int) error {
	if status == exitOK {
		return nil
	}
	return &statusError{status: status}
}

// failf returns the error that ends a command with status and a message.
func failf(status int, format string, args ...any) error {
	return &statusError{status: status, msg: fmt.Sprintf(format, args...)}
}
