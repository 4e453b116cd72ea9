package opt

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/opt/facts"
)

// reabstraction says how a copy of a generic function for certain types takes its arguments and gives its result.
type reabstraction struct {
	c      *Context
	callee *ir.Function
	subs   []*ir.Type
	// fn is the type of the function with its parameters replaced; conventions are as they were.
	fn *ir.FuncType
	// result is the number of the argument for the indirect result that the copy gives directly, -1 when it has none such.
	result  int
	direct  []bool // by parameter: the copy takes the value that is in memory
	dropped []bool // by parameter: the copy does without the metatype
}

// newReabstraction gives nil when a type is not known.
func newReabstraction(c *Context, callee *ir.Function, subs []*ir.Type) *reabstraction {
	mod, old := c.Module, callee.Type.Func
	ts := facts.NewTypes(mod)
	replace := substitution(mod, old.Generic, subs)
	known := true
	typ := func(t *ir.Type) *ir.Type {
		n := mod.Lowered(mod.Types.Subst(t, replace))
		if n == nil || n.HasParams() {
			known = false
			return t
		}
		return n
	}
	fn := *old
	fn.Generic = nil
	fn.Params, fn.Results, fn.Yields = slices.Clone(old.Params), slices.Clone(old.Results), slices.Clone(old.Yields)
	for n := range fn.Params {
		fn.Params[n].Type = typ(fn.Params[n].Type)
	}
	for n := range fn.Results {
		fn.Results[n].Type = typ(fn.Results[n].Type)
	}
	for n := range fn.Yields {
		fn.Yields[n].Type = typ(fn.Yields[n].Type)
	}
	if fn.Error != nil {
		e := *fn.Error
		e.Type = typ(e.Type)
		fn.Error = &e
	}
	if !known {
		return nil
	}
	r := &reabstraction{c: c, callee: callee, subs: subs, fn: &fn, result: -1, direct: make([]bool, len(fn.Params)), dropped: make([]bool, len(fn.Params))}
	r.result = r.directResult(ts)
	for n, p := range fn.Params {
		r.direct[n] = (p.Conv == ir.ParamIn || p.Conv == ir.ParamInGuaranteed) && !isAddressOnly(ts, mod, p.Type)
	}
	return r
}

// directResult chooses the first indirect result that is no larger than a few values, where there is no direct result yet.
func (r *reabstraction) directResult(ts *facts.Types) int {
	n := 0
	found := -1
	for _, res := range r.fn.Results {
		if !res.Conv.IsIndirect() {
			return -1
		}
		void := res.Type.Kind == ir.KindTuple && len(res.Type.Args) == 0
		if found < 0 && res.Conv == ir.ResultOut && !void && r.c.shouldExpand(ts, res.Type) {
			found = n
		}
		n++
	}
	return found
}

// dropMetatypes leaves the metatypes of concrete types out.
func (r *reabstraction) dropMetatypes() {
	for n, p := range r.fn.Params {
		r.dropped[n] = p.Type.Kind == ir.KindMetatype
	}
}

func (r *reabstraction) dropsAny() bool { return slices.Contains(r.dropped, true) }

// converts says whether anything that goes through memory is passed directly.
func (r *reabstraction) converts() bool { return r.result >= 0 || slices.Contains(r.direct, true) }

// firstParam is the number of the argument that the first parameter is.
func (r *reabstraction) firstParam() int { return facts.IndirectResults(r.callee.Type.Func) }

// specialized gives the type of the copy; with fn that of a closure of which the last parameters are gone.
func (r *reabstraction) specialized(fn *ir.FuncType) *ir.Type {
	ts := facts.NewTypes(r.c.Module)
	n := *fn
	n.Results = slices.Clone(fn.Results)
	k := 0
	for i := range n.Results {
		if !n.Results[i].Conv.IsIndirect() {
			continue
		}
		if k == r.result {
			n.Results[i].Conv = ir.ResultOwned
			if ts.IsTrivial(n.Results[i].Type) {
				n.Results[i].Conv = ir.ResultUnowned
			}
		}
		k++
	}
	n.Params = nil
	for i, p := range fn.Params {
		switch {
		case r.dropped[i]:
			if i == len(fn.Params)-1 && isMethod(fn) {
				n.Convention, n.Witness = "thin", ""
			}
			continue
		case !r.direct[i]:
		case ts.IsTrivial(p.Type):
			p.Conv = ir.ParamDirectUnowned
		case p.Conv == ir.ParamIn:
			p.Conv = ir.ParamDirectOwned
		default:
			p.Conv = ir.ParamDirectGuaranteed
		}
		n.Params = append(n.Params, p)
	}
	return r.c.Module.Types.Function(&n)
}

// effects gives the effect lines of the copy: what the body does with arguments beside letting them escape is to be found out again.
func (r *reabstraction) effects() []string {
	var lines []string
	for _, line := range r.callee.Effects {
		head, rest, ok := strings.Cut(strings.TrimPrefix(line, "["), ":")
		if !ok || !strings.HasPrefix(head, "%") || head == r.argName(-1) {
			continue
		}
		var kept []string
		for _, part := range strings.Split(strings.TrimSuffix(rest, "]"), ",") {
			part = strings.TrimSpace(part)
			if strings.HasPrefix(part, "noescape") || strings.HasPrefix(part, "escape") {
				kept = append(kept, r.renameArgs(part))
			}
		}
		if len(kept) > 0 && r.argNumber(head) != r.result {
			lines = append(lines, "["+r.renameArgs(head)+": "+strings.Join(kept, ", ")+"]")
		}
	}
	return lines
}

func (r *reabstraction) argName(n int) string {
	if n < 0 {
		return "%r"
	}
	return "%" + itoa(n)
}

// argNumber reads %3; it gives -2 for anything else.
func (r *reabstraction) argNumber(word string) int {
	n := 0
	for _, c := range strings.TrimPrefix(word, "%") {
		if c < '0' || c > '9' {
			return -2
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// renameArgs counts the arguments anew where the one for a result is gone; what went there is in the result.
func (r *reabstraction) renameArgs(text string) string {
	if r.result < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '%' {
			b.WriteByte(text[i])
			i++
			continue
		}
		end := i + 1
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		n := r.argNumber(text[i:end])
		switch {
		case end == i+1:
			b.WriteByte('%')
		case n == r.result:
			b.WriteString("%r")
		case n > r.result:
			b.WriteString(r.argName(n - 1))
		default:
			b.WriteString(text[i:end])
		}
		i = end
	}
	return b.String()
}

// specializedName gives the name of the copy of a function for types; ok is false when it cannot be told.
func specializedName(c *Context, f *ir.Function, subs []*ir.Type, code string) (name string, ok bool) {
	m, ok := mangle.Resume(f.Name)
	if !ok {
		return "", false
	}
	namer := typeNamer{mod: c.Module, module: "main"}
	var types []*mangle.Node
	for n, t := range subs {
		if isSameAsEarlier(f.Type.Func.Generic, n) {
			continue
		}
		node := namer.typeNode(t)
		if node == nil {
			return "", false
		}
		types = append(types, node)
	}
	if !m.Specialization(types, code) {
		return "", false
	}
	return string(m.Buf), true
}

// isSameAsEarlier says whether the signature makes parameter n another name for a type that is told otherwise.
func isSameAsEarlier(sig *ir.GenericSig, n int) bool {
	for _, r := range sig.Requirements {
		if r.Kind == ir.ReqSameType && r.Type != nil && r.Type.Kind == ir.KindParam && r.Type.Name == sig.Params[n].Name && r.Subject.Kind == ir.KindParam {
			return true
		}
	}
	return false
}
