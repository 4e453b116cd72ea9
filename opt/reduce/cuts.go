package reduce

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// cut is one kind of cut.
type cut struct {
	name string
	// places lists where a module can be cut, always in the same order for the same text. A place may be cut after any places before
	// it in the list; it does nothing when those have taken it away.
	places func(m *ir.Module) []func()
}

// cuts are the kinds in the order in which they take turns.
var cuts = []cut{
	{"bodies of functions", declarations}, // first: nothing else needs a body, while everything else is named somewhere
	{"functions, tables and declarations", items},
	{"all code after the entry of functions", stubs},
	{"blocks", blockEnds},
	{"branches", branches},
	{"jumps", jumps},
	{"instructions", instructions},
	{"values that another one can stand for", forwards},
	{"operands", operands},
	{"arguments of blocks", arguments},
	{"entries of tables", entries},
	{"lines of declarations", declarationLines},
	{"locations, comments and attributes", details},
}

// items are the top-level things.
func items(m *ir.Module) (out []func()) {
	for _, item := range m.Items {
		out = append(out, func() {
			if n := slices.Index(m.Items, item); n >= 0 {
				m.Items = slices.Delete(m.Items, n, n+1)
			}
		})
	}
	return out
}

// bodies lists the functions that have one.
func bodies(m *ir.Module) (out []*ir.Function) {
	for _, f := range m.Functions() {
		if f.Body() == nil && len(f.Blocks) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// declarations makes declarations of functions.
func declarations(m *ir.Module) (out []func()) {
	for _, f := range bodies(m) {
		out = append(out, func() {
			f.Blocks, f.Effects, f.Linkage = nil, nil, ir.LinkageDefault
			f.Attrs = slices.DeleteFunc(f.Attrs, func(a ir.Attr) bool { return a.Kind != ir.AttrOSSA })
		})
	}
	return out
}

// stubs leaves nothing of a function but an end that is never reached.
func stubs(m *ir.Module) (out []func()) {
	for _, f := range bodies(m) {
		if i := f.Entry().First(); i != nil && i.Op == op.Unreachable {
			continue
		}
		out = append(out, func() { truncate(f.Entry().First()) })
	}
	return out
}

// truncate ends a block before an instruction, in an unreachable.
func truncate(i *ir.Inst) {
	b := i.Block()
	if b == nil {
		return
	}
	loc, scope := i.Loc, i.Scope
	for i != nil {
		next := i.Next()
		erase(i)
		i = next
	}
	b.Append(&ir.Inst{Op: op.Unreachable, Loc: loc, Scope: scope})
}

// erase removes an instruction; what uses its results uses undef.
func erase(i *ir.Inst) {
	for _, r := range i.Results {
		unset(r)
	}
	i.Remove()
}

// unset makes the users of a value use undef.
func unset(v *ir.Value) {
	if v.HasUses() {
		v.ReplaceAllUses(ir.NewUndef(v.Type))
	}
}

// eachBlock calls f with the blocks of all bodies.
func eachBlock(m *ir.Module, f func(b *ir.Block)) {
	for _, fn := range bodies(m) {
		for _, b := range fn.Blocks {
			f(b)
		}
	}
}

// eachInst calls f with the instructions of all bodies.
func eachInst(m *ir.Module, f func(i *ir.Inst)) {
	eachBlock(m, func(b *ir.Block) {
		for i := range b.Insts() {
			f(i)
		}
	})
}

// blockEnds makes the end of a block unreachable, and with it what only that block leads to.
func blockEnds(m *ir.Module) (out []func()) {
	eachBlock(m, func(b *ir.Block) {
		if t := b.Terminator(); t != nil && t.Op != op.Unreachable {
			out = append(out, func() { truncate(t) })
		}
	})
	return out
}

// branches goes one of several ways always.
func branches(m *ir.Module) (out []func()) {
	eachBlock(m, func(b *ir.Block) {
		t := b.Terminator()
		if t == nil || len(t.Succs) < 2 {
			return
		}
		for n := range t.Succs {
			out = append(out, func() {
				if t.Block() != nil {
					always(t, n)
				}
			})
		}
	})
	return out
}

// always makes a terminator a branch along its edge n.
func always(t *ir.Inst, n int) {
	e := t.Succs[n]
	var args []*ir.Value
	for _, o := range t.EdgeArgs(n) {
		args = append(args, o.Value())
	}
	for _, a := range e.To.Args[len(args):] { // those that the terminator itself defines
		args = append(args, ir.NewUndef(a.Type))
	}
	br := &ir.Inst{Op: op.Br, Loc: t.Loc, Scope: t.Scope, Succs: []ir.Edge{{To: e.To, N: len(args)}}}
	b := t.Block()
	t.Remove()
	br.SetOperands(args)
	b.Append(br)
}

// jumps joins a block with the only one that branches to it.
func jumps(m *ir.Module) (out []func()) {
	for _, f := range bodies(m) {
		preds := map[*ir.Block]int{f.Entry(): 1}
		for _, b := range f.Blocks {
			if t := b.Terminator(); t != nil {
				for _, e := range t.Succs {
					preds[e.To]++
				}
			}
		}
		for _, b := range f.Blocks {
			if t := b.Terminator(); t != nil && t.Op == op.Br && preds[t.Succs[0].To] == 1 {
				out = append(out, func() { join(t) })
			}
		}
	}
	return out
}

// join moves the block that a branch leads to to the end of its own.
func join(br *ir.Inst) {
	b, to := br.Block(), br.Succs[0].To
	for n, a := range to.Args {
		a.ReplaceAllUses(br.Arg(n))
	}
	br.Remove()
	for i := to.First(); i != nil; i = to.First() {
		i.MoveToEnd(b)
	}
	b.Func.RemoveBlock(to)
}

// instructions takes instructions out. What used their results uses undef, which lets that be taken out too.
func instructions(m *ir.Module) (out []func()) {
	eachInst(m, func(i *ir.Inst) {
		if !i.Op.IsTerminator() {
			out = append(out, func() {
				if i.Block() != nil {
					erase(i)
				}
			})
		}
	})
	return out
}

// forwards lets an operand of the same type stand for a result: the copied value for the copy, the base for the borrow.
func forwards(m *ir.Module) (out []func()) {
	eachInst(m, func(i *ir.Inst) {
		r := i.Result()
		if r == nil || !r.HasUses() || i.Op.IsTerminator() {
			return
		}
		for n := range i.Operands {
			if v := i.Arg(n); v != nil && v.Type == r.Type && !v.IsUndef() {
				out = append(out, func() {
					if v := i.Operands[n].Value(); i.Block() != nil && v != nil && v != r {
						r.ReplaceAllUses(v)
						i.Remove()
					}
				})
			}
		}
	})
	return out
}

// operands makes operands undef, so that nothing needs what computed them.
func operands(m *ir.Module) (out []func()) {
	eachInst(m, func(i *ir.Inst) {
		for n := range i.Operands {
			if v := i.Arg(n); v != nil && !v.IsUndef() {
				out = append(out, func() { i.Operands[n].Set(ir.NewUndef(v.Type)) })
			}
		}
	})
	return out
}

// arguments removes arguments that branches pass to a block.
func arguments(m *ir.Module) (out []func()) {
	for _, f := range bodies(m) {
		into := map[*ir.Block][]*ir.Inst{}
		for _, b := range f.Blocks {
			t := b.Terminator()
			if t == nil {
				continue
			}
			for _, e := range t.Succs {
				into[e.To] = append(into[e.To], t)
			}
		}
		for _, b := range f.Blocks[1:] {
			if !slices.ContainsFunc(into[b], func(t *ir.Inst) bool { return t.Op != op.Br && t.Op != op.CondBr }) {
				for _, a := range slices.Backward(b.Args) {
					out = append(out, func() { dropArgument(b, a, into[b]) })
				}
			}
		}
	}
	return out
}

// dropArgument takes an argument from a block and from the branches to it. A cond_br with both edges to the block is in the list twice.
func dropArgument(b *ir.Block, a *ir.Value, branches []*ir.Inst) {
	k := a.Index()
	done := map[*ir.Inst]bool{}
	for _, t := range branches {
		for n := range t.Succs {
			if t.Succs[n].To == b && !done[t] {
				t.RemoveEdgeArg(n, k)
			}
		}
		done[t] = true
	}
	unset(a)
	b.RemoveArg(k)
}

// entries are those of vtables and witness tables.
func entries(m *ir.Module) (out []func()) {
	for _, item := range m.Items {
		switch t := item.(type) {
		case *ir.VTable:
			for _, e := range t.Entries {
				out = append(out, func() {
					t.Entries = slices.DeleteFunc(t.Entries, func(x ir.VTableEntry) bool { return x.Ref.Text == e.Ref.Text })
				})
			}
		case *ir.WitnessTable:
			for _, e := range t.Entries {
				out = append(out, func() {
					t.Entries = slices.DeleteFunc(t.Entries, func(x ir.WitnessEntry) bool { return x.Text == e.Text })
				})
			}
		}
	}
	return out
}

// declarationLines are lines of declarations, with all that they open a brace for.
func declarationLines(m *ir.Module) (out []func()) {
	for _, item := range m.Items {
		var text *string
		switch x := item.(type) {
		case *ir.Nominal:
			text = &x.Text
		case *ir.Raw:
			text = &x.Text
		default:
			continue
		}
		lines := strings.SplitAfter(*text, "\n")
		gone := make([]bool, len(lines))
		for n := 1; n < len(lines); n++ {
			end := closing(lines, n)
			if end < 0 {
				continue
			}
			out = append(out, func() {
				for k := n; k < end; k++ {
					gone[k] = true
				}
				var b strings.Builder
				for k, line := range lines {
					if !gone[k] {
						b.WriteString(line)
					}
				}
				*text = b.String()
			})
		}
	}
	return out
}

// closing returns the line after what line n opens; negative when the line closes more than it opens, or is empty.
func closing(lines []string, n int) int {
	if strings.TrimSpace(lines[n]) == "" {
		return -1
	}
	depth := 0
	for k := n; k < len(lines); k++ {
		depth += strings.Count(lines[k], "{") - strings.Count(lines[k], "}")
		if depth < 0 || depth == 0 && strings.HasPrefix(strings.TrimSpace(lines[k]), "}") && k == n {
			return -1
		}
		if depth == 0 {
			return k + 1
		}
	}
	return -1
}

// details are what the meaning of the code hardly depends on.
func details(m *ir.Module) (out []func()) {
	for _, item := range m.Items {
		switch x := item.(type) {
		case *ir.Function:
			if x.Body() != nil {
				continue
			}
			out = append(out, func() { x.Comment, x.Effects = "", nil }, func() { bareLocations(x) })
			for _, a := range x.Attrs {
				out = append(out, func() { x.Attrs = slices.DeleteFunc(x.Attrs, func(b ir.Attr) bool { return a == b }) })
			}
		case *ir.Global:
			out = append(out, func() { x.Comment, x.Loc, x.Scope = "", nil, 0 })
			if x.Init != nil {
				out = append(out, func() { x.Init = nil })
			}
		}
	}
	return out
}

// bareLocations takes the places in the Swift source from a function.
func bareLocations(f *ir.Function) {
	f.Loc, f.Scope = nil, 0
	for i := range f.Insts() {
		i.Loc, i.Scope = nil, 0
	}
}

// tidy removes the blocks that nothing leads to any more.
func tidy(m *ir.Module) {
	for _, f := range bodies(m) {
		f.Renumber()
		seen := make([]bool, len(f.Blocks))
		stack := []*ir.Block{f.Entry()}
		seen[0] = true
		for b := range worklist.Drain(&stack) {
			if b.Last() == nil {
				continue
			}
			for _, e := range b.Last().Succs {
				if !seen[e.To.Index] {
					seen[e.To.Index] = true
					stack = append(stack, e.To)
				}
			}
		}
		var dead []*ir.Block
		for n, b := range f.Blocks {
			if !seen[n] {
				dead = append(dead, b)
			}
		}
		removeAll(f, dead)
	}
}

// removeAll takes blocks out of a function that only lead to each other.
func removeAll(f *ir.Function, dead []*ir.Block) {
	for _, b := range dead {
		for _, a := range b.Args {
			unset(a)
		}
		for i := b.First(); i != nil; i = b.First() {
			erase(i)
		}
	}
	for _, b := range dead {
		f.RemoveBlock(b)
	}
}
