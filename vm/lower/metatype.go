package lower

import (
	"slices"

	"strconv"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// metatypeLowerings are the instructions whose results are types (docs/SIL.rst, metatype and following). A thick metatype is
// the address of a metadata record, a thin one is nothing.
var metatypeLowerings = map[op.Op]lowering{
	op.Metatype:                lowerMetatype,
	op.ValueMetatype:           lowerValueMetatype,
	op.ExistentialMetatype:     lowerExistentialMetatype,
	op.InitExistentialMetatype: lowerInitExistentialMetatype,
	op.OpenExistentialMetatype: lowerOpenExistentialMetatype,
	op.TypeValue:               lowerTypeValue,
}

// lowerTypeValue returns the integer that stands for a value generic parameter.
func lowerTypeValue(b *builder, i *ir.Inst) error {
	t := b.subst(i.Types[1])
	n, err := strconv.ParseInt(t.Name, 0, 64)
	if t.Kind != ir.KindInteger || err != nil {
		return unsupportedf("the value of %s", t)
	}
	b.define(i.Results[0], []operand{mir.Const(uint64(n))})
	return nil
}

// metadata returns a register with the metadata of a type, which may name opened archetypes that are bound where the builder is.
func (b *builder) metadata(t *ir.Type) (reg, error) {
	t = t.Object()
	if !t.HasLocal() {
		index, err := b.TypeInfo(t)
		if err != nil {
			return 0, err
		}
		r := b.NewReg()
		b.emit(code.Metadata, r, 0, 0, uint64(index))
		return r, nil
	}
	if isOpenedSelf(t) {
		return b.openedMetadata(t)
	}
	tmpl, regs, err := b.template(t)
	if err != nil {
		return 0, err
	}
	d := &code.DynType{Template: tmpl}
	index := len(b.Prog.DynTypes)
	b.Prog.DynTypes = append(b.Prog.DynTypes, d)
	r := b.NewReg()
	b.emitWith(code.MetadataDyn, r, 0, 0, uint64(index), regs, func(nums []uint16) { d.Template.Regs = nums })
	return r, nil
}

// isOpenedSelf reports whether a type is the archetype that opening an existential or a pack bound, not a type made from it.
func isOpenedSelf(t *ir.Type) bool {
	if t.Kind == ir.KindPackElement {
		return t.Elem == nil || t.Elem.Kind != ir.KindMember
	}
	return t.Kind == ir.KindOpened && (len(t.Args) == 0 || t.Args[0].Kind == ir.KindParam)
}

// openedMetadata returns the register that holds the metadata of what an opening bound.
func (b *builder) openedMetadata(t *ir.Type) (reg, error) {
	if r := b.opened[localName(t)]; r != 0 {
		return r, nil
	}
	return 0, unsupportedf("the type %s away from where it was opened", t)
}

// template takes a type apart into what is known now and the registers that hold the metadata of its opened archetypes. The
// numbers of the registers are filled into Regs when they are known.
func (b *builder) template(t *ir.Type) (code.TypeTemplate, []reg, error) {
	tmpl := code.TypeTemplate{Type: t}
	var regs []reg
	for _, o := range openedIn(t) {
		r, err := b.openedMetadata(o)
		if err != nil {
			return tmpl, nil, err
		}
		tmpl.Open, regs = append(tmpl.Open, o), append(regs, r)
	}
	return tmpl, regs, nil
}

// openedIn lists the opened archetypes and pack elements that a type names, one for each opening.
func openedIn(t *ir.Type) []*ir.Type {
	var found []*ir.Type
	seen := map[string]bool{}
	done := map[*ir.Type]bool{}
	work := []*ir.Type{t}
	for t := range worklist.Drain(&work) {
		if t == nil || !t.HasLocal() || done[t] {
			continue
		}
		done[t] = true
		if t.Kind == ir.KindOpened || t.Kind == ir.KindPackElement {
			if name := localName(t); !seen[name] {
				seen[name] = true
				found = append(found, t)
			}
			continue
		}
		work = append(append(work, t.Elem, t.Parent), t.Args...)
		if f := t.Func; f != nil {
			work = append(work, f.Subs...)
			for _, p := range f.Params {
				work = append(work, p.Type)
			}
			for _, results := range [][]ir.Result{f.Results, f.Yields} {
				for _, r := range results {
					work = append(work, r.Type)
				}
			}
			if f.Error != nil {
				work = append(work, f.Error.Type)
			}
		}
		if x := t.Box; x != nil {
			work = append(work, x.Subs...)
			for _, f := range x.Fields {
				work = append(work, f.Type)
			}
		}
	}
	return found
}

// lowerMetatype returns the metatype of a type that is written out.
func lowerMetatype(b *builder, i *ir.Inst) error {
	t := b.typeOf(i.Results[0])
	if t.Elem == nil {
		return unsupportedf("metatype of %s", t)
	}
	if b.dynamicSelf != 0 && isDynamicSelfType(i) {
		b.define(i.Results[0], mir.Ops(b.dynamicSelf))
		return nil
	}
	return b.defineMetatype(i.Results[0], t.Elem)
}

// bindDynamicSelf notes the class that @dynamic_self stands for in a function that asks for its metatype: that of the last parameter,
// which is self or its metatype (lib/IRGen/IRGenSIL.cpp, hasSelfMetadataParam).
func (b *builder) bindDynamicSelf(entry *ir.Block) {
	if len(entry.Args) == 0 || !asksDynamicSelf(b.fn) {
		return
	}
	self := entry.Args[len(entry.Args)-1]
	t, words := b.typeOf(self), b.scalars(self)
	switch {
	case t.IsAddress() || len(words) != 1:
	case t.Kind == ir.KindMetatype:
		b.dynamicSelf = words[0].Reg
	case b.Mod.IsClassType(t) && t.Kind != ir.KindExistential:
		b.dynamicSelf = b.objectType(words[0])
	}
}

// isDynamicSelfType reports whether the result of an instruction is the thick metatype of @dynamic_self, which its own type still shows.
func isDynamicSelfType(i *ir.Inst) bool {
	if i.Op != op.Metatype || len(i.Results) == 0 {
		return false
	}
	t := i.Results[0].Type.Object()
	return t.Elem != nil && t.Elem.Kind == ir.KindDynamicSelf && t.Rep != ir.MetatypeThin
}

// asksDynamicSelf reports whether a function has an instruction whose result is the metatype of @dynamic_self, or a call with it as a type
// argument.
func asksDynamicSelf(fn *ir.Function) bool {
	for i := range fn.Insts() {
		if isDynamicSelfType(i) {
			return true
		}
		if aux, ok := i.Aux.(*ir.ApplyAux); ok && slices.ContainsFunc(aux.Subs, isDynamicSelf) {
			return true
		}
	}
	return false
}

func isDynamicSelf(t *ir.Type) bool { return t.Kind == ir.KindDynamicSelf }

// applySubs substitutes the type arguments of a call. @dynamic_self is the class of self, which is only known at run time unless the static
// one is final.
func (b *builder) applySubs(list []*ir.Type) []*ir.Type {
	out := b.substAll(list)
	for n, t := range list {
		if b.dynamicSelf == 0 || !isDynamicSelf(t) {
			continue
		}
		if d := b.Mod.DeclOf(selfless(out[n])); d != nil && !d.Attrs.Has(ir.ModFinal) {
			out[n] = b.Mod.Types.Intern(&ir.Type{Kind: ir.KindOpened, Name: "@dynamic_self", Elem: b.Mod.Types.Nominal(nil, "AnyObject")})
			b.opened[out[n].Name] = b.dynamicSelf
		}
	}
	return out
}

// defineMetatype makes v the metatype of a type: its metadata if v is thick.
func (b *builder) defineMetatype(v *ir.Value, t *ir.Type) error {
	lay, err := b.layoutOf(v)
	if err != nil {
		return err
	}
	if len(lay.Scalars) == 0 {
		b.define(v, nil)
		return nil
	}
	r, err := b.metadata(t)
	if err != nil {
		return err
	}
	b.define(v, mir.Ops(r))
	return nil
}

// lowerValueMetatype returns the dynamic type of a value: the class of an instance, and where the function is generic over the type also the
// dynamic type of a metatype; for any other value what the type itself says (lib/IRGen/IRGenSIL.cpp, visitValueMetatypeInst).
func lowerValueMetatype(b *builder, i *ir.Inst) error {
	v, t := i.Arg(0), b.typeOf(i.Arg(0)).Object()
	isMetatype := t.Kind == ir.KindMetatype || t.Kind == ir.KindExistentialMetatype
	switch generic := v.Type.Object().Kind; {
	case b.Mod.IsClassType(t) && t.Kind != ir.KindExistential || t.Kind == ir.KindOpened && b.isClassBound(t):
		ref := operand{}
		if b.typeOf(v).IsAddress() {
			ref = b.loadAt(b.address(v), 8).Op()
		} else {
			ref = b.scalar(v)
		}
		b.define(i.Results[0], mir.Ops(b.objectType(ref)))
		return nil
	case t.HasLocal() && b.typeOf(v).IsAddress(), isMetatype && (generic == ir.KindParam || generic == ir.KindMember):
		return b.defineDynamicType(i.Results[0], v, t)
	}
	if m := b.typeOf(i.Results[0]); m.Kind == ir.KindMetatype { // tells of a function what its value does not, such as its actor
		t = m.Elem
	}
	return b.defineMetatype(i.Results[0], t)
}

// isClassBound reports whether an opened archetype stands for a class.
func (b *builder) isClassBound(t *ir.Type) bool {
	lay, err := b.layout(t)
	return err == nil && len(lay.Scalars) == 1 && lay.Scalars[0].Kind == abi.ScalarStrong
}

// defineDynamicType makes r the dynamic type of a value of type t.
func (b *builder) defineDynamicType(r, v *ir.Value, t *ir.Type) error {
	meta, err := b.metadata(t)
	if err != nil {
		return err
	}
	at := b.address(v)
	if !b.typeOf(v).IsAddress() {
		lay, err := b.layout(t)
		if err != nil {
			return err
		}
		at = b.frameSlot(max(lay.Size, 1), lay.Align)
		b.storeValue(at, lay, b.scalars(v))
	}
	b.define(r, mir.Ops(b.dynamicType(b.pointer(at), meta, 0)))
	return nil
}

// objectType returns the metadata of an object.
func (b *builder) objectType(ref operand) reg {
	r := b.NewReg()
	b.emit(code.ObjectType, r, b.inReg(ref), 0, 0)
	return r
}

// dynamicType returns the type of the value at an address, whose static type has the metadata meta: the class of the instance when it is
// a class, the metatype of what a metatype stands for. With inside also what an existential holds is asked.
func (b *builder) dynamicType(at operand, meta reg, inside uint64) reg {
	r := b.NewReg()
	b.emit(code.DynamicType, r, b.inReg(at), meta, inside)
	return r
}

// lowerExistentialMetatype returns the dynamic type of the value in an existential, with the existential's witness tables.
func lowerExistentialMetatype(b *builder, i *ir.Inst) error {
	v, t := i.Arg(0), b.typeOf(i.Arg(0))
	if t.Object().Kind == ir.KindExistentialMetatype {
		if err := b.defineDynamicType(i.Results[0], v, t.Object()); err != nil {
			return err
		}
		words := append(b.scalars(i.Results[0])[:1:1], b.scalars(v)[1:]...)
		return b.defineWords(i.Results[0], words)
	}
	e, err := b.Layouts.Existential(t)
	if err != nil {
		return err
	}
	var out []operand
	switch e.Kind {
	case abi.ExistentialOpaque:
		if !t.IsAddress() {
			return unsupportedf("existential_metatype of %s as a value", t)
		}
		a := b.address(v)
		meta := b.loadAt(a.at(abi.ExistentialType), 8)
		payload := b.NewReg()
		b.emit(code.ProjectExistential, payload, b.inReg(b.pointer(a)), 0, 0)
		out = mir.Ops(b.dynamicType(payload.Op(), meta, 1))
		for n := range e.Protocols {
			out = append(out, b.loadAt(a.at(abi.ExistentialWitness+uint64(8*n)), 8).Op())
		}
	case abi.ExistentialClass:
		value := b.existentialScalars(v, e)
		out = append(mir.Ops(b.objectType(value[0])), value[1:]...)
	case abi.ExistentialError:
		box := b.existentialScalars(v, e)[0]
		meta, payload := b.openErrorBox(box)
		out = append(mir.Ops(b.dynamicType(payload, meta, 1)), b.loadAt(addr{base: box, off: abi.ErrorWitness}, 8).Op())
	}
	return b.defineWords(i.Results[0], out)
}

// existentialScalars returns the scalars of a loadable existential that is a value or in memory.
func (b *builder) existentialScalars(v *ir.Value, e *abi.Existential) []operand {
	if b.typeOf(v).IsAddress() {
		return b.loadValue(b.address(v), e.Layout)
	}
	return b.scalars(v)
}

// defineWords defines v with as many of the words as its layout has.
func (b *builder) defineWords(v *ir.Value, words []operand) error {
	lay, err := b.layoutOf(v)
	if err != nil {
		return err
	}
	if len(lay.Scalars) > len(words) {
		return unsupportedf("%s of %d words where it has %d", lay.Type, len(words), len(lay.Scalars))
	}
	b.define(v, words[:len(lay.Scalars):len(lay.Scalars)])
	return nil
}

// lowerInitExistentialMetatype adds the witness tables of the type to its metatype.
func lowerInitExistentialMetatype(b *builder, i *ir.Inst) error {
	from, to := b.typeOf(i.Arg(0)), b.typeOf(i.Results[0])
	if from.Elem == nil || to.Elem == nil {
		return unsupportedf("init_existential_metatype from %s to %s", from, to)
	}
	meta := b.scalars(i.Arg(0))
	if len(meta) == 0 {
		r, err := b.metadata(from.Elem)
		if err != nil {
			return err
		}
		meta = mir.Ops(r)
	}
	words := meta[:1:1]
	instance, constraint := from.Elem, to.Elem
	if from.Kind == ir.KindExistentialMetatype {
		words = append(words, meta[1:]...)
		return b.defineWords(i.Results[0], words)
	}
	for constraint.Kind == ir.KindExistentialMetatype && instance.Kind == ir.KindMetatype {
		constraint, instance = constraint.Elem, instance.Elem
	}
	tables, err := b.witnessTables(instance, constraint)
	if err != nil {
		return err
	}
	return b.defineWords(i.Results[0], append(words, tables...))
}

// lowerOpenExistentialMetatype binds the type that an existential metatype holds.
func lowerOpenExistentialMetatype(b *builder, i *ir.Inst) error {
	words := b.scalars(i.Arg(0))
	t, e := b.typeOf(i.Results[0]), b.typeOf(i.Arg(0)).Elem
	for t.Kind == ir.KindMetatype && t.Elem != nil {
		t = t.Elem
		if e != nil && t.Kind == ir.KindMetatype {
			e = e.Elem
		}
	}
	if len(words) == 0 || e == nil || !isOpenedSelf(t) {
		return unsupportedf("open_existential_metatype to %s", b.typeOf(i.Results[0]))
	}
	b.bindOpened(t, b.inReg(words[0]), e, words[1:])
	return b.defineWords(i.Results[0], words[:1])
}
