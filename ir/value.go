package ir

import "iter"

// Value is an SSA value: a result of an instruction or an argument of a block.
type Value struct {
	Type *Type
	// Name is the name in the text it was read from, without %, when it is no number; "" otherwise.
	Name string
	// Ownership is what the text says of a block argument; OwnershipUnspecified elsewhere.
	Ownership OwnershipKind
	Flags     ArgFlags // of a block argument

	inst  *Inst  // nil for a block argument
	block *Block // nil for a result, an undefined value and a forward reference
	index int
	num   int // the number it is printed with; valid after Function.number
	uses  *Operand
}

// NewUndef returns a value of type t that nothing defines: SIL's undef (docs/SIL.rst, Values and Operands).
// Its uses should all lie in one function.
func NewUndef(t *Type) *Value { return &Value{Type: t} }

// NewForward returns a value without type that stands for one that is not yet read; the loader replaces it.
func NewForward() *Value { return &Value{} }

// IsUndef reports whether nothing defines the value.
func (v *Value) IsUndef() bool { return v.inst == nil && v.block == nil }

// Inst returns the instruction that defines the value, nil for a block argument.
func (v *Value) Inst() *Inst { return v.inst }

// Block returns the block in which the value is defined, nil for undef.
func (v *Value) Block() *Block {
	if v.inst != nil {
		return v.inst.block
	}
	return v.block
}

// Index is the position among the results of the instruction or the arguments of the block.
func (v *Value) Index() int { return v.index }

// IsArg reports whether the value is an argument of a block.
func (v *Value) IsArg() bool { return v.block != nil }

// FirstUse returns the first operand that uses the value, nil when there is none; Uses walks over all.
func (v *Value) FirstUse() *Operand { return v.uses }

// Uses iterates over the operands that use the value, the last made first. The use at hand may be changed only by a loop that then ends: to
// change uses while iterating, range over UseList.
func (v *Value) Uses() iter.Seq[*Operand] {
	return func(yield func(*Operand) bool) {
		for u := v.uses; u != nil && yield(u); u = u.next {
		}
	}
}

// UseList lists the operands that use the value now, the last made first.
func (v *Value) UseList() []*Operand {
	var list []*Operand
	for u := v.uses; u != nil; u = u.next {
		list = append(list, u)
	}
	return list
}

// HasUses reports whether any operand uses the value.
func (v *Value) HasUses() bool { return v.uses != nil }

// Operand is one use of a value by an instruction. Its address is stable as long as the instruction lives.
type Operand struct {
	value      *Value
	user       *Inst
	prev, next *Operand
}

// Value returns the value used.
func (o *Operand) Value() *Value { return o.value }

// User returns the instruction that uses it.
func (o *Operand) User() *Inst { return o.user }

// Number returns the position among the operands of the user, -1 when the operand is none of them.
func (o *Operand) Number() int {
	for n := range o.user.Operands {
		if &o.user.Operands[n] == o {
			return n
		}
	}
	return -1
}

// NextUse returns the next use of the same value.
func (o *Operand) NextUse() *Operand { return o.next }

// Set makes the operand use v instead; v may be nil while an instruction is being taken apart.
func (o *Operand) Set(v *Value) {
	if o.value != nil {
		if o.prev != nil {
			o.prev.next = o.next
		} else {
			o.value.uses = o.next
		}
		if o.next != nil {
			o.next.prev = o.prev
		}
	}
	o.value, o.prev, o.next = v, nil, nil
	if v != nil {
		o.next = v.uses
		if v.uses != nil {
			v.uses.prev = o
		}
		v.uses = o
	}
}

// ReplaceAllUses makes every user of v use w.
func (v *Value) ReplaceAllUses(w *Value) {
	if v == w {
		return
	}
	for v.uses != nil {
		v.uses.Set(w)
	}
}
