package facts

import (
	"slices"

	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/op"
)

// walker follows a value or an address from definitions to uses and back, with the path that selects the part of interest. It knows the
// instructions that only take apart, put together or rename; what it meets else it hands to its owner. Every step returns false to stop
// the whole walk.
type walker struct {
	p     *Program
	steps int // left before the walk gives up
	// memory says that the walk is about addresses, for which the payloads of all cases of an enum are the same memory.
	memory bool

	downCache, upCache walked

	use     func(o *ir.Operand, path escapePath) bool // before a use is followed; decides by calling followValue or followAddress
	leaf    func(o *ir.Operand, path escapePath) bool // a use of a value that is no renaming
	leafMem func(o *ir.Operand, path escapePath) bool // the same for an address
	def     func(v *ir.Value, path escapePath) bool   // before a definition is followed
	root    func(v *ir.Value, path escapePath) bool   // a definition that is no renaming
}

// escapePath is the state of a walk at a value.
type escapePath struct {
	Path   effects.Path
	Stores bool     // stored values are followed too
	Stored bool     // the address itself was stored
	Type   *ir.Type // the exact class of the object, nil when not known
}

func (e escapePath) at(p effects.Path) escapePath               { e.Path = p; return e }
func (e escapePath) push(k effects.FieldKind, n int) escapePath { return e.at(e.Path.Push(k, n)) }
func (e escapePath) untyped() escapePath                        { e.Type = nil; return e }

func (e escapePath) merge(o escapePath) escapePath {
	m := escapePath{Path: e.Path.Merge(o.Path), Stores: e.Stores || o.Stores, Stored: e.Stored || o.Stored}
	if e.Type == o.Type {
		m.Type = e.Type
	}
	return m
}

// walked has the paths with which a walk has come by values. Most walks come by few, which are looked through.
type walked struct {
	few  []walkedValue
	many map[*ir.Value]escapePath // those that do not fit there
}

type walkedValue struct {
	v *ir.Value
	e escapePath
}

// fewWalked is how many values are looked through.
const fewWalked = 8

// needs says with which path a walk that comes by the value has to go on, if at all.
func (c *walked) needs(v *ir.Value, e escapePath) (escapePath, bool) {
	for n := range c.few {
		if x := &c.few[n]; x.v == v {
			merged := x.e.merge(e)
			if merged == x.e {
				return e, false
			}
			x.e = merged
			return merged, true
		}
	}
	if len(c.few) < fewWalked {
		if c.few == nil {
			c.few = make([]walkedValue, 0, fewWalked)
		}
		c.few = append(c.few, walkedValue{v, e})
		return e, true
	}
	if old, seen := c.many[v]; seen {
		merged := old.merge(e)
		if merged == old {
			return e, false
		}
		e = merged
	}
	if c.many == nil {
		c.many = map[*ir.Value]escapePath{}
	}
	c.many[v] = e
	return e, true
}

// spend counts a step; false when there are none left.
func (w *walker) spend() bool {
	w.steps--
	return w.steps >= 0
}

// downUses follows all uses of a value or address.
func (w *walker) downUses(v *ir.Value, e escapePath) bool {
	for o := range v.Uses() {
		if IsTypeDependence(o) {
			continue
		}
		if !w.spend() || !w.use(o, e) {
			return false
		}
	}
	return true
}

// IsTypeDependence reports whether an operand only names the instruction that opened a type.
func IsTypeDependence(o *ir.Operand) bool { return o.User().Op == op.WitnessMethod }

// follow goes on after a use: with the results when the instruction renames, else with the owner's leaf function.
func (w *walker) follow(o *ir.Operand, e escapePath) bool {
	if o.Value().Type.IsAddress() {
		return w.followAddress(o, e)
	}
	return w.followValue(o, e)
}

