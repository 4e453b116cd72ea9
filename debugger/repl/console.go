package repl

import (
	"bytes"

	"silvm/debugger"
)

// Console is a session whose lines come from elsewhere, one at a time: an editor's console, a page, a screen. What a line shows is returned
// as text.
type Console struct {
	*REPL
	shown bytes.Buffer
}

// NewConsole makes a console over a debugger; Out of the configuration is not looked at.
func NewConsole(d *debugger.Debugger, c Config) *Console {
	out := &Console{}
	c.Out = &out.shown
	out.REPL = New(d, c)
	return out
}

// Do does a line of commands and returns what it shows.
func (c *Console) Do(line string) string {
	c.shown.Reset()
	c.REPL.Do(line)
	return c.shown.String()
}

// Open goes to where a finding came about, and returns what that shows.
func (c *Console) Open(code string) (string, error) {
	c.shown.Reset()
	err := c.OpenAt(code)
	return c.shown.String(), err
}
