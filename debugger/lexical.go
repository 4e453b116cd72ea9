package debugger

import (
	"regexp"
	"strconv"

	"silvm/ir"
)

// The scopes of variables, from the sil_scope declarations that a text with debug information has.

// lexical is one sil_scope.
type lexical struct {
	parent  int // number of the scope around it, 0 when that is a function
	inlined int // scope of the call that was replaced by its body, 0 when none was
}

var (
	scopeRE   = regexp.MustCompile(`^sil_scope (\d+) \{`)
	parentRE  = regexp.MustCompile(`\bparent (\d+)\b`)
	inlinedRE = regexp.MustCompile(`\binlined_at (\d+)\b`)
)

// lexicals reads the scopes of the program, once.
func (d *Debugger) lexicals() map[int]lexical {
	if d.lexical != nil {
		return d.lexical
	}
	d.lexical = map[int]lexical{}
	number := func(re *regexp.Regexp, text string) int {
		if m := re.FindStringSubmatch(text); m != nil {
			n, _ := strconv.Atoi(m[1])
			return n
		}
		return 0
	}
	for _, item := range d.mod.Items {
		if raw, ok := item.(*ir.Raw); ok {
			if n := number(scopeRE, raw.Text); n > 0 {
				d.lexical[n] = lexical{number(parentRE, raw.Text), number(inlinedRE, raw.Text)}
			}
		}
	}
	return d.lexical
}

// visibleFrom returns the scopes whose variables an instruction in a scope sees, with how far away each is; nil when nothing is known
// of the scope.
func (d *Debugger) visibleFrom(scope int) map[int]int {
	all := d.lexicals()
	if _, ok := all[scope]; !ok || scope == 0 {
		return nil
	}
	out := map[int]int{}
	for s, far := scope, 0; s != 0 && far < 1000; far++ {
		if _, seen := out[s]; seen {
			break
		}
		out[s] = far
		x := all[s]
		if s = x.parent; s == 0 {
			s = x.inlined
		}
	}
	return out
}
