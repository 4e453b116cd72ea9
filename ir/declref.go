package ir

import (
	"regexp"
	"slices"
	"strings"
)

// DeclRef names a declaration as vtables, witness tables and method lookups do: #Base.hello!getter.foreign.
type DeclRef struct {
	Path  string     // "Base.hello", "Derived.deinit"
	Parts []DeclPart // after each "!" or "."
	Text  string     // as printed, with the leading #
}

// DeclPart says which of the functions of a declaration a DeclRef names (docs/SIL.rst, Declaration References).
type DeclPart uint8

// The parts with a meaning for silvm under SIL's names.
const (
	PartNone    DeclPart = iota // of a name without parts
	PartUnknown                 // any other word: "jvp.SUU", "enumelt", …
	PartGetter
	PartSetter
	PartRead
	PartModify
	PartAllocator // the initializer that allocates the object
	PartInitializer
	PartDeallocator
	PartIVarDestroyer
	PartForeign // as Objective-C calls it
)

var declParts = [...]string{
	PartNone:          "",
	PartUnknown:       "?",
	PartGetter:        "getter",
	PartSetter:        "setter",
	PartRead:          "read",
	PartModify:        "modify",
	PartAllocator:     "allocator",
	PartInitializer:   "initializer",
	PartDeallocator:   "deallocator",
	PartIVarDestroyer: "ivardestroyer",
	PartForeign:       "foreign",
}

// String returns the word as the text spells it, "?" for PartUnknown.
func (p DeclPart) String() string { return wordOf(declParts[:], int(p)) }

// ParseDeclRef reads a reference with its leading #. Names of operators are quoted: #P."!=".
func ParseDeclRef(text string) DeclRef {
	path, rest := strings.TrimPrefix(text, "#"), ""
	operator := strings.LastIndexByte(path, '"') + 1
	if n := strings.IndexByte(path[operator:], '!'); n >= 0 {
		path, rest = path[:operator+n], path[operator+n+1:]
	}
	ref := DeclRef{Path: path, Text: text}
	for word := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '!' || r == '.' }) {
		n, ok := findWord(declParts[:], word)
		if !ok {
			n = int(PartUnknown)
		}
		ref.Parts = append(ref.Parts, DeclPart(n))
	}
	return ref
}

// Owner returns the type in which the declaration stands, "" when it is in none.
func (d DeclRef) Owner() string { return d.Path[:max(d.dot(), 0)] }

// Member returns the name of the declaration without its type.
func (d DeclRef) Member() string { return d.Path[d.dot()+1:] }

// InOwner returns the reference without the type in which the declaration stands: "hello!getter.foreign".
func (d DeclRef) InOwner() string {
	ref := ParseDeclRef(d.Text) // Path may have another name for the type than the text
	return d.Text[len("#")+ref.dot()+1:]
}

// dot returns where the dot before the member is, -1 when there is none.
func (d DeclRef) dot() int {
	if strings.HasSuffix(d.Path, `"`) {
		return strings.Index(d.Path, `."`)
	}
	return strings.LastIndexByte(d.Path, '.')
}

// IsSpecial reports whether the declaration is an initializer, a deinitializer or a subscript, whose names are keywords.
func (d DeclRef) IsSpecial() bool {
	switch d.Member() {
	case "init", "deinit", "subscript":
		return true
	}
	return false
}

// IsDeinit reports whether the declaration is a deinitializer.
func (d DeclRef) IsDeinit() bool { return d.Member() == "deinit" }

// First returns the first part, PartNone when the name has no parts.
func (d DeclRef) First() DeclPart {
	if len(d.Parts) == 0 {
		return PartNone
	}
	return d.Parts[0]
}

// Last returns the last part, PartNone when the name has no parts.
func (d DeclRef) Last() DeclPart {
	if len(d.Parts) == 0 {
		return PartNone
	}
	return d.Parts[len(d.Parts)-1]
}

// IsForeign reports whether the function is the one that Objective-C calls.
func (d DeclRef) IsForeign() bool { return slices.Contains(d.Parts, PartForeign) }

// DeclType is the type that a declaration has in the language, as method lookups and tables print it after a DeclRef:
// "(C) -> (Int) throws -> Bool", the type of self first. Overloads share a name; this tells which of them is meant. Labels of parameters are
// not part of it. It is compared and taken apart, never lowered, so its parts are text.
type DeclType struct{ text string }

