package evidence

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
)

// Fulfils excludes the program's type where no conformance of it can be the one.
func (t *Trial) Fulfils(mod *ir.Module, typ, protocol *ir.Type) {
	n, ok := t.mention(typ)
	if !ok || protocol == nil || implied[protocol.Name] {
		return
	}
	if d := mod.DeclOf(protocol); d == nil || d.Kind != ir.Protocol {
		return
	}
	t.restrict(n, MeansLibrary|t.own[t.mentions[n].name+": "+ir.PlainName(protocol.Name)])
}

// Also says what members, kinds and declarations tell.
func (t *Trial) Also(i *ir.Inst) {
	var typ *ir.Type
	if len(i.Operands) > 0 && i.Operands[0].Value() != nil {
		typ = i.Arg(0).Type
	}
	result := i.Result()
	if about, ok := existentials[i.Op]; ok && result != nil {
		t.existential(i, about, typ, result.Type)
	}
	switch i.Op {
	case op.FunctionRef, op.DynamicFunctionRef, op.PrevDynamicFunctionRef:
		if aux, ok := i.Aux.(*ir.SymbolAux); ok && result != nil {
			if f := t.mod.Funcs[aux.Name]; f != nil {
				t.SameType(result.Type, f.Type)
			}
		}
		return
	case op.GlobalAddr, op.GlobalValue:
		if aux, ok := i.Aux.(*ir.SymbolAux); ok && result != nil {
			if g := t.mod.Globals[aux.Name]; g != nil {
				t.SameType(result.Type, g.Type)
			}
		}
		if i.Op == op.GlobalValue && result != nil && len(result.Type.Args) == 1 {
			for use := range result.Uses() {
				if r := use.User().Result(); r != nil && passesStorage(use.User()) {
					t.tailOf(r, result.Type.Args[0])
				}
			}
		}
		return
	case op.RefTailAddr:
		t.tailOf(i.Arg(0), typeAtIndex(i, 0))
	case op.Builtin:
		if aux, ok := i.Aux.(*ir.BuiltinAux); ok && len(aux.Subs) == 1 {
			for k := range i.Operands {
				t.pointsTo(i.Arg(k), aux.Subs[0])
			}
		}
	case op.CheckedCastAddrBr, op.CheckedCastBr, op.UnconditionalCheckedCast, op.UnconditionalCheckedCastAddr:
		t.differ(typeAtIndex(i, 0), typeAtIndex(i, 1))
		if len(i.Types) == 1 {
			t.differ(typ, i.Types[0])
		}
		t.castTo(i.Types[max(len(i.Types)-1, 0):])
	case op.Metatype:
		t.onlyCompared(i)
	case op.Object: // the storage of an array: a header, then the elements
		if result != nil && len(result.Type.Args) == 1 {
			for k := range i.Operands {
				t.SameType(result.Type.Args[0], i.Arg(k).Type)
			}
		}
	case op.PointerToAddress:
		t.pointsTo(i.Arg(0), result.Type.Object())
	case op.AllocRef, op.AllocRefDynamic:
		if len(i.Types) == 2 && result != nil {
			t.tailOf(result, i.Types[0])
			t.tailOf(result, i.Types[1])
		}
		if result != nil {
			t.isKind(result.Type, ir.Class, ir.Actor)
		}
	case op.ClassMethod, op.RefElementAddr, op.StrongRetain, op.StrongRelease, op.DeallocRef:
		t.isKind(typ, ir.Class, ir.Actor)
	case op.Struct:
		if result != nil {
			typ = result.Type
		}
		t.madeOf(typ, i)
	case op.StructExtract, op.StructElementAddr:
		t.isKind(typ, ir.Struct)
	case op.SwitchEnum, op.SwitchEnumAddr, op.SelectEnum, op.SelectEnumAddr, op.UncheckedEnumData, op.InitEnumDataAddr, op.InjectEnumAddr,
		op.UncheckedTakeEnumDataAddr:
		t.isKind(typ, ir.Enum)
		t.payloads(typ, i)
	case op.Enum:
		if result != nil {
			typ = result.Type
		}
		t.isKind(typ, ir.Enum)
		t.payloads(typ, i)
	}
	switch aux := i.Aux.(type) {
	case *ir.MemberAux:
		t.hasMember(typ, aux)
	case *ir.CaseAux:
		for _, m := range aux.Cases {
			t.hasMember(typ, m)
		}
	case *ir.MethodAux:
		if n, ok := t.mention(metatypeElem(typ)); ok && i.Op == op.ClassMethod {
			t.sameName(t.standInOf(n), aux.Ref.Owner())
		}
		if f := t.introduced[method{aux.Ref.Text, aux.DeclType}]; f != nil && (i.Op == op.ClassMethod || i.Op == op.SuperMethod) && aux.Type != nil && aux.Type.Func != nil {
			t.SameFunction(aux.Type.Func, f.Type.Func)
		}
		if i.Op == op.WitnessMethod && aux.Type != nil && aux.Type.Func != nil {
			t.sameName(aux.Ref.Owner(), aux.Type.Func.Witness)
			t.requirementOf(aux)
		}
	}
}

