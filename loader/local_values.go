package loader

import (
	"cmp"
	"strconv"
	"strings"

	"silvm/ir"
)

// Newer compilers print an operand without its type. What local types are made of is then found by the definitions of the values, as far as
// these tell: the types of the declared types are known, those of local types are what is looked for.

// maxDefinitions bounds the definitions that are followed from one value.
const maxDefinitions = 12

// typeOfValue returns the type of a value of a body by its definition, nil when that does not tell.
func (p *parser) typeOfValue(b bodyText, value string) *ir.Type {
	return p.definedType(b, value, maxDefinitions)
}

// typeOfUse returns the type that is written at the first use of a value after offset at, nil when there is none.
func (p *parser) typeOfUse(b bodyText, value string, at int) *ir.Type {
	use := value + " : "
	if value == "" {
		return nil
	}
	for {
		n := p.search(use, at, b.to)
		if n < 0 {
			return nil
		}
		at = n + len(use)
		if typ := p.typeAt(at, b.to); typ != nil {
			return typ
		}
	}
}

// typeOfPlace returns the type of a field by the address of it that is defined at an offset, nil when nothing tells.
func (p *parser) typeOfPlace(b bodyText, address string, at int) *ir.Type {
	if typ := p.typeOfUse(b, address, at); typ != nil {
		return typ
	}
	if typ := p.typeOfStore(b, address, at); typ != nil {
		return typ
	}
	return p.typeOfReturn(b, address, at)
}

// typeAt reads "$T" or "@owned $T" at an offset, nil when none is there or it names generic parameters that nobody asks for.
func (p *parser) typeAt(from, to int) (t *ir.Type) {
	p.within(from, to, func() {
		p.attempt(func() bool {
			for p.tok.kind == tokAt {
				p.next()
			}
			t = p.parseType()
			return t != nil
		})
	})
	if t != nil && (t.HasParams() && !p.anyParams || t.HasLocal()) {
		return nil
	}
	return t
}

// typeOfStore returns the type of what is stored to an address after an offset, nil when no store tells.
func (p *parser) typeOfStore(b bodyText, address string, at int) *ir.Type {
	for n := at; ; {
		n = p.search("store %", n, b.to)
		if n < 0 {
			return nil
		}
		line := p.lex.src[n:min(endOfLine(p.lex.src, n), b.to)]
		n += len("store ")
		value, rest, ok := strings.Cut(line[len("store "):], " to ")
		if !ok {
			continue
		}
		if strings.HasPrefix(rest, "[") {
			_, rest, _ = strings.Cut(rest, "] ")
		}
		if leadingValue(rest) != address {
			continue
		}
		if t := p.typeOfValue(b, value); t != nil {
			return t
		}
	}
}

// typeOfReturn returns the type at an address after an offset when what is loaded there is what the function returns, or when a call, an access
// to the address or a projection of it tells; nil when nothing does.
func (p *parser) typeOfReturn(b bodyText, address string, at int) *ir.Type {
	for n := at; ; {
		n = p.search(" "+address, n, b.to)
		if n < 0 {
			return nil
		}
		if end := n + len(" "+address); scanIdent(p.lex.src[:b.to], end) > end {
			n = end
			continue
		}
		start := strings.LastIndexByte(p.lex.src[:n], '\n') + 1
		line := strings.TrimSpace(p.lex.src[start:min(endOfLine(p.lex.src, n), b.to)])
		n++
		if t := p.typeOfTransfer(b, line, address); t != nil {
			return t
		}
		if to, ok := strings.CutPrefix(line, "store "+address+" to "); ok {
			to = to[strings.IndexByte(to, '%'):]
			if t := p.typeOfValue(b, to[:1+scanIdent(to[1:], 0)]); t != nil {
				return t.Object()
			}
			continue
		}
		result, rest, ok := strings.Cut(line, " = ")
		if !ok || result == address {
			continue
		}
		word, _, _ := strings.Cut(rest, " ")
		switch word {
		case "begin_access":
			if t := p.typeOfPlace(b, result, n); t != nil {
				return t
			}
		case "apply":
			if t := p.typeOfArgument(rest, start+strings.Index(p.lex.src[start:b.to], rest), address); t != nil {
				return t
			}
		case "struct_element_addr", "struct_extract":
			if t := p.ownerOf(rest); t != nil {
				return t
			}
		case "load":
			fn := b.fn.Type.Func
			if p.returns(b, result) && len(fn.Results) == 1 && !fn.Results[0].Type.HasParams() && fn.Coroutine == 0 {
				return fn.Results[0].Type
			}
			if t := p.typeOfReturn(b, result, n); t != nil {
				return t
			}
		}
	}
}

