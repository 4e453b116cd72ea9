package pass

import (
	"slices"
	"strings"
)

// A Setting changes what passes do. They have the names that the compiler's sil-opt has for them.
type Setting struct {
	Name  string
	Value string   // "=N" of one that takes a value, "=false" of one that is on otherwise, "" of a switch that is off otherwise
	Doc   string   // whose passes, and what it makes them do
	Words []string // the values that there are, nil when any is one
	Bare  bool     // it may stand without a value, which is the first of Words then
}

// TakesValue reports whether the setting has a value other than on and off.
func (s *Setting) TakesValue() bool { return s.Value != "" && s.Value != off }

const off = "=false"

// settings lists all settings.
var settings = []Setting{
	{Name: "enforce-exclusivity", Value: "=MODE", Words: []string{"checked", "unchecked", "dynamic-only", "none"}, Doc: "access-marker-elim: with unchecked and none, removes the markers of accesses that are checked at run time too"},
	{Name: "enable-copy-propagation", Value: "=WHERE", Words: []string{"true", "optimizing", "requested-passes-only", "false"}, Bare: true, Doc: "sil-combine: with any but true, leaves the lifetimes of copied values to copy-propagation"},
	{Name: "remove-runtime-asserts", Doc: "sil-combine: remove every cond_fail"},
	{Name: "enable-expand-all", Doc: "lower-aggregate-instrs, sroa: take apart aggregates with many parts too"},
	{Name: "sil-lower-agg-instrs-expand-all", Doc: "lower-aggregate-instrs: take apart aggregates with many parts too"},
	{Name: "sil-semantic-arc-peepholes-all", Doc: "semantic-arc-opts: do all peepholes and nothing else"},
	{Name: "sil-semantic-arc-peepholes-loadcopy-to-loadborrow", Doc: "semantic-arc-opts: only make load_borrow of load [copy]"},
	{Name: "sil-semantic-arc-peepholes-redundant-borrowscope-elim", Doc: "semantic-arc-opts: only remove borrow scopes"},
	{Name: "sil-semantic-arc-peepholes-redundant-copyvalue-elim", Doc: "semantic-arc-opts: only remove copies"},
	{Name: "sil-semantic-arc-peepholes-lifetime-joining", Doc: "semantic-arc-opts: only join the lifetimes of a value and its copy"},
	{Name: "sil-semantic-arc-peepholes-ownership-conversion-elim", Doc: "semantic-arc-opts: only remove unchecked_ownership_conversion"},
	{Name: "sil-semantic-arc-owned-to-guaranteed-phi", Doc: "semantic-arc-opts: only make owned block arguments guaranteed"},
	{Name: "sil-semantic-arc-redundant-move-value-elim", Doc: "semantic-arc-opts: only remove move_value"},
	{Name: "canonical-ossa-rewrite-borrows", Doc: "copy-propagation: move copies out of borrow scopes"},
	{Name: "disable-arc-cm", Doc: "retain-sinking, release-hoisting, late-release-hoisting: do nothing"},
	{Name: "disable-sil-cm-rr-cm", Doc: "accepted: early-codemotion and late-codemotion have no other motion of counts"},
	{Name: "enable-loop-arc", Value: off, Doc: "arc-sequence-opts knows nothing across the back edge of a loop"},
	{Name: "sil-mem2reg-disable-lifetime-canonicalization", Doc: "mem2reg: leave the lifetimes of stored values as they are"},
	{Name: "sil-combine-disable-alloc-stack-opts", Doc: "sil-combine: leave alloc_stack as it is"},
	{Name: "enable-library-evolution", Doc: "generic-specializer: copies are named as those of a module whose types may change"},
	{Name: "sil-partial-specialization", Doc: "generic-specializer: specialize for the types that are known where not all are"},
	{Name: "assert-conf-id", Value: "=N", Doc: "diagnostic-constant-propagation, performance-constant-propagation: the number of the assert configuration, 0 when debugging"},
	{Name: "simplify-instruction", Value: "=NAME", Doc: "onone-simplification, late-onone-simplification, simplification: only these instructions; may be repeated"},
	{Name: "sil-inline-never-function", Value: "=NAME,…", Doc: "inline no function of these names"},
	{Name: "sil-inline-never-functions", Value: "=TEXT", Doc: "inline no function with this in its name"},
	{Name: "enable-lexical-lifetimes", Value: off, Doc: "no lifetime is lexical"},
	{Name: "sil-inline-generics", Doc: "early-inline, inline, late-inline: inline generic functions as others"},
	{Name: "sil-merge-stack-slots", Value: off, Doc: "alloc-stack-hoisting: no two allocations share a slot"},
	{Name: "closure-specialize-eliminate-dead-closures", Value: off, Doc: "closure-specialize: keep closures that are not called any more"},
	{Name: "enable-rc-identity-arg-strip", Value: off, Doc: "a block argument has a reference count of its own"},
	{Name: "sil-infinite-jump-threading-budget", Doc: "simplify-cfg, jumpthread-simplify-cfg: copy blocks for branches whatever they cost"},
	{Name: "looprotate-single-block-loop", Doc: "loop-rotate: rotate loops of one block and a branch too"},
	{Name: "looprotate-size-limit", Value: "=N", Doc: "loop-rotate: the cost of the largest header that is copied"},
	{Name: "sil-fso-disable-owned-to-guaranteed", Doc: "function-signature-opts: leave owned parameters and results as they are"},
	{Name: "sil-fso-disable-dead-argument", Doc: "function-signature-opts: keep arguments that nothing uses"},
	{Name: "sil-fso-disable-arg-explosion", Doc: "function-signature-opts: pass aggregates as a whole"},
	{Name: "sil-fso-optimize-if-not-called", Doc: "function-signature-opts: take every function as called"},
	{Name: "sil-ownership-verifier-enable-testing", Doc: "accepted: ownership-verifier-textual-error-dumper always tells all errors"},
	{Name: "disable-sil-ownership-verification", Doc: "ownership-verifier-textual-error-dumper: tell nothing"},
	{Name: "sil-fso-enable-generics", Value: off, Doc: "function-signature-opts, dead-arg-signature-opt: leave generic functions as they are"},
	{Name: "enable-access-storage-dump-uses", Doc: "access-storage-dump: also the uses of each storage"},
	{Name: "silvm-deinits-unordered", Doc: "load-copy-motion: sink copies over what changes the memory by a deinit only"},
	{Name: "enable-move-inout-stack-protector", Doc: "stack-protection: move memory to the own stack where its owner is unknown"},
	{Name: "enable-experimental-static-assert", Doc: "accepted: dataflow-diagnostics always looks at #assert"},
	{Name: "opt-mode", Value: "=MODE", Words: []string{"none", "speed", "size"}, Doc: "with none, what keeps variables as they are in the source: copy-propagation, silgen-cleanup, alloc-stack-hoisting"},
	{Name: "sil-disable-convert-escape-to-noescape-switch-peephole", Doc: "closure-lifetime-fixup: treat closures in optionals as any other"},
	{Name: "enable-ossa-complete-lifetimes", Doc: "accepted: lifetimes are always completed where a pass needs it"},
}

