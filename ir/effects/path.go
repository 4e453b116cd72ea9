package effects

import (
	"strconv"
	"strings"
)

// A Path selects a part of a value, of memory, or of what they refer to: a list of at most eight components, the outermost first. A
// component names a field or stands for several of them. The text is that of effect lists in SIL: "s0.c1.v**". The empty path is the
// value itself.
//
// A path that would be longer ends in ** (anything). Two paths are the same when they are equal.
type Path uint64

// FieldKind is what a component of a path selects.
type FieldKind uint8

// The kinds of components.
const (
	FieldRoot       FieldKind = iota // the end of the path
	FieldStruct                      // s3: field 3 of a struct
	FieldTuple                       // 2: element 2 of a tuple
	FieldEnum                        // e4: the payload of case 4
	FieldClass                       // c1: stored property 1 of a class, a field of a box
	FieldElement                     // i2: the element 2 places on
	FieldTail                        // ct: the tail elements of an object
	FieldExist                       // x: what an existential holds
	FieldAnyClass                    // c*: any property or tail element of one object
	FieldAnyElement                  // i*: an element nobody knows which
	FieldAnyValue                    // v**: any number of value fields
	FieldAnything                    // **: any number of fields of any kind; only at the end
)

// isValue reports whether the component stays inside the value.
func (k FieldKind) isValue() bool {
	switch k {
	case FieldStruct, FieldTuple, FieldEnum, FieldElement, FieldAnyElement, FieldExist, FieldAnyValue:
		return true
	}
	return false
}

// IsClass reports whether the component leads through a reference into an object.
func (k FieldKind) IsClass() bool { return k == FieldClass || k == FieldTail || k == FieldAnyClass }

// IsElement reports whether the field is an element after an index.
func (k FieldKind) IsElement() bool { return k == FieldElement || k == FieldAnyElement }

// A component takes one byte, the low one of the path: its kind in the low four bits, the low three bits of its index above and one bit
// that says that more bits of the index follow in the next byte, seven in each.
const pathBits = 64

// Top returns the first component and the number of bits it takes.
func (p Path) Top() (k FieldKind, index, bits int) {
	if p == 0 {
		return FieldRoot, 0, 0
	}
	b := uint64(p)
	k, index, bits = FieldKind(b&15), int(b>>4&7), 8
	for shift, more := 3, b&128 != 0; more; shift += 7 {
		next := b >> bits
		index |= int(next&127) << shift
		more = next&128 != 0
		bits += 8
	}
	return k, index, bits
}

// Pop returns the first component and the path after it.
func (p Path) Pop() (k FieldKind, index int, rest Path) {
	k, index, bits := p.Top()
	return k, index, p >> bits
}

// fieldBits is the number of bits that a component with that index takes.
func fieldBits(index int) int {
	n := 8
	for index >>= 3; index > 0; index >>= 7 {
		n += 8
	}
	return n
}

// Push returns the path with one more component in front. A negative index stands for a field that nobody declares: it may be any.
// Value fields after a v** are part of it, so a path never has one there; what follows it tells how far it reaches.
func (p Path) Push(k FieldKind, index int) Path {
	if index < 0 {
		switch k {
		case FieldStruct, FieldTuple, FieldEnum:
			return p.Push(FieldAnyValue, 0)
		case FieldClass:
			k, index = FieldAnyClass, 0
		}
	}
	if k == FieldAnyValue {
		p = p.PopValues()
	}
	if k.IsElement() {
		top, have, bits := p.Top()
		switch {
		case k == FieldElement && index == 0:
			return p
		case k == FieldElement && top == FieldElement && index+have >= 0:
			return (p >> bits).Push(FieldElement, index+have)
		case top.IsElement():
			return (p >> bits).Push(FieldAnyElement, 0)
		case index < 0:
			return p.Push(FieldAnyElement, 0)
		}
	}
	n := fieldBits(index)
	if n > pathBits || p>>(pathBits-n) != 0 {
		return Path(FieldAnything)
	}
	enc := uint64(k) | uint64(index&7)<<4
	shift := 7 // where the bit of the byte before is that says that this one follows
	for rest := index >> 3; rest > 0; rest >>= 7 {
		enc |= 1 << shift
		enc |= uint64(rest&127) << (shift + 1)
		shift += 8
	}
	return p<<n | Path(enc)
}

// AnyIndex makes PopIf take a component whatever its index.
const AnyIndex = -1

