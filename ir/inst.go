package ir

import (
	"silvm/ir/op"
	"silvm/ir/source"
)

// Inst is one instruction. What it is made of is said by its row in the table of package op; Aux holds
// what is neither a value, a type, a qualifier nor a successor.
type Inst struct {
	Op       op.Op
	ident    int32    // see ID
	Quals    op.Quals // what is in brackets: [copy], [dynamic] [no_nested_conflict]
	Operands []Operand
	Types    []*Type // types that the text names and that are not the type of an operand, in order
	Results  []*Value
	Succs    []Edge
	Aux      Aux
	// Forwarding is the ownership that the instruction hands on, where it is not that of its operands: the word after "forwarding:".
	Forwarding OwnershipKind
	Pos        source.Pos // place in the SIL text
	Loc        *Loc       // place in the Swift source, nil when the text carries none
	Scope      int        // number of the sil_scope, 0 when none

	block      *Block
	prev, next *Inst
	place      int64 // in the order of the block, see IsBefore
	num        int   // of an instruction without results: the number it takes up; valid after Function.number
}

// Edge is one successor of a terminator. Its arguments are Operands[First : First+N] of the terminator;
// a successor that gets its arguments from the terminator itself (switch_enum, try_apply) has N 0.
type Edge struct {
	To    *Block
	First int
	N     int
}

// Loc is a place in Swift source (docs/SIL.rst, Debug Information).
type Loc struct {
	File string
	Line int
	Col  int
	Auto bool // printed as auto_gen or with a star: compiler generated
	Text string
}

// ID is a number that the instruction has in its function, from 1, wherever it is moved there: what tables of instructions are indexed by. It is
// given when it is first asked for, and is 0 for one that has none and is in no function.
func (i *Inst) ID() int {
	if i.ident == 0 && i.block != nil && i.block.Func != nil {
		i.block.Func.lastInst++
		i.ident = i.block.Func.lastInst
	}
	return int(i.ident)
}

// Block returns the block that holds the instruction, nil when it was removed.
func (i *Inst) Block() *Block { return i.block }

// Next returns the following instruction of the block, nil at the end.
func (i *Inst) Next() *Inst { return i.next }

// Prev returns the preceding instruction of the block, nil at the start.
func (i *Inst) Prev() *Inst { return i.prev }

// Row returns the instruction's row of the table.
func (i *Inst) Row() *op.Row { return i.Op.Row() }

// OperandRow returns what the table says of operand n, nil when the row has nothing for it.
func (i *Inst) OperandRow(n int) *op.OperandRow {
	rows := i.Row().Operands
	list := -1
	for k := range rows {
		if rows[k].IsList() {
			list = k
		}
	}
	switch {
	case list >= 0:
		after := len(rows) - 1 - list
		if n < list {
			return &rows[n]
		}
		if left := len(i.Operands) - n; left <= after {
			return &rows[len(rows)-left]
		}
		return &rows[list]
	case len(i.Operands) < len(rows): // an optional one in front is absent
		if n += len(rows) - len(i.Operands); rows[0].IsOptional() && n < len(rows) {
			return &rows[n]
		}
		return nil
	case n < len(rows):
		return &rows[n]
	}
	return nil
}

// OperandMem returns what the row says that the instruction does to the memory at operand n.
func (i *Inst) OperandMem(n int) op.Mem {
	if row := i.OperandRow(n); row != nil {
		return row.Mem
	}
	return op.MemNone
}

// Arg returns the value of operand n.
func (i *Inst) Arg(n int) *Value { return i.Operands[n].value }

// Result returns the only result, nil when there is none or several.
func (i *Inst) Result() *Value {
	if len(i.Results) == 1 {
		return i.Results[0]
	}
	return nil
}

// Builtin returns which builtin the instruction calls: NotBuiltin when it is no builtin, BuiltinUnknown for one that the table lacks.
func (i *Inst) Builtin() op.BuiltinID {
	if a, ok := i.Aux.(*BuiltinAux); ok {
		return a.ID()
	}
	return op.NotBuiltin
}

// Has reports whether the instruction carries the qualifier.
func (i *Inst) Has(q op.Qual) bool { return i.Quals.Has(q) }

