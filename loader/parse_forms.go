package loader

import (
	"strings"

	"silvm/ir"
	"silvm/ir/op"
)

// namedForms holds the rule for each named form of the instruction table; see op.NamedForm for what each reads.
var namedForms map[op.NamedForm]func(*parser, *ir.Inst)

func init() {
	namedForms = map[op.NamedForm]func(*parser, *ir.Inst){
		op.FormApply:                    (*parser).formApply,
		op.FormTryApply:                 (*parser).formTryApply,
		op.FormBuiltin:                  (*parser).formBuiltin,
		op.FormMethod:                   (*parser).formMethod,
		op.FormWitnessMethod:            (*parser).formWitnessMethod,
		op.FormAllocRef:                 (*parser).formAllocRef,
		op.FormTuple:                    (*parser).formTuple,
		op.FormObject:                   (*parser).formObject,
		op.FormSwitchEnum:               (*parser).formSwitchEnum,
		op.FormSwitchValue:              (*parser).formSwitchValue,
		op.FormSelectEnum:               (*parser).formSelectEnum,
		op.FormYield:                    (*parser).formYield,
		op.FormKeyPath:                  (*parser).formKeyPath,
		op.FormOpenPackElement:          (*parser).formOpenPackElement,
		op.FormBlockHeader:              (*parser).formBlockHeader,
		op.FormProfilerCounter:          (*parser).formText,
		op.FormDifferentiableFunction:   (*parser).formText,
		op.FormLinearFunction:           (*parser).formText,
		op.FormDifferentiabilityWitness: (*parser).formText,
	}
}

// formApply reads %callee<Subs>(%args) : $FunctionType.
func (p *parser) formApply(i *ir.Inst) {
	aux := &ir.ApplyAux{}
	callee := p.operand()
	p.addOperand(callee)
	start := p.off()
	aux.Subs = p.substitutions()
	aux.Sugar = p.sugar(start, aux.Subs)
	p.expect("(")
	p.bareOperands(")")
	p.expect(":")
	pos := p.tok.pos
	aux.Fn = p.dollarType()
	if p.bad {
		return
	}
	if aux.Fn.Kind != ir.KindFunction {
		p.errorf(pos, "function-type", "the callee's type must be a function type, found $%s", aux.Fn)
		return
	}
	aux.OnStack = p.fn.draft.quals.Has(op.QualOnStack)
	if callee.Type == nil {
		callee.Type = aux.Fn
	}
	p.typeArguments(i, aux)
	i.Aux = aux
}

// typeArguments sets the unknown types of arguments to those of the parameters that they are passed to.
// The arguments of a closure are the last ones.
func (p *parser) typeArguments(i *ir.Inst, aux *ir.ApplyAux) {
	args := p.fn.draft.operands[1:]
	if !anyUntyped(args) {
		return
	}
	types := p.mod.ArgumentTypes(aux.Fn.Func, aux.Subs)
	skip := len(types) - len(args)
	if skip != 0 && (i.Op != op.PartialApply || skip < 0) {
		return
	}
	for n, v := range args {
		if v.Type == nil {
			v.Type = types[skip+n]
		}
	}
}

func anyUntyped(list []*ir.Value) bool {
	for _, v := range list {
		if v.Type == nil {
			return true
		}
	}
	return false
}

// substitutions takes <T, U>, if it is there.
func (p *parser) substitutions() []*ir.Type {
	if !p.accept("<") {
		return nil
	}
	var subs []*ir.Type
	for !p.bad {
		subs = append(subs, p.bareType())
		if !p.accept(",") {
			break
		}
	}
	p.expect(">")
	return subs
}

// sugar returns the text of the substitutions taken since offset start if they print in another way.
func (p *parser) sugar(start int, subs []*ir.Type) string {
	text := p.textFrom(start)
	if len(subs) == 0 || p.bad || !strings.ContainsAny(text, "[?(") || strings.Contains(text, "@opened(") {
		return ""
	}
	plain := make([]string, len(subs))
	for n, t := range subs {
		plain[n] = t.String()
	}
	if text == "<"+strings.Join(plain, ", ")+">" {
		return ""
	}
	return text
}

// bareOperands takes values without types, separated by commas, and the closing token.
func (p *parser) bareOperands(end string) {
	for !p.is(end) && !p.bad {
		v := p.operand()
		p.addOperand(v)
		if !p.accept(",") {
			break
		}
	}
	p.expect(end)
}

// formTryApply reads a call, then ", normal bb1, error bb2".
func (p *parser) formTryApply(i *ir.Inst) {
	p.formApply(i)
	p.expect(",")
	p.expect("normal")
	p.successor()
	p.expect(",")
	p.expect("error")
	p.successor()
}

// formBuiltin reads "name"<Subs>(%0 : $T, …) : $Result.
func (p *parser) formBuiltin(i *ir.Inst) {
	name := p.tok
	if name.kind != tokString {
		p.unexpected("the name of a builtin in quotes")
		return
	}
	p.next()
	text, ok := unquote(name.text)
	if !ok {
		p.errorf(name.pos, "bad-literal", "malformed name %s", name.describe())
		return
	}
	aux := p.sharedBuiltin(text)
	if subs := p.substitutions(); subs != nil {
		own := *aux
		own.Subs, aux = subs, &own
	}
	p.expect("(")
	p.typedOperands()
	p.expect(")")
	p.expect(":")
	p.addType(p.dollarType())
	i.Aux = aux
}