// headOfPlace returns the name of the type of a value, or of what lies at an address, when a use of it names a member of that type: of Array<Int>
// where a use takes #Array._buffer. "" when none does, or when the uses disagree.
func (p *parser) headOfPlace(b bodyText, value string, left int) (head string) {
	if value == "" || left == 0 {
		return ""
	}
	for n := b.from; ; {
		n = p.search(" "+value, n, b.to)
		if n < 0 {
			return head
		}
		end := n + len(" "+value)
		start := strings.LastIndexByte(p.lex.src[:n], '\n') + 1
		line := strings.TrimSpace(p.lex.src[start:min(endOfLine(p.lex.src, n), b.to)])
		n = end
		if scanIdent(p.lex.src[:b.to], end) > end {
			continue
		}
		result, rest, ok := strings.Cut(line, " = ")
		if !ok {
			result, rest = "", line
		}
		word, operands, _ := strings.Cut(rest, " ")
		for strings.HasPrefix(operands, "[") {
			_, operands, _ = strings.Cut(operands, "] ")
		}
		if leadingValue(operands) != value {
			continue
		}
		found := ""
		switch word {
		case "load", "load_borrow", "copy_value", "begin_borrow", "move_value", "begin_access":
			found = p.headOfPlace(b, result, left-1)
		case "struct_element_addr", "struct_extract", "ref_element_addr", "unchecked_enum_data", "unchecked_take_enum_data_addr", "switch_enum", "switch_enum_addr",
			"select_enum", "select_enum_addr":
			_, path, _ := strings.Cut(operands, "#")
			if names := memberPath(path); len(names) == 2 {
				found = names[0]
			}
		}
		if found != "" && head != "" && found != head {
			return ""
		}
		head = cmp.Or(head, found)
	}
}

// leadingValue returns the name of the value with which a text begins, after which "," is where no types are printed.
func leadingValue(text string) string {
	if !strings.HasPrefix(text, "%") {
		return ""
	}
	return text[:1+scanIdent(text[1:], 0)]
}

// returns reports whether a body returns that value.
func (p *parser) returns(b bodyText, value string) bool {
	for n := b.from; ; {
		n = p.search("return "+value, n, b.to)
		if n < 0 {
			return false
		}
		n += len("return ")
		if leadingValue(p.lex.src[n:b.to]) == value {
			return true
		}
	}
}

// typeOfTransfer returns the type at the address to which or from which "copy_addr [take] %1 to [init] %2" or "store_weak %1 to %2" moves something,
// nil for other lines.
func (p *parser) typeOfTransfer(b bodyText, line, address string) *ir.Type {
	word, rest, _ := strings.Cut(line, " ")
	storage := ir.NoStorage
	switch word {
	case "copy_addr", "explicit_copy_addr":
	case "store_weak":
		storage = ir.StorageWeak
	case "store_unowned":
		storage = ir.StorageUnowned
	default:
		return nil
	}
	from, to, ok := strings.Cut(rest, " to ")
	if !ok {
		return nil
	}
	operand := func(text string) string {
		text = text[strings.IndexByte(text, '%')+1:]
		return "%" + text[:scanIdent(text, 0)]
	}
	from, to = operand(from), operand(to)
	switch {
	case storage != ir.NoStorage && to == address:
		if t := p.typeOfValue(b, from); t != nil {
			return p.storageOf(storage, t)
		}
	case storage == ir.NoStorage && (from == address || to == address):
		other := from
		if from == address {
			other = to
		}
		if t := p.typeOfValue(b, other); t != nil {
			return t.Object()
		}
	}
	return nil
}

// ownerOf returns the type whose member "struct_element_addr %1, #Double._value" names, nil when the name does not tell all of it.
func (p *parser) ownerOf(text string) *ir.Type {
	_, path, _ := strings.Cut(text, ", #")
	path = path[:scanDecl(path, 0)]
	name, _, _ := strings.Cut(path, ".")
	if strings.Count(path, ".") != 1 || scanIdent(name, 0) != len(name) {
		return nil
	}
	if d := p.mod.Nominal(name); d == nil || d.Kind != ir.Struct || d.Generic != nil {
		return nil
	}
	return p.ts.Nominal(nil, name)
}

// definition returns what defines a value: the text after " = " and its offset, or of an argument of a block its type.
func (p *parser) definition(b bodyText, value string) (text string, at int, arg *ir.Type) {
	if n := p.search("\n  "+value+" = ", b.from, b.to); n >= 0 {
		at = n + len("\n  "+value+" = ")
		return p.lex.src[at:min(endOfLine(p.lex.src, at), b.to)], at, nil
	}
	for from := b.from; ; {
		n := p.search(value+" : ", from, b.to)
		if n < 0 {
			return "", 0, nil
		}
		from = n + 1
		line := p.lex.src[strings.LastIndexByte(p.lex.src[:n], '\n')+1 : n]
		if strings.HasPrefix(line, "bb") && (strings.HasSuffix(line, "(") || strings.HasSuffix(line, " ")) {
			return "", 0, p.typeAt(n+len(value+" : "), b.to)
		}
	}
}

