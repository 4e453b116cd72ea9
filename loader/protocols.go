package loader

import (
	"bytes"
	"strings"
)

// The name of a protocol may stand for the type of its values, which the compiler prints with any. Types are read
// before the declarations are known, so that the names of protocols are looked up in the text beforehand.

// maxAttributes bounds the bytes on a line in front of the word protocol, where attributes may stand.
const maxAttributes = 200

// noteProtocols enters the names of the protocols that a file declares.
func (l *load) noteProtocols(text []byte) {
	word := []byte("protocol ")
	for off := 0; ; {
		n := bytes.Index(text[off:], word)
		if n < 0 {
			return
		}
		at := off + n
		off = at + len(word)
		line := text[max(0, at-maxAttributes):at]
		line = line[bytes.LastIndexByte(line, '\n')+1:]
		if bytes.Contains(line, []byte("//")) || bytes.IndexByte(line, '"') >= 0 && !bytes.Contains(line, []byte("@")) {
			continue
		}
		if len(line) > 0 && class[line[len(line)-1]]&(clsSpace|clsIdent) == clsIdent {
			continue
		}
		rest := string(text[off:min(len(text), off+256)])
		rest = strings.TrimLeft(rest, " \t")
		if name := rest[:scanIdent(rest, 0)]; name != "" {
			l.protocols[name] = true
		}
	}
}

// isProtocol says whether the name of a type at the top of a module is that of a protocol: one that a file declares,
// or the library's unless a file has a type of that name.
func (p *parser) isProtocol(name string) bool {
	l := p.load
	is, known := l.protocols[name]
	if known {
		return is
	}
	is = libraryProtocol(name) && !l.declares(name)
	l.protocols[name] = is
	return is
}

// libraryProtocol says whether the standard library declares a protocol of that name.
func libraryProtocol(name string) bool {
	for _, line := range strings.Split(ordinaryIndex()[name], "\n") {
		for word := range strings.SplitSeq(line, " ") {
			if word == "protocol" {
				return true
			}
			if nominalKinds[word] != 0 {
				break
			}
		}
	}
	return false
}

// declares says whether a file declares a type of that name which is no protocol.
func (l *load) declares(name string) bool {
	for _, p := range l.parsers {
		src := p.lex.src
		for off := 0; ; {
			n := strings.Index(src[off:], " "+name)
			if n < 0 {
				break
			}
			at := off + n
			off = at + 1 + len(name)
			if scanIdent(src, off) > off {
				continue
			}
			start := at
			for start > 0 && class[src[start-1]]&clsIdent != 0 {
				start--
			}
			if k := nominalKinds[src[start:at]]; k != 0 && src[start:at] != "extension" {
				return true
			}
		}
	}
	return false
}
