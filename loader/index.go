package loader

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"sort"
	"strings"
)

// The index of a library says where in its text each item is, so that a program pays for the items that it reaches alone. It is a table of
// fixed records, sorted by key, and a search reads it as it lies in the file:
//
//	magic, which has the version of the format
//	checksum of all that follows (CRC-32C)
//	size of the text in bytes, number of records, size of the keys, number of items that could not be read, who made the index
//	records: where the key is, where the item and the body are, with a checksum each
//	keys, one after the other
//
// A key is a letter for the kind and a name. All numbers have 32 bits and are little-endian. The checksums of items tell a text that was
// changed behind the index's back.

// IndexFormat is the version of the format: it goes up with every change of it or of what keys mean.
const IndexFormat = 2

// indexMagic begins every index. The last byte is IndexFormat.
const indexMagic = "silvm index\n\x00\x00\x00" + string(rune(IndexFormat))

const (
	indexHeader = len(indexMagic) + 6*4
	recordSize  = 8 * 4
)

// Kinds of keys.
const (
	keyFunction = 'f' // symbol
	keyGlobal   = 'g' // symbol
	keyVTable   = 'v' // ir.VTable.QualifiedClass
	keyWitness  = 'w' // qualified names of type and protocol, a zero byte between them
	keyType     = 't' // name of the outermost type: its declaration and extensions
	keyDeinit   = 'd' // qualified name of a noncopyable type
	keyProtocol = 'p' // name of a protocol
	keyAlias    = 'a' // name of a typealias at the top; the item is what follows the name
	keyWrapper  = 'P' // name of a property wrapper
)

// extent is a piece of the text: its offset, its length and the checksum of it.
type extent struct{ off, len, sum uint32 }

// indexRecord is one item.
type indexRecord struct {
	key  string
	item extent // of a function with a body: its head, up to the first block
	body extent // of a function: its blocks; empty when it has none
}

// libraryIndexFile is an index as it lies in a file, checked.
type libraryIndexFile struct {
	text          string
	records, keys string
	size, count   int
}

// errIndex is why an index can't be used: it is of another version, or damaged.
var errIndex = errors.New("not an index that this silvm reads, or a damaged one")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(text []byte) uint32 { return crc32.Checksum(text, castagnoli) }

// encodeIndex writes an index for a text of size bytes.
func encodeIndex(records []indexRecord, size, unread int, maker uint32) []byte {
	slices.SortStableFunc(records, func(a, b indexRecord) int { return strings.Compare(a.key, b.key) })
	le := binary.LittleEndian
	out := append([]byte(indexMagic), 0, 0, 0, 0)
	var keys []byte
	out = le.AppendUint32(out, uint32(size))
	out = le.AppendUint32(out, uint32(len(records)))
	at := len(out)
	out = le.AppendUint32(out, 0)
	out = le.AppendUint32(out, uint32(unread))
	out = le.AppendUint32(out, maker)
	for _, r := range records {
		for _, n := range [...]uint32{uint32(len(keys)), uint32(len(r.key)), r.item.off, r.item.len, r.item.sum, r.body.off, r.body.len, r.body.sum} {
			out = le.AppendUint32(out, n)
		}
		keys = append(keys, r.key...)
	}
	le.PutUint32(out[at:], uint32(len(keys)))
	out = append(out, keys...)
	le.PutUint32(out[len(indexMagic):], checksum(out[len(indexMagic)+4:]))
	return out
}

// decodeIndex checks an index for a text of size bytes. Every record of the answer lies within that text. Where items could not be read, only
// who made the index takes it: another silvm may read more.
func decodeIndex(data []byte, size int64, maker uint32) (*libraryIndexFile, error) {
	if len(data) < indexHeader || string(data[:len(indexMagic)]) != indexMagic {
		return nil, errIndex
	}
	word := func(n int) int64 { return int64(binary.LittleEndian.Uint32(data[len(indexMagic)+4*n:])) }
	count, keys := word(2), word(3)
	if word(4) > 0 && uint32(word(5)) != maker {
		return nil, errIndex
	}
	if word(1) != size || int64(len(data)) != int64(indexHeader)+count*recordSize+keys || uint32(word(0)) != checksum(data[len(indexMagic)+4:]) {
		return nil, errIndex
	}
	x := &libraryIndexFile{text: string(data), count: int(count), size: int(size)}
	x.records = x.text[indexHeader : indexHeader+x.count*recordSize]
	x.keys = x.text[indexHeader+x.count*recordSize:]
	last := ""
	for i := range x.count {
		if off, n := x.word(i, 0), x.word(i, 1); uint64(off)+uint64(n) > uint64(len(x.keys)) || n == 0 {
			return nil, errIndex
		}
		r := x.record(i)
		if r.key < last || !r.item.within(size) || !r.body.within(size) {
			return nil, errIndex
		}
		last = r.key
	}
	return x, nil
}

func (e extent) within(size int64) bool { return int64(e.off)+int64(e.len) <= size }

// word returns one number of a record.
func (x *libraryIndexFile) word(record, n int) uint32 {
	s := x.records[record*recordSize+4*n:]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func (x *libraryIndexFile) key(i int) string {
	off := x.word(i, 0)
	return x.keys[off : off+x.word(i, 1)]
}

func (x *libraryIndexFile) record(i int) indexRecord {
	return indexRecord{key: x.key(i), item: extent{x.word(i, 2), x.word(i, 3), x.word(i, 4)}, body: extent{x.word(i, 5), x.word(i, 6), x.word(i, 7)}}
}

// find returns the numbers of the first record with that key and of the one after the last.
func (x *libraryIndexFile) find(kind byte, name string) (from, to int) {
	from = sort.Search(x.count, func(i int) bool { return compareKey(x.key(i), kind, name) >= 0 })
	for to = from; to < x.count && compareKey(x.key(to), kind, name) == 0; to++ {
	}
	return from, to
}

// prefixed is find for all keys that begin so.
func (x *libraryIndexFile) prefixed(kind byte, prefix string) (from, to int) {
	from = sort.Search(x.count, func(i int) bool { return compareKey(x.key(i), kind, prefix) >= 0 })
	for to = from; to < x.count; to++ {
		if k := x.key(to); k[0] != kind || !strings.HasPrefix(k[1:], prefix) {
			break
		}
	}
	return from, to
}

// compareKey compares a key with kind and name without putting these together.
func compareKey(key string, kind byte, name string) int {
	if key[0] != kind {
		return cmp.Compare(key[0], kind)
	}
	return strings.Compare(key[1:], name)
}
