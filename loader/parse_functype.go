package loader

import (
	"slices"
	"strings"

	"silvm/ir"
)

// element is what is between two commas of a parameter list, a result list or a tuple, before it is
// known which of them it is.
type element struct {
	label    string
	param    ir.Param // the convention as a parameter
	result   ir.Result
	yield    bool
	err      bool // @error or one of its kin
	conv     bool // a convention was written
	only     onlyFor
	word     string // what only is about
	variadic bool
}

// onlyFor says that a word before an element's type stands with parameters, or results, alone.
type onlyFor uint8

const (
	onlyParams  onlyFor = iota + 1 // or yields
	onlyResults                    // yields and errors among them
)

// specifiers are the words that may come before the type of a parameter of the language.
var specifiers = map[string]bool{
	"__owned": true, "__shared": true, "borrowing": true, "consuming": true, "sending": true, "isolated": true,
	"_const": true, "transferring": true,
}

// elementAttrs are the attributes that belong to a parameter or result, not to its type.
var elementAttrs = map[string]bool{
	"@noDerivative": true, "@sil_isolated": true, "@sil_sending": true, "@sil_implicit_leading_param": true,
	"@escaping": true, "@autoclosure": true, "@nonEphemeral": true, "@_nonEphemeral": true, "@noImplicitCopy": true,
}

// parenType takes what begins with a parenthesis: a function type, a tuple or a type in parentheses. The
// attributes and the signature before it have been taken.
func (p *parser) parenType(lowered bool, attrs *fnAttrs) *ir.Type {
	elems := p.elements(lowered || attrs.sil)
	if p.bad {
		return nil
	}
	if p.isArrow() {
		return p.functionType(lowered, attrs, elems)
	}
	if attrs.sil || attrs.generic != nil {
		p.unexpected("'->'")
		return nil
	}
	return p.tuple(elems)
}

// tuple returns the tuple of the elements.
func (p *parser) tuple(elems []element) *ir.Type {
	types := make([]*ir.Type, len(elems))
	labels := make([]string, len(elems))
	for i, e := range elems {
		if e.conv || e.err || e.yield || e.variadic {
			p.unexpected("'->' after the parameters of a function")
			return nil
		}
		types[i], labels[i] = e.param.Type, e.label
	}
	if len(types) == 1 && types[0].Kind == ir.KindPackExpansion {
		labels = nil
	}
	return p.ts.Tuple(types, labels)
}

// labelled reports whether an element has a label, as only those of tuples and of parameters of the language do.
func labelled(elems []element) bool {
	for _, e := range elems {
		if e.label != "" {
			return true
		}
	}
	return false
}

// isArrow reports whether -> comes next, or the words that may come before it.
func (p *parser) isArrow() bool {
	switch p.tok.text {
	case "->", "async", "throws", "rethrows":
		return true
	}
	return false
}

