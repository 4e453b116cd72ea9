package repl

import (
	"fmt"
	"strings"

	"silvm/debugger/view"
)

var setCommands = []command{
	{name: "set", group: "data", usage: "[X = VALUE]", args: values, help: "change a variable, a field, an element or a global: another run begins\n" +
		"The change belongs to this step: it is there again whenever the program comes here. What came after this step is forgotten: its end,\n" +
		"bookmarks and later changes; output that was shown stays. Code that has read X goes on with what it read. X lies in memory and consists of numbers, Bool, pointers or enums of them;\n" +
		"VALUE is a value of its type, a number, true, nil or .case. Without anything it lists the changes.", run: doSet},
}

// cutAssignment splits "X = VALUE" at the first sign outside of quotes that is not part of a comparison.
func cutAssignment(text string) (what, value string, ok bool) {
	quoted := false
	for n := range text {
		switch c := text[n]; {
		case c == '"':
			quoted = !quoted
		case c != '=' || quoted:
		case n+1 < len(text) && text[n+1] == '=' || n > 0 && strings.IndexByte("=!<>", text[n-1]) >= 0:
		default:
			return strings.TrimSpace(text[:n]), strings.TrimSpace(text[n+1:]), true
		}
	}
	return "", "", false
}

func doSet(r *REPL, c call) error {
	forgot := 0
	defer func() { r.give(func() any { return view.Settings(r.d.Settings(), forgot) }) }()
	if c.args == "" {
		if len(r.d.Settings()) == 0 {
			r.printf("nothing was set: this is the program's own run\n")
		}
		for _, s := range r.d.Settings() {
			r.printf("step %d  %s: %s -> %s\n", s.Step, r.paint(Name, clean(s.What)), clean(s.Old), clean(s.New))
		}
		return nil
	}
	what, value, ok := cutAssignment(c.args)
	if !ok || what == "" || value == "" {
		return fmt.Errorf("set needs X = VALUE")
	}
	s, n, err := r.d.Set(what, value, r.frame)
	if err != nil {
		return err
	}
	forgot = n
	r.printf("%s: %s -> %s; from step %d on this is another run\n", r.paint(Name, clean(s.What)), clean(s.Old), clean(s.New), s.Step)
	if n > 0 {
		r.printf("%s after this step %s forgotten\n", count(n, "change"), wereOrWas(n))
	}
	r.showDisplays()
	return nil
}

func wereOrWas(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
