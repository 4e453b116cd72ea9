package repl

import (
	"cmp"
	"strings"
)

// What users of gdb, lldb, delve and rr type, and what it is here.

// phrase is one row. The words of from must be at the start of a line: each in full, or as one of its forms between slashes; words
// after the first may be cut short. What follows them goes after to.
type phrase struct {
	from string
	to   string                   // the command that it means
	how  func(rest string) string // changes what follows; nil leaves it
	say  string                   // why there is no such command
}

const (
	oneThread  = "no thread is chosen: bt shows the calls of the one that runs, tasks lists all, bt tasks their calls"
	otherPlace = "the debugger sets variables (set X = VALUE), not what runs next"
	noSignals  = "there are no signals; a finding stops the program always"
)

// phrases in the order in which they are tried. Longer ones come before shorter ones with the same beginning.
var phrases = []phrase{
	{from: "info/inf/i breakpoints", to: "breakpoints"}, {from: "info/inf/i watchpoints", to: "breakpoints"},
	{from: "info/inf/i locals", to: "locals"}, {from: "info/inf/i args", to: "args"}, {from: "info/inf/i scope", to: "locals"},
	{from: "info/inf/i frame", to: "frame"}, {from: "info/inf/i line", to: "frame"}, {from: "info/inf/i source", to: "frame"},
	{from: "info/inf/i symbol", to: "print"}, {from: "info/inf/i stack", to: "bt"}, {from: "info/inf/i display", to: "display"},
	{from: "info/inf/i registers", to: "values"}, {from: "info/inf/i all-registers", to: "values"}, {from: "info/inf/i functions", to: "functions"},
	{from: "info/inf/i variables", to: "globals"}, {from: "info/inf/i types", to: "classes"}, {from: "info/inf/i classes", to: "classes"},
	{from: "info/inf/i program", to: "status"}, {from: "info/inf/i record", to: "status"}, {from: "info/inf/i checkpoints", to: "bookmark"},
	{from: "info/inf/i threads", to: "tasks", how: nothingAfter}, {from: "info/inf/i signals", say: noSignals}, {from: "info/inf/i", how: infoOf},
	{from: "show", to: "status", how: nothingAfter},

	{from: "thread/th apply all", to: "", how: ofAll}, {from: "thread/th backtrace all", to: "bt tasks"}, {from: "thread/th bt all", to: "bt tasks"},
	{from: "thread/th backtrace", to: "bt"}, {from: "thread/th bt", to: "bt"},
	{from: "thread/th step-inst-over", to: "next"}, {from: "thread/th step-in", to: "step line"}, {from: "thread/th step-inst", to: "step"},
	{from: "thread/th step-over", to: "next line"}, {from: "thread/th step-out", to: "finish"}, {from: "thread/th until", to: "until"},
	{from: "thread/th list", to: "tasks", how: nothingAfter}, {from: "thread/th info", to: "frame"}, {from: "thread/th", say: oneThread}, {from: "threads", to: "tasks", how: nothingAfter},
	{from: "goroutines", to: "tasks", how: nothingAfter}, {from: "goroutine", say: oneThread},
	{from: "frame/fr variable", to: "locals", how: plainWords}, {from: "frame/fr info", to: "frame"}, {from: "frame/fr select", to: "frame", how: plainWords},
	{from: "v/var/vo", to: "locals", how: plainWords}, {from: "target variable", to: "globals", how: plainWords},
	{from: "po/expression/expr/e/inspect/output/dwim-print", to: "print", how: expressionOf},
	{from: "breakpoint/br set", to: "break", how: placeOf}, {from: "breakpoint/br list", to: "breakpoints", how: nothingAfter},
	{from: "breakpoint/br delete", to: "delete"}, {from: "breakpoint/br clear", to: "delete"}, {from: "breakpoint/br enable", to: "enable"},
	{from: "breakpoint/br disable", to: "disable"}, {from: "breakpoint/br modify", to: "condition", how: conditionOf}, {from: "breakpoint/br", to: "breakpoints"},
	{from: "watchpoint/wa set", to: "watch", how: watchOf}, {from: "watchpoint/wa list", to: "breakpoints", how: nothingAfter},
	{from: "watchpoint/wa delete", to: "delete"}, {from: "watchpoint/wa enable", to: "enable"}, {from: "watchpoint/wa disable", to: "disable"},
	{from: "watchpoint/wa modify", to: "condition", how: conditionOf}, {from: "watchpoint/wa", to: "breakpoints"},
	{from: "memory/me read", to: "x", how: memoryOf}, {from: "memory/me", to: "x", how: memoryOf}, {from: "register/re read", to: "values"}, {from: "regs", to: "values"},
	{from: "process/pr continue", to: "continue"}, {from: "process/pr launch", to: "run"}, {from: "process/pr kill", to: "quit"},
	{from: "process/pr", to: "status", how: nothingAfter}, {from: "target", to: "status", how: nothingAfter},
	{from: "image lookup", to: "functions", how: plainWords}, {from: "image", to: "functions", how: plainWords}, {from: "source list", to: "list"},

	{from: "reverse-stepi/rsi/stepback/step-back/sb", to: "rstep"}, {from: "reverse-nexti/rni", to: "rnext"}, {from: "rewind/rw", to: "rcontinue"},
	{from: "si/step-instruction", to: "step"}, {from: "nexti/ni/next-instruction", to: "next"}, {from: "stepout/step-out/so/gu", to: "finish"},
	{from: "step out", to: "finish"}, {from: "step over", to: "next"}, {from: "step in", to: "step"}, {from: "step into", to: "step"}, {from: "step back", to: "rstep"},
	{from: "advance", to: "until"}, {from: "hbreak", to: "break"}, {from: "thbreak", to: "tbreak"}, {from: "rbreak", to: "break", how: regexOf},
	{from: "bp", to: "breakpoints"}, {from: "clearall", to: "delete", how: nothingAfter}, {from: "clear", to: "delete"}, {from: "unwatch", to: "delete"},
	{from: "cond", to: "condition"}, {from: "funcs", to: "functions"}, {from: "vars", to: "globals"}, {from: "types", to: "classes"}, {from: "stack/k", to: "bt"},
	{from: "checkpoint/check", to: "bookmark"}, {from: "seek", to: "goto"}, {from: "examinemem", to: "x"}, {from: "ls", to: "list"},
	{from: "refs/retains", to: "history"}, {from: "retaincount", to: "refcount"}, {from: "wherei", to: "bt"},
	{from: "kill", to: "quit"}, {from: "detach", to: "quit"},

	{from: "set var/variable", to: "set"}, {from: "jump", say: otherPlace + "; goto STEP goes to another time"}, {from: "return", say: otherPlace + "; finish runs to the end of the function"},
	{from: "commands", say: "on N COMMAND does a command whenever breakpoint N stops; display EXPR shows a value at every stop; source FILE does the commands in a file"},
	{from: "handle", say: noSignals}, {from: "signal", say: noSignals}, {from: "record", say: "the run is recorded always: rstep, rcontinue and goto go back"},
	{from: "attach", say: "silvm runs SIL itself: give the file to silvm debug"}, {from: "file", say: "silvm runs SIL itself: give the file to silvm debug"},
	{from: "shell/!", say: "the debugger starts no other programs"},
}

