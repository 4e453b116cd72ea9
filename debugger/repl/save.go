package repl

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"silvm/debugger"
)

// Saving a session. A run is the same each time, so that a session is what the user did to it: what was set at which steps, and what is watched.

func doSave(r *REPL, c call) error {
	if c.args == "" {
		return fmt.Errorf("save needs a file")
	}
	lines := r.session()
	f, err := r.create(c.args)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s\n", strings.Join(lines, "\n"))
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	r.printf("source %s makes this session again\n", clean(c.args))
	return nil
}

// session returns the commands that make the session of a new one.
func (r *REPL) session() (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, name := range slices.Sorted(maps.Keys(r.aliases)) {
		add("alias %s = %s", name, r.aliases[name])
	}
	for _, s := range r.d.Settings() {
		add("goto %d", s.Step)
		add("set %s = %s", s.What, s.Value)
	}
	marks := r.d.Bookmarks()
	for _, name := range slices.SortedFunc(maps.Keys(marks), func(a, b string) int {
		return cmp.Or(cmp.Compare(marks[a], marks[b]), strings.Compare(a, b))
	}) {
		add("goto %d", marks[name])
		add("bookmark %s", name)
	}
	if r.d.Ended() {
		add("goto end")
	} else {
		add("goto %d", r.d.Step())
	}
	for _, b := range r.d.Breakpoints() {
		add("%s", made(b))
		if b.Message != "" && b.Cond != "" {
			add("condition $ %s", b.Cond)
		}
		if b.Ignore > b.Hits {
			add("ignore $ %d", b.Ignore-b.Hits)
		}
		for _, text := range b.Commands {
			add("on $ %s", text)
		}
		if !b.Enabled {
			add("disable $")
		}
	}
	for _, x := range r.displays {
		add("display %s", x)
	}
	return lines
}

// made returns the command that makes a breakpoint.
func made(b *debugger.Breakpoint) string {
	word := "break"
	if b.Temporary {
		word = "tbreak"
	}
	switch {
	case b.Message != "":
		return fmt.Sprintf("log %s \"%s\"", b.Spec, b.Message)
	case b.Kind == debugger.BreakThrow:
		word = "catch throw"
	case b.Kind == debugger.BreakEvent:
		for _, w := range debugger.EventWords() {
			if slices.Equal(debugger.EventKinds(w), b.Events) {
				word += " " + w
				break
			}
		}
	case b.Kind == debugger.BreakWatch:
		word = map[debugger.AccessKind]string{debugger.AnyRead: "rwatch", debugger.AnyAccess: "awatch"}[b.Access]
		if word == "" {
			word = "watch"
		}
	}
	text := strings.TrimSpace(word + " " + b.Spec)
	if b.Cond != "" {
		text += " if " + b.Cond
	}
	return text
}
