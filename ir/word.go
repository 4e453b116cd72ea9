package ir

import "strings"

// Word is a bare word among the operands of an instruction that says what it does.
type Word uint8

// The words of checked_cast_addr_br, which say what becomes of the source, and those of open_existential_addr.
const (
	NoWord            Word = iota // no word, or one that silvm does not know
	WordTakeAlways                // the source is taken in any case
	WordTakeOnSuccess             // the source is taken when the cast succeeds
	WordCopyOnSuccess             // the source stays
	WordImmutableAccess
	WordMutableAccess
)

var wordNames = [...]string{NoWord: "", WordTakeAlways: "take_always", WordTakeOnSuccess: "take_on_success", WordCopyOnSuccess: "copy_on_success",
	WordImmutableAccess: "immutable_access", WordMutableAccess: "mutable_access"}

// String returns the word as the text spells it.
func (w Word) String() string { return wordOf(wordNames[:], int(w)) }

// WordsAux keeps the words of an instruction that has no other shape.
type WordsAux struct {
	Words []string
	first Word
}

// WordsOf returns the words of an instruction.
func WordsOf(words ...string) *WordsAux {
	a := &WordsAux{Words: words}
	if len(words) > 0 {
		n, _ := findWord(wordNames[:], words[0])
		a.first = Word(n)
	}
	return a
}

func (*WordsAux) aux() {}

// OpenPackAux is what open_pack_element says besides the index: the signature whose parameters the types stand for.
type OpenPackAux struct {
	Signature string   // as printed: <each T, U where T : P>
	Params    []string // the names of its parameters
	ID        string   // of the types that it opens
}

// NewOpenPack reads the parts of an open_pack_element.
func NewOpenPack(signature, id string) *OpenPackAux {
	a := &OpenPackAux{Signature: signature, ID: id}
	params, _, _ := strings.Cut(strings.Trim(signature, "<> "), " where ")
	for p := range strings.SplitSeq(params, ",") {
		a.Params = append(a.Params, strings.TrimPrefix(strings.TrimSpace(p), "each "))
	}
	return a
}

func (*OpenPackAux) aux() {}

// Word returns the first word of the instruction; NoWord when it has none, or one that silvm does not know.
func (i *Inst) Word() Word {
	if a, ok := i.Aux.(*WordsAux); ok {
		return a.first
	}
	return NoWord
}