// translate finds the row that a line begins with; ok is false when none does.
func translate(line string) (to, say string, ok bool) {
	words := strings.Fields(line)
	for _, p := range phrases {
		from := strings.Fields(p.from)
		if len(words) < len(from) || !spells(from, words) {
			continue
		}
		if p.say != "" {
			return "", p.say, true
		}
		rest := line
		for range from {
			_, rest = cutWord(rest)
		}
		if p.how != nil {
			rest = p.how(rest)
		}
		return strings.TrimSpace(p.to + " " + rest), "", true
	}
	return "", "", false
}

// spells reports whether words begin as a row says.
func spells(from, words []string) bool {
	for n, forms := range from {
		match := false
		for form := range strings.SplitSeq(forms, "/") {
			match = match || words[n] == form || n > 0 && strings.HasPrefix(form, words[n])
		}
		if !match {
			return false
		}
	}
	return true
}

func nothingAfter(string) string { return "" }

// infoOf makes "info X" the command X.
func infoOf(rest string) string { return cmp.Or(rest, "status") }

// ofAll makes the command for one thread that for all.
func ofAll(rest string) string {
	word, args := cutWord(rest)
	switch word {
	case "bt", "backtrace", "where", "":
		return strings.TrimSpace("bt tasks " + args)
	}
	return rest
}

