package console

import (
	"bytes"
	"testing"
)

// What a program prints on a terminal is text, wherever its writes are cut; elsewhere it stays as it is.
func TestEscaper(t *testing.T) {
	const text = "plain\tä\n\x1b[31mred\x1b[0m \u202eback\r\n\xff end\n"
	const want = "plain\tä\n\\u{1B}[31mred\\u{1B}[0m \\u{202E}back\\u{D}\n\\u{FF} end\n"
	for size := 1; size <= len(text); size++ {
		var out bytes.Buffer
		e := &escaper{to: &out}
		for from := 0; from < len(text); from += size {
			part := []byte(text[from:min(from+size, len(text))])
			if n, err := e.Write(part); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		if out.String() != want {
			t.Errorf("in pieces of %d: %q", size, out.String())
		}
	}
	var out bytes.Buffer
	if w := Escaped(&out); w != &out {
		t.Error("a stream that is no terminal is escaped")
	}
}
