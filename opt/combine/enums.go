package combine

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/flow"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// The rules for enums: those in memory that can be loaded become values, and switches over what is known become branches.

// injectedCase returns the case of the only inject_enum_addr that writes to a slot, "" when others may write.
func injectedCase(address *ir.Value) string {
	for range pass.MaxTypeNesting {
		if facts.DefinedBy(address, op.AllocStack) == nil {
			return ""
		}
		var write *ir.Inst
		for u := range address.Uses() {
			i := u.User()
			switch i.Op {
			case op.DestroyAddr, op.DeallocStack, op.SwitchEnumAddr, op.DebugValue:
			case op.Apply, op.TryApply:
				for n := range i.Operands {
					if &i.Operands[n] == u {
						if p := facts.Param(i, n); p == nil || p.Conv != ir.ParamInGuaranteed {
							return ""
						}
					}
				}
			case op.InjectEnumAddr, op.CopyAddr:
				if i.Op == op.CopyAddr && i.Arg(1) != address {
					continue
				}
				if write != nil {
					return ""
				}
				write = i
			default:
				return ""
			}
		}
		if write == nil {
			return ""
		}
		if write.Op == op.InjectEnumAddr {
			return facts.CaseOf(write)
		}
		address = write.Arg(0)
	}
	return ""
}

// inverse returns x for a condition that is not x, nil for any other.
func inverse(cond *ir.Value) *ir.Value {
	i, name := facts.BuiltinOf(cond)
	if i == nil || len(i.Operands) != 2 {
		return nil
	}
	one := func(v *ir.Value) bool {
		return facts.IsLiteral(v, -1) && v.Type.IntWidth() == 1 || facts.IsLiteral(v, 1)
	}
	switch {
	case name == op.BuiltinXor && one(i.Arg(1)), name == op.BuiltinCmpEq && facts.IsLiteral(i.Arg(1), 0), name == op.BuiltinCmpNe && one(i.Arg(1)):
		return i.Arg(0)
	case name == op.BuiltinXor && one(i.Arg(0)):
		return i.Arg(1)
	}
	return nil
}

func (r *Combiner) switchEnumAddr(i *ir.Inst) bool {
	address := i.Arg(0)
	if name := injectedCase(address); name != "" {
		if n := facts.CaseEdge(i, name); n >= 0 && len(i.Succs[n].To.Args) == 0 {
			return r.terminator(i, &ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: i.Succs[n].To}}})
		}
	}
	if r.Types.IsAddressOnly(address.Type) {
		return false
	}
	succs := make([]ir.Edge, len(i.Succs))
	for n, e := range i.Succs {
		succs[n] = ir.Edge{To: e.To}
	}
	by := &ir.Inst{Op: op.SwitchEnum, Aux: i.Aux, Succs: succs}
	if r.OSSA {
		return r.switchBorrowed(i, by)
	}
	if !r.Types.IsTrivial(address.Type.Object()) {
		by.Forwarding = ir.OwnershipOwned
	}
	return r.terminator(i, by, r.emit(i, &ir.Inst{Op: op.Load}, address).Results[0])
}

// switchPayloads returns what a switch_enum by, made of i and with an enum as first operand, passes to each successor in ownership form, nil
// for nothing; false when a successor can't take it.
func (r *Combiner) switchPayloads(i, by *ir.Inst) (payloads []*ir.Type, ok bool) {
	t := i.Arg(0).Type.Object()
	cases := by.Aux.(*ir.CaseAux).Cases
	payloads = make([]*ir.Type, len(cases))
	for n, e := range by.Succs {
		if len(e.To.Args) > 0 || r.preds.Single(e.To) == nil {
			return nil, false
		}
		of := cases[n]
		if name := facts.CaseLeft(r.Context.Module, t, cases); of == nil && name != "" {
			of = &ir.MemberAux{Type: cases[0].Type, Name: name, Suffix: cases[0].Suffix}
		}
		if of == nil {
			payloads[n] = t
			continue
		}
		if payloads[n], ok = r.Types.Payload(t, of); !ok {
			return nil, false
		}
	}
	return payloads, true
}

