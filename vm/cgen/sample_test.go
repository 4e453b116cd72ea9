package cgen_test

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var all = flag.Bool("programs", false, "build all recorded programs, not a sample")

// sample returns the files of recorded programs to build.
func sample(t *testing.T) (files []string) {
	t.Helper()
	if *all {
		for _, dir := range []string{"embedded", "ordinary", "bench", "kernels", "heldout"} {
			list, err := filepath.Glob("../../programs/" + dir + "/*/O.sil")
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, list...)
		}
		return files
	}
	for _, name := range []string{"embedded/trap_bounds", "embedded/trees", "embedded/patterns", "embedded/deinitorder", "embedded/trap_overflow", "ordinary/hello", "ordinary/fizzbuzz", "ordinary/classes", "ordinary/trap_overflow"} {
		files = append(files, "../../programs/"+name+"/O.sil")
	}
	return files
}

// expected reads what a recorded program printed and how it ended.
func expected(t *testing.T, file string) (out string, status int) {
	t.Helper()
	text, err := os.ReadFile(strings.TrimSuffix(file, ".sil") + ".expected")
	if err != nil {
		t.Fatal(err)
	}
	head, out, _ := strings.Cut(string(text), "stdout:\n")
	_, exit, _ := strings.Cut(head, "exit: ")
	exit, _, _ = strings.Cut(exit, "\n")
	status, err = strconv.Atoi(strings.TrimSpace(exit))
	if err != nil {
		t.Fatal(err)
	}
	return out, status
}

// silvmStatus is the status with which silvm ends where a native process ended with this one.
func silvmStatus(native int) int {
	if native == 132 || native == 133 {
		return 134
	}
	return native
}
