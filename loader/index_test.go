package loader

import (
	"bytes"
	"encoding/binary"
	"math/rand"
	"strings"
	"testing"
)

var indexedText = []byte("sil_stage canonical\n\nimport Builtin\n\nprotocol Tag {}\n\ntypealias Word = Builtin.Word\n\n" +
	"struct S : ~Copyable { @_hasStorage var x: Builtin.Int64 }\n\nextension S { struct Inner { @_hasStorage var y: Builtin.Int64 } }\n\n" +
	"class C { deinit }\n\n// the global\nsil_global public @g : $Builtin.Int64 = {\n  %initval = integer_literal $Builtin.Int64, 1\n}\n\n" +
	"// f()\n// Isolation: unspecified\nsil public [readnone] @f : $@convention(thin) () -> () {\n[global: read]\nbb0:\n  %0 = tuple ()\n  return %0 : $()\n} // end sil function 'f'\n\n" +
	"sil @declared : $@convention(thin) () -> ()\n\nsil @destroy : $@convention(method) (@owned S) -> ()\n\n" +
	"sil_vtable C {\n  #C.deinit!deallocator: @f\n}\n\nsil_moveonlydeinit S {\n  @destroy\n}\n\n" +
	"sil @$s4main1SV5InnerVfD : $@convention(method) (@owned S.Inner) -> ()\n\nsil_moveonlydeinit Inner {\n  @$s4main1SV5InnerVfD\n}\n\n" +
	"sil_witness_table C: Tag module Swift {\n}\n")

func buildIndex(t testing.TB) []byte {
	index, diags, err := BuildIndex("Swift.sil", indexedText, 1)
	if err != nil || diags.Errors() > 0 {
		t.Fatal(err, diags.Err())
	}
	return index
}

func TestIndexFindsItems(t *testing.T) {
	x, err := decodeIndex(buildIndex(t), int64(len(indexedText)), 2)
	if err != nil {
		t.Fatal(err)
	}
	text := func(e extent) string { return string(indexedText[e.off : e.off+e.len]) }
	for _, want := range []struct {
		kind             byte
		name, begin, end string
	}{
		{keyFunction, "f", "// f()\n", "[global: read]\n"},
		{keyFunction, "declared", "sil @declared", "-> ()"},
		{keyGlobal, "g", "// the global", "}"},
		{keyVTable, "C", "sil_vtable", "}"},
		{keyWitness, "C\x00Tag", "sil_witness_table", "}"},
		{keyDeinit, "S", "sil_moveonlydeinit", "}"},
		{keyDeinit, "S.Inner", "sil_moveonlydeinit", "}"},
		{keyType, "C", "class C", "}"},
		{keyAlias, "Word", " = Builtin.Word", "Word"},
		{keyProtocol, "Tag", "", ""},
	} {
		from, to := x.find(want.kind, want.name)
		if to != from+1 {
			t.Errorf("%c %s: %d records", want.kind, want.name, to-from)
			continue
		}
		if got := text(x.record(from).item); !strings.HasPrefix(got, want.begin) || !strings.HasSuffix(got, want.end) {
			t.Errorf("%c %s is %q, want %q … %q", want.kind, want.name, got, want.begin, want.end)
		}
	}
	if from, to := x.find(keyType, "S"); to != from+2 {
		t.Errorf("S has %d records, want the type and its extension", to-from)
	}
	i, _ := x.find(keyFunction, "f")
	if got := text(x.record(i).body); !strings.HasPrefix(got, "bb0:") || !strings.HasSuffix(got, "$()\n") {
		t.Errorf("the body of @f is %q", got)
	}
	if from, to := x.find(keyFunction, "nobody"); from != to {
		t.Error("a function that nobody has is found")
	}
	if from, to := x.prefixed(keyWitness, "C\x00"); to != from+1 {
		t.Errorf("C has %d witness tables", to-from)
	}
}

// TestDamagedIndex changes and cuts each byte of an index.
func TestDamagedIndex(t *testing.T) {
	index, size := buildIndex(t), int64(len(indexedText))
	for n := range index {
		bad := bytes.Clone(index)
		bad[n] ^= 0x41
		if _, err := decodeIndex(bad, size, 2); err != errIndex {
			t.Fatalf("byte %d of %d changed: %v", n, len(index), err)
		}
		if _, err := decodeIndex(index[:n], size, 2); err != errIndex {
			t.Fatalf("cut after byte %d: %v", n, err)
		}
	}
	if _, err := decodeIndex(append(bytes.Clone(index), 0), size, 2); err != errIndex {
		t.Errorf("a byte too many: %v", err)
	}
	if _, err := decodeIndex(index, size+1, 2); err != errIndex {
		t.Errorf("a text of another size: %v", err)
	}
}

// TestMutatedIndex reads indexes whose checksums are right and which say something else than they should.
func TestMutatedIndex(t *testing.T) {
	good := buildIndex(t)
	opened := 0
	for n := range 4000 {
		r := rand.New(rand.NewSource(int64(n)))
		index := bytes.Clone(good)
		for range 1 + r.Intn(4) {
			at := indexHeader + r.Intn(len(index)-indexHeader)
			if r.Intn(2) == 0 {
				index[at] = byte(r.Intn(256))
			} else {
				index[at] ^= 1 << r.Intn(8)
			}
		}
		if useIndex(index) {
			opened++
		}
	}
	if opened < 100 {
		t.Errorf("%d mutants were opened", opened)
	}
}

// FuzzIndex does so with anything.
func FuzzIndex(f *testing.F) {
	f.Add(buildIndex(f))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, index []byte) { useIndex(index) })
}

// useIndex puts the checksums of an index right and asks it for everything. It reports whether the index could be opened.
func useIndex(index []byte) bool {
	le := binary.LittleEndian
	if len(index) >= indexHeader {
		copy(index, indexMagic)
		for at := indexHeader; at+recordSize <= len(index); at += recordSize {
			for _, piece := range [...]int{2 * 4, 5 * 4} {
				off, n := le.Uint32(index[at+piece:]), le.Uint32(index[at+piece+4:])
				if uint64(off)+uint64(n) <= uint64(len(indexedText)) && at < indexHeader+recordSize*int(le.Uint32(index[len(indexMagic)+8:])) {
					le.PutUint32(index[at+piece+8:], checksum(indexedText[off:off+n]))
				}
			}
		}
		le.PutUint32(index[len(indexMagic):], checksum(index[len(indexMagic)+4:]))
	}
	lib, err := OpenLibrary("Swift", "Swift.sil", bytes.NewReader(indexedText), int64(len(indexedText)), index, 1)
	if err != nil {
		return false
	}
	program := "sil_stage canonical\n\nsil @main : $@convention(thin) (S) -> () {\nbb0(%0 : $S):\n  %1 = function_ref @f : $@convention(thin) () -> ()\n  unreachable\n}\n"
	m, _ := LoadFiles([]Input{{"main.sil", []byte(program)}}, Options{Libraries: []*Library{lib}})
	for name := range m.Archive.FunctionNames() {
		m.Func(name)
	}
	m.Global("g")
	m.VTable("C")
	m.Nominal("S")
	m.Nominal("C")
	m.WitnessTable(m.Types.Nominal(nil, "C"), "Tag")
	m.Conforms(m.Types.Nominal(nil, "C"), m.Types.Nominal(nil, "Tag"))
	for _, f := range m.Funcs {
		_ = f.Body() // an error is as good as a body
	}
	return true
}
