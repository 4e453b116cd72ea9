package repl

import (
	"fmt"
	"strconv"
	"strings"

	"silvm/debugger"
)

var runCommands = []command{
	{name: "step", aliases: []string{"s", "stepi"}, group: "running", usage: "[line] [N]", repeats: true, back: "rstep",
		help: "run one SIL instruction, into calls and deinits\nWith N so many; step line goes to the next line of the Swift source.", run: doStep},
	{name: "next", aliases: []string{"n"}, group: "running", usage: "[line] [N]", repeats: true, back: "rnext",
		help: "run one SIL instruction with all that it calls\nnext line runs a line of the Swift source.", run: doNext},
	{name: "finish", aliases: []string{"fin"}, group: "running", repeats: true, back: "rfinish",
		help: "run until the function that runs has returned", run: func(r *REPL, c call) error { return r.stopped(r.d.Finish()) }},
	{name: "until", aliases: []string{"u"}, group: "running", usage: "[PLACE]", repeats: true, back: "runtil", args: places,
		help: "run to a place, or past the rest of a loop\nWithout PLACE: to an instruction after this one, or to the end of the function.", run: doUntil},
	{name: "continue", aliases: []string{"c"}, group: "running", usage: "[N]", repeats: true, back: "rcontinue",
		help: "run to the next breakpoint, finding or to the end\nWith N over N-1 of them.", run: doContinue},
	{name: "run", aliases: []string{"r"}, group: "running", help: "go to the start, and from there to the first breakpoint, finding or to the end",
		run: func(r *REPL, c call) error { r.d.Goto(0); return r.stopped(r.d.Continue()) }},
	{name: "restart", aliases: []string{"start"}, group: "running", help: "go to the first instruction of the program",
		run: func(r *REPL, c call) error { return r.stopped(r.d.Goto(0)) }},
	{name: "goto", aliases: []string{"g"}, group: "running", usage: "STEP|BOOKMARK|start|end", args: marks,
		help: "go to a step, forwards or backwards\nSteps count SIL instructions; +N and -N count from here.", run: doGoto},

	{name: "rstep", aliases: []string{"rs", "reverse-step"}, group: "going back", usage: "[line] [N]", repeats: true,
		help: "go one SIL instruction back, into calls", run: func(r *REPL, c call) error { c.back = true; return doStep(r, c) }},
	{name: "rnext", aliases: []string{"rn", "reverse-next"}, group: "going back", usage: "[line] [N]", repeats: true,
		help: "go one SIL instruction back, over all that it called", run: func(r *REPL, c call) error { c.back = true; return doNext(r, c) }},
	{name: "rfinish", aliases: []string{"rf", "reverse-finish"}, group: "going back", repeats: true,
		help: "go back to the call of the function that runs", run: func(r *REPL, c call) error { return r.stopped(r.d.ReverseFinish()) }},
	{name: "runtil", aliases: []string{"ru"}, group: "going back", usage: "PLACE", repeats: true, args: places,
		help: "go back to the last time that the program was at a place", run: func(r *REPL, c call) error { c.back = true; return doUntil(r, c) }},
	{name: "rcontinue", aliases: []string{"rc", "reverse-continue"}, group: "going back", usage: "[N]", repeats: true,
		help: "go back to the last breakpoint, or to the start", run: func(r *REPL, c call) error { c.back = true; return doContinue(r, c) }},
	{name: "rev", aliases: []string{"reverse"}, group: "going back", usage: "COMMAND", repeats: true, args: commands_,
		help: "do a running command backwards\nrev next is rnext.", run: doReverse},
	{name: "last", group: "going back", usage: "X", repeats: true, args: values,
		help: "go back to the last change of a value, a field or a count\nX is Node#17 (any of its counts), Node#17.strong, Node#17.next, a variable or a %value.\nThe instruction shown is the one that is about to make the change. Enter goes to the change before.", run: doLast},
}

