package pass

import (
	"fmt"
	"io"
	"strings"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/source"
)

// Pass is one transformation, or one dump of facts. Exactly one of Function and Module is set.
type Pass struct {
	Name string // sil-opt's name, without the dash
	Doc  string // one sentence
	// Function transforms one function that has a body, and reports whether it changed it. Functions with the attribute Onone are passed over.
	Function func(c *Context, f *ir.Function) bool
	// Module transforms the module as a whole, and reports whether it changed it.
	Module func(c *Context) bool
	// Dump says that the pass changes nothing and writes what it finds to Context.Out.
	Dump bool
	// Unoptimized says that a pass on functions takes those too that are marked as not to be optimized, as the compiler's passes on modules do.
	Unoptimized bool
	// Lossy says that the pass is for looking at code: what it leaves does something else.
	Lossy bool
	// Inlines says that the pass puts what Context.OnlyInlined names in the place of its calls.
	Inlines bool
	// Needs lists instructions. The pass changes nothing in a function out of ownership form that has, of one of the lists, none.
	Needs [][]op.Op
	// NeedsLoop says that the pass changes nothing in such a function without a cycle of blocks.
	NeedsLoop bool
	// own says that the pass passes over functions of the library and copies of them, see OnOwn.
	own bool
	// Copies says that the pass may add copies, which are for passes after it to take away, or make anew what was made once and captured.
	Copies bool
}

// Context is what a pass sees beside the function: the module, facts that are computed once and kept until the function
// changes, and where to write to.
type Context struct {
	Module *ir.Module
	Out    io.Writer // what dump passes print
	Err    io.Writer // what the compiler prints to stderr
	Whole  bool      // the module is the whole program, see facts.Program
	// NamesBorrowed says that guaranteed block arguments get their names of borrowed after the last pass.
	NamesBorrowed bool

	// remark takes what passes say about rewrites and refusals; nil when nobody listens.
	remark func(Remark)
	missed []Remark        // refusals of the running pass, see flushMissed
	said   map[Remark]bool // those that are in missed

	pass    *Pass
	program *facts.Program
	facts   map[*ir.Function]*functionFacts
	Added   []*ir.Function // functions that the running pass made
	Restart bool           // the running pass wants all passes to run on its function again
	calls   *Callers
	native  func(name string) bool
	Made    map[*ir.Function]*History // of specializations
	// hierarchy is nil until a pass asks for it.
	hierarchy *ClassHierarchy
	Settings  []string
	settled
	// onlyInlined is for passes that run together, see OnlyInlined.
	onlyInlined map[*ir.Function]bool
	lacks       []string // what passes were asked for that silvm does not have
	condemned   map[*ir.Function]bool
	unresolved  map[*ir.Function]bool
}

// UnsupportedError says what passes were asked for that silvm does not have. The run went on without it.
type UnsupportedError struct{ What []string }

func (e *UnsupportedError) Error() string {
	return "not supported by silvm: " + strings.Join(e.What, "; ")
}

// Lack notes what the running pass was asked for and does not have. The run ends with an UnsupportedError then.
func (c *Context) Lack(format string, args ...any) {
	c.lacks = append(c.lacks, fmt.Sprintf(format, args...))
}

// LackIn notes what the running pass does not have for a function, which it leaves as it was: passes that need what it would have found out ask
// IsUnresolved.
func (c *Context) LackIn(f *ir.Function, format string, args ...any) {
	if c.unresolved == nil {
		c.unresolved = map[*ir.Function]bool{}
	}
	c.unresolved[f] = true
	c.Lack(format, args...)
}

// IsUnresolved reports whether a pass before has left something of the function undecided.
func (c *Context) IsUnresolved(f *ir.Function) bool { return c.unresolved[f] }

// A ProgramError says that a pass found errors of the program in functions and told of them. The run went on without it.
type ProgramError struct{ Functions int }

func (e *ProgramError) Error() string {
	if e.Functions == 1 {
		return "errors in 1 function"
	}
	return fmt.Sprintf("errors in %d functions", e.Functions)
}

// Condemn notes that the running pass has told of an error of the program in a function. What passes leave of it is not checked any more, and the
// run ends with a ProgramError.
func (c *Context) Condemn(f *ir.Function) {
	if c.condemned == nil {
		c.condemned = map[*ir.Function]bool{}
	}
	c.condemned[f] = true
}

// functionFacts are what was computed about a function since it last changed.
type functionFacts struct {
	dom      *cfg.Dominators
	past     *cfg.Dominators // those of before the last change, which may have left the edges alone
	dead     []bool
	contents *contents
	answered map[any]any
	// The post-dominators as they were with the edges of postOf, which is dom or past of a function with the same edges.
	post        *cfg.PostDominators
	controllers [][]*ir.Block
	postOf      *cfg.Dominators
}

