// Package repl is the debugger at a command line: it reads commands, lets package debugger do them and puts into words what that
// returns. The commands are rows of one table (command.go), from which help, completion and unique prefixes come.
//
// Commands come from a terminal (terminal.go), a script or a pipe, all in the same way: one goroutine reads a line, does it, prints,
// and reads the next; nothing is printed while a line is edited. While a command runs, an interrupt stops it and keeps the session.
//
// It knows no more of the program than package debugger tells.
//
// Read command.go first.
package repl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"silvm/debugger"
	"silvm/debugger/view"
	"silvm/ir/source"
)

// Style says what a piece of output is, for colours.
type Style uint8

// The styles.
const (
	Plain   Style = iota
	Current       // the instruction that is about to run
	Name          // an object, a function, a variable
	Number
	Word // an instruction's name
	Type
	Good
	Bad
	Dim
)

// Config is what a session gets from outside.
type Config struct {
	Out     io.Writer
	Paint   func(Style, string) string // nil leaves texts alone
	Roles   source.Painter             // of findings; nil leaves texts alone
	Swift   *source.SwiftFiles         // finds the Swift source; nil shows none
	File    string                     // the program's name
	Width   func() int                 // columns of the output; nil is 100
	History string                     // file for the lines of a terminal, "" for none
	// Progress is told how far a command has come that takes more than a second, and "" when it is done; nil is told nothing.
	Progress func(text string)
	Open     func(name string) (io.ReadCloser, error)
	Create   func(name string) (io.WriteCloser, error)
	// Record is given what each command tells, as data in place of text; Out gets nothing then. nil is a session for people.
	Record func(Record)
}

// REPL is a session at a command line.
type REPL struct {
	d    *debugger.Debugger
	cfg  Config
	out  *output
	done bool

	frame    int    // that data commands look at
	repeat   string // what an empty line does
	displays []string
	aliases  map[string]string
	listed   int    // line that list goes on with
	about    string // the object of the leak that the session opened at
	nested   int    // scripts that are read

	view     *view.Maker
	data     any          // what the command under way tells
	name     string       // its name
	shown    bytes.Buffer // what it shows, of a session with Record
	messages []string     // what breakpoints said meanwhile, of such a session

	now   func() time.Time
	began time.Time // of the command
	told  time.Time // when Progress was told something that still stands; zero when nothing does
}

// Commands that take longer than slow tell how far they are, no more often than often.
const (
	slow  = time.Second
	often = 250 * time.Millisecond
)

// tick tells how far a command has come.
func (r *REPL) tick(step uint64) {
	now := r.now()
	if now.Sub(r.began) < slow || now.Sub(r.told) < often {
		return
	}
	r.told = now
	r.cfg.Progress("at step " + humanize.Comma(int64(step)) + "; Ctrl-C stops")
}

// quiet removes what tick told.
func (r *REPL) quiet() {
	if !r.told.IsZero() {
		r.told = time.Time{}
		r.cfg.Progress("")
	}
}

// output is where the session prints, and a transcript of it.
type output struct {
	to    io.Writer
	clear func()         // before something is written
	copy  io.WriteCloser // nil when there is no transcript
}

func (o *output) Write(b []byte) (int, error) {
	o.clear()
	if o.copy != nil {
		_, _ = o.copy.Write(b)
	}
	return o.to.Write(b)
}

// New makes a session over a debugger.
func New(d *debugger.Debugger, cfg Config) *REPL {
	if cfg.Paint == nil {
		cfg.Paint = func(_ Style, text string) string { return text }
	}
	r := &REPL{d: d, cfg: cfg, aliases: map[string]string{}, view: view.New(d, cfg.Swift), now: time.Now}
	if cfg.Record != nil {
		r.cfg.Out = &r.shown
	}
	r.out = &output{to: r.cfg.Out, clear: r.quiet}
	r.began = r.now()
	if cfg.Progress != nil {
		d.OnProgress(r.tick)
	}
	d.OnMessage(func(_ *debugger.Breakpoint, text string) {
		if cfg.Record != nil {
			r.messages = append(r.messages, text)
			return
		}
		r.printf("%s\n", clean(text))
	})
	return r
}

// Output returns where the program's own output may go, so that a transcript has it too.
func (r *REPL) Output() io.Writer { return r.out }

// Lines returns one line of commands after another; io.EOF ends the session.
type Lines interface {
	Line(prompt string) (string, error)
}

const prompt = "(silvm) "

// errInterrupted is the error of Lines when the user gave up the line.
var errInterrupted = errors.New("interrupted")

