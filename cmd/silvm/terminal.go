package main

import (
	"io"
	"unicode/utf8"

	"silvm/ir/source"
)

// programOutput is the stream for what a program prints. On a terminal it shows control characters and marks that reorder text escaped, so
// that a program can't steer the terminal; elsewhere it changes nothing.
func programOutput(w io.Writer) io.Writer {
	if !isTerminal(w) {
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