// forget drops what a change of the function may have made wrong.
func (k *functionFacts) forget() {
	if k.dom != nil {
		k.past, k.dom = k.dom, nil
	}
	k.dead, k.contents, k.answered = nil, nil, nil
}

// Remark is what a pass says about one place of the program.
type Remark struct {
	Pass   string
	Func   *ir.Function
	Inst   *ir.Inst // the instruction spoken of; it may have been removed from its function
	Missed bool     // the pass left the instruction alone, and Text says why
	Text   string   // lower case, no full stop
}

// HasListener reports whether somebody listens to remarks.
func (c *Context) HasListener() bool { return c.remark != nil }

// Passed tells that the pass did something to i.
func (c *Context) Passed(f *ir.Function, i *ir.Inst, format string, args ...any) {
	if c.remark != nil {
		c.remark(Remark{Pass: c.pass.Name, Func: f, Inst: i, Text: ir.PlainName(fmt.Sprintf(format, args...))})
	}
}

// Missed tells why the pass left i alone. It's said when the pass is done, once, and not at all if the pass has removed i by then.
func (c *Context) Missed(f *ir.Function, i *ir.Inst, format string, args ...any) {
	if c.remark == nil {
		return
	}
	r := Remark{Pass: c.pass.Name, Func: f, Inst: i, Missed: true, Text: ir.PlainName(fmt.Sprintf(format, args...))}
	if !c.said[r] {
		c.said[r] = true
		c.missed = append(c.missed, r)
	}
}

// Diagnose writes a diagnostic of an instruction to Err, as the compiler does: at its place in the Swift source, where the text tells that, else
// in the text.
func (c *Context) Diagnose(i *ir.Inst, kind, text string) {
	if l := i.Loc; l != nil && l.Line > 0 {
		fmt.Fprintf(c.Err, "%s:%d:%d: %s: %s\n", l.File, l.Line, l.Col, kind, text)
		return
	}
	c.DiagnoseAt(i.Pos, len(i.Results) > 0, kind, text)
}

// DiagnoseAt writes a diagnostic of a place in the text to Err. After says that it is of the operation after the results that the line names.
func (c *Context) DiagnoseAt(pos source.Pos, after bool, kind, text string) {
	file := c.Module.Files.File(pos)
	if file == nil {
		fmt.Fprintf(c.Err, "<unknown>:0: %s: %s\n", kind, text)
		return
	}
	at := file.Place(pos)
	line := file.Line(pos)
	col := at.Col
	if n := strings.Index(line, " = "); n >= 0 && after {
		col = len([]rune(line[:n])) + len(" = ") + 1
	}
	fmt.Fprintf(c.Err, "%s:%d:%d: %s: %s\n%s\n%s^\n", at.File, at.Line, col, kind, text, line, strings.Repeat(" ", col-1))
}

// flushMissed says what the pass that has just run left alone.
func (c *Context) flushMissed() {
	for _, r := range c.missed {
		if r.Inst == nil || r.Inst.Block() != nil {
			c.remark(r)
		}
	}
	c.missed = c.missed[:0]
	clear(c.said)
}

// Changed forgets what is known about the function. A pass calls it when it has changed blocks or edges and goes on to ask;
// between passes the manager does.
func (c *Context) Changed(f *ir.Function) {
	c.generation++
	if known := c.facts[f]; known != nil {
		known.forget()
	}
	if c.program != nil {
		c.program.Changed(f)
	}
	if c.calls != nil {
		c.calls.dirty[f] = true
	}
}

// Program returns what is known of the module as a whole and of its types, as they are in f, which may be nil.
func (c *Context) Program(f *ir.Function) *facts.Program {
	if c.program == nil {
		c.program = facts.NewProgram(c.Module)
		c.program.Whole = c.Whole
	}
	c.program = c.program.In(f) // kept for the next question, which is mostly about the same function
	return c.program
}

func (c *Context) of(f *ir.Function) *functionFacts {
	known := c.facts[f]
	if known == nil {
		known = &functionFacts{}
		c.facts[f] = known
	}
	return known
}

// Dominators returns the dominator tree of the function as it was when it was last said to be changed.
func (c *Context) Dominators(f *ir.Function) *cfg.Dominators {
	known := c.of(f)
	if known.dom == nil {
		if known.past != nil && known.past.AreOf(f) {
			known.dom = known.past
		} else {
			known.dom = cfg.NewDominators(f)
		}
	}
	return known.dom
}

