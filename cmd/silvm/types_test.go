package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// TestTypesFromDefinitions prints recorded programs without the types of operands, reads that back and prints it with them: the definitions must
// tell the same types as the compiler wrote. The programs are those with many closures in generic types, key paths and casts.
func TestTypesFromDefinitions(t *testing.T) {
	for _, name := range []string{
		"embedded/functional/O.sil.gz", "embedded/closures/Onone.sil.gz", "embedded/packs/O.sil", "embedded/generics/Onone.sil.gz", "embedded/linear/Onone.sil.gz",
		"ordinary/lazysequences/O.sil.gz", "ordinary/functions/O.sil.gz", "ordinary/opaque/O.sil", "ordinary/casts/O.sil.gz", "ordinary/comparing/O.sil.gz",
	} {
		file := filepath.Join("..", "..", "programs", filepath.FromSlash(name))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			with := formatted(t, "", file, "--print-types")
			without := formatted(t, "", file, "--print-types=false")
			if len(without) >= len(with) {
				t.Fatal("nothing was left out")
			}
			if again := formatted(t, without, "-", "--print-types=false"); again != without {
				t.Errorf("without types: %s", firstDifference(again, without))
			}
			if again := formatted(t, without, "-", "--print-types"); again != with {
				t.Errorf("with types: %s", firstDifference(again, with))
			}
		})
	}
}

func formatted(t *testing.T, text, file, option string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run([]string{"fmt", "--color=never", option, file}, strings.NewReader(text), &stdout, &stderr); status != 0 {
		t.Fatalf("silvm fmt %s %s: status %d, %.1000s", option, file, status, stderr.String())
	}
	return stdout.String()
}
