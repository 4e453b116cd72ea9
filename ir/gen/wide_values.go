package gen

import (
	"fmt"
	"strings"
)

// value writes an expression of a type; depth bounds how deep it may nest.
func (w *wide) value(t *wideType, depth int) string {
	if list := w.vars(t, false); len(list) > 0 && (depth <= 0 || !w.chance(3)) {
		return list[w.n(len(list))]
	}
	if depth > 0 {
		if e := w.indirectly(t, depth-1); e != "" {
			return e
		}
	}
	d := depth - 1
	switch t.kind {
	case wideInt:
		return w.integer(d)
	case wideBool:
		return w.condition(d)
	case wideString:
		return w.text(d)
	case wideClass:
		return w.object(t, d)
	case wideStruct:
		return t.text + "(" + w.arguments(t.fields, d) + ")"
	case wideEnum:
		c := t.cases[0]
		if depth > 0 {
			c = t.cases[w.n(len(t.cases))]
		}
		return t.text + "." + c.name + parenthesized(w.values(c.payload, d-1))
	case wideProto:
		return "(" + w.conformer(t.protos[0], d) + " as " + t.text + ")"
	case wideOptional:
		if depth <= 0 || w.chance(3) {
			return "(nil as " + t.text + ")"
		}
		return "Optional(" + w.value(t.elems[0], d) + ")"
	case wideArray:
		return w.array(t, d)
	case wideDict:
		return w.dictionary(t, d)
	case wideTuple:
		return "(" + strings.Join(w.values(t.elems, d), ", ") + ")"
	case wideClosure:
		return w.closure(d)
	case wideThunk:
		return fmt.Sprintf("{ () -> %s in %s }", t.elems[0].text, w.within(func() string { return w.value(t.elems[0], d) }))
	case wideBox:
		return fmt.Sprintf("%s(%s)", t.text, w.value(t.elems[0], d))
	}
	return fmt.Sprintf("%s(%s)", t.text, strings.Join(w.values(t.elems, d), ", "))
}

func (w *wide) values(list []*wideType, depth int) (texts []string) {
	for _, t := range list {
		texts = append(texts, w.value(t, depth))
	}
	return texts
}

// within writes the body of a closure: it has no exit from the function, and calls nothing that may call it.
func (w *wide) within(write func() string) string {
	quiet := w.quiet
	w.quiet = true
	w.inner++
	text := write()
	w.inner--
	w.quiet = quiet
	return text
}

func (w *wide) arguments(fields []wideField, depth int) string {
	var args []string
	for _, f := range fields {
		args = append(args, f.name+": "+w.value(f.t, depth))
	}
	return strings.Join(args, ", ")
}

// indirectly takes a value out of another one, or hands it through a function; "" for none.
func (w *wide) indirectly(t *wideType, depth int) string {
	switch w.n(14) {
	case 0:
		return "passOn(" + w.value(t, depth) + ")"
	case 1:
		return "take(" + w.value(t, depth) + ")"
	case 2:
		return fmt.Sprintf("either(%s, %s, %s)", w.condition(depth-1), w.value(t, depth-1), w.value(t, depth-1))
	case 3:
		return fmt.Sprintf("(%s ? %s : %s)", w.condition(depth-1), w.value(t, depth-1), w.value(t, depth-1))
	case 4, 5, 6: // a property
		for _, list := range [][]*wideType{w.classes, w.structs} {
			for _, n := range w.r.Perm(len(list)) {
				c := list[n]
				if fields, vars := w.fieldsOf(c, t), w.vars(c, false); len(fields) > 0 && len(vars) > 0 {
					return vars[w.n(len(vars))] + "." + fields[w.n(len(fields))].name
				}
			}
		}
	case 7, 8: // out of a collection or an optional
		for _, n := range w.r.Perm(len(w.lists)) {
			c := w.lists[n]
			vars := w.vars(c, false)
			if len(vars) == 0 || len(c.elems) == 0 || c.elems[0] != t {
				continue
			}
			v := vars[w.n(len(vars))]
			switch c.kind {
			case wideOptional:
				return fmt.Sprintf("(%s ?? %s)", v, w.value(t, depth-1))
			case wideArray:
				if t.kind == wideOptional {
					return fmt.Sprintf("(%s.first ?? %s)", v, w.value(t, depth-1))
				}
				return fmt.Sprintf("(%s.%s ?? %s)", v, []string{"first", "last"}[w.n(2)], w.value(t, depth-1))
			case wideDict:
				return fmt.Sprintf("(%s[\"k%d\"] ?? %s)", v, w.n(3), w.value(t, depth-1))
			case wideTuple:
				return v + ".0"
			case wideThunk:
				if !w.quiet {
					return v + "()"
				}
			}
		}
	case 9:
		for _, g := range w.generic {
			vars := w.vars(g, false)
			if len(vars) == 0 || g.elems[0] != t {
				continue
			}
			v := vars[w.n(len(vars))]
			if g.kind == wideTwo {
				return v + ".first"
			}
			return []string{v + ".value", v + ".put(" + w.value(t, depth-1) + ")"}[w.n(2)]
		}
	case 10:
		if t.kind == wideClass {
			for _, c := range w.classes {
				if vars := w.vars(c, false); c.super == t && len(vars) > 0 {
					return "(" + vars[0] + " as " + t.text + ")"
				}
			}
		}
	case 11:
		return fmt.Sprintf("({ () -> %s in %s })()", t.text, w.within(func() string { return w.value(t, depth-1) }))
	}
	return ""
}

