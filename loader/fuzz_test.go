package loader

import (
	"bytes"
	"strings"
	"testing"

	"silvm/ir"
)

var fuzzSeeds = []string{
	"", "sil", "sil @f : $", "sil_stage raw\nimport Swift\n",
	"sil @f : $@convention(thin) (Int) -> Int {\n[%0: noescape **]\nbb0(%0 : $Int):\n  return %0 : $Int\n}\n",
	"sil_global private [let] @g : $Int = {\n  %0 = integer_literal $Builtin.Int64, -3\n  %initval = struct $Int (%0 : $Builtin.Int64)\n}\n",
	"sil [ossa] @f : $@convention(thin) <T> (@in T, @guaranteed C) -> (@out T, Int, @error any Error) {\n" +
		"bb0(%0 : $*T, %1 : $*T, %2 : @guaranteed $C):\n" +
		"  %3 = class_method %2 : $C, #C.m : (C) -> () -> Int, $@convention(method) (@guaranteed C) -> Int\n" +
		"  %4 = apply %3(%2) : $@convention(method) (@guaranteed C) -> Int, loc \"a.swift\":1:2, scope 3\n" +
		"  copy_addr [take] %1 to [init] %0 : $*T\n" +
		"  br bb1(%4 : $Int)\nbb1(%7 : $Int):\n  return %7 : $Int\n} // end sil function 'f'\n",
	"sil @f : $@convention(thin) () -> () {\nbb0:\n  (%0, %1) = begin_cow_mutation undef : $C\n" +
		"  switch_enum %1 : $Optional<C>, case #Optional.some!enumelt: bb1, default bb2\nbb1(%4 : $C):\n" +
		"  debug_value %4 : $C, let, name \"x\", argno 1, expr op_deref\n  unreachable\nbb2:\n  unreachable\n}\n",
	"sil_vtable C {\n  #C.m: (C) -> () -> Int : @m [override]\n}\nsil_witness_table S: P module main {\n}\n" +
		"class C {\n  @_hasStorage var x: Int { get set }\n}\nsil_scope 1 { loc \"a\":1:2 parent @f : $() -> () }\n",
	"sil @f : $@convention(thin) () -> () {\nbb0:\n  %0 = string_literal utf8 \"a\\n\\u{1F}\"\n  mystery_word %0, [x] 3\n  unreachable\n}\n",
	"import func A.==\nimport A . B\nsil @f : $@convention(thin) () -> ()\n", "import A.\nsil @f : $@convention(thin) () -> ()\n",
	"s\x1bl_stage canonical\nstruct S {\x01 var x: Int\v}\nvar y\x7f: Int // \x00\nsil_property #S.x (\f)\n",
}

// FuzzLex checks that the lexer moves on at every token and cuts the text without gaps that it did not skip.
func FuzzLex(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(s)
	}
	f.Add("apply @ $f @\n@ 1")
	f.Add("\"abc\\\n`x @\"\" #\"==\" #<a>b.c!d -> -1 0x1F 1.5 /* x")
	f.Fuzz(func(t *testing.T, text string) {
		l := lexer{src: text, base: 1}
		for last := -1; ; last = l.off {
			tok := l.next()
			if tok.kind == tokEOF {
				break
			}
			if l.off <= last || l.off > len(text) {
				t.Fatalf("token %q ends at %d, the one before at %d", tok.text, l.off, last)
			}
			start := int(tok.pos) - 1
			cut := text[start:l.off]
			if name, ok := strings.CutPrefix(cut, "@"); ok && tok.kind == tokAt { // space may stand after the sign
				cut = "@" + strings.TrimLeft(name, " \t\n\r")
			}
			if cut != tok.text {
				t.Fatalf("token %q is not the text at %d", tok.text, start)
			}
		}
	})
}

// FuzzParse checks that no text makes the loader panic, and that what it accepts prints as text that it
// reads and prints the same.
func FuzzParse(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, diags := Load("a.sil", text, Options{MaxNesting: 100})
		first := printModule(t, m)
		if diags.Errors() > 0 {
			return
		}
		m, diags = Load("b.sil", first, Options{MaxNesting: 200})
		if diags.Errors() > 0 {
			t.Fatalf("the print does not load: %v\n%s", diags, first)
		}
		if second := printModule(t, m); !bytes.Equal(first, second) {
			t.Fatalf("printed first:\n%s\nprinted second:\n%s", first, second)
		}
	})
}

func printModule(t *testing.T, m *ir.Module) []byte {
	var b bytes.Buffer
	if err := m.Print(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