// LookupSetting returns the setting of that name, nil when there is none.
func LookupSetting(name string) *Setting {
	for n := range settings {
		if settings[n].Name == name {
			return &settings[n]
		}
	}
	return nil
}

// Settings lists all settings in the order of the table.
func Settings() []Setting { return settings }

// IsSet reports whether the run has the setting.
func (c *Context) IsSet(name string) bool {
	return slices.Contains(c.Settings, name)
}

// IsOff reports whether the run was told to leave something out that is done otherwise.
func (c *Context) IsOff(name string) bool { return c.IsSet(name + off) }

// Unoptimized reports whether variables have to stay as they are in the source.
func (c *Context) Unoptimized() bool { return c.ValueOf("opt-mode") == "none" }

// ValueOf returns the value that the run has for a setting with values, "" when it has none.
func (c *Context) ValueOf(name string) string {
	for _, have := range c.Settings {
		if value, ok := strings.CutPrefix(have, name+"="); ok {
			return value
		}
	}
	return ""
}

// ValuesOf returns all values that the run has for a setting, which may be several times, each with several values between commas.
func (c *Context) ValuesOf(name string) []string {
	var list []string
	for _, have := range c.Settings {
		if value, ok := strings.CutPrefix(have, name+"="); ok {
			list = append(list, strings.Split(value, ",")...)
		}
	}
	return list
}

// MayInline reports whether the settings let functions of that name be inlined.
func (c *Context) MayInline(name string) bool {
	part := c.ValueOf("sil-inline-never-functions")
	return !slices.Contains(strings.Split(c.ValueOf("sil-inline-never-function"), ","), name) && (part == "" || !strings.Contains(name, part))
}