// requirementOf takes what the type of a requirement tells of its protocol, whose module comes before its name where two have the name.
func (t *Trial) requirementOf(aux *ir.MethodAux) {
	n, ok := t.byName[aux.Ref.Owner()]
	_, protocol, found := strings.Cut(aux.DeclType.String(), "<Self where Self : ")
	if !ok || !found {
		return
	}
	protocol = protocol[:max(strings.IndexAny(protocol, ",>"), 0)]
	if module, ok := strings.CutSuffix(protocol, "."+t.mentions[n].name); ok {
		t.restrict(n, t.names.Of(t.mentions[n].name, module))
	}
}

// aboutExistential says how an instruction on existentials has them.
type aboutExistential uint8

const (
	existentialBoxed aboutExistential = 1 << iota // as errors are
	existentialType                               // only a metatype
	existentialMade                               // out of the operand; the result is of no protocol that was not written
)

// existentials are the instructions on values of a protocol that have a result.
var existentials = map[op.Op]aboutExistential{
	op.AllocExistentialBox: existentialBoxed, op.ProjectExistentialBox: existentialBoxed, op.OpenExistentialBox: existentialBoxed, op.OpenExistentialBoxValue: existentialBoxed,
	op.InitExistentialAddr: existentialMade, op.InitExistentialRef: existentialMade, op.InitExistentialValue: existentialMade,
	op.InitExistentialMetatype: existentialMade | existentialType, op.OpenExistentialMetatype: existentialType, op.ExistentialMetatype: existentialType,
	op.ObjcExistentialMetatypeToObject: existentialType,
	op.OpenExistentialAddr:             0, op.OpenExistentialRef: 0, op.OpenExistentialValue: 0,
}

// existential says what an instruction on a value of a protocol tells of the protocol.
func (t *Trial) existential(i *ir.Inst, about aboutExistential, operand, result *ir.Type) {
	for k, typ := range []*ir.Type{operand, result} {
		if typ == nil || k == 1 && about&existentialMade != 0 {
			continue
		}
		if typ = typ.Object(); typ.Kind == ir.KindOpened {
			typ = typ.Elem
		}
		if n, ok := t.protocolOf(typ); ok && t.mentions[n].name == "Error" && about&existentialType == 0 {
			if about&existentialBoxed != 0 {
				t.restrict(n, MeansLibrary)
			} else {
				t.restrict(n, meansProgram)
			}
		}
	}
	if result.Object().Kind == ir.KindOpened && i.Op.OpensType() {
		t.SameType(result.Object().Elem, operand)
	}
	switch {
	case i.Op == op.InitExistentialAddr && operand != nil:
		t.conformsTo(typeAtIndex(i, len(i.Types)-1), operand.Object())
	case i.Op == op.InitExistentialRef && operand != nil:
		t.conformsTo(operand, result)
	}
}

