package ir

// paramWords are the parameter conventions as printed, without @; ParamDirectUnowned prints nothing.
var paramWords = [...]string{
	ParamDirectUnowned:    "",
	ParamDirectOwned:      "owned",
	ParamDirectGuaranteed: "guaranteed",
	ParamIn:               "in",
	ParamInGuaranteed:     "in_guaranteed",
	ParamInConstant:       "in_constant",
	ParamInout:            "inout",
	ParamInoutAliasable:   "inout_aliasable",
	ParamInCXX:            "in_cxx",
	ParamPackOwned:        "pack_owned",
	ParamPackGuaranteed:   "pack_guaranteed",
	ParamPackInout:        "pack_inout",

	ParamOpaqueIn: "in", ParamOpaqueInGuaranteed: "in_guaranteed",
}

// resultWords are the result conventions as printed, without @; ResultUnowned prints nothing.
var resultWords = [...]string{
	ResultUnowned:             "",
	ResultOwned:               "owned",
	ResultOut:                 "out",
	ResultUnownedInnerPointer: "unowned_inner_pointer",
	ResultAutoreleased:        "autoreleased",
	ResultPackOut:             "pack_out",
	ResultOpaqueOut:           "out",
}

// calleeWords are the callee conventions as printed, without @; CalleeNone prints nothing.
var calleeWords = [...]string{
	CalleeNone:       "",
	CalleeOwned:      "callee_owned",
	CalleeGuaranteed: "callee_guaranteed",
	CalleeUnowned:    "callee_unowned",
}

var coroutineWords = [...]string{
	NotCoroutine: "",
	YieldOnce:    "yield_once",
	YieldOnce2:   "yield_once_2",
	YieldMany:    "yield_many",
}

// String returns the convention as SIL prints it, without @: "in_guaranteed"; "" for ParamDirectUnowned.
func (c ParamConv) String() string { return wordOf(paramWords[:], int(c)) }

// String returns the convention as SIL prints it, without @: "owned"; "" for ResultUnowned.
func (c ResultConv) String() string { return wordOf(resultWords[:], int(c)) }

// String returns the convention as SIL prints it, without @: "callee_guaranteed"; "" for CalleeNone.
func (c CalleeConvention) String() string { return wordOf(calleeWords[:], int(c)) }

// String returns the kind as SIL prints it, without @: "yield_once"; "" for NotCoroutine.
func (k CoroutineKind) String() string { return wordOf(coroutineWords[:], int(k)) }

// ParseParamConv returns the parameter convention that SIL writes @word.
func ParseParamConv(word string) (ParamConv, bool) {
	n, ok := findWord(paramWords[:], word)
	return ParamConv(n), ok
}

// ParseResultConv returns the result convention that SIL writes @word.
func ParseResultConv(word string) (ResultConv, bool) {
	n, ok := findWord(resultWords[:], word)
	return ResultConv(n), ok
}

// ParseCalleeConvention returns the callee convention that SIL writes @word.
func ParseCalleeConvention(word string) (CalleeConvention, bool) {
	n, ok := findWord(calleeWords[:], word)
	return CalleeConvention(n), ok
}

// ParseCoroutineKind returns the kind of coroutine that SIL writes @word.
func ParseCoroutineKind(word string) (CoroutineKind, bool) {
	n, ok := findWord(coroutineWords[:], word)
	return CoroutineKind(n), ok
}

func wordOf(words []string, n int) string {
	if n < len(words) {
		return words[n]
	}
	return "?"
}

func findWord(words []string, word string) (int, bool) {
	for n, w := range words {
		if n > 0 && w == word {
			return n, true
		}
	}
	return 0, false
}

// The attributes of a lowered function type are printed in this order (docs/SIL.rst, Function Types):
// coroutine kind, differentiability, convention, then those of attrRank, then the callee convention.
const conventionRank = 0

// attrRank places the attributes that FuncType keeps in Attrs; those before the convention are negative.
// An attribute that is not listed comes after all others, in the order read.
var attrRank = [...]int8{
	ModDifferentiable:  -2,
	ModIsolatedAny:     -1,
	ModPseudogeneric:   1,
	ModNoescape:        2,
	ModUnimplementable: 3,
	ModSendable:        4,
	ModAsync:           5,
}

const firstRank, lastRank = -2, 6

func rankOf(kind ModifierKind) int8 {
	if int(kind) < len(attrRank) && attrRank[kind] != 0 {
		return attrRank[kind]
	}
	return lastRank
}

