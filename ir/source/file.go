package source

import (
	"errors"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// Set is the files of one program. Every byte of every file has its own Pos. It is not safe for use by
// several goroutines while files are added or lines are looked up for the first time.
type Set struct {
	files []*File
	next  Pos
}

// File is one text of a Set. Its text is never changed.
type File struct {
	Name string // as the user gave it; "<stdin>" for standard input
	text string
	size int           // bytes
	read func() string // returns the text when it is first needed; nil when text is it
	// Ours says that silvm itself brought the file: it is no part of the user's program.
	Ours bool
	// Base is the position of the first byte; the end of the text has position Base + len(Text).
	Base Pos
	// lines holds the offset of each line's first byte; nil until a line is asked for.
	lines []int
}

// Place is a position for people: a file, a line and a column, both from 1. The column counts bytes, as the
// Swift compiler counts. The zero Place stands for no place.
type Place struct {
	File string
	Line int
	Col  int
}

// errSetFull is the answer to a text that would need positions past the largest Pos.
var errSetFull = errors.New("the program is larger than 4 GiB of text")

// NewSet returns an empty set.
func NewSet() *Set { return &Set{next: 1} }

// Add takes a text into the set. The only error is a set larger than 4 GiB.
func (s *Set) Add(name, text string) (*File, error) {
	if s.next == 0 {
		s.next = 1
	}
	if uint64(len(text)) >= uint64(^Pos(0)-s.next) {
		return nil, errSetFull
	}
	return s.add(&File{Name: name, text: text, size: len(text)}), nil
}

// AddLater takes a text of size bytes into the set that read returns when somebody asks for it, at most once: a large file of which parts
// are known by other ways.
func (s *Set) AddLater(name string, size int, read func() string) (*File, error) {
	if s.next == 0 {
		s.next = 1
	}
	if uint64(size) >= uint64(^Pos(0)-s.next) {
		return nil, errSetFull
	}
	return s.add(&File{Name: name, size: size, read: read}), nil
}

func (s *Set) add(f *File) *File {
	f.Base = s.next
	s.files = append(s.files, f)
	s.next += Pos(f.size) + 1
	return f
}

// Text returns the whole text; what AddLater's read returned is cut or filled with spaces to the size that was promised.
func (f *File) Text() string {
	if f.read != nil {
		f.text, f.read = f.read(), nil
		if n := f.size - len(f.text); n > 0 {
			f.text += strings.Repeat(" ", n)
		}
		f.text = f.text[:f.size]
	}
	return f.text
}

// Files returns the files in the order they were added; the caller must not change the slice.
func (s *Set) Files() []*File { return s.files }

// File returns the file that holds the position, nil when none does.
func (s *Set) File(p Pos) *File {
	if s == nil || p == 0 {
		return nil
	}
	n := sort.Search(len(s.files), func(i int) bool { return s.files[i].Base > p }) - 1
	if n < 0 || int(p-s.files[n].Base) > s.files[n].size {
		return nil
	}
	return s.files[n]
}

// IsRead reports whether the text is there; that of a file from AddLater is when somebody has asked for it.
func (f *File) IsRead() bool { return f.read == nil }

// IsOurs reports whether the position is in a file that silvm itself brought.
func (s *Set) IsOurs(p Pos) bool {
	f := s.File(p)
	return f != nil && f.Ours
}

// Name is how reports call the file of a position: as it was given, or without its folders when silvm brought it.
func (s *Set) Name(p Pos) string {
	f := s.File(p)
	switch {
	case f == nil:
		return ""
	case f.Ours:
		return filepath.Base(f.Name)
	}
	return f.Name
}

// Place returns file, line and column of a position; the zero Place when no file holds it.
func (s *Set) Place(p Pos) Place {
	f := s.File(p)
	if f == nil {
		return Place{}
	}
	return f.Place(p)
}

// Extent returns the place of a finding and how many bytes it underlines there: n as in Diagnostic.Len, 0 for the word.
func (s *Set) Extent(p Pos, n int) (Place, int) {
	f := s.File(p)
	if f == nil {
		return Place{}, 0
	}
	if n == Whole {
		n = f.instLen(p)
	}
	return f.Place(p), n
}

// find returns the position of a line of a file, both named as a user names them: the file by its name or by
// the end of its name after a slash. 0 when there is no such file or line.
func (s *Set) find(name string, line int) Pos {
	for _, f := range s.files {
		if f.Name == name || strings.HasSuffix(f.Name, "/"+name) {
			if p := f.LinePos(line); p != 0 {
				return p
			}
		}
	}
	return 0
}

// Place returns line and column of a position of this file.
func (f *File) Place(p Pos) Place {
	line, start := f.line(p)
	return Place{File: f.Name, Line: line, Col: int(p-f.Base) - start + 1}
}

// Line returns the text of the line that holds the position, without its end of line.
func (f *File) Line(p Pos) string {
	_, start := f.line(p)
	text := f.Text()[start:]
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		text = text[:n]
	}
	return strings.TrimSuffix(text, "\r")
}

