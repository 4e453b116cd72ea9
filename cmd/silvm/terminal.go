package main

import (
	"io"
	"os"
	"unicode/utf8"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"

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

// wantsColor decides for one stream: --color, then NO_COLOR, then CLICOLOR_FORCE, then TERM=dumb, then
// whether the stream is a terminal.
func wantsColor(mode string, w io.Writer, lookup func(string) (string, bool)) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	if v, ok := lookup("NO_COLOR"); ok && v != "" {
		return false
	}
	if v, ok := lookup("CLICOLOR_FORCE"); ok && v != "" && v != "0" {
		return true
	}
	if v, _ := lookup("TERM"); v == "dumb" {
		return false
	}
	return isTerminal(w)
}

// isTerminal reports whether the stream is a terminal.
func isTerminal(w io.Writer) bool {
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// palette is the look of each role in a diagnostic.
var palette = map[source.Role][]color.Attribute{
	source.RoleError:   {color.FgRed, color.Bold},
	source.RoleWarning: {color.FgYellow, color.Bold},
	source.RoleRemark:  {color.FgBlue, color.Bold},
	source.RoleHelp:    {color.FgCyan, color.Bold},
	source.RoleMessage: {color.Bold},
	source.RoleGutter:  {color.FgBlue},
	source.RoleCaret:   {color.FgRed},
}

// painter colours the parts of a text for one stream; one that is off leaves them alone.
type painter struct{ on bool }

func (a *app) painter(w io.Writer) painter {
	return painter{on: wantsColor(a.flags.color.value, w, os.LookupEnv)}
}

// Paint colours text by its role.
func (p painter) Paint(role source.Role, text string) string {
	c := color.New(palette[role]...)
	if p.on {
		c.EnableColor()
	} else {
		c.DisableColor()
	}
	return c.Sprint(text)
}