// PostDominators returns the tree of post-dominators of the function as it was when it was last said to be changed, and the blocks that control
// each, by Block.Index.
func (c *Context) PostDominators(f *ir.Function) (*cfg.PostDominators, [][]*ir.Block) {
	known, dom := c.of(f), c.Dominators(f)
	f.Renumber()
	if known.postOf != dom {
		known.post, known.postOf = cfg.NewPostDominators(f), dom
		known.controllers = known.post.Controllers()
	}
	return known.post, known.controllers
}

// Remember returns what find says of the function, which it is asked once as long as the function stays the same. The key tells one question
// from another.
func (c *Context) Remember(f *ir.Function, key any, find func() any) any {
	known := c.of(f)
	answer, ok := known.answered[key]
	if !ok {
		answer = find()
		if known.answered == nil {
			known.answered = map[any]any{}
		}
		known.answered[key] = answer
	}
	return answer
}

// RCIdentity returns a table of reference count identity for the function as it is now.
func (c *Context) RCIdentity(f *ir.Function) *facts.RCIdentity {
	rc := facts.NewRCIdentity(c.Program(f), c.Dominators(f))
	rc.KeepArguments = c.IsOff("enable-rc-identity-arg-strip")
	return rc
}

// Types answers for the types of the module as they are in the function f.
func (c *Context) Types(f *ir.Function) *facts.Types {
	return c.Program(f).Types
}

// DeadEnds says for each block by Block.Index whether no path leads from it out of the function.
func (c *Context) DeadEnds(f *ir.Function) []bool {
	known := c.of(f)
	if known.dead == nil {
		f.Renumber()
		known.dead = cfg.DeadEnds(f)
	}
	return known.dead
}

// AddFunction enters a function that a pass made: before the function it was made for, as sil-opt prints it. The function
// passes that follow in the same run see it too.
func (c *Context) AddFunction(f, before *ir.Function) {
	f.Module = c.Module
	c.Module.Funcs[f.Name] = f
	at := len(c.Module.Items)
	for n, item := range c.Module.Items {
		if item == ir.Item(before) {
			at = n
			break
		}
	}
	c.Module.Items = append(c.Module.Items, nil)
	copy(c.Module.Items[at+1:], c.Module.Items[at:])
	c.Module.Items[at] = f
	c.entered(f)
}

// AppendFunction enters a function that a pass made after everything else.
func (c *Context) AppendFunction(f *ir.Function) {
	f.Module = c.Module
	c.Module.Funcs[f.Name] = f
	c.Module.Items = append(c.Module.Items, f)
	c.entered(f)
}

// IsNative reports whether the function is run otherwise than by its body.
func (c *Context) IsNative(f *ir.Function) bool { return c.native != nil && c.native(f.Name) }

func (c *Context) entered(f *ir.Function) {
	c.Added = append(c.Added, f)
	c.Changed(f)
}

// RemoveFunction takes a function out of the module; nothing may refer to it.
func (c *Context) RemoveFunction(f *ir.Function) {
	delete(c.Module.Funcs, f.Name)
	c.Changed(f)
	delete(c.facts, f)
	for n, item := range c.Module.Items {
		if item == ir.Item(f) {
			c.Module.Items = append(c.Module.Items[:n], c.Module.Items[n+1:]...)
			return
		}
	}
}

// String returns the remark as one line: "list.sil:212:3: passed: arc-sequence-opts: removed … in List.pop() (list.swift:31:9)". An instruction
// that a pass made has no place in the text.
func (r Remark) String() string {
	kind := "passed"
	if r.Missed {
		kind = "missed"
	}
	place, swift := "-", ""
	if r.Inst != nil {
		if at := r.Func.Module.Files.Place(r.Inst.Pos); at.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d", at.File, at.Line, at.Col)
		}
		if l := r.Inst.Loc; l != nil && l.Line > 0 {
			swift = fmt.Sprintf(" (%s:%d:%d)", l.File, l.Line, l.Col)
		}
	}
	return fmt.Sprintf("%s: %s: %s: %s in %s%s", place, kind, r.Pass, r.Text, r.Func.DisplayName(), swift)
}

// KeepsDeinit reports whether the end of a value of type t may not be moved over the instruction to an earlier place: it is a deinit barrier,
// or the deinit and the instruction depend on one another.
func (c *Context) KeepsDeinit(i *ir.Inst, t *ir.Type) bool {
	return c.IsDeinitBarrier(i) || c.Program(i.Block().Func).DependsOnDeinit(i, t)
}

// IsDeinitBarrier reports whether a deinit may not be moved over the instruction to an earlier place.
func (c *Context) IsDeinitBarrier(i *ir.Inst) bool { return c.Program(i.Block().Func).IsBarrier(i) }

// History says how a function came to be: a copy of parent for these types, made for a call in caller.
type History struct {
	Caller, Parent *ir.Function
	Subs           []*ir.Type
}