// switchBorrowed switches over the enum that a load_borrow loads; the scope ends in every successor.
func (r *Combiner) switchBorrowed(i, by *ir.Inst) bool {
	t := i.Arg(0).Type.Object()
	payloads, ok := r.switchPayloads(i, by)
	if !ok {
		return false
	}
	trivial := r.Types.IsTrivial(t)
	load := &ir.Inst{Op: op.LoadBorrow}
	if trivial {
		load = &ir.Inst{Op: op.Load, Quals: op.QualsOf(op.QualTrivial)}
	}
	v := r.emit(i, load, i.Arg(0)).Results[0]
	for n, e := range by.Succs {
		if payloads[n] != nil {
			a := e.To.AddArg(payloads[n])
			if !r.Types.IsTrivial(payloads[n]) {
				a.Ownership = ir.OwnershipGuaranteed
			}
		}
		if !trivial {
			r.emit(e.To.First(), &ir.Inst{Op: op.EndBorrow}, v)
		}
	}
	return r.terminator(i, by, v)
}

func (r *Combiner) selectEnumAddr(i *ir.Inst) bool {
	if aux := facts.NamedDefault(i); aux != nil {
		return r.instead(i, &ir.Inst{Op: i.Op, Aux: aux, Types: i.Types}, rewrite.Values(i)...)
	}
	if r.Types.IsAddressOnly(i.Arg(0).Type) {
		return false
	}
	vs := rewrite.Values(i)
	load := &ir.Inst{Op: op.Load}
	switch {
	case !r.OSSA:
	case r.Types.IsTrivial(vs[0].Type.Object()):
		load.Quals = op.QualsOf(op.QualTrivial)
	default:
		load.Op = op.LoadBorrow
	}
	vs[0] = r.emit(i, load, vs[0]).Results[0]
	if load.Op == op.LoadBorrow {
		r.emit(i.Next(), &ir.Inst{Op: op.EndBorrow}, vs[0])
	}
	return r.instead(i, &ir.Inst{Op: op.SelectEnum, Aux: i.Aux, Types: i.Types}, vs...)
}

func (r *Combiner) selectEnum(i *ir.Inst) bool {
	if aux := facts.NamedDefault(i); aux != nil {
		return r.instead(i, &ir.Inst{Op: i.Op, Aux: aux, Types: i.Types}, rewrite.Values(i)...)
	}
	return false
}

// switchValue turns a switch over one bit into a conditional branch.
func (r *Combiner) switchValue(i *ir.Inst) bool {
	if i.Arg(0).Type.IntWidth() != 1 {
		return false
	}
	var to [2]*ir.Block
	for n, e := range i.Succs {
		if n+1 >= len(i.Operands) {
			for k := range to {
				if to[k] == nil {
					to[k] = e.To
					break
				}
			}
			continue
		}
		lit := facts.Literal(i.Arg(1 + n))
		if lit == nil {
			return false
		}
		if lit.Sign() == 0 {
			to[0] = e.To
		} else {
			to[1] = e.To
		}
	}
	if to[0] == nil || to[1] == nil || to[0] == to[1] {
		return false
	}
	return r.terminator(i, &ir.Inst{Op: op.CondBr, Succs: []ir.Edge{{To: to[1], First: 1}, {To: to[0], First: 1}}}, i.Arg(0))
}

func (r *Combiner) condBr(i *ir.Inst) bool {
	if v := inverse(i.Arg(0)); v != nil && v.Type.IntWidth() == 1 {
		t, f := flow.EdgeValues(i, 0), flow.EdgeValues(i, 1)
		operands := append(append([]*ir.Value{v}, f...), t...)
		by := &ir.Inst{Op: op.CondBr, Succs: []ir.Edge{{To: i.Succs[1].To, First: 1, N: len(f)}, {To: i.Succs[0].To, First: 1 + len(f), N: len(t)}}}
		return r.terminator(i, by, operands...)
	}
	return r.condBrOfSelect(i)
}

