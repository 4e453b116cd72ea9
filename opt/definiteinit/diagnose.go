package definiteinit

import (
	"regexp"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/mangle"
	"silvm/ir/op"
	"silvm/ir/source"
)

// The words are those of include/swift/AST/DiagnosticsSIL.def.

// place is where a diagnostic points.
type place struct {
	pos       source.Pos
	line, col int
}

func placeOf(i *ir.Inst) place {
	if i.Loc != nil && i.Loc.Line > 0 {
		return place{line: i.Loc.Line, col: i.Loc.Col}
	}
	return place{pos: i.Pos}
}

// say writes an error of an instruction.
func (k *checker) say(i *ir.Inst, text string) {
	k.Context.Condemn(k.Func)
	k.Context.Diagnose(i, "error", text)
}

// maySay reports whether an error that keeps the object from being lowered may be said of an instruction, and notes that it is: the entry leads to
// it, nothing was said of its place, and it is not made for the setter of a property that is not called in the end.
func (k *checker) maySay(i *ir.Inst) bool {
	may := k.mayTell(i)
	if may {
		k.said[placeOf(i)] = true
	}
	return may
}

func (k *checker) mayTell(i *ir.Inst) bool {
	if !k.isReachable(i.Block()) || k.said[placeOf(i)] {
		return false
	}
	if len(i.Results) == 1 {
		var closure *ir.Inst
		for _, x := range i.Result().UseList() {
			switch u := x.User(); u.Op {
			case op.DestroyValue, op.CopyValue, op.BeginBorrow, op.EndBorrow:
			case op.PartialApply:
				if closure != nil {
					return true
				}
				closure = u
			default:
				return true
			}
		}
		if closure != nil {
			for _, x := range closure.Result().UseList() {
				if o := x.User().Op; o == op.AssignByWrapper || o == op.AssignOrInit {
					return false
				}
			}
		}
	}
	return true
}

// sayUninitialized says of a use that an element is not initialized: %s is its name, %v the word for it.
func (k *checker) sayUninitialized(u *use, format string) {
	if !k.maySay(u.inst) {
		return
	}
	isLet := true
	for n := range u.n {
		isLet = isLet && k.isLetElement(n)
	}
	word := "variable"
	if isLet {
		word = "constant"
	}
	name := k.nameOf(k.lacking(u.inst, u.first, u.n))
	k.say(u.inst, strings.NewReplacer("%s", name, "%v", word).Replace(format))
	if !k.isSelf() {
		k.Context.Diagnose(k.mark, "note", word+" defined here")
	}
}

// noteMissing names the stored properties that are not initialized at a use.
func (k *checker) noteMissing(u *use) {
	is := k.statesAt(u.inst, u.first, u.n)
	for n := u.first; n < u.first+u.n; n++ {
		if is[n] == yes || n == len(k.elems)-1 && k.kind == op.QualDerivedself {
			continue
		}
		k.noteAt(u.inst, n, "'"+k.nameOf(n)+"' not initialized")
	}
}

// noteAt writes a note at the declaration of the property that an element is of, or at the instruction.
func (k *checker) noteAt(i *ir.Inst, n int, text string) {
	if pos := k.declared(k.elems[n].field); pos != 0 {
		k.Context.DiagnoseAt(pos, false, "note", text)
		return
	}
	k.Context.Diagnose(i, "note", text)
}

// declared returns the place of the name of a stored property in the text, 0 where it can't be told.
func (k *checker) declared(field string) source.Pos {
	if field == "" || k.decl == nil || k.decl.Pos == 0 {
		return 0
	}
	at := regexp.MustCompile(`\b(?:var|let)\s+(` + regexp.QuoteMeta(field) + `)\b`).FindStringSubmatchIndex(k.decl.Text)
	if at == nil {
		// several in one declaration: var x, y: Int
		at = regexp.MustCompile(`\b(?:var|let)\s[^\n]*\b(` + regexp.QuoteMeta(field) + `)\b`).FindStringSubmatchIndex(k.decl.Text)
	}
	if at == nil {
		return 0
	}
	file := k.Context.Module.Files.File(k.decl.Pos)
	if file == nil {
		return 0
	}
	// the text of the declaration as it is in the file
	start := strings.Index(file.Text(), k.decl.Text)
	if start < 0 {
		return 0
	}
	return file.Base + source.Pos(start+at[2])
}

