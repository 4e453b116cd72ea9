package source

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSwiftFiles: a file is found by its name beside the SIL, wherever it was compiled, and nothing but a Swift file is read.
func TestSwiftFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("src/a.swift", "one\r\ntwo\r\n")
	write("src/sub/b.swift", "b one")
	write("src/secret.txt", "secret")
	outside := write("outside.swift", "outside")
	s := &SwiftFiles{Dirs: []string{filepath.Join(dir, "src")}}
	for _, c := range []struct {
		file string
		line int
		want string
		ok   bool
	}{
		{"a.swift", 2, "two", true},
		{"/elsewhere/a.swift", 1, "one", true},
		{"sub/b.swift", 1, "b one", true},
		{"a.swift", 0, "", false},
		{"a.swift", 99, "", false},
		{"secret.txt", 1, "", false},
		{"../outside.swift", 1, "", false},
		{outside, 1, "", false},
		{"<compiler-generated>", 1, "", false},
	} {
		if got, ok := s.Line(c.file, c.line); got != c.want || ok != c.ok {
			t.Errorf("line %d of %s is %q, %t; want %q, %t", c.line, c.file, got, ok, c.want, c.ok)
		}
	}
	s = &SwiftFiles{Anywhere: true}
	if got, _ := s.Line(outside, 1); got != "outside" {
		t.Errorf("an absolute name gives %q", got)
	}
}

func TestSplitPlace(t *testing.T) {
	for place, want := range map[string][3]any{
		"list.swift:31:9":   {"list.swift", 31, 9},
		`C:\x\a.swift:1:22`: {`C:\x\a.swift`, 1, 22},
	} {
		file, line, col, ok := SplitPlace(place)
		if got := [3]any{file, line, col}; !ok || got != want {
			t.Errorf("%s is %v, %t", place, got, ok)
		}
	}
	for _, place := range []string{"", "a.swift", "a.swift:1", "a:b:c"} {
		if _, _, _, ok := SplitPlace(place); ok {
			t.Errorf("%q is taken for a place", place)
		}
	}
}
