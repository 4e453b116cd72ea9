package main

import (
	"io"
	"os"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"
)

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

// isTerminal says whether the stream is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// painter colours the parts of a diagnostic for one stream; a plain painter leaves them alone.
type painter struct{ on bool }

func (a *app) painter(w io.Writer) painter {
	return painter{on: wantsColor(a.flags.color.value, w, os.LookupEnv)}
}

func (p painter) paint(s string, attrs ...color.Attribute) string {
	c := color.New(attrs...)
	if p.on {
		c.EnableColor()
	} else {
		c.DisableColor()
	}
	return c.Sprint(s)
}

// Error paints the word "error" and its code.
func (p painter) Error(s string) string { return p.paint(s, color.FgRed, color.Bold) }

// Warning paints the word "warning" and its code.
func (p painter) Warning(s string) string { return p.paint(s, color.FgYellow, color.Bold) }

// Note paints the words "help" and "note".
func (p painter) Note(s string) string { return p.paint(s, color.FgCyan, color.Bold) }

// Gutter paints line numbers and arrows.
func (p painter) Gutter(s string) string { return p.paint(s, color.FgBlue) }

// Caret paints the marks under the text.
func (p painter) Caret(s string) string { return p.paint(s, color.FgRed) }

// Bold paints a headline.
func (p painter) Bold(s string) string { return p.paint(s, color.Bold) }
