package debugger

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// Calls that the user makes. A function of the program runs where the run stands, in calls of its own, and then all that it did is undone: memory,
// counts, objects, input. So a call answers a question, and the run stays the program's own.

// exprCall is a call: of a function, or of a method of a value.
type exprCall struct {
	of     expr
	labels string // as in the function's name: "_:by:"
	args   []exprArg
}

var errNoCall = errors.New("a call of the program stands alone, after print or call: it is no part of another expression, nor of a condition")

type exprArg struct {
	x    expr
	text string
}

// arguments reads what follows the ( of a call.
func (p *exprParser) arguments(of expr) (expr, error) {
	c := exprCall{of: of}
	for {
		if p.space(); p.at < len(p.text) && p.text[p.at] == ')' && len(c.args) == 0 {
			p.at++
			return c, nil
		}
		start := p.at
		label := p.word()
		if p.space(); label != "" && p.at < len(p.text) && p.text[p.at] == ':' {
			p.at++
		} else {
			p.at, label = start, "_"
		}
		p.space()
		start = p.at
		x, err := p.binary(0)
		if err != nil {
			return nil, err
		}
		c.labels += label + ":"
		c.args = append(c.args, exprArg{x, strings.TrimSpace(p.text[start:p.at])})
		p.space()
		switch {
		case p.at >= len(p.text) || p.text[p.at] != ',' && p.text[p.at] != ')':
			return nil, fmt.Errorf("no ) in %s", p.text)
		case p.text[p.at] == ')':
			p.at++
			return c, nil
		}
		p.at++
	}
}

// Called is what a call came to, before it was undone.
type Called struct {
	Func    string // that ran, as people call it
	Self    *Value // as the method left it; nil for other functions
	Result  Value  // what it returned, or the error that it threw
	Nothing bool   // it returned nothing
	Threw   bool
	Stopped string // why it did not return, "" when it did
	Printed string
	Steps   uint64
}

// maxCallSteps is how many steps a call of the user may take.
const maxCallSteps = 100_000_000

// IsCall reports whether a text is the call of a function.
func IsCall(text string) bool {
	e, err := parseExpr(text)
	_, is := e.(exprCall)
	return err == nil && is
}

// Call calls the function, the method or the getter of a property that an expression names, with names as a frame has them. look sees what came
// of it; nothing of the call is left afterwards. The error says why it can't be called.
func (d *Debugger) Call(text string, frame int, look func(Called)) error {
	e, err := parseExpr(text)
	if err != nil {
		return err
	}
	f, _ := d.Frame(frame)
	c, err := d.callOf(e, text, f)
	if err != nil {
		return err
	}
	if d.m.Ended() {
		return errors.New("the program has ended: rs goes back to where it can be called")
	}
	d.timeline.markLocal()
	snap := d.timeline.before(d.m.Steps())
	if snap == nil || snap.Steps != d.m.Steps() {
		return errors.New("there is no memory left to undo a call; --history gives more")
	}
	d.lift(true)
	defer d.lift(false)
	return d.m.Try(snap, c.fn, c.types, maxCallSteps, func(fn *code.Func) ([]uint64, error) { return c.pass(d, fn, f) },
		func(t vm.Tried) { look(c.outcome(d, t)) })
}

// calling is a call that is made.
type calling struct {
	text    string
	fn      *ir.Function
	types   []*ir.Type
	self    *result // nil for a function that is no method
	args    []exprArg
	sig     *ir.FuncType
	results []callResult
	thrown  *ir.Type
}

// callResult is a result of a call: its type, and where it is written; in registers when that is 0.
type callResult struct {
	t    *ir.Type
	addr uint64
}

// callOf finds what an expression calls.
func (d *Debugger) callOf(e expr, text string, f Frame) (*calling, error) {
	c := &calling{text: text}
	name := ""
	of := e
	if call, ok := e.(exprCall); ok {
		of, c.args, name = call.of, call.args, "("+call.labels+")"
	} else {
		name = ".getter"
	}
	switch of := of.(type) {
	case exprName:
		if name == ".getter" {
			return nil, fmt.Errorf("%s is no call", text)
		}
		fn, err := d.exactly(of.name + name)
		if c.fn = fn; fn != nil || err != nil {
			return c, err
		}
		self, err := d.named("self", f)
		if err != nil {
			return nil, d.noFunction(of.name + name)
		}
		c.self = &self
		if err := d.method(c, of.name+name); err != nil {
			var none *NoSuch
			if errors.As(err, &none) {
				err = d.noFunction(of.name + name)
			}
			return nil, err
		}
		return c, nil
	case exprField:
		self, err := d.evalIn(of.of, f)
		if err != nil {
			if n, ok := of.of.(exprName); ok {
				if fn, _ := d.exactly("static " + n.name + "." + of.name + name); fn != nil {
					return nil, fmt.Errorf("%s is a static method, which the debugger can't call", n.name+"."+of.name+name)
				}
			}
			return nil, err
		}
		c.self = &self
		return c, d.method(c, of.name+name)
	}
	return nil, fmt.Errorf("%s is no call", text)
}

