package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// callee is a function value of which the builder knows where it comes from; it becomes words only when something other than a
// call needs them.
type callee struct {
	kind calleeKind
	fn   *ir.Function // calleeFunc
	// replaced says that fn is meant although another function replaces it.
	replaced bool
	self     reg         // calleeMethod: the object; calleeMetatype: its class's metadata
	slot     int         // vtable slot
	key      string      // calleeGeneric: the method, as in code.Class.Generic
	req      requirement // calleeWitness
	on       *ir.Type    // calleeWitness: the type that is looked up
}

type calleeKind uint8

const (
	calleeFunc     calleeKind = iota + 1 // a SIL function
	calleeMethod                         // a vtable entry of an object's class
	calleeMetatype                       // a vtable entry of a class known by metadata
	calleeWitness                        // a witness
	calleeIndex                          // the code.Func number slot
	calleeGeneric                        // a method that is generic itself; self is the class's metadata
)

// functionLowerings find functions (docs/SIL.rst, Literals; Dynamic Dispatch) and convert them.
var functionLowerings = map[op.Op]lowering{
	op.FunctionRef:        lowerFunctionRef,
	op.DynamicFunctionRef: lowerFunctionRef,
	// The function that a replacement stands for.
	op.PrevDynamicFunctionRef: lowerPrevDynamicFunctionRef,
	op.ClassMethod:            lowerClassMethod,
	op.SuperMethod:            lowerSuperMethod,
	op.WitnessMethod:          lowerWitnessMethod,
	op.ThinToThickFunction:    lowerThinToThick,
	op.ConvertFunction:        lowerConvertFunction,
}

func (b *builder) defineCallee(v *ir.Value, c *callee) { b.values[v] = &value{callee: c} }

func lowerFunctionRef(b *builder, i *ir.Inst) error {
	fn, err := b.symbol(i)
	if err != nil {
		return err
	}
	b.defineCallee(i.Results[0], &callee{kind: calleeFunc, fn: fn})
	return nil
}

// lowerPrevDynamicFunctionRef finds what the replacement that the instruction names replaced: the replacement before it, or else the
// function itself.
func lowerPrevDynamicFunctionRef(b *builder, i *ir.Inst) error {
	fn, err := b.symbol(i)
	if err != nil {
		return err
	}
	if fn = b.Mod.Replaced(fn); fn == nil {
		return unsupportedf("%s of a function that replaces none", i.Op)
	}
	b.defineCallee(i.Results[0], &callee{kind: calleeFunc, fn: fn, replaced: true})
	return nil
}

// index returns the code.Func of a calleeFunc with concrete type arguments.
func (c *callee) index(l *Lowerer, types []*ir.Type) (int, error) {
	if c.replaced {
		return l.exactFunc(c.fn, types)
	}
	return l.Func(c.fn, types)
}

// symbol returns the function that an instruction names.
func (b *builder) symbol(i *ir.Inst) (*ir.Function, error) {
	aux, ok := i.Aux.(*ir.SymbolAux)
	if !ok {
		return nil, unsupportedf("%s without a name", i.Op)
	}
	if aux.Func != nil {
		return aux.Func, nil
	}
	if fn := b.Mod.Func(aux.Name); fn != nil {
		return fn, nil
	}
	return nil, unsupportedf("function %s, which is not in the file", aux.Name)
}

func lowerClassMethod(b *builder, i *ir.Inst) error {
	aux, ok := i.Aux.(*ir.MethodAux)
	if !ok {
		return unsupportedf("class_method without a method")
	}
	t := b.typeOf(i.Arg(0)).Object()
	kind := calleeMethod
	for t.Kind == ir.KindMetatype || t.Kind == ir.KindDynamicSelf {
		if t.Kind == ir.KindMetatype {
			kind = calleeMetatype
		}
		t = t.Elem
	}
	_, class, err := b.class(t)
	if err != nil {
		return err
	}
	key, err := b.entryKey(class, aux)
	if err != nil {
		if fn := b.libraryMethod(class, aux); fn != nil {
			b.defineCallee(i.Results[0], &callee{kind: calleeFunc, fn: fn})
			return nil
		}
		return err
	}
	s := b.scalars(i.Arg(0))
	if len(s) != 1 {
		return unsupportedf("class_method on a value of %d words", len(s))
	}
	self := b.inReg(s[0])
	if class.Generic[key] != nil {
		if kind == calleeMethod {
			self = b.objectType(s[0])
		}
		kind = calleeGeneric
	}
	b.defineCallee(i.Results[0], &callee{kind: kind, self: self, slot: class.Slots[key], key: key})
	return nil
}

