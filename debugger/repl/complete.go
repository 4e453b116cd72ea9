package repl

import (
	"slices"
	"strings"

	"silvm/debugger"
)

// Complete returns what the word at the end of a line may become, sorted.
func (r *REPL) Complete(line string) []string { return r.complete(line) }

// complete returns what the word at the end of a line may become, sorted.
func (r *REPL) complete(line string) []string {
	if n := strings.LastIndexByte(line, ';'); n >= 0 {
		line = strings.TrimLeft(line[n+1:], " ")
	}
	word := line[strings.LastIndexByte(line, ' ')+1:]
	var offers []string
	if first, _, has := strings.Cut(line, " "); has {
		c, err := lookup(first)
		if err != nil {
			return nil
		}
		offers = r.offers(c.args)
		if c.name == "break" {
			offers = append(offers, debugger.EventWords()...)
			offers = append(offers, r.d.Classes()...)
		}
	} else {
		offers = r.offers(commands_)
		for name := range r.aliases {
			offers = append(offers, name)
		}
	}
	var out []string
	for _, o := range offers {
		if strings.HasPrefix(o, word) && o != "" && !strings.ContainsAny(o, " \t") {
			out = append(out, o)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// maxOffers is how many objects are offered.
const maxOffers = 500

func (r *REPL) offers(k kind) (out []string) {
	objectNames := func() {
		list, _ := r.d.LiveFrom("", 0, maxOffers)
		for _, o := range list {
			out = append(out, o.Name)
		}
	}
	switch k {
	case commands_:
		for _, c := range commands {
			out = append(out, c.name)
		}
	case places:
		for _, f := range r.d.Module().Funcs {
			name, _, _ := strings.Cut(debugger.Short(f), "(")
			out = append(out, name)
		}
	case values, objects:
		objectNames()
		out = append(out, r.d.Classes()...)
		if f, ok := r.d.Frame(r.frame); ok && k == values {
			for _, v := range r.d.Locals(f) {
				out = append(out, v.Name)
			}
			for _, v := range r.d.Values(f) {
				out = append(out, v.Name)
			}
		}
	case events:
		out = append(out, debugger.EventWords()...)
		out = append(out, "finding")
		out = append(out, r.d.Classes()...)
		objectNames()
	case marks:
		for name := range r.d.Bookmarks() {
			out = append(out, name)
		}
		out = append(out, "start", "end")
	}
	return out
}
