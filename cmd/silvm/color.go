package main

import (
	"io"
	"os"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"

	"silvm/ir/source"
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

// isTerminal reports whether the stream is a terminal.
func isTerminal(w io.Writer) bool {
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

// Paint gives text the look of its role.
func (p painter) Paint(role source.Role, text string) string {
	c := color.New(palette[role]...)
	if p.on {
		c.EnableColor()
	} else {
		c.DisableColor()
	}
	return c.Sprint(text)
}
