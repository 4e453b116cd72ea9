package combine

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// StringOptimization makes one constant of two that are concatenated, and leaves out what an empty string adds:
//
//	%1 = apply %makeUTF8("a", …)
//	%2 = apply %makeUTF8("b", …)              ⇒    %3 = apply %makeUTF8("ab", …)
//	%3 = apply %concat(%1, %2)
//
//	store %1 to %0                                 store %1 to %0
//	apply %append(%2, %0)  // %1 is empty     ⇒    retain_value %2 ; destroy_addr %0 ; store %2 to %0
//
// The functions are known by the @_semantics that the library gives them (docs/HighLevelSILOptimizations.rst, String). What is stored in a
// variable is known within a block, of variables that are only loaded, stored to and passed to calls. The C string of a constant is a
// constant too.
var StringOptimization = &pass.Pass{
	Name:  "string-optimization",
	Doc:   "Computes concatenations of constant strings",
	Needs: [][]op.Op{{op.Apply}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		s := &stringOptimizer{Editor: rewrite.NewEditor(c, f), tracked: map[*ir.Value]bool{}}
		changed := false
		for _, b := range f.Blocks {
			changed = s.block(b) || changed
		}
		return changed
	},
}

// maxSpareCapacity bounds how much room an empty string may have been asked to leave for what is appended, so that it is given up.
const maxSpareCapacity = 50

type stringOptimizer struct {
	*rewrite.Editor
	tracked map[*ir.Value]bool // whether a variable is seen through
}

// A knownString is what is known of a string: its text, if that is constant, and the room that it has for more.
type knownString struct {
	text     string
	constant bool
	capacity int64
	make     *ir.Function // what makes a string of a literal, where one was seen
}

func (k knownString) isEmpty() bool { return k.constant && k.text == "" }

// stringCall returns whether an instruction calls a function of strings with that many arguments.
func stringCall(i *ir.Inst, s ir.Semantics, args int) bool {
	return i.Op == op.Apply && len(i.Operands) == args+1 && facts.HasSemantics(facts.StaticCallee(i), s)
}

func (s *stringOptimizer) block(b *ir.Block) bool {
	changed := false
	stored := map[*ir.Value]*ir.Value{} // the strings in variables
	for _, i := range b.InstList() {
		switch {
		case i.Op == op.Store && s.isTracked(i):
			stored[i.Arg(1)] = i.Arg(0)
			continue
		case stringCall(i, ir.SemanticsStringAppend, 2) && s.append(i, stored),
			stringCall(i, ir.SemanticsStringConcat, 3) && s.concat(i),
			stringCall(i, ir.SemanticsStringGetUTF8CString, 1) && s.cString(i):
			changed = true
			continue
		}
		if mayChangeTracked(i) {
			for n := range i.Operands {
				delete(stored, i.Arg(n))
			}
		}
	}
	return changed
}

// mayChangeTracked reports whether an instruction is one of those that may change a variable that is seen through.
func mayChangeTracked(i *ir.Inst) bool { return i.Op == op.Store || i.Op == op.Apply }

// isTracked reports whether a store is of a string to a variable that is only loaded, stored to and passed to calls.
func (s *stringOptimizer) isTracked(store *ir.Inst) bool {
	at := store.Arg(1)
	if !isString(store.Arg(0).Type) || facts.DefinedBy(at, op.AllocStack) == nil && !s.isExclusiveArg(at) {
		return false
	}
	known, ok := s.tracked[at]
	if ok {
		return known
	}
	known = true
	for u := range at.Uses() {
		switch i := u.User(); {
		case i.Op == op.DeallocStack, i.Op == op.Load, facts.IsDebug(i), mayChangeTracked(i):
		default:
			known = false
		}
	}
	s.tracked[at] = known
	return known
}

func (s *stringOptimizer) isExclusiveArg(v *ir.Value) bool {
	return v.IsArg() && v.Block() == s.Func.Entry() && facts.EntryConv(s.Func, v.Index()).IsExclusive()
}

// isLent reports whether an argument still belongs to the caller after the call.
func isLent(call *ir.Inst, n int) bool {
	p := facts.Param(call, n)
	return p != nil && p.Conv == ir.ParamDirectGuaranteed
}

func isString(t *ir.Type) bool { return t.Known() == ir.KnownString }

// append does without an append, or makes it a store.
func (s *stringOptimizer) append(call *ir.Inst, stored map[*ir.Value]*ir.Value) bool {
	more, at := call.Arg(1), call.Arg(2)
	if !isString(more.Type) || !isLent(call, 1) || !at.Type.IsAddress() {
		return false
	}
	right := s.known(more)
	if right.isEmpty() {
		s.Context.Passed(s.Func, call, "removed what appends an empty string")
		call.Remove()
		return true
	}
	v := stored[at]
	if v == nil {
		return false
	}
	left := s.known(v)
	switch {
	case left.capacity > maxSpareCapacity:
		return false
	case left.isEmpty():
		s.Context.Passed(s.Func, call, "stored the string instead of appending it to an empty one")
		v = more
		s.assign(call, s.retained(s.Before(call), more), at)
	case left.constant && right.constant:
		v = s.literal(call, left, right)
		if v == nil {
			return false
		}
		s.Context.Passed(s.Func, call, "appended a constant to a constant")
		s.assign(call, v, at)
	default:
		return false
	}
	stored[at] = v
	return true
}