// elements takes a list in parentheses.
func (p *parser) elements(lowered bool) []element {
	p.ownNames = false
	p.expect("(")
	var list []element
	for !p.bad && !p.is(")") {
		e := p.element(lowered)
		if p.bad {
			return nil
		}
		list = append(list, e)
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return list
}

func (p *parser) element(lowered bool) (e element) {
	if p.tok.kind == tokIdent {
		if p.peek().text == ":" {
			e.label = p.tok.text
			p.next()
			p.next()
		} else if second := p.peek(); second.kind == tokIdent && p.is("_") {
			p.next()
			p.next()
			p.expect(":")
		}
	}
	inout := p.is("inout") && p.peek().text == "sending" // which other specifiers follow
	if inout {
		p.next()
	}
	p.elementConventions(&e, lowered)
	if e.param.Type = p.typ(lowered); inout {
		e.param.Type = p.wrap(ir.KindInOut, "", e.param.Type)
	}
	p.lateConvention(&e)
	e.result.Type = e.param.Type
	e.result.Attrs = e.param.Attrs
	e.variadic = p.accept("...")
	return e
}

// lateConvention takes the convention of an element whose type is a function out of the function's attributes: @noescape @guaranteed () -> ().
func (p *parser) lateConvention(e *element) {
	t := e.param.Type
	if p.bad || e.conv || t == nil || t.Kind != ir.KindFunction {
		return
	}
	for n, attr := range t.Func.Attrs {
		name := attr.Text
		conv, ok := ir.ParseParamConv(strings.TrimPrefix(name, "@"))
		if !ok {
			continue
		}
		fn := *t.Func
		fn.Attrs = slices.Delete(slices.Clone(fn.Attrs), n, n+1)
		e.conv, e.only, e.word, e.param.Conv, e.param.Type = true, onlyParams, name, conv, p.ts.Function(&fn)
		if result, ok := ir.ParseResultConv(strings.TrimPrefix(name, "@")); ok {
			e.only, e.result.Conv = 0, result
		}
		return
	}
}

// elementConventions takes the conventions, attributes and specifiers before the type of an element.
func (p *parser) elementConventions(e *element, lowered bool) {
	for !p.bad {
		word := p.tok.text
		switch {
		case p.tok.kind == tokIdent && specifiers[word]:
			if next := p.peek(); next.kind == tokPunct && next.text != "(" && next.text != "[" && next.text != "<" {
				return // a type of that name
			}
			e.param.Attrs = append(e.param.Attrs, ir.ParseModifier(word))
			p.next()
		case p.tok.kind != tokAt:
			return
		case word == "@escaping" && lowered:
			p.next() // says nothing there
		case elementAttrs[word]:
			e.param.Attrs = append(e.param.Attrs, ir.ParseModifier(word))
			p.next()
		case word == "@lifetime":
			e.param.Attrs = append(e.param.Attrs, ir.ParseModifier(p.lifetime()))
		case word == "@yields":
			e.yield, e.only, e.word = true, onlyResults, word
			p.next()
		case word == "@error":
			e.only, e.word = onlyResults, word
			e.err, e.result.Conv = true, ir.ResultOwned
			p.next()
		case word == "@error_indirect":
			e.only, e.word = onlyResults, word
			e.err, e.result.Conv, e.result.Indirect = true, ir.ResultOut, true
			if p.opts.opaque {
				e.result.Conv, e.result.Indirect = ir.ResultOpaqueOut, false
			}
			p.next()
		case word == "@error_unowned":
			e.only, e.word = onlyResults, word
			e.err, e.result.Conv = true, ir.ResultUnowned
			p.next()
		default:
			param, isParam := ir.ParseParamConv(word[1:])
			result, isResult := ir.ParseResultConv(word[1:])
			switch {
			case !isParam && !isResult:
				if !lowered || !p.newerElementAttr(e) {
					return
				}
				continue
			case e.only != 0: // a yield
			case !isResult:
				e.only, e.word = onlyParams, word
			case !isParam:
				e.only, e.word = onlyResults, word
			}
			if p.opts.opaque {
				param, result = opaque(param, result)
			}
			e.conv, e.param.Conv, e.result.Conv, e.result.Yield = true, param, result, param
			p.next()
		}
	}
}

// newerElementAttr takes attributes of a parameter or result that only a newer compiler knows: before a convention, or of a type that is
// no function, metatype or reference storage, so that they can't be those of the type.
func (p *parser) newerElementAttr(e *element) bool {
	return p.attempt(func() bool {
		var list []ir.Modifier
		for p.tok.kind == tokAt && !isElementWord(p.tok.text) {
			if typeAttrs[p.tok.text] != nil || p.tok.text == "@escaping" {
				return false
			}
			start := p.off()
			p.skipAttribute()
			m := ir.ParseModifier(p.textFrom(start))
			if m.Kind != ir.ModUnknown {
				return false
			}
			list = append(list, m)
		}
		if p.tok.kind != tokAt && (p.tok.kind != tokIdent || p.isNonsending()) {
			return false
		}
		e.param.Attrs = append(e.param.Attrs, list...)
		return true
	})
}

// isElementWord reports whether a word with its @ says something of a parameter or result, not of its type.
func isElementWord(word string) bool {
	_, isParam := ir.ParseParamConv(word[1:])
	_, isResult := ir.ParseResultConv(word[1:])
	return isParam || isResult || elementAttrs[word] || elementWords[word]
}

// elementWords are those that [parser.elementConventions] reads one by one.
var elementWords = map[string]bool{"@lifetime": true, "@yields": true, "@error": true, "@error_indirect": true, "@error_unowned": true}

// lifetime takes @lifetime(copy 0, borrow 1), which says what the lifetime of a value depends on.
func (p *parser) lifetime() string {
	start := p.off()
	p.next()
	if p.is("(") {
		p.skipParens()
	}
	return p.textFrom(start)
}

// variadic tells which parameters were written T...; nil for none.
func variadic(params []element) (which []bool) {
	for n, e := range params {
		if e.variadic {
			if which == nil {
				which = make([]bool, len(params))
			}
			which[n] = true
		}
	}
	return which
}

// functionType goes on after the parameters.
func (p *parser) functionType(lowered bool, attrs *fnAttrs, params []element) *ir.Type {
	f := attrs.fn
	f.Generic = attrs.generic
	sil := attrs.sil
	for _, e := range params {
		sil = sil || e.conv
	}
	if (lowered || sil) && p.is("->") {
		return p.loweredFunction(&f, attrs, params)
	}
	f.Written, f.Attrs = attrs.written, nil
	for _, e := range params {
		e.param.Label = e.label
		f.Params = append(f.Params, e.param)
	}
	f.Variadic = variadic(params)
	f.Async = p.accept("async")
	if throws, ok := ir.ParseThrows(p.tok.text); ok {
		f.Throws = throws
		p.next()
		if p.accept("(") {
			f.Error = &ir.Result{Type: p.bareType()}
			p.expect(")")
		}
	}
	p.expect("->")
	var r element
	p.elementConventions(&r, false)
	r.result.Attrs = r.param.Attrs
	r.result.Type = p.bareType()
	if p.bad {
		return nil
	}
	f.Results = []ir.Result{r.result}
	return p.ts.Intern(&ir.Type{Kind: ir.KindASTFunction, Func: &f})
}

// loweredFunction goes on with the results of a lowered function type.
func (p *parser) loweredFunction(f *ir.FuncType, attrs *fnAttrs, params []element) *ir.Type {
	if f.Convention.IsCode() {
		f.Noescape = false // without a context there is nothing that could escape
	}
	defer func() { p.writtenThick = attrs.written.Has(ir.ModConvention) && f.Convention == ir.RepThick }()
	for _, e := range params {
		if e.only == onlyResults {
			p.errorf(p.tok.pos, "syntax", "%s is not for parameters", e.word)
			return nil
		}
		f.Params = append(f.Params, e.param)
	}
	f.Variadic = variadic(params)
	p.expect("->")
	if p.is("@lifetime") {
		f.Lifetime = p.lifetime()
	}
	var results []element
	if p.is("(") {
		results = p.elements(true)
		if labelled(results) && !p.isArrow() { // the only result is a tuple
			results = []element{{result: ir.Result{Type: p.tuple(results)}}}
		}
		if p.isArrow() { // the only result is a function type without attributes
			results = []element{{result: ir.Result{Type: p.functionType(true, &fnAttrs{}, results)}}}
		}
	} else {
		results = []element{p.element(true)}
	}
	if p.bad {
		return nil
	}
	for _, e := range results {
		switch {
		case e.only == onlyParams:
			p.errorf(p.tok.pos, "syntax", "%s is not for results", e.word)
			return nil
		case e.err:
			p.taken.errorResult(e.result.Type)
			r := e.result
			f.Error = &r
		case e.yield:
			f.Yields = append(f.Yields, e.result)
		default:
			f.Results = append(f.Results, e.result)
		}
	}
	if f.Pattern != nil && p.accept("for") {
		p.popParams(attrs.pattern)
		f.Subs = p.formalTypes()
	}
	if p.bad {
		return nil
	}
	if f.Coroutine == ir.NotCoroutine && len(f.Yields) > 0 {
		p.errorf(p.tok.pos, "syntax", "only coroutines yield: the function type lacks @yield_once or @yield_many")
		return nil
	}
	return p.ts.Function(f)
}
