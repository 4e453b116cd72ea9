package debugger

import (
	"fmt"
	"strconv"
	"strings"

	"silvm/ir"
)

// Expressions over the program's values:
//
//	%5 name self global Node#17 12 0x1f 2.5 "text" true nil $step
//	x.field x.0 x[3] *x    x.strong x.unowned x.weak x.state    - ! * / % + - == != < <= > >= && ||

// expr is an expression, ready to be evaluated.
type expr interface{}

type (
	exprLit   struct{ v result }
	exprName  struct{ name string }
	exprField struct {
		of   expr
		name string
	}
	exprIndex struct{ of, index expr }
	exprUnary struct {
		op string
		x  expr
	}
	exprBinary struct {
		op   string
		x, y expr
	}
)

// result is what an expression gives: a value of the program, or a number, text or truth of its own.
type result struct {
	kind  byte // 'v' value, 'i' integer, 'f' float, 's' text, 'b' bool, 'n' nil
	Value Value
	i     int64
	f     float64
	s     string
	named string // the object that it is, by its name
}

func (r result) isTrue() bool { return r.kind == 'b' && r.i != 0 || r.kind == 'i' && r.i != 0 }

// parser of expressions.
type exprParser struct {
	text string
	at   int
}

func parseExpr(text string) (expr, error) {
	p := &exprParser{text: text}
	e, err := p.binary(0)
	if err == nil {
		if p.space(); p.at < len(p.text) {
			err = fmt.Errorf("unexpected %q in %s", p.text[p.at:], text)
		}
	}
	return e, err
}

func (p *exprParser) space() {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
}