// retained returns a string with a count of its own.
func (s *stringOptimizer) retained(b *ir.Builder, v *ir.Value) *ir.Value {
	if s.OSSA {
		return rewrite.Emit(b, op.CopyValue, v).Result()
	}
	rewrite.Emit(b, op.RetainValue, v)
	return v
}

// assign stores a string in place of the one that a variable holds, instead of a call.
func (s *stringOptimizer) assign(call *ir.Inst, v, at *ir.Value) {
	b := s.Before(call)
	if s.OSSA {
		rewrite.EmitQ(b, op.Store, op.QualAssign, v, at)
	} else {
		rewrite.Emit(b, op.DestroyAddr, at)
		rewrite.Emit(b, op.Store, v, at)
	}
	call.Remove()
}

// concat computes a concatenation.
func (s *stringOptimizer) concat(call *ir.Inst) bool {
	if !isString(call.Arg(1).Type) || !isString(call.Arg(2).Type) || !isLent(call, 1) || !isLent(call, 2) || !isString(call.Result().Type) {
		return false
	}
	left, right := s.known(call.Arg(1)), s.known(call.Arg(2))
	var v *ir.Value
	switch {
	case right.isEmpty():
		v = s.retained(s.Before(call), call.Arg(1))
	case left.isEmpty():
		v = s.retained(s.Before(call), call.Arg(2))
	case left.constant && right.constant:
		v = s.literal(call, left, right)
	}
	if v == nil {
		return false
	}
	s.Context.Passed(s.Func, call, "computed the concatenation")
	call.Result().ReplaceAllUses(v)
	call.Remove()
	return true
}

// literal makes a string of two constants before an instruction; nil when no function is known that does.
func (s *stringOptimizer) literal(at *ir.Inst, left, right knownString) *ir.Value {
	f := left.make
	if f == nil {
		f = right.make
	}
	if f == nil {
		return nil
	}
	text := left.text + right.text
	b, ts := s.Before(at), s.Context.Module.Types
	chars := b.Emit(&ir.Inst{Op: op.StringLiteral, Aux: &ir.StringAux{Encoding: ir.EncodingUTF8, Value: text}}).Result()
	params := f.Type.Func.Params
	length := rewrite.LiteralOf(s.Context.Module, at, params[1].Type, big.NewInt(int64(len(text))))
	ascii := int64(-1)
	for n := range len(text) {
		if text[n] >= 0x80 {
			ascii = 0
		}
	}
	isASCII := rewrite.LiteralOf(s.Context.Module, at, params[2].Type, big.NewInt(ascii))
	self := b.Emit(&ir.Inst{Op: op.Metatype, Types: []*ir.Type{params[3].Type}}).Result()
	ref := rewrite.FunctionRef(b, f)
	return b.Emit(&ir.Inst{Op: op.Apply, Aux: &ir.ApplyAux{Fn: ts.Unsugared(f.Type)}}, ref, chars, length, isASCII, self).Result()
}

// known says what is known of a string.
func (s *stringOptimizer) known(v *ir.Value) knownString {
	if from, field := s.extracted(v); field != "" {
		i := facts.DefinedBy(from, op.Struct)
		if i == nil || len(i.Operands) != 1 {
			return knownString{} // interpolations hold one string and nothing else
		}
		v = i.Arg(0)
	}
	i := facts.DefinedBy(v, op.Apply)
	if i == nil {
		return s.inConstant(v)
	}
	f := facts.StaticCallee(i)
	switch {
	case facts.HasSemantics(f, ir.SemanticsStringInitEmpty):
		return knownString{constant: true}
	case facts.HasSemantics(f, ir.SemanticsStringInitEmptyWithCapacity):
		n := int64(maxSpareCapacity + 1)
		if len(i.Operands) > 1 {
			if lit := structLiteral(i.Arg(1)); lit != nil && lit.IsInt64() {
				n = lit.Int64()
			}
		}
		return knownString{constant: n >= 0, capacity: n}
	case facts.HasSemantics(f, ir.SemanticsStringMakeUTF8) && len(i.Operands) == 5 && f.Type.Func != nil && len(f.Type.Func.Params) == 4:
		chars, length := facts.DefinedBy(i.Arg(1), op.StringLiteral), facts.Literal(i.Arg(2))
		if chars == nil || length == nil {
			return knownString{}
		}
		aux, ok := chars.Aux.(*ir.StringAux)
		if ok && aux.Encoding == ir.EncodingUTF8 && length.IsInt64() && length.Int64() == int64(len(aux.Value)) {
			return knownString{text: aux.Value, constant: true, make: f}
		}
	}
	return knownString{}
}

