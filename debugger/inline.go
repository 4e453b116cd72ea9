package debugger

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/vm/code"
)

// Calls whose bodies were inlined, as the scopes of a text with debug information tell them. To the user they are calls: frames, lines
// and breakpoints are of the source, in which nothing was inlined.
//
// An instruction lies in a chain of calls, the outermost of which is the function that holds it. Where a line begins the chain is
// compared with that of the instruction before: the outermost call that differs is where the line begins, and the calls inside it begin
// there too. A stop shows the call that it is about; those inside it are hidden until a step enters them, as gdb does.

// level is a call of the chain.
type level struct {
	ir.SourceCall
	key   lineKey
	known bool // the call has a line here; else key is that of the instruction before
}

// spot is a boundary with what the source says of it.
type spot struct {
	levels []level // outermost first, at least one
	from   int     // the outermost level at which a line begins here; len(levels) when none does
}

// lineTable is what the source says of a function.
type lineTable struct {
	at    map[uint32]*spot // by boundary
	of    map[*ir.Inst]*spot
	lines bool // there are some
}

// lineTable reads that of a function, once.
func (d *Debugger) lineTable(f *code.Func) *lineTable {
	if t, ok := d.lines[f]; ok {
		return t
	}
	t := &lineTable{at: map[uint32]*spot{}, of: map[*ir.Inst]*spot{}}
	d.lines[f] = t
	ends, heads := map[*ir.Block][]level{}, map[*ir.Block]*spot{} // the chains at the ends of blocks, and what their first instructions say
	var order []*ir.Block
	var last []level
	for _, pc := range f.Bounds {
		i := d.m.PlaceOf(pc).Inst
		if i == nil {
			continue
		}
		b := i.Block()
		first := heads[b] == nil
		if first {
			last = ends[b] // of a block before it that goes there
		}
		s := &spot{levels: levelsOf(i, f, last)}
		s.from = differ(s.levels, last)
		if last = s.levels; first {
			heads[b] = s
			order = append(order, b)
		}
		for _, e := range i.Succs {
			if heads[e.To] == nil && ends[e.To] == nil {
				ends[e.To] = last
			}
		}
		ends[b] = last
		t.at[pc], t.of[i] = s, s
	}
	preds := cfg.PredecessorsAmong(order)
	for _, b := range order {
		s := heads[b]
		s.from = len(s.levels)
		if s.levels[s.from-1].known {
			s.from-- // a line of a block of its own, whatever was before
		}
		if b == b.Func.Entry() {
			s.from = 0
		}
		for _, p := range preds.Of(b) {
			s.from = min(s.from, differ(s.levels, ends[p]))
		}
	}
	for _, s := range t.at {
		t.lines = t.lines || s.begun(len(s.levels)) >= 0
	}
	return t
}

// levelsOf returns the chain of an instruction. What it does not say is as it was at the instruction before.
func levelsOf(i *ir.Inst, f *code.Func, last []level) []level {
	calls := i.SourceCalls()
	if calls == nil {
		if last != nil && i.Scope == 0 && i.Loc == nil {
			return last
		}
		calls = []ir.SourceCall{{Func: f.Name, Loc: i.Loc}}
	}
	if v := i.Var(); v != nil && v.Argno > 0 && calls[0].Scope != nil && calls[0].Loc != nil {
		// A capture has the place of its declaration, outside of the closure.
		if begin := calls[0].Scope.Function().Loc(); begin != nil && begin.File == calls[0].Loc.File && calls[0].Loc.Line < begin.Line {
			calls[0].Loc = begin
		}
	}
	out := make([]level, len(calls))
	for n, c := range calls {
		l := &out[len(out)-1-n]
		l.SourceCall = c
		l.key, l.known = lineOf(c.Loc)
	}
	for n := range out {
		if n >= len(last) || out[n].Site != last[n].Site {
			break
		}
		if !out[n].known {
			out[n].key = last[n].key
		}
	}
	return out
}

