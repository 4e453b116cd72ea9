package loader

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/source"
)

// finishInst adds to the instruction what was gathered for it, computes the types of its results and puts it
// into the block.
func (p *parser) finishInst(b *ir.Block, i *ir.Inst) {
	fp := p.fn
	d := &fp.draft
	i.Operands = fp.mem.operands(len(d.operands))
	i.BindOperands(d.operands)
	if len(d.types) > 0 {
		i.Types = append([]*ir.Type(nil), d.types...)
		if i.Op == op.AllocBox || i.Op == op.AllocStack {
			i.Types[0] = i.Types[0].Object() // texts may write the address of what is allocated
		}
	}
	if i.Op == op.IntegerLiteral {
		i.Aux = p.signedLiteral(i)
	}
	if len(d.succs) > 0 {
		i.Succs = append([]ir.Edge(nil), d.succs...)
	}
	i.Quals = d.quals
	if t := b.Last(); t != nil && t.Row().IsTerminator() {
		p.instErrorf(i, "terminator-inside", "%s ends %s, but %s follows", t.Row().Name, b.Name, i.Row().Name)
		return
	}
	types, exact := p.mod.ResultTypes(i)
	if !p.checkResults(i, len(types)) {
		return
	}
	if len(types) == 1 && types[0] == nil && !p.checkMember(i) {
		return
	}
	i.Results = fp.mem.results(resultCount(i, len(d.names), len(types)))
	for n := range i.Results {
		var t *ir.Type
		if n < len(types) {
			t = types[n]
		}
		if !exact && t != nil && t.HasParams() {
			t = fp.reduce(p.ts, t)
		}
		v := fp.mem.value()
		i.BindResult(n, v, t)
		if !exact && t != nil {
			if fp.loose == nil {
				fp.loose = make(map[*ir.Value]bool)
			}
			fp.loose[v] = true
		}
		if t == nil {
			fp.untyped = append(fp.untyped, v)
		}
		if n >= len(d.names) {
			continue
		}
		if p.define(d.names[n], v); p.bad {
			return
		}
	}
	p.typeByClass(i)
	b.Append(i)
}

// reduce puts what the requirements of the function say that members of its generic parameters are in their place: Element for S.Element
// where S.Element == Element.
func (fp *funcParser) reduce(ts *ir.Types, t *ir.Type) *ir.Type {
	if fp.fn == nil || fp.fn.Type == nil || fp.fn.Type.Func.Generic == nil {
		return t
	}
	if fp.same == nil {
		fp.same = map[*ir.Type]*ir.Type{}
		for _, r := range fp.fn.Type.Func.Generic.Requirements {
			switch {
			case r.Kind != ir.ReqSameType || r.Type == r.Subject:
			case r.Subject.Kind == ir.KindParam && r.Type.Kind == ir.KindMember: // Element == S.Element
				fp.same[r.Type] = r.Subject
			default:
				fp.same[r.Subject] = r.Type
			}
		}
	}
	if len(fp.same) == 0 {
		return t
	}
	return ts.Subst(t, func(p *ir.Type) *ir.Type { return fp.same[p] })
}

// resultCount returns the number of results: that of the names on the left, or that of the instruction's results if there are none.
func resultCount(i *ir.Inst, names, computed int) int {
	if names > 0 {
		return names
	}
	switch i.Row().Results.Count {
	case op.OneResult:
		return 1
	case op.TwoResults:
		return 2
	case op.ManyResults:
		return computed
	}
	return 0
}

// checkResults compares the number of names on the left with that of the instruction's results. A result may go
// without a name only if all do.
func (p *parser) checkResults(i *ir.Inst, computed int) bool {
	names := len(p.fn.draft.names)
	row := i.Row()
	var want string
	switch row.Results.Count {
	case op.NoResults:
		if names != 0 {
			want = "no result"
		}
	case op.OneResult:
		if names > 1 {
			want = "one result"
		}
	case op.TwoResults:
		if names != 2 && names != 0 {
			want = "two results"
		}
	case op.ManyResults:
		if computed > 0 && names != computed && names != 0 {
			want = strconv.Itoa(computed) + " results"
		}
	}
	if want == "" {
		return true
	}
	p.instErrorf(i, "result-type", "%s gives %s, not %d", row.Name, want, names)
	return false
}

// checkMember sees to it that a field or case that an instruction names is there if the program declares the
// type. Of other types the loader may know less than the compiler.
func (p *parser) checkMember(i *ir.Inst) bool {
	aux, ok := i.Aux.(*ir.MemberAux)
	if !ok || len(i.Operands) == 0 || i.Arg(0).Type == nil {
		return true
	}
	d := p.mod.DeclOf(i.Arg(0).Type.Object())
	if d == nil || d.Text == "" || d.Builtin || d.Super != nil {
		return true
	}
	var names []string
	for n := range d.Fields {
		names = append(names, d.Fields[n].Name)
	}
	for n := range d.Cases {
		names = append(names, d.Cases[n].Name)
	}
	if slices.Contains(names, aux.Name) || strings.Contains(d.Text, strings.Trim(aux.Name, "_$`")) { // the compiler may have added it
		return true
	}
	p.instErrorf(i, "unknown-member", "%s has no member '%s'%s", d.Path, aux.Name, source.DidYouMean(aux.Name, names))
	return false
}

