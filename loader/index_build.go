package loader

import (
	"errors"
	"math"
	"strings"

	"silvm/ir"
	"silvm/ir/source"
)

// BuildIndex makes the index of a library's text, which OpenLibrary takes. Items that can't be read are left out or, if they are
// functions, found by their names all the same: whoever reaches one meets the error. The list has these errors. The maker is a number for this
// build of silvm: an index that lacks items is good for the same maker only.
func BuildIndex(name string, text []byte, maker uint32) ([]byte, *source.List, error) {
	if len(text) > math.MaxUint32 {
		return nil, nil, errors.New(name + ": more than 4 GiB of text")
	}
	set := source.NewSet()
	diags := &source.List{Files: set}
	mod := ir.NewModule(ir.NewTypes(), set)
	b := &indexBuilder{data: text, seen: map[string]int{}}
	l := &load{mod: mod, diags: diags, opts: Options{MaxNesting: 1000, MaxBytes: len(text), Lazy: true}, defined: map[string]source.Pos{},
		names: map[string]typeName{}, wrappers: map[string]bool{}, index: b}
	b.text = string(text)
	l.noteNames(-1, b.text)
	l.file(name, b.text)
	for name, info := range l.names {
		switch {
		case info.protocol:
			b.add(keyProtocol, name, extent{}, extent{})
		case info.alias != nil:
			off := len(b.text) - len(info.alias.text)
			end := len(b.text)
			if n := strings.Index(info.alias.text, "\n\n"); n >= 0 {
				end = off + n
			}
			b.add(keyAlias, name, b.extent(off, end), extent{})
		}
	}
	for name := range l.wrappers {
		b.add(keyWrapper, name, extent{}, extent{})
	}
	return encodeIndex(b.records, len(text), diags.Errors(), maker), diags, nil
}

// indexBuilder gathers the records of an index while a text is read.
type indexBuilder struct {
	data    []byte
	text    string
	records []indexRecord
	seen    map[string]int // number of the record of a function, by its name
}

func (b *indexBuilder) extent(from, to int) extent {
	return extent{uint32(from), uint32(to - from), checksum(b.data[from:to])}
}

func (b *indexBuilder) add(kind byte, name string, item, body extent) {
	b.records = append(b.records, indexRecord{string(kind) + name, item, body})
}

// function notes a function: between which offsets head and body lie; body is 0 when there is none.
func (b *indexBuilder) function(name string, from, head, body, end int) {
	r := indexRecord{key: string(byte(keyFunction)) + name, item: b.extent(b.withComment(from), head)}
	if body > 0 {
		r.body = b.extent(body, end)
	}
	if n, twice := b.seen[name]; twice {
		if b.records[n].body.len == 0 {
			b.records[n] = r
		}
		return
	}
	b.seen[name] = len(b.records)
	b.records = append(b.records, r)
}

// withComment returns the offset of the comment on the lines above an item, where its name in plain words is.
func (b *indexBuilder) withComment(from int) int {
	for from > 0 && b.text[from-1] == '\n' {
		start := strings.LastIndexByte(b.text[:from-1], '\n') + 1
		if !strings.HasPrefix(b.text[start:from], "//") {
			break
		}
		from = start
	}
	return from
}

// item notes an item that is no function.
func (b *indexBuilder) item(item ir.Item, from, to int) {
	where := b.extent(b.withComment(from), to)
	switch x := item.(type) {
	case *ir.Global:
		b.add(keyGlobal, x.Name, where, extent{})
	case *ir.VTable:
		b.add(keyVTable, x.QualifiedClass(), where, extent{})
	case *ir.WitnessTable:
		if !x.Default && x.Conformance.Type != nil && x.Conformance.Protocol != nil {
			b.add(keyWitness, x.Conformance.Type.QualifiedName()+"\x00"+x.Conformance.Protocol.QualifiedName(), where, extent{})
		}
	case *ir.Nominal:
		root, _, _ := strings.Cut(x.Path, ".")
		b.add(keyType, root, where, extent{})
	}
}

// indexItem notes the item that was read from offset start up to the parser's place, or with an error up to offset end.
func (p *parser) indexItem(start, items, deinits, end int) {
	b := p.load.index
	switch {
	case end > 0:
		if name := functionName(p.lex.src[start:end]); name != "" {
			b.function(name, start, end, 0, 0)
		}
	case len(p.deinits) > deinits:
		b.add(keyDeinit, p.deinits[deinits].path(), b.extent(start, p.lastOff), extent{})
	default:
		for _, item := range p.mod.Items[items:] {
			if _, ok := item.(*ir.Function); !ok {
				b.item(item, start, p.lastOff)
			}
		}
	}
}

// functionName returns the name of the function whose text is there, "" when it is no function.
func functionName(text string) string {
	q := &parser{lex: lexer{src: text}, trial: true}
	q.next()
	if !q.accept("sil") {
		return ""
	}
	for q.tok.kind == tokIdent {
		q.next()
	}
	q.parseAttrs()
	name := q.symbol("")
	if q.bad {
		return ""
	}
	return name
}
