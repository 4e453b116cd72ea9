package loader

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"
)

// unquote returns the bytes that a SIL string literal, quotes included, stands for. Escapes are those that
// the compiler's printer writes: \n \r \t \0 \\ \" \' and \u{hex}. ok is false if the literal is malformed.
func unquote(lit string) (s string, ok bool) {
	if len(lit) < 2 || lit[0] != '"' || lit[len(lit)-1] != '"' {
		return "", false
	}
	body := lit[1 : len(lit)-1]
	if strings.IndexByte(body, '\\') < 0 {
		return body, true
	}
	out := make([]byte, 0, len(body))
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			out = append(out, body[i])
			continue
		}
		i++
		if i == len(body) {
			return "", false
		}
		switch body[i] {
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case '0':
			out = append(out, 0)
		case '\\', '"', '\'':
			out = append(out, body[i])
		case 'u':
			end := strings.IndexByte(body[i:], '}')
			if end < 0 || body[i+1] != '{' {
				return "", false
			}
			n, err := strconv.ParseUint(body[i+2:i+end], 16, 32)
			if err != nil || n > utf8.MaxRune {
				return "", false
			}
			out = utf8.AppendRune(out, rune(n))
			i += end
		default:
			return "", false
		}
	}
	return string(out), true
}

// unhex returns the bytes that pairs of hexadecimal digits stand for.
func unhex(s string) (string, bool) {
	b, err := hex.DecodeString(s)
	return string(b), err == nil
}