func (w *wide) integer(depth int) string {
	if depth <= 0 {
		return fmt.Sprint(w.n(20))
	}
	d := depth - 1
	switch w.n(12) {
	case 0, 1, 2:
		return fmt.Sprint(w.n(50))
	case 3:
		return fmt.Sprintf("(%s &+ %s)", w.value(wInt, d-1), w.value(wInt, d-1))
	case 4:
		return fmt.Sprintf("(bounded(%s) * bounded(%s))", w.value(wInt, d-1), w.value(wInt, d-1))
	case 5:
		return fmt.Sprintf("(%s / %d)", w.value(wInt, d-1), 1+w.n(5))
	case 6:
		c := w.class1()
		return w.value(c, d) + fmt.Sprintf(".work(%d)", w.n(9))
	case 7:
		c := w.class1()
		return fmt.Sprintf("%s.next%s?.work(%d) ?? %d", "("+w.value(c, d), c.text, w.n(5), w.n(5)) + ")"
	case 8:
		return w.value(w.enums[w.n(len(w.enums))], d) + ".depth"
	case 9:
		p := w.protos[w.n(len(w.protos))]
		return fmt.Sprintf("use%s(%s, %s)", p, w.conformer(p, d), w.value(wInt, d-1))
	case 10:
		return fmt.Sprintf("sum(%s, %s, from: %d)", w.value(wInt, d-1), w.value(wInt, d-1), w.n(5))
	}
	list := w.lists[w.n(len(w.lists))]
	if list.kind == wideArray || list.kind == wideDict {
		return w.value(list, d) + ".count"
	}
	return "twice(" + w.closure(d-1) + ")"
}

func (w *wide) class1() *wideType { return w.classes[w.n(len(w.classes))] }

// conformer is a value that conforms to a protocol.
func (w *wide) conformer(p string, depth int) string {
	var list []*wideType
	for _, all := range [][]*wideType{w.classes, w.structs} {
		for _, t := range all {
			for _, q := range t.protos {
				if p == q {
					list = append(list, t)
				}
			}
		}
	}
	t := list[0] // of lower rank than what holds an existential
	if depth > 0 {
		t = list[w.n(len(list))]
	}
	return w.value(t, depth)
}

func (w *wide) condition(depth int) string {
	if depth <= 0 {
		return []string{"true", "false", fmt.Sprintf("odd(%d)", w.n(4))}[w.n(3)]
	}
	d := depth - 1
	switch w.n(8) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", w.value(wInt, d-1), []string{"<", ">", "==", "!="}[w.n(4)], w.value(wInt, d-1))
	case 3:
		return fmt.Sprintf("(%s %s %s)", w.value(wBool, d-1), []string{"&&", "||"}[w.n(2)], w.value(wBool, d-1))
	case 4:
		s := w.structs[w.n(len(w.structs))]
		if a := w.vars(s, false); len(a) > 1 {
			return fmt.Sprintf("(%s == %s)", a[0], a[1])
		}
	case 5:
		c := w.class1()
		if a := w.vars(c, false); len(a) > 1 {
			return fmt.Sprintf("(%s === %s)", a[0], a[1])
		}
	case 6:
		for _, c := range w.classes {
			if c.super != nil {
				return fmt.Sprintf("(%s is %s)", w.value(c.super, d), c.text)
			}
		}
	}
	return fmt.Sprintf("!%s", w.value(wBool, d-1))
}

func (w *wide) text(depth int) string {
	if depth <= 0 {
		return fmt.Sprintf("\"t%d\"", w.n(9))
	}
	d := depth - 1
	switch w.n(7) {
	case 0:
		return fmt.Sprintf("(%s + %s)", w.value(wString, d-1), w.value(wString, d-1))
	case 1:
		return fmt.Sprintf("\"<\\(%s)>\"", strings.ReplaceAll(w.value(wInt, 0), `"`, ""))
	case 2:
		return w.value(w.shown(), d) + ".d"
	case 3:
		return "describe(" + w.value(w.shown(), d) + ")"
	case 4:
		return "describeAny(" + w.value(w.shown(), d) + ")"
	case 5:
		p := w.protos[w.n(len(w.protos))]
		return w.conformer(p, d) + fmt.Sprintf(".extra%s(%d)", p, w.n(9))
	}
	return fmt.Sprintf("String(%s.d.reversed())", w.value(wInt, d-1))
}

