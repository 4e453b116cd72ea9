package ir

// KeyPathKind is the kind of one step of a key path (docs/SIL.rst, keypath).
type KeyPathKind uint8

// The kinds of steps under SIL's names.
const (
	KeyPathUnknown  KeyPathKind = iota // one that silvm does not know
	KeyPathStored                      // stored_property
	KeyPathGettable                    // gettable_property
	KeyPathSettable                    // settable_property
	KeyPathTupleElement
	KeyPathOptionalChain
	KeyPathOptionalForce
	KeyPathOptionalWrap
)

var keyPathWords = [...]string{KeyPathUnknown: "", KeyPathStored: "stored_property", KeyPathGettable: "gettable_property",
	KeyPathSettable: "settable_property", KeyPathTupleElement: "tuple_element", KeyPathOptionalChain: "optional_chain",
	KeyPathOptionalForce: "optional_force", KeyPathOptionalWrap: "optional_wrap"}

// String returns the word with which the step begins.
func (k KeyPathKind) String() string { return wordOf(keyPathWords[:], int(k)) }

// KeyPathAux is the pattern of a keypath instruction: as printed, signature and parentheses included, and taken apart. The types of
// its components are in terms of its own signature, whose parameters Subs stand for.
type KeyPathAux struct {
	Pattern    string
	Subs       []*Type
	Generic    *GenericSig // nil when the pattern is not generic
	Root       *Type
	Components []KeyPathComponent
}

func (*KeyPathAux) aux() {}

// KeyPathComponent is one step of a key path.
type KeyPathComponent struct {
	Kind   KeyPathKind
	Word   string // with which the step begins, also one that silvm does not know
	Type   *Type  // of the value at the end of the step
	Member *MemberAux
	Index  int // of tuple_element
	// Of a computed property: what tells it from others, the symbols of its accessors, of what compares and hashes its indices.
	ID, Getter, Setter, Equals, Hash, External string
	Indices                                    []KeyPathIndex
}

// NewKeyPathComponent returns the step that begins with the word.
func NewKeyPathComponent(word string) KeyPathComponent {
	n, _ := findWord(keyPathWords[:], word)
	return KeyPathComponent{Kind: KeyPathKind(n), Word: word}
}

// KeyPathIndex is an argument of a subscript that a key path keeps: the number of the instruction's operand, and its type.
type KeyPathIndex struct {
	Operand int
	Type    *Type
}
