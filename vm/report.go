package vm

import (
	"fmt"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/source"
)

// This file words traps: everything else only says what happened.

// faultWords says how a heap fault is reported: its code and its sentence, in which %s is the object. (product.md, Findings)
var faultWords = map[heap.FaultKind]struct{ code, text string }{
	heap.UseAfterFree:       {"SV0103", "use after free: %s was deallocated"},
	heap.OverRelease:        {"SV0104", "over-release: %s has no strong reference left to release"},
	heap.UnownedOverRelease: {"SV0118", "over-release: %s has no unowned reference left to release"},
	heap.DanglingUnowned:    {"SV0108", "dangling unowned reference: %s was already destroyed"},
	heap.EscapedDeinit:      {"SV0107", "escaped deinit: %s is strongly referenced as its memory goes"},
	heap.StackObjectEscaped: {"SV0107", "stack object escaped: %s is strongly referenced as its stack slot goes"},
	heap.StackObjectUnowned: {"SV0107", "stack object escaped: %s has unowned references as its stack slot goes"},
	heap.StackObjectWeak:    {"SV0107", "stack object escaped: %s has weak references as its stack slot goes"},
	heap.DeinitTwice:        {"SV0120", "the deinit of %s was started twice"},
	heap.RetainOverflow:     {"SV0117", "%s was retained too many times"},
	heap.UnownedOverflow:    {"SV0117", "%s has too many unowned references"},
	heap.WeakOverflow:       {"SV0117", "%s has too many weak references"},
	heap.NotAnObject:        {"SV0116", "%s is used as an object, which it is not"},
	heap.NotWeak:            {"SV0116", "%s is used as a weak variable, which it is not"},
	heap.DoubleFree:         {"SV0111", "%s was already freed"},
	heap.InvalidFree:        {"SV0112", "%s is not an allocation that can be freed here"},
	heap.BadAlignment:       {"SV0701", "the program trapped: memory was asked for at an alignment that is no power of two"},
	heap.OutOfMemory:        {"SV0602", "heap limit reached"},
	heap.TooManyObjects:     {"SV0606", "object limit reached"},
}

// limitWords says how a limit that was reached is reported, by its kind.
var limitWords = [...]struct{ code, text string }{
	LimitSteps:           {"SV0601", "step limit reached"},
	LimitMemory:          {"SV0602", "heap limit reached"},
	LimitDepth:           {"SV0603", "call depth limit reached"},
	LimitOutput:          {"SV0604", "output limit reached"},
	LimitTime:            {"SV0605", "time limit reached"},
	LimitTasks:           {"SV0606", "too many tasks exist at one time"},
	LimitSpecializations: {"SV0607", "too many specializations: the program is too large"},
}

// condCodes finds the code of a failed condition by a word of its text, as cond_fail carries it.
var condCodes = []struct{ word, code string }{
	{"overflow", "SV0702"},
	{"ndex out of range", "SV0703"},
	{"ndex out of bounds", "SV0703"},
	{"found nil", "SV0704"},
	{"ivision by zero", "SV0706"},
	{"ivision with overflow", "SV0706"},
	{"enough bits", "SV0709"},
}

// Code is the code of the trap's diagnostic: "SV0103".
func (t *Trap) Code() string {
	switch t.Kind {
	case HeapFault:
		return faultWords[t.Fault.Kind].code
	case NullDeref, OutOfBounds:
		return "SV0102"
	case BadWord:
		return "SV0116"
	case Uninitialized:
		return "SV0109"
	case Exclusivity:
		return "SV0201"
	case BrokenRule:
		return t.Rule
	case FatalError:
		return "SV0707"
	case UncaughtError:
		return "SV0708"
	case FailedCast:
		return "SV0705"
	case UnreachableReached:
		return "SV0710"
	case Unsupported:
		return "SV0801"
	case Limit:
		return limitWords[t.Limit].code
	case Invalid:
		if first := t.firstError(); first != nil {
			return first.Code
		}
		return "SV0001"
	case Internal:
		return "SV0901"
	}
	for _, c := range condCodes {
		if strings.Contains(t.reason(), c.word) {
			return c.code
		}
	}
	return "SV0701"
}

