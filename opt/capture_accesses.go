package opt

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// captureAccesses tells which parts of @inout_aliasable arguments functions access, and how: directly, or by passing them on (the
// compiler's AccessSummaryAnalysis).
type captureAccesses struct {
	c     *Context
	known map[*ir.Function]*capturer
}

// capturer is a function with what it does to each of its arguments.
type capturer struct {
	args  []map[string]partAccess // by the numbers of the fields that lead to the part
	flows []captureFlow
}

// partAccess is an access of a part of an argument.
type partAccess struct {
	fields []int
	kind   facts.AccessKind
}

// captureFlow says that a function passes its argument from on, as argument to of a function.
type captureFlow struct {
	from, to int
	callee   *capturer
}

// of gives the accesses of a function and of all that it passes its arguments to.
func (s *captureAccesses) of(f *ir.Function) *capturer {
	if k := s.known[f]; k != nil {
		return k
	}
	var met []*capturer
	var work []*ir.Function
	s.function(f, &work)
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		met = append(met, s.known[f])
		s.look(f, &work)
	}
	for changed := true; changed; {
		changed = false
		for _, k := range slices.Backward(met) {
			for _, flow := range k.flows {
				passed := flow.callee.arg(flow.to)
				for _, key := range slices.Sorted(maps.Keys(passed)) {
					changed = k.add(flow.from, passed[key].fields, passed[key].kind) || changed
				}
			}
		}
	}
	return s.known[f]
}

// function gives the record of a function; when it is a new one, the function has yet to be looked at.
func (s *captureAccesses) function(f *ir.Function, work *[]*ir.Function) *capturer {
	if s.known[f] == nil {
		*work = append(*work, f)
		s.known[f] = &capturer{}
	}
	return s.known[f]
}

func (k *capturer) arg(n int) map[string]partAccess {
	if n >= len(k.args) {
		return nil
	}
	return k.args[n]
}

func (k *capturer) add(n int, fields []int, kind facts.AccessKind) bool {
	for len(k.args) <= n {
		k.args = append(k.args, map[string]partAccess{})
	}
	key := fmt.Sprint(fields)
	have, ok := k.args[n][key]
	now := partAccess{fields, have.kind.And(kind)}
	k.args[n][key] = now
	return !ok || now.kind != have.kind
}

// look follows the uses of the arguments of a function.
func (s *captureAccesses) look(f *ir.Function, work *[]*ir.Function) {
	for n, a := range f.Entry().Args {
		if facts.EntryConv(f, n) == facts.ConvInoutAliasable {
			s.argument(s.known[f], n, a, work)
		}
	}
}

func (s *captureAccesses) argument(k *capturer, n int, a *ir.Value, work *[]*ir.Function) {
	pending := uses(a)
	for len(pending) > 0 {
		x := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		i := x.User()
		switch {
		case i.Op == op.BeginAccess:
			if !i.Has("unsafe") {
				k.add(n, s.accessedFields(i), facts.AccessKindOf(i))
			}
		case i.Op == op.StructElementAddr, i.Op == op.TupleElementAddr:
			pending = append(pending, uses(i.Result())...)
		case facts.IsApply(i) && x.Number() > 0:
			if callee := facts.StaticCallee(i); callee != nil && len(callee.Blocks) > 0 {
				k.flows = append(k.flows, captureFlow{n, facts.CalleeArg(i, x.Number()), s.function(callee, work)})
			}
		}
	}
}

// accessedFields gives the fields that lead from what is accessed to the part that is all that is used.
func (s *captureAccesses) accessedFields(access *ir.Inst) (fields []int) {
	for v := access.Result(); ; {
		var only *ir.Inst
		for _, x := range uses(v) {
			if x.User().Op == op.EndAccess {
				continue
			}
			if only != nil {
				return fields
			}
			only = x.User()
		}
		if only == nil || only.Op != op.StructElementAddr && only.Op != op.TupleElementAddr {
			return fields
		}
		fields = append(fields, facts.FieldNumber(s.c.Module, only))
		v = only.Result()
	}
}

// describe tells what is done to an argument: the parts in the order of their fields, the whole first.
func (k *capturer) describe(c *Context, n int, a *ir.Value) (list []string) {
	var parts []partAccess
	for _, p := range k.arg(n) {
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b partAccess) int { return slices.Compare(a.fields, b.fields) })
	for _, p := range parts {
		text := string(p.kind)
		if len(p.fields) > 0 {
			text = fieldsText(c.Types(a.Block().Func), c.Module, a.Type.Object(), p.fields) + " " + text
		}
		list = append(list, text)
	}
	return list
}

// fieldsText names a part of a value: ".first.1".
func fieldsText(types *facts.Types, mod *ir.Module, t *ir.Type, fields []int) string {
	var b strings.Builder
	for _, n := range fields {
		name, parts := "", []*ir.Type(nil)
		if t != nil {
			name = fieldName(mod, t, n)
			parts, _ = types.FieldTypes(t)
		}
		b.WriteString("." + name)
		t = nil
		if n >= 0 && n < len(parts) {
			t = parts[n]
		}
	}
	return b.String()
}

// fieldName gives the name of a field of a struct, or of an element of a tuple, and its number where it has none.
func fieldName(mod *ir.Module, t *ir.Type, n int) string {
	if d := mod.DeclOf(facts.Selfless(t)); d != nil && n >= 0 && n < len(d.Fields) {
		return d.Fields[n].Name
	}
	if n >= 0 && n < len(t.Labels) && t.Labels[n] != "" {
		return t.Labels[n]
	}
	return fmt.Sprint(n)
}
