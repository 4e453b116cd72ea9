package repl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"silvm/debugger"
	"silvm/debugger/view"
)

var dataCommands = []command{
	{name: "print", aliases: []string{"p"}, group: "data", usage: "EXPR", args: values,
		help: "show a value as Swift shows it\nEXPR: %5, a variable, Node#17, x.field, x[2], x[\"key\"], x.count, type(of: x), *x, &x, *ADDRESS, numbers, == === < + && and so on.\nprint/x shows its bytes, /d /u /o /t /c a number in another form.", run: doPrint},
	{name: "call", group: "data", usage: "FUNC(ARGS)", args: values, help: "call a function of the program, and undo what it did\n" +
		"fib(3), x.find(key, from: 2), x.total of a property with a getter: it runs where the program stands, and what it returned is shown as it was\n" +
		"then; memory, counts and objects are as before afterwards. print does the same. Arguments are expressions, numbers, true, nil, .case and short\n" +
		"strings; a function that was inlined everywhere can't be called, nor a generic one, but for methods of generic types.", run: doCall},
	{name: "whatis", aliases: []string{"ptype"}, group: "data", usage: "EXPR", args: values, help: "show the type of a value, and its parts", run: doWhatis},
	{name: "display", group: "data", usage: "[EXPR]", args: values, help: "show a value at every stop; without EXPR list what is shown", run: doDisplay},
	{name: "undisplay", group: "data", usage: "N", help: "show it no more", run: doUndisplay},
	{name: "locals", group: "data", usage: "[X…]", args: values, help: "show the variables of the Swift source that the frame has\nThey are there when the SIL has debug_value instructions.", run: doLocals},
	{name: "args", group: "data", help: "show the parameters of the frame's function", run: doArgs},
	{name: "values", group: "data", help: "show the SIL values that the frame has computed", run: doValues},
	{name: "bt", aliases: []string{"backtrace"}, group: "data", usage: "[full] [tasks] [N]", help: "show the calls under way, innermost first; N of them\nbt full with the variables of each, bt tasks those of every task.", run: doBacktrace},
	{name: "tasks", group: "data", help: "list the tasks that have not ended, what each does or waits for, and where\nThe main thread is one of them; bt tasks shows all their calls.", run: doTasks},
	{name: "frame", aliases: []string{"f"}, group: "data", usage: "[N]", help: "look at frame N; data commands follow", run: doFrame},
	{name: "up", group: "data", usage: "[N]", repeats: true, help: "look at the caller", run: func(r *REPL, c call) error { return r.climb(c, 1) }},
	{name: "down", group: "data", usage: "[N]", repeats: true, help: "look at what the frame called", run: func(r *REPL, c call) error { return r.climb(c, -1) }},
	{name: "list", aliases: []string{"l"}, group: "data", usage: "[FUNC|LINE|swift]", repeats: true, args: places, help: "show the SIL around the frame's instruction; again: what follows\nlist swift shows the Swift source around the frame's line.", run: doList},
	{name: "disassemble", aliases: []string{"disas", "disass", "di"}, group: "data", usage: "[FUNC]", args: places, help: "show all SIL of a function, of the frame's without FUNC", run: doDisassemble},
	{name: "functions", group: "data", usage: "[WORD]", help: "list the functions of the program, those whose names have a word", run: doFunctions},
	{name: "globals", group: "data", usage: "[WORD]", help: "list the global variables with their values", run: doGlobals},
	{name: "classes", group: "data", usage: "[WORD]", help: "list the classes with the number of their live objects", run: doClasses},
	{name: "sources", group: "data", help: "list the files of the program and the Swift files that they name", run: doSources},
	{name: "cfg", group: "data", help: "show the blocks of the frame's function and where they lead", run: doCFG},
	{name: "x", group: "data", usage: "ADDRESS|EXPR [N]", args: values,
		help: "show N bytes of memory: of an object, of what a pointer points to, at an address\nx/NFU shows N units: F is x d u o t c s i, U is b h w g.", run: doExamine},
}

// showValue shows a value, and on further lines what an object has.
func (r *REPL) showValue(name string, v debugger.Value) {
	r.printf("%s%s = %s\n", r.paint(Name, clean(name)), r.typed(v), clean(r.d.Text(v)))
	ref, ok := r.d.Ref(v)
	if !ok {
		return
	}
	for _, f := range r.d.Fields(ref) {
		r.printf("  %s: %s\n", clean(f.Name), clean(r.d.Text(f.Value)))
	}
}

// typed is " : TYPE" of a value, "" when nothing is known of it.
func (r *REPL) typed(v debugger.Value) string {
	name := r.d.TypeOf(v)
	switch {
	case name == "":
		return ""
	case v.Pointer:
		name = "*" + name
	}
	return " : " + r.paint(Type, clean(name))
}