// headline says what happened in one sentence.
func (t *Trap) headline() string {
	switch t.Kind {
	case HeapFault:
		w := faultWords[t.Fault.Kind].text
		if !strings.Contains(w, "%s") {
			return w
		}
		return fmt.Sprintf(w, t.subject())
	case NullDeref:
		if t.Addr == 0 {
			return "access through a null pointer"
		}
		return fmt.Sprintf("access through a null pointer, %d bytes past it", t.Addr)
	case OutOfBounds:
		return "access to an address that is not mapped" + t.around()
	case BadWord:
		return "a word that is no " + t.What + " is used as one" + t.around()
	case Uninitialized:
		return "read of uninitialized memory" + t.around()
	case Exclusivity:
		return "overlapping accesses" + t.around() + ": " + t.Access.noun() + " conflicts with " + t.Earlier.noun() + " that is still open"
	case BrokenRule:
		return t.What + t.around()
	case FatalError:
		return "fatal error: " + t.Msg
	case UncaughtError:
		return join("an error was not caught", t.What)
	case FailedCast:
		return join("a forced cast failed", t.What)
	case DeletedMethod:
		return "call of a deleted method of " + t.What
	case OnceRecursion:
		return "the initializer of a global variable waits for itself"
	case UnreachableReached:
		return "unreachable code was reached"
	case Unsupported:
		return "not supported by silvm: " + ir.PlainName(t.What)
	case Limit:
		return limitWords[t.Limit].text
	case Invalid:
		return "not valid SIL: " + t.Diags.Error()
	case Internal:
		return "bug in silvm: " + t.What
	}
	return join("the program trapped", t.reason())
}

// firstError is the first error of an Invalid trap.
func (t *Trap) firstError() *source.Diagnostic {
	for _, d := range t.Diags.All() {
		if d.Severity == source.Error {
			return d
		}
	}
	return nil
}

func join(what, why string) string {
	if why == "" {
		return what
	}
	return what + ": " + why
}

// reason is the text of the failed condition, "" when there is none.
func (t *Trap) reason() string {
	if t.What != "" || t.Place.Inst == nil {
		return t.What
	}
	return condText(t.Place.Inst)
}

// subject names the object of the trap.
func (t *Trap) subject() string {
	if t.Object != nil {
		return t.Object.Name
	}
	return "a word that is no object"
}

// OnStack says what an instruction reaches in the memory of the stack: a local variable, or a property of an object that lives there.
func OnStack(i *ir.Inst) string {
	if i == nil || len(i.Operands) != 1 {
		return "memory of the stack"
	}
	for v := i.Arg(0); v != nil && v.Inst() != nil; v = v.Inst().Arg(0) {
		switch i := v.Inst(); i.Op {
		case op.AllocStack:
			if name := i.Variable(); name != "" {
				return "the local variable " + name
			}
			return "a local variable"
		case op.RefElementAddr:
			if m, ok := i.Aux.(*ir.MemberAux); ok {
				return strings.TrimPrefix(ir.PlainName(i.Arg(0).Type.String()), "$") + "." + m.Name + " of an object on the stack"
			}
		case op.StructElementAddr, op.TupleElementAddr, op.BeginAccess, op.UncheckedAddrCast:
			continue
		}
		return "memory of the stack"
	}
	return "memory of the stack"
}

// around names the block or global that the trap's address lies in.
func (t *Trap) around() string {
	if t.Block != 0 {
		return "" // the sentence names it
	}
	if t.Object == nil {
		if t.Global != nil {
			return " (global " + globalName(t.Global) + ")"
		}
		return ""
	}
	if t.Object.Info.Kind == heap.KindStack {
		return " (" + OnStack(t.Place.Inst) + ")"
	}
	if t.Object.Part != "" {
		return " (" + t.Object.Name + t.Object.Part + ")"
	}
	if i := t.Object.Alloc.Inst; i != nil && i.Op == op.AllocBox { // there is nothing else in it
		if name := i.Variable(); name != "" {
			return " (the variable " + name + " in " + t.Object.Name + ")"
		}
		return " (" + t.Object.Name + ")"
	}
	if off := t.Addr - t.Object.Info.Ref; off != 0 && off < t.Object.Info.Size {
		return fmt.Sprintf(" (%s, offset %d)", t.Object.Name, off)
	}
	return " (" + t.Object.Name + ")"
}