// differ returns the outermost level in which a chain is not as another one, len(a) when there is none.
func differ(a, b []level) int {
	n := shared(a, b)
	for k := range n {
		if a[k].key != b[k].key {
			return k
		}
	}
	return n
}

// shared is the number of calls that two chains of one function have in common.
func shared(a, b []level) int {
	n := 0
	for n < len(a) && n < len(b) && a[n].Site == b[n].Site {
		n++
	}
	return n
}

// hides is the number of calls that are hidden when a level of the chain is shown: those inside it, unless none of them has a line.
func (s *spot) hides(n int) int {
	for k := n + 1; k < len(s.levels); k++ {
		if s.levels[k].key.line > 0 {
			return len(s.levels) - 1 - n
		}
	}
	return 0
}

// begins returns the outermost level from one on, up to another one, whose line begins here; -1 when none does.
func (s *spot) begins(from, to int) int {
	for n := max(from, s.from); n <= to && n < len(s.levels); n++ {
		if s.levels[n].known {
			return n
		}
	}
	return -1
}

// begun returns the innermost level up to one whose line begins here, -1 when none does.
func (s *spot) begun(to int) int {
	for n := min(to, len(s.levels)-1); n >= s.from; n-- {
		if s.levels[n].known {
			return n
		}
	}
	return -1
}

// isIn reports whether the boundary lies in the call that ends a chain.
func (s *spot) isIn(chain []level) bool { return shared(s.levels, chain) == len(chain) }

// spotAt returns what the source says of a boundary, nil when nothing.
func (d *Debugger) spotAt(pc uint32) *spot {
	if f := d.m.PlaceOf(pc).Func; f != nil {
		return d.lineTable(f).at[pc]
	}
	return nil
}

// hideFor makes the call that ends a chain the one that is shown where the run stands.
func (d *Debugger) hideFor(chain []level) {
	d.hidden = 0
	if s := d.spotAt(d.m.PC()); s != nil && len(chain) > 0 && s.isIn(chain) {
		d.hidden = s.hides(len(chain) - 1)
	}
}

// place is a boundary where a breakpoint stands, with how many calls are hidden there.
type place struct {
	pc     uint32
	hidden int
}

// placed returns boundaries that hide nothing.
func placed(pcs ...uint32) []place {
	var out []place
	for _, pc := range pcs {
		out = append(out, place{pc: pc})
	}
	return out
}

// entries returns where the bodies of functions begin that have a name: that of a function itself, and those that were inlined into it.
func (d *Debugger) entries(f *code.Func, own bool, named func(symbol string) bool) []place {
	var out []place
	if own && len(f.Bounds) > 0 {
		p := place{pc: f.Bounds[0]}
		if s := d.lineTable(f).at[p.pc]; s != nil {
			p.hidden = s.hides(0)
		}
		out = append(out, p)
	}
	if f.Fn == nil {
		return out
	}
	type body struct {
		level int
		pcs   []uint32
	}
	bodies := map[*ir.Scope]*body{}
	var order []*body
	t := d.lineTable(f)
	for _, pc := range f.Bounds {
		s := t.at[pc]
		if s == nil {
			continue
		}
		for n := 1; n < len(s.levels); n++ {
			l := s.levels[n]
			b := bodies[l.Site]
			if b == nil {
				if b = (&body{level: n}); named(l.Func) {
					order = append(order, b)
				}
				bodies[l.Site] = b
			}
			b.pcs = append(b.pcs, pc)
		}
	}
	for _, b := range order {
		for _, pc := range d.firstOf(t, b.level, b.pcs) {
			out = append(out, place{pc, t.at[pc].hides(b.level)})
		}
	}
	return out
}

// moves are instructions that stand anywhere in a function: where one of them is tells nothing of where a body begins.
var moves = map[op.Op]bool{op.IntegerLiteral: true, op.FloatLiteral: true, op.StringLiteral: true, op.FunctionRef: true, op.Metatype: true,
	op.GlobalAddr: true, op.AllocStack: true}