// suggestVar would name the declaration to change; the text of a declaration does not say whether it is one variable only, so nothing is said.
func (k *checker) suggestVar() {}

// sayLostSelf says that self is used after the initializer that took it has failed.
func (k *checker) sayLostSelf(i *ir.Inst) {
	if k.maySay(i) {
		k.say(i, "'self' used inside 'catch' block reachable from "+k.otherInit()+" call")
	}
}

// otherInit names the initializer that an initializer has to call.
func (k *checker) otherInit() string {
	if k.isDelegating() {
		return "self.init"
	}
	return "super.init"
}

// implicitly returns a word for a call that the source doesn't have.
func (k *checker) implicitly(i *ir.Inst) string {
	if i.Loc != nil && (i.Loc.Auto || i.Loc.Line == 0) {
		return "implicitly generated "
	}
	return ""
}

func (k *checker) sayCrossModule(i *ir.Inst, onSome bool) {
	paths := ""
	if onSome {
		paths = " on all paths"
	}
	// a warning, which lets the object be lowered
	k.Context.Diagnose(i, "warning", "initializer for struct '"+k.t.String()[1:]+"' must use \"self.init(...)\" or \"self = ...\""+paths+
		" because it is not in module '"+k.decl.Module+"'")
	k.crossModule = false
}

// isForReturn reports whether a loaded self is what the initializer returns.
func isForReturn(i *ir.Inst) bool {
	if i.Op != op.Load && i.Op != op.LoadBorrow {
		return false
	}
	found := false
	for _, x := range i.Result().UseList() {
		switch u := x.User(); {
		case u.Op == op.RetainValue:
		case u.Op == op.Return, u.Op == op.Enum && isFailableReturn(u):
			found = true
		default:
			return false
		}
	}
	return found
}

// isFailableReturn reports whether an optional is what a failable initializer returns.
func isFailableReturn(i *ir.Inst) bool {
	x := i.Result().FirstUse()
	if !i.Result().Type.IsOptional() || x == nil || x.NextUse() != nil {
		return false
	}
	br := x.User()
	if br.Op != op.Br || len(br.Operands) != 1 {
		return false
	}
	x = br.Succs[0].To.Args[0].FirstUse()
	return x != nil && x.NextUse() == nil && x.User().Op == op.Return
}

// isReturnOfMemory reports whether an instruction moves self to where the initializer returns it.
func (k *checker) isReturnOfMemory(i *ir.Inst) bool {
	args := k.Func.Entry().Args
	return i.Op == op.CopyAddr && i.Has(op.QualInit) && len(args) > 0 && i.Arg(1) == args[0]
}

// badEscape says that an object is used by who knows whom before it is initialized.
func (k *checker) badEscape(u *use, is initialized) {
	i := u.inst
	if is.lostSelf {
		k.sayLostSelf(i)
		return
	}
	if k.isDelegating() || k.kind == op.QualDerivedselfonly {
		if k.badMethod(u, false) || !k.maySay(i) {
			return
		}
		switch {
		case i.Op == op.Load && isForReturn(i), i.Op == op.Return, !k.isClassSelf() && k.isReturnOfMemory(i):
			k.say(i, "'"+k.otherInit()+"' isn't called on all paths before returning from initializer")
		case k.isDelegating() && !k.isClassSelf():
			k.say(i, "'self' used before 'self.init' call or assignment to 'self'")
		default:
			k.say(i, "'self' used before '"+k.otherInit()+"' call")
		}
		return
	}
	switch {
	case i.Op == op.Apply && k.isSelf() && !k.isClassSelf():
		if k.maySay(i) {
			k.say(i, "'self' used before all stored properties are initialized")
			k.noteMissing(u)
		}
	case i.Op == op.PartialApply && k.isClassSelf():
		if k.maySay(i) {
			k.say(i, "'self' captured by a closure before all members were initialized")
			k.noteMissing(u)
		}
	case i.Op == op.MarkFunctionEscape:
		k.sayUninitialized(u, "%v '%s' "+k.escapeOf(i)+" before being initialized")
	case i.Op == op.UncheckedTakeEnumDataAddr:
		k.sayUninitialized(u, "%v '%s' used before being initialized")
	default:
		k.sayUninitialized(u, "%v '%s' captured by a closure before being initialized")
	}
}