// FunctionAt returns the name of the SIL function in whose text the position is, as its head says it; "" where there is none in front.
func (f *File) FunctionAt(p Pos) string {
	const head = "\nsil "
	text := f.Text()[:p-f.Base]
	n := strings.LastIndex(text, head)
	if n < 0 {
		return ""
	}
	line, _, _ := strings.Cut(text[n+len(head):], "\n")
	_, name, _ := strings.Cut(line, "@")
	name, _, _ = strings.Cut(name, " :")
	return name
}

// instLen is the number of bytes of the instruction at p, on its line: up to its place in the Swift source or a comment.
func (f *File) instLen(p Pos) int {
	text := f.Line(p)
	return len(bare(text[min(f.Place(p).Col-1, len(text)):]))
}

// bare is an instruction without its place in the Swift source and without comment.
func bare(text string) string {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case !quoted && hasAnyPrefix(text[i:], "//", ", loc ", ", scope "):
			text = text[:i]
		}
	}
	return strings.TrimRight(text, " \t")
}

// openedID is the number of an opened existential, which is another one each time that the compiler runs.
var openedID = regexp.MustCompile(`@opened\("([0-9A-F]{4,8})-[0-9A-F-]+"`)

// Instruction is the printed text of an instruction as it stands beside other things: without its place and comment, and cut where it is
// longer than most characters; 0 cuts nothing.
func Instruction(text string, most int) string {
	text = openedID.ReplaceAllString(bare(strings.TrimLeft(text, " \t")), `@opened("$1"`)
	if runes := []rune(text); most > 0 && len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

func hasAnyPrefix(text string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// LinePos returns the position of the first byte of a line, 0 when the file has no such line.
func (f *File) LinePos(line int) Pos {
	f.index()
	if line < 1 || line > len(f.lines) {
		return 0
	}
	return f.Base + Pos(f.lines[line-1])
}

// Lines is the number of lines; a text that ends with an end of line has an empty last one.
func (f *File) Lines() int {
	f.index()
	return len(f.lines)
}

// line returns the number of the line that holds p and the offset of its first byte.
func (f *File) line(p Pos) (number, start int) {
	f.index()
	off := 0
	if p > f.Base {
		off = min(int(p-f.Base), f.size)
	}
	n := sort.SearchInts(f.lines, off+1)
	return n, f.lines[n-1]
}

func (f *File) index() {
	if f.lines != nil {
		return
	}
	f.lines = make([]int, 1, 1+strings.Count(f.Text(), "\n"))
	for off := 0; ; {
		n := strings.IndexByte(f.text[off:], '\n')
		if n < 0 {
			return
		}
		off += n + 1
		f.lines = append(f.lines, off)
	}
}
