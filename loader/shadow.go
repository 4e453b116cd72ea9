package loader

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/loader/evidence"
)

// The signature of a function calls an inner parameter T1 that source calls T like an outer one. What compilers since 6.2 print in the body,
// $T, may be either. Such a body is read twice: first with a parameter of its own for each mention, so that what the instructions say of
// types (shadow_rules.go) tells which are the same; then with what that told.

// shadows are the ambiguous names of one body.
type shadows struct {
	sig       *ir.GenericSig
	names     map[string]uint64 // what a name may mean: a bit for each parameter of the signature, by its position
	canonical map[string]string // the names τ_depth_index of the parameters

	mentions []mention
	byOff    map[int]int       // mention by offset
	byName   map[string]int    // mention by the name of its stand-in
	uttered  uint64            // parameters that the body calls by a name that is ambiguous for nobody else
	meant    map[int]string    // in the second reading: parameter by offset
	clear    map[int]rename    // in the second reading: names that types give other names, by offset
	bound    map[string]string // what the body calls parameters that function types inside it bind, by their names τ_depth_index
	clash    int               // mention of which the instructions say two things, -1 when there is none
}

// mention is one place where the text has an ambiguous name. Mentions of the same parameter form a tree.
type mention struct {
	name  string
	off   int
	same  int    // the parent; the mention itself at the root
	may   uint64 // at the root: what it may mean
	level int    // of the enclosing type whose argument it is, before a dot; -1 for others
}

// rename is a name in the text and the one that it has in types.
type rename struct{ from, to string }

// shadowsOf returns the ambiguous names of a body, nil when there are none.
func shadowsOf(f *ir.Function) *shadows {
	if f.Type == nil || f.Type.Func == nil || f.Type.Func.Generic == nil {
		return nil
	}
	sig := f.Type.Func.Generic
	n := len(sig.Params)
	if n < 2 || n > 64 || sig.Params[n-1].Depth == sig.Params[0].Depth {
		return nil
	}
	s := &shadows{sig: sig, names: map[string]uint64{}, clash: -1}
	for k, inner := range sig.Params {
		for j, outer := range sig.Params[:k] {
			if outer.Depth < inner.Depth && isRenamed(sig.Params, inner.Name, outer.Name) {
				s.names[outer.Name] |= 1<<j | 1<<k
			}
		}
	}
	if len(s.names) == 0 {
		return nil
	}
	s.canonical = map[string]string{}
	depth, index := 0, 0
	for _, g := range sig.Params {
		if g.Depth != depth {
			depth, index = g.Depth, 0
		}
		s.canonical[g.Name] = "τ_" + strconv.Itoa(depth) + "_" + strconv.Itoa(index)
		index++
	}
	s.byOff, s.byName, s.clear = map[int]int{}, map[string]int{}, map[int]rename{}
	return s
}

// isFirst reports whether the body is read for the first time, when types that are the same may differ.
func (s *shadows) isFirst() bool { return s != nil && s.meant == nil }

// isRenamed reports whether name is base with the first number after it that no other parameter of the signature has: T1 for T, and T2 beside T1.
func isRenamed(params []ir.GenericParam, name, base string) bool {
	for n := 1; n <= len(params); n++ {
		as := base + strconv.Itoa(n)
		if as == name {
			return true
		}
		if !slices.ContainsFunc(params, func(g ir.GenericParam) bool { return g.Name == as }) {
			return false
		}
	}
	return false
}

// param returns the name of the parameter that a name of the function's signature means at an offset of the text.
func (s *shadows) param(p *parser, name string, off int) string {
	for i := len(p.params) - 1; i >= 0; i-- { // a type that binds parameters names them after those of the function
		if p.params[i].name == s.canonical[name] {
			s.clear[off] = rename{name, p.params[i].as}
			s.bind(name, p.params[i].as)
			return p.params[i].as
		}
	}
	may, ok := s.names[name]
	if !ok {
		s.uttered |= s.bit(name)
		return name
	}
	if s.meant != nil {
		if meant, ok := s.meant[off]; ok && meant != name {
			s.clear[off] = rename{name, meant}
			return meant
		}
		return name
	}
	n, ok := s.byOff[off]
	if !ok {
		n = len(s.mentions)
		s.mentions = append(s.mentions, mention{name: name, off: off, same: n, may: may, level: -1})
		s.byOff[off] = n
		s.byName[s.standIn(n)] = n
	}
	return s.standIn(n)
}

// bind notes what the body calls a parameter that a type in it binds, where it is what the signature calls one of the function's.
func (s *shadows) bind(name, as string) {
	if s.canonical[name] != as || name == as {
		return
	}
	for base, set := range s.names {
		if base != name && set&s.bit(name) != 0 {
			if s.bound == nil {
				s.bound = map[string]string{}
			}
			s.bound[as] = name
		}
	}
}

// clearText returns the text between two offsets with the names that types have.
func (s *shadows) clearText(src string, from, to int) string {
	var b strings.Builder
	for off := from; off < to; {
		r, ok := s.clear[off]
		if !ok {
			b.WriteByte(src[off])
			off++
			continue
		}
		b.WriteString(r.to)
		off += len(r.from)
	}
	return b.String()
}