// ParseDeclType reads a type of the language. How much white space is between its words does not matter.
func ParseDeclType(text string) DeclType {
	if strings.ContainsAny(text, "\t\r\n") || strings.Contains(text, "  ") || strings.TrimSpace(text) != text {
		text = strings.Join(strings.Fields(text), " ")
	}
	return DeclType{text}
}

// String returns the type as printed, "" when the text leaves it out.
func (t DeclType) String() string { return t.text }

// IsKnown reports whether the text says the type at all.
func (t DeclType) IsKnown() bool { return t.text != "" }

// Matches reports whether t and u may be the types of one declaration: they are the same, or one of them is left out.
func (t DeclType) Matches(u DeclType) bool { return t == u || !t.IsKnown() || !u.IsKnown() }

// Self returns the parameter clause of self, "(C)", with the generic signature before it.
func (t DeclType) Self() string {
	self, _ := cutArrow(t.text)
	return self
}

// OfType reports whether self is a metatype, as that of initializers and of static and class methods is.
func (t DeclType) OfType() bool { return strings.HasSuffix(t.Self(), ".Type)") }

// Method returns the type without self: "(Int) throws -> Bool".
func (t DeclType) Method() string {
	_, method := cutArrow(t.text)
	return method
}

// Params returns the parameter clause after self, with its parentheses: "(Int)".
func (t DeclType) Params() string {
	m := t.Method()
	return m[:closingParen(m)]
}

// ParamList returns the types of the parameters after self.
func (t DeclType) ParamList() []string {
	clause := t.Params()
	if len(clause) <= len("()") {
		return nil
	}
	var list []string
	depth, from := 0, 1
	for n := 1; n < len(clause)-1; n++ {
		switch c := clause[n]; {
		case strings.IndexByte("(<[", c) >= 0:
			depth++
		case strings.IndexByte(")]", c) >= 0, c == '>' && clause[n-1] != '-':
			depth--
		case c == ',' && depth == 0:
			list = append(list, strings.TrimSpace(clause[from:n]))
			from = n + 1
		}
	}
	return append(list, strings.TrimSpace(clause[from:len(clause)-1]))
}

// Effects returns what is between the parameters and the arrow: "async throws".
func (t DeclType) Effects() string {
	m := t.Method()
	effects, _, _ := strings.Cut(m[closingParen(m):], "->")
	return strings.TrimSpace(effects)
}

// Result returns the type of what the method returns.
func (t DeclType) Result() string {
	m := t.Method()
	_, result, _ := strings.Cut(m[closingParen(m):], "-> ")
	return result
}

// ReturnsOptional reports whether the method returns an optional that the text writes with a question mark.
func (t DeclType) ReturnsOptional() bool { return strings.HasSuffix(t.Result(), "?") }

// Unqualified returns the type with the last names of types only: tables name a type of another module Module.T where an instruction says T.
func (t DeclType) Unqualified() DeclType {
	var out strings.Builder
	start := 0
	for n, r := range t.text {
		switch {
		case r == '.':
			start = n + 1
		case r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r < 0x80:
			out.WriteString(t.text[start : n+1])
			start = n + 1
		}
	}
	out.WriteString(t.text[start:])
	return DeclType{out.String()}
}

// cutArrow cuts a function type at its first arrow outside of brackets.
func cutArrow(text string) (before, after string) {
	depth := 0
	for n := 0; n < len(text); n++ {
		switch c := text[n]; {
		case strings.IndexByte("(<[", c) >= 0:
			depth++
		case strings.IndexByte(")]", c) >= 0, c == '>' && n > 0 && text[n-1] != '-':
			depth--
		case depth == 0 && strings.HasPrefix(text[n:], " -> "):
			return text[:n], text[n+len(" -> "):]
		}
	}
	return text, ""
}

// closingParen returns the length of the parenthesis that text begins with, all of it when it begins with none that is closed.
func closingParen(text string) int {
	depth := 0
	for n := 0; n < len(text); n++ {
		switch text[n] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return n + 1
			}
		}
	}
	return len(text)
}