// followValue follows a use of a value that is no address.
func (w *walker) followValue(o *ir.Operand, e escapePath) bool {
	i := o.User()
	switch i.Op {
	case op.Struct:
		return w.downUses(i.Result(), e.push(effects.FieldStruct, o.Number()))
	case op.Tuple:
		return w.downUses(i.Result(), e.push(effects.FieldTuple, o.Number()))
	case op.Enum:
		return w.downUses(i.Result(), e.push(effects.FieldEnum, w.p.CaseNumber(i.Result().Type, i.Aux.(*ir.MemberAux))))
	case op.StructExtract:
		return w.downField(i.Result(), e, effects.FieldStruct, FieldNumber(w.p.Mod, i))
	case op.TupleExtract:
		return w.downField(i.Result(), e, effects.FieldTuple, FieldNumber(w.p.Mod, i))
	case op.UncheckedEnumData:
		return w.downField(i.Result(), e, effects.FieldEnum, w.p.CaseNumber(i.Arg(0).Type, i.Aux.(*ir.MemberAux)))
	case op.InitExistentialRef:
		return w.downUses(i.Result(), e.push(effects.FieldExist, 0))
	case op.OpenExistentialRef:
		return w.downField(i.Result(), e, effects.FieldExist, 0)
	case op.DestructureStruct:
		return w.downParts(i, e, effects.FieldStruct)
	case op.DestructureTuple:
		return w.downParts(i, e, effects.FieldTuple)
	case op.BeginCowMutation:
		return w.downUses(i.Results[1], e)
	case op.MarkDependence, op.BeginDeallocRef:
		return o.Number() != 0 || w.downUses(i.Result(), e)
	case op.Br, op.CondBr:
		return w.downEdge(o, e)
	case op.SwitchEnum:
		return w.downSwitch(i, e)
	}
	if renames(i) {
		return w.downUses(i.Result(), e)
	}
	return w.leaf(o, e)
}

// renames reports whether the result of an instruction is its operand 0 for all that references are concerned. A cast to or from an existential
// stands for init_existential_ref or open_existential_ref, but has no field in the path.
func renames(i *ir.Inst) bool {
	switch i.Op {
	case op.BeginBorrow, op.CopyValue, op.MoveValue, op.Upcast, op.EndCowMutation, op.EndInitLetRef,
		op.RefToBridgeObject, op.BridgeObjectToRef, op.MarkUnresolvedNonCopyableValue:
		return true
	case op.UncheckedRefCast:
		return i.Arg(0).Type.Kind != ir.KindExistential && i.Result().Type.Kind != ir.KindExistential
	}
	return false
}

func (w *walker) downField(r *ir.Value, e escapePath, k effects.FieldKind, n int) bool {
	path, ok := e.Path.PopIf(k, n)
	return !ok || w.downUses(r, e.at(path))
}

// downParts follows the results of a destructuring instruction.
func (w *walker) downParts(i *ir.Inst, e escapePath, k effects.FieldKind) bool {
	if n, rest, ok := e.Path.PopKind(k); ok {
		return n >= len(i.Results) || w.downUses(i.Results[n], e.at(rest))
	}
	if _, ok := e.Path.PopIf(effects.FieldAnyValue, effects.AnyIndex); !ok {
		return true
	}
	for _, r := range i.Results {
		if on, ok := w.downCache.needs(r, e); ok && !w.downUses(r, on) {
			return false
		}
	}
	return true
}

// downEdge follows an argument of a branch into the block.
func (w *walker) downEdge(o *ir.Operand, e escapePath) bool {
	i := o.User()
	at := o.Number()
	for n := range i.Succs {
		s := &i.Succs[n]
		if at >= s.First && at < s.First+s.N {
			arg := s.To.Args[at-s.First]
			if on, ok := w.downCache.needs(arg, e); ok {
				return w.downUses(arg, on)
			}
			return true
		}
	}
	return w.leaf(o, e)
}

// downSwitch follows an enum into the blocks that may get its payload.
func (w *walker) downSwitch(i *ir.Inst, e escapePath) bool {
	cases := i.Aux.(*ir.CaseAux).Cases
	if n, rest, ok := e.Path.PopKind(effects.FieldEnum); ok {
		for k, m := range cases {
			to := i.Succs[k].To
			switch {
			case m == nil: // the default, which comes last, takes the enum as it is
			case w.p.CaseNumber(i.Arg(0).Type, m) == n:
				e = e.at(rest)
			default:
				continue
			}
			return len(to.Args) == 0 || w.downUses(to.Args[0], e)
		}
		return true
	}
	if _, ok := e.Path.PopIf(effects.FieldAnyValue, effects.AnyIndex); !ok {
		return true
	}
	for k := range i.Succs {
		if to := i.Succs[k].To; len(to.Args) > 0 && !w.downUses(to.Args[0], e) {
			return false
		}
	}
	return true
}