var operators = [][]string{{"||"}, {"&&"}, {"==", "!=", "<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}

func (p *exprParser) operator(level int) string {
	p.space()
	for _, op := range operators[level] {
		if strings.HasPrefix(p.text[p.at:], op) {
			if op == "%" && p.at+1 < len(p.text) && p.text[p.at+1] != ' ' {
				continue // a value's name
			}
			p.at += len(op)
			return op
		}
	}
	return ""
}

func (p *exprParser) binary(level int) (expr, error) {
	if level == len(operators) {
		return p.unary()
	}
	x, err := p.binary(level + 1)
	for err == nil {
		op := p.operator(level)
		if op == "" {
			return x, nil
		}
		var y expr
		y, err = p.binary(level + 1)
		x = exprBinary{op, x, y}
	}
	return nil, err
}

func (p *exprParser) unary() (expr, error) {
	p.space()
	if p.at < len(p.text) && strings.IndexByte("!-*", p.text[p.at]) >= 0 {
		op := p.text[p.at : p.at+1]
		p.at++
		x, err := p.unary()
		return exprUnary{op, x}, err
	}
	x, err := p.primary()
	for err == nil && p.at < len(p.text) {
		switch p.text[p.at] {
		case '.':
			p.at++
			name := p.word()
			if name == "" {
				return nil, fmt.Errorf("a name must follow the dot in %s", p.text)
			}
			x = exprField{x, name}
			continue
		case '[':
			p.at++
			var i expr
			if i, err = p.binary(0); err != nil {
				return nil, err
			}
			if p.space(); p.at >= len(p.text) || p.text[p.at] != ']' {
				return nil, fmt.Errorf("no ] in %s", p.text)
			}
			p.at++
			x = exprIndex{x, i}
			continue
		}
		break
	}
	return x, err
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func (p *exprParser) word() string {
	start := p.at
	for p.at < len(p.text) && isWordByte(p.text[p.at]) {
		p.at++
	}
	return p.text[start:p.at]
}

// objectName reads a name such as Outer.Box<Int>#3 where one stands.
func (p *exprParser) objectName() (string, bool) {
	k, deep := p.at, 0
	for ; k < len(p.text); k++ {
		c := p.text[k]
		switch {
		case c == '<' || c == '(' && deep > 0:
			deep++
		case (c == '>' || c == ')') && deep > 0:
			deep--
		case c == '#' && deep == 0:
			end := k + 1
			for end < len(p.text) && p.text[end] >= '0' && p.text[end] <= '9' {
				end++
			}
			if end == k+1 {
				return "", false
			}
			name := p.text[p.at:end]
			p.at = end
			return name, true
		case isWordByte(c) || c == '.' && k > p.at || deep > 0 && strings.IndexByte(" ,:?[]", c) >= 0:
		default:
			return "", false
		}
	}
	return "", false
}

func (p *exprParser) primary() (expr, error) {
	p.space()
	if p.at >= len(p.text) {
		return nil, fmt.Errorf("an expression is missing in %q", p.text)
	}
	if name, ok := p.objectName(); ok {
		return exprName{name}, nil
	}
	switch c := p.text[p.at]; {
	case c == '(':
		p.at++
		x, err := p.binary(0)
		if err != nil {
			return nil, err
		}
		if p.space(); p.at >= len(p.text) || p.text[p.at] != ')' {
			return nil, fmt.Errorf("no ) in %s", p.text)
		}
		p.at++
		return x, nil
	case c == '"':
		end := strings.IndexByte(p.text[p.at+1:], '"')
		if end < 0 {
			return nil, fmt.Errorf("no closing \" in %s", p.text)
		}
		s := p.text[p.at+1 : p.at+1+end]
		p.at += end + 2
		return exprLit{result{kind: 's', s: s}}, nil
	case c == '%':
		p.at++
		return exprName{"%" + p.word()}, nil
	case c >= '0' && c <= '9':
		start := p.at
		w := p.word()
		if p.at < len(p.text) && p.text[p.at] == '.' && !strings.HasPrefix(w, "0x") {
			p.at++
			p.word()
			f, err := strconv.ParseFloat(p.text[start:p.at], 64)
			return exprLit{result{kind: 'f', f: f}}, err
		}
		n, err := strconv.ParseUint(w, 0, 64)
		if err != nil {
			return nil, fmt.Errorf("%s is no number", w)
		}
		return exprLit{result{kind: 'i', i: int64(n)}}, nil
	}
	switch w := p.word(); w {
	case "":
		return nil, fmt.Errorf("unexpected %q in %s", p.text[p.at:], p.text)
	case "true", "false":
		return exprLit{result{kind: 'b', i: int64(len("false") - len(w))}}, nil
	case "nil":
		return exprLit{result{kind: 'n'}}, nil
	default:
		return exprName{w}, nil
	}
}

// Eval gives the value that an expression names in a frame. The error says what there is not.
func (d *Debugger) Eval(text string, frame int) (Value, error) {
	e, err := parseExpr(text)
	if err != nil {
		return Value{}, err
	}
	r, err := d.eval(e, frame)
	if err != nil {
		return Value{}, err
	}
	if r.kind != 'v' {
		return Value{Note: d.resultText(r), Bytes: nil}, nil
	}
	return r.Value, nil
}

func (d *Debugger) resultText(r result) string {
	switch r.kind {
	case 'i':
		return strconv.FormatInt(r.i, 10)
	case 'f':
		return swiftFloat(r.f, 64)
	case 's':
		return quoted(r.s)
	case 'b':
		return strconv.FormatBool(r.i != 0)
	case 'n':
		return "nil"
	}
	return d.Text(r.Value)
}

func (d *Debugger) eval(e expr, frame int) (result, error) {
	f, _ := d.Frame(frame)
	return d.evalIn(e, f)
}

func (d *Debugger) evalIn(e expr, f Frame) (result, error) {
	switch e := e.(type) {
	case exprLit:
		return e.v, nil
	case exprName:
		return d.named(e.name, f)
	case exprField:
		x, err := d.evalIn(e.of, f)
		if err != nil {
			return x, err
		}
		return d.field(x, e.name)
	case exprIndex:
		x, err := d.evalIn(e.of, f)
		if err != nil {
			return x, err
		}
		i, err := d.evalIn(e.index, f)
		if err != nil {
			return i, err
		}
		return d.indexed(x, i)
	case exprUnary:
		x, err := d.evalIn(e.x, f)
		if err != nil {
			return x, err
		}
		return d.unary(e.op, x)
	case exprBinary:
		x, err := d.evalIn(e.x, f)
		if err != nil {
			return x, err
		}
		if b := d.plain(x); e.op == "&&" && !b.isTrue() || e.op == "||" && b.isTrue() {
			return b, nil
		}
		y, err := d.evalIn(e.y, f)
		if err != nil {
			return y, err
		}
		return apply(e.op, d.plain(x), d.plain(y))
	}
	return result{}, fmt.Errorf("nothing to evaluate")
}

// named finds what a name means: a value of the text, a variable of the source, an object, a global.
func (d *Debugger) named(name string, f Frame) (result, error) {
	if name == "$step" {
		return result{kind: 'i', i: int64(d.Step())}, nil
	}
	if objectRE.MatchString(name) {
		o, err := d.ObjectNamed(name)
		if err != nil {
			return result{}, err
		}
		return d.objectResult(o), nil
	}
	if strings.HasPrefix(name, "%") {
		return d.silValue(name, f)
	}
	locals := d.Locals(f)
	for _, v := range locals {
		if v.Name == name {
			return result{kind: 'v', Value: v.Value}, nil
		}
	}
	for _, g := range d.m.Program().Globals {
		if g.Addr != 0 && (g.Global.Name == name || globalName(g.Global) == name) {
			return result{kind: 'v', Value: d.memory(g.Layout.Type, g.Addr, false)}, nil
		}
	}
	var names []string
	for _, v := range locals {
		names = append(names, v.Name)
	}
	for _, g := range d.mod.Globals {
		if globalName(g) == name || g.Name == name {
			return result{}, fmt.Errorf("the global %s has no memory yet", name)
		}
		names = append(names, globalName(g))
	}
	return result{}, &NoSuch{What: "variable", Name: name, Near: nearest(name, names)}
}

// globalName is the name of a global in the source, as far as its symbol tells.
func globalName(g *ir.Global) string {
	name := ir.DisplayName(g.Name, g.Comment)
	if name == g.Name {
		return name
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}

func (d *Debugger) objectResult(o Object) result {
	meta, _ := d.m.Heap().Load64(o.Ref)
	r := result{kind: 'v', named: o.Name, Value: Value{Note: o.Name}}
	if ti := d.m.TypeAt(meta); ti != nil {
		b := make([]byte, 8)
		le.PutUint64(b, o.Ref)
		r.Value = Value{Type: ti.Type, Layout: d.layout(ti.Type), Bytes: b}
		if r.Value.Layout == nil || ti.Class == nil {
			r.Value.Type = d.mod.Types.Builtin("NativeObject")
			r.Value.Layout = d.layout(r.Value.Type)
		}
	}
	return r
}

// silValue finds a value of the running function's text.
func (d *Debugger) silValue(name string, f Frame) (result, error) {
	if f.Inst == nil {
		return result{}, &NoSuch{What: "SIL function that runs here, so no", Name: name}
	}
	for _, b := range f.Inst.Block().Func.Blocks {
		for _, a := range b.Args {
			if d.NameOf(a) == name {
				return d.frameValue(a, name, f)
			}
		}
		for i := b.First(); i != nil; i = i.Next() {
			for _, r := range i.Results {
				if d.NameOf(r) == name {
					return d.frameValue(r, name, f)
				}
			}
		}
	}
	return result{}, &NoSuch{What: "value in " + f.Name(), Name: name}
}

func (d *Debugger) frameValue(v *ir.Value, name string, f Frame) (result, error) {
	if !d.isDefined(v, f) {
		return result{}, fmt.Errorf("%s is not computed here", name)
	}
	l, ok := f.Func.Values[v]
	if !ok {
		return result{}, fmt.Errorf("%s is not kept: its code was removed", name)
	}
	return result{kind: 'v', Value: d.located(v, l, f)}, nil
}

// field finds a part of a value by its name.
func (d *Debugger) field(x result, name string) (result, error) {
	for _, c := range countNames {
		if c != name {
			continue
		}
		if ref, ok := d.Ref(x.Value); ok {
			n := d.countsAt(ref)
			switch name {
			case "strong":
				return result{kind: 'i', i: int64(n.Strong)}, nil
			case "unowned":
				return result{kind: 'i', i: int64(n.Unowned)}, nil
			case "weak":
				return result{kind: 'i', i: int64(n.Weak)}, nil
			}
			return result{kind: 's', s: n.State.String()}, nil
		}
	}
	v := x.Value
	for range 4 { // through optionals and references
		kids := d.Children(v, 64)
		for _, k := range kids {
			if k.Name == name {
				return result{kind: 'v', Value: k.Value}, nil
			}
		}
		if len(kids) != 1 {
			break
		}
		v = kids[0].Value
	}
	var names []string
	for _, k := range d.Children(v, 64) {
		names = append(names, k.Name)
	}
	return result{}, &NoSuch{What: "field", Name: name, Near: nearest(name, names)}
}

func (d *Debugger) indexed(x, i result) (result, error) {
	n := d.plain(i)
	if n.kind == 'i' && n.i >= 0 {
		kids, ok := d.collection(x.Value, int(min(n.i+1, 1<<20)))
		if ok && n.i < int64(len(kids)) {
			return result{kind: 'v', Value: kids[n.i].Value}, nil
		}
	}
	if n.kind == 's' {
		kids, _ := d.collection(x.Value, 1<<16)
		for _, k := range kids {
			if k.Name == quoted(n.s) {
				return result{kind: 'v', Value: k.Value}, nil
			}
		}
	}
	return result{}, &NoSuch{What: "element", Name: d.resultText(i)}
}

func (d *Debugger) unary(op string, x result) (result, error) {
	p := d.plain(x)
	switch {
	case op == "!":
		return truth(!p.isTrue()), nil
	case op == "-" && p.kind == 'i':
		return result{kind: 'i', i: -p.i}, nil
	case op == "-" && p.kind == 'f':
		return result{kind: 'f', f: -p.f}, nil
	case op == "*":
		addr := uint64(p.i)
		if x.kind == 'v' {
			addr = x.Value.word(0)
		}
		return result{kind: 'v', Value: d.memory(d.mod.Types.Builtin("Int64"), addr, false)}, nil
	}
	return result{}, fmt.Errorf("%s needs a number", op)
}

func truth(b bool) result {
	if b {
		return result{kind: 'b', i: 1}
	}
	return result{kind: 'b'}
}

// plain makes a number, text or truth of a value of the program where it is one.
func (d *Debugger) plain(x result) result {
	if x.kind != 'v' {
		return x
	}
	text := d.Text(x.Value)
	switch {
	case text == "nil":
		return result{kind: 'n'}
	case text == "true" || text == "false":
		return truth(text == "true")
	case strings.HasPrefix(text, `"`):
		if s, err := strconv.Unquote(text); err == nil {
			return result{kind: 's', s: s}
		}
		return result{kind: 's', s: strings.Trim(text, `"`)}
	}
	if inner, ok := strings.CutPrefix(text, "Optional("); ok {
		text = strings.TrimSuffix(inner, ")")
	}
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return result{kind: 'i', i: n}
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return result{kind: 'f', f: f}
	}
	return result{kind: 's', s: text}
}

func apply(op string, x, y result) (result, error) {
	if x.kind == 'f' && y.kind == 'i' {
		y = result{kind: 'f', f: float64(y.i)}
	}
	if x.kind == 'i' && y.kind == 'f' {
		x = result{kind: 'f', f: float64(x.i)}
	}
	switch op {
	case "&&", "||":
		return truth(y.isTrue()), nil
	case "==":
		return truth(x.kind == y.kind && x.i == y.i && x.f == y.f && x.s == y.s), nil
	case "!=":
		return truth(!(x.kind == y.kind && x.i == y.i && x.f == y.f && x.s == y.s)), nil
	}
	if x.kind != y.kind {
		return result{}, fmt.Errorf("%s of things of different kinds", op)
	}
	less, more := x.i < y.i || x.f < y.f || x.s < y.s, x.i > y.i || x.f > y.f || x.s > y.s
	switch op {
	case "<":
		return truth(less), nil
	case ">":
		return truth(more), nil
	case "<=":
		return truth(!more), nil
	case ">=":
		return truth(!less), nil
	}
	switch x.kind {
	case 'i':
		n, err := arithmetic(op, x.i, y.i)
		return result{kind: 'i', i: n}, err
	case 'f':
		f := map[string]float64{"+": x.f + y.f, "-": x.f - y.f, "*": x.f * y.f, "/": x.f / y.f}[op]
		return result{kind: 'f', f: f}, nil
	}
	return result{}, fmt.Errorf("%s needs numbers", op)
}

func arithmetic(op string, x, y int64) (int64, error) {
	switch op {
	case "+":
		return x + y, nil
	case "-":
		return x - y, nil
	case "*":
		return x * y, nil
	}
	if y == 0 {
		return 0, fmt.Errorf("division by zero")
	}
	if op == "/" {
		return x / y, nil
	}
	return x % y, nil
}
