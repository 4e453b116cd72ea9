package console

import (
	"io"
	"os"
	"unicode/utf8"

	"github.com/mattn/go-isatty"

	"silvm/ir/source"
)

// Escaped returns the stream for what a program prints. On a terminal it shows control characters and marks that reorder text escaped, so
// that a program can't steer the terminal; elsewhere it changes nothing.
func Escaped(w io.Writer) io.Writer {
	if !IsTerminal(w) {
		return w
	}
	return &escaper{to: w}
}

// escaper escapes what passes through, but for the ends of lines and tabs.
type escaper struct {
	to   io.Writer
	rest []byte // the beginning of a character whose end has not come yet
}

func (e *escaper) Write(b []byte) (int, error) {
	text := append(e.rest, b...)
	end := wholeRunes(text)
	var out []byte
	from := 0
	for n, c := range text[:end] {
		if c == '\n' || c == '\t' {
			out = append(append(out, source.Escape(string(text[from:n]))...), c)
			from = n + 1
		}
	}
	out = append(out, source.Escape(string(text[from:end]))...)
	e.rest = append([]byte(nil), text[end:]...)
	if _, err := e.to.Write(out); err != nil {
		return 0, err
	}
	return len(b), nil
}

// wholeRunes returns the length of text without a character at its end of which only the beginning is there.
func wholeRunes(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if c := text[len(text)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(text[len(text)-n:]) {
				return len(text) - n
			}
			break
		}
	}
	return len(text)
}

// IsTerminal reports whether the stream is a terminal.
func IsTerminal(w io.Writer) bool {
	if o, ok := w.(*Output); ok {
		w = o.Writer
	}
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// Output is standard output. It keeps the first error, as what a command prints is seldom asked for one.
type Output struct {
	io.Writer
	Err error // the first one
}

func (o *Output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.Err == nil {
		o.Err = err
	}
	return n, err
}
