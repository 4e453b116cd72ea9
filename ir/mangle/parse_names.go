package mangle

import "strings"

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// identifier reads a name: its length and its text; after 0 with words of earlier names by letter; after 00 in Punycode.
func (p *parser) identifier() *Node {
	if !isDigit(p.peek()) {
		return nil
	}
	words, puny := false, false
	if p.nextIf('0') {
		puny = p.nextIf('0')
		words = !puny
	}
	var b strings.Builder
	for {
		for words && isLetter(p.peek()) {
			c := p.next()
			i := int(c - 'a')
			if isUpper(c) {
				i, words = int(c-'A'), false
			}
			if i >= len(p.words) {
				return nil
			}
			b.WriteString(p.words[i])
		}
		if p.nextIf('0') {
			break
		}
		size := p.natural()
		if puny {
			p.nextIf('_')
		}
		if size <= 0 || size > len(p.text)-p.pos {
			return nil
		}
		part := p.text[p.pos : p.pos+size]
		p.pos += size
		if puny {
			text, ok := fromPunycode(part)
			if !ok {
				return nil
			}
			b.WriteString(text)
		} else {
			b.WriteString(part)
			p.noteWords(part)
		}
		if !words {
			break
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return p.remember(p.leaf(Identifier, b.String()))
}

// noteWords adds the words of an identifier to those that later identifiers may refer to: a word starts at a letter
// and ends before an underscore or before the upper-case letter that begins the next.
func (p *parser) noteWords(s string) {
	start := -1
	for i := 0; i <= len(s); i++ {
		var c byte
		if i < len(s) {
			c = s[i]
		}
		if start >= 0 && isWordEnd(c, s[i-1]) {
			if i-start >= minWord && len(p.words) < maxWords {
				p.words = append(p.words, s[start:i])
			}
			start = -1
		}
		if start < 0 && isWordStart(c) {
			start = i
		}
	}
}

// operatorLetters are the operator characters that a to z stand for in the name of an operator; space is none.
const operatorLetters = "& @/= >    <*!|+?%-~   ^ ."

// operatorName turns the identifier on the stack into the name of an operator.
func (p *parser) operatorName() *Node {
	id := p.popKind(Identifier)
	if id == nil {
		return nil
	}
	var b strings.Builder
	for i := 0; i < len(id.Text); i++ {
		c := id.Text[i]
		if c >= 0x80 {
			b.WriteByte(c)
			continue
		}
		if c < 'a' || c > 'z' || operatorLetters[c-'a'] == ' ' {
			return nil
		}
		b.WriteByte(operatorLetters[c-'a'])
	}
	switch p.next() {
	case 'i':
		return p.leaf(InfixOperator, b.String())
	case 'p':
		return p.leaf(PrefixOperator, b.String())
	case 'P':
		return p.leaf(PostfixOperator, b.String())
	}
	return nil
}

// localName reads what follows L: the discriminator of a private, a related or a local name.
func (p *parser) localName() *Node {
	switch c := p.peek(); {
	case c == 'L':
		p.pos++
		where := p.popKind(Identifier)
		return p.node(PrivateDeclName, where, p.popTrait(declName))
	case c == 'l':
		p.pos++
		return p.node(PrivateDeclName, p.popKind(Identifier))
	case c >= 'a' && c <= 'j' || c >= 'A' && c <= 'J':
		p.pos++
		return p.node(RelatedEntityDeclName, p.leaf(Identifier, string(rune(c))), p.pop())
	}
	number := p.number(Number, p.index())
	return p.node(LocalDeclName, number, p.popTrait(declName))
}

// fromPunycode decodes what encodePunycode writes (RFC 3492, 6.2): _ divides, A to J stand for the digits 0 to 9, and code
// points from U+D800 are the ASCII characters that symbols don't have.
func fromPunycode(s string) (string, bool) {
	var out []rune
	if i := strings.LastIndexByte(s, '_'); i >= 0 {
		for _, c := range []byte(s[:i]) {
			if c >= 0x80 {
				return "", false
			}
			out = append(out, rune(c))
		}
		s = s[i+1:]
	}
	n, i, bias := punyInitialN, 0, punyInitialBias
	for len(s) > 0 {
		delta, rest, ok := punyNumber(s, bias)
		if !ok {
			return "", false
		}
		s = rest
		size := len(out) + 1
		bias = punyAdapt(delta, size, i == 0)
		i += delta
		n += i / size
		i %= size
		if n > 0x10FFFF {
			return "", false
		}
		c := rune(n)
		if n >= 0xD800 && n < 0xD880 {
			c -= 0xD800
		}
		out = append(out, 0)
		copy(out[i+1:], out[i:])
		out[i] = c
		i++
	}
	return string(out), true
}

// punyNumber reads one number of variable length.
func punyNumber(s string, bias int) (n int, rest string, ok bool) {
	for w, k := 1, punyBase; len(s) > 0; k += punyBase {
		d := -1
		switch c := s[0]; {
		case c >= 'a' && c <= 'z':
			d = int(c - 'a')
		case c >= 'A' && c <= 'J':
			d = int(c-'A') + 26
		}
		s = s[1:]
		if d < 0 || d > (1<<30-n)/w {
			return 0, "", false
		}
		n += d * w
		t := min(max(k-bias, punyTMin), punyTMax)
		if d < t {
			return n, s, true
		}
		if w *= punyBase - t; w > 1<<30 {
			return 0, "", false
		}
	}
	return 0, "", false
}
