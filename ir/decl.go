package ir

import (
	"iter"

	"silvm/ir/source"
)

// NominalKind is the kind of a declared type.
type NominalKind uint8

// The kinds of nominal types.
const (
	Struct NominalKind = iota + 1
	Class
	Enum
	Protocol
	Actor
	ExtensionDecl // an extension: Path is the extended type, Outer its declaration, Generic the requirements after where
	TypeAlias
)

// Nominal is the declaration of a struct, class, enum, protocol or extension: what layout, dispatch and
// dynamic casts need of it. Text is the whole declaration as printed.
type Nominal struct {
	Kind    NominalKind
	Path    string // qualified name: "Set._Variant"
	Shown   string // the name for users, of a class that silvm brings along for one of the library; "" when that is Path
	Module  string // the module of the type, "" for the program's own
	Generic *GenericSig
	// Inherits lists superclass and protocols as written after the colon.
	Inherits    []*Type
	Isolated    []IsolatedConformance // those of Inherits that are conformances isolated to a global actor
	Fields      []Field               // stored properties in order: var and let
	Cases       []EnumCase            // in declaration order
	AssocTypes  []string              // of a protocol
	Members     []*Nominal            // nested types
	Aliases     map[string]*Type
	Attrs       Modifiers
	ClassBound  bool // protocol: AnyObject
	NonCopyable bool // ~Copyable
	// NonEscapable says ~Escapable; a type that is so only for some of its arguments is, too.
	NonEscapable bool
	Outer        *Nominal
	Constrained  bool  // declared in an extension with requirements of its own
	RawType      *Type // of an enum
	Text         string
	Pos          source.Pos
	// Builtin is set for the standard library's types that the loader itself declares.
	Builtin bool
	Super   *Type // superclass, in terms of Generic; nil when none
	// Target is what a typealias stands for, in terms of Generic; nil when silvm could not read it.
	Target *Type
	// Raw is what @_rawLayout says of the storage of a struct; nil when it says nothing or silvm could not read it.
	Raw *RawLayout
	// Deinit names the function that destroys a value of a noncopyable library type, for programs that leave it in the library.
	Deinit string
}

// IsolatedConformance is what @MainActor P says in an inheritance clause. Actor may be another attribute, see Module.GlobalActor.
type IsolatedConformance struct {
	Protocol *Type
	Actor    Modifier
}

// RawLayout is the storage of a struct without stored properties, of which only its methods know what it holds:
// @_rawLayout(size: 8, alignment: 8), @_rawLayout(like: T) or @_rawLayout(likeArrayOf: T, count: 4)
// (docs/ReferenceGuides/UnderscoredAttributes.md, @_rawLayout).
type RawLayout struct {
	Size, Align uint64 // bytes; of the first form alone
	Like        *Type  // in terms of the declaration's Generic; nil in the first form
	Array       bool   // Count values of Like after one another, with their tail padding
	Count       uint64
	MovesAsLike bool // moving is moving the Like values inside
}

// Field is one stored property.
type Field struct {
	// Name is "" for a field of a type inside a function whose name the SIL does not tell: nothing refers to it,
	// but it cannot be printed either.
	Name  string
	Type  *Type
	Let   bool
	Final bool
	Weak  bool // weak var: Type is already the @sil_weak storage type
	// COWStorage says that the property holds the storage of a copy-on-write value: @_semantics("cow_storage").
	COWStorage bool
}

// EnumCase is one case of an enum; Payload is nil when it has none. Labels are in the payload's tuple type.
type EnumCase struct {
	Name     string
	Payload  *Type
	Indirect bool
	RawValue string
}

// DeclaresDeinit reports whether the text of a declaration has a deinit outside of the types nested in it.
func (d *Nominal) DeclaresDeinit() bool {
	for word, depth := range d.words() {
		if depth == 1 && word == "deinit" {
			return true
		}
	}
	return false
}

// words calls yield for the words of the text with the number of braces around them, and for "" where a declaration may begin.
func (d *Nominal) words() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		depth, word := 0, 0
		for n := 0; n <= len(d.Text); n++ {
			sep := byte('\n')
			if n < len(d.Text) {
				sep = d.Text[n]
			}
			if sep == '_' || sep >= 'a' && sep <= 'z' || sep >= 'A' && sep <= 'Z' || sep >= '0' && sep <= '9' || sep >= 0x80 {
				continue
			}
			if word < n && !yield(d.Text[word:n], depth) {
				return
			}
			word = n + 1
			switch sep {
			case '{':
				depth++
			case '}':
				depth--
			case '\n', ';':
			default:
				continue
			}
			if !yield("", depth) {
				return
			}
		}
	}
}