// standIn returns the name of the parameter that stands for a mention in the first reading, which no text can have.
func (s *shadows) standIn(n int) string { return s.mentions[n].name + "#" + strconv.Itoa(n) }

// bit returns the set of the one parameter of that name.
func (s *shadows) bit(name string) uint64 {
	for n, g := range s.sig.Params {
		if g.Name == name {
			return 1 << n
		}
	}
	return 0
}

// outward notes that the mentions between two offsets are arguments of an enclosing type, so many generic ones around it.
func (s *shadows) outward(from, to, level int) {
	for n := len(s.mentions) - 1; n >= 0 && s.mentions[n].off >= from; n-- {
		if m := &s.mentions[n]; m.off < to && m.level < 0 {
			m.level = level
		}
	}
}

// find returns the root of a mention.
func (s *shadows) find(n int) int {
	for s.mentions[n].same != n {
		s.mentions[n].same = s.mentions[s.mentions[n].same].same
		n = s.mentions[n].same
	}
	return n
}

// restrict says that a mention means one of a set of parameters.
func (s *shadows) restrict(n int, set uint64) {
	m := &s.mentions[s.find(n)]
	if m.may&set == 0 {
		s.clash = n
		return
	}
	m.may &= set
}

// unite says that two mentions mean the same parameter.
func (s *shadows) unite(a, b int) {
	a, b = s.find(a), s.find(b)
	if a == b {
		return
	}
	set := s.mentions[b].may
	s.mentions[b].same = a
	s.restrict(a, set)
}

// parseShadowed reads a body with ambiguous names.
func (p *parser) parseShadowed(f *ir.Function, from, to int, s *shadows) {
	first := *p
	first.diags = &source.List{Files: p.mod.Files}
	first.shadows = s
	first.parseBody(f, from, to)
	blocks := f.Blocks
	f.Blocks, f.Numbers = nil, nil
	if len(s.mentions) > 0 {
		(&evidence.Rules{Says: s, Mod: p.mod, Fn: f}).Body(blocks)
		if !s.decide(p, f) {
			return
		}
	}
	clear(s.clear)
	if s.meant == nil {
		s.meant = map[int]string{}
	}
	p.shadows = s
	p.parseBody(f, from, to)
	f.Shadowed = s.written()
}

// decide sets what each mention means and reports whether that is told.
func (s *shadows) decide(p *parser, f *ir.Function) bool {
	if s.clash >= 0 {
		m := s.mentions[s.clash]
		p.diags.Errorf(p.lex.base+source.Pos(m.off), "ambiguous-name",
			"two generic parameters of @%s have the name %s, and its instructions say of this one that it is both", f.Name, m.name)
		return false
	}
	proved, open := false, -1
	for n := range s.mentions {
		m := &s.mentions[s.find(n)]
		if rest := m.may &^ s.uttered; rest != 0 {
			m.may = rest
		}
		switch {
		case m.may&(m.may-1) != 0:
			open = n
		case s.name(m.may) != s.mentions[n].name:
			proved = true
		}
	}
	style := printsWritten
	if open >= 0 && !proved {
		style = p.styleOfNames()
	}
	if style == printsUnknown {
		m := s.mentions[open]
		p.diags.Errorf(p.lex.base+source.Pos(m.off), "ambiguous-name",
			"two generic parameters of @%s have the name %s, and nothing in the text tells which is meant here", f.Name, m.name)
		return false
	}
	for n := range s.mentions { // an argument of an enclosing type decides for all that are the same
		if m, root := s.mentions[n], &s.mentions[s.find(n)]; m.level >= 0 && style == printsWritten {
			if set := root.may & s.atDepth(m.level); set != 0 {
				root.may = set
			}
		}
	}
	s.meant = map[int]string{}
	for n, m := range s.mentions {
		may := s.mentions[s.find(n)].may
		if style == printsOwn && may&s.bit(m.name) != 0 {
			s.meant[m.off] = m.name
			continue
		}
		s.meant[m.off] = s.name(may)
	}
	return true
}

// name returns the innermost parameter of a set.
func (s *shadows) name(set uint64) string {
	name := ""
	for n, g := range s.sig.Params {
		if set&(1<<n) != 0 {
			name = g.Name
		}
	}
	return name
}

// atDepth returns the parameters in one pair of brackets.
func (s *shadows) atDepth(depth int) (set uint64) {
	for n, g := range s.sig.Params {
		if g.Depth == depth {
			set |= 1 << n
		}
	}
	return set
}

// written returns what the body calls the parameters that it gives another name than types do; nil when there are none.
func (s *shadows) written() map[string]string {
	list := s.bound
	for _, m := range s.mentions {
		if meant := s.meant[m.off]; meant != m.name {
			if list == nil {
				list = map[string]string{}
			}
			list[meant] = m.name
		}
	}
	return list
}

// nameStyle says what a text calls inner parameters that have the name of an outer one.
type nameStyle uint8

const (
	printsUnknown nameStyle = iota
	printsWritten           // T, as source does
	printsOwn               // T1, as signatures do
)

