package console

import (
	"io"
	"os"

	"github.com/fatih/color"

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
	return IsTerminal(w)
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

// Painter colours the parts of a text for one stream; one that is off leaves them alone.
type Painter struct{ On bool }

// NewPainter returns the painter for a stream: mode is the value of --color.
func NewPainter(mode string, w io.Writer) Painter {
	return Painter{On: wantsColor(mode, w, os.LookupEnv)}
}

// Paint colours text by its role.
func (p Painter) Paint(role source.Role, text string) string {
	c := color.New(palette[role]...)
	if p.On {
		c.EnableColor()
	} else {
		c.DisableColor()
	}
	return c.Sprint(text)
}
