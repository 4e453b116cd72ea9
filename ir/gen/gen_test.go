package gen_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"silvm/ir/gen"
	"silvm/ir/verify"
	"silvm/loader"
)

// TestModulesVerify makes modules in each form and of several sizes: they load, they verify, and they are the same each time.
func TestModulesVerify(t *testing.T) {
	for seed := range uint64(60) {
		o := gen.Options{Seed: seed, Size: 1 + int(seed)%8, Form: gen.Form(seed % 3)}
		text := gen.Module(o)
		if !bytes.Equal(text, gen.Module(o)) {
			t.Fatalf("seed %d gives another module the second time", seed)
		}
		name := fmt.Sprintf("gen%d.sil", seed)
		mod, diags := loader.Load(name, text, loader.Options{})
		if diags.Errors() == 0 {
			verify.Module(mod, diags)
		}
		if diags.Errors() > 0 {
			t.Errorf("silvm gen --seed %d --size %d: %v", seed, o.Size, diags.Err())
		}
		for _, f := range mod.Funcs {
			if f.IsOSSA() != (o.Form == gen.Ownership) && o.Form != gen.Mixed && strings.HasPrefix(f.Name, "f_") {
				t.Errorf("seed %d: @%s is in the wrong form", seed, f.Name)
			}
		}
	}
}

// TestModulesSayMuch counts the words of the language that a few hundred modules use: what a generator never writes it can't test.
func TestModulesSayMuch(t *testing.T) {
	var all bytes.Buffer
	for seed := range uint64(150) {
		all.Write(gen.Module(gen.Options{Seed: seed}))
	}
	text := all.String()
	for _, word := range []string{
		"array.make_mutable", "array.check_subscript", "string.append", "end_cow_mutation", "alloc_ref [stack]", "_hasInitialValue",
		"load [take]", "load [copy]", "load_borrow", "store %0 to [init]", "[assign]", "copy_addr", "begin_borrow [lexical]", "copy_value",
		"destroy_value", "strong_retain", "retain_value", "strong_release", "release_value", "alloc_box", "project_box", "partial_apply [callee_guaranteed] [on_stack]",
		"partial_apply [callee_guaranteed] %", "thin_to_thick_function", "mark_dependence", "try_apply", "throw ", "begin_apply", "end_apply", "abort_apply", "yield ",
		"init_existential_addr", "open_existential_addr", "witness_method", "class_method", "<τ_0_0>", "load_weak", "store_weak", "ref_to_unowned",
		"strong_copy_unowned_value", "ref_to_unmanaged", "is_unique", "begin_cow_mutation", "begin_access [modify] [dynamic]", "begin_access [read] [static]",
		"switch_enum", "indirect case", "checked_cast_br", "unreachable", "destructure_tuple", "destructure_struct", "tuple_extract", "@inout ", "@in ",
		"@in_guaranteed ", "@out ", "@inout_aliasable ", "@error ", "upcast", "fix_lifetime", "global_addr", "ref_tail_addr",
		"move_value [lexical]", "debug_value", "tuple_element_addr", "init_enum_data_addr", "inject_enum_addr", "switch_enum_addr",
		"unchecked_take_enum_data_addr", "select_enum", "cond_fail", "unconditional_checked_cast", "unchecked_ref_cast", "store_borrow",
		"address_to_pointer", "pointer_to_address", "index_raw_pointer", "retain_value_addr", "store_unowned", "load_unowned",
		"convert_escape_to_noescape", "ptrtoint_Word", "inttoptr_Word", "project_existential_box", "ref_tail_addr %borrow", "@yields Builtin.RawPointer",
	} {
		if !strings.Contains(text, word) {
			t.Errorf("no module has %q", word)
		}
	}
}

// TestSwiftRepeats makes Swift programs: the same each time, with braces that match.
func TestSwiftRepeats(t *testing.T) {
	for seed := range uint64(40) {
		o := gen.SwiftOptions{Seed: seed, Size: 1 + int(seed)%8, Embedded: seed%3 == 0, Wide: seed%3 == 1}
		text := gen.Swift(o)
		if !bytes.Equal(text, gen.Swift(o)) {
			t.Fatalf("seed %d gives another program the second time", seed)
		}
		if open, end := bytes.Count(text, []byte("{")), bytes.Count(text, []byte("}")); open != end {
			t.Errorf("seed %d: %d braces open, %d close", seed, open, end)
		}
	}
}
