package measure

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/vm"
	bytecode "silvm/vm/code"
)

// The deinit model (docs/ARCOptimization, "Deinit Model"): deinits run on the thread of the program, are not sequenced with one another nor with
// other code, and an optimizer that makes use of that must keep memory safe. So what a program prints is two things: what its code prints,
// in order, and what each deinit prints, in any order. What a deinit prints must stay the same: one that prints something else ran before
// what it reads was there, or after it had gone.

// Deinit is the end of one object.
type Deinit struct {
	Class string
	Text  string // what it printed, without the deinits of other objects within it
	At    int    // bytes that other code had printed before it
	Where string // the function and the instruction that gave up the last reference

	fn   string
	inst *ir.Inst
}

// Watched runs the module like Run and keeps apart what deinits print.
func Watched(mod *ir.Module, cfg vm.Config) (*Outcome, error) {
	var stdout, stderr bytes.Buffer
	cfg.Stdout, cfg.Stderr = &stdout, &stderr
	m, err := vm.New(mod, cfg)
	if err != nil {
		return nil, err
	}
	w := &deinitWatcher{m: m, names: map[uint64]string{}}
	m.Observe(w.event, 0)
	called := map[string]bool{ir.EntryPoint: true}
	m.OnLowered(func(f *bytecode.Func) { called[f.Name] = true })
	end := m.Run(0)
	for end.Kind == vm.Budget {
		end = m.Run(0)
	}
	m.Observe(nil, 0)
	o := Of(m, end)
	o.Stdout, o.Stderr = stdout.Bytes(), stderr.Bytes()
	w.cut(len(o.Stdout))
	w.places()
	o.Code, o.Deinits, o.watched = w.texts(o.Stdout), w.deinits, true
	o.Called = called
	m.Release()
	return o, nil
}

// deinitWatcher follows which deinits are under way.
type deinitWatcher struct {
	m       *vm.Machine
	deinits []*Deinit
	open    []openDeinit
	pieces  []piece
	cutAt   int
	code    int               // bytes that no deinit printed, so far
	names   map[uint64]string // class by metadata word
}

// openDeinit is a deinit under way.
type openDeinit struct {
	d     *Deinit
	ref   heap.Addr
	depth int // of the call that gave up the last reference
}

// piece is a stretch of the output; d is nil when no deinit wrote it.
type piece struct {
	from, to int
	d        *Deinit
}

// cut assigns what was printed since the last cut to the innermost deinit.
func (w *deinitWatcher) cut(now int) {
	if now == w.cutAt {
		return
	}
	p := piece{from: w.cutAt, to: now}
	if n := len(w.open); n > 0 {
		p.d = w.open[n-1].d
	} else {
		w.code += now - w.cutAt
	}
	w.pieces = append(w.pieces, p)
	w.cutAt = now
}

func (w *deinitWatcher) event(kind heap.TapKind, ref heap.Addr) {
	if kind != heap.TapDeinit && kind != heap.TapEnd {
		return
	}
	w.settle()
	depth := w.m.Depth()
	w.open = slices.DeleteFunc(w.open, func(o openDeinit) bool { return kind == heap.TapEnd && o.ref == ref })
	if kind != heap.TapDeinit {
		return
	}
	d := &Deinit{Class: w.class(ref)}
	w.m.Frames(func(f vm.Frame) bool {
		d.inst = f.Inst
		if f.Func != nil && f.Func.Fn != nil {
			d.fn = f.Func.Fn.DisplayName()
		}
		return d.inst == nil // code without SIL releases references for somebody else
	})
	w.deinits = append(w.deinits, d)
	w.open = append(w.open, openDeinit{d, ref, depth})
}

// settle brings what is known up to this moment: deinits that were begun by calls that are over have ended.
func (w *deinitWatcher) settle() {
	w.cut(int(w.m.Printed()))
	depth := w.m.Depth()
	w.open = slices.DeleteFunc(w.open, func(o openDeinit) bool { return o.depth > depth })
}

func (w *deinitWatcher) class(ref heap.Addr) string {
	metadata, _ := w.m.Heap().Load64(ref) // an object has a first word
	name, ok := w.names[metadata]
	if !ok {
		if t := w.m.TypeAt(metadata); t != nil {
			name = t.Name
		}
		w.names[metadata] = name
	}
	return name
}