// Diagnostic words a trap, with notes for the places that explain it.
func (t *Trap) Diagnostic() source.Diagnostic {
	place, level := t.userPlace()
	d := source.Diagnostic{Code: t.Code(), Pos: place.Pos, Len: source.Whole, Msg: strings.TrimSpace(t.headline()), In: place.FuncName()}
	d.Swift, d.Near = place.Inst.Swift()
	if t.Exact {
		d.Step = t.Step - 1 // the last one is the instruction that trapped
	}
	if t.Object != nil {
		d.Objects = []string{t.Object.Name}
	}
	d.Notes = append(inlinedNotes(place), t.callNotes(level)...)
	if t.Kind == Exclusivity {
		d.Notes = append(d.Notes, placeNote(true, "the "+strings.TrimPrefix(t.Earlier.noun(), "a ")+" that is still open started here", t.Earlier.Place))
	}
	d.Notes = t.ruleNotes(d.Notes)
	if t.isEscape() && t.Object != nil {
		d.Notes = append(d.Notes, t.Object.holderNote())
	}
	if o := t.Object; o != nil && t.Kind != Exclusivity && o.Info.Kind != heap.KindStack {
		d.Notes = append(d.Notes, o.notes(t.Frames)...)
	}
	if text := t.runtimeText(); text != "" {
		d.Notes = append(d.Notes, source.Note{Msg: "the Swift runtime says: " + text})
	}
	if t.Missing {
		d.Notes = append(d.Notes, source.Note{Help: true, Msg: "the text of the standard library may have it: silvm library --from swiftc, or compile with -O (silvm explain SV0801)"})
	}
	if t.Kind == Internal {
		d.Notes = append(d.Notes, source.Note{Msg: fmt.Sprintf("at step %d, pc %d", t.Step, t.Place.PC)})
	}
	return d
}

// callNotes tell the calls that the trap's place lies in, from the one that made the call of frame level on.
func (t *Trap) callNotes(level int) (notes []source.Note) {
	last := len(t.Frames)
	for last > 0 && (t.Frames[last-1].IsOurs() || t.Frames[last-1].Inst == nil) {
		last-- // what runs tasks is of no interest
	}
	for i, p := range t.Frames[:last] {
		if i <= level || p.Func == nil || p.Func.Fn == nil || i == 1 && p.Inst == t.Place.Inst && t.Frames[0].Inst == nil {
			continue // the last is that of a native, which is at the call
		}
		msg := "called here"
		if i > 0 && t.Frames[i-1].Func != nil && t.Frames[i-1].Func.Fn != nil {
			msg = t.Frames[i-1].Func.Fn.DisplayName() + " was called here"
		}
		notes = append(notes, placeNote(false, msg, p))
		notes = append(notes, inlinedNotes(p)...)
		if t.Omitted > 0 && i+1 == maxFrames {
			notes = append(notes, source.Note{Msg: fmt.Sprintf("%d frames are not shown", t.Omitted)})
		}
	}
	return notes
}

// notes tell the life of the object: the calls of a trap are told already.
func (o *ObjectNote) notes(told []Place) (notes []source.Note) {
	if o.Alloc.Inst != nil {
		notes = append(notes, placeNote(true, o.Name+" was allocated here", o.Alloc))
		if !o.Alloc.tellsWho() {
			list := callerNotes(o.Alloc, o.Allocators, nil, Place.tellsWho)
			if len(inlinedNotes(o.Alloc)) > 0 {
				list = list[:1] // who called the initializer
			}
			notes = append(notes, list...)
		}
	}
	never := func(Place) bool { return false }
	if o.Release.Inst != nil && o.Info.State >= heap.Deiniting && o.Info.State <= heap.Freed {
		notes = append(notes, placeNote(true, "its last strong reference was released here (1 -> 0, deinit ran)", o.Release))
		notes = append(notes, callerNotes(o.Release, o.Releasers, told, never)...)
	}
	if o.Free.Inst != nil {
		notes = append(notes, placeNote(true, "its memory was freed here", o.Free))
		if o.Info.Kind != heap.KindObject {
			notes = append(notes, callerNotes(o.Free, o.Freers, told, never)...)
		}
	}
	return notes
}

