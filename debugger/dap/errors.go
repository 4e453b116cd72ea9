package dap

// The numbers of errors that clients may show or count on.
const (
	errUnsupported = 1000 + iota // the request is none that silvm answers
	errMalformed                 // its arguments can't be read
	errNoProgram                 // nothing was launched
	errLaunch                    // the program can't be opened
	errFrame                     // there is no such frame
	errEvaluate                  // the expression names nothing
	errBreakpoint                // there is no such place
	errDisassemble               // there is no code at the place
	errMemory                    // there is no memory at the address
	errSource                    // no source has the number
)