// texts shares the output out, and returns what code outside of deinits printed.
func (w *deinitWatcher) texts(out []byte) (code []byte) {
	at := map[*Deinit]bool{}
	for _, p := range w.pieces {
		p.to = min(p.to, len(out))
		p.from = min(p.from, p.to)
		if p.d == nil {
			code = append(code, out[p.from:p.to]...)
			continue
		}
		if !at[p.d] {
			at[p.d], p.d.At = true, len(code)
		}
		p.d.Text += string(out[p.from:p.to])
	}
	return code
}

// writing lists the deinits that printed something, in order.
func (o *Outcome) writing() (list []*Deinit) {
	for _, d := range o.Deinits {
		if d.Text != "" {
			list = append(list, d)
		}
	}
	return list
}

// inlinedDeinits returns the deinits of before that wrote something, but for those that after has as code. An object whose last release is
// known is destroyed by a call of its deinit, which may be inlined, and then nobody sees a deinit begin: what it prints stands
// somewhere between what the code around prints. They all stay when that does not account for the difference to the line.
func inlinedDeinits(before, after *Outcome) []*Deinit {
	all := before.writing()
	type key struct{ class, text string }
	left := map[key]int{}
	for _, d := range after.writing() {
		left[key{d.Class, d.Text}]++
	}
	var rest []*Deinit
	missing := map[string]int{}
	for _, d := range all {
		if k := (key{d.Class, d.Text}); left[k] > 0 {
			left[k]--
			rest = append(rest, d)
			continue
		}
		for line := range strings.Lines(d.Text) {
			missing[line]++
		}
	}
	code := slices.Collect(strings.Lines(string(before.Code)))
	for line := range strings.Lines(string(after.Code)) {
		switch {
		case len(code) > 0 && line == code[0]:
			code = code[1:]
		case missing[line] > 0:
			missing[line]--
		default:
			return all
		}
	}
	for _, n := range missing {
		if n > 0 {
			return all
		}
	}
	if len(code) > 0 {
		return all
	}
	return rest
}

// deinitsDiffer says which deinit is missing, runs once more, or prints something else.
func deinitsDiffer(before, after []*Deinit) string {
	type key struct{ class, text string }
	count := map[key]int{}
	for _, d := range before {
		count[key{d.Class, d.Text}]++
	}
	var extra []*Deinit
	for _, d := range after {
		k := key{d.Class, d.Text}
		if count[k]--; count[k] < 0 {
			extra = append(extra, d)
		}
	}
	var missing []*Deinit
	for _, d := range before {
		if k := (key{d.Class, d.Text}); count[k] > 0 {
			count[k]--
			missing = append(missing, d)
		}
	}
	if len(missing) > 0 {
		m := missing[0]
		n := slices.IndexFunc(extra, func(e *Deinit) bool { return e.Class == m.Class })
		if n >= 0 {
			return fmt.Sprintf("the deinit of %s moved past what it depends on: it printed %.60q, %s, and prints %.60q, %s", m.Class, m.Text, m.Where, extra[n].Text, extra[n].Where)
		}
		return fmt.Sprintf("a deinit of %s is missing: it printed %.60q, %s", m.Class, m.Text, m.Where)
	}
	if len(extra) > 0 {
		e := extra[0]
		return fmt.Sprintf("a deinit of %s runs once more: it prints %.60q, %s", e.Class, e.Text, e.Where)
	}
	return ""
}

// places words where the last references were given up, while the instructions are there.
func (w *deinitWatcher) places() {
	texts := map[*ir.Inst]string{}
	for _, d := range w.deinits {
		switch {
		case d.fn == "":
			d.Where = "at the end of the program"
		case d.inst == nil:
			d.Where = "in " + source.Escape(d.fn)
		default:
			text, ok := texts[d.inst]
			if !ok {
				text, _, _ = strings.Cut(d.inst.String(), "//")
				text = fmt.Sprintf("%.80s", source.Escape(strings.TrimSpace(text)))
				texts[d.inst] = text
			}
			d.Where = "in " + source.Escape(d.fn) + " at `" + text + "`"
		}
		d.inst = nil
	}
}

// moved names the first deinit that has another place in the output, with both places; "" when there is none.
func moved(before, after []*Deinit) string {
	same := func(a, b *Deinit) bool { return a.Class == b.Class && a.Text == b.Text }
	for n, b := range before {
		if n < len(after) && same(b, after[n]) && b.At == after[n].At {
			continue
		}
		for _, a := range after[min(n, len(after)):] {
			if same(a, b) {
				return fmt.Sprintf("deinits moved, as they may: that of %s, which prints %.60q, ran %s, %d bytes into the rest of the output, and now runs %s, %d bytes into it",
					b.Class, b.Text, b.Where, b.At, a.Where, a.At)
			}
		}
	}
	return ""
}