// structLiteral returns the number that a structure such as Int holds.
func structLiteral(v *ir.Value) *big.Int {
	if i := facts.DefinedBy(v, op.Struct); i != nil && len(i.Operands) == 1 {
		return facts.Literal(i.Arg(0))
	}
	return nil
}

// extracted returns the structure that a value is a field of, and the field. A call of a function that does nothing but return a field of what
// it is passed counts: String(stringInterpolation:), which is not inlined as long as calls of strings stay whole.
func (s *stringOptimizer) extracted(v *ir.Value) (from *ir.Value, field string) {
	if i := facts.DefinedBy(v, op.StructExtract); i != nil {
		return i.Arg(0), i.Aux.(*ir.MemberAux).Property()
	}
	call := facts.DefinedBy(v, op.Apply)
	if call == nil {
		return v, ""
	}
	f := facts.StaticCallee(call)
	if f == nil || len(f.Blocks) == 0 {
		return v, ""
	}
	ret := f.Entry().Last()
	if ret.Op != op.Return {
		return v, ""
	}
	i := facts.DefinedBy(ret.Arg(0), op.StructExtract)
	if i == nil || !i.Arg(0).IsArg() || i.Arg(0).Block() != f.Entry() || i.Arg(0).Index()+1 >= len(call.Operands) {
		return v, ""
	}
	return call.Arg(i.Arg(0).Index() + 1), i.Aux.(*ir.MemberAux).Property()
}

// inConstant says what is known of a string that is loaded from a global constant: its initializer stores one there and does nothing else with it.
//
//	%1 = apply %addressor() ; %2 = pointer_to_address %1 ; %3 = load %2
func (s *stringOptimizer) inConstant(v *ir.Value) knownString {
	load := facts.DefinedBy(v, op.Load)
	if load == nil {
		return knownString{}
	}
	pointer := facts.DefinedBy(load.Arg(0), op.PointerToAddress)
	if pointer == nil {
		return knownString{}
	}
	call := facts.DefinedBy(pointer.Arg(0), op.Apply)
	if call == nil {
		return knownString{}
	}
	f := onceInitializer(facts.StaticCallee(call))
	if f == nil || len(f.Blocks) != 1 {
		return knownString{}
	}
	var at *ir.Inst
	for i := range f.Insts() {
		if i.Op == op.GlobalAddr {
			if at != nil {
				return knownString{}
			}
			at = i
		}
	}
	if at == nil {
		return knownString{}
	}
	g := at.Aux.(*ir.SymbolAux).Global
	if g == nil || !g.Attrs.Has(ir.AttrLet) || len(at.Result().UseList()) != 1 {
		return knownString{}
	}
	for u := range at.Result().Uses() {
		if i := u.User(); i.Op == op.Store && u.Number() == 1 && facts.DefinedBy(i.Arg(0), op.Load) == nil {
			return s.known(i.Arg(0))
		}
	}
	return knownString{}
}

// onceInitializer returns the function that an addressor runs once, nil when it is not known or there are several.
func onceInitializer(addressor *ir.Function) *ir.Function {
	if addressor == nil || !addressor.Attrs.Has(ir.AttrGlobalInit) {
		return nil
	}
	var f *ir.Function
	for i := range addressor.Insts() {
		if i.Op != op.Builtin || facts.BuiltinID(i) != op.BuiltinOnce {
			continue
		}
		ref := facts.DefinedBy(i.Arg(1), op.FunctionRef)
		if ref == nil || f != nil {
			return nil
		}
		f = ref.Aux.(*ir.SymbolAux).Func
	}
	return f
}

// cString makes the characters of a constant's C string a literal, which ends in a zero as they do.
func (s *stringOptimizer) cString(call *ir.Inst) bool {
	k := s.known(call.Arg(1))
	if !k.constant {
		return false
	}
	var chars *ir.Value
	work := []*ir.Value{call.Result()}
	for v := range worklist.Drain(&work) {
		for u := range v.Uses() {
			i := u.User()
			switch i.Op {
			case op.StructExtract:
				work = append(work, i.Result())
			case op.RefTailAddr:
				if chars == nil {
					chars = s.Before(call).Emit(&ir.Inst{Op: op.StringLiteral, Aux: &ir.StringAux{Encoding: ir.EncodingUTF8, Value: k.text}}).Result()
				}
				at := s.Before(i).Emit(&ir.Inst{Op: op.PointerToAddress, Types: []*ir.Type{i.Result().Type}}, chars)
				i.Result().ReplaceAllUses(at.Result())
			}
		}
	}
	if chars == nil {
		return false
	}
	s.Context.Passed(s.Func, call, "took the characters of the constant instead of those of its C string")
	return true
}