// escapeOf says what a function is that closes over variables of the top level: a closure is referred to beside the mark, the code of a defer
// statement where the scope ends.
func (k *checker) escapeOf(mark *ir.Inst) string {
	for _, next := range []func(*ir.Inst) *ir.Inst{(*ir.Inst).Next, (*ir.Inst).Prev} {
		i := next(mark)
		for i != nil && (i.Op == op.MarkFunctionEscape || i.Op == op.CopyValue) {
			i = next(i)
		}
		if i == nil || i.Op != op.FunctionRef || i.Loc != nil && placeOf(i) != placeOf(mark) {
			continue
		}
		if name := i.Aux.(*ir.SymbolAux).Name; mangle.IsClosure(name) {
			return "captured by a closure"
		} else if isDefer(name) {
			return "used in defer"
		}
	}
	if mark.Loc != nil {
		for i := range k.Func.Insts() {
			if i.Op == op.FunctionRef && placeOf(i) == placeOf(mark) && isDefer(i.Aux.(*ir.SymbolAux).Name) {
				return "used in defer"
			}
		}
	}
	return "used by function definition"
}

// isDefer reports whether a symbol is that of the code of a defer statement.
func isDefer(symbol string) bool { return strings.Contains(symbol, "6$defer") }

// badLoad says that memory is read before it is initialized.
func (k *checker) badLoad(u *use, is initialized) {
	i := u.inst
	if i.Op == op.Store && i.Arg(1) == k.addr && k.isClassSelf() {
		return // puts self back
	}
	if is.lostSelf {
		k.sayLostSelf(i)
		return
	}
	isRead := i.Op == op.Load || i.Op == op.LoadBorrow
	if (isForReturn(i) || k.isReturnOfMemory(i)) && k.isSelf() && !k.isClassSelf() && !k.isDelegating() {
		if k.maySay(i) {
			k.say(i, "return from initializer without initializing all stored properties")
			k.noteMissing(u)
		}
		return
	}
	if i.Op == op.Return && k.isSelf() {
		if !k.maySay(i) {
			return
		}
		if !is.superDone {
			k.say(i, "'"+k.otherInit()+"' isn't called on all paths before returning from initializer")
			return
		}
		k.say(i, "return from initializer without initializing all stored properties")
		k.noteMissing(u)
		return
	}
	switch {
	case k.badMethod(u, is.superDone):
	case !is.superDone:
		if !k.maySay(i) {
			return
		}
		if k.isDelegating() && !k.isClassSelf() {
			k.say(i, "'self' used before 'self.init' call or assignment to 'self'")
			return
		}
		k.say(i, "'self' used before '"+k.otherInit()+"' call")
	case i.Op == op.Apply && k.isClassSelf(), isRead && k.isSelf() && !k.isClassSelf():
		if k.maySay(i) {
			k.say(i, "'self' used before all stored properties are initialized")
			k.noteMissing(u)
		}
	default:
		k.sayUninitialized(u, "%v '%s' used before being initialized")
	}
}

