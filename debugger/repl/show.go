package repl

import (
	"fmt"
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
	r.frame, r.listed = r.firstFrame(), 0
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
		r.printf("%s%s: %s -> %s\n", head, r.paint(Name, clean(s.Change.What)), clean(s.Change.Old), clean(s.Change.New))
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
	return nil
}

// firstFrame is the number of the innermost frame that has SIL; of calls that were inlined there, that of the innermost with a line.
func (r *REPL) firstFrame() int {
	frames := r.d.Frames(64)
	for n, f := range frames {
		if f.Inst == nil {
			continue
		}
		for _, out := range frames[n:] {
			if out.Inst == f.Inst && out.Loc() != nil {
				return out.Index
			}
			if !out.IsInlined() {
				break
			}
		}
		return f.Index
	}
	return 0
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
		d := e.Trap.Diagnostic()
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
	p := r.d.Module().Files.Place(f.Inst.Pos)
	text := fmt.Sprintf("%s:%d", clean(p.File), p.Line)
	if l := f.Loc(); l != nil && l.Line > 0 {
		text += fmt.Sprintf(" (%s:%d)", clean(l.File), l.Line)
	}
	return text
}

// hereText words where the run stands, with the function that holds it when it is in a call that was inlined.
func (r *REPL) hereText(f debugger.Frame) string {
	l := f.Loc()
	if !f.IsInlined() || l == nil {
		return r.frameText(f)
	}
	p := r.d.Module().Files.Place(f.Inst.Pos)
	return fmt.Sprintf("%s inlined in %s at %s:%d (%s:%d)", r.paint(Name, clean(f.Name())), r.paint(Name, clean(debugger.Short(f.Func.Fn))),
		clean(p.File), p.Line, clean(l.File), l.Line)
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
	if l := f.Loc(); l != nil && l.Line > 0 {
		if text, ok := r.cfg.Swift.Line(l.File, l.Line); ok {
			r.printf("   %s %s\n", r.paint(Dim, fmt.Sprintf("%5d |", l.Line)), clean(strings.ReplaceAll(text, "\t", "  ")))
		}
	}
	p := file.Place(f.Inst.Pos)
	mark := "=>"
	if f.Index > r.firstFrame() {
		mark = " >"
	}
	r.printf("%s %s\n", r.paint(Current, mark), r.code(p.Line, file.Line(f.Inst.Pos)))
}

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
	p := file.Place(i.Pos)
	text, _, _ := strings.Cut(file.Line(i.Pos), "//")
	text = strings.TrimSpace(text)
	if n := strings.LastIndex(text, ", loc "); n > 0 {
		text = text[:n]
	}
	if len(text) > maxInst {
		text = text[:maxInst] + "…"
	}
	place := fmt.Sprintf("%s:%d", clean(p.File), p.Line)
	if l := i.Loc; l != nil && l.Line > 0 {
		place += fmt.Sprintf(" (%s:%d)", clean(l.File), l.Line)
	}
	return place + ": " + clean(text)
}
