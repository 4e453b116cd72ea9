package abi

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/ir/source"
)

// reader reads the subset of Swift that testdata/decls.swift and testdata/stdlib.txt keep to, and types in the way programs
// spell them.
type reader struct {
	mod  *ir.Module
	toks []string
	vars map[string]bool // generic parameters in scope

	module string // of the declarations
}

func tokens(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == ' ' || c == '\n' || c == '\t':
			i++
		case strings.HasPrefix(text[i:], "->"):
			out = append(out, "->")
			i += 2
		case isWord(c) || c == '@' || c == '"':
			j := i + 1
			for j < len(text) && (isWord(text[j]) || c == '"' && text[j-1] != '"') {
				j++
			}
			out = append(out, text[i:j])
			i = j
		default:
			out = append(out, string(c))
			i++
		}
	}
	return out
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (r *reader) peek() string {
	if len(r.toks) == 0 {
		return ""
	}
	return r.toks[0]
}

func (r *reader) next() string {
	t := r.peek()
	if t == "" {
		panic("unexpected end of text")
	}
	r.toks = r.toks[1:]
	return t
}

func (r *reader) got(t string) bool {
	if r.peek() == t {
		r.toks = r.toks[1:]
		return true
	}
	return false
}

func (r *reader) want(t string) {
	if !r.got(t) {
		panic(fmt.Sprintf("want %q, found %q", t, r.peek()))
	}
}

var nominalKinds = map[string]ir.NominalKind{"struct": ir.Struct, "class": ir.Class, "enum": ir.Enum, "protocol": ir.Protocol, "actor": ir.Actor}

func (r *reader) decls(outer *ir.Nominal) {
	for r.peek() != "" && r.peek() != "}" {
		if r.got(";") {
			continue
		}
		d := &ir.Nominal{Outer: outer, Module: r.module}
		for r.peek() == "final" || r.peek() == "indirect" || r.peek() == "@_marker" {
			d.Attrs = append(d.Attrs, ir.ParseModifier(r.next()))
		}
		for strings.HasPrefix(r.peek(), "@") {
			attr := r.next()
			for attr[len(attr)-1] != ')' {
				attr += r.next()
			}
			d.Attrs = append(d.Attrs, ir.ParseModifier(attr))
		}
		d.Kind = nominalKinds[r.next()]
		d.Path = r.next()
		if outer != nil {
			d.Path = outer.Path + "." + d.Path
		}
		r.mod.Nominals[d.Path] = d
		if r.got("<") {
			r.generics(d)
		}
		if r.got(":") {
			for more := true; more; more = r.got(",") {
				if r.got("~") {
					r.next()
					d.NonCopyable = true
					continue
				}
				up := r.typ()
				if up.Kind == ir.KindExistential && up.Args[0].Name != "AnyObject" {
					up = up.Args[0]
				}
				d.Inherits = append(d.Inherits, up)
				if s := r.mod.Nominals[up.QualifiedName()]; s != nil && s.Kind == ir.Class {
					d.Super = up
				}
			}
		}
		r.want("{")
		r.members(d)
		r.want("}")
	}
}

func (r *reader) generics(d *ir.Nominal) {
	d.Generic = &ir.GenericSig{}
	for more := true; more; more = r.got(",") {
		name := r.next()
		r.vars[name] = true
		d.Generic.Params = append(d.Generic.Params, ir.GenericParam{Name: name})
		if r.got(":") {
			req := ir.Requirement{Kind: ir.ReqConformance, Subject: r.mod.Types.Param(name), Type: r.typ()}
			if req.Type.Kind == ir.KindExistential {
				req.Type = req.Type.Args[0]
			}
			if req.Type.Name == "AnyObject" {
				req = ir.Requirement{Kind: ir.ReqLayout, Subject: req.Subject, Text: "AnyObject"}
			}
			d.Generic.Requirements = append(d.Generic.Requirements, req)
		}
	}
	r.want(">")
}

func (r *reader) members(d *ir.Nominal) {
	for r.peek() != "}" {
		f := ir.Field{}
		storage, indirect := "", false
		for r.peek() == "weak" || r.peek() == "unowned" || r.peek() == "indirect" {
			storage = r.next()
			indirect = storage == "indirect"
			if r.got("(") {
				r.next()
				r.want(")")
				storage = "unmanaged"
			}
		}
		switch kw := r.next(); kw {
		case "var", "let":
			f.Name, f.Let = r.next(), kw == "let"
			if r.got("=") { // var x = 0
				r.next()
				f.Type = r.mod.Types.Nominal(nil, "Int")
			} else {
				r.want(":")
				f.Type = r.typ()
			}
			for r.peek() != ";" && r.peek() != "}" { // = initial value
				r.next()
			}
			if storage != "" {
				kind, _ := ir.ParseStorageKind(storage)
				f.Type = r.mod.Types.Intern(&ir.Type{Kind: ir.KindStorage, Storage: kind, Elem: f.Type})
			}
			d.Fields = append(d.Fields, f)
		case "case":
			for more := true; more; more = r.got(",") {
				c := ir.EnumCase{Name: r.next(), Indirect: indirect}
				if r.peek() == "(" {
					c.Payload = r.typ()
				} else if r.got("=") {
					r.next()
				}
				d.Cases = append(d.Cases, c)
			}
		case "init":
			for depth := 0; ; {
				switch r.next() {
				case "{":
					depth++
				case "}":
					depth--
					if depth == 0 {
						goto end
					}
				}
			}
		default:
			r.toks = append([]string{kw}, r.toks...)
			r.decls(d)
		}
	end:
		for r.got(";") {
		}
	}
}