// raw shows the bytes of a value.
func (r *REPL) raw(v debugger.Value) string {
	if v.Bytes == nil {
		return "no bytes: " + clean(r.d.Text(v))
	}
	var b strings.Builder
	for n, x := range v.Bytes {
		if n > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%02x", x)
	}
	where := "in registers"
	if v.Addr != 0 {
		where = "at " + fmt.Sprintf("%#x", v.Addr)
	}
	return fmt.Sprintf("%s (%s, %s)", b.String(), count(len(v.Bytes), "byte"), where)
}

func doDisplay(r *REPL, c call) error {
	if c.args != "" {
		if _, err := r.d.Eval(c.args, r.frame); err != nil {
			r.printf("note: not now: %s\n", clean(err.Error()))
		}
		r.displays = append(r.displays, c.args)
	}
	r.showDisplays()
	r.give(func() any { return r.evaluated(r.displays) })
	return nil
}

// evaluated is the view of some expressions; of one that can't be evaluated the value says why.
func (r *REPL) evaluated(exprs []string) view.Variables {
	var list []debugger.Variable
	for _, e := range exprs {
		v, err := r.d.Eval(e, r.frame)
		if err != nil {
			v = debugger.Value{Note: err.Error()}
		}
		list = append(list, debugger.Variable{Name: e, Value: v})
	}
	return r.view.Variables(list)
}

func (r *REPL) showDisplays() {
	for n, e := range r.displays {
		v, err := r.d.Eval(e, r.frame)
		text := ""
		if err != nil {
			text = r.paint(Dim, clean(err.Error()))
		} else {
			text = clean(r.d.Text(v))
		}
		r.printf("%d: %s = %s\n", n+1, clean(e), text)
	}
}

func doUndisplay(r *REPL, c call) error {
	n, err := strconv.Atoi(c.args)
	if err != nil || n < 1 || n > len(r.displays) {
		return fmt.Errorf("undisplay needs the number of a display")
	}
	r.displays = append(r.displays[:n-1:n-1], r.displays[n:]...)
	return nil
}

func (r *REPL) current() (debugger.Frame, error) {
	f, ok := r.d.Frame(r.frame)
	if !ok || r.d.Ended() && r.d.End().Trap == nil {
		return f, fmt.Errorf("the program has ended; rs steps back")
	}
	return f, nil
}

func doLocals(r *REPL, c call) error {
	f, err := r.current()
	if err != nil {
		return err
	}
	for e := range strings.FieldsSeq(c.args) {
		if err := doPrint(r, call{args: e, format: c.format}); err != nil {
			return err
		}
	}
	if c.args != "" {
		r.give(func() any { return r.evaluated(strings.Fields(c.args)) })
		return nil
	}
	list := r.d.Locals(f)
	r.give(func() any { return r.view.Variables(list) })
	if len(list) == 0 {
		r.printf("no variables here; values shows the SIL values\n")
	}
	for _, v := range list {
		r.printf("%s%s = %s\n", r.paint(Name, clean(v.Name)), r.typed(v.Value), clean(r.d.Text(v.Value)))
	}
	return nil
}

func doArgs(r *REPL, c call) error {
	f, err := r.current()
	if err != nil {
		return err
	}
	for _, list := range [][]debugger.Variable{r.d.Locals(f), r.d.Values(f)} {
		list = slices.DeleteFunc(list, func(v debugger.Variable) bool { return !v.IsArg })
		r.give(func() any { return r.view.Variables(list) })
		for _, v := range list {
			r.printf("%s%s = %s\n", r.paint(Name, clean(v.Name)), r.typed(v.Value), clean(r.d.Text(v.Value)))
		}
		if len(list) > 0 {
			return nil
		}
	}
	r.printf("no parameters\n")
	return nil
}

func doValues(r *REPL, c call) error {
	f, err := r.current()
	if err != nil {
		return err
	}
	list := r.d.Values(f)
	r.give(func() any { return r.view.Variables(list) })
	for _, v := range list {
		r.printf("%s%s = %s\n", r.paint(Name, clean(v.Name)), r.typed(v.Value), clean(r.d.Text(v.Value)))
	}
	return nil
}