func regexOf(rest string) string { return "/" + strings.Trim(rest, "/") + "/" }

// plainWords leaves out options.
func plainWords(rest string) string {
	var out []string
	for w := range strings.FieldsSeq(rest) {
		if !strings.HasPrefix(w, "-") {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// expressionOf cuts the options before an expression: "-O -- x".
func expressionOf(rest string) string {
	if _, after, ok := strings.Cut(" "+rest, " -- "); ok {
		return after
	}
	for strings.HasPrefix(rest, "-") {
		word, after := cutWord(rest)
		if len(word) < 2 || word[1] >= '0' && word[1] <= '9' {
			break
		}
		rest = after
	}
	return rest
}

// options reads lldb's options: the words after each, by its letter or name.
func options(rest string) (named map[string]string, bare []string) {
	named = map[string]string{}
	words := strings.Fields(rest)
	for n := 0; n < len(words); n++ {
		w := strings.TrimLeft(words[n], "-")
		switch {
		case w == words[n]:
			bare = append(bare, w)
		case strings.Contains(w, "="):
			name, value, _ := strings.Cut(w, "=")
			named[name] = value
		default:
			var value []string
			for n+1 < len(words) && !strings.HasPrefix(words[n+1], "-") {
				n++
				value = append(value, words[n])
			}
			named[w] = strings.Join(value, " ")
		}
	}
	return named, bare
}

func firstOf(named map[string]string, names ...string) string {
	for _, name := range names {
		if v := named[name]; v != "" {
			return v
		}
	}
	return ""
}

// placeOf reads "--name F", "-f FILE -l LINE", "-r REGEX", "-c COND".
func placeOf(rest string) string {
	named, bare := options(rest)
	place := firstOf(named, "name", "n", "method", "M", "selector", "S", "fullname", "F", "basename", "b")
	if re := firstOf(named, "func-regex", "r", "source-pattern-regexp", "p"); re != "" {
		place = regexOf(re)
	}
	if line := firstOf(named, "line", "l"); line != "" {
		if place = line; firstOf(named, "file", "f") != "" {
			place = firstOf(named, "file", "f") + ":" + line
		}
	}
	if place == "" {
		place = strings.Join(bare, " ")
	}
	if cond := firstOf(named, "condition", "c"); cond != "" {
		place += " if " + strings.Trim(cond, `'"`)
	}
	return place
}

// conditionOf reads "-c COND N".
func conditionOf(rest string) string {
	named, bare := options(rest)
	cond := firstOf(named, "condition", "c")
	number := strings.Join(bare, " ")
	if number == "" { // the number comes after the condition
		if n := strings.LastIndexByte(cond, ' '); n >= 0 {
			cond, number = cond[:n], cond[n+1:]
		}
	}
	return number + " " + strings.Trim(cond, `'"`)
}

// watchOf reads "variable X", "expression -- X".
func watchOf(rest string) string {
	word, after := cutWord(rest)
	if strings.HasPrefix("variable", word) || strings.HasPrefix("expression", word) {
		rest = expressionOf(after)
	}
	return rest
}

// memoryOf reads "-c N ADDRESS".
func memoryOf(rest string) string {
	words, count := []string{}, ""
	in := strings.Fields(rest)
	for n := 0; n < len(in); n++ {
		switch w := in[n]; {
		case (w == "-c" || w == "-s" || w == "-f" || w == "--count" || w == "--size" || w == "--format") && n+1 < len(in):
			if n++; w == "-c" || w == "--count" {
				count = in[n]
			}
		case strings.HasPrefix(w, "-c"):
			count = w[2:]
		case !strings.HasPrefix(w, "-"):
			words = append(words, w)
		}
	}
	return strings.Join(append(words, count), " ")
}
