package repl

import (
	"fmt"
	"strconv"
	"strings"

	"silvm/debugger"
	"silvm/ir"
	"silvm/ir/source"
)

// How stops, places and instructions look.

// Start shows where the session begins.
func (r *REPL) Start() { _ = r.opened(r.d.LastStop()) }

// opened shows the first stop of a session: there is none before it that it could be compared with.
func (r *REPL) opened(s debugger.Stop) error {
	s.Changes = nil
	r.name = "open"
	err := r.stopped(s)
	r.record("", err)
	return err
}

// stopped shows a stop.
func (r *REPL) stopped(s debugger.Stop) error {
	r.frame, r.listed = r.d.ShownFrame().Index, 0
	r.give(func() any { return r.view.Stop(s, r.frame) })
	switch s.Reason {
	case debugger.AtBreak:
		r.printf("%s %d, %s\n", kindName(s.Break), s.Break.ID, clean(r.describe(s.Break)))
	case debugger.AtEvent:
		head := ""
		if s.Break != nil {
			head = fmt.Sprintf("%s %d, ", kindName(s.Break), s.Break.ID)
		}
		if e := s.Event; e != nil {
			r.printf("%sabout to %s\n", head, r.eventText(e))
		}
	case debugger.AtWatch:
		head := ""
		if s.Break != nil {
			head = fmt.Sprintf("%s %d, ", kindName(s.Break), s.Break.ID)
		}
		r.printf("%s%s: %s -> %s\n", head, r.paint(Name, clean(s.Change.What)), clean(s.Change.Old), clean(s.Change.New)+setHere(s.Change))
	case debugger.AtAccess:
		verb := "read"
		if s.Access.Write {
			verb = "write"
		}
		r.printf("%s %d, about to %s %s: %s\n", kindName(s.Break), s.Break.ID, verb, r.paint(Name, clean(s.Access.What)), clean(s.Access.Value))
	case debugger.AtThrow:
		r.printf("%s %d, %s\n", kindName(s.Break), s.Break.ID, clean(thrownText(s.Thrown)))
	case debugger.AtStart:
		r.printf("the start of the program: nothing is before it\n")
	case debugger.NotFound:
		r.printf("there is no such moment before this\n")
	case debugger.Interrupted:
		r.printf("interrupted\n")
	}
	if s.Break != nil && s.Break.Problem() != nil {
		r.printf("%s\n", r.paint(Bad, fmt.Sprintf("its condition can't be evaluated here: %v", s.Break.Problem())))
	}
	if s.End != nil {
		r.showEnd(s.End)
	}
	if s.End == nil || s.End.Trap != nil {
		if f, ok := r.d.Frame(r.frame); ok {
			r.printf("%s %d  %s\n", r.paint(Dim, "step"), s.Step, r.hereText(f))
			r.showInst(f)
			r.showUser(f)
		}
	}
	const most = 12
	for n, x := range s.Changes {
		if n == most {
			r.printf("   … and %d more changes\n", len(s.Changes)-most)
			break
		}
		r.showChange(x, s.Back)
	}
	r.showDisplays()
	if s.Break != nil {
		r.doCommandsOf(s.Break)
	}
	return nil
}

// setHere says that a change is the user's.
func setHere(c *debugger.Change) string {
	if c.Set {
		return " (set here)"
	}
	return ""
}

// thrownText words an error that begins.
func thrownText(t *debugger.Thrown) string {
	switch {
	case t.In != "":
		return t.In + " throws"
	case t.Type == "" || t.Value == "":
		return "about to throw " + t.Type + t.Value
	case strings.HasPrefix(t.Value, t.Type):
		return "about to throw " + t.Value
	}
	return fmt.Sprintf("about to throw %s (%s)", t.Value, t.Type)
}

// eventText words what is about to happen to a count.
func (r *REPL) eventText(e *debugger.Event) string {
	name := r.paint(Name, clean(e.Name))
	switch e.Kind {
	case debugger.EventAlloc:
		return "make " + name
	case debugger.EventDeinit:
		return "deinit " + name
	case debugger.EventEnd:
		return "deallocate " + name
	case debugger.EventRetain:
		return fmt.Sprintf("retain %s (strong becomes %d)", name, e.After.Strong)
	case debugger.EventRelease:
		return fmt.Sprintf("release %s (strong becomes %d)", name, e.After.Strong)
	}
	return "change the counts of " + name + ": " + e.Kind.String()
}