// styleOfNames determines by the arguments of all functions of the file.
func (p *parser) styleOfNames() nameStyle {
	var seen [3]bool
	for _, b := range p.load.bodies {
		if b.p.file != p.file {
			continue
		}
		s := shadowsOf(b.fn)
		if s == nil {
			continue
		}
		text := p.text[b.from:b.to]
		args, _, ok := strings.Cut(text[min(strings.Index(text, "bb0")+len("bb0"), len(text)):], "\n")
		if !ok || !strings.HasPrefix(args, "(") {
			continue
		}
		for base, set := range s.names {
			for n, g := range s.sig.Params {
				if set&(1<<n) == 0 || g.Name == base || !argsMention(b.fn, g.Name) {
					continue
				}
				if hasWord(args, g.Name) {
					seen[printsOwn] = true
				} else {
					seen[printsWritten] = true
				}
			}
		}
	}
	switch {
	case seen[printsOwn] == seen[printsWritten]:
		return printsUnknown
	case seen[printsOwn]:
		return printsOwn
	}
	return printsWritten
}

// argsMention reports whether a parameter of the function is a generic parameter.
func argsMention(f *ir.Function, name string) bool {
	for _, param := range f.Type.Func.Params {
		if t := param.Type; t.Kind == ir.KindParam && t.Name == name {
			return true
		}
	}
	return false
}

// hasWord reports whether a text has a name that nothing goes on with.
func hasWord(text, name string) bool {
	for {
		n := strings.Index(text, name)
		if n < 0 {
			return false
		}
		before, after := n > 0 && class[text[n-1]]&clsIdent != 0, text[n+len(name):]
		if !before && (after == "" || class[after[0]]&clsIdent == 0) {
			return true
		}
		text = after
	}
}

// A generic parameter may have the name of an outer one: class List<T> { class Node<T> { … } }. Types need two names, so the inner
// parameter becomes T1, as in the signatures that the compiler prints. Declarations and tables write T for both. Source inside cannot
// utter the outer one, which comes only with the type that declares it, List<T>.Node<T>: so the arguments of an enclosing type in front
// of a dot are its own parameters, and any other T is the innermost.

// level is a generic type around a declaration.
type level struct {
	name   string // its last part; "" for any
	params []scopeParam
}

// unshadowed returns the name that types give a parameter: that of the text, with the first number after it that makes it differ from
// those around it where one of them has it. A signature of several pairs of brackets stands for itself.
func (p *parser) unshadowed(name string) string {
	taken := func(as string) bool {
		return slices.ContainsFunc(p.params[p.sigStart:], func(g scopeParam) bool { return g.as == as })
	}
	as := name
	for n := 1; taken(as); n++ {
		as = name + strconv.Itoa(n)
	}
	return as
}

// levelsOf makes the parameters of a signature, depth by depth, those of the generic types around what follows.
func (p *parser) levelsOf(sig *ir.GenericSig) {
	p.levels = nil
	if sig == nil {
		return
	}
	for depth := 0; ; depth++ {
		var l level
		for _, g := range sig.Params {
			if g.Depth == depth {
				l.params = append(l.params, scopeParam{cmp.Or(g.Written, g.Name), g.Name})
			}
		}
		if l.params == nil {
			return
		}
		p.levels = append(p.levels, l)
	}
}

// nameLevels gives the levels the names of the generic types that t is nested in, and of t itself.
func (p *parser) nameLevels(t *ir.Type) {
	n := len(p.levels)
	for ; t != nil && n > 0; t = t.Parent {
		if len(t.Args) > 0 {
			n--
			p.levels[n].name = t.Name
		}
	}
}

// pushLevel brings the parameters of an enclosing type into scope for its own arguments, parent.name<…>, before a dot, and returns
// what popParams wants.
func (p *parser) pushLevel(parent *ir.Type, name string) (mark int) {
	mark = len(p.params)
	n := levelOf(parent)
	if n >= len(p.levels) || !p.isShadowed() {
		return mark
	}
	l := p.levels[n]
	if l.name != "" && l.name != name || !p.dotBehindArgs() {
		return mark
	}
	p.params = append(p.params, l.params...)
	return mark
}

// levelOf counts the generic types of a chain, which t ends.
func levelOf(t *ir.Type) int {
	n := 0
	for ; t != nil; t = t.Parent {
		if len(t.Args) > 0 {
			n++
		}
	}
	return n
}

// isShadowed reports whether some parameter in scope has another name than the text gives it.
func (p *parser) isShadowed() bool {
	return slices.ContainsFunc(p.params, func(g scopeParam) bool { return g.as != g.name })
}

// dotBehindArgs reports whether a member type follows the generic arguments that begin with the current token.
func (p *parser) dotBehindArgs() bool {
	l, tok := p.lex, p.tok
	for depth := 0; tok.kind != tokEOF; tok = l.next() {
		switch tok.text {
		case "<":
			depth++
		case ">":
			depth--
		}
		if depth == 0 {
			break
		}
	}
	if tok.text != ">" || l.next().text != "." {
		return false
	}
	member := l.next()
	return member.kind == tokIdent && !isMetatypeWord(member.text)
}