// followAddress follows a use of an address.
func (w *walker) followAddress(o *ir.Operand, e escapePath) bool {
	i := o.User()
	switch i.Op {
	case op.StructElementAddr:
		return w.downField(i.Result(), e, effects.FieldStruct, FieldNumber(w.p.Mod, i))
	case op.TupleElementAddr:
		return w.downField(i.Result(), e, effects.FieldTuple, FieldNumber(w.p.Mod, i))
	case op.InitEnumDataAddr, op.UncheckedTakeEnumDataAddr:
		n := w.p.CaseNumber(i.Arg(0).Type, i.Aux.(*ir.MemberAux))
		if k, have, _ := e.Path.Top(); w.memory && k == effects.FieldEnum && have != n {
			return w.downUses(i.Result(), e.at(e.Path.PopValues().Push(effects.FieldAnyValue, 0))) // the same bytes in another case
		}
		return w.downField(i.Result(), e, effects.FieldEnum, n)
	case op.InitExistentialAddr, op.OpenExistentialAddr:
		return w.downField(i.Result(), e, effects.FieldExist, 0)
	case op.IndexAddr:
		if n, rest, ok := e.Path.PopKind(effects.FieldElement); ok {
			if have, ok := constIndex(i); ok && have == n {
				return w.downUses(i.Result(), e.at(rest))
			}
			return w.downUses(i.Result(), e.at(rest.Push(effects.FieldAnyElement, 0)))
		}
		return w.downUses(i.Result(), e)
	case op.MarkUnresolvedNonCopyableValue, op.BeginAccess:
		return w.downUses(i.Result(), e)
	case op.EndAccess:
		return true
	case op.MarkDependence:
		return o.Number() != 0 || w.downUses(i.Result(), e)
	}
	return w.leafMem(o, e)
}

// constIndex returns the index of an index_addr when it is a literal.
func constIndex(i *ir.Inst) (int, bool) {
	if lit := i.Arg(1).Inst(); lit != nil && lit.Op == op.IntegerLiteral {
		if v := lit.Aux.(*ir.IntAux).Value; v.IsInt64() {
			return int(v.Int64()), true
		}
	}
	return 0, false
}

// up follows a definition: to the operands when the instruction renames, else to the owner's root function.
func (w *walker) up(v *ir.Value, e escapePath) bool {
	if v.Type.IsAddress() {
		return w.upAddress(v, e)
	}
	return w.upValue(v, e)
}

// upValue follows the definition of a value that is no address.
func (w *walker) upValue(v *ir.Value, e escapePath) bool {
	i := v.Inst()
	if i == nil {
		return w.upArg(v, e)
	}
	switch i.Op {
	case op.Struct:
		return w.upParts(i, e, effects.FieldStruct)
	case op.Tuple:
		return w.upParts(i, e, effects.FieldTuple)
	case op.Enum:
		n := w.p.CaseNumber(v.Type, i.Aux.(*ir.MemberAux))
		if rest, ok := e.Path.PopIf(effects.FieldEnum, n); ok && len(i.Operands) > 0 {
			return w.def(i.Arg(0), e.at(rest))
		}
		if _, ok := e.Path.PopIf(effects.FieldAnyValue, effects.AnyIndex); ok {
			return w.root(v, e)
		}
		return true
	case op.StructExtract:
		return w.def(i.Arg(0), e.push(effects.FieldStruct, FieldNumber(w.p.Mod, i)))
	case op.TupleExtract:
		return w.def(i.Arg(0), e.push(effects.FieldTuple, FieldNumber(w.p.Mod, i)))
	case op.UncheckedEnumData:
		return w.def(i.Arg(0), e.push(effects.FieldEnum, w.p.CaseNumber(i.Arg(0).Type, i.Aux.(*ir.MemberAux))))
	case op.DestructureStruct:
		return w.def(i.Arg(0), e.push(effects.FieldStruct, v.Index()))
	case op.DestructureTuple:
		return w.def(i.Arg(0), e.push(effects.FieldTuple, v.Index()))
	case op.BeginCowMutation:
		return w.def(i.Arg(0), e)
	case op.InitExistentialRef:
		if rest, ok := e.Path.PopIf(effects.FieldExist, 0); ok {
			return w.def(i.Arg(0), e.at(rest))
		}
		return true
	case op.OpenExistentialRef:
		return w.def(i.Arg(0), e.push(effects.FieldExist, 0))
	case op.BeginDeallocRef:
		return w.def(i.Arg(0), e)
	}
	if renames(i) {
		return w.def(i.Arg(0), e)
	}
	return w.root(v, e)
}

