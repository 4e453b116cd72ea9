package verify

import (
	"strings"

	"silvm/ir"
	"silvm/ir/op"
)

// kind is the ownership that a value has (docs/SIL.rst, Ownership SSA).
type kind uint8

const (
	kindUnknown    kind = iota // something about the instruction is not known; no rule is applied
	kindNone                   // no ownership: trivial, an address, an enum case without payload
	kindOwned                  // has to be consumed exactly once on every path
	kindGuaranteed             // borrowed
	kindUnowned                // may be used at once only
)

var kindNames = [...]string{kindUnknown: "unknown", kindNone: "none", kindOwned: "owned", kindGuaranteed: "guaranteed", kindUnowned: "unowned"}

func (k kind) String() string { return kindNames[k] }

// kindWords are the spellings in the text.
var kindWords = map[string]kind{"@owned": kindOwned, "@guaranteed": kindGuaranteed, "@unowned": kindUnowned, "@none": kindNone,
	"owned": kindOwned, "guaranteed": kindGuaranteed, "unowned": kindUnowned, "none": kindNone}

// unlessTrivial gives k for a type that is not trivial.
func (o *owner) unlessTrivial(t *ir.Type, k kind) kind {
	switch o.c.triv.of(t) {
	case trivial:
		return kindNone
	case nontrivial:
		return k
	}
	return kindUnknown
}

// argKind gives the ownership of a block argument, which the text names.
func argKind(v *ir.Value) kind {
	if k, ok := kindWords[v.Ownership]; ok {
		return k
	}
	return kindNone
}

// resultKind gives the ownership of a result by the rule of the instruction's row; those of the operands must
// be known.
func (o *owner) resultKind(i *ir.Inst, r *ir.Value) kind {
	if r.Type == nil || i.Op == op.Invalid {
		return kindUnknown
	}
	if _, ok := i.Aux.(*ir.TextAux); ok {
		return kindUnknown
	}
	if r.Type.IsAddress() {
		return kindNone
	}
	switch i.Row().Results.Own {
	case op.ResultNone:
		return kindNone
	case op.ResultOwned:
		return o.ownedKind(i, r)
	case op.ResultGuaranteed:
		if i.Op == op.BeginBorrow || i.Op == op.LoadBorrow {
			return kindGuaranteed
		}
		return o.unlessTrivial(r.Type, kindGuaranteed)
	case op.ResultUnowned:
		return o.unlessTrivial(r.Type, kindUnowned)
	case op.ResultForwarded:
		k := o.forwardedKind(i)
		if k == kindUnknown || o.c.triv.of(r.Type) == trivial {
			return o.unlessTrivial(r.Type, k)
		}
		return k
	case op.ResultByConvention:
		return o.appliedKind(i, r)
	case op.ResultByQualifier:
		return o.qualifiedKind(i)
	case op.ResultByBuiltin:
		if aux, ok := i.Aux.(*ir.BuiltinAux); ok {
			if row, _, ok := op.BuiltinByName(aux.Name); ok && row.ResultOwn == op.ResultOwned {
				return o.unlessTrivial(r.Type, kindOwned)
			}
		}
		if o.c.triv.of(r.Type) == trivial {
			return kindNone
		}
	}
	return kindUnknown
}

func (o *owner) ownedKind(i *ir.Inst, r *ir.Value) kind {
	switch i.Op {
	case op.CopyValue, op.MoveValue, op.ExplicitCopyValue:
		return kindOwned
	case op.BeginCowMutation:
		if r.Index() == 0 {
			return kindNone
		}
		return kindOwned
	}
	return o.unlessTrivial(r.Type, kindOwned)
}

// forwardedKind gives the ownership that an instruction hands on: the one written after "forwarding:", or that
// of the operands it forwards.
func (o *owner) forwardedKind(i *ir.Inst) kind {
	if _, word, ok := strings.Cut(i.Tail, "forwarding: "); ok {
		if k, ok := kindWords[strings.TrimRight(word, " ,")]; ok {
			return k
		}
		return kindUnknown
	}
	all := kindNone
	for n := range i.Operands {
		switch own := o.column(i, n); own {
		case op.OwnershipForwarded, op.OwnershipGuaranteedForwarding, op.OwnershipForwardingConsume:
			k := o.kindOf(i.Operands[n].Value())
			if k == kindUnknown {
				return k
			}
			if all == kindNone {
				all = k
			}
		}
	}
	return all
}

func (o *owner) qualifiedKind(i *ir.Inst) kind {
	if i.Op == op.Load {
		if i.Has("copy") || i.Has("take") {
			return kindOwned
		}
		return kindNone
	}
	if aux, ok := i.Aux.(*ir.WordsAux); ok && len(aux.Words) == 2 {
		if k, ok := kindWords[aux.Words[1]]; ok {
			return k
		}
	}
	return kindUnknown
}

// appliedKind gives the ownership of the result of a call, or of a yielded value.
func (o *owner) appliedKind(i *ir.Inst, r *ir.Value) kind {
	aux, ok := i.Aux.(*ir.ApplyAux)
	if !ok || aux.Fn == nil || aux.Fn.Func == nil {
		return kindUnknown
	}
	fn := aux.Fn.Func
	if i.Op == op.BeginApply {
		if r.Index() >= len(fn.Yields) {
			return kindNone // the token
		}
		return o.unlessTrivial(r.Type, paramKind(fn.Yields[r.Index()].Yield))
	}
	all := kindNone
	for n := range fn.Results {
		if res := &fn.Results[n]; res.Conv != ir.ResultOut && res.Conv != ir.ResultPackOut {
			k := kindUnowned
			if res.Conv == ir.ResultOwned || res.Conv == ir.ResultAutoreleased {
				k = kindOwned
			}
			if all == kindNone || k == kindOwned {
				all = k
			}
		}
	}
	return o.unlessTrivial(r.Type, all)
}

// paramKind gives the ownership of a parameter or yield of a type that is not trivial.
func paramKind(c ir.ParamConv) kind {
	switch c {
	case ir.ParamDirectOwned:
		return kindOwned
	case ir.ParamDirectGuaranteed:
		return kindGuaranteed
	case ir.ParamDirectUnowned:
		return kindUnowned
	case ir.ParamIn, ir.ParamInCXX:
		return kindOwned
	case ir.ParamInGuaranteed:
		return kindGuaranteed
	}
	return kindNone
}
