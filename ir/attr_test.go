package ir

import (
	"slices"
	"strings"
	"testing"
)

// TestAttrOrder holds the attributes to the order in which sil-opt 6.0.3 prints them.
func TestAttrOrder(t *testing.T) {
	attrs := func(words ...string) (list Attrs) {
		for _, w := range words {
			list = append(list, ParseAttr(w))
		}
		return list
	}
	f := &Function{Attrs: attrs("ossa", "noinline", "transparent", `_semantics "b"`, `_semantics "a"`, "readonly", "Onone", "newer 1"), Blocks: []*Block{{}}}
	want := attrs("transparent", "noinline", "Onone", "readonly", `_semantics "a"`, `_semantics "b"`, "newer 1", "ossa")
	if got := f.printedAttrs(); !slices.Equal(got, want) {
		t.Errorf("a definition prints %q, want %q", got, want)
	}
	f.Blocks = nil
	if got := f.printedAttrs(); !slices.Equal(got, want[:len(want)-1]) {
		t.Errorf("a declaration prints %q, want it without ossa", got)
	}
	if got := attrs("let", "serialized").sorted(); !slices.Equal(got, attrs("serialized", "let")) {
		t.Errorf("a global prints %q", got)
	}
}

// TestWords reads back every word of the closed vocabularies that the printer writes.
func TestWords(t *testing.T) {
	for k := range AttrKind(len(attrWords)) {
		if got := ParseAttr(k.String()); k != AttrUnknown && (got != Attr{Kind: k} || got.String() != k.String()) {
			t.Errorf("[%s] is read as %v", k, got)
		}
	}
	for s := range Semantics(len(semanticsNames)) {
		if got := ParseAttr(s.Attr().String()); got != s.Attr() || got.Semantics() != s {
			t.Errorf("%s is read as %v", s.Attr(), got)
		}
	}
	for l := range Linkage(len(linkageWords)) {
		if got, ok := ParseLinkage(l.String()); ok != (l != LinkageDefault) || got != l {
			t.Errorf("the linkage %s is read as %s", l, got)
		}
	}
	for k := range WitnessEntryKind(len(witnessEntryWords)) {
		if got, ok := ParseWitnessEntryKind(k.String()); ok != (k != WitnessInvalid) || got != k {
			t.Errorf("the entry %s is read as %s", k, got)
		}
	}
	for s := range Stage(len(stageWords)) {
		if got, ok := ParseStage(s.String()); ok != (s != StageUnstated) || got != s {
			t.Errorf("the stage %s is read as %s", s, got)
		}
	}
	for c := range LayoutConstraint(len(layoutWords)) {
		r := Requirement{Kind: ReqLayout, Text: c.String() + "(64)"}
		if got, ok := ParseLayoutConstraint(c.String()); ok != (c != NoLayout) || got != c || r.Layout() != c {
			t.Errorf("the layout %s is read as %s, with a size as %s", c, got, r.Layout())
		}
	}
	for e := range Encoding(len(encodingWords)) {
		if got := new(StringAux); e != EncodingNone {
			if got.SetEncoding(e.String()); got.Encoding != e || got.EncodingWord() != e.String() {
				t.Errorf("the encoding %s is read as %s", e, got.Encoding)
			}
		}
	}
	for k := range Known(len(knownWords)) {
		if got := NewTypes().Nominal(nil, k.String()).Known(); got != k {
			t.Errorf("the type %s is known as %s", k, got)
		}
	}
	for w := range Word(len(wordNames)) {
		if got := (&Inst{Aux: WordsOf(w.String())}).Word(); got != w {
			t.Errorf("%s is read as %s", w, got)
		}
	}
	for k := range KeyPathKind(len(keyPathWords)) {
		if got := NewKeyPathComponent(k.String()); got.Kind != k || got.Word != k.String() {
			t.Errorf("%s is read as %s", k, got.Kind)
		}
	}
	for r := range MetatypeRep(len(metatypeWords)) {
		if got, ok := ParseMetatypeRep(r.String()); ok != (r != MetatypeFormal) || got != r {
			t.Errorf("@%s is read as @%s", r, got)
		}
	}
	for k := range StorageKind(len(storageWords)) {
		if got, ok := ParseStorageKind(k.String()); ok != (k != NoStorage) || got != k {
			t.Errorf("@sil_%s is read as @sil_%s", k, got)
		}
	}
	for r := range Representation(len(representationWords)) {
		f := &FuncType{}
		if f.SetConvention(r.String()); f.Convention != r || f.ConventionWord() != r.String() {
			t.Errorf("@convention(%s) is read as %s", r, f.ConventionWord())
		}
	}
	for k := ModUnknown + 1; k < ModifierKind(len(modifierWords)); k++ {
		args := Modifier{k, k.String() + "(x)"}
		whole := strings.Contains(k.String(), "(") // its argument is part of the word
		if got := ParseModifier(k.String()); got != k.modifier() || !whole && ParseModifier(args.Text) != args {
			t.Errorf("%s is read as %v", k, got)
		}
	}
	for _, other := range []string{"@isolated(other)", "nonisolated(unsafe)"} {
		if got := ParseModifier(other); got.Kind != ModUnknown {
			t.Errorf("%s is read as %s", got.Text, got.Kind)
		}
	}
	for p := PartUnknown + 1; p < DeclPart(len(declParts)); p++ {
		text := "#C.f!jvp." + p.String() + "!" + p.String()
		if got := ParseDeclRef(text); got.Path != "C.f" || got.Text != text || got.First() != PartUnknown || got.Last() != p || len(got.Parts) != 3 {
			t.Errorf("%s is read as %+v", text, got)
		}
	}
	for k := range ThrowsKind(len(throwsWords)) {
		if got, ok := ParseThrows(k.String()); ok != (k != ThrowsNothing) || got != k {
			t.Errorf("%s is read as %s", k, got)
		}
	}
	for k := range BuiltinKind(len(builtinNames)) {
		if name := builtinNames[k]; name != "" && ParseBuiltinType(name) != (BuiltinType{Kind: k, Lanes: 1}) {
			t.Errorf("Builtin.%s is read as %v", name, ParseBuiltinType(name))
		}
	}
	for name, want := range map[string]BuiltinType{
		"Int64": {Kind: BuiltinInt, Lanes: 1, Bits: 64}, "FPIEEE32": {Kind: BuiltinFloat, Lanes: 1, Bits: 32},
		"Vec4xInt8": {Kind: BuiltinVector, Elem: BuiltinInt, Lanes: 4, Bits: 8}, "Vec2xRawPointer": {Kind: BuiltinVector, Elem: BuiltinRawPointer, Lanes: 2},
	} {
		if got := ParseBuiltinType(name); got != want || got.String() != name {
			t.Errorf("Builtin.%s is read as %v", name, got)
		}
	}
	for _, name := range []string{"", "Int", "Intx", "Vec0xInt8", "VecxInt8", "Vec4x", "Vec2xVec2xInt8", "Vec99999999xInt8", "Nothing"} {
		if got := ParseBuiltinType(name); got.Kind != BuiltinUnknown {
			t.Errorf("Builtin.%s is read as %v", name, got)
		}
	}
	f := &FuncType{}
	if f.SetConvention("newer"); f.Convention != RepUnknown || f.ConventionWord() != "newer" {
		t.Errorf("@convention(newer) is read as %s", f.ConventionWord())
	}
}