// typeRest gives the values whose type neither their definition nor a use told a type that says so.
func (fp *funcParser) typeRest(ts *ir.Types) {
	for _, v := range fp.untyped {
		if v.Type == nil {
			v.Type = ts.Unparsed("unknown")
		}
	}
}

// classTypes are the builtin types of the operand classes that have only one type.
var classTypes = map[op.TypeClass]string{
	op.ClassInt1: "Int1", op.ClassPointer: "RawPointer", op.ClassToken: "SILToken", op.ClassPackIndex: "PackIndex",
	op.ClassBridge: "BridgeObject",
}

// typeByClass gives operands that the text names without a type, and whose definition did not tell it, the
// type that the instruction wants: the only one of its class, or what the memory holds that it is written to.
func (p *parser) typeByClass(i *ir.Inst) {
	rows := i.Row().Operands
	for n := range i.Operands {
		v := i.Arg(n)
		if v.Type != nil {
			continue
		}
		if n < len(rows) && classTypes[rows[n].Class] != "" {
			v.Type = p.ts.BuiltinNamed(classTypes[rows[n].Class])
		} else if n == 0 && len(i.Operands) > 1 {
			v.Type = typeByTarget(i.Op, i.Arg(1).Type)
		}
		if v.Type == nil && v.IsUndef() && !p.isForward(v) {
			v.Type = p.ts.Unparsed("unknown")
		}
	}
}

// typeByTarget returns the type of a value that is written to memory of type dst, nil for other instructions.
func typeByTarget(o op.Op, dst *ir.Type) *ir.Type {
	if dst == nil || !dst.IsAddress() {
		return nil
	}
	switch o {
	case op.Store, op.StoreBorrow, op.Assign:
		return dst.Elem
	case op.CopyAddr, op.ExplicitCopyAddr, op.MarkUnresolvedMoveAddr:
		return dst
	case op.StoreWeak, op.StoreUnowned:
		if dst.Elem.Kind == ir.KindStorage {
			return dst.Elem.Elem
		}
	}
	return nil
}

func (p *parser) isForward(v *ir.Value) bool {
	_, ok := p.fn.forward[v]
	return ok
}

// signedLiteral returns the number of an integer_literal as the compiler has it: with the highest bit of its type as the sign, so that 255 in
// Builtin.Int8 is -1.
func (p *parser) signedLiteral(i *ir.Inst) ir.Aux {
	aux, ok := i.Aux.(*ir.IntAux)
	if !ok || aux == nil || aux.Value.Sign() <= 0 || len(i.Types) != 1 {
		return i.Aux
	}
	b := i.Types[0].Builtin()
	if b.Kind != ir.BuiltinInt || aux.Value.BitLen() != int(b.Bits) {
		return i.Aux
	}
	return &ir.IntAux{Value: new(big.Int).Sub(aux.Value, new(big.Int).Lsh(big.NewInt(1), uint(b.Bits)))}
}

// smallInt returns the number as an Aux.
func (p *parser) smallInt(n int) *ir.IntAux {
	text := strconv.Itoa(n)
	if aux, ok := p.ints[text]; ok {
		return aux
	}
	aux := &ir.IntAux{Value: big.NewInt(int64(n))}
	p.ints[text] = aux
	return aux
}

// slabs hands out the parts of instructions from arrays, so that a body costs few allocations.
type slabs struct {
	insts  []ir.Inst
	values []ir.Value
	ops    []ir.Operand
	ptrs   []*ir.Value
}

const slabSize = 64

func (s *slabs) inst() *ir.Inst {
	if len(s.insts) == 0 {
		s.insts = make([]ir.Inst, slabSize)
	}
	i := &s.insts[0]
	s.insts = s.insts[1:]
	return i
}

func (s *slabs) value() *ir.Value {
	if len(s.values) == 0 {
		s.values = make([]ir.Value, slabSize)
	}
	v := &s.values[0]
	s.values = s.values[1:]
	return v
}

func (s *slabs) operands(n int) []ir.Operand {
	if n == 0 {
		return nil
	}
	if n > slabSize {
		return make([]ir.Operand, n)
	}
	if len(s.ops) < n {
		s.ops = make([]ir.Operand, slabSize)
	}
	ops := s.ops[:n:n]
	s.ops = s.ops[n:]
	return ops
}

func (s *slabs) results(n int) []*ir.Value {
	if n == 0 {
		return nil
	}
	if n > slabSize {
		return make([]*ir.Value, n)
	}
	if len(s.ptrs) < n {
		s.ptrs = make([]*ir.Value, slabSize)
	}
	ptrs := s.ptrs[:n:n]
	s.ptrs = s.ptrs[n:]
	return ptrs
}