// method finds the method of a call's self: of an object the one of its class.
func (d *Debugger) method(c *calling, name string) error {
	v := c.self.Value
	if v.Type == nil {
		return fmt.Errorf("%s is called on what is no value of the program", name)
	}
	if v.Type.Kind == ir.KindExistential {
		if in, ok := d.opened(v); ok {
			v = in
		}
	}
	if ref, ok := d.Ref(v); ok && d.isClassType(v.Type) {
		if meta, ok := d.m.Heap().Load64(ref); ok {
			if ti := d.m.TypeAt(meta); ti != nil && ti.Class != nil {
				v.Type = ti.Type
			}
		}
	}
	c.self.Value = v
	for t := range d.mod.Ancestry(v.Type) {
		fn, err := d.exactly(t.QualifiedName() + "." + name)
		if err != nil {
			return err
		}
		if fn == nil {
			continue
		}
		c.fn = fn
		if sig := fn.Type.Func.Generic; sig != nil {
			if c.types = t.AllArgs(); len(c.types) != len(sig.Params) {
				return fmt.Errorf("%s is generic: the debugger does not know its type arguments", Short(fn))
			}
		}
		return nil
	}
	fn, err := d.extensionMethod(v.Type, name)
	if fn != nil {
		c.fn, c.types = fn, []*ir.Type{v.Type}
	}
	if fn != nil || err != nil {
		return err
	}
	return d.noFunction(v.Type.QualifiedName() + "." + name)
}

// extensionMethod finds a method that a protocol has for all that conform to it, where a type meets what the method asks of Self.
func (d *Debugger) extensionMethod(t *ir.Type, name string) (found *ir.Function, err error) {
	for _, f := range d.mod.Funcs {
		if f.Type == nil || f.Type.Kind != ir.KindFunction || f.Type.Func.Generic == nil || len(f.Type.Func.Generic.Params) != 1 {
			continue
		}
		full := ShortName(d.demangled(f.Name))
		of, isMethod := strings.CutSuffix(full, "."+name)
		if !isMethod || isChanged(full) || strings.ContainsAny(of, " <") || !d.meets(t, f.Type.Func.Generic, of) {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("several extensions have %s for %s", name, d.typeName(t))
		}
		found = f
	}
	return found, nil
}

// meets reports whether a type conforms to all that a signature asks of its one parameter, a protocol of some name among it.
func (d *Debugger) meets(t *ir.Type, sig *ir.GenericSig, protocol string) (named bool) {
	for _, r := range sig.Requirements {
		if r.Kind != ir.ReqConformance || r.Subject.Kind != ir.KindParam || r.Type == nil {
			return false
		}
		if n, err := d.m.Program().Runtime.Conformance(t, r.Type); err != nil || n < 0 {
			return false
		}
		named = named || r.Type.QualifiedName() == protocol
	}
	return named
}

// exactly finds the function with a name and its labels, as it is written: no specialization of it, whose parameters may be others. The error says
// that several have the name, which differ in their types only.
func (d *Debugger) exactly(name string) (found *ir.Function, err error) {
	for _, f := range d.mod.Funcs {
		if f.Type == nil || f.Type.Kind != ir.KindFunction {
			continue
		}
		if full := ShortName(d.demangled(f.Name)); full == name || !isChanged(full) && plainName(full) == name && !strings.HasPrefix(full, "static ") {
			if found != nil {
				return nil, fmt.Errorf("several functions are called %s: the debugger does not choose by types", name)
			}
			found = f
		}
	}
	return found, nil
}

