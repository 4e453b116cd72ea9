package debugger

import (
	"fmt"
	"strconv"
	"strings"
)

// Expressions over the program's values:
//
//	%5 name self global Node#17 12 0x1f 2.5 "text" true nil $step
//	x.field x.0 x[3] x["key"] x! x?.field *x &x type(of: x)    x.count x.isEmpty x.first x.last x.pointee
//	f(x, by: 2) x.f(3), which print and call do
//	x.strong x.unowned x.weak x.state    - ! * / % + - == != === !== < <= > >= && ||

// expr is an expression, ready to be evaluated.
type expr any

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
	exprType struct{ of expr }
)

// result is the result of an expression: a value of the program, or a number, text or truth of its own.
type result struct {
	kind  byte // 'v' value, 'i' integer, 'f' float, 's' text, 'b' bool, 'n' nil
	Value Value
	i     int64
	f     float64
	s     string
	raw   bool   // s is no string of the program: it is shown without quotes
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
			err = p.unexpected()
		}
	}
	return e, err
}

// unexpected says what can't be here.
func (p *exprParser) unexpected() error {
	rest := p.text[p.at:]
	switch {
	case strings.HasPrefix(rest, "="):
		return fmt.Errorf("an expression changes nothing; set %s does", p.text)
	case strings.HasPrefix(rest, "as"), strings.HasPrefix(rest, "is "):
		return fmt.Errorf("no casts: values are shown with the type that they have: %s", p.text)
	}
	return fmt.Errorf("unexpected %q in %s", rest, p.text)
}

func (p *exprParser) space() {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
}

var operators = [][]string{{"||"}, {"&&"}, {"===", "!==", "==", "!=", "<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}

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
	if p.at < len(p.text) && strings.IndexByte("!-*&", p.text[p.at]) >= 0 {
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
		case '(':
			p.at++
			if x, err = p.arguments(x); err != nil {
				return nil, err
			}
			continue
		case '!', '?':
			if !strings.HasPrefix(p.text[p.at+1:], "=") {
				p.at++
				x = exprUnary{"unwrap", x}
				continue
			}
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
		case c == '@' && deep == 0 && k > p.at && strings.HasPrefix(p.text[k+1:], "0x"):
			end := k + 3
			for end < len(p.text) && isWordByte(p.text[end]) {
				end++
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

// parenthesized reads an expression after ( and the ) after it.
func (p *exprParser) parenthesized() (expr, error) {
	x, err := p.binary(0)
	if err != nil {
		return nil, err
	}
	if p.space(); p.at >= len(p.text) || p.text[p.at] != ')' {
		return nil, fmt.Errorf("no ) in %s", p.text)
	}
	p.at++
	return x, nil
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
		return p.parenthesized()
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
		return nil, p.unexpected()
	case "type":
		rest, ok := strings.CutPrefix(p.text[p.at:], "(of:")
		if !ok {
			return exprName{w}, nil
		}
		p.at = len(p.text) - len(rest)
		x, err := p.parenthesized()
		return exprType{x}, err
	case "true", "false":
		return exprLit{result{kind: 'b', i: int64(len("false") - len(w))}}, nil
	case "nil":
		return exprLit{result{kind: 'n'}}, nil
	default:
		return exprName{w}, nil
	}
}
