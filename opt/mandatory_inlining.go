package opt

import (
	"slices"

	"silvm/ir"
	"silvm/opt/facts"
)

// mandatoryInlining puts the bodies of [transparent] functions in place of their calls, those of the callees first:
//
//	%2 = function_ref @add : …     // sil [transparent] @add
//	%3 = apply %2(%0, %1)          ⇒      %3 = builtin "add_Int64"(%0, %1)
var mandatoryInlining = &Pass{Name: "mandatory-inlining", Doc: "Inlines transparent functions", Module: func(c *Context) bool {
	m := &mandatoryInliner{c: c, done: map[*ir.Function]bool{}}
	for _, item := range slices.Clone(c.Module.Items) {
		if f, ok := item.(*ir.Function); ok && len(f.Blocks) > 0 {
			m.visit(f)
		}
	}
	return m.changed
}}

type mandatoryInliner struct {
	c       *Context
	done    map[*ir.Function]bool
	open    []*ir.Function // whose calls are being looked at, outer ones first
	changed bool
}

// visit inlines into f, having done so into its transparent callees. A function that calls itself on the way is left alone.
func (m *mandatoryInliner) visit(f *ir.Function) {
	if m.done[f] {
		return
	}
	m.done[f] = true
	m.open = append(m.open, f)
	defer func() { m.open = m.open[:len(m.open)-1] }()
	in := newInliner(m.c, f, true)
	dead := &eraser{}
	inlined := false
	for _, call := range m.calls(in) {
		callee := calleeOf(call)
		operands := values(call)
		m.c.Passed(f, call, "inlined @%s", callee.Name)
		in.inline(call, callee)
		for _, v := range operands {
			dead.eraseIfDead(v)
		}
		inlined = true
	}
	if inlined {
		mergeBlocks(f)
		f.Renumber()
		m.c.Changed(f)
		m.changed = true
	}
}

// calls lists the calls of transparent functions that can be inlined.
func (m *mandatoryInliner) calls(in *inliner) (list []*ir.Inst) {
	for _, b := range in.caller.Blocks {
		for i := b.First(); i != nil; i = i.Next() {
			if !facts.IsFullApply(i) {
				continue
			}
			callee := calleeOf(i)
			if callee == nil || !callee.HasAttr("transparent") || callee.Body() != nil || slices.Contains(m.open, callee) {
				continue
			}
			if len(callee.Blocks) > 0 {
				m.visit(callee)
			}
			if in.canInline(i, callee) {
				list = append(list, i)
			}
		}
	}
	return list
}
