package mangle

// A Private is what a symbol says of a declaration that only one file sees: a type, or a member of a type that others may see.
type Private struct {
	Type   string // the name of the type, "" for what is in no type
	IsType bool   // the type itself is private
	Member string // what is declared in the type; "" when the symbol only mentions it
	File   string // the file; equal for equal files, and otherwise opaque
}

// Privates returns what a symbol says of private declarations; none for what is no name of Swift.
func Privates(symbol string) []Private {
	root, ok := Parse(symbol)
	if !ok {
		return nil
	}
	var out []Private
	for n := range root.below() {
		outer, name := n.Child(0), n.Child(1)
		if outer.Is(Extension) {
			outer = outer.Child(1)
		}
		file := name.file()
		if n.has(nominal) {
			if file != "" {
				out = append(out, Private{Type: name.Child(1).text(), IsType: true, File: file})
			}
			continue
		}
		switch around := outer.typeFile(); {
		case around != "":
			out = append(out, Private{Type: outer.Child(1).Child(1).text(), IsType: true, Member: name.plain(), File: around})
		case file != "" && outer != nil && outer.has(nominal):
			out = append(out, Private{Type: outer.Child(1).plain(), Member: name.plain(), File: file})
		case file != "":
			out = append(out, Private{Member: name.plain(), File: file})
		}
	}
	return out
}

// file returns the file that a private name belongs to, "" for other nodes.
func (n *Node) file() string {
	if !n.Is(PrivateDeclName) {
		return ""
	}
	return n.Child(0).text()
}

// typeFile returns the file of a private type, "" for other nodes.
func (n *Node) typeFile() string {
	if n == nil || !n.has(nominal) {
		return ""
	}
	return n.Child(1).file()
}

// plain returns a name without what tells whose it is; "" for what has none, as an initializer.
func (n *Node) plain() string {
	switch {
	case n.Is(PrivateDeclName):
		return n.Child(1).text()
	case n.Is(Identifier):
		return n.Text
	}
	return ""
}