// protocolOf returns the mention that an existential of one protocol is.
func (t *Trial) protocolOf(typ *ir.Type) (n int, ok bool) {
	if typ == nil || typ.Kind != ir.KindExistential || len(typ.Args) != 1 {
		return 0, false
	}
	return t.mention(typ.Args[0])
}

// conformsTo says that a type has the protocols of an existential. Of two of one name it is the one to which the program has a conformance of
// the type, if it has none to the other.
func (t *Trial) conformsTo(concrete, existential *ir.Type) {
	if concrete == nil || existential == nil || existential.Kind != ir.KindExistential || concrete.Kind != ir.KindNominal {
		return
	}
	if d := t.mod.DeclOf(concrete); d == nil || d.Builtin { // the library may have conformances of it
		return
	}
	for _, p := range existential.Args {
		if n, ok := t.mention(p); ok {
			if set := t.tables[ir.PlainName(concrete.QualifiedName())+": "+t.mentions[n].name]; set != 0 {
				t.restrict(n, set)
			}
		}
	}
}

func metatypeElem(t *ir.Type) *ir.Type {
	for t != nil && (t.Kind == ir.KindMetatype || t.Kind == ir.KindAddress || t.Kind == ir.KindDynamicSelf) {
		t = t.Elem
	}
	return t
}

// isKind says that a type is of one of these kinds.
func (t *Trial) isKind(typ *ir.Type, kinds ...ir.NominalKind) {
	if typ == nil {
		return
	}
	if n, ok := t.mention(typ.Object()); ok {
		t.exclude(n, func(d *ir.Nominal) bool { return !slices.Contains(kinds, d.Kind) })
	}
}

// madeOf says that a struct is made of the operands.
func (t *Trial) madeOf(typ *ir.Type, i *ir.Inst) {
	n, ok := t.mention(typ)
	if !ok {
		return
	}
	t.exclude(n, func(d *ir.Nominal) bool {
		if d.Kind != ir.Struct || len(d.Fields) != len(i.Operands) {
			return true
		}
		bind := ir.BindNominal(d, typ)
		for k := range d.Fields {
			if t.isOther(t.mod.Types.Subst(d.Fields[k].Type, bind), i.Arg(k).Type) {
				return true
			}
		}
		return false
	})
}

// isOther reports whether a declared type is certainly not that of a value.
func (t *Trial) isOther(declared, typ *ir.Type) bool {
	if declared == nil || typ == nil || declared == typ {
		return false
	}
	if declared.Kind == ir.KindBuiltin || typ.Kind == ir.KindBuiltin {
		return true // there is one type of each builtin name
	}
	return declared.Kind == ir.KindNominal && typ.Kind == ir.KindNominal && ir.PlainName(declared.Name) != ir.PlainName(typ.Name) &&
		t.mod.DeclOf(declared) != nil && t.mod.DeclOf(declared).Kind != ir.Protocol
}

// payloads says what the cases of an enum are made of or hold.
func (t *Trial) payloads(typ *ir.Type, i *ir.Inst) {
	m, ok := i.Aux.(*ir.MemberAux)
	switch {
	case i.Op == op.Enum && ok && len(i.Operands) == 0:
		t.hasCase(typ, m, nil)
	case i.Op == op.Enum && ok:
		t.hasCase(typ, m, i.Arg(0).Type)
	case ok && i.Op != op.InjectEnumAddr && i.Result() != nil:
		t.hasCase(typ, m, i.Result().Type.Object())
	}
	if aux, ok := i.Aux.(*ir.CaseAux); ok && i.Op == op.SwitchEnum {
		for k, m := range aux.Cases {
			if m != nil && k < len(i.Succs) && len(i.Succs[k].To.Args) == 1 {
				t.hasCase(typ, m, i.Succs[k].To.Args[0].Type)
			}
		}
	}
}