// condBrOfSelect turns a branch on a select_enum of numbers into a switch_enum.
func (r *Combiner) condBrOfSelect(i *ir.Inst) bool {
	sel := facts.DefinedBy(i.Arg(0), op.SelectEnum)
	if sel == nil || len(i.Operands) != 1 || r.Types.IsAddressOnly(sel.Arg(0).Type) {
		return false
	}
	t, f := i.Succs[0].To, i.Succs[1].To
	if r.preds.Single(t) == nil || r.preds.Single(f) == nil {
		return false
	}
	cases := sel.Aux.(*ir.CaseAux).Cases
	var trues, falses int
	var def *ir.Block
	for n, c := range cases {
		lit := facts.Literal(sel.Arg(1 + n))
		switch {
		case lit == nil:
			return false
		case c == nil:
			if def = t; lit.Sign() == 0 {
				def = f
			}
		case lit.Sign() == 0:
			falses++
		default:
			trues++
		}
	}
	if def == nil {
		if def = t; falses > trues {
			def = f
		}
	}
	var kept []*ir.MemberAux
	var succs []ir.Edge
	for n, c := range cases {
		if c == nil {
			continue
		}
		to := t
		if facts.Literal(sel.Arg(1+n)).Sign() == 0 {
			to = f
		}
		if to != def {
			kept, succs = append(kept, c), append(succs, ir.Edge{To: to})
		}
	}
	if len(kept) > 1 {
		return false
	}
	kept, succs = append(kept, nil), append(succs, ir.Edge{To: def})
	by := &ir.Inst{Op: op.SwitchEnum, Aux: &ir.CaseAux{Cases: kept}, Succs: succs}
	if r.OSSA {
		return r.switchCopied(i, sel, by)
	}
	return r.terminator(i, by, sel.Arg(0))
}

// switchCopied puts a switch_enum over a copy of the enum of sel in the place of i: the switch hands it on, and what the successors get
// of it is destroyed there.
func (r *Combiner) switchCopied(i, sel, by *ir.Inst) bool {
	if len(by.Aux.(*ir.CaseAux).Cases) < 2 {
		return false
	}
	payloads, ok := r.switchPayloads(sel, by)
	if !ok {
		return false
	}
	v := sel.Arg(0)
	if !r.Types.IsTrivial(v.Type) {
		if sel.Block() != i.Block() {
			return false
		}
		v = r.emit(sel, &ir.Inst{Op: op.CopyValue}, v).Results[0]
	}
	for n, e := range by.Succs {
		if payloads[n] == nil {
			continue
		}
		a := e.To.AddArg(payloads[n])
		if !r.Types.IsTrivial(payloads[n]) {
			a.Ownership = ir.OwnershipOwned
			r.emit(e.To.First(), &ir.Inst{Op: op.DestroyValue}, a)
		}
	}
	return r.terminator(i, by, v)
}

// injectEnumAddr turns the writing of a case in memory into the store of an enum.
func (r *Combiner) injectEnumAddr(i *ir.Inst) bool {
	address := i.Arg(0)
	t := address.Type.Object()
	if r.Types.IsAddressOnly(t) {
		return r.answerInjected(i)
	}
	m := i.Aux.(*ir.MemberAux)
	payload, ok := r.Types.Payload(t, m)
	if !ok {
		return false
	}
	if payload == nil {
		v := r.emit(i, &ir.Inst{Op: op.Enum, Types: []*ir.Type{t}, Aux: m}).Results[0]
		return r.instead(i, &ir.Inst{Op: op.Store}, v, address)
	}
	if facts.DefinedBy(address, op.AllocStack) == nil {
		return false
	}
	var data *ir.Inst
	writes := map[*ir.Inst]bool{}
	for u := range address.Uses() {
		switch x := u.User(); x.Op {
		case op.DeallocStack, op.DebugValue, op.Load:
		case op.InitEnumDataAddr:
			if data != nil {
				return false
			}
			data = x
		case op.InjectEnumAddr:
			if x != i {
				return false
			}
		case op.Store:
			writes[x] = true
		default:
			return false
		}
	}
	if data == nil || len(writes) > 0 && !r.reachesUnwritten(i, data, writes) {
		return false
	}
	v := r.storedValue(data.Results[0], i, false)
	if v == nil {
		return r.localizeInit(i, data)
	}
	v = r.storedValue(data.Results[0], i, true)
	enum := r.emit(i, &ir.Inst{Op: op.Enum, Types: []*ir.Type{t}, Aux: data.Aux}, v).Results[0]
	r.emit(i, &ir.Inst{Op: op.Store}, enum, address)
	r.eraseWithUsers(data)
	r.erase(i)
	return true
}