// lowerSuperMethod finds the method in the superclass of the operand's class; that needs no object.
func lowerSuperMethod(b *builder, i *ir.Inst) error {
	aux, ok := i.Aux.(*ir.MethodAux)
	if !ok {
		return unsupportedf("super_method without a method")
	}
	t := b.typeOf(i.Arg(0)).Object()
	for t.Kind == ir.KindMetatype || t.Kind == ir.KindDynamicSelf {
		t = t.Elem
	}
	_, class, err := b.class(t)
	if err != nil {
		return err
	}
	if class.Super == nil {
		return unsupportedf("super_method %s in %s, which has no superclass", aux.Ref.Text, t)
	}
	key, err := b.entryKey(class.Super, aux)
	if err != nil {
		return err
	}
	if class.Super.Generic[key] != nil {
		meta, err := b.metadata(class.Super.Layout.Type)
		if err != nil {
			return err
		}
		b.defineCallee(i.Results[0], &callee{kind: calleeGeneric, self: meta, key: key})
		return nil
	}
	b.defineCallee(i.Results[0], &callee{kind: calleeIndex, slot: class.Super.VTable[class.Super.Slots[key]]})
	return nil
}

func lowerWitnessMethod(b *builder, i *ir.Inst) error {
	aux, ok := i.Aux.(*ir.MethodAux)
	if !ok || len(i.Types) == 0 {
		return unsupportedf("witness_method without a method")
	}
	b.defineCallee(i.Results[0], &callee{kind: calleeWitness, req: requirementOf(aux), on: b.subst(i.Types[0])})
	return nil
}

// lowerThinToThick makes a function value with context 0: its callee ignores the context.
func lowerThinToThick(b *builder, i *ir.Inst) error {
	x := b.lookup(i.Arg(0))
	if x.callee != nil {
		b.values[i.Results[0]] = &value{callee: x.callee, thick: true}
		return nil
	}
	s := b.scalars(i.Arg(0))
	if len(s) != 1 {
		return unsupportedf("thin_to_thick_function of a value of %d words", len(s))
	}
	b.define(i.Results[0], []operand{s[0], mir.Const(0)})
	return nil
}

// lowerConvertFunction returns the same words; a thin function stays known.
func lowerConvertFunction(b *builder, i *ir.Inst) error {
	from, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return err
	}
	to, err := b.layoutOf(i.Results[0])
	if err != nil {
		return err
	}
	if len(from.Scalars) != len(to.Scalars) {
		return unsupportedf("convert_function from %s to %s", from.Type, to.Type)
	}
	b.alias(i.Results[0], i.Arg(0))
	return nil
}

// functionWords returns the words of a known function: its handle and, for a thick one, context 0.
func (b *builder) functionWords(x *value) []operand {
	r := b.NewReg()
	c := x.callee
	switch c.kind {
	case calleeFunc:
		b.attemptHandle(r, func() (int, error) { return b.specialized(c, nil) })
	case calleeIndex:
		b.emit(code.FuncHandle, r, 0, 0, uint64(c.slot))
	case calleeMethod:
		b.emit(code.ClassMethod, r, c.self, 0, uint64(c.slot))
	case calleeMetatype:
		b.emit(code.ClassMethodMeta, r, c.self, 0, uint64(c.slot))
	case calleeGeneric:
		b.attemptHandle(r, func() (int, error) { return 0, unsupportedf("the generic method %s as a value", c.key) })
	case calleeWitness:
		b.attemptHandle(r, func() (int, error) { return b.witness(c.req, []*ir.Type{c.on}) })
	}
	if x.thick {
		return []operand{r.Op(), mir.Const(0)}
	}
	return []operand{r.Op()}
}

// attemptHandle makes a handle of the function that find returns, or a trap where there is none.
func (b *builder) attemptHandle(r reg, find func() (int, error)) {
	index, err := find()
	if err == nil {
		b.emit(code.FuncHandle, r, 0, 0, uint64(index))
		return
	}
	what, ok := reasonOf(err)
	if !ok {
		what = err.Error()
	}
	b.trapUnsupported(what)
	b.cur = b.newLabel() // what follows in the block can't be reached
}

// specialized returns the code.Func of a calleeFunc with type arguments, which must be concrete.
func (b *builder) specialized(c *callee, types []*ir.Type) (int, error) {
	types, err := typeArgs(c.fn, types)
	if err != nil {
		return 0, err
	}
	if hasLocal(types) {
		return 0, unsupportedf("function %s as a value with a type that is only known at run time", c.fn.Name)
	}
	return c.index(b.Lowerer, types)
}

// libraryMethod returns a function that stands for a method of a class of the standard library, of which no file has the vtable: the
// native of that name. nil when the class is the program's or there is no such native.
func (b *builder) libraryMethod(class *code.Class, m *ir.MethodAux) *ir.Function {
	decl := b.Mod.DeclOf(class.Type.Type)
	if decl == nil || !decl.Builtin || b.Opts.HasNative == nil || !b.Opts.HasNative(m.Ref.Text) {
		return nil
	}
	if fn := b.libraryMethods[m.Ref.Text]; fn != nil {
		return fn
	}
	fn := &ir.Function{Name: m.Ref.Text, Type: m.Type, Module: b.Mod}
	if b.libraryMethods == nil {
		b.Lowerer.libraryMethods = map[string]*ir.Function{}
	}
	b.libraryMethods[m.Ref.Text] = fn
	return fn
}
