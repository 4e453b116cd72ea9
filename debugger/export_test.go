package debugger

import (
	"strings"

	"silvm/ir"
)

// For tests from outside, which look at the program besides what the debugger shows of it.

// CurrentInst returns the instruction that runs next, nil at the end.
func (d *Debugger) CurrentInst() *ir.Inst {
	if d.m.Ended() && d.end != nil && d.end.Trap == nil {
		return nil
	}
	f, _ := d.call(0)
	return f.Inst
}

// NameOf returns the name of a value as the debugger prints it.
func (d *Debugger) NameOf(v *ir.Value) string { return d.nameOf(v) }

// Live lists the live objects of a class, "" for all, in the order in which they were made.
func (d *Debugger) Live(class string) []Object {
	list, _ := d.LiveFrom(class, 0, 1<<62)
	return list
}

// LastSlow is Last of a word in memory with a look at each boundary.
func (d *Debugger) LastSlow(what string) (Stop, error) {
	w, err := d.watcherOf(what)
	if err != nil {
		return Stop{}, err
	}
	f, s := d.lastChange(w, true)
	return d.arrive(f, s, NotFound), nil
}

// WhereAlways is Where with a look at each moment.
func (d *Debugger) WhereAlways(cond string) (Moments, bool, error) { return d.where(cond, "", true) }

// IsSteady reports whether Where looks at an expression only where what it reads may have changed.
func (d *Debugger) IsSteady(cond string) bool {
	e, err := d.condition(cond, "")
	return err == nil && e != nil && d.steadyOf(e) != nil
}

// IsSparse reports whether Last leaves out boundaries that can't change a word.
func (d *Debugger) IsSparse(what string) bool {
	w, err := d.watcherOf(what)
	return err == nil && w.writers != nil
}

// Stretch makes the stretches of the past, and the distances of snapshots, so many steps long: before the run begins.
func (d *Debugger) Stretch(steps uint64) {
	d.timeline.past.width, d.timeline.every = steps, min(steps, firstEvery)
}

// IsCalled reports whether a name means the function with a demangled name.
func IsCalled(full, name string) bool { return isCalled("$s", full, name) }

// Spelled and Bare are for the test of searches by name.
func Spelled(name string) []string { return spelled(name) }

// Bare is the last part of a function's name for people, without its labels.
func Bare(full string) string {
	name := bare(plainName(ShortName(full)))
	return name[strings.LastIndexByte(name, '.')+1:]
}
