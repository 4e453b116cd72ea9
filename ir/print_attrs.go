package ir

import (
	"slices"
	"strings"
)

// attrOrder lists the first words of the attributes of functions and globals in the order in which the compiler prints them
// (lib/SIL/IR/SILPrinter.cpp, SILFunction::print and SILGlobalVariable::print).
var attrOrder = []string{
	"transparent",
	"serialized", "serialized_for_package", "let",
	"thunk", "signature_optimized_thunk", "reabstraction_thunk", "back_deployed_thunk",
	"dynamically_replacable", "distributed", "runtime_accessible", "lexical_lifetimes", "no_onstack_pack_metadata",
	"unsafe_nonescapable_result", "exact_self_class", "without_actually_escaping",
	"global_init", "global_init_once_fn", "lazy_getter",
	"weak_imported", "available",
	"noinline", "always_inline",
	"Onone", "Ospeed", "Osize",
	"no_locks", "no_allocation", "no_runtime", "no_existentials", "no_objc_bridging", "perf_constraint",
	"readonly", "readnone", "readwrite", "releasenone",
	"dynamic_replacement_for", "ref_adhoc_requirement_witness", "objc_replacement_for",
	"_semantics", "_specialize", "used", "section", "clang", "canonical", "ossa", "stack_protection",
}

var attrPlace = func() map[string]int {
	m := map[string]int{}
	for n, a := range attrOrder {
		m[a] = n
	}
	return m
}()

// compareAttrs orders attributes as they are printed: those that are not listed in front of "ossa", several semantics by name.
func compareAttrs(a, b string) int {
	place := func(a string) int {
		word, _, _ := strings.Cut(a, " ")
		if n, ok := attrPlace[word]; ok {
			return n
		}
		return attrPlace["canonical"]
	}
	n := place(a)
	if n == place(b) && n == attrPlace["_semantics"] {
		return strings.Compare(a, b)
	}
	return n - place(b)
}

func sortedAttrs(attrs []string) []string {
	if slices.IsSortedFunc(attrs, compareAttrs) {
		return attrs
	}
	attrs = slices.Clone(attrs)
	slices.SortStableFunc(attrs, compareAttrs)
	return attrs
}

// printedAttrs returns the attributes of a function as the compiler prints them: "ossa" only with a body.
func (f *Function) printedAttrs() []string {
	attrs := f.Attrs
	if len(f.Blocks) == 0 && slices.Contains(attrs, "ossa") {
		attrs = slices.DeleteFunc(slices.Clone(attrs), func(a string) bool { return a == "ossa" })
	}
	return sortedAttrs(attrs)
}
