package combine

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// addressedValue returns the initial value of the constant whose address a call of an addressor returns, nil for any other call.
func addressedValue(call *ir.Inst) *ir.Value {
	if f := facts.StaticCallee(call); f != nil && f.Attrs.Has(ir.AttrGlobalInit) {
		return initialValue(addressed(f))
	}
	return nil
}

// initialValue returns the value that a constant starts with, nil when it is computed at run time.
func initialValue(g *ir.Global) *ir.Value {
	if g == nil || g.Init == nil || g.Init.Last() == nil || !g.Attrs.Has(ir.AttrLet) {
		return nil
	}
	return resultOrNil(g.Init.Last())
}

func resultOrNil(i *ir.Inst) *ir.Value {
	if len(i.Results) != 1 {
		return nil
	}
	return i.Results[0]
}

// addressed returns the global whose address an addressor returns, nil when its body is not known or names another one too.
func addressed(f *ir.Function) *ir.Global {
	var g *ir.Global
	for i := range f.Insts() {
		if i.Op != op.GlobalAddr {
			continue
		}
		if g != nil && g != i.Aux.(*ir.SymbolAux).Global {
			return nil
		}
		g = i.Aux.(*ir.SymbolAux).Global
	}
	return g
}

// isCopyable reports whether all that an initial value is made of can be in a function.
func isCopyable(v *ir.Value) bool {
	i := v.Inst()
	if i == nil || i.Op == op.Object || i.Op == op.Vector {
		return false
	}
	for n := range i.Operands {
		if !isCopyable(i.Arg(n)) {
			return false
		}
	}
	return true
}

// The rules for loads from memory whose contents never change: global constants with a static initializer, and string literals.

// loadConstant replaces a load of a global constant, or of a part of it, by what its initializer has there.
//
//	sil_global [let] @g : $Int32 = { %0 = integer_literal 7 … }
//	%1 = global_addr @g : $*Int32
//	%2 = load %1                                                     →  %2 = integer_literal 7 …
func (r *Combiner) loadConstant(load *ir.Inst) bool {
	v := r.initialized(load.Arg(0))
	if v == nil || v.Type != load.Results[0].Type || !r.Types.IsTrivial(v.Type) || !isCopyable(v) {
		return false
	}
	address := load.Arg(0)
	r.replace(load, r.copyInitial(load, v, map[*ir.Value]*ir.Value{}))
	r.eraseAddress(address)
	return true
}

// initialized returns the value that the static initializer of a global constant puts at the address, nil when the address is of something
// else.
func (r *Combiner) initialized(address *ir.Value) *ir.Value {
	i := address.Inst()
	if i == nil {
		return nil
	}
	switch i.Op {
	case op.GlobalAddr:
		return initialValue(i.Aux.(*ir.SymbolAux).Global)
	case op.PointerToAddress:
		if call := facts.DefinedBy(i.Arg(0), op.Apply); call != nil {
			return addressedValue(call)
		}
	case op.BeginAccess:
		return r.initialized(i.Arg(0))
	case op.StructElementAddr, op.TupleElementAddr:
		whole := r.initialized(i.Arg(0))
		if whole == nil || facts.DefinedBy(whole, op.Struct) == nil && facts.DefinedBy(whole, op.Tuple) == nil {
			return nil
		}
		if n := facts.FieldNumber(r.Context.Module, i); n >= 0 && n < len(whole.Inst().Operands) {
			return whole.Inst().Arg(n)
		}
	}
	return nil
}

// copyInitial copies an initial value before an instruction.
func (r *Combiner) copyInitial(at *ir.Inst, v *ir.Value, made map[*ir.Value]*ir.Value) *ir.Value {
	if have := made[v]; have != nil {
		return have
	}
	i := v.Inst()
	var operands []*ir.Value
	for n := range i.Operands {
		operands = append(operands, r.copyInitial(at, i.Arg(n), made))
	}
	by := r.emit(at, &ir.Inst{Op: i.Op, Quals: i.Quals, Types: i.Types, Aux: i.Aux, Forwarding: i.Forwarding}, operands...)
	if by.Results[0].Type == nil {
		by.Results[0].Type = v.Type
	}
	made[v] = by.Results[0]
	return by.Results[0]
}

// eraseAddress removes what computed an address that nothing uses any more; an addressor of an initialized constant does nothing else.
func (r *Combiner) eraseAddress(v *ir.Value) {
	for i := v.Inst(); i != nil && i.Block() != nil; i = v.Inst() {
		if !facts.IsTriviallyDead(i) && (i.Op != op.Apply || v.HasUses() || addressedValue(i) == nil) {
			return
		}
		if len(i.Operands) == 0 {
			r.erase(i)
			return
		}
		v = i.Arg(0)
		r.erase(i)
	}
}

// loadCharacter replaces the load of a byte of a string literal by the byte.
func (r *Combiner) loadCharacter(load *ir.Inst) bool {
	t := load.Results[0].Type
	field := facts.DefinedBy(load.Arg(0), op.StructElementAddr)
	if field == nil || t.IntWidth() != 8 {
		return false
	}
	base, index := field.Arg(0), int64(0)
	if at := facts.DefinedBy(base, op.IndexAddr); at != nil {
		n := facts.Literal(at.Arg(1))
		if n == nil || !n.IsInt64() {
			return false
		}
		base, index = at.Arg(0), n.Int64()
	}
	pointer := facts.DefinedBy(base, op.PointerToAddress)
	if pointer == nil {
		return false
	}
	text := facts.DefinedBy(pointer.Arg(0), op.StringLiteral)
	if text == nil {
		return false
	}
	aux, ok := text.Aux.(*ir.StringAux)
	if !ok || aux.Encoding != ir.EncodingUTF8 || index < 0 || index >= int64(len(aux.Value)) {
		return false
	}
	return r.replace(load, rewrite.LiteralOf(r.Context.Module, load, t, big.NewInt(int64(int8(aux.Value[index])))))
}
