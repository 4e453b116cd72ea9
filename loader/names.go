package loader

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/loader/evidence"
)

// The name of a protocol may stand for the type of its values, which the compiler prints with any, and the name of a
// typealias stands for its type. Types are read before the declarations are known, so that both are looked up in the text
// beforehand.

// typeName holds what is known beforehand of the name of a type at the top of a module.
type typeName struct {
	protocol bool
	alias    *alias // nil unless the name is that of a typealias
}

// alias is a typealias whose type is read when it is first needed.
type alias struct {
	text   string // from after the name
	of     int    // the number of the text, negative for that of a library
	read   bool
	params *ir.GenericSig
	target *ir.Type // nil when the text is no type
}

// maxModifiers bounds the bytes on a line before the word that declares something.
const maxModifiers = 200

// noteNames enters the names of the protocols, and of the typealiases at the top, that a file declares.
func (l *load) noteNames(number int, text string) {
	declared(text, "protocol ", func(before string, name, _ string) {
		if l.taken.has(name) && isProgramText(text) && strings.TrimLeft(before, " \t") == before {
			name = evidence.Name(name, l.taken.Of(name, l.taken.moduleOf(number)))
		}
		l.names[name] = typeName{protocol: true}
	})
	declared(text, "struct ", func(before, name, _ string) {
		if strings.Contains(before, "@propertyWrapper") {
			l.wrappers[name] = true
		}
	})
	declared(text, "typealias ", func(before, name, rest string) {
		if before == "" || class[before[0]]&clsSpace == 0 {
			l.names[name] = typeName{alias: &alias{text: rest, of: number}}
		}
	})
}

// declared calls yield for each name that text declares with the word: with what comes before it on its line, and
// with the text after it.
func declared(text, word string, yield func(before, name, rest string)) {
	for off := 0; ; {
		n := strings.Index(text[off:], word)
		if n < 0 {
			return
		}
		at := off + n
		off = at + len(word)
		before := text[max(0, at-maxModifiers):at]
		before = before[strings.LastIndexByte(before, '\n')+1:]
		if before != "" && class[before[len(before)-1]]&clsSpace == 0 || strings.Contains(before, "//") ||
			strings.Contains(before, `"`) && !strings.Contains(before, "@") {
			continue
		}
		start := off
		for start < len(text) && text[start] == ' ' {
			start++
		}
		if end := scanIdent(text, start); end > start {
			yield(before, text[start:end], text[end:])
		}
	}
}

// typeName tells what is known of the name of a type: from the files, or from the library unless a file has a type of
// that name.
func (l *load) typeName(name string) typeName {
	info, known := l.names[name]
	if known {
		return info
	}
	if plain := ir.PlainName(name); plain != name && l.taken.has(plain) {
		info = typeName{protocol: l.taken.types[plain].isProtocol()} // whichever of them it means
		l.names[name] = info
		return info
	}
	if info = l.libraryTypeName(name); info == (typeName{}) {
		info = l.archive.typeName(name)
	}
	if info != (typeName{}) && !l.taken.has(name) && l.declares(name) {
		info = typeName{}
	}
	l.names[name] = info
	return info
}

// libraryTypeName tells what the standard library declares under that name.
func (l *load) libraryTypeName(name string) typeName {
	text := ordinaryLines(l.mod, name)
	for _, m := range besides {
		text += m.lines(l.mod, name)
	}
	for line := range strings.SplitSeq(text, "\n") {
		rest := line
		for {
			word, tail, ok := strings.Cut(rest, " ")
			switch {
			case !ok:
			case word == "protocol":
				return typeName{protocol: true}
			case word == "typealias":
				return typeName{alias: &alias{of: -1, text: strings.TrimPrefix(tail, name)}}
			case nominalKinds[word] == 0:
				rest = tail
				continue
			}
			break
		}
	}
	return typeName{}
}

// declares reports whether a file declares a type of that name, be it inside another one.
func (l *load) declares(name string) bool {
	return slices.ContainsFunc(l.parsers, func(p *parser) bool {
		if p.typeNames == nil {
			src := p.lex.src
			if l.ours {
				src = declarationsOf(src)
			}
			p.typeNames = declaredTypes(src)
		}
		return p.typeNames[name]
	})
}

// declaredTypes returns the names that come after struct, class and their like in a text.
func declaredTypes(src string) map[string]bool {
	names := map[string]bool{}
	for word, kind := range nominalKinds {
		if kind == ir.ExtensionDecl {
			continue
		}
		for off := 0; ; {
			n := strings.Index(src[off:], word+" ")
			if n < 0 {
				break
			}
			at := off + n
			off = at + len(word) + 1
			if at > 0 && class[src[at-1]]&clsIdent != 0 {
				continue
			}
			if end := scanIdent(src, off); end > off {
				names[src[off:end]] = true
			}
		}
	}
	return names
}

// existentialOf returns the type of the values of a protocol if t names one, and t itself otherwise.
func (p *parser) existentialOf(t *ir.Type) *ir.Type {
	if t == nil || t.Kind != ir.KindNominal || t.Parent != nil || !p.load.typeName(t.Name).protocol {
		return t
	}
	return p.ts.Intern(&ir.Type{Kind: ir.KindExistential, Args: []*ir.Type{t}})
}

// unaliased returns the type that the name of a typealias stands for, and t itself otherwise.
func (p *parser) unaliased(t *ir.Type) *ir.Type {
	if t == nil || t.Kind != ir.KindNominal || t.Parent != nil {
		return t
	}
	if a := p.load.typeName(t.Name).alias; a != nil {
		if full := p.aliased(a, t.Args); full != nil {
			return full
		}
	}
	return t
}

// aliased returns the type that a typealias with the arguments stands for, nil when it can't be told.
func (p *parser) aliased(a *alias, args []*ir.Type) *ir.Type {
	if !a.read {
		a.read = true // an alias of itself has no type
		q := &parser{lex: lexer{src: a.text[:min(len(a.text), maxAliasText)]}, mod: p.mod, ts: p.ts, diags: p.diags, opts: p.opts, load: p.load,
			trial: true, depth: p.depth, taken: p.taken, number: -1 - len(a.text), alias: a}
		q.tok = q.lex.next()
		if q.is("<") {
			a.params, _ = q.signature(false)
		}
		if q.expect("="); !q.bad {
			if t := q.bareType(); !q.bad {
				a.target = t
			}
		}
	}
	switch {
	case a.target == nil || len(args) == 0:
		return a.target
	case a.params == nil: // typealias List = Array
		if a.target.Kind == ir.KindNominal && len(a.target.Args) == 0 {
			return p.ts.Nominal(a.target.Parent, a.target.Name, args...)
		}
		return a.target
	case len(args) != len(a.params.Params): // typealias Result<T> = Swift.Result<T, any Error>, and the target is written
		return nil
	}
	return p.ts.Subst(a.target, ir.BindParams(a.params, args))
}

// maxAliasText bounds the text of the type that a typealias stands for.
const maxAliasText = 1 << 16
