package pass

import (
	"fmt"
	"path"
	"runtime"
	"strings"

	"silvm/ir"
)

// A FaultError says that a pass panicked: a bug of the pass. The module is left as the pass left it and of no more use.
type FaultError struct {
	Pass  *Pass
	Func  *ir.Function // nil for a pass on the module
	Cause any          // what it panicked with
	Where string       // the line of the pass, "opt/memory/sroa.go:57", "" when unknown
	Edit  string       // the instruction of Func that the pass put in, moved or took out last, and its place; "" when there was none yet
	// Before is the text of the module as it was before the pass ran; "" without Options.Reload.
	Before string
}

func (e *FaultError) Error() string {
	text := fmt.Sprintf("the pass %s failed on %s: %v", e.Pass.Name, target(e.Func), e.Cause)
	if e.Where != "" {
		text += " (" + e.Where + ")"
	}
	if e.Edit != "" {
		text += ", after its edit of " + e.Edit
	}
	return text
}

func target(f *ir.Function) string {
	if f == nil {
		return "the module"
	}
	return "@" + f.Name
}

// newFault describes a panic; it is called while the stack of the pass still stands.
func newFault(p *Pass, f *ir.Function, cause any) *FaultError {
	e := &FaultError{Pass: p, Func: f, Cause: cause, Where: panicked()}
	if f != nil && f.Edited != nil {
		e.Edit = editText(f, f.Edited)
	}
	return e
}

// panicked returns the file and line of the innermost frame in a pass.
func panicked() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		frame, more := frames.Next()
		name, ours := strings.CutPrefix(frame.Function, "silvm/opt/")
		switch {
		case name == "pass.(*runner).apply":
			return "" // the pass is not in opt
		case ours && !strings.HasPrefix(name, "pass.(*runner).apply.") && !strings.HasPrefix(name, "pass.newFault"):
			room, _, _ := strings.Cut(name, ".")
			return fmt.Sprintf("opt/%s/%s:%d", room, path.Base(frame.File), frame.Line)
		}
		if !more {
			return ""
		}
	}
}

// editText names an instruction, which may be out of its block, of a function that may be broken.
func editText(f *ir.Function, i *ir.Inst) (text string) {
	text = i.Op.String()
	defer func() {
		_ = recover() // what is broken may not print; the opcode has to do
		if at := f.Module.Files.Place(i.Pos); at.Line > 0 {
			text += fmt.Sprintf(" at %s:%d:%d", at.File, at.Line, at.Col)
		}
	}()
	if i.Block() != nil {
		text = strings.TrimSpace(i.String())
	}
	return text
}

// apply runs a pass on a function or, with f nil, on the module. A panic of the pass becomes a *FaultError.
func (r *runner) apply(p *Pass, f *ir.Function) (changed bool, err error) {
	if f != nil {
		f.Edited = nil
	}
	defer func() {
		if cause := recover(); cause != nil {
			err = newFault(p, f, cause)
		}
	}()
	r.c.pass = p
	if f != nil {
		return p.Function(r.c, f), nil
	}
	return p.Module(r.c), nil
}

// allows decides whether a pass is applied, and keeps the answer for before.
func (r *runner) allows(p *Pass, f *ir.Function) bool {
	yes := r.opts.Allow == nil || r.opts.Allow(p, f)
	if r.opts.Reload != nil {
		r.decisions = append(r.decisions, yes)
	}
	return yes
}

// before runs the passes on the module anew, up to the application that was decided on last, and returns the text of the module before
// that one; "" when it can't be had. Same module, same passes: the same happens again.
func (r *runner) before() (text string) {
	if r.opts.Reload == nil {
		return ""
	}
	mod, err := r.opts.Reload()
	if err != nil {
		return ""
	}
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	n, last := 0, len(r.decisions)-1
	allow := func(*Pass, *ir.Function) bool {
		at := n
		n++
		if at == last {
			var b strings.Builder
			if mod.Print(&b) == nil {
				text = b.String()
			}
		}
		return at < last && r.decisions[at]
	}
	// What it says at the end is of no interest: it stops in the middle.
	_ = Run(mod, r.passes, Options{Settings: r.opts.Settings, Whole: r.opts.Whole, Native: r.opts.Native, Allow: allow})
	return text
}