// Run does commands until they end or one of them ends the session.
func (r *REPL) Run(in Lines) error {
	for !r.done {
		line, err := in.Line(prompt)
		switch {
		case errors.Is(err, errInterrupted):
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if r.out.copy != nil {
			if _, terminal := in.(*Terminal); terminal {
				fmt.Fprintf(r.out.copy, "%s%s\n", prompt, line)
			}
		}
		r.Do(line)
	}
	return nil
}

// Script returns the lines of a text, and shows each as if it had been typed.
type Script struct {
	in   *bufio.Reader
	echo io.Writer // nil shows nothing
}

// NewScript reads commands from a text. The lines are shown on echo.
func NewScript(in io.Reader, echo io.Writer) *Script { return &Script{bufio.NewReader(in), echo} }

// Line returns the next line.
func (s *Script) Line(prompt string) (string, error) {
	line, err := s.in.ReadString('\n')
	if line == "" && err != nil {
		return "", err
	}
	line = strings.TrimRight(line, "\r\n")
	if s.echo != nil {
		fmt.Fprintf(s.echo, "%s%s\n", prompt, line)
	}
	return line, nil
}

// Do does one line of commands, separated by semicolons.
func (r *REPL) Do(line string) {
	if n := commentStart(line); n >= 0 {
		if line = line[:n]; strings.TrimSpace(line) == "" {
			return // nothing but a comment repeats nothing
		}
	}
	line = strings.TrimSpace(line)
	if line == "" {
		line = r.repeat
	}
	r.repeat = ""
	defer r.quiet()
	for _, part := range splitCommands(line) {
		if r.done {
			return
		}
		r.began = r.now()
		r.data, r.name = nil, ""
		r.d.Select(r.frame)
		err := r.one(part, 0)
		r.record(part, err)
		if err != nil {
			r.printf("%s\n", r.paint(Bad, err.Error()))
			return
		}
	}
}

// commentStart finds a # that starts a comment: at the start of the line, or between blanks; #3 is the object with that number.
func commentStart(line string) int {
	for n := range line {
		if line[n] == '#' && (n == 0 || line[n-1] == ' ' && (n+1 == len(line) || line[n+1] == ' ')) {
			return n
		}
	}
	return -1
}

// splitCommands cuts at semicolons outside of quotes.
func splitCommands(line string) []string {
	var out []string
	start, quoted := 0, false
	for n := range line {
		switch {
		case line[n] == '"':
			quoted = !quoted
		case line[n] == ';' && !quoted:
			out = append(out, line[start:n])
			start = n + 1
		}
	}
	return append(out, line[start:])
}

// one does one command.
func (r *REPL) one(text string, depth int) error {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	word, args := cutWord(text)
	if to, ok := r.aliases[word]; ok && depth < 8 {
		return r.one(to+" "+args, depth+1)
	}
	if to, say, ok := translate(text); say != "" {
		return errors.New(say)
	} else if ok && depth < 8 {
		return r.one(to, depth+1)
	}
	format := ""
	if n := strings.IndexByte(word, '/'); n > 0 {
		word, format = word[:n], word[n+1:]
	}
	c, err := lookup(word)
	if err != nil {
		return err
	}
	if c.repeats {
		r.repeat = text
	}
	if r.name == "" {
		r.name = c.name
	}
	return c.run(r, call{args: args, format: format, name: c.name})
}

// call is a command with what follows it.
type call struct {
	name   string
	args   string
	format string // after a slash: print/x
	back   bool   // rev CMD
}

func cutWord(s string) (word, rest string) {
	s = strings.TrimSpace(s)
	if n := strings.IndexAny(s, " \t"); n >= 0 {
		return s[:n], strings.TrimSpace(s[n:])
	}
	return s, ""
}

func (r *REPL) printf(format string, args ...any) {
	fmt.Fprintf(r.out, format, args...)
}

func (r *REPL) paint(s Style, text string) string { return r.cfg.Paint(s, text) }

// clean makes text of the program safe for a terminal.
func clean(s string) string { return source.Escape(s) }

// Frame is the number of the frame that data commands look at.
func (r *REPL) Frame() int { return r.frame }

// Done reports whether a command ended the session.
func (r *REPL) Done() bool { return r.done }

// OpenAt begins the session at the finding with a code, or at a step. The error says that there is none.
func (r *REPL) OpenAt(where string) error {
	if step, err := strconv.ParseUint(where, 10, 63); err == nil {
		return r.opened(r.d.Goto(step))
	}
	stop := r.d.GotoEnd()
	if stop.End == nil {
		return r.opened(stop)
	}
	trap := stop.End.Trap
	if trap == nil {
		at, said := r.d.GotoLeak(where)
		if said == nil {
			return fmt.Errorf("the program ends without %s: it exits with status %d after %s", clean(where), stop.End.ExitCode, count(int(stop.End.Step), "step"))
		}
		r.showFindings(said)
		if len(said.Objects) > 0 {
			r.about = said.Objects[0]
		}
		if err := r.opened(at); err != nil || at.Change == nil && (at.End != nil || len(said.Objects) == 0) {
			return err
		}
		if at.Change == nil {
			r.printf("%s\n", r.paint(Good, "the arrow is at the instruction whose reference is never given up: goto end, then balance "+clean(said.Objects[0])+" shows all of them"))
			return nil
		}
		r.printf("%s\n", r.paint(Good, "the arrow is at the instruction that closes the ring: step carries it out, then cycles shows the ring"))
		return nil
	}
	if trap.Code() != where {
		r.printf("note: the run ends in %s, not %s\n", trap.Code(), clean(where))
	}
	return r.opened(stop)
}