// number reads a count that may be missing.
func number(s string) (uint64, error) {
	if s == "" {
		return 1, nil
	}
	n, err := strconv.ParseUint(strings.ReplaceAll(s, ",", ""), 10, 64)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%s is no count", clean(s))
	}
	return n, nil
}

// lineForm reads "line N", "N".
func lineForm(args string) (line bool, n uint64, err error) {
	word, rest := cutWord(args)
	if word == "line" || word == "l" {
		n, err = number(rest)
		return true, n, err
	}
	n, err = number(args)
	return false, n, err
}

func doStep(r *REPL, c call) error { return r.move(c, false) }

func doNext(r *REPL, c call) error { return r.move(c, true) }

func (r *REPL) move(c call, over bool) error {
	line, n, err := lineForm(c.args)
	if err != nil {
		return err
	}
	if line && !r.d.Ended() && !r.d.HasLines() {
		return fmt.Errorf("no Swift lines here: print the SIL with -g, or -Xllvm -sil-print-debuginfo")
	}
	d := r.d
	switch {
	case line && c.back:
		return r.stopped(d.ReverseStepLine(n, over))
	case line:
		return r.stopped(d.StepLine(n, over))
	case c.back && over:
		return r.stopped(d.ReverseNext(n))
	case c.back:
		return r.stopped(d.ReverseStepBy(n))
	case over:
		return r.stopped(d.Next(n))
	}
	return r.stopped(d.StepBy(n))
}

func doUntil(r *REPL, c call) error {
	if c.args == "" {
		if c.back {
			return fmt.Errorf("runtil needs a place")
		}
		return r.stopped(r.d.UntilAhead())
	}
	stop, err := r.d.Until(c.args, c.back)
	if err != nil {
		return err
	}
	return r.stopped(stop)
}

func doContinue(r *REPL, c call) error {
	n, err := number(c.args)
	if err != nil {
		if _, e := r.d.ObjectNamed(c.args); e == nil && c.name == "rcontinue" {
			return doRefcount(r, c) // rc X
		}
		return err
	}
	for ; ; n-- {
		var stop debugger.Stop
		if c.back {
			stop = r.d.ReverseContinue()
		} else {
			stop = r.d.Continue()
		}
		if n == 1 || stop.Break == nil {
			return r.stopped(stop)
		}
	}
}

func doReverse(r *REPL, c call) error {
	word, rest := cutWord(c.args)
	x, err := lookup(word)
	if err != nil {
		return err
	}
	if x.back == "" {
		return fmt.Errorf("%s can't be done backwards", x.name)
	}
	back, err := lookup(x.back)
	if err != nil {
		return err
	}
	return back.run(r, call{name: back.name, args: rest, format: c.format})
}

func doGoto(r *REPL, c call) error {
	d := r.d
	step, named := d.Bookmarks()[c.args]
	switch {
	case named:
	case c.args == "start":
		step = 0
	case c.args == "end":
		return r.stopped(d.GotoEnd())
	case c.args == "":
		return fmt.Errorf("goto needs a step or a bookmark")
	default:
		text := strings.ReplaceAll(c.args, ",", "")
		n, err := strconv.ParseUint(strings.TrimLeft(text, "+-"), 10, 63)
		if err != nil {
			return fmt.Errorf("%s is no step and no bookmark", clean(c.args))
		}
		switch text[0] {
		case '+':
			n += d.Step()
		case '-':
			n = d.Step() - min(n, d.Step())
		}
		step = n
	}
	stop := d.Goto(step)
	if stop.End != nil && stop.End.Step < step {
		r.printf("the program has no step %d: it ends after %s\n", step, count(int(stop.End.Step), "step"))
	}
	return r.stopped(stop)
}

func doLast(r *REPL, c call) error {
	if c.args == "" {
		return fmt.Errorf("last needs an object, a field or a value")
	}
	stop, err := r.d.Last(c.args)
	if err != nil {
		return err
	}
	if stop.Reason == debugger.NotFound {
		return fmt.Errorf("no change of %s before this", clean(c.args))
	}
	return r.stopped(stop)
}
