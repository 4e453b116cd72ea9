package mangle

import "strconv"

// The parameters of punycode (RFC 3492, 5); Swift writes the digits a to z and A to J, and _ before them.
const (
	punyBase        = 36
	punyTMin        = 1
	punyTMax        = 26
	punySkew        = 38
	punyDamp        = 700
	punyInitialBias = 72
	punyInitialN    = 128
)

func isSymbolChar(r rune) bool {
	return r < 0x80 && (isUpper(byte(r)) || isDigit(byte(r)) || r >= 'a' && r <= 'z' || r == '_' || r == '$')
}

// needsPunycode reports whether the identifier has characters that symbols do not have.
func needsPunycode(ident string) bool {
	for _, r := range ident {
		if !isSymbolChar(r) {
			return true
		}
	}
	return false
}

// punycoded appends an identifier that needs it: 00, the length, the encoded text.
func (m *Mangler) punycoded(ident string) {
	var points []int
	for _, r := range ident {
		if r < 0x80 && !isSymbolChar(r) {
			r += 0xD800
		}
		points = append(points, int(r))
	}
	text := encodePunycode(points)
	m.Buf = append(m.Buf, "00"...)
	m.Buf = strconv.AppendInt(m.Buf, int64(len(text)), 10)
	if isDigit(text[0]) || text[0] == '_' {
		m.Buf = append(m.Buf, '_')
	}
	m.Buf = append(m.Buf, text...)
}

// encodePunycode encodes code points (RFC 3492, 6.3).
func encodePunycode(points []int) []byte {
	var out []byte
	for _, p := range points {
		if p < 0x80 {
			out = append(out, byte(p))
		}
	}
	done, basic := len(out), len(out)
	if basic > 0 {
		out = append(out, '_')
	}
	n, delta, bias := punyInitialN, 0, punyInitialBias
	for done < len(points) {
		next := 1 << 30
		for _, p := range points {
			if p >= n && p < next {
				next = p
			}
		}
		delta += (next - n) * (done + 1)
		n = next
		for _, p := range points {
			if p < n {
				delta++
			}
			if p != n {
				continue
			}
			out = appendPunyNumber(out, delta, bias)
			bias = punyAdapt(delta, done+1, done == basic)
			delta = 0
			done++
		}
		delta++
		n++
	}
	return out
}

func appendPunyNumber(out []byte, q, bias int) []byte {
	for k := punyBase; ; k += punyBase {
		t := min(max(k-bias, punyTMin), punyTMax)
		if q < t {
			return append(out, punyDigit(q))
		}
		out = append(out, punyDigit(t+(q-t)%(punyBase-t)))
		q = (q - t) / (punyBase - t)
	}
}

func punyDigit(d int) byte {
	if d < 26 {
		return byte('a' + d)
	}
	return byte('A' + d - 26)
}

func punyAdapt(delta, count int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / count
	k := 0
	for ; delta > (punyBase-punyTMin)*punyTMax/2; k += punyBase {
		delta /= punyBase - punyTMin
	}
	return k + (punyBase-punyTMin+1)*delta/(delta+punySkew)
}
