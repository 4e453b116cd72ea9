package pass

import (
	"fmt"
	"io"
	"slices"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/ir/verify"
)

// Options say how passes are run.
type Options struct {
	Out    io.Writer    // what dump passes print; nil drops it
	Err    io.Writer    // what dump passes print where the compiler's go to stderr; nil drops it
	Remark func(Remark) // nil drops remarks
	// Settings are names of settings that hold for the passes, in order.
	Settings []string
	// Verify checks every function before the first pass and after each pass that changed it.
	Verify bool
	// Verified says that the functions were found sound already: only what a pass changed is checked.
	Verified bool
	// Whole says that the module is the whole program: no class or method that is not open has overrides elsewhere.
	Whole bool
	// Native, when it is not nil, reports whether the module will be run where a function of that name is there already, whatever body the
	// module has for it: no copy of that body is of use.
	Native func(name string) bool
	// Allow, when it is not nil, reports whether a pass may be applied to a function or, with f nil, to the module. What it does not allow is
	// passed over.
	Allow func(p *Pass, f *ir.Function) bool
	// Reload, when it is not nil, returns the module as it was before the run; it is called when a pass has failed, to find what the pass
	// was given.
	Reload func() (*ir.Module, error)
	// Before and After, when they are not nil, are called around every pass on a function or, with f nil, on the module.
	Before func(p *Pass, f *ir.Function)
	After  func(p *Pass, f *ir.Function, changed bool)
	// Stage, when it is not nil, is called after each pass that changed something, with the module as it is then and the functions that the
	// pass changed, nil among them when it is one on the module. Each pass runs on all functions before the next one does. An error ends the run.
	Stage func(p *Pass, changed []*ir.Function) error
}

// A VerifyError is what the verifier found after a pass: a bug of the pass, or of the module when Pass is nil.
type VerifyError struct {
	Pass  *Pass
	Func  *ir.Function
	Diags *source.List
	// Before is the text of the module as it was before the pass ran; "" without Options.Reload.
	Before string
}

func (e *VerifyError) Error() string {
	when := "before the first pass"
	if e.Pass != nil {
		when = "after " + e.Pass.Name
	}
	return fmt.Sprintf("@%s does not verify %s: %v", e.Func.Name, when, e.Diags.Err())
}

// Run runs the passes in order over the module. Passes on functions that follow one another are run together on each function,
// callees before callers. The error is a *VerifyError, a *FaultError, that of a body that cannot be read or, when all passes have run, an
// *UnsupportedError or a *ProgramError.
func Run(mod *ir.Module, passes []*Pass, opts Options) error {
	if opts.Whole && mod.Stage == ir.StageRaw && len(passes) > 0 {
		return &UnsupportedError{[]string{"passes over raw SIL that is to run: they want to know which writes initialize"}}
	}
	if opts.Out == nil {
		opts.Out = io.Discard
	}
	if opts.Err == nil {
		opts.Err = io.Discard
	}
	mod.NoteSwiftModules()
	r := &runner{opts: opts, passes: passes, c: &Context{Module: mod, NamesBorrowed: mod.OmitTypes, Out: opts.Out, Err: opts.Err, remark: opts.Remark, Whole: opts.Whole, native: opts.Native, Settings: opts.Settings, facts: map[*ir.Function]*functionFacts{}, said: map[Remark]bool{}}}
	var wrong []*VerifyError
	for _, f := range mod.Functions() {
		if err := f.Body(); err != nil {
			return err
		}
		r.c.NamesBorrowed = forgetBorrowed(f) || r.c.NamesBorrowed
		if opts.Verified {
			continue
		}
		// What is to run has to verify: passes lower ownership, and what was wrong with it would show no more.
		err := r.verify(nil, f, opts.Verify || opts.Whole && f.IsOSSA())
		if e, ok := err.(*VerifyError); ok && opts.Whole {
			wrong = append(wrong, e)
		} else if err != nil {
			return err
		}
	}
	if err := r.leaveOut(wrong); err != nil {
		return err
	}
	for len(passes) > 0 {
		n := 0
		for n < len(passes) && passes[n].Function != nil && (n == 0 || opts.Stage == nil) {
			n++
		}
		p := passes[0]
		var err error
		if n > 0 {
			err = r.functions(passes[:n])
			passes = passes[n:]
		} else {
			err = r.module(passes[0])
			passes = passes[1:]
		}
		if err != nil {
			return r.describe(err)
		}
		if err := r.stage(p); err != nil {
			return err
		}
	}
	r.nameBorrowed()
	if len(r.c.lacks) > 0 {
		return &UnsupportedError{r.c.lacks}
	}
	if n := len(r.c.condemned); n > 0 {
		return &ProgramError{n}
	}
	return nil
}

// mostRestarts bounds how often the passes begin anew on one function, as the compiler's pass manager does.
const mostRestarts = 20

type runner struct {
	c      *Context
	opts   Options
	passes []*Pass
	// decisions are the answers to whether a pass may be applied, in order; kept with Options.Reload only.
	decisions []bool
	changed   []*ir.Function // with Options.Stage, by the pass that runs
}

// stage shows what the pass that has just run left, if it changed something.
func (r *runner) stage(p *Pass) error {
	if len(r.changed) == 0 {
		return nil
	}
	r.nameBorrowed()
	err := r.opts.Stage(p, r.changed)
	r.changed = nil
	for _, f := range r.c.Module.Functions() {
		if forgetBorrowed(f) {
			r.c.Changed(f)
		}
	}
	return err
}