// answerInjected answers the question after an inject_enum_addr, at the end of its block, which case the memory has. A switch becomes one
// of numbers, so that the edges stay.
func (r *Combiner) answerInjected(i *ir.Inst) bool {
	term := i.Block().Last()
	ask := term
	switch term.Op {
	case op.CondBr, op.SwitchValue:
		ask = term.Prev()
		if ask.Op != op.SelectEnumAddr {
			return false
		}
	case op.SwitchEnumAddr:
	default:
		return false
	}
	if ask.Arg(0) != i.Arg(0) {
		return false
	}
	p := r.Context.Program(r.Func)
	for x := i.Next(); x != ask; x = x.Next() {
		if x == nil || p.MayWriteTo(x, i.Arg(0)) {
			return false
		}
	}
	if ask != term {
		n := facts.CaseNumber(ask.Aux.(*ir.CaseAux), facts.CaseOf(i))
		return n >= 0 && r.replace(ask, ask.Arg(1+n))
	}
	return r.switchNumbers(term)
}

// switchNumbers asks for the case first and switches on the answer.
//
//	switch_enum_addr %0, case #E.a: bb1, default bb2   →   %3 = select_enum_addr %0, case #E.a: %1, default %2
//	                                                       switch_value %3, case %1: bb1, default bb2
func (r *Combiner) switchNumbers(i *ir.Inst) bool {
	t := r.Context.Module.Types.BuiltinInt(32)
	aux := i.Aux.(*ir.CaseAux)
	asked := []*ir.Value{i.Arg(0)}
	cases := []*ir.Value{nil}
	succs := make([]ir.Edge, len(aux.Cases))
	for n, m := range aux.Cases {
		v := r.number(i, t, int64(n))
		asked = append(asked, v)
		if m != nil {
			cases = append(cases, v)
		}
		succs[n] = ir.Edge{To: i.Succs[n].To}
	}
	cases[0] = r.emit(i, &ir.Inst{Op: op.SelectEnumAddr, Aux: aux, Types: []*ir.Type{t}}, asked...).Results[0]
	for n := range succs {
		succs[n].First = len(cases)
	}
	return r.terminator(i, &ir.Inst{Op: op.SwitchValue, Succs: succs}, cases...)
}

// localizeInit lets a call write the payload into a slot of its own.
func (r *Combiner) localizeInit(i, data *ir.Inst) bool {
	v := data.Results[0]
	u := v.FirstUse()
	if u == nil || u.NextUse() != nil || u.User().Op != op.Apply {
		return false
	}
	call := u.User()
	for n := range call.Operands {
		if &call.Operands[n] == u && (n == 0 || facts.Param(call, n) != nil) {
			return false // no indirect result
		}
	}
	t := data.Arg(0).Type.Object()
	slot := r.emit(call, &ir.Inst{Op: op.AllocStack, Types: []*ir.Type{v.Type.Object()}}).Results[0]
	u.Set(slot)
	at := call.Next()
	payload := r.emit(at, &ir.Inst{Op: op.Load}, slot).Results[0]
	enum := r.emit(at, &ir.Inst{Op: op.Enum, Types: []*ir.Type{t}, Aux: data.Aux}, payload).Results[0]
	r.emit(at, &ir.Inst{Op: op.Store}, enum, data.Arg(0))
	r.emit(at, &ir.Inst{Op: op.DeallocStack}, slot)
	r.erase(data)
	r.erase(i)
	return true
}