// typ reads a type; composition and suffixes included.
func (r *reader) typ() *ir.Type {
	r.got("any")
	t := r.suffixed()
	if r.peek() != "&" {
		return t
	}
	parts := r.constraints(t)
	for r.got("&") {
		parts = append(parts, r.constraints(r.suffixed())...)
	}
	return r.mod.Types.Intern(&ir.Type{Kind: ir.KindExistential, Args: parts})
}

func (r *reader) constraints(t *ir.Type) []*ir.Type {
	if t.Kind == ir.KindExistential {
		return t.Args
	}
	return []*ir.Type{t}
}

func (r *reader) suffixed() *ir.Type {
	ts := r.mod.Types
	paren := r.peek() == "("
	t := r.primary()
	for {
		switch {
		case r.got("?"):
			t = ts.Optional(t)
		case len(r.toks) > 1 && r.toks[0] == "." && r.toks[1] == "Type":
			r.toks = r.toks[2:]
			if t.Kind == ir.KindExistential && !paren {
				t = ts.Intern(&ir.Type{Kind: ir.KindExistentialMetatype, Elem: t})
			} else {
				t = ts.Metatype(t, ir.MetatypeFormal)
			}
		default:
			return t
		}
	}
}

func (r *reader) primary() *ir.Type {
	ts := r.mod.Types
	switch t := r.next(); t {
	case "[":
		elem := r.typ()
		if r.got(":") {
			value := r.typ()
			r.want("]")
			return ts.Nominal(nil, "Dictionary", elem, value)
		}
		r.want("]")
		return ts.Nominal(nil, "Array", elem)
	case "(":
		return r.parens("")
	case "@convention":
		r.want("(")
		conv := "@convention(" + r.next() + ")"
		r.want(")")
		r.want("(")
		return r.parens(conv)
	case "@Sendable":
		r.want("(")
		return r.parens(t)
	case "Any":
		return ts.Intern(&ir.Type{Kind: ir.KindExistential})
	case "AnyObject", "Sendable":
		return ts.Intern(&ir.Type{Kind: ir.KindExistential, Args: []*ir.Type{ts.Nominal(nil, t)}})
	case "Builtin":
		r.want(".")
		return ts.BuiltinNamed(r.next())
	case "Void":
		return ts.Tuple(nil, nil)
	default:
		return r.named(t)
	}
}

func (r *reader) named(name string) *ir.Type {
	ts := r.mod.Types
	if r.vars[name] {
		t := ts.Param(name)
		for len(r.toks) > 1 && r.toks[0] == "." && r.toks[1] != "Type" {
			r.next()
			t = ts.Intern(&ir.Type{Kind: ir.KindMember, Elem: t, Name: r.next()})
		}
		return t
	}
	var t *ir.Type
	for {
		var args []*ir.Type
		if r.got("<") {
			for more := true; more; more = r.got(",") {
				args = append(args, r.typ())
			}
			r.want(">")
		}
		t = ts.Nominal(t, name, args...)
		if len(r.toks) < 2 || r.toks[0] != "." || r.toks[1] == "Type" {
			break
		}
		r.next()
		name = r.next()
	}
	if d := r.mod.Nominals[t.QualifiedName()]; d != nil && d.Kind == ir.Protocol {
		return ts.Intern(&ir.Type{Kind: ir.KindExistential, Args: []*ir.Type{t}})
	}
	return t
}

func (r *reader) parens(attrs string) *ir.Type {
	var elems []*ir.Type
	var labels []string
	for !r.got(")") {
		label := ""
		if len(r.toks) > 1 && r.toks[1] == ":" {
			label = r.next()
			r.next()
		}
		inout := r.got("inout")
		t := r.typ()
		if inout {
			t = r.mod.Types.Intern(&ir.Type{Kind: ir.KindInOut, Elem: t})
		}
		elems, labels = append(elems, t), append(labels, label)
		r.got(",")
	}
	f := &ir.FuncType{Written: ir.ParseModifiers(strings.Fields(attrs)...), Async: r.got("async")}
	if _, word, ok := strings.Cut(attrs, "@convention("); ok {
		word, _, _ = strings.Cut(word, ")")
		f.SetConvention(word)
	}
	if r.got("throws") {
		f.Throws = ir.Throws
	}
	if !r.got("->") {
		return r.mod.Types.Tuple(elems, labels)
	}
	result := r.typ()
	if result.Kind == ir.KindTuple {
		for _, e := range result.Args {
			f.Results = append(f.Results, ir.Result{Type: e})
		}
	} else {
		f.Results = []ir.Result{{Type: result}}
	}
	for _, e := range elems {
		f.Params = append(f.Params, ir.Param{Type: e})
	}
	return r.mod.Types.Intern(&ir.Type{Kind: ir.KindASTFunction, Func: f})
}

// declared returns the layouts of the test declarations and a reader of type names for them.
func declared(t *testing.T) (*Layouts, *reader) {
	t.Helper()
	r := &reader{mod: ir.NewModule(ir.NewTypes(), source.NewSet()), vars: map[string]bool{}}
	for _, name := range []string{"stdlib.txt", "decls.swift"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		r.module = map[string]string{"stdlib.txt": "Swift"}[name]
		for line := range strings.SplitSeq(string(text), "\n") {
			r.vars = map[string]bool{}
			r.toks = tokens(line)
			r.decls(nil)
		}
	}
	return New(r.mod), r
}

// read reads one type.
func (r *reader) read(text string) *ir.Type {
	r.vars = map[string]bool{}
	r.toks = tokens(text)
	return r.typ()
}
