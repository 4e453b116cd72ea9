package loader

import (
	"strings"

	"silvm/ir/mangle"
)

// gatherBodies reads which private declarations the bodies of functions mention, by what has the function around it at the top of the text.
// What was inlined mentions those of its own file, and a specialization those of its type arguments: so several files tell nothing, and
// one tells only between two that are possible.
func (p *privates) gatherBodies(texts []string) {
	p.bodies = map[string]map[string]bool{}
	for _, text := range texts {
		for {
			n := strings.Index(text, "\nsil ")
			if n < 0 {
				break
			}
			text = text[n+len("\nsil "):]
			head, _, _ := strings.Cut(text, "\n")
			if !strings.HasSuffix(head, "{") {
				continue
			}
			body := text
			if end := strings.Index(text, "\n}"); end >= 0 {
				body, text = text[:end], text[end:]
			}
			p.gatherBody(body)
		}
	}
}

// gatherBody is gatherBodies for one function, from its name on.
func (p *privates) gatherBody(text string) {
	if !strings.Contains(text, "LL") {
		return
	}
	own := ""
	eachSymbol(text, func(symbol string) {
		switch {
		case own == "":
			own = symbol
		case !strings.Contains(own, "LL") && strings.Contains(symbol, "LL"):
			for _, x := range mangle.Privates(symbol) {
				note(p.bodies, mangle.OutermostName(own), x.File)
			}
		}
	})
}