// sharedBuiltin returns the builtin of that name without substitutions.
func (p *parser) sharedBuiltin(name string) *ir.BuiltinAux {
	aux, ok := p.builtins[name]
	if !ok {
		aux = ir.BuiltinNamed(name)
		p.builtins[name] = aux
	}
	return aux
}

// declRef takes #Base.hello!getter.
func (p *parser) declRef() ir.DeclRef {
	t := p.tok
	if t.kind != tokDecl {
		p.unexpected("a declaration")
		return ir.DeclRef{}
	}
	p.next()
	if (strings.HasSuffix(t.text, "!distributed") || strings.HasSuffix(t.text, "!distributed_thunk")) && p.accept("(") {
		p.next() // compilers print an address of their own memory here
		p.expect(")")
	}
	ref := ir.ParseDeclRef(t.text)
	place := p.place
	p.place = anywhere
	ref.Path = p.ownPath(ref.Path, int(t.pos-p.lex.base), place)
	return ref
}

// requirement takes the name of what a protocol asks for, #P.f or, of a protocol inside a function, #<abstract function>P.f.
func (p *parser) requirement() ir.DeclRef {
	ref := p.declRef()
	path, local := cutContext(ref.Path)
	name, _, _ := strings.Cut(path, ".")
	switch own := p.namesakes[name]; {
	case !local:
	case own != "":
		ref.Path = own + path[len(name):]
	case !p.load.namesakes.isUnclear(name):
		ref.Path = path
	}
	return ref
}

// methodType takes the ": DeclType" after the name of a method, which may be left out: it only tells overloads apart.
func (p *parser) methodType() ir.DeclType {
	if !p.is(":") || p.peek().text == "$" {
		return ir.DeclType{}
	}
	p.next()
	return p.declType()
}

// formMethod reads %self : $T, #C.method!kind : DeclType, $FunctionType; the part ": DeclType" may be left out.
func (p *parser) formMethod(i *ir.Inst) {
	p.addOperand(p.typedOperand())
	p.expect(",")
	aux := &ir.MethodAux{Ref: p.declRef(), DeclType: p.methodType()}
	p.expect(",")
	aux.Type = p.dollarType()
	p.addType(aux.Type)
	i.Aux = aux
}

// formWitnessMethod reads $T, #P.requirement : DeclType : $FunctionType, with ", %opened : $T" before the
// last part where there is one.
func (p *parser) formWitnessMethod(i *ir.Inst) {
	p.addType(p.dollarType())
	p.expect(",")
	p.place = onlyProtocol
	aux := &ir.MethodAux{Ref: p.requirement(), DeclType: p.methodType()}
	if p.accept(",") {
		p.addOperand(p.typedOperand())
	}
	p.expect(":")
	aux.Type = p.dollarType()
	p.addType(aux.Type)
	i.Aux = aux
}

// formAllocRef reads [tail_elems $E * %n : $Builtin.Word]…, then $C, or %metatype : $M, $C.
func (p *parser) formAllocRef(i *ir.Inst) {
	for p.is("[") && p.peek().text == "tail_elems" {
		p.next()
		p.next()
		p.addType(p.dollarType())
		p.expect("*")
		p.addOperand(p.typedOperand())
		p.expect("]")
	}
	if i.Op == op.AllocRefDynamic {
		p.addOperand(p.typedOperand())
		p.expect(",")
	}
	p.addType(p.dollarType())
}

// formTuple reads (%0 : $A, %1 : $B), or $(x: A, y: B) (%0, %1).
func (p *parser) formTuple(i *ir.Inst) {
	if !p.is("$") {
		p.expect("(")
		p.typedOperands()
		p.expect(")")
		return
	}
	t := p.dollarType()
	p.addType(t)
	p.expect("(")
	p.bareOperands(")")
	if p.bad || t.Kind != ir.KindTuple || len(t.Args) != len(p.fn.draft.operands) {
		return
	}
	for n, v := range p.fn.draft.operands {
		if v.Type == nil {
			v.Type = t.Args[n]
		}
	}
}

// formObject reads $C (%0 : $A, [tail_elems] %1 : $B, …).
func (p *parser) formObject(i *ir.Inst) {
	p.addType(p.dollarType())
	p.expect("(")
	for !p.is(")") && !p.bad {
		if p.is("[") && p.peek().text == "tail_elems" && i.Aux == nil {
			p.bracketed()
			i.Aux = p.smallInt(len(p.fn.draft.operands))
		}
		p.addOperand(p.typedOperand())
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
}

// formYield reads %0 : $T, or (%0 : $T, …), then ", resume bb1, unwind bb2".
func (p *parser) formYield(i *ir.Inst) {
	if p.accept("(") {
		p.typedOperands()
		p.expect(")")
	} else {
		p.addOperand(p.typedOperand())
	}
	p.expect(",")
	p.expect("resume")
	p.successor()
	p.expect(",")
	p.expect("unwind")
	p.successor()
}