// definedType returns the type of a value, following at most left definitions.
func (p *parser) definedType(b bodyText, value string, left int) *ir.Type {
	if left == 0 || !strings.HasPrefix(value, "%") {
		return nil
	}
	text, at, arg := p.definition(b, value)
	if text == "" {
		return arg
	}
	for _, after := range []string{" //", ", loc ", ", scope "} {
		text, _, _ = strings.Cut(text, after)
	}
	d := definedValue{p: p, body: b, text: strings.TrimRight(text, " "), at: at, left: left - 1}
	word, rest, _ := strings.Cut(d.text, " ")
	switch word {
	case "struct", "enum", "integer_literal", "float_literal", "alloc_ref", "alloc_box", "metatype":
		return d.typeAfterName(word)
	case "string_literal":
		return p.ts.Builtin(ir.BuiltinRawPointer)
	case "project_box":
		if t := d.operand(rest); t != nil && t.Kind == ir.KindBox && t.Box.Generic == nil && len(t.Box.Fields) == 1 {
			return p.addressOf(t.Box.Fields[0].Type)
		}
	case "alloc_stack":
		return p.addressOf(d.typeAfterName(word))
	case "ref_tail_addr", "init_existential_addr":
		return p.addressOf(d.typeAfter(", $"))
	case "upcast", "unchecked_ref_cast", "unchecked_addr_cast", "unchecked_trivial_bit_cast", "unchecked_bitwise_cast", "pointer_to_address",
		"convert_function", "convert_escape_to_noescape", "thin_to_thick_function", "unconditional_checked_cast", "address_to_pointer",
		"ref_to_raw_pointer", "raw_pointer_to_ref", "ref_to_unowned", "unowned_to_ref", "bridge_object_to_ref", "unmanaged_to_ref", "ref_to_unmanaged":
		return d.typeAfter(" to $")
	case "global_addr", "function_ref", "builtin":
		return d.typeAfter(" : $")
	case "copy_value", "begin_borrow", "move_value", "explicit_copy_value", "begin_access", "mark_dependence", "mark_uninitialized", "index_addr",
		"end_init_let_ref", "end_cow_mutation", "mark_unresolved_non_copyable_value", "drop_deinit", "unchecked_ownership_conversion":
		return d.operand(rest)
	case "load", "load_borrow":
		if t := d.operand(rest); t != nil && t.Kind == ir.KindAddress {
			return t.Object()
		}
	case "apply":
		return p.appliedType(d.text, at)
	case "tuple":
		if strings.HasPrefix(rest, "$") {
			return p.typeAt(at+len("tuple "), at+len(d.text))
		}
		return p.tupleType(b, rest, d.left)
	case "tuple_extract", "tuple_element_addr", "struct_extract", "struct_element_addr", "ref_element_addr", "unchecked_enum_data",
		"unchecked_take_enum_data_addr", "init_enum_data_addr":
		return d.part(word, d.operand(rest))
	}
	return nil
}

// definedValue is the definition of a value.
type definedValue struct {
	p    *parser
	body bodyText
	text string // without comment, location and scope
	at   int    // the offset of text
	left int    // definitions that may still be followed
}

// operand returns the type of the first operand, given the text after the name of the instruction.
func (d *definedValue) operand(rest string) *ir.Type {
	for strings.HasPrefix(rest, "[") {
		_, rest, _ = strings.Cut(rest, "] ")
	}
	name := rest[strings.IndexByte(rest, '%')+1:]
	return d.p.definedType(d.body, "%"+name[:scanIdent(name, 0)], d.left)
}

// typeAfterName returns the type after the name and the qualifiers of the instruction.
func (d *definedValue) typeAfterName(word string) *ir.Type {
	return d.p.typeAt(d.at+behindQualifiers(d.text, len(word)), d.at+len(d.text))
}

// typeAfter returns the type at the last place of a mark such as " to $", whose $ begins it.
func (d *definedValue) typeAfter(mark string) *ir.Type {
	n := strings.LastIndex(d.text, mark)
	if n < 0 {
		return nil
	}
	return d.p.typeAt(d.at+n+strings.IndexByte(mark, '$'), d.at+len(d.text))
}

