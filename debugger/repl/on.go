package repl

import (
	"fmt"

	"silvm/debugger"
)

// Commands of breakpoints: what is done when one stops the program.

func doOn(r *REPL, c call) error {
	n, text := cutWord(c.args)
	if word, _ := cutWord(text); word != "" {
		to, ok := r.aliases[word]
		if ok {
			word, _ = cutWord(to)
		}
		x, err := lookup(baseWord(word))
		switch _, _, phrase := translate(text); {
		case phrase:
		case err != nil:
			return err
		case x.group == "running" || x.group == "going back" || x.name == "source" || x.name == "quit" || x.name == "on":
			return fmt.Errorf("a breakpoint does no %s; log PLACE TEXT writes and goes on", x.name)
		}
	}
	return r.each(n, func(b *debugger.Breakpoint) {
		if text == "" {
			b.Commands = nil
			return
		}
		b.Commands = append(b.Commands, text)
	})
}

// baseWord is a command's word without the format after it: "x" of "x/4gx".
func baseWord(word string) string {
	for n := range word {
		if word[n] == '/' && n > 0 {
			return word[:n]
		}
	}
	return word
}

// doCommandsOf does the commands of the breakpoint that stopped the program. They neither repeat nor are they what the command under way tells.
func (r *REPL) doCommandsOf(b *debugger.Breakpoint) {
	list := b.Commands
	if len(list) == 0 {
		return
	}
	data, name, repeat := r.data, r.name, r.repeat
	defer func() { r.data, r.name, r.repeat = data, name, repeat }()
	r.d.Select(r.frame)
	for _, text := range list {
		if err := r.one(text, 0); err != nil {
			r.printf("%s: %s\n", clean(text), r.paint(Bad, err.Error()))
		}
	}
}