// holderNote says what refers to an object that goes.
func (o *ObjectNote) holderNote() source.Note {
	switch {
	case len(o.Holders) == maxHolders:
		return source.Note{Help: true, Msg: "these refer to it, among others: " + strings.Join(o.Holders, ", ")}
	case len(o.Holders) > 0:
		return source.Note{Help: true, Msg: "what refers to it: " + strings.Join(o.Holders, ", ")}
	}
	return source.Note{Help: true, Msg: "no property and no global variable refers to it: a retain of it has no release"}
}

// userPlace is where a trap stands for its user, with the number of the frame: in the library's code it is the call that led there. Of the
// library is what silvm brings along, and what the compiler printed without a line of the source in a program that has them.
func (t *Trap) userPlace() (Place, int) {
	if !t.Place.IsOurs() && t.Place.isLined() {
		return t.Place, 0
	}
	for n, p := range t.Frames {
		if p.Inst != nil && !p.IsOurs() && p.isLined() {
			return p, n
		}
	}
	if t.Place.IsOurs() {
		for n, p := range t.Frames {
			if p.Inst != nil && !p.IsOurs() {
				return p, n
			}
		}
	}
	return t.Place, 0
}

// isLined reports whether a line of the Swift source is known for the place.
func (p Place) isLined() bool {
	line, _ := p.Inst.Swift()
	return line != ""
}

// runtimeText is what the Swift runtime prints at the same point, in one line.
func (t *Trap) runtimeText() string {
	if t.Kind != HeapFault {
		return ""
	}
	class := ""
	if t.Object != nil {
		class, _, _ = strings.Cut(strings.TrimSuffix(t.Object.Name, " on the stack"), "#")
	}
	return strings.TrimSpace(t.Fault.RuntimeText(class))
}

func (a AccessNote) noun() string {
	if a.Modify {
		return "a modification"
	}
	return "a read"
}

func placeNote(help bool, msg string, p Place) source.Note {
	n := source.Note{Help: help, Pos: p.Pos, Msg: msg, In: p.FuncName()}
	n.Swift, n.Near = p.Inst.Swift()
	return n
}

// FuncName is the name of the function of a place as its user knows it, "" where it is none.
func (p Place) FuncName() string {
	switch {
	case p.Func == nil:
		return ""
	case p.Func.Fn == nil:
		return p.Func.Name
	}
	return p.Func.Fn.Module.DisplayName(p.symbol())
}

// symbol returns the name in SIL of the function that a place is in as the source has it: an inlined one where the place was inlined.
func (p Place) symbol() string {
	if calls := p.Inst.SwiftCalls(); len(calls) > 1 {
		return calls[0].Func
	}
	return p.Func.Fn.Name
}

// inlinedNotes tell the calls that a place lies in and whose bodies were inlined, from the inside out.
func inlinedNotes(p Place) (notes []source.Note) {
	if p.Func == nil || p.Func.Fn == nil {
		return nil
	}
	calls := p.Inst.SwiftCalls()
	for n := 1; n < len(calls); n++ {
		if calls[n].Place() == "" && n+1 < len(calls) {
			continue // a step that the compiler put between two calls tells nothing
		}
		note := source.Note{Msg: "inlined here", Swift: calls[n].Place(), In: p.Func.Fn.Module.DisplayName(calls[n].Func)}
		if note.Swift == "" { // the function that all the others were inlined into, where it has no line
			note.Pos = p.Pos
		}
		notes = append(notes, note)
	}
	return notes
}

// trimUnsupported removes the words that say once more that something is not supported.
func trimUnsupported(s string) string { return strings.TrimPrefix(s, "not supported: ") }

// condText is the text of the cond_fail at an instruction, or of the one after it that looks at its result: an overflow
// operation and its cond_fail run as one.
func condText(i *ir.Inst) string {
	for n := 0; i != nil && n < 4; n, i = n+1, i.Next() {
		if i.Op != op.CondFail {
			continue
		}
		switch a := i.Aux.(type) {
		case *ir.StringAux:
			return a.Value
		case *ir.WordsAux:
			return strings.Trim(strings.Join(a.Words, " "), `"`)
		}
		return ""
	}
	return ""
}