func (w *typeWriter) function(f *FuncType) {
	w.functionAttrs(f)
	if f.Generic != nil {
		w.signature(f.Generic)
		w.str(" ")
	}
	if f.Pattern != nil {
		w.str("@substituted ")
		w.signature(f.Pattern)
		w.str(" ")
	}
	w.str("(")
	for i, p := range f.Params {
		if i > 0 {
			w.str(", ")
		}
		t := w.specified(p)
		w.convention(p.Attrs, p.Conv.String())
		w.sub(t)
		if variadic(f, i) { // of the language, read where a lowered type may stand
			w.str("...")
		}
	}
	w.str(") -> ")
	if f.Lifetime != "" {
		w.str(f.Lifetime + " ")
	}
	w.results(f)
	if f.isSubstituted() {
		w.list(" for <", f.Subs, ">")
	}
}

// isSubstituted reports whether the type ends in substitutions: for <…>.
func (f *FuncType) isSubstituted() bool { return f.Pattern != nil && len(f.Subs) > 0 }

func (w *typeWriter) functionAttrs(f *FuncType) {
	if f.Coroutine != NotCoroutine {
		w.str("@" + f.Coroutine.String() + " ")
	}
	for rank := int8(firstRank); rank <= lastRank; rank++ {
		switch {
		case rank == conventionRank:
			w.functionConvention(f)
		case rank == attrRank[ModNoescape] && f.Noescape:
			w.str("@noescape ")
		case rank == attrRank[ModAsync] && f.Async:
			w.str("@async ")
		}
		for _, a := range f.Attrs {
			if rankOf(a.Kind) == rank {
				w.str(a.Text + " ")
			}
		}
	}
	if f.Callee != CalleeNone {
		w.str("@" + f.Callee.String() + " ")
	}
}

func (w *typeWriter) functionConvention(f *FuncType) {
	if f.Convention == RepThick {
		return
	}
	w.str("@convention(" + f.ConventionWord())
	if f.Witness != "" {
		w.str(": " + f.Witness)
	}
	w.str(") ")
}

// convention writes the further attributes and the convention before a parameter's or result's type.
func (w *typeWriter) convention(attrs Modifiers, conv string) {
	for _, a := range attrs {
		w.str(a.Text + " ")
	}
	if conv != "" {
		w.str("@" + conv + " ")
	}
}

func (w *typeWriter) results(f *FuncType) {
	n := len(f.Yields) + len(f.Results)
	if f.Error != nil {
		n++
	}
	// the substitutions after a function as the only result would be taken for its own
	enclosed := n != 1 || f.isSubstituted() && len(f.Results) == 1 && f.Results[0].Type.Func != nil
	if enclosed {
		w.str("(")
	}
	i := 0
	sep := func() {
		if i > 0 {
			w.str(", ")
		}
		i++
	}
	for _, y := range f.Yields {
		sep()
		w.str("@yields ")
		w.convention(y.Attrs, y.Yield.String())
		w.sub(y.Type)
	}
	for _, r := range f.Results {
		sep()
		w.convention(r.Attrs, r.Conv.String())
		w.sub(r.Type)
	}
	if e := f.Error; e != nil {
		sep()
		switch {
		case e.Indirect, e.Conv == ResultOpaqueOut:
			w.str("@error_indirect ")
		case e.Conv == ResultUnowned:
			w.str("@error_unowned ")
		default:
			w.str("@error ")
		}
		w.convention(e.Attrs, "")
		w.sub(e.Type)
	}
	if enclosed {
		w.str(")")
	}
}

// astFunction writes a function type of the language: @Sendable (inout Int, C...) async throws -> B.
func (w *typeWriter) astFunction(f *FuncType) {
	for _, a := range f.Written {
		w.str(a.Text + " ")
	}
	if f.Generic != nil {
		w.signature(f.Generic)
		w.str(" ")
	}
	w.str("(")
	for i, p := range f.Params {
		if i > 0 {
			w.str(", ")
		}
		if p.Label != "" {
			w.str(p.Label + ": ")
		}
		t := w.specified(p)
		for _, a := range p.Attrs {
			w.str(a.Text + " ")
		}
		w.sub(t)
		if variadic(f, i) {
			w.str("...")
		}
	}
	w.str(")")
	if f.Async {
		w.str(" async")
	}
	if f.Throws != ThrowsNothing {
		w.str(" " + f.Throws.String())
		if f.Error != nil {
			w.str("(")
			w.sub(f.Error.Type)
			w.str(")")
		}
	}
	w.str(" -> ")
	if len(f.Results) == 1 {
		w.convention(f.Results[0].Attrs, "")
		w.sub(f.Results[0].Type)
	} else {
		w.str("()")
	}
}

// specified writes the inout of a type of the language that comes before sending, and returns the type after it.
func (w *typeWriter) specified(p Param) *Type {
	if p.Type.Kind != KindInOut || !p.Attrs.Has(ModSending) {
		return p.Type
	}
	w.str("inout ")
	return p.Type.Elem
}

func variadic(f *FuncType, i int) bool { return i < len(f.Variadic) && f.Variadic[i] }