// PopIf returns the path after its first component if that component may be the field named; a wildcard that may go on stays.
func (p Path) PopIf(k FieldKind, index int) (Path, bool) {
	top, have, bits := p.Top()
	switch top {
	case FieldAnything:
		return p, true
	case FieldAnyValue:
		if k.isValue() {
			return p, true
		}
		return (p >> bits).PopIf(k, index)
	case FieldAnyClass:
		return p >> bits, k.IsClass()
	case FieldAnyElement:
		if k.IsElement() {
			return p, true
		}
		return (p >> bits).PopIf(k, index)
	case k:
		return p >> bits, index == AnyIndex || index == have
	}
	return 0, false
}

// PopKind returns the index of the first component if it is exactly of that kind, wildcards apart.
func (p Path) PopKind(k FieldKind) (index int, rest Path, ok bool) {
	top, index, rest := p.Pop()
	return index, rest, top == k && k != FieldRoot
}

// popWhile drops components from the front as long as they are of the kinds asked for.
func (p Path) popWhile(is func(FieldKind) bool) Path {
	for p != 0 {
		k, _, bits := p.Top()
		if !is(k) {
			return p
		}
		p >>= bits
	}
	return p
}

// PopValues drops all value fields from the front.
func (p Path) PopValues() Path { return p.popWhile(FieldKind.isValue) }

func (p Path) popElements() Path { return p.popWhile(FieldKind.IsElement) }

// The patterns that the analyses ask for most.
var (
	PathAnything = Path(FieldAnything)
	PathValues   = Path(0).Push(FieldAnyValue, 0)
	// PathFields is any part of any property of the object: c*.v**
	PathFields = PathValues.Push(FieldAnyClass, 0)
	// PathHeldFields is any part of any property of an object that the value holds: v**.c*.v**
	PathHeldFields = PathFields.Push(FieldAnyValue, 0)
)

// HasClass reports whether the path leads into an object for certain.
func (p Path) HasClass() bool {
	for p != 0 {
		k, _, bits := p.Top()
		if k.IsClass() {
			return true
		}
		p >>= bits
	}
	return false
}

// Objects returns how many objects the path leads into at most; a path that ends anywhere leads into more than there are.
func (p Path) Objects() int {
	n := 0
	for p != 0 {
		k, _, bits := p.Top()
		switch {
		case k == FieldAnything:
			return 1 << 30
		case k.IsClass():
			n++
		}
		p >>= bits
	}
	return n
}

// IsExact reports whether the path selects one part, without wildcards.
func (p Path) IsExact() bool {
	for p != 0 {
		k, _, bits := p.Top()
		if k >= FieldAnyClass {
			return false
		}
		p >>= bits
	}
	return true
}

// MayHaveClass reports whether the path may lead into an object.
func (p Path) MayHaveClass() bool { return !p.Matches(PathValues) }

// PopLastClass drops the last component that leads into an object, with all after it: what is left names the object.
func (p Path) PopLastClass() Path {
	total, needed := 0, 0
	for rest := p; rest != 0; {
		k, _, bits := rest.Top()
		switch {
		case k.IsClass():
			needed = total
			total += bits
		case k.isValue():
			total += bits
		default:
			total += bits
			needed = total
		}
		rest >>= bits
	}
	if needed >= pathBits {
		return p
	}
	return p & (1<<needed - 1)
}

// Matches reports whether all that p may select is selected by the pattern.
func (p Path) Matches(pattern Path) bool {
	k, index, rest := pattern.Pop()
	switch k {
	case FieldRoot:
		return p == 0
	case FieldAnything:
		return true
	case FieldAnyValue:
		return p.PopValues().Matches(rest)
	case FieldAnyElement:
		return p.popElements().Matches(rest)
	case FieldAnyClass:
		have, _, sub := p.Pop()
		return have.IsClass() && sub.Matches(rest)
	}
	have, n, sub := p.Pop()
	return have == k && n == index && sub.Matches(rest)
}

