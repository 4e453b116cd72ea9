package repl

import (
	"fmt"
	"strings"

	"silvm/debugger"
)

// Questions about all of the past.

var queryCommands = []command{
	{name: "calls", group: "going back", usage: "FUNC [if EXPR]", args: places,
		help: `list the calls of a function up to here, those whose bodies were inlined too
With if only those for which an expression is true where the body begins: calls pop if self.count == 0. goto end first asks about all of the run.`, run: doCalls},
	{name: "find", group: "going back", usage: "EVENT [of CLASS|OBJECT] [in FUNC]", args: events,
		help: `list changes of counts up to here: find retains of Node in list.pop
EVENT is alloc, retain, release, count, deinit, dealloc, unowned or weak. goto end first asks about all of the run.`, run: doFind},
	{name: "where", group: "going back", usage: "[EXPR [in FUNC]]", args: values,
		help: `list when an expression became true, up to here: where total > 5, where self.count == 0 in pop
It is looked at where lines of the source begin, without debug info at each step; in each call for itself, but what names only globals and
objects in the run as a whole. goto end first asks about all of the run. Without an expression it is bt.`, run: doWhere},
}

// maxShown is how many moments are shown.
const maxShown = 40

// shortened is the value of an argument, cut where it is long.
func shortened(text string) string {
	const most = 40
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	end := ""
	if last := runes[len(runes)-1]; strings.ContainsRune("})]\"", last) { // what was opened is closed
		end = string(last)
		if last == '}' {
			end = " }"
		}
	}
	return string(runes[:most-1-len(end)]) + "…" + end
}

func doCalls(r *REPL, c call) error {
	name, cond := cutCondition(c.args)
	if name == "" {
		return fmt.Errorf("calls needs a function")
	}
	list, ok, err := r.d.Calls(name, cond)
	if err != nil {
		return err
	}
	return r.showMoments(list, ok, "call")
}

func doFind(r *REPL, c call) error {
	word, rest := cutWord(c.args)
	kinds := debugger.EventKinds(word)
	if kinds == nil {
		kinds = debugger.EventKinds(strings.TrimSuffix(word, "s"))
	}
	if kinds == nil {
		return fmt.Errorf("find knows %s", strings.Join(debugger.EventWords(), ", "))
	}
	what, in, _ := strings.Cut(" "+rest, " in ")
	what = strings.TrimSpace(what)
	if after, ok := strings.CutPrefix(what, "of "); ok {
		what = strings.TrimSpace(after)
	}
	list, ok, err := r.d.Find(kinds, what, strings.TrimSpace(in))
	if err != nil {
		return err
	}
	if list.Below {
		r.printf("none in %s itself; in what it calls:\n", r.paint(Name, clean(strings.TrimSpace(in))))
	}
	return r.showMoments(list, ok, "change")
}

func doWhere(r *REPL, c call) error {
	word, _ := cutWord(c.args)
	if _, err := number(strings.TrimPrefix(word, "-")); word == "" || word == "full" || word == "tasks" || word == "all" || err == nil && word == c.args {
		return doBacktrace(r, c)
	}
	cond, in := c.args, ""
	if n := strings.LastIndex(cond, " in "); n > 0 {
		cond, in = cond[:n], strings.TrimSpace(cond[n+len(" in "):])
	}
	list, ok, err := r.d.Where(strings.TrimSpace(cond), in)
	if err != nil {
		return err
	}
	if err := r.showMoments(list, ok, "time"); err != nil {
		return err
	}
	switch {
	case list.Looked == 0 && in != "" && ok:
		r.printf("%s did not run, or its body was inlined and nothing tells where\n", r.paint(Name, clean(in)))
	case list.Valued < list.Looked:
		r.printf("it had a value at %d of the %s looked at\n", list.Valued, count(list.Looked, "moment"))
	}
	return nil
}

// showMoments shows the first of some moments.
func (r *REPL) showMoments(list debugger.Moments, ok bool, what string) error {
	r.give(func() any { return r.view.Moments(list, ok) })
	for n, m := range list.List {
		if n == maxShown {
			break
		}
		text := ""
		if e := m.Event; e != nil {
			text = fmt.Sprintf("%s of %s (strong %d)", e.Kind, r.paint(Name, clean(e.Name)), e.After.Strong)
			text += " in "
		}
		text += r.paint(Name, clean(m.Func))
		if m.In != "" {
			text += " inlined in " + r.paint(Name, clean(m.In))
		}
		if len(m.Args) > 0 {
			args := make([]string, len(m.Args))
			for n, a := range m.Args {
				args[n] = clean(a.Name) + " " + clean(shortened(a.Text))
			}
			text += " with " + strings.Join(args, ", ")
		}
		if l := m.From; l != nil {
			text += fmt.Sprintf(", called from %s:%d in %s", clean(l.File), l.Line, clean(m.By))
		} else if at := r.inst(m.Inst); at != "" {
			text += ", " + at
		}
		r.printf("  %8d  %s\n", m.Step, text)
	}
	if more := list.Total - maxShown; more > 0 {
		r.printf("  … and %d more\n", more)
	}
	if !ok {
		r.printf("interrupted: there may be more\n")
	}
	r.printf("%s up to step %d\n", count(list.Total, what), r.d.Step())
	return nil
}
