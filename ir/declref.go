package ir

import (
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

// Owner returns the type in which the declaration stands, "" when it stands in none.
func (d DeclRef) Owner() string { return d.Path[:max(d.dot(), 0)] }

// Member returns the name of the declaration without its type.
func (d DeclRef) Member() string { return d.Path[d.dot()+1:] }

// InOwner returns the reference without the type in which the declaration stands: "hello!getter.foreign".
func (d DeclRef) InOwner() string {
	ref := ParseDeclRef(d.Text) // Path may have another name for the type than the text
	return d.Text[len("#")+ref.dot()+1:]
}

// dot returns where the dot in front of the member is, -1 when there is none.
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

// DeclType is the type that a declaration has in the language, as method lookups and tables print it behind a DeclRef:
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

// Self returns the parameter clause of self, "(C)", with the generic signature in front of it.
func (t DeclType) Self() string {
	self, _ := cutArrow(t.text)
	return self
}

// Method returns the type without self: "(Int) throws -> Bool".
func (t DeclType) Method() string {
	_, method := cutArrow(t.text)
	return method
}

// Params returns the parameter clause behind self, with its parentheses: "(Int)".
func (t DeclType) Params() string {
	m := t.Method()
	return m[:closingParen(m)]
}

// ParamList returns the types of the parameters behind self.
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

// Effects returns what stands between the parameters and the arrow: "async throws".
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