// showEnd shows how the program ended.
func (r *REPL) showEnd(e *debugger.End) {
	if e.Trap == nil {
		r.printf("the program exited with status %d after %s\n", e.ExitCode, count(int(e.Step), "step"))
		if n := r.d.Heap().Stats().LiveObjects; n > 0 {
			r.printf("%s still alive: live lists them, cycles finds rings, why X tells who holds one; rs steps back\n", count(int(n), "object"))
		} else {
			r.printf("rs steps back, rc goes back to the last breakpoint\n")
		}
		r.repeat = "rstep"
		return
	}
	if list := e.Trap.Diags; list != nil {
		r.showFindings(list.All()...)
	} else {
		d := r.d.Finding(e.Trap)
		r.showFindings(&d)
	}
	hint := "rs (or Enter) steps back from here"
	if _, conflict := r.d.Conflict(); conflict {
		hint += "; accesses tells when and where each access begins"
	} else if o := e.Trap.Object; o != nil && r.isObject(o.Name) {
		name := clean(o.Name)
		hint += fmt.Sprintf("; history %s, balance %s, last %s", name, name, name)
	}
	r.printf("%s\n", r.paint(Good, hint))
	r.repeat = "rstep"
}

// showFindings shows findings as the other commands do.
func (r *REPL) showFindings(findings ...*source.Diagnostic) {
	list := &source.List{}
	for _, d := range findings {
		list.Add(d)
	}
	render := source.Renderer{Files: r.d.Module().Files, Paint: r.cfg.Roles, Swift: r.cfg.Swift}
	_ = render.Render(r.out, list)
}

// isObject reports whether a name is one of an object with counts, and not of another piece of memory.
func (r *REPL) isObject(name string) bool {
	_, err := r.d.ObjectNamed(name)
	return err == nil
}

// place words where a frame's instruction is: in the SIL and, where it is known, in the Swift source.
func (r *REPL) place(f debugger.Frame) string {
	if f.Inst == nil {
		return ""
	}
	text := r.line(f.Inst)
	if l := f.Loc(); l != nil && l.Line > 0 {
		text += fmt.Sprintf(" (%s:%d)", clean(l.File), l.Line)
	} else if at := nearOwn(f); at != "" {
		text += " (" + clean(source.LineOf(at, true)) + ")"
	}
	return text
}

// nearOwn is the line close by in the source of a frame's own function, where the compiler made the instruction up; else "".
func nearOwn(f debugger.Frame) string {
	if _, near := f.Inst.Swift(); !near || f.IsInlined() {
		return ""
	}
	calls := f.Inst.SwiftCalls()
	return calls[len(calls)-1].Place()
}

// hereText words where the run stands, with the function that holds it when it is in a call that was inlined.
func (r *REPL) hereText(f debugger.Frame) string {
	l := f.Loc()
	if !f.IsInlined() || l == nil {
		return r.frameText(f)
	}
	return fmt.Sprintf("%s inlined in %s at %s (%s:%d)", r.paint(Name, clean(f.Name())), r.paint(Name, clean(debugger.Short(f.Func.Fn))),
		r.line(f.Inst), clean(l.File), l.Line)
}

// line is the line of the SIL in which an instruction stands.
func (r *REPL) line(i *ir.Inst) string {
	files := r.d.Module().Files
	return fmt.Sprintf("%s:%d", clean(files.Name(i.Pos)), files.Place(i.Pos).Line)
}

// swift is the line of the Swift source that an instruction comes from, in brackets after a blank; "" when none is known.
func swift(i *ir.Inst) string {
	line := source.LineOf(i.Swift())
	if line == "" {
		return ""
	}
	return " (" + clean(line) + ")"
}

