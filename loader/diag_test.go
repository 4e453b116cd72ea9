package loader_test

import (
	"strconv"
	"strings"
	"testing"

	"silvm/loader"
)

// in wraps the text of a body in a function with two arguments.
func in(body string) string {
	return "sil_stage canonical\nimport Builtin\n\n" +
		"sil @f : $@convention(thin) (Builtin.Int64, Builtin.Int1) -> Builtin.Int64 {\n" +
		"bb0(%0 : $Builtin.Int64, %1 : $Builtin.Int1):\n" + body + "}\n"
}

// TestDiagnostics loads wrong text; want holds a part of each message, in the order of the text.
func TestDiagnostics(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"misspelled instruction", in("  %2 = integer_litteral $Builtin.Int64, 1\n  return %2 : $Builtin.Int64\n"),
			[]string{"6:8: unknown instruction 'integer_litteral', did you mean 'integer_literal'?"}},
		{"misspelled linkage", "sil hiden @f : $@convention(thin) () -> ()\n",
			[]string{"1:5: unknown linkage 'hiden', did you mean 'hidden'?"}},
		{"misspelled item", "sil_globl @g : $Builtin.Int64\n", []string{"1:1: unknown item 'sil_globl', did you mean 'sil_global'?"}},
		{"unknown qualifier", in("  %2 = load [coppy] %0 : $Builtin.Int64\n  return %0 : $Builtin.Int64\n"),
			[]string{"6:13: load has no qualifier [coppy], did you mean 'copy'?"}},
		{"undefined value", in("  return %7 : $Builtin.Int64\n"), []string{"6:10: %7 is used but never defined"}},
		{"undefined block", in("  br bb9\n"), []string{"6:6: bb9 is used but never defined"}},
		{"redefined value", in("  %0 = integer_literal $Builtin.Int64, 1\n  return %0 : $Builtin.Int64\n"),
			[]string{"6:3: %0 is defined twice"}},
		{"redefined block", in("  br bb0\nbb0:\n  unreachable\n"), []string{"7:1: bb0 is defined twice"}},
		{"wrong type at use", in("  return %0 : $Builtin.Int32\n"), []string{"6:10: %0 is used as $Builtin.Int32, but it is $Builtin.Int64"}},
		{"wrong type at a use before the definition", in("  br bb2\nbb1:\n  return %2 : $Builtin.Int32\nbb2:\n" +
			"  %2 = integer_literal $Builtin.Int64, 1\n  br bb1\n"),
			[]string{"8:10: %2 is used as $Builtin.Int32, but it is $Builtin.Int64"}},
		{"no terminator", in("  %2 = integer_literal $Builtin.Int64, 1\n"), []string{"bb0 of @f does not end in a terminator"}},
		{"after the terminator", in("  return %0 : $Builtin.Int64\n  return %0 : $Builtin.Int64\n"),
			[]string{"7:3: return ends bb0, but return follows"}},
		{"too many results", in("  (%2, %3) = integer_literal $Builtin.Int64, 1\n  return %0 : $Builtin.Int64\n"),
			[]string{"6:3: integer_literal gives one result, not 2"}},
		{"result of nothing", in("  %2 = cond_fail %1 : $Builtin.Int1, \"x\"\n  return %0 : $Builtin.Int64\n"),
			[]string{"cond_fail gives no result, not 1"}},
		{"two on a line", in("  cond_fail %1 : $Builtin.Int1, \"x\" return %0 : $Builtin.Int64\n"),
			[]string{"found 'return' where the end of the instruction was expected"}},
		{"all errors of a body", in("  %2 = foo %0\n  cond_fail %8, \"x\"\n  return %9 : $Builtin.Int64\n"),
			[]string{"7:13: %8 is used before its definition and without its type", "7:13: %8 is used but never defined", "8:10: %9 is used but never defined"}},
		{"errors of several items", "sil @f : Int\nsil @g : $@convention(thin) () -> ()\nsil_global @x $Int\n",
			[]string{"1:10: ", "3:15: found '$' where ':' was expected"}},
		{"import without its last part", "import A.B.\nsil @f : Int\nimport C. // D\nimport E.", []string{
			"1:11: a part of the name of a module was expected after '.'", "2:10: ", "3:9: a part of the name", "4:9: a part of the name"}},
		{"dot on the line after an import", "import A\n.B\n", []string{"2:1: found '.'"}},
		{"open string in a key path", in("  %2 = keypath $KeyPath<S, Int>, (root $S; gettable_property $Int, id @g : $@co\"x,\n    getter @g : $Int)\n" +
			"  %3 = keypath $KeyPath<S, Int>, (root $S; stored_property #S.\"a\\\"\n   : $Int)\n" +
			"  unreachable\n"), []string{"6:80: found '\"x,' where a string that ends on its line was expected", "8:60: found"}},
		{"open body", "sil @f : $@convention(thin) () -> () {\nbb0:\n  unreachable\n", []string{"1:38: the body of @f is never closed"}},
		{"function of another type", "sil @f : $Builtin.Int64\n", []string{"the type of a function must be a function type, found $Builtin.Int64"}},
		{"two definitions", in("  unreachable\n") + in("  unreachable\n"), []string{"@f is defined twice"}},
		{"bad escape", in("  cond_fail %1 : $Builtin.Int1, \"\\q\"\n  unreachable\n"), []string{"malformed string"}},
		{"deep nesting", in("  %2 = metatype $" + strings.Repeat("(", 3000) + ")\n  unreachable\n"), []string{"nested deeper than 1000 levels"}},
		{"unknown field", "struct P {\n  @_hasStorage var width: Builtin.Int64 { get set }\n}\n" +
			"sil @g : $@convention(thin) (P) -> () {\nbb0(%0 : $P):\n  %1 = struct_extract %0 : $P, #P.widht\n  unreachable\n}\n",
			[]string{"6:3: P has no member 'widht', did you mean 'width'?"}},
		{"not text", "sil \xff", []string{"not text in UTF-8"}},
		{"serialized", "\xe2\x9c\xa8\x0e\xff", []string{"not text in UTF-8, but serialized SIL or a module (.sib, .swiftmodule); `swiftc -emit-sil"}},
		{"object file", "\x7fELF\xff", []string{"but a program or object file"}},
		{"dump", "*** SIL module before SILGen Passes ***\nsil_stage raw\n", []string{"1:1: the text is a dump of the compiler's passes"}},
		{"dump of a function", "x.swift:1:1: warning: x\n  *** SIL function after  #1, stage A, pass 1: B (b)\nsil @f : $@convention(thin) () -> ()\n",
			[]string{"the text is a dump of the compiler's passes, which `silvm validate --dump` reads"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, diags := loader.Load("t.sil", []byte(tt.text), loader.Options{})
			var got []string
			for _, d := range diags.All() {
				line := d.Msg
				if p := m.Files.Place(d.Pos); p.Line > 0 {
					line = strings.Join([]string{strconv.Itoa(p.Line), strconv.Itoa(p.Col), " " + d.Msg}, ":")
				}
				got = append(got, line)
			}
			if len(got) != len(tt.want) {
				t.Fatalf("got %d diagnostics, want %d:\n%s", len(got), len(tt.want), strings.Join(got, "\n"))
			}
			for n := range got {
				if !strings.Contains(got[n], tt.want[n]) {
					t.Errorf("got  %s\nwant %s", got[n], tt.want[n])
				}
			}
		})
	}
}