func doBacktrace(r *REPL, c call) error {
	n := uint64(20)
	args, tasks, full := "", false, false
	for word := range strings.FieldsSeq(c.args) {
		switch {
		case word == "tasks":
			tasks = true
		case word == "full":
			full = true
		case args != "":
			return fmt.Errorf("bt takes one number: %s", clean(word))
		default:
			args = strings.TrimPrefix(word, "-")
		}
	}
	if args != "" && args != "all" {
		var err error
		if n, err = number(args); err != nil {
			return err
		}
	}
	if r.d.Ended() && r.d.End().Trap == nil {
		return fmt.Errorf("the program has ended; rs steps back")
	}
	if tasks {
		list := r.d.Tasks(int(min(n, 1<<20)))
		r.give(func() any { return r.view.Tasks(list, full) })
		for _, t := range list {
			r.printf("%s %s\n", r.taskName(t), clean(t.State))
			for _, f := range t.Frames {
				r.printf(" %2d  %s\n", f.Index, r.frameText(f))
				if full {
					r.showLocals(f)
				}
			}
		}
		return nil
	}
	frames := r.d.Frames(int(min(n, 1<<20)))
	r.give(func() any { return r.view.Frames(frames, full) })
	own := len(frames) // from there on all are of what runs tasks
	if args != "all" && r.d.Depth() == len(frames) {
		for own > 1 && r.isOurs(frames[own-1]) {
			own--
		}
	}
	for _, f := range frames[:own] {
		mark := " "
		if f.Index == r.frame {
			mark = r.paint(Current, ">")
		}
		r.printf("%s%2d  %s\n", mark, f.Index, r.frameText(f))
		if full {
			r.showLocals(f)
		}
	}
	if n := len(frames) - own; n > 0 {
		r.printf("     … %s of what runs tasks: bt all\n", count(n, "frame"))
	}
	if more := r.d.Depth() - len(frames); more > 0 {
		r.printf("     … %s more\n", count(more, "frame"))
	}
	return nil
}

// isOurs reports whether a frame is of what silvm brings along for the library.
func (r *REPL) isOurs(f debugger.Frame) bool {
	return f.Inst == nil || r.d.Module().Files.IsOurs(f.Inst.Pos)
}

func doTasks(r *REPL, c call) error {
	list := r.d.Tasks(debugger.TaskFrames)
	if r.d.Ended() && r.d.End().Trap == nil {
		if list = r.d.Unfinished(); len(list) == 0 {
			return fmt.Errorf("the program has ended, and every task with it; rs steps back")
		}
		r.printf("the program has ended; these had not:\n")
	}
	r.give(func() any { return r.view.Tasks(list, false) })
	for _, t := range list {
		text := r.taskName(t) + " " + clean(t.State)
		if f := t.Place(); f != nil {
			text += ", in " + r.frameText(*f)
		}
		r.printf("%s\n", text)
	}
	return nil
}

// showLocals shows the variables below a frame.
func (r *REPL) showLocals(f debugger.Frame) {
	for _, v := range r.d.Locals(f) {
		r.printf("        %s%s = %s\n", r.paint(Name, clean(v.Name)), r.typed(v.Value), clean(r.d.Text(v.Value)))
	}
}

// taskName is the name of a task, with a mark for the one that runs.
func (r *REPL) taskName(t debugger.Task) string {
	mark := " "
	if t.Running {
		mark = r.paint(Current, ">")
	}
	return mark + " " + r.paint(Name, clean(t.Name))
}

// frameText words where a frame is.
func (r *REPL) frameText(f debugger.Frame) string {
	text := r.paint(Name, clean(f.Name()))
	switch l := f.Loc(); {
	case f.Inst == nil:
	case !f.IsInlined():
		text += " at " + r.place(f)
	case l != nil:
		text += fmt.Sprintf(" at %s:%d, inlined", clean(l.File), l.Line)
	default:
		text += ", inlined"
	}
	return text
}

func doFrame(r *REPL, c call) error {
	if c.args != "" {
		n, err := strconv.Atoi(c.args)
		if err != nil {
			return fmt.Errorf("frame needs a number")
		}
		if _, ok := r.d.Frame(n); !ok {
			return fmt.Errorf("there is no frame %d", n)
		}
		r.frame = n
	}
	r.listed = 0
	return r.showFrame()
}

func (r *REPL) climb(c call, by int) error {
	n, err := number(c.args)
	if err != nil {
		return err
	}
	to := r.frame + by*int(n)
	if to < 0 {
		return fmt.Errorf("this is the innermost frame")
	}
	if _, ok := r.d.Frame(to); !ok {
		return fmt.Errorf("this is the outermost frame")
	}
	r.frame, r.listed = to, 0
	return r.showFrame()
}

func (r *REPL) showFrame() error {
	f, ok := r.d.Frame(r.frame)
	if !ok {
		return fmt.Errorf("no frame")
	}
	r.give(func() any { return r.view.Frame(f) })
	r.printf("frame %d  %s\n", f.Index, r.frameText(f))
	r.showInst(f)
	return nil
}