// badMethod says that self is used in a call of a method or for a property of a superclass, if it is.
func (k *checker) badMethod(u *use, superDone bool) bool {
	i := u.inst
	property := func(r *ir.Inst) {
		if k.maySay(r) {
			before := "'self.init' call"
			if k.isDerived() {
				before = "'super.init' call"
			}
			k.say(r, "'self' used in property access '"+r.Aux.(*ir.MemberAux).Name+"' before "+before)
		}
	}
	var callee *ir.Value
	switch {
	case i.Op == op.RefElementAddr:
		property(i)
		return true
	case i.Op == op.BeginBorrow:
		if r := fieldBehind(i); r != nil {
			property(r)
			return true
		}
	case i.Op == op.Upcast:
		x := i.Result().FirstUse()
		if x != nil && x.NextUse() == nil && x.User().Op == op.RefElementAddr && !superDone {
			property(x.User())
			return true
		}
		for _, x := range i.Result().UseList() {
			if x.User().Op == op.Apply {
				callee = x.User().Arg(0)
			}
		}
	case i.Op == op.Apply && k.isClassSelf():
		callee = i.Arg(0)
	}
	name, isProperty := methodName(callee)
	if name == "" {
		return false
	}
	if !k.maySay(i) {
		return true
	}
	what, before := "method call", "'self.init' call"
	if isProperty {
		what = "property access"
	}
	switch {
	case superDone:
		before = "all stored properties are initialized"
	case k.isDerived():
		before = "'super.init' call"
	}
	k.say(i, "'self' used in "+what+" '"+name+"' before "+before)
	if superDone {
		k.noteMissing(u)
	}
	return true
}

// fieldBehind returns the first projection of a field that a borrow is for, nil when something else comes first.
func fieldBehind(borrow *ir.Inst) *ir.Inst {
	work := borrow.Result().UseList()
	for len(work) > 0 {
		i := work[len(work)-1].User()
		work = work[:len(work)-1]
		switch i.Op {
		case op.EndBorrow:
		case op.Upcast, op.UncheckedRefCast:
			work = append(work, i.Result().UseList()...)
		case op.RefElementAddr:
			return i
		default:
			return nil
		}
	}
	return nil
}

// methodName returns the name of the method or property that a callee is of, "" when that is not known or it is an initializer.
func methodName(callee *ir.Value) (name string, isProperty bool) {
	if callee == nil || callee.Inst() == nil {
		return "", false
	}
	switch aux := callee.Inst().Aux.(type) {
	case *ir.MethodAux:
		switch aux.Ref.First() {
		case ir.PartGetter, ir.PartSetter, ir.PartRead, ir.PartModify:
			return aux.Ref.Member(), true
		case ir.PartNone, ir.PartForeign:
			if !aux.Ref.IsSpecial() {
				return aux.Ref.Member(), false
			}
		}
	case *ir.SymbolAux:
		return mangle.MethodOf(aux.Name)
	}
	return "", false
}

// sayChangedLet says that a constant that is initialized is passed to be changed.
func (k *checker) sayChangedLet(u *use, name string) {
	text := "immutable value '" + name + "' must not be passed inout"
	call, onSelf := u.inst, u.kind == useInoutSelf
	if call.Op == op.OpenExistentialAddr {
		for _, x := range u.inst.Result().UseList() {
			if facts.IsFullApply(x.User()) {
				call = x.User()
				onSelf = call.Arg(len(call.Operands)-1) == u.inst.Result()
			}
		}
	}
	if facts.IsFullApply(call) {
		method, isProperty := methodName(call.Arg(0))
		isOperator := method != "" && !regexp.MustCompile(`^[\pL_]`).MatchString(method)
		switch {
		case method == "":
		case isProperty && onSelf:
			text = "cannot mutate property '" + method + "' of immutable value '" + name + "'"
		case isOperator:
			text = "mutating operator '" + method + "' may not be used on immutable value '" + name + "'"
		case onSelf:
			text = "mutating method '" + method + "' may not be used on immutable value '" + name + "'"
		}
	}
	k.say(u.inst, text)
	k.suggestVar()
}
