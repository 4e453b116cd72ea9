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
}

// maxShown is how many moments are shown.
const maxShown = 40

// shortened is the value of an argument, cut where it is long.
func shortened(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
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
