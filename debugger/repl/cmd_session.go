package repl

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"silvm/debugger/view"
)

var sessionCommands = []command{
	{name: "bookmark", aliases: []string{"bm"}, group: "session", usage: "[NAME]", args: marks, help: "give this step a name for goto, diff and live --since; without NAME list them", run: doBookmark},
	{name: "alias", group: "session", usage: "[NAME = COMMAND]", args: commands_, help: "give a command a name of your own; without arguments list them", run: doAlias},
	{name: "save", group: "session", usage: "FILE", args: files, help: "write a file that source makes this session of again\nIt has what was set, bookmarks, breakpoints with what belongs to them, displays and aliases, and goes to this step.", run: doSave},
	{name: "source", group: "session", usage: "FILE", args: files, help: "do the commands in a file", run: doSource},
	{name: "transcript", group: "session", usage: "FILE|off", args: files, help: "write all that is shown to a file too", run: doTranscript},
	{name: "help", aliases: []string{"h", "?"}, group: "session", usage: "[COMMAND]", args: commands_, help: "list the commands, or tell about one", run: doHelp},
	{name: "apropos", group: "session", usage: "WORD", help: "list the commands whose help has a word", run: doApropos},
	{name: "status", group: "session", help: "show where the run stands, what it counted and what the history holds", run: doStatus},
	{name: "when", group: "session", usage: "[X]", args: values, help: "show the step where the run stands; with X the history of an object", run: doWhen},
	{name: "time", group: "session", usage: "COMMAND", args: commands_, help: "do a command and tell how long it took", run: doTime},
	{name: "quit", aliases: []string{"q", "exit"}, group: "session", help: "end the session", run: func(r *REPL, c call) error { r.done = true; return nil }},
}

func doBookmark(r *REPL, c call) error {
	defer r.give(func() any { return view.Bookmarks{Bookmarks: r.d.Bookmarks()} })
	if c.args == "" {
		marks := r.d.Bookmarks()
		var names []string
		for name := range marks {
			names = append(names, name)
		}
		slices.SortFunc(names, func(a, b string) int { return cmp.Compare(marks[a], marks[b]) })
		for _, name := range names {
			r.printf("%10d  %s\n", marks[name], clean(name))
		}
		return nil
	}
	r.d.Bookmark(c.args)
	r.printf("%s is step %d\n", clean(c.args), r.d.Step())
	return nil
}

func doAlias(r *REPL, c call) error {
	if c.args == "" {
		var names []string
		for name := range r.aliases {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			r.printf("%s = %s\n", name, r.aliases[name])
		}
		return nil
	}
	name, to, ok := strings.Cut(c.args, "=")
	if !ok {
		name, to = cutWord(c.args)
	}
	name, to = strings.TrimSpace(name), strings.TrimSpace(to)
	if name == "" || to == "" {
		return fmt.Errorf("alias NAME = COMMAND")
	}
	r.aliases[name] = to
	return nil
}

// maxNested is how deep scripts may read scripts.
const maxNested = 16

func doSource(r *REPL, c call) error {
	if c.args == "" {
		return fmt.Errorf("source needs a file")
	}
	if r.nested >= maxNested {
		return fmt.Errorf("scripts are nested too deeply")
	}
	open := r.cfg.Open
	if open == nil {
		open = func(name string) (io.ReadCloser, error) { return os.Open(name) }
	}
	f, err := open(c.args)
	if err != nil {
		return err
	}
	defer f.Close()
	r.nested++
	defer func() { r.nested-- }()
	return r.Run(NewScript(f, r.out))
}

func (r *REPL) create(name string) (io.WriteCloser, error) {
	if r.cfg.Create != nil {
		return r.cfg.Create(name)
	}
	return os.Create(name)
}

func doTranscript(r *REPL, c call) error {
	if r.out.copy != nil {
		_ = r.out.copy.Close()
		r.out.copy = nil
	}
	switch c.args {
	case "off":
		return nil
	case "":
		return fmt.Errorf("transcript needs a file, or off")
	}
	f, err := r.create(c.args)
	if err != nil {
		return err
	}
	r.out.copy = f
	return nil
}

func doStatus(r *REPL, c call) error {
	d := r.d
	r.give(func() any { return r.view.Status() })
	r.printf("step %d of ", d.Step())
	switch e := d.End(); {
	case e == nil:
		r.printf("a run whose end was not seen yet\n")
	case e.Trap != nil:
		r.printf("%d, where the run ends in %s: %s\n", e.Step, e.Trap.Code(), clean(e.Trap.Error()))
	default:
		r.printf("%d, where the program exits with status %d\n", e.Step, e.ExitCode)
	}
	n := d.Machine().Counters()
	s := d.Heap().Stats()
	r.printf("retains %d, releases %d, objects made %d, live %d (%d bytes)\n", n.StrongRetain, n.StrongRelease, s.Objects, s.LiveObjects, s.LiveBytes)
	bytes, snaps := d.HistoryBytes()
	r.printf("history: %s, %s\n", count(snaps, "snapshot"), humanize.IBytes(bytes))
	return nil
}

func doWhen(r *REPL, c call) error {
	if c.args != "" {
		return doHistory(r, c)
	}
	r.give(func() any { return view.Moved{Step: r.d.Step()} })
	r.printf("step %d\n", r.d.Step())
	return nil
}

func doTime(r *REPL, c call) error {
	if c.args == "" {
		return fmt.Errorf("time needs a command")
	}
	from, began := r.d.Step(), time.Now()
	err := r.one(c.args, 1)
	r.give(func() any {
		return view.Timed{Nanoseconds: time.Since(began).Nanoseconds(), From: from, To: r.d.Step()}
	})
	r.printf("%v, from step %d to step %d\n", time.Since(began).Round(100*time.Microsecond), from, r.d.Step())
	return err
}
