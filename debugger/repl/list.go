package repl

import (
	"fmt"
	"strconv"
	"strings"

	"silvm/debugger"
	"silvm/ir/source"
)

// Listings of SIL.

// listLines is how many lines list shows.
const listLines = 11

func doList(r *REPL, c call) error {
	f, ok := r.d.Frame(r.frame)
	var file *source.File
	here, at := 0, 0
	if ok && f.Inst != nil {
		if file = r.d.Module().Files.File(f.Inst.Pos); file != nil {
			here = file.Place(f.Inst.Pos).Line
			at = here
		}
	}
	if c.args == "swift" {
		return r.listSwift(f)
	}
	switch {
	case c.args != "":
		if n, err := strconv.Atoi(c.args); err == nil && file != nil {
			at = n
		} else if fn := r.d.FunctionNamed(c.args); fn != nil {
			if file = r.d.Module().Files.File(fn.Pos); file == nil {
				return fmt.Errorf("%s has no text", clean(c.args))
			}
			at = file.Place(fn.Pos).Line + listLines/2
			if f.Inst == nil || r.d.Module().Files.File(f.Inst.Pos) != file {
				here = 0
			}
		} else {
			return r.noFunction(c.args)
		}
		r.listed = 0
	case r.listed > 0:
		at = r.listed + listLines/2
	}
	if file == nil {
		return fmt.Errorf("there is no SIL here")
	}
	first := max(at-listLines/2, 1)
	last := min(first+listLines-1, file.Lines())
	r.give(func() any { return r.view.Listing(file, first, last, here) })
	for n := first; n <= last; n++ {
		mark := "  "
		if n == here {
			mark = r.paint(Current, "=>")
		}
		r.printf("%s %s\n", mark, r.code(n, file.Line(file.LinePos(n))))
	}
	r.listed = last + 1
	r.repeat = "list"
	return nil
}

// listSwift shows the Swift source around the line that a frame is on.
func (r *REPL) listSwift(f debugger.Frame) error {
	l := f.Loc()
	for n := f.Index + 1; l == nil || l.Line == 0; n++ { // the nearest call that has one
		out, ok := r.d.Frame(n)
		if !ok {
			break
		}
		if l = out.Loc(); l != nil && l.Line > 0 {
			r.printf("for frame %d  %s\n", n, r.hereText(out))
		}
	}
	if l == nil || l.Line == 0 {
		return fmt.Errorf("no Swift line is known here")
	}
	if _, ok := r.cfg.Swift.Line(l.File, l.Line); !ok {
		return fmt.Errorf("%s is not there, or has no line %d; --source DIR says where it is", clean(l.File), l.Line)
	}
	first := max(l.Line-listLines/2, 1)
	r.give(func() any { return r.view.Swift(l.File, first, first+listLines-1, l.Line) })
	for n := first; n < first+listLines; n++ {
		text, ok := r.cfg.Swift.Line(l.File, n)
		if !ok {
			break
		}
		mark := "  "
		if n == l.Line {
			mark = r.paint(Current, "=>")
		}
		r.printf("%s %s  %s\n", mark, r.paint(Dim, fmt.Sprintf("%5d", n)), clean(strings.ReplaceAll(text, "\t", "  ")))
	}
	return nil
}

func doCFG(r *REPL, c call) error {
	f, err := r.current()
	if err != nil {
		return err
	}
	if f.Inst == nil {
		return fmt.Errorf("%s has no SIL", clean(f.Name()))
	}
	fn := f.Inst.Block().Func
	r.give(func() any { return r.view.CFG(fn, f.Inst.Block()) })
	r.printf("%s\n", r.paint(Name, clean(debugger.Short(fn))))
	for _, b := range fn.Blocks {
		mark := "  "
		if b == f.Inst.Block() {
			mark = r.paint(Current, "=>")
		}
		n := 0
		for range b.Insts() {
			n++
		}
		text := fmt.Sprintf("%s %-6s %3d", mark, b.Name, n)
		if t := b.Last(); t != nil {
			text += "  " + t.Op.String()
			var to []string
			for _, e := range t.Succs {
				to = append(to, e.To.Name)
			}
			if len(to) > 0 {
				text += " -> " + strings.Join(to, ", ")
			}
		}
		r.printf("%s\n", text)
	}
	return nil
}

// highlight colours a line of SIL: what follows // is dim, types and the instruction's name have colours.
func (r *REPL) highlight(line string) string {
	line = clean(line)
	comment := ""
	if n := strings.Index(line, "//"); n >= 0 {
		line, comment = line[:n], r.paint(Dim, line[n:])
	}
	var b strings.Builder
	word := false // the instruction's name was seen
	for n := 0; n < len(line); {
		start := n
		for n < len(line) && wordByte(line[n]) {
			n++
		}
		w := line[start:n]
		switch {
		case w == "":
			b.WriteByte(line[n])
			n++
		case start > 0 && line[start-1] == '%':
			b.WriteString(r.paint(Number, w))
		case strings.HasPrefix(w, "$"):
			b.WriteString(r.paint(Type, w))
		case !word && !strings.HasPrefix(w, "bb") && strings.TrimSpace(line[:start]) != "(":
			b.WriteString(r.paint(Word, w))
			word = true
		default:
			b.WriteString(w)
		}
	}
	return b.String() + comment
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// noFunction is the error for a function that has no text.
func (r *REPL) noFunction(name string) error {
	if err := r.d.CheckFunc(name); err != nil {
		return err
	}
	return fmt.Errorf("no function %s here", clean(name))
}
