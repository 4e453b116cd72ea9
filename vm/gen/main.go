// Command gen writes zz_loop.go of package vm: the dispatch loop of loop.go with a case for each run of operations that
// code.Runs lists.
//
//	go generate ./vm
//
// Command mine, in the folder of this one, chooses the runs.
package main

import (
	"fmt"
	"os"

	"silvm/vm/gen/loop"
)

func main() {
	if err := generate(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func generate() error {
	text, err := os.ReadFile("loop.go")
	if err != nil {
		return err
	}
	runs, err := os.ReadFile("code/zz_runs.go")
	if err != nil {
		return err
	}
	s, err := loop.Read(text)
	if err != nil {
		return err
	}
	if text, err = s.Generate(runs); err != nil {
		return err
	}
	return os.WriteFile("zz_loop.go", text, 0o666)
}