// object makes an object, or takes one that there is.
func (w *wide) object(t *wideType, depth int) string {
	if depth > 0 && w.chance(5) {
		for _, c := range w.classes {
			if c.super == t {
				return w.value(c, depth-1)
			}
		}
		return w.value(t, depth-1) + ".me()"
	}
	if t == w.global && w.chance(6) {
		return "(globalObject ?? " + w.value(t, depth-1) + ")"
	}
	return t.text + "(" + w.arguments(t.fields, depth-1) + ")"
}

func (w *wide) array(t *wideType, depth int) string {
	if depth < 0 {
		return "([] as " + t.text + ")"
	}
	e := t.elems[0]
	switch w.n(5) {
	case 0:
		return fmt.Sprintf("((0..<%d).map { (n: Int) -> %s in %s } as %s)", 1+w.n(3), e.text, w.within(func() string {
			w.scopes = append(w.scopes, []wideVar{{"n", wInt, false}})
			text := w.value(e, depth-1)
			w.scopes = w.scopes[:len(w.scopes)-1]
			return text
		}), t.text)
	case 1:
		if list := w.vars(t, false); len(list) > 0 {
			v := list[w.n(len(list))]
			return []string{
				"Array(" + v + ".reversed())",
				"(" + v + " + " + v + ")",
				"Array(" + v + ".dropFirst())",
				v + ".filter { (x: " + e.text + ") -> Bool in " + w.within(func() string { return w.condition(1) }) + " }",
				"Array(" + v + ".lazy.prefix(2).map { (x: " + e.text + ") -> " + e.text + " in x })",
			}[w.n(5)]
		}
	}
	var items []string
	for range w.n(4) {
		items = append(items, w.value(e, depth-1))
	}
	return "([" + strings.Join(items, ", ") + "] as " + t.text + ")"
}

func (w *wide) dictionary(t *wideType, depth int) string {
	var items []string
	for n := range w.n(3) {
		items = append(items, fmt.Sprintf("\"k%d\": %s", n, w.value(t.elems[0], depth-1)))
	}
	if len(items) == 0 {
		return "([:] as " + t.text + ")"
	}
	return "([" + strings.Join(items, ", ") + "] as " + t.text + ")"
}

// closure is a closure of one integer that captures what there is.
func (w *wide) closure(depth int) string {
	captures := ""
	c := w.class1()
	weak := ""
	if vars := w.vars(c, false); len(vars) > 0 && depth > 0 {
		v := vars[w.n(len(vars))]
		switch w.n(4) {
		case 0:
			captures, weak = "[weak "+v+"] ", fmt.Sprintf("(%s?.work(n) ?? %d)", v, w.n(9))
		case 1:
			captures = "[" + v + "] "
		}
	}
	// What is captured weakly is no variable of its type inside.
	if weak != "" {
		return fmt.Sprintf("{ %s(n: Int) -> Int in burn() ? %s : 0 }", captures, weak)
	}
	body := w.within(func() string {
		w.scopes = append(w.scopes, []wideVar{{"n", wInt, false}})
		text := w.value(wInt, min(depth, 2))
		w.scopes = w.scopes[:len(w.scopes)-1]
		return text
	})
	return fmt.Sprintf("{ %s(n: Int) -> Int in burn() ? n &+ %s : 0 }", captures, body)
}

// show prints a value.
func (w *wide) show(e string, t *wideType) {
	switch {
	case isShown(t):
		w.line("say(%q, %s.d)", e, e)
	case t.kind == wideProto:
		p := t.protos[0]
		w.line("say(%q, %s.m%s(%d), useAny%s(%s, 2), %s.d)", e, e, p, w.n(9), p, e, e)
	case t.kind == wideTuple:
		w.show(e+".0", t.elems[0])
		w.show(e+".1", t.elems[1])
	case t.kind == wideClosure:
		if !w.quiet {
			w.line("say(%q, %s(%d))", e, e, w.n(9))
		}
	case t.kind == wideThunk:
		if !w.quiet {
			name := w.name("x")
			w.line("let %s = %s()", name, e)
			w.show(name, t.elems[0])
		}
	case t.kind == wideOptional:
		name := w.name("x")
		w.line("if let %s = %s {", name, e)
		w.block(func() { w.show(name, t.elems[0]) })
		w.line("} else { say(%q) }", "no "+e)
	case t.kind == wideArray:
		name := w.name("x")
		w.line("for %s in %s {", name, e)
		w.block(func() { w.show(name, t.elems[0]) })
		w.line("}")
	default:
		w.line("say(%q)", e)
	}
}
