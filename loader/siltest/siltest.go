// Package siltest helps tests that read SIL: it finds the recorded programs and brings SIL text into a
// form in which two prints of the same module are equal. Tests alone may import it. Read Normalize first.
package siltest

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// File is one recorded SIL file.
type File struct {
	Name string // relative to the folder of programs
	Text []byte // unpacked
}

// Newer is the folder of the programs as a newer compiler prints them. Programs leaves it out: they have tests of their own.
const Newer = "swift-6.2"

// Programs reads every .sil and .sil.gz file under the folder, in the order of their names.
func Programs(t testing.TB, folder string) []File {
	t.Helper()
	var files []File
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == Newer {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".sil") {
			return err
		}
		text, err := Read(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		files = append(files, File{filepath.ToSlash(name), text})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no SIL files under %s", folder)
	}
	return files
}

// Read reads a file, unpacked if its name ends in .gz.
func Read(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return text, err
	}
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// Normalize returns the lines of SIL text without what says nothing: comments, white space at the ends of
// lines and before a location, empty lines.
func Normalize(text string) []string {
	var lines []string
	comment := false // inside /* … */, which the compiler writes only on lines of its own
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "/*") {
			comment = true
		}
		if comment {
			comment = !strings.HasSuffix(line, "*/")
			continue
		}
		line = strings.TrimRight(cutComment(line), " \t\r")
		line = strings.ReplaceAll(line, " , loc ", ", loc ")
		line = strings.ReplaceAll(line, " , scope ", ", scope ")
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// cutComment returns the line up to a comment that begins outside of strings.
func cutComment(line string) string {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch {
		case quoted && line[i] == '\\':
			i++
		case line[i] == '"':
			quoted = !quoted
		case !quoted && strings.HasPrefix(line[i:], "//"):
			return line[:i]
		}
	}
	return line
}

// Compare reports the first lines in which two normalized texts differ.
func Compare(t testing.TB, name string, got, want []string) {
	t.Helper()
	for n := 0; n < len(got) || n < len(want); n++ {
		switch {
		case n >= len(got):
			t.Errorf("%s: line %d is missing: %s", name, n, want[n])
			return
		case n >= len(want):
			t.Errorf("%s: line %d is too much: %s", name, n, got[n])
			return
		case got[n] != want[n]:
			t.Errorf("%s: line %d\n got %s\nwant %s", name, n, got[n], want[n])
			return
		}
	}
}
