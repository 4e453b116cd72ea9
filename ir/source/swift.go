package source

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// SwiftFiles finds the Swift source that the places in SIL text name. The zero value finds nothing.
type SwiftFiles struct {
	// Dirs are searched in order: for the name as the SIL has it, then for its last part.
	Dirs []string
	// Anywhere allows names that are absolute to be read where they are.
	Anywhere bool

	lines map[string][]string // by name as the SIL has it; nil where there is no such file
}

// maxSwiftFile is the size in bytes up to which a file is taken for source.
const maxSwiftFile = 16 << 20

// Line returns a line of a file, counted from 1, without its end.
func (s *SwiftFiles) Line(file string, line int) (text string, ok bool) {
	if s == nil || line < 1 {
		return "", false
	}
	lines, known := s.lines[file]
	if !known {
		lines = s.read(file)
		if s.lines == nil {
			s.lines = map[string][]string{}
		}
		s.lines[file] = lines
	}
	if line > len(lines) {
		return "", false
	}
	return lines[line-1], true
}

// Path returns where a file is, as an absolute path; ok is false when there is none.
func (s *SwiftFiles) Path(file string) (path string, ok bool) {
	if s == nil {
		return "", false
	}
	path = s.find(file)
	if path == "" {
		return "", false
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path, true
}

// read reads a file.
func (s *SwiftFiles) read(file string) []string {
	text, err := os.ReadFile(s.find(file))
	if err != nil {
		return nil
	}
	return strings.Split(string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))), "\n")
}

// find finds a file, "" for none. Only what is called a Swift file is opened: a SIL program must not make silvm show other files.
func (s *SwiftFiles) find(file string) string {
	if !strings.HasSuffix(file, ".swift") {
		return ""
	}
	var names []string
	if filepath.IsAbs(file) {
		if s.Anywhere {
			names = append(names, file)
		}
	} else if filepath.IsLocal(filepath.FromSlash(file)) {
		for _, d := range s.Dirs {
			names = append(names, filepath.Join(d, filepath.FromSlash(file)))
		}
	}
	for _, d := range s.Dirs {
		names = append(names, filepath.Join(d, filepath.Base(filepath.FromSlash(file))))
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err == nil && info.Mode().IsRegular() && info.Size() <= maxSwiftFile {
			return name
		}
	}
	return ""
}

// SplitPlace takes "list.swift:31:9" apart.
func SplitPlace(place string) (file string, line, col int, ok bool) {
	at := strings.LastIndexByte(place, ':')
	if at < 0 {
		return "", 0, 0, false
	}
	col, err1 := strconv.Atoi(place[at+1:])
	file = place[:at]
	if at = strings.LastIndexByte(file, ':'); at < 0 {
		return "", 0, 0, false
	}
	line, err2 := strconv.Atoi(file[at+1:])
	return file[:at], line, col, err1 == nil && err2 == nil
}

// LineOf writes the line of a place, "list.swift:31", with "near" in front where the compiler made up the code there; "" when the place is none.
func LineOf(place string, near bool) string {
	file, line, _, ok := SplitPlace(place)
	switch {
	case !ok:
		return ""
	case near:
		return fmt.Sprintf("near %s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d", file, line)
}