// firstOf returns the boundaries of an inlined body that no other one of it dominates. What was hoisted out of a loop of the caller does
// not count as long as something is left in the loop: the body begins at each turn of it.
func (d *Debugger) firstOf(t *lineTable, deep int, pcs []uint32) []uint32 {
	inst := func(pc uint32) *ir.Inst { return d.m.PlaceOf(pc).Inst }
	dom := d.dominators(inst(pcs[0]).Block().Func)
	loops := cfg.FindLoops(dom)
	chain := t.at[pcs[0]].levels[:deep+1]
	callers := map[*cfg.Loop]bool{}
	isCallers := func(l *cfg.Loop) bool { // the loop has code that is not of the body
		yes, ok := callers[l]
		if !ok {
			for i := range l.Insts() {
				if s := t.of[i]; s != nil && !s.isIn(chain) && s.levels[len(s.levels)-1].known {
					yes = true
					break
				}
			}
			callers[l] = yes
		}
		return yes
	}
	depth := func(pc uint32) (n int) {
		for l := loops.Of(inst(pc).Block()); l != nil; l = l.Parent {
			if isCallers(l) {
				n++
			}
		}
		return n
	}
	var at []uint32
	deepest, real := 0, false
	for _, pc := range pcs {
		isReal := !moves[inst(pc).Op]
		n := depth(pc)
		if isReal && !real || isReal == real && n > deepest {
			at, deepest, real = nil, n, isReal
		}
		if isReal == real && n == deepest {
			at = append(at, pc)
		}
	}
	var out []uint32
	for n, pc := range at {
		first := true
		for m, other := range at {
			a, b := inst(pc).Block(), inst(other).Block()
			if m < n && a == b || a != b && dom.Dominates(b, a) {
				first = false
				break
			}
		}
		if first {
			out = append(out, pc)
		}
	}
	return out
}

// Inlining is where a function was inlined.
type Inlining struct {
	Sites int      // calls that its body replaced
	In    []string // the functions that hold them, as people call them
	All   bool     // nothing of the program refers to the function any more
}

// InlinedAt tells where functions that a name means were inlined, as far as the scopes of the text tell it.
func (d *Debugger) InlinedAt(name string) (x Inlining) {
	seen, holders := map[*ir.Scope]bool{}, map[string]bool{}
	symbols := map[string]bool{}
	for sc := range d.mod.Scopes() {
		whole := sc.Function()
		if sc.Inlined == nil || seen[sc.Inlined] || !isCalled(whole.Func, d.demangled(whole.Func), name) {
			continue
		}
		seen[sc.Inlined], symbols[whole.Func] = true, true
		x.Sites++
		out := sc
		for n := 0; out.Inlined != nil && n < 1000; n++ {
			out = out.Inlined
		}
		if in := d.nameOfFunction(out.Function().Func); !holders[in] {
			holders[in] = true
			x.In = append(x.In, in)
		}
	}
	x.All = x.Sites > 0
	slices.Sort(x.In)
	for _, f := range d.mod.Funcs {
		if x.All && isNamed(f, name) {
			symbols[f.Name] = true
		}
	}
	for symbol := range symbols {
		x.All = x.All && !d.isReferredTo(symbol)
	}
	return x
}

// isReferredTo reports whether something in the program's text, but for its own body and what describes inlined ones, names a function.
func (d *Debugger) isReferredTo(symbol string) bool {
	word := "@" + symbol
	for _, file := range d.mod.Files.Files() {
		if file.Ours || !file.IsRead() {
			continue
		}
		text := file.Text()
		for at := 0; ; {
			n := strings.Index(text[at:], word)
			if n < 0 {
				break
			}
			at += n + len(word)
			if at < len(text) && isWordByte(text[at]) {
				continue
			}
			line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
			if !strings.HasPrefix(line, "sil ") && !strings.HasPrefix(line, "sil_scope ") && !strings.Contains(line, "//") {
				return true
			}
		}
	}
	return false
}
