// Package picture draws a graph of boxes and arrows: in columns from left to right, so that an arrow never runs behind a box.
//
// The layout is Sugiyama's: arrows that close a circle are turned round, every box gets the column after its last holder, an arrow that passes columns
// has a place of its own in each of them, and boxes are ordered by the means of their neighbours. (K. Sugiyama, S. Tagawa, M. Toda:
// Methods for Visual Understanding of Hierarchical System Structures, 1981.) The boxes of a [Ring] stand below one another in one
// column, their arrows beside them.
//
// It knows nothing of heaps and of what the boxes stand for, and refuses no graph; whoever wants a readable picture gives it few boxes.
// No library serves: those in Go either draw arrows across boxes or are Graphviz as WebAssembly, which costs a second at each start.
// Read layout.go, then svg.go.
package picture

// Kind is what a box stands for, which decides its looks and its words in the legend.
type Kind int

// The kinds of boxes.
const (
	Single  Kind = iota // one object
	Group               // several objects
	Outside             // what is not on the heap
	Lost                // what nothing outside leads to
	Focus               // the object that the picture is about
)

// Box is a node.
type Box struct {
	ID    string // for those who look boxes up in the text, "" for none
	Label string
	Note  string // a second line
	Title string // what is shown when one points at it
	Kind  Kind
	Ring  int // index in Graph.Rings, -1 for none
}

// Arrow is an edge between the boxes with these indices.
type Arrow struct {
	From, To int
	Label    string
	OnRing   bool // it is one of the arrows that make a ring
	Weaken   bool // it is the one to remove
}

// Ring is boxes that belong together. They are in the picture in the order of the graph's boxes.
type Ring struct {
	Label string
	Held  bool // something outside leads to it
}

// Graph is what is to be drawn.
type Graph struct {
	Boxes  []Box
	Arrows []Arrow
	Rings  []Ring
	Note   string // a line below the picture
}