// reachesUnwritten reports whether no other store lies between the taking of the payload's address and the injection.
func (r *Combiner) reachesUnwritten(i, data *ir.Inst, writes map[*ir.Inst]bool) bool {
	seen := map[*ir.Block]bool{i.Block(): true}
	work := []*ir.Inst{i}
	for at := range worklist.Drain(&work) {
		b := at.Block()
		if b == r.Func.Blocks[0] && b != data.Block() {
			return false
		}
		for x := at.Prev(); x != nil && x != data; x = x.Prev() {
			if writes[x] {
				return false
			}
		}
		if b == data.Block() {
			continue
		}
		for _, p := range r.preds.Of(b) {
			if !seen[p] {
				seen[p] = true
				work = append(work, p.Last())
			}
		}
	}
	return true
}

// storedValue returns what is stored to an address that nothing else is done with; elements of a tuple may be stored one by one. Without
// build it only reports whether there is such a value.
func (r *Combiner) storedValue(address *ir.Value, at *ir.Inst, build bool) *ir.Value {
	var stored *ir.Value
	var elements []*ir.Value
	for u := range address.Uses() {
		i := u.User()
		switch {
		case facts.IsDebug(i):
		case i.Op == op.Store && i.Arg(1) == address && stored == nil && elements == nil:
			stored = i.Arg(0)
		case i.Op == op.TupleElementAddr && stored == nil:
			if elements == nil {
				elements = make([]*ir.Value, len(address.Type.Object().Args))
			}
			n := facts.FieldNumber(r.Context.Module, i)
			if n < 0 || n >= len(elements) || elements[n] != nil {
				return nil
			}
			if elements[n] = r.storedValue(i.Results[0], at, build); elements[n] == nil {
				return nil
			}
		default:
			return nil
		}
	}
	if elements == nil {
		return stored
	}
	for _, e := range elements {
		if e == nil {
			return nil
		}
	}
	if !build {
		return elements[0]
	}
	i := &ir.Inst{Op: op.Tuple}
	if address.Type.Object().Labels != nil {
		i.Types = []*ir.Type{address.Type.Object()}
	}
	return r.emit(at, i, elements...).Results[0]
}

// takeEnumDataAddr loads the enum instead of its payload, when the payload is only loaded, or destroys the enum.
func (r *Combiner) takeEnumDataAddr(i *ir.Inst) bool {
	v := i.Results[0]
	if !v.HasUses() {
		return false
	}
	loads, destroys := true, true
	for u := range v.Uses() {
		if facts.IsDebug(u.User()) {
			continue
		}
		loads = loads && u.User().Op == op.Load
		destroys = destroys && u.User().Op == op.DestroyAddr
	}
	enum := i.Arg(0)
	if destroys {
		for u := v.FirstUse(); u != nil; u = v.FirstUse() {
			if facts.IsDebug(u.User()) {
				r.erase(u.User())
			} else {
				u.Set(enum)
			}
		}
		r.erase(i)
		return true
	}
	if !loads || r.Types.IsAddressOnly(enum.Type) {
		return false
	}
	for u := v.FirstUse(); u != nil; u = v.FirstUse() {
		load := u.User()
		if facts.IsDebug(load) {
			r.erase(load)
			continue
		}
		by := r.loadWhole(load, enum)
		whole := r.emit(i, by, enum).Results[0]
		data := r.emit(i, &ir.Inst{Op: op.UncheckedEnumData, Aux: i.Aux}, whole).Results[0]
		data.Type = load.Results[0].Type // a box when the case is indirect
		if by.Op == op.LoadBorrow {
			r.emit(i, &ir.Inst{Op: op.EndBorrow}, whole)
		}
		r.replace(load, data)
	}
	r.erase(i)
	return true
}

// loadWhole returns the instruction that loads the enum instead of its payload. One whose payload alone is trivial is only looked at: there is
// nothing in it to take or to copy.
func (r *Combiner) loadWhole(load *ir.Inst, enum *ir.Value) *ir.Inst {
	switch {
	case r.OSSA && r.Types.IsTrivial(enum.Type.Object()):
		return &ir.Inst{Op: op.Load, Quals: op.QualsOf(op.QualTrivial)}
	case load.Has(op.QualTrivial):
		return &ir.Inst{Op: op.LoadBorrow}
	}
	return &ir.Inst{Op: op.Load, Quals: load.Quals}
}
