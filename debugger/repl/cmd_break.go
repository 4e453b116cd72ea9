package repl

import (
	"fmt"
	"strconv"
	"strings"

	"silvm/debugger"
	"silvm/debugger/view"
)

var breakCommands = []command{
	{name: "break", aliases: []string{"b"}, group: "breakpoints", usage: "PLACE|EVENT [CLASS|OBJECT] [if EXPR]", args: places,
		help: `stop at a place, or when a count changes
PLACE is a function (mangled, demangled or short name), FUNC:bb3, FUNC:%5, bb3, %5, FILE:LINE, LINE or /REGEX/.
EVENT is alloc, retain, release, count, deinit, dealloc, unowned or weak; of all objects, of a class or of one: break release Node#3.
The stop is before the instruction that does it.`, run: func(r *REPL, c call) error { return doBreak(r, c, false) }},
	{name: "tbreak", aliases: []string{"tb"}, group: "breakpoints", usage: "PLACE [if EXPR]", args: places,
		help: "stop at a place once", run: func(r *REPL, c call) error { return doBreak(r, c, true) }},
	{name: "log", aliases: []string{"dprintf"}, group: "breakpoints", usage: "PLACE TEXT", args: places,
		help: "write a text whenever the program comes to a place, and go on\nWhat stands in braces is evaluated: log make \"made {v} for {self.name}\".", run: doLog},
	{name: "watch", aliases: []string{"w"}, group: "breakpoints", usage: "X [if EXPR]", args: values,
		help: "stop when a word changes\nX is a count (Node#17.strong, .unowned, .weak, .state), a field (Node#17.next), a variable, a %value or *ADDRESS.", run: doWatch},
	{name: "rwatch", group: "breakpoints", usage: "X [if EXPR]", args: values, help: "stop before an instruction that reads a place\n" + accessHelp,
		run: func(r *REPL, c call) error { return doWatchAccess(r, c.args, debugger.AnyRead) }},
	{name: "awatch", group: "breakpoints", usage: "X [if EXPR]", args: values, help: "stop before an instruction that reads or writes a place\n" + accessHelp,
		run: func(r *REPL, c call) error { return doWatchAccess(r, c.args, debugger.AnyAccess) }},
	{name: "catch", group: "breakpoints", usage: "finding|throw [TYPE]|EVENT [CLASS|OBJECT] [if EXPR]", args: events,
		help: "stop where an error is thrown, when a count changes, or at findings (which is always so)\ncatch throw stops where errors begin, of a type or all, not where they are passed on.\nWhere the compiler made a jump of a throw that its own function catches there is none.", run: doCatch},
	{name: "breakpoints", aliases: []string{"bl"}, group: "breakpoints", help: "list breakpoints and watchpoints", run: doBreakpoints},
	{name: "delete", aliases: []string{"d"}, group: "breakpoints", args: numbers, usage: "[N…]", help: "delete breakpoints; without numbers all of them", run: doDelete},
	{name: "enable", group: "breakpoints", args: numbers, usage: "N…", help: "switch breakpoints on", run: func(r *REPL, c call) error {
		return r.each(c.args, func(b *debugger.Breakpoint) { r.d.Enable(b, true) })
	}},
	{name: "disable", group: "breakpoints", args: numbers, usage: "N…", help: "switch breakpoints off", run: func(r *REPL, c call) error {
		return r.each(c.args, func(b *debugger.Breakpoint) { r.d.Enable(b, false) })
	}},
	{name: "condition", group: "breakpoints", args: numbers, usage: "N [EXPR]", help: "stop only if an expression is true; without one always", run: doCondition},
	{name: "on", group: "breakpoints", args: numbers, usage: "N [COMMAND]", help: "do a command whenever a breakpoint stops the program\n" +
		"A breakpoint may have several, which are done in their order: on 1 bt, then on 1 locals. Without a command it has none any more.\n" +
		"Commands that run the program are refused; log PLACE TEXT writes and goes on.", run: doOn},
	{name: "ignore", group: "breakpoints", args: numbers, usage: "N COUNT", help: "pass over a breakpoint so many times", run: doIgnore},
}

const accessHelp = "X is a field (Node#17.next, or Node.next of all nodes), a variable or a global: something in memory, of any type.\n" +
	"That a value is destroyed or counted is no access. Library code without SIL is taken to access the memory whose address it is given."

// cutCondition splits "… if EXPR".
func cutCondition(args string) (what, cond string) {
	if rest, ok := strings.CutPrefix(args, "if "); ok {
		return "", strings.TrimSpace(rest)
	}
	what, cond, _ = strings.Cut(args, " if ")
	return strings.TrimSpace(what), strings.TrimSpace(cond)
}