// hasCase says that an enum has a case with a payload of a type, or with none.
func (t *Trial) hasCase(typ *ir.Type, m *ir.MemberAux, payload *ir.Type) {
	if typ == nil {
		return
	}
	typ = typ.Object()
	n, ok := t.mention(typ)
	if !ok || ir.PlainName(m.Type) != t.mentions[n].name {
		return
	}
	t.exclude(n, func(d *ir.Nominal) bool {
		bind := ir.BindNominal(d, typ)
		return !slices.ContainsFunc(d.Cases, func(c ir.EnumCase) bool {
			return c.Name == m.Property() && (c.Payload == nil) == (payload == nil) && !t.isOther(t.mod.Types.Subst(c.Payload, bind), payload)
		})
	})
}

// hasMember says that a type has a stored property or a case.
func (t *Trial) hasMember(typ *ir.Type, m *ir.MemberAux) {
	if typ == nil || m == nil {
		return
	}
	n, ok := t.mention(typ.Object())
	if !ok || ir.PlainName(m.Type) != t.mentions[n].name {
		return
	}
	t.exclude(n, func(d *ir.Nominal) bool {
		name := m.Property()
		return !slices.ContainsFunc(d.Fields, func(f ir.Field) bool { return f.Name == name }) &&
			!slices.ContainsFunc(d.Cases, func(c ir.EnumCase) bool { return c.Name == name })
	})
}

// castTo notes the mentions in the types that something is cast to.
func (t *Trial) castTo(types []*ir.Type) {
	var names []string
	for _, typ := range types {
		t.namesIn(typ, &names)
	}
	for _, name := range names {
		if n, ok := t.byName[name]; ok {
			t.mentions[n].cast = true
		}
	}
}

// differ says that two types are not one, since the compiler leaves out casts that change nothing.
func (t *Trial) differ(a, b *ir.Type) {
	if a == nil || b == nil {
		return
	}
	a, b = a.Object(), b.Object()
	if a.Kind == ir.KindExistential && b.Kind == ir.KindExistential && len(a.Args) == 1 && len(b.Args) == 1 {
		a, b = a.Args[0], b.Args[0]
	}
	for range 2 {
		if n, ok := t.mention(a); ok && b.Kind == ir.KindNominal && b.Parent == nil {
			if ir.PlainName(b.Name) == t.mentions[n].name {
				t.restrict(n, ^meaning(b.Name))
			}
		}
		a, b = b, a
	}
}

// onlyCompared deals with a metatype that is only compared with those of types of other names, as the library's generic code does for its
// special cases: whichever it is, it is not the other.
func (t *Trial) onlyCompared(i *ir.Inst) {
	n, ok := t.mention(i.Result().Type.Elem)
	if !ok {
		return
	}
	for use := range i.Result().Uses() {
		word := use.User()
		if word.Op != op.UncheckedTrivialBitCast {
			return
		}
		for use := range word.Result().Uses() {
			compared := use.User()
			if compared.Op != op.Builtin || len(compared.Operands) != 2 {
				return
			}
			other := compared.Arg(1 - use.Number()).Inst()
			if other == nil || other.Op != op.UncheckedTrivialBitCast || other.Arg(0).Inst() == nil || other.Arg(0).Inst().Op != op.Metatype {
				return
			}
			if typ := other.Arg(0).Type.Elem; typ == nil || typ.Kind != ir.KindNominal || ir.PlainName(typ.Name) == t.mentions[n].name {
				return
			}
		}
	}
	t.mentions[t.find(n)].likely |= MeansLibrary & t.names.All(t.mentions[n].name)
}

func (t *Trial) standInOf(n int) string { return ir.Namesake(t.mentions[n].name, standInNumber+n) }