// showInst shows the line of the frame's instruction.
func (r *REPL) showInst(f debugger.Frame) {
	if f.Inst == nil {
		return
	}
	file := r.d.Module().Files.File(f.Inst.Pos)
	if file == nil {
		return
	}
	name, line := "", 0
	if l := f.Loc(); l != nil && l.Line > 0 {
		name, line = l.File, l.Line
	} else if at := nearOwn(f); at != "" {
		name, line = fileAndLine(at)
	}
	if line > 0 {
		if text, ok := r.cfg.Swift.Line(name, line); ok {
			r.printf("   %s %s\n", r.paint(Dim, fmt.Sprintf("%5d |", line)), clean(strings.ReplaceAll(text, "\t", "  ")))
		}
	}
	p := file.Place(f.Inst.Pos)
	mark := "=>"
	if f.Index > r.d.ShownFrame().Index {
		mark = " >"
	}
	r.printf("%s %s\n", r.paint(Current, mark), r.code(p.Line, file.Line(f.Inst.Pos)))
}

// fileAndLine reads "FILE:LINE:COLUMN".
func fileAndLine(place string) (file string, line int) {
	parts := strings.Split(place, ":")
	for n := len(parts) - 1; n > 0; n-- {
		if k, err := strconv.Atoi(parts[n]); err == nil {
			file, line = strings.Join(parts[:n], ":"), k
		}
	}
	return file, line
}

// showUser shows the nearest call with a line of the Swift source, when the run stands in a library.
func (r *REPL) showUser(f debugger.Frame) {
	if f.Inst == nil || !r.d.Module().Files.IsOurs(f.Inst.Pos) {
		return
	}
	for _, out := range r.d.Frames(maxUser) {
		if l := out.Loc(); out.Index > f.Index && l != nil && l.Line > 0 {
			r.printf("   for frame %d  %s\n", out.Index, r.frameText(out))
			if text, ok := r.cfg.Swift.Line(l.File, l.Line); ok {
				r.printf("   %s %s\n", r.paint(Dim, fmt.Sprintf("%5d |", l.Line)), clean(strings.ReplaceAll(text, "\t", "  ")))
			}
			return
		}
	}
}

// maxUser is how many calls are looked through for one of the program.
const maxUser = 64

// code shows a line of SIL with its number.
func (r *REPL) code(line int, text string) string {
	return fmt.Sprintf("%s  %s", r.paint(Dim, fmt.Sprintf("%5d", line)), r.highlight(strings.TrimRight(text, " ")))
}

// maxInst is how much of an instruction is shown on a line with other things.
const maxInst = 60

// inst words an instruction with its place; "" for none.
func (r *REPL) inst(i *ir.Inst) string {
	if i == nil {
		return ""
	}
	file := r.d.Module().Files.File(i.Pos)
	if file == nil {
		return ""
	}
	return r.line(i) + swift(i) + ": " + clean(source.Instruction(file.Line(i.Pos), maxInst))
}

// inFunction says in which function an event is: that of the source, and the one into which it was inlined. It begins with a blank.
func inFunction(e *debugger.Event) string {
	p, _ := e.Where()
	if p.Func == nil || p.Func.Fn == nil {
		return ""
	}
	own := clean(debugger.Short(p.Func.Fn))
	if calls := p.Inst.SwiftCalls(); len(calls) > 1 {
		return fmt.Sprintf(" in %s inlined in %s", clean(debugger.ShortName(p.Func.Fn.Module.DisplayName(calls[0].Func))), own)
	}
	return " in " + own
}

// caller says who called the function that an event happened in: the nearest call that has a line of the source; it begins with a comma,
// and is "" when there is none.
func (r *REPL) caller(e *debugger.Event) string {
	first := true
	for _, p := range e.Stack {
		if p.Inst == nil || p.Func == nil || p.Func.Fn == nil {
			continue
		}
		calls := p.Inst.SwiftCalls()
		if first && len(calls) > 0 {
			calls = calls[1:]
		}
		if first = false; len(calls) > 0 {
			return fmt.Sprintf(", called from %s:%d in %s", clean(calls[0].Loc.File), calls[0].Loc.Line, clean(debugger.ShortName(p.Func.Fn.Module.DisplayName(calls[0].Func))))
		}
	}
	return ""
}

// from is caller of an event in a library, whose own places tell a user of it little; "" for one in the program.
func (r *REPL) from(e *debugger.Event) string {
	if p, _ := e.Where(); p.Inst == nil || !r.d.Module().Files.IsOurs(p.Inst.Pos) {
		return ""
	}
	return r.caller(e)
}
