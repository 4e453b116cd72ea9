package repl

import (
	"errors"
	"io"
	"os"
	"os/signal"

	"github.com/chzyer/readline"
)

// Terminal reads lines with editing, history and completion. One goroutine uses it; nobody prints while a line is read.
type Terminal struct {
	rl      *readline.Instance
	width   int
	resized func() // tells the editor of another width
}

// NewTerminal makes one on the process's terminal.
func (r *REPL) NewTerminal() (*Terminal, error) {
	t := &Terminal{width: readline.GetScreenWidth()}
	rl, err := readline.NewEx(&readline.Config{
		HistoryFile:       r.cfg.History,
		HistorySearchFold: true,
		AutoComplete:      completer{r},
		InterruptPrompt:   "^C",
		// The width is asked for at each key: no goroutine waits for signals of the terminal. A line that a narrower terminal broke into
		// several is cleaned as so many.
		FuncOnWidthChanged: func(f func()) { t.resized = f },
		FuncFilterInputRune: func(key rune) (rune, bool) {
			if w := readline.GetScreenWidth(); w != t.width {
				t.width = w
				t.resized()
			}
			return key, true
		},
	})
	if err != nil {
		return nil, err
	}
	t.rl = rl
	return t, nil
}

// Close returns the terminal back.
func (t *Terminal) Close() error { return t.rl.Close() }

// Line reads a line.
func (t *Terminal) Line(prompt string) (string, error) {
	t.rl.SetPrompt(prompt)
	line, err := t.rl.Readline()
	if errors.Is(err, readline.ErrInterrupt) {
		return "", errInterrupted
	}
	if err != nil {
		return "", io.EOF
	}
	return line, nil
}

// completer asks the session for what a word may become.
type completer struct{ r *REPL }

// Do returns the rest of each word, and how many characters of it are there already.
func (c completer) Do(line []rune, pos int) ([][]rune, int) {
	text := string(line[:pos])
	start := pos
	for start > 0 && line[start-1] != ' ' && line[start-1] != ';' {
		start--
	}
	word := string(line[start:pos])
	var out [][]rune
	words := c.r.complete(text)
	for _, w := range words {
		end := " "
		if len(words) == 1 && c.r.goesOn(string(line[:start])+w) {
			end = ""
		}
		out = append(out, []rune(w[len(word):]+end))
	}
	return out, pos - start
}

// Interruptible makes Ctrl-C stop the program that runs, until the function that it returns is called.
func Interruptible(stop func()) func() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-c:
				stop()
			case <-done:
				return
			}
		}
	}()
	return func() { signal.Stop(c); close(done) }
}
