package repl

import (
	"fmt"
	"strconv"
	"strings"

	"silvm/debugger"
)

var dataCommands = []command{
	{name: "print", aliases: []string{"p"}, group: "data", usage: "EXPR", args: values,
		help: "show a value as Swift shows it\nEXPR: %5, a variable, Node#17, x.field, x[2], *ADDRESS, numbers, == < + && and so on. print/x shows its bytes.", run: doPrint},
	{name: "display", group: "data", usage: "[EXPR]", args: values, help: "show a value at every stop; without EXPR list what is shown", run: doDisplay},
	{name: "undisplay", group: "data", usage: "N", help: "show it no more", run: doUndisplay},
	{name: "locals", group: "data", help: "show the variables of the Swift source that the frame has\nThey are there when the SIL has debug_value instructions.", run: doLocals},
	{name: "values", aliases: []string{"args"}, group: "data", help: "show the SIL values that the frame has computed", run: doValues},
	{name: "bt", aliases: []string{"backtrace", "where"}, group: "data", usage: "[N]", help: "show the calls under way, innermost first; N of them", run: doBacktrace},
	{name: "frame", aliases: []string{"f"}, group: "data", usage: "[N]", help: "look at frame N; data commands follow", run: doFrame},
	{name: "up", group: "data", usage: "[N]", repeats: true, help: "look at the caller", run: func(r *REPL, c call) error { return r.climb(c, 1) }},
	{name: "down", group: "data", usage: "[N]", repeats: true, help: "look at what the frame called", run: func(r *REPL, c call) error { return r.climb(c, -1) }},
	{name: "list", aliases: []string{"l"}, group: "data", usage: "[FUNC|LINE]", repeats: true, args: places, help: "show the SIL around the frame's instruction; again: what follows", run: doList},
	{name: "cfg", group: "data", help: "show the blocks of the frame's function and where they lead", run: doCFG},
	{name: "x", group: "data", usage: "ADDRESS|EXPR [N]", args: values, help: "show N bytes of memory", run: doExamine},
}

func doPrint(r *REPL, c call) error {
	if c.args == "" {
		return fmt.Errorf("print needs an expression")
	}
	v, err := r.d.Eval(c.args, r.frame)
	if err != nil {
		return err
	}
	if c.format == "x" {
		r.printf("%s\n", r.raw(v))
		return nil
	}
	r.showValue(c.args, v)
	return nil
}

// showValue shows a value, and on further lines what an object has.
func (r *REPL) showValue(name string, v debugger.Value) {
	typ := ""
	if v.Type != nil {
		typ = " : " + r.paint(Type, clean(r.typeName(v)))
	}
	r.printf("%s%s = %s\n", r.paint(Name, clean(name)), typ, clean(r.d.Text(v)))
	ref, ok := r.d.Ref(v)
	if !ok {
		return
	}
	for _, f := range r.d.Fields(ref) {
		r.printf("  %s: %s\n", clean(f.Name), clean(r.d.Text(f.Value)))
	}
}

func (r *REPL) typeName(v debugger.Value) string {
	name := r.d.TypeName(v.Type)
	if v.Pointer {
		return "*" + name
	}
	return name
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
	return nil
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
	list := r.d.Locals(f)
	if len(list) == 0 {
		r.printf("no variables here; values shows the SIL values\n")
	}
	for _, v := range list {
		r.printf("%s : %s = %s\n", r.paint(Name, clean(v.Name)), r.paint(Type, clean(r.typeName(v.Value))), clean(r.d.Text(v.Value)))
	}
	return nil
}

func doValues(r *REPL, c call) error {
	f, err := r.current()
	if err != nil {
		return err
	}
	for _, v := range r.d.Values(f) {
		typ := ""
		if v.Value.Type != nil {
			typ = " : " + r.paint(Type, clean(r.typeName(v.Value)))
		}
		r.printf("%s%s = %s\n", r.paint(Name, clean(v.Name)), typ, clean(r.d.Text(v.Value)))
	}
	return nil
}

func doBacktrace(r *REPL, c call) error {
	n := uint64(20)
	if c.args != "" {
		var err error
		if n, err = number(c.args); err != nil {
			return err
		}
	}
	if r.d.Ended() && r.d.End().Trap == nil {
		return fmt.Errorf("the program has ended; rs steps back")
	}
	frames := r.d.Frames(int(min(n, 1<<20)))
	for _, f := range frames {
		mark := " "
		if f.Index == r.frame {
			mark = r.paint(Current, ">")
		}
		r.printf("%s%2d  %s\n", mark, f.Index, r.frameText(f))
	}
	if more := r.d.Depth() - len(frames); more > 0 {
		r.printf("     … %s more\n", count(more, "frame"))
	}
	return nil
}

// frameText words where a frame is.
func (r *REPL) frameText(f debugger.Frame) string {
	text := r.paint(Name, clean(f.Name()))
	if f.Inst != nil {
		text += " at " + r.place(f)
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
	r.printf("frame %d  %s\n", f.Index, r.frameText(f))
	r.showInst(f)
	return nil
}

func doExamine(r *REPL, c call) error {
	word, rest := cutWord(c.args)
	n := uint64(64)
	if rest != "" {
		var err error
		if n, err = number(rest); err != nil {
			return err
		}
	}
	addr, err := strconv.ParseUint(word, 0, 64)
	if err != nil {
		v, err := r.d.Eval(word, r.frame)
		if err != nil {
			return err
		}
		switch {
		case v.Pointer || v.Addr != 0:
			addr = v.Addr
		case len(v.Bytes) >= 8:
			for k := 7; k >= 0; k-- {
				addr = addr<<8 | uint64(v.Bytes[k])
			}
		default:
			return fmt.Errorf("%s is no address", clean(word))
		}
	}
	n = min(n, 4096)
	b, ok := r.d.Heap().Range(addr, n)
	if !ok {
		return fmt.Errorf("%#x is not mapped", addr)
	}
	for k := 0; k < len(b); k += 16 {
		row := b[k:min(k+16, len(b))]
		text := make([]byte, len(row))
		for n, x := range row {
			text[n] = '.'
			if x >= 0x20 && x < 0x7f {
				text[n] = x
			}
		}
		r.printf("%#08x  % -47x  %s\n", addr+uint64(k), row, text)
	}
	return nil
}