func doBreak(r *REPL, c call, temporary bool) error {
	what, cond := cutCondition(c.args)
	word, rest := cutWord(what)
	if kinds := debugger.EventKinds(word); kinds != nil {
		b, err := r.d.BreakOn(kinds, rest, cond)
		if err != nil {
			return err
		}
		b.Temporary = temporary
		r.said(b)
		return nil
	}
	if what == "" {
		f, ok := r.d.Frame(r.frame)
		if !ok || f.Inst == nil {
			return fmt.Errorf("break needs a place")
		}
		p := r.d.Module().Files.Place(f.Inst.Pos)
		what = fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	b, err := r.d.BreakAt(what, cond, temporary)
	if err != nil {
		return err
	}
	r.said(b)
	return nil
}

func doLog(r *REPL, c call) error {
	place, text := cutWord(c.args)
	text = strings.Trim(strings.TrimSpace(text), `"`)
	if place = strings.TrimSuffix(place, ","); text == "" {
		return fmt.Errorf("log needs a place and a text")
	}
	b, err := r.d.BreakAt(place, "", false)
	if err != nil {
		return err
	}
	b.Message = text
	r.said(b)
	return nil
}

func doWatch(r *REPL, c call) error {
	what, cond := cutCondition(c.args)
	for _, option := range []string{"-location ", "-l ", "-w write ", "-w modify "} {
		what = strings.TrimPrefix(what, option)
	}
	for option, kind := range map[string]debugger.AccessKind{"-w read ": debugger.AnyRead, "-w read_write ": debugger.AnyAccess} {
		if rest, ok := strings.CutPrefix(c.args, option); ok {
			return doWatchAccess(r, rest, kind)
		}
	}
	if what == "" {
		return fmt.Errorf("watch needs what to watch")
	}
	b, err := r.d.Watch(what, cond)
	if err != nil {
		return err
	}
	r.said(b)
	if b.IsBlindToEnds(r.d) {
		class, field, _ := strings.Cut(what, ".")
		r.printf("it stops where the weak property is set, not where the object dies: for both watch %s#N.%s, of one object\n", clean(class), clean(field))
	}
	return nil
}

func doWatchAccess(r *REPL, args string, kind debugger.AccessKind) error {
	what, cond := cutCondition(args)
	what = strings.TrimPrefix(strings.TrimPrefix(what, "-location "), "-l ")
	if what == "" {
		return fmt.Errorf("what to watch is missing")
	}
	b, err := r.d.WatchAccess(what, cond, kind)
	if err != nil {
		return err
	}
	r.said(b)
	return nil
}

func doCatch(r *REPL, c call) error {
	what, cond := cutCondition(c.args)
	word, rest := cutWord(what)
	switch kinds := debugger.EventKinds(word); {
	case word == "throw":
		b, err := r.d.CatchThrow(rest, cond)
		if err != nil {
			return err
		}
		r.said(b)
		return nil
	case word == "finding" || word == "findings" || word == "":
		r.printf("the program stops at every finding, always\n")
		return nil
	case kinds != nil:
		b, err := r.d.BreakOn(kinds, rest, cond)
		if err != nil {
			return err
		}
		r.said(b)
		return nil
	}
	return fmt.Errorf("catch knows finding, throw, %s", strings.Join(debugger.EventWords(), ", "))
}

// said shows a breakpoint that was made.
func (r *REPL) said(b *debugger.Breakpoint) {
	r.give(func() any { return view.Break(b) })
	r.printf("%s %d: %s", kindName(b), b.ID, clean(r.describe(b)))
	if b.Kind == debugger.BreakCode {
		r.printf("%s", r.inlinedText(b))
	}
	r.printf("\n")
}

// maxHolders is how many of the functions that a body was inlined into are named.
const maxHolders = 3

// inlinedText words where the function that a breakpoint names was inlined, or that it was not called.
func (r *REPL) inlinedText(b *debugger.Breakpoint) string {
	x := r.d.InlinedAt(b.Spec)
	var notes []string
	if x.Sites > 0 {
		text := "inlined"
		if x.All {
			text = "inlined everywhere"
		}
		names := x.In[:min(len(x.In), maxHolders)]
		text += fmt.Sprintf(": %s, in %s", count(x.Sites, "call"), clean(strings.Join(names, ", ")))
		if more := len(x.In) - len(names); more > 0 {
			text += " and " + count(more, "other function")
		}
		notes = append(notes, text)
	}
	if b.Line != 0 {
		notes = append(notes, fmt.Sprintf("that line has no code, line %d has", b.Line))
	}
	if b.Places() == 0 {
		notes = append(notes, "not called yet")
	}
	if len(notes) == 0 {
		return ""
	}
	return " (" + strings.Join(notes, "; ") + ")"
}

func kindName(b *debugger.Breakpoint) string {
	if b.Kind == debugger.BreakWatch {
		return "watchpoint"
	}
	return "breakpoint"
}

// describe words what a breakpoint waits for.
func (r *REPL) describe(b *debugger.Breakpoint) string {
	text := b.Spec
	if b.Kind == debugger.BreakEvent {
		var words []string
		for _, k := range b.Events {
			words = append(words, k.String())
		}
		text = strings.Join(words, " or ")
		if b.Spec != "" {
			text += " of " + b.Spec
		}
	}
	switch {
	case b.Access == debugger.AnyRead:
		text = "reads of " + text
	case b.Access == debugger.AnyAccess:
		text = "reads and writes of " + text
	case b.Kind == debugger.BreakThrow:
		if text = "throw"; b.Spec != "" {
			text += " of " + b.Spec
		}
	}
	if b.Cond != "" {
		text += " if " + b.Cond
	}
	return text
}

func doBreakpoints(r *REPL, c call) error {
	r.give(func() any { return r.view.Breakpoints() })
	if len(r.d.Breakpoints()) == 0 {
		r.printf("no breakpoints\n")
	}
	for _, b := range r.d.Breakpoints() {
		r.printf("%3d %s %s", b.ID, kindName(b), clean(r.describe(b)))
		var notes []string
		if b.Message != "" {
			notes = append(notes, fmt.Sprintf("writes %q", clean(b.Message)))
		}
		if err := b.Elsewhere(); err != nil {
			notes = append(notes, "passed over where there is "+clean(err.Error()))
		}
		if b.Temporary {
			notes = append(notes, "once")
		}
		if !b.Enabled {
			notes = append(notes, "off")
		}
		if b.Kind == debugger.BreakCode {
			notes = append(notes, count(b.Places(), "place")+" so far")
		}
		if b.Ignore > b.Hits {
			notes = append(notes, "ignored "+count(int(b.Ignore-b.Hits), "more time"))
		}
		for _, text := range b.Commands {
			notes = append(notes, "does "+clean(text))
		}
		notes = append(notes, fmt.Sprintf("hit %s", count(int(b.Hits), "time")))
		r.printf(" (%s)\n", strings.Join(notes, ", "))
	}
	return nil
}

// count words a number of things.
func count(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "s"):
		what += "e"
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// each does something with the breakpoints of the given numbers.
func (r *REPL) each(args string, f func(*debugger.Breakpoint)) error {
	defer r.give(func() any { return r.view.Breakpoints() })
	words := strings.Fields(args)
	if len(words) == 0 {
		return fmt.Errorf("numbers of breakpoints are missing")
	}
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if all := r.d.Breakpoints(); w == "$" && len(all) > 0 { // the last one
			n, err = all[len(all)-1].ID, nil
		}
		found := false
		for _, b := range r.d.Breakpoints() {
			if err == nil && b.ID == n {
				f(b)
				found = true
				break
			}
		}
		if !found {
			return fmt.Errorf("no breakpoint %s", clean(w))
		}
	}
	return nil
}

func doDelete(r *REPL, c call) error {
	if c.args == "" {
		for len(r.d.Breakpoints()) > 0 {
			r.d.Delete(r.d.Breakpoints()[0].ID)
		}
		r.give(func() any { return r.view.Breakpoints() })
		return nil
	}
	return r.each(c.args, func(b *debugger.Breakpoint) { r.d.Delete(b.ID) })
}

func doCondition(r *REPL, c call) error {
	n, cond := cutWord(c.args)
	var bad error
	err := r.each(n, func(b *debugger.Breakpoint) { bad = r.d.SetCondition(b, strings.TrimPrefix(cond, "if ")) })
	if err == nil {
		err = bad
	}
	return err
}

func doIgnore(r *REPL, c call) error {
	n, times := cutWord(c.args)
	k, err := strconv.ParseUint(times, 10, 63)
	if err != nil {
		return fmt.Errorf("ignore needs the number of a breakpoint and a count")
	}
	return r.each(n, func(b *debugger.Breakpoint) { b.Ignore = b.Hits + k })
}