// part returns the type of a part of a value of type t, or the address type of a part of what is at an address of type t.
func (d *definedValue) part(word string, t *ir.Type) *ir.Type {
	if t == nil {
		return nil
	}
	_, which, _ := strings.Cut(d.text, ", ")
	var part *ir.Type
	switch word {
	case "tuple_extract", "tuple_element_addr":
		n, err := strconv.Atoi(which)
		if err != nil || t.Object().Kind != ir.KindTuple || n >= len(t.Object().Args) {
			return nil
		}
		part = t.Object().Args[n]
	case "unchecked_enum_data", "unchecked_take_enum_data_addr", "init_enum_data_addr":
		path, _, payload := strings.Cut(d.afterSign(), "!enumelt")
		if !payload {
			return nil
		}
		part = d.p.mod.PayloadType(t.Object(), path[strings.LastIndexByte(path, '.')+1:])
	default:
		path := d.afterSign()
		n := strings.LastIndexByte(path, '.')
		if n < 0 {
			return nil
		}
		part = d.p.mod.FieldType(t.Object(), path[:n], path[n+1:])
	}
	if word == "ref_element_addr" || t.Kind == ir.KindAddress {
		return d.p.addressOf(part)
	}
	return part
}

// afterSign returns the text after the number sign that begins the path of a member.
func (d *definedValue) afterSign() string {
	_, path, _ := strings.Cut(d.text, ", #")
	return path
}

// behindQualifiers returns where the type of "alloc_ref [tail_elems $T * %1] $C" stands, after the word of that length and what is in brackets.
func behindQualifiers(text string, word int) int {
	at := word
	for {
		for at < len(text) && text[at] == ' ' {
			at++
		}
		if at == len(text) || text[at] != '[' {
			return at
		}
		depth := 0
		for ; at < len(text); at++ {
			if text[at] == '[' {
				depth++
			} else if text[at] == ']' {
				if depth--; depth == 0 {
					at++
					break
				}
			}
		}
	}
}

// addressOf returns the address type of a type, nil of none.
func (p *parser) addressOf(t *ir.Type) *ir.Type {
	if t == nil {
		return nil
	}
	return p.ts.Address(t)
}

// tupleType returns the type of "tuple (%1, %2)", nil when not every element tells its own or they have labels.
func (p *parser) tupleType(b bodyText, text string, left int) *ir.Type {
	list, ok := strings.CutPrefix(text, "(")
	list, ok2 := strings.CutSuffix(list, ")")
	if !ok || !ok2 {
		return nil
	}
	var elements []*ir.Type
	for _, value := range strings.Split(list, ", ") {
		value, _, _ = strings.Cut(value, " : ")
		t := p.definedType(b, value, left)
		if t == nil {
			return nil
		}
		elements = append(elements, t)
	}
	return p.ts.TupleOf(elements)
}

// functionTypeAt reads the type after a call.
func (p *parser) functionTypeAt(from, to int) (fn *ir.Type) {
	p.within(from, to, func() {
		p.attempt(func() bool { fn = p.parseType(); return fn != nil })
	})
	return fn
}

// typeOfArgument returns the type of a value that a call takes, nil when the function's type does not tell.
func (p *parser) typeOfArgument(text string, at int, value string) *ir.Type {
	n := strings.LastIndex(text, ") : $")
	if n < 0 {
		return nil
	}
	open := strings.LastIndexByte(text[:n], '(')
	fn := p.functionTypeAt(at+n+len(") : "), at+len(text))
	if open < 0 || fn == nil || fn.Func == nil {
		return nil
	}
	for k, arg := range strings.Split(text[open+1:n], ", ") {
		k -= len(strings.Split(text[open+1:n], ", ")) - len(fn.Func.Params) // results in memory come first
		if arg != value || k < 0 {
			continue
		}
		if t := fn.Func.Params[k].Type; t != nil && !t.HasParams() {
			return t
		}
	}
	return nil
}

// appliedType returns the type that "apply %1<Int>(%2) : $@convention(thin) <T> (T) -> T" gives, nil when that is not known.
func (p *parser) appliedType(text string, at int) *ir.Type {
	n := strings.LastIndex(text, ") : $")
	if n < 0 {
		return nil
	}
	fn := p.functionTypeAt(at+n+len(") : "), at+len(text))
	if fn == nil || fn.Func == nil || len(fn.Func.Results) != 1 || fn.Func.Results[0].Conv == ir.ResultOut {
		return nil
	}
	result := p.mod.SubstCallee(fn.Func, p.typeArgumentsIn(text, at))(fn.Func.Results[0].Type)
	if (fn.Func.Generic != nil || fn.Func.Pattern != nil) && result.HasParams() {
		return nil
	}
	return result
}

// typeArgumentsIn returns the type arguments of the call in text, which begins at offset at: "apply %1<Int, String>(%2)"; nil when there are none.
func (p *parser) typeArgumentsIn(text string, at int) (args []*ir.Type) {
	open := scanIdent(text, strings.IndexByte(text, '%')+1)
	if open >= len(text) || text[open] != '<' {
		return nil
	}
	p.within(at+open, at+len(text), func() {
		if !p.attempt(func() bool { args = p.substitutions(); return !p.bad }) {
			args = nil
		}
	})
	return args
}