// EdgeArgs returns the operands that edge n passes to its block.
func (i *Inst) EdgeArgs(n int) []Operand {
	e := i.Succs[n]
	return i.Operands[e.First : e.First+e.N]
}

// SetOperands sets the operands; it may be called once, before the instruction is used.
func (i *Inst) SetOperands(vs []*Value) {
	i.Operands = make([]Operand, len(vs))
	for n, v := range vs {
		i.Operands[n].user = i
		i.Operands[n].Set(v)
	}
}

// BindOperands does the same for an instruction whose Operands were made, with the length of vs, together with those of others.
func (i *Inst) BindOperands(vs []*Value) {
	for n, v := range vs {
		i.Operands[n].user = i
		i.Operands[n].Set(v)
	}
}

// BindResult makes v, which must be new, result n of the instruction; i.Results must have room for it.
func (i *Inst) BindResult(n int, v *Value, t *Type) {
	v.Type, v.inst, v.index = t, i, n
	i.Results[n] = v
}

// AddResult adds a result of type t to the instruction.
func (i *Inst) AddResult(t *Type) *Value {
	v := &Value{Type: t, inst: i, index: len(i.Results)}
	i.Results = append(i.Results, v)
	return v
}

// SwiftPlace is the nearest Swift position of the instruction as "list.swift:31:9", that of a call where an inlined body has none; ""
// when it has none or is nil.
func (i *Inst) SwiftPlace() string {
	if calls := i.UserCalls(); len(calls) > 0 {
		return calls[0].Place()
	}
	return ""
}

// Swift is the position of the instruction in the Swift source or, with near, that of one close by.
func (i *Inst) Swift() (place string, near bool) {
	if place = i.SwiftPlace(); place != "" {
		return place, false
	}
	if calls := i.nearCalls(); len(calls) > 0 {
		return calls[0].Place(), true
	}
	return "", false
}

// SwiftCalls returns UserCalls or, of an instruction that has no position, the calls that the one of Swift is in.
func (i *Inst) SwiftCalls() []SourceCall {
	if calls := i.UserCalls(); len(calls) > 0 {
		return calls
	}
	return i.nearCalls()
}

// nearCalls are the calls at the nearest instruction of the block that has a position, one before this one rather than one after it, as far out as its
// function's own source: where code stands that the compiler made up, such as the release of a variable. Between two instructions of one inlined
// call they start in that. Where the function has no source of its own, as main may, the position is that of a call that was inlined.
func (i *Inst) nearCalls() []SourceCall {
	if i == nil {
		return nil
	}
	before, after := i.Prev(), i.Next()
	for before != nil && len(before.UserCalls()) == 0 {
		before = before.Prev()
	}
	for after != nil && len(after.UserCalls()) == 0 {
		after = after.Next()
	}
	if calls := between(before, after); calls != nil {
		return calls
	}
	for _, own := range []bool{true, false} {
		for j := i; j != nil; j = j.Prev() {
			if c := j.nearCall(own); c != nil {
				return c
			}
		}
		for j := i.Next(); j != nil; j = j.Next() {
			if c := j.nearCall(own); c != nil {
				return c
			}
		}
	}
	return nil
}

// between returns the calls at the first of two instructions from the innermost inlined one on that both are of, nil when there is none.
func between(before, after *Inst) []SourceCall {
	if before == nil || after == nil {
		return nil
	}
	a, b := before.UserCalls(), after.UserCalls()
	same := func(k int) bool { // counted from the function that holds them
		x, y := a[len(a)-1-k], b[len(b)-1-k]
		return x.Place() != "" && x.Place() == y.Place() && a[len(a)-2-k].Func == b[len(b)-2-k].Func
	}
	k := 0
	for k+1 < min(len(a), len(b)) && same(k) {
		k++
	}
	if k == 0 || a[len(a)-1-k].Place() == "" {
		return nil
	}
	return a[len(a)-1-k:]
}

// nearCall is the call that holds the instruction or, without own, that with the position of the innermost one; nil without a position.
func (i *Inst) nearCall(own bool) []SourceCall {
	calls := i.UserCalls()
	if len(calls) == 0 {
		return nil
	}
	c := calls[len(calls)-1]
	if !own {
		c.Loc = calls[0].Loc
	}
	if c.Place() == "" {
		return nil
	}
	return []SourceCall{c}
}
