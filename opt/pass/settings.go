package pass

import (
	"slices"
	"strings"
)

// A Setting changes what passes do. They have the names that the compiler's sil-opt has for them.
type Setting struct {
	Name  string
	Value string // "=N" of one that takes a value, "=false" of one that is on otherwise, "" of a switch that is off otherwise
	Doc   string // whose passes, and what it makes them do
}

// TakesValue reports whether the setting has a value other than on and off.
func (s *Setting) TakesValue() bool { return s.Value != "" && s.Value != off }

const off = "=false"

// settings lists all settings.
var settings = []Setting{
	{"enable-expand-all", "", "lower-aggregate-instrs, sroa: take apart aggregates with many parts too"},
	{"sil-lower-agg-instrs-expand-all", "", "lower-aggregate-instrs: take apart aggregates with many parts too"},
	{"sil-semantic-arc-peepholes-all", "", "semantic-arc-opts: do all peepholes and nothing else"},
	{"sil-semantic-arc-peepholes-loadcopy-to-loadborrow", "", "semantic-arc-opts: only make load_borrow of load [copy]"},
	{"sil-semantic-arc-peepholes-redundant-borrowscope-elim", "", "semantic-arc-opts: only remove borrow scopes"},
	{"sil-semantic-arc-peepholes-redundant-copyvalue-elim", "", "semantic-arc-opts: only remove copies"},
	{"sil-semantic-arc-peepholes-lifetime-joining", "", "semantic-arc-opts: only join the lifetimes of a value and its copy"},
	{"sil-semantic-arc-peepholes-ownership-conversion-elim", "", "semantic-arc-opts: only remove unchecked_ownership_conversion"},
	{"sil-semantic-arc-owned-to-guaranteed-phi", "", "semantic-arc-opts: only make owned block arguments guaranteed"},
	{"sil-semantic-arc-redundant-move-value-elim", "", "semantic-arc-opts: only remove move_value"},
	{"canonical-ossa-rewrite-borrows", "", "accepted: copy-propagation leaves the copies in borrow scopes as they are"},
	{"disable-arc-cm", "", "retain-sinking, release-hoisting, late-release-hoisting: do nothing"},
	{"disable-sil-cm-rr-cm", "", "accepted: early-codemotion and late-codemotion have no other motion of counts"},
	{"enable-loop-arc", off, "arc-sequence-opts knows nothing across the way back of a loop"},
	{"sil-mem2reg-disable-lifetime-canonicalization", "", "mem2reg: leave the lifetimes of stored values as they are"},
	{"sil-combine-disable-alloc-stack-opts", "", "sil-combine: leave alloc_stack as it is"},
	{"assert-conf-id", "=N", "diagnostic-constant-propagation, performance-constant-propagation: the number of the assert configuration, 0 when debugging"},
	{"simplify-instruction", "=NAME", "onone-simplification, late-onone-simplification, simplification: only these instructions; may be repeated"},
	{"sil-inline-never-function", "=NAME,…", "inline no function of these names"},
	{"sil-inline-never-functions", "=TEXT", "inline no function with this in its name"},
	{"enable-lexical-lifetimes", off, "no lifetime is lexical"},
	{"sil-inline-generics", "", "early-inline, inline, late-inline: inline generic functions as others"},
	{"sil-merge-stack-slots", off, "alloc-stack-hoisting: no two allocations share a slot"},
	{"closure-specialize-eliminate-dead-closures", off, "closure-specialize: keep closures that are not called any more"},
	{"enable-rc-identity-arg-strip", off, "a block argument has a reference count of its own"},
	{"sil-infinite-jump-threading-budget", "", "simplify-cfg, jumpthread-simplify-cfg: copy blocks for branches whatever they cost"},
	{"looprotate-single-block-loop", "", "loop-rotate: rotate loops of one block and a branch too"},
	{"looprotate-size-limit", "=N", "loop-rotate: the cost of the largest header that is copied"},
	{"sil-fso-disable-owned-to-guaranteed", "", "function-signature-opts: leave owned parameters and results as they are"},
	{"sil-fso-disable-dead-argument", "", "function-signature-opts: keep arguments that nothing uses"},
	{"sil-fso-disable-arg-explosion", "", "function-signature-opts: pass aggregates as a whole"},
	{"sil-fso-optimize-if-not-called", "", "function-signature-opts: take every function as called"},
	{"sil-ownership-verifier-enable-testing", "", "accepted: ownership-verifier-textual-error-dumper always tells all errors"},
	{"disable-sil-ownership-verification", "", "ownership-verifier-textual-error-dumper: tell nothing"},
	{"sil-fso-enable-generics", off, "function-signature-opts, dead-arg-signature-opt: leave generic functions as they are"},
	{"enable-access-storage-dump-uses", "", "access-storage-dump: also the uses of each storage"},
	{"silvm-deinits-unordered", "", "load-copy-motion: sink copies over what changes the memory by a deinit only"},
	{"enable-ossa-complete-lifetimes", "", "accepted: lifetimes are always completed where a pass needs it"},
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

// ValueOf returns the value that the run has for a setting with values, "" when it has none.
func (c *Context) ValueOf(name string) string {
	for _, have := range c.Settings {
		if value, ok := strings.CutPrefix(have, name+"="); ok {
			return value
		}
	}
	return ""
}

// ValuesOf returns all values that the run has for a setting, which may stand several times, each with several values between commas.
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
