package dumps

import (
	"fmt"
	"strings"

	"silvm/ir"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/ossa"
)

// instRange is the part of a function between an instruction and others that it dominates, as the compiler's InstructionRange describes one.
type instRange struct {
	begin    *ir.Inst
	insts    map[*ir.Inst]bool // inserted
	inserted []*ir.Block       // blocks with an inserted instruction, in order
	within   []*ir.Block       // blocks at whose end the range goes on
	isWithin map[*ir.Block]bool
	inside   map[*ir.Block]bool // blocks in which the range has a part
}

// extend lets the range go back from a block to the one in which it begins.
func (r *instRange) extend(b *ir.Block, preds func(b *ir.Block) []*ir.Block) {
	if r.inside[b] {
		return
	}
	r.inside[b] = true
	work := []*ir.Block{b}
	for b := range worklist.Drain(&work) {
		if b == r.begin.Block() {
			continue
		}
		for _, p := range preds(b) {
			if !r.isWithin[p] {
				r.isWithin[p] = true
				r.within = append(r.within, p)
			}
			if !r.inside[p] {
				r.inside[p] = true
				work = append(work, p)
			}
		}
	}
}

// ends lists the last instructions of the range, exits the blocks that follow it otherwise, interiors the inserted instructions that are no
// ends.
func (r *instRange) ends() (ends, interiors []*ir.Inst) {
	for _, b := range r.inserted {
		isEnd := !r.isWithin[b]
		for i := range b.Backward() {
			switch {
			case !r.insts[i]:
			case isEnd:
				ends = append(ends, i)
				isEnd = false
			default:
				interiors = append(interiors, i)
			}
		}
	}
	return ends, interiors
}

func (r *instRange) exits() []*ir.Block {
	var exits []*ir.Block
	for _, b := range r.within {
		for _, e := range b.Last().Succs {
			if !r.inside[e.To] || e.To == r.begin.Block() {
				exits = append(exits, e.To)
			}
		}
	}
	return exits
}

func (r *instRange) print(t *testRun) {
	lines := ir.NewLines(t.f)
	list := func(insts []*ir.Inst) string {
		var texts []string
		for _, i := range insts {
			texts = append(texts, strings.TrimSuffix(lines.Inst(i), "\n"))
		}
		return strings.Join(texts, "\n          ")
	}
	ends, interiors := r.ends()
	var exits []*ir.Inst
	for _, b := range r.exits() {
		exits = append(exits, b.First())
	}
	fmt.Fprintf(t.c.Out, "begin:    %s\nends:     %s\nexits:    %s\ninteriors:%s\n", list([]*ir.Inst{r.begin}), list(ends), list(exits), list(interiors))
}

// printBoundary writes where the range of v ends.
func (r *instRange) printBoundary(t *testRun, v *ir.Value) {
	lines := ir.NewLines(t.f)
	ends, _ := r.ends()
	for _, i := range ends {
		fmt.Fprintf(t.c.Out, "last user: %s", lines.Inst(i))
	}
	for _, b := range r.exits() {
		fmt.Fprintf(t.c.Out, "boundary edge: %s%s", scopeOf(t.f), lines.Block(b))
	}
	if len(r.inserted) == 0 {
		fmt.Fprintf(t.c.Out, "dead def: %s", lines.Value(v))
	}
}

// scopeOf returns the debug scope that the compiler makes for a function in the text: where its name stands.
func scopeOf(f *ir.Function) string {
	file := f.Module.Files.File(f.Pos)
	if file == nil {
		return ""
	}
	at, line := file.Place(f.Pos), file.Line(f.Pos)
	if _, name, ok := strings.Cut(line, "@"); ok {
		at.Col = len(line) - len(name) + 1
	}
	return fmt.Sprintf("sil_scope 1 { loc %q:%d:%d parent @%s : $%s }\n", at.File, at.Line, at.Col, f.Name, f.Type)
}

// testLinearLivenessSwift prints the range from the definition to the uses that end the lifetime as the compiler's part in Swift
// describes one.
func testLinearLivenessSwift(t *testRun, v *ir.Value) error {
	u := t.liveUses()
	u.Live.Define(v)
	u.Linear(v, func(*ir.Value) {})
	fmt.Fprintf(t.c.Out, "Linear liveness: %sLive blocks:\n", t.line(v))
	r := t.instRange(u, v)
	r.print(t)
	r.printBoundary(t, v)
	return nil
}

// instRange returns the range from where v begins to the uses that were noted.
func (t *testRun) instRange(u *ossa.LiveUses, v *ir.Value) *instRange {
	begin, preds := v.Inst(), t.ownership().Preds
	if begin == nil {
		if begin = ownership.TerminatorOf(v, preds); begin == nil {
			begin = v.Block().First()
		}
	}
	r := &instRange{begin: begin, insts: map[*ir.Inst]bool{}, isWithin: map[*ir.Block]bool{}, inside: map[*ir.Block]bool{}}
	has := map[*ir.Block]bool{}
	for _, i := range u.Users {
		r.insts[i] = true
		if !has[i.Block()] {
			has[i.Block()] = true
			r.inserted = append(r.inserted, i.Block())
			r.extend(i.Block(), preds)
		}
	}
	return r
}