// CompleteMethods writes down the types of the methods that instructions look up, where the text left them out and the declaration of the
// method shows them: one that is there once, in a type without parameters, and has none itself.
func (m *Module) CompleteMethods() {
	known := map[string]DeclType{}
	for _, item := range m.Items {
		f, ok := item.(*Function)
		if !ok {
			continue
		}
		for i := range f.Insts() {
			aux, ok := i.Aux.(*MethodAux)
			if !ok || aux.DeclType.IsKnown() {
				continue
			}
			t, ok := known[aux.Ref.Text]
			if !ok {
				t = m.methodType(aux.Ref)
				known[aux.Ref.Text] = t
			}
			if t.IsKnown() {
				i.Aux = &MethodAux{Ref: aux.Ref, DeclType: t, Type: aux.Type}
			}
		}
	}
}

// methodType returns the type of a member as its declaration has it, an unknown one if that can't be told.
func (m *Module) methodType(ref DeclRef) DeclType {
	d := m.Nominals[ref.Owner()]
	if d == nil || d.Generic != nil || d.Kind != Protocol && d.Kind != Class {
		return DeclType{}
	}
	name := regexp.QuoteMeta(strings.Trim(ref.Member(), `"`))
	pattern := `\bfunc\s+` + name + `\s*\(`
	switch {
	case ref.First() == PartGetter || ref.First() == PartSetter || ref.First() == PartModify || ref.First() == PartRead:
		pattern = `\bvar\s+` + name + `\s*:`
	case ref.Member() == "init":
		pattern = `\binit[?]?\s*\(`
	case ref.First() != PartNone && ref.First() != PartForeign:
		return DeclType{}
	}
	found := regexp.MustCompile(pattern).FindAllStringIndex(d.Text, -1)
	if len(found) != 1 {
		return DeclType{}
	}
	at := found[0]
	line := d.Text[at[1]-1:]
	if n := strings.IndexAny(line, "\n;{}"); n >= 0 {
		line = line[:n]
	}
	if strings.Contains(line, " where ") || strings.Contains(line, "//") || strings.Contains(line, "/*") || strings.Contains(line, "=") {
		return DeclType{}
	}
	before := d.Text[:at[0]]
	before = before[strings.LastIndexAny(before, "\n;{}")+1:]
	modifiers := strings.Fields(before)
	self, signature := d.Path, ""
	if d.Kind == Protocol {
		self, signature = "Self", "<Self where Self : "+d.Path+"> "
	}
	result := self
	switch {
	case slices.Contains(modifiers, "static"), slices.Contains(modifiers, "class") && d.Kind == Class, ref.Member() == "init" && ref.First() == PartAllocator:
		self += ".Type"
	case slices.Contains(modifiers, "mutating"), d.Kind == Protocol && !d.ClassBound && (ref.First() == PartSetter || ref.First() == PartModify):
		self = "inout " + self
	}
	var method string
	switch {
	case strings.HasPrefix(pattern, `\bvar`):
		t := m.sourceType(d, line[1:])
		method = map[DeclPart]string{PartGetter: "() -> " + t, PartSetter: "(" + t + ") -> ()"}[ref.First()]
		if method == "" {
			method = "() -> ()"
		}
	default:
		end := closingParen(line)
		var params []string
		for _, p := range (DeclType{"() -> " + line[:end]}).ParamList() {
			_, t, ok := strings.Cut(p, ":")
			if !ok {
				return DeclType{}
			}
			params = append(params, m.sourceType(d, t))
		}
		effects, returned, ok := strings.Cut(line[end:], "->")
		switch {
		case ref.Member() != "init" && ok:
			result = m.sourceType(d, returned)
		case ref.Member() != "init":
			result = "()"
		case strings.Contains(d.Text[at[0]:at[1]], "?"):
			result += "?"
		}
		if effects = strings.TrimSpace(effects); effects != "" {
			effects += " "
		}
		method = "(" + strings.Join(params, ", ") + ") " + effects + "-> " + result
	}
	return ParseDeclType(signature + "(" + self + ") -> " + method)
}

var sourceNames = regexp.MustCompile(`(?:\b(?:any|some)\s+)?[\w.]+`)

// sourceType writes a type of a declaration as the compiler does once it knows what the names stand for.
func (m *Module) sourceType(d *Nominal, text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(text), " ->", "->"), "->", " ->")
	return sourceNames.ReplaceAllStringFunc(strings.ReplaceAll(strings.ReplaceAll(text, "-> ", "->"), "->", "-> "), func(name string) string {
		switch named := m.Nominals[name]; {
		case d.Kind == Protocol && slices.Contains(d.AssocTypes, name):
			return "Self." + name
		case named != nil && named.Kind == Protocol, name == KnownError.String():
			return "any " + name
		}
		return name
	})
}
