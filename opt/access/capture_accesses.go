package access

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
)

// CaptureAccesses tells which parts of @inout_aliasable arguments functions access, and how: directly, or by passing them on (the
// compiler's AccessSummaryAnalysis).
type CaptureAccesses struct {
	C     *pass.Context
	Known map[*ir.Function]*Capturer
}

// Capturer is a function with what it does to each of its arguments.
type Capturer struct {
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
	callee   *Capturer
}

// Of returns the accesses of a function and of all that it passes its arguments to.
func (s *CaptureAccesses) Of(f *ir.Function) *Capturer {
	if k := s.Known[f]; k != nil {
		return k
	}
	var met []*Capturer
	var work []*ir.Function
	s.function(f, &work)
	for f := range worklist.Drain(&work) {
		met = append(met, s.Known[f])
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
	return s.Known[f]
}

// function returns the record of a function; when it is a new one, the function has yet to be looked at.
func (s *CaptureAccesses) function(f *ir.Function, work *[]*ir.Function) *Capturer {
	if s.Known[f] == nil {
		*work = append(*work, f)
		s.Known[f] = &Capturer{}
	}
	return s.Known[f]
}

func (k *Capturer) arg(n int) map[string]partAccess {
	if n >= len(k.args) {
		return nil
	}
	return k.args[n]
}

func (k *Capturer) add(n int, fields []int, kind facts.AccessKind) bool {
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
func (s *CaptureAccesses) look(f *ir.Function, work *[]*ir.Function) {
	for n, a := range f.Entry().Args {
		if facts.EntryConv(f, n) == facts.ConvInoutAliasable {
			s.argument(s.Known[f], n, a, work)
		}
	}
}

func (s *CaptureAccesses) argument(k *Capturer, n int, a *ir.Value, work *[]*ir.Function) {
	pending := a.UseList()
	for x := range worklist.Drain(&pending) {
		i := x.User()
		switch {
		case i.Op == op.BeginAccess:
			if !i.Has(op.QualUnsafe) {
				k.add(n, s.accessedFields(i), facts.AccessKindOf(i))
			}
		case i.Op == op.StructElementAddr, i.Op == op.TupleElementAddr:
			pending = append(pending, i.Result().UseList()...)
		case facts.IsApply(i) && x.Number() > 0:
			callee := facts.StaticCallee(i)
			switch {
			case callee != nil && len(callee.Blocks) == 0:
				k.add(n, nil, facts.AccessModify) // nobody sees what it does
			case callee != nil:
				k.flows = append(k.flows, captureFlow{n, facts.CalleeArg(i, x.Number()), s.function(callee, work)})
			}
		}
	}
}

// accessedFields returns the fields that lead from what is accessed to the part that is all that is used.
func (s *CaptureAccesses) accessedFields(access *ir.Inst) (fields []int) {
	for v := access.Result(); ; {
		var only *ir.Inst
		for _, x := range v.UseList() {
			if x.User().Op == op.EndAccess || isSanitizerCall(x.User()) {
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
		fields = append(fields, facts.FieldNumber(s.C.Module, only))
		v = only.Result()
	}
}

// isSanitizerCall reports whether an instruction tells the thread sanitizer of an access, which is none itself.
func isSanitizerCall(i *ir.Inst) bool {
	aux, ok := i.Aux.(*ir.BuiltinAux)
	return ok && aux.Name() == "tsanInoutAccess"
}

// Describe tells what is done to an argument: the parts in the order of their fields, the whole first.
func (k *Capturer) Describe(c *pass.Context, n int, a *ir.Value) (list []string) {
	var parts []partAccess
	for _, p := range k.arg(n) {
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b partAccess) int { return slices.Compare(a.fields, b.fields) })
	for _, p := range parts {
		text := p.kind.String()
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

// fieldName returns the name of a field of a struct, or of an element of a tuple, and its number where it has none.
func fieldName(mod *ir.Module, t *ir.Type, n int) string {
	if d := mod.DeclOf(facts.Selfless(t)); d != nil && n >= 0 && n < len(d.Fields) {
		return d.Fields[n].Name
	}
	if n >= 0 && n < len(t.Labels) && t.Labels[n] != "" {
		return t.Labels[n]
	}
	return fmt.Sprint(n)
}