// Merge returns a path that matches whatever either of the two matches.
func (p Path) Merge(q Path) Path {
	if p == q {
		return p
	}
	pk, pi, pbits := p.Top()
	qk, qi, qbits := q.Top()
	switch {
	case pk == qk && pi == qi:
		sub := (p >> pbits).Merge(q >> qbits)
		if top, _, _ := sub.Top(); pk == FieldAnyValue && (top == FieldAnyValue || top.isValue()) {
			return sub.PopValues().Push(FieldAnyValue, 0)
		}
		return sub.Push(pk, pi)
	case pk.IsElement() || qk.IsElement():
		sub := p.popElements().Merge(q.popElements())
		if top, _, _ := sub.Top(); top == FieldAnything || top == FieldAnyValue {
			return sub
		}
		return sub.Push(FieldAnyElement, 0)
	case pk.isValue() || qk.isValue():
		sub := p.PopValues().Merge(q.PopValues())
		if top, _, _ := sub.Top(); top == FieldAnything || top == FieldAnyValue {
			return sub
		}
		return sub.Push(FieldAnyValue, 0)
	case pk.IsClass() && qk.IsClass():
		return (p >> pbits).Merge(q>>qbits).Push(FieldAnyClass, 0)
	}
	return PathAnything
}

// MayOverlap reports whether the two may select memory in common, one inside the other included. Payloads of two cases of an enum do.
func (p Path) MayOverlap(q Path) bool {
	if p == 0 || q == 0 {
		return true
	}
	pk, pi, pbits := p.Top()
	qk, qi, qbits := q.Top()
	switch {
	case pk == FieldAnything || qk == FieldAnything:
		return true
	case pk == FieldAnyElement || qk == FieldAnyElement:
		return p.popElements().MayOverlap(q.popElements())
	case pk == FieldAnyValue || qk == FieldAnyValue:
		return p.PopValues().MayOverlap(q.PopValues())
	case pk == FieldEnum && qk == FieldEnum && pi != qi: // the payloads of all cases share their memory, whatever their fields
		return p.PopValues().MayOverlap(q.PopValues())
	case pk == qk && pi == qi, pk == FieldAnyClass && qk.IsClass(), pk.IsClass() && qk == FieldAnyClass:
		return (p >> pbits).MayOverlap(q >> qbits)
	}
	return false
}

// Subtract returns what leads on from p to q when p is the beginning of q; ok is false when it is not, or when a wildcard hides it.
func (p Path) Subtract(q Path) (rest Path, ok bool) {
	for p != 0 {
		pk, pi, pbits := p.Top()
		qk, qi, qbits := q.Top()
		switch {
		case pk == FieldAnyValue:
			p, q = p.PopValues(), q.PopValues()
			if p == 0 {
				return q.Push(FieldAnyValue, 0), true
			}
			continue
		case pk == FieldAnything || pk == FieldAnyElement:
			return 0, false
		case pk == qk && pi == qi, pk == FieldAnyClass && qk.IsClass():
		default:
			return 0, false
		}
		p >>= pbits
		q >>= qbits
	}
	return q, true
}

// Concat returns the path that follows p and then q.
func (p Path) Concat(q Path) Path {
	if p == 0 {
		return q
	}
	k, index, rest := p.Pop()
	if k == FieldAnything {
		return p
	}
	return rest.Concat(q).Push(k, index)
}

var fieldLetters = map[FieldKind]string{FieldStruct: "s", FieldTuple: "", FieldEnum: "e", FieldClass: "c", FieldElement: "i"}
var fieldWords = map[FieldKind]string{FieldTail: "ct", FieldExist: "x", FieldAnyClass: "c*", FieldAnyElement: "i*", FieldAnyValue: "v**", FieldAnything: "**"}

// String returns the path as effect lists print it.
func (p Path) String() string {
	var parts []string
	for p != 0 {
		k, index, rest := p.Pop()
		if word, ok := fieldWords[k]; ok {
			parts = append(parts, word)
		} else {
			parts = append(parts, fieldLetters[k]+strconv.Itoa(index))
		}
		p = rest
	}
	return strings.Join(parts, ".")
}

// parsePath reads a path as effect lists print it.
func parsePath(text string) (Path, bool) {
	if text == "" {
		return 0, true
	}
	parts := strings.Split(text, ".")
	var p Path
	for n := len(parts) - 1; n >= 0; n-- {
		k, index, ok := parseField(parts[n])
		if !ok || k == FieldAnything && n != len(parts)-1 {
			return 0, false
		}
		p = p.Push(k, index)
	}
	return p, true
}

func parseField(text string) (FieldKind, int, bool) {
	for k, word := range fieldWords {
		if word == text {
			return k, 0, true
		}
	}
	kind := FieldTuple
	for k, letter := range fieldLetters {
		if letter != "" && strings.HasPrefix(text, letter) {
			kind, text = k, text[1:]
			break
		}
	}
	index, err := strconv.Atoi(text)
	return kind, index, err == nil && index >= 0
}
