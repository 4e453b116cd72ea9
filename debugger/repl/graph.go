package repl

import (
	"strings"

	"silvm/debugger"
)

// maxGraph is how many objects a graph as text shows.
const maxGraph = 200

func doGraph(r *REPL, c call) error {
	args := strings.Fields(c.args)
	file := ""
	if n := len(args); n > 0 && (strings.HasSuffix(args[n-1], ".dot") || strings.HasSuffix(args[n-1], ".svg")) {
		file, args = args[n-1], args[:n-1]
	}
	var about *debugger.Object
	if len(args) > 0 {
		o, err := r.object(strings.Join(args, " "))
		if err != nil {
			return err
		}
		about = &o
	}
	if file == "" {
		g := r.d.GraphOf(about, maxGraph)
		r.give(func() any { return r.view.Graph(g) })
		r.graphText(g)
		return nil
	}
	g := r.d.Picture(about)
	text := ""
	if strings.HasSuffix(file, ".dot") {
		text = g.DOT()
	} else {
		text = g.SVG()
	}
	f, err := r.create(file)
	if err != nil {
		return err
	}
	_, err = f.Write([]byte(text))
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		r.printf("wrote %s: %s\n", clean(file), g.Note)
	}
	return err
}

func (r *REPL) graphText(g debugger.Graph) {
	names := map[uint64]string{}
	for _, o := range g.Objects {
		names[o.Ref] = o.Name
	}
	for _, x := range g.Roots {
		r.printf("%s -> %s\n", clean(x.Name), clean(names[x.Ref]))
	}
	for _, o := range g.Objects {
		r.printf("%s (%s)\n", r.paint(Name, clean(o.Name)), o.Counts.String())
		for _, e := range g.Edges {
			if e.From == o.Ref {
				r.printf("  %s -> %s\n", clean(strings.TrimPrefix(e.Name, o.Name)), clean(names[e.To]))
			}
		}
	}
	if g.More {
		r.printf("… only %d objects are shown\n", len(g.Objects))
	}
}
