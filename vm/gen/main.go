// Command gen writes zz_loop.go of package vm: the dispatch loop of loop.go with a case for each run of operations that
// code.Runs lists.
//
//	go generate ./vm
//
// The case of a run is the cases of its operations one behind the other, as they stand in loop.go, so that a run does what its
// operations do. Read cases.go, then compose.go.
package main

import (
	"fmt"
	"os"
)

func main() {
	text, err := os.ReadFile("loop.go")
	if err == nil {
		text, err = generate(text)
	}
	if err == nil {
		err = os.WriteFile("zz_loop.go", text, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}