func (w *walker) upParts(i *ir.Inst, e escapePath, k effects.FieldKind) bool {
	if n, rest, ok := e.Path.PopKind(k); ok {
		return n >= len(i.Operands) || w.def(i.Arg(n), e.at(rest))
	}
	if _, ok := e.Path.PopIf(effects.FieldAnyValue, effects.AnyIndex); !ok {
		return true
	}
	for n := range i.Operands {
		if on, ok := w.upCache.needs(i.Arg(n), e); ok && !w.def(i.Arg(n), on) {
			return false
		}
	}
	return true
}

// upArg follows a block argument to what its predecessors pass.
func (w *walker) upArg(v *ir.Value, e escapePath) bool {
	in, ok := w.p.Incoming(v)
	if !ok {
		if term := w.p.onlyPredecessor(v.Block()); term != nil && term.Op == op.SwitchEnum {
			if n := w.uniqueCase(term, v.Block()); n >= 0 {
				return w.def(term.Arg(0), e.push(effects.FieldEnum, n))
			}
		}
		return w.root(v, e)
	}
	for _, o := range slices.Backward(in) { // as the compiler lists predecessors
		if on, ok := w.upCache.needs(o.Value(), e); ok && !w.def(o.Value(), on) {
			return false
		}
	}
	return true
}

// uniqueCase returns the number of the only case of a switch_enum that leads to the block, -1 when there are several or the default does.
func (w *walker) uniqueCase(term *ir.Inst, b *ir.Block) int {
	n := -1
	for k, m := range term.Aux.(*ir.CaseAux).Cases {
		if term.Succs[k].To != b {
			continue
		}
		if n >= 0 || m == nil {
			return -1
		}
		n = w.p.CaseNumber(term.Arg(0).Type, m)
	}
	return n
}

func (w *walker) upAddress(v *ir.Value, e escapePath) bool {
	i := v.Inst()
	if i == nil {
		return w.root(v, e)
	}
	switch i.Op {
	case op.StructElementAddr:
		return w.def(i.Arg(0), e.push(effects.FieldStruct, FieldNumber(w.p.Mod, i)))
	case op.TupleElementAddr:
		return w.def(i.Arg(0), e.push(effects.FieldTuple, FieldNumber(w.p.Mod, i)))
	case op.InitEnumDataAddr, op.UncheckedTakeEnumDataAddr:
		return w.def(i.Arg(0), e.push(effects.FieldEnum, w.p.CaseNumber(i.Arg(0).Type, i.Aux.(*ir.MemberAux))))
	case op.InitExistentialAddr, op.OpenExistentialAddr:
		return w.def(i.Arg(0), e.push(effects.FieldExist, 0))
	case op.BeginAccess, op.MarkUnresolvedNonCopyableValue, op.MarkDependence:
		return w.def(i.Arg(0), e)
	case op.IndexAddr:
		if n, ok := constIndex(i); ok {
			return w.def(i.Arg(0), e.push(effects.FieldElement, n))
		}
		return w.def(i.Arg(0), e.push(effects.FieldAnyElement, 0))
	}
	return w.root(v, e)
}