// nameBorrowed gives the names back that the passes did without.
func (r *runner) nameBorrowed() {
	if r.c.NamesBorrowed {
		for _, f := range r.c.Module.Functions() {
			r.c.nameBorrowed(f)
		}
	}
}

// noteChange keeps what the pass that runs changed, f or with nil the module.
func (r *runner) noteChange(f *ir.Function) {
	if r.opts.Stage != nil {
		r.changed = append(r.changed, f)
	}
}

// describe adds to the error of a pass what the pass was given.
func (r *runner) describe(err error) error {
	switch e := err.(type) {
	case *FaultError:
		e.Before = r.before()
	case *VerifyError:
		e.Before = r.before()
	}
	return err
}

// functions runs passes on every function with a body, and on those that they make: as soon as a pass has made one, all passes run on it.
// Where a pass asks for it, the passes begin anew on its function.
func (r *runner) functions(passes []*Pass) error {
	type entry struct {
		f        *ir.Function
		next     int // pass
		restarts int
		found    *[]int
		library  bool
	}
	enter := func(f *ir.Function) entry {
		return entry{f: f, found: r.c.foundOn(f), library: r.c.isOfLibrary(f)}
	}
	numbers := make([]int, len(passes))
	for n, p := range passes {
		numbers[n] = r.c.number(p)
	}
	var work []entry
	components := BottomUp(r.c.Program(nil))
	if slices.ContainsFunc(passes, func(p *Pass) bool { return p.Inlines }) {
		r.c.findOnlyInlined(components)
		defer func() { r.c.onlyInlined = nil }()
	}
	for _, component := range components {
		for _, f := range component {
			if len(f.Blocks) > 0 && !r.c.OnlyInlined(f) {
				work = append(work, enter(f))
			}
		}
	}
	slices.Reverse(work)
	for len(work) > 0 {
		top := &work[len(work)-1]
		if top.next == len(passes) || r.c.Module.Funcs[top.f.Name] != top.f { // a pass may have removed it
			work = work[:len(work)-1]
			continue
		}
		if passes[top.next].own && top.library {
			top.next++
			continue
		}
		r.c.Restart = false
		if err := r.function(passes[top.next], top.f, application{&r.c.settled, numbers[top.next], top.found}); err != nil {
			return err
		}
		if top.next++; r.c.Restart && top.restarts < mostRestarts {
			top.next = 0
			top.restarts++
		}
		for n := len(r.c.Added) - 1; n >= 0; n-- {
			r.c.keepForwarding(r.c.Added[n])
			if err := r.verify(r.c.pass, r.c.Added[n], r.opts.Verify); err != nil {
				return err
			}
			work = append(work, enter(r.c.Added[n]))
		}
		r.c.Added = nil
	}
	return nil
}

// function applies a pass to one function unless it is known to find nothing there, and verifies what it leaves.
func (r *runner) function(p *Pass, f *ir.Function, a application) error {
	if len(f.Blocks) == 0 || f.Attrs.Has(ir.AttrOnone) && !p.Unoptimized || !r.allows(p, f) {
		return nil
	}
	if r.skips() && !p.Dump && (a.isSettled() || r.c.findsNothing(p, f)) {
		return nil
	}
	if r.opts.Before != nil {
		r.opts.Before(p, f)
	}
	changed, err := r.apply(p, f)
	if err != nil {
		return err
	}
	r.c.flushMissed()
	if !changed {
		a.foundNothing()
	} else {
		r.noteChange(f)
		r.c.Changed(f)
		r.c.keepForwarding(f)
		f.Renumber()
		f.SettleIDs()
	}
	if r.opts.After != nil {
		r.opts.After(p, f, changed)
	}
	if !changed {
		return nil
	}
	return r.verify(p, f, r.opts.Verify)
}

// skips reports whether a pass that would find nothing is passed over: unless somebody looks at each application.
func (r *runner) skips() bool {
	return r.opts.Allow == nil && r.opts.Remark == nil && r.opts.Before == nil && r.opts.After == nil
}

// module applies a pass to the module, and verifies what it leaves.
func (r *runner) module(p *Pass) error {
	if !r.allows(p, nil) {
		return nil
	}
	if r.opts.Before != nil {
		r.opts.Before(p, nil)
	}
	r.c.pass = p
	changed := p.Module(r.c)
	r.c.flushMissed()
	r.c.Added = nil
	if changed {
		r.noteChange(nil)
		r.c.generation++
		for _, known := range r.c.facts {
			known.forget()
		}
		r.c.hierarchy = nil
		for _, f := range r.c.Module.Functions() {
			r.c.keepForwarding(f)
		}
	}
	if r.opts.After != nil {
		r.opts.After(p, nil, changed)
	}
	if !changed {
		return nil
	}
	for _, f := range r.c.Module.Functions() {
		r.c.Program(nil).Changed(f)
		f.Renumber()
		if err := r.verify(p, f, r.opts.Verify); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) verify(p *Pass, f *ir.Function, wanted bool) error {
	if !wanted || len(f.Blocks) == 0 || r.c.condemned[f] {
		return nil
	}
	diags := &source.List{Files: r.c.Module.Files}
	verify.Function(f, r.c.Module.Stage, diags)
	if diags.Errors() > 0 {
		return &VerifyError{Pass: p, Func: f, Diags: diags}
	}
	return nil
}
