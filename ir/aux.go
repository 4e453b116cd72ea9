package ir

import (
	"math/big"
	"strings"

	"silvm/ir/op"
)

// Aux is what an instruction carries besides operands, types, qualifiers and successors: one type for each
// family of instructions. The row of an instruction says which.
type Aux interface{ aux() }

// IntAux is a number: the value of integer_literal (any width, signed as printed), the field number of
// tuple_extract, tuple_element_addr, project_box, the result number of pack instructions.
type IntAux struct{ Value *big.Int }

// Int64 returns the number when it fits 64 bits.
func (a *IntAux) Int64() int64 { return a.Value.Int64() }

// FloatAux is the value of float_literal: its bits in hexadecimal as printed, such as "0x3FF0000000000000".
type FloatAux struct{ Bits string }

// StringAux is a string_literal: its encoding and the bytes it denotes.
type StringAux struct {
	Encoding Encoding
	Unknown  string // the word of EncodingUnknown
	Value    string
}

// Encoding is how a string_literal is kept (docs/SIL.rst, string_literal).
type Encoding uint8

// The encodings under SIL's names.
const (
	EncodingNone    Encoding = iota // of the message of cond_fail and the like
	EncodingUnknown                 // any other word
	EncodingUTF8
	EncodingBytes
	EncodingObjCSelector
)

var encodingWords = [...]string{EncodingUnknown: "?", EncodingUTF8: "utf8", EncodingBytes: "bytes", EncodingObjCSelector: "objc_selector"}

// String returns the word as the text spells it, "?" for EncodingUnknown.
func (e Encoding) String() string { return wordOf(encodingWords[:], int(e)) }

// SetEncoding sets the encoding that the word names.
func (a *StringAux) SetEncoding(word string) {
	n, ok := findWord(encodingWords[:], word)
	if !ok || n == int(EncodingUnknown) {
		a.Encoding, a.Unknown = EncodingUnknown, word
		return
	}
	a.Encoding = Encoding(n)
}

// EncodingWord returns the word before the string as it was written, "" when there is none.
func (a *StringAux) EncodingWord() string {
	if a.Encoding == EncodingUnknown {
		return a.Unknown
	}
	return a.Encoding.String()
}

// SymbolAux names a function or a global: function_ref, global_addr, alloc_global, …
// Func and Global are filled by the linker when the symbol is known.
type SymbolAux struct {
	Name   string
	Func   *Function
	Global *Global
}

// MemberAux names a field or a case: #Array._buffer, #Optional.some!enumelt.
// Type is the path before the last dot ("Array"), Name the part after it, Suffix "enumelt" or "".
// Cases that leave their payload to the operand have Suffix "enumelt" too.
type MemberAux struct {
	Type   string
	Name   string
	Suffix string
}

// Owner returns Type without the function around a type that is inside one.
func (m *MemberAux) Owner() string { return outsideFunctions(m.Type) }

// outsideFunctions returns the path of a type, "<abstract function>Outer.Node", without the function around it.
func outsideFunctions(path string) string {
	if strings.HasPrefix(path, "<") {
		return path[strings.IndexByte(path, '>')+1:]
	}
	return path
}

// String returns the member as the text writes it, without the leading #.
func (m *MemberAux) String() string {
	text := m.Name
	if m.Type != "" {
		text = m.Type + "." + text
	}
	if m.Suffix != "" {
		text += "!" + m.Suffix
	}
	return text
}

// Property is the name without the quotes that a key path puts around words of the language; other instructions leave them out.
func (m *MemberAux) Property() string { return strings.Trim(m.Name, "`") }

// MethodAux is a class_method, super_method, objc_method or witness_method lookup. The lookup type of
// witness_method is Types[0]. Type is the lowered type of the result.
type MethodAux struct {
	Ref      DeclRef
	DeclType DeclType
	Type     *Type
}

// ApplyAux is what apply, try_apply, begin_apply and partial_apply say besides callee and arguments.
// Operand 0 is the callee, the rest are the arguments; of try_apply, Succs[0] is normal, Succs[1] error.
type ApplyAux struct {
	Subs []*Type
	// Sugar is how the text writes the substitutions, "<[Int]>", where that is not how Subs prints: the compiler
	// keeps the sugar of the source there. Whoever changes Subs sets it to "".
	Sugar   string
	Fn      *Type // the callee's type as printed after the colon, before substitution
	OnStack bool
}

// BuiltinAux names a builtin and the types it is applied to.
type BuiltinAux struct {
	Subs []*Type

	name  string         // as printed: "zext_Int8_Int64"
	row   *op.BuiltinRow // nil when the table lacks it
	types string         // after the name: "Int8_Int64"
}

// BuiltinNamed returns the builtin that the text names.
func BuiltinNamed(name string) *BuiltinAux {
	a := &BuiltinAux{name: name}
	a.row, a.types, _ = op.BuiltinByName(name)
	return a
}

// BuiltinOn returns a builtin on these types, as many as come after its name.
func BuiltinOn(id op.BuiltinID, types ...*Type) *BuiltinAux {
	name := id.String()
	for _, t := range types {
		name += "_" + t.Name
	}
	return BuiltinNamed(name)
}

// Name returns the name as SIL writes it: "zext_Int8_Int64".
func (a *BuiltinAux) Name() string { return a.name }

// ID returns which builtin it is, BuiltinUnknown for one that the table lacks.
func (a *BuiltinAux) ID() op.BuiltinID {
	if a.row == nil {
		return op.BuiltinUnknown
	}
	return a.row.ID
}

// Row returns what the table says of the builtin, nil when it lacks it.
func (a *BuiltinAux) Row() *op.BuiltinRow { return a.row }

// TypeNames returns the types after the name: "Int8_Int64"; "" when there are none or the table lacks the builtin.
func (a *BuiltinAux) TypeNames() string { return a.types }

// InvokeAux holds the types that the invoke function of an init_block_storage_header is applied to.
type InvokeAux struct{ Subs []*Type }

// CaseAux lists the cases of switch_enum, switch_enum_addr, select_enum, select_enum_addr, switch_value and
// dynamic dispatch on values. Case n goes to Succs[n] (switches) or yields Operands[1+n] (selects). A default
// is the last entry and has a nil Member.
type CaseAux struct{ Cases []*MemberAux }

// TextAux keeps an instruction that silvm does not take apart as text after its name. Operands are the values
// it names; %3 in Text stands for Operands[3], %% for a percent sign.
type TextAux struct {
	Name string
	Text string
}

func (*IntAux) aux()     {}
func (*FloatAux) aux()   {}
func (*StringAux) aux()  {}
func (*SymbolAux) aux()  {}
func (*MemberAux) aux()  {}
func (*MethodAux) aux()  {}
func (*ApplyAux) aux()   {}
func (*BuiltinAux) aux() {}
func (*InvokeAux) aux()  {}
func (*CaseAux) aux()    {}
func (*TextAux) aux()    {}
func (*DebugVar) aux()   {}