// isChanged reports whether a name is that of what the compiler made of a function.
func isChanged(name string) bool {
	for _, word := range []string{"specialized ", "merged ", "outlined ", "@objc ", "generic specialization ", "function signature specialization "} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

// noFunction says that there is none, and which there are of the name.
func (d *Debugger) noFunction(name string) error {
	var alike []string
	_, method, _ := cutLast(name, ".")
	if strings.HasSuffix(name, ".getter") || method == "" {
		method = name
	}
	for _, f := range d.mod.Funcs {
		full, called := withoutContext(ShortName(d.demangled(f.Name)))
		if base := bare(full); called && (base == bare(name) || strings.HasSuffix(base, "."+bare(method))) && !f.IsDeclaration() && !slices.Contains(alike, full) {
			alike = append(alike, full)
		}
	}
	slices.Sort(alike)
	if len(alike) > 0 {
		return fmt.Errorf("no function %s to call here; there is %s", name, strings.Join(alike[:min(len(alike), 3)], ", "))
	}
	err := &NoSuch{What: "function to call", Name: name}
	if near := (*NoSuch)(nil); errors.As(d.CheckFunc(bare(name)), &near) {
		err.Near = near.Near
	}
	return err
}

// pass makes the words of the arguments.
func (c *calling) pass(d *Debugger, fn *code.Func, f Frame) (words []uint64, err error) {
	made := fn.Fn
	if made == nil || fn.Native != nil {
		return nil, fmt.Errorf("%s is silvm's own code, which the debugger can't call", Short(c.fn))
	}
	c.fn, c.sig = made, made.Type.Func
	if c.sig.Async || c.sig.Coroutine != ir.NotCoroutine || c.sig.Pattern != nil {
		return nil, fmt.Errorf("%s is async, an accessor or of a type that the debugger can't call", Short(made))
	}
	for _, r := range c.sig.Results {
		p := callResult{t: d.concrete(r.Type, fn)}
		if r.Conv == ir.ResultPackOut || r.Conv == ir.ResultOpaqueOut {
			return nil, fmt.Errorf("%s returns a pack", Short(made))
		}
		if r.Conv.IsIndirect() {
			lay := d.layout(p.t)
			if lay == nil {
				return nil, fmt.Errorf("the size of %s is not known", d.typeName(p.t))
			}
			if p.addr, err = d.block(lay, nil); err != nil {
				return nil, err
			}
			words = append(words, p.addr)
		}
		c.results = append(c.results, p)
	}
	if e := c.sig.Error; e != nil {
		if c.thrown = d.concrete(e.Type, fn); e.Indirect {
			return nil, fmt.Errorf("%s throws an error of a type of its own, which the debugger can't receive", Short(made))
		}
	}
	params := c.sig.Params
	if c.self != nil {
		if len(params) == 0 {
			return nil, fmt.Errorf("%s takes no self", Short(made))
		}
		params = params[:len(params)-1]
	}
	if len(params) != len(c.args) {
		return nil, fmt.Errorf("%s takes %d arguments in SIL, where the call has %d: tuples and captures are passed in parts", Short(made), len(params), len(c.args))
	}
	for n, p := range params {
		x, err := d.evalIn(c.args[n].x, f)
		if err != nil {
			return nil, err
		}
		w, err := d.argument(p, x, c.args[n].text, fn)
		if err != nil {
			return nil, err
		}
		words = append(words, w...)
	}
	if c.self != nil {
		w, err := d.argument(c.sig.Params[len(params)], *c.self, "self", fn)
		if err != nil {
			return nil, err
		}
		words = append(words, w...)
	}
	return words, nil
}

// argument makes the words of one.
func (d *Debugger) argument(p ir.Param, x result, text string, fn *code.Func) ([]uint64, error) {
	t := d.concrete(p.Type, fn)
	lay := d.layout(t)
	if lay == nil {
		return nil, fmt.Errorf("the debugger can't pass %s: the size of %s is not known", text, d.typeName(t))
	}
	switch p.Conv {
	case ir.ParamPackOwned, ir.ParamPackGuaranteed, ir.ParamPackInout:
		return nil, fmt.Errorf("the debugger can't pass a pack")
	case ir.ParamInout, ir.ParamInoutAliasable:
		if x.kind != 'v' || x.Value.Addr == 0 || x.Value.Type == nil || d.typeName(x.Value.Type) != d.typeName(t) {
			return nil, fmt.Errorf("%s is no variable in memory of type %s, which the function changes", text, d.typeName(t))
		}
		return []uint64{x.Value.Addr}, nil
	}
	b, err := d.argumentBytes(t, lay, x, text)
	if err != nil {
		return nil, err
	}
	owned := p.Conv == ir.ParamDirectOwned || p.Conv == ir.ParamIn || p.Conv == ir.ParamInCXX
	if p.Conv.IsIndirect() || owned {
		at, err := d.block(lay, b)
		if err != nil {
			return nil, err
		}
		if owned {
			d.m.ReferencesIn(lay, at, func(_, target heap.Addr) { d.m.Heap().Retain(target) })
		}
		if p.Conv.IsIndirect() {
			return []uint64{at}, nil
		}
	}
	words := make([]uint64, len(lay.Scalars))
	for n, s := range lay.Scalars {
		for k := uint64(0); k < uint64(s.Width); k++ {
			words[n] |= uint64(b[s.Offset+k]) << (8 * k)
		}
	}
	return words, nil
}

// argumentBytes makes the value of an argument: one of the type, a reference to an object of a subclass, or what set takes for it.
func (d *Debugger) argumentBytes(t *ir.Type, lay *abi.Layout, x result, text string) ([]byte, error) {
	if s, ok := x.literal(); ok && d.isLibrary(t, "String") && lay.Size == 16 {
		if len(s) > maxSmall {
			return nil, fmt.Errorf("%q has more than %d bytes: a string that is passed has to be a short one, or a variable's", s, maxSmall)
		}
		b := append([]byte(s), make([]byte, 16-len(s))...)
		b[15] = 0xA0 | byte(len(s))
		if isASCII(s) {
			b[15] |= 0x40
		}
		return b, nil
	}
	if x.kind == 'n' && t.IsOptional() {
		return d.encodedCase(t, lay, "none")
	}
	target := t
	if t.IsOptional() {
		target = t.OptionalPayload()
	}
	if ref, ok := d.Ref(x.Value); x.kind == 'v' && ok && x.Value.Type != nil && d.isClassType(target) && lay.Size == 8 {
		meta, _ := d.m.Heap().Load64(ref)
		if ti := d.m.TypeAt(meta); ti != nil {
			for up := range d.mod.Ancestry(ti.Type) {
				if d.typeName(up) == d.typeName(target) {
					return le.AppendUint64(nil, ref), nil
				}
			}
		}
	}
	return d.encodedResult(t, lay, x, text)
}

// literal returns the text of a string that was written in the expression.
func (r result) literal() (string, bool) { return r.s, r.kind == 's' && !r.raw }

// maxSmall is how many bytes a String holds in itself.
const maxSmall = 15

func isASCII(s string) bool {
	for n := range len(s) {
		if s[n] >= 0x80 {
			return false
		}
	}
	return true
}

// block makes memory for a value.
func (d *Debugger) block(lay *abi.Layout, b []byte) (uint64, error) {
	at, f := d.m.Heap().AllocRaw(max(lay.Size, 1), max(lay.Align, 1), heap.KindMalloc, d.m.PC())
	if f != nil {
		return 0, errors.New("the program has no memory left for the call")
	}
	if m, ok := d.m.Heap().View(at, uint64(len(b))); ok {
		copy(m, b)
	}
	return at, nil
}

// outcome is what is told of a call.
func (c *calling) outcome(d *Debugger, t vm.Tried) Called {
	out := Called{Func: Short(c.fn), Threw: t.Threw, Printed: string(t.Printed), Steps: t.Steps}
	switch {
	case !t.Returned && t.Stop.Kind == vm.Trapped:
		out.Stopped = t.Stop.Trap.Error()
	case !t.Returned && t.Stop.Kind == vm.Exited:
		out.Stopped = fmt.Sprintf("it ended the program with status %d", t.Stop.ExitCode)
	case !t.Returned && t.Stop.Kind == vm.Interrupted:
		out.Stopped = "interrupted"
	case !t.Returned:
		out.Stopped = fmt.Sprintf("it had not returned after %d steps", t.Steps)
	case t.Threw:
		out.Result = d.inWords(c.thrown, t.Words)
	case len(c.results) == 0:
		if out.Nothing = true; c.self != nil {
			v := c.self.Value
			if v.Addr != 0 {
				v = d.memory(v.Type, v.Addr)
			}
			out.Self = &v
		}
	case len(c.results) == 1:
		out.Result, _ = d.returned(c.results[0], t.Words)
	default:
		words := t.Words
		for n, r := range c.results {
			var v Value
			v, words = d.returned(r, words)
			out.Result.Parts = append(out.Result.Parts, Child{itoa(n), v})
		}
	}
	return out
}

// returned reads a result, and returns the words behind it.
func (d *Debugger) returned(r callResult, words []uint64) (Value, []uint64) {
	if r.addr != 0 {
		return d.memory(r.t, r.addr), words
	}
	v := d.inWords(r.t, words)
	return v, words[len(v.Words):]
}

// inWords is a value of a type that words are the scalars of.
func (d *Debugger) inWords(t *ir.Type, words []uint64) Value {
	x := Value{Type: t, Layout: d.layout(t)}
	if x.Layout == nil {
		x.Note = "a value whose size is not known"
		return x
	}
	x.Bytes, x.Words = make([]byte, x.Layout.Size), words[:min(len(x.Layout.Scalars), len(words))]
	for n, s := range x.Layout.Scalars[:len(x.Words)] {
		putWord(x.Bytes, s.Offset, s.Width, words[n])
	}
	return x
}
