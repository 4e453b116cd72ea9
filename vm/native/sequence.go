package native

import (
	"silvm/ir"
	"silvm/vm/code"
)

// Sequences of strings and characters: those of the standard library's types are read where they lie, those of the program's types
// by calling makeIterator and next.

var sequences = map[string]func(*call){
	"$sSKsSS7ElementRtzrlE6joined9separatorS2S_tF":                   joined,
	"$sSTsSy7ElementRpzrlE6joined9separatorS2S_tF":                   joined,
	"$sSSySSxcSTRzSJ7ElementRtzlufC":                                 stringOfSequence,
	"$sSSySSxcs25LosslessStringConvertibleRzSTRzSJ7ElementSTRtzlufC": stringOfSequence,
	"$sSSySSxcs25LosslessStringConvertibleRzlufC":                    func(c *call) { c.stringOf(itemPrint, c.description) },
	"$sSsySsxcSTRzSJ7ElementRtzlufC":                                 substringOfSequence,
	"$sSS6append10contentsOfyx_tSTRzSJ7ElementRtzlF":                 appendSequence,
	"$sSS6append10contentsOfySS_tF":                                  func(c *call) { c.appendAt(c.Arg(2), c.scratch(c.argString(0))) },
	"$sSS6append10contentsOfySs_tF": func(c *call) {
		w := &c.lib.w
		w.out = append(w.out[:0], c.viewOf(c.argSubstring(0), 0)...)
		c.appendAt(c.Arg(4), w.out)
	},
}

// The first free locals of a native that walks a sequence.
const (
	localIterator = localFree + 2 + iota // its address, 0 when there is none
	localElement                         // where next puts what it returns
	localIndex                           // elements so far
)

// The states of such a native.
const (
	stateQuiet = 60 + iota // what was called returns nothing
	stateNext              // next returned an optional element
)

// textOfSequence writes the texts of the elements of the sequence of type t at a, with the separator of argument scalars 0 and 1 between
// them if sep. The sequence is destroyed at the end if owned.
func (c *call) textOfSequence(t *ir.Type, a uint64, sep, owned bool, end func(text []byte)) {
	if c.State() == 0 {
		c.SetLocal(localIterator, 0)
		c.SetLocal(localIndex, 0)
	}
	begin := func() {
		if owned {
			c.push(itemDestroy, c.info(t), a, 0)
		}
		if !c.walkKnown(t, a, func(text []byte) { c.putElement(text, sep) }) {
			c.push(itemIterate, c.info(t), a, flag(sep))
		}
	}
	if c.State() == stateNext {
		c.takeNext(t, sep, begin, end)
		return
	}
	c.writing(begin, nil, end)
}

func (c *call) putElement(text []byte, sep bool) {
	n := c.Local(localIndex)
	if sep && n > 0 {
		c.putString(c.argString(0))
	}
	c.SetLocal(localIndex, n+1)
	c.lib.w.out = append(c.lib.w.out, text...)
}

// walkKnown goes through a sequence of the standard library; false when it is none that is known here.
func (c *call) walkKnown(t *ir.Type, a uint64, each func(text []byte)) bool {
	known := t.Known()
	reversed := known == ir.KnownReversedCollection
	if reversed {
		t = t.Args[0]
		known = t.Known()
	}
	var parts []string
	add := func(b []byte) {
		if reversed {
			parts = append(parts, string(b))
		} else {
			each(b)
		}
	}
	switch known {
	case ir.KnownString, ir.KnownSubstring:
		s := whole(c.loadString(a))
		if known == ir.KnownSubstring {
			s = c.loadSubstring(a)
		}
		for b := c.viewOf(s, 1); len(b) > 0; {
			n := graphemeLen(b)
			add(b[:n])
			b = b[n:]
		}
	case ir.KnownArray, ir.KnownContiguousArray, ir.KnownArraySlice:
		elem := c.info(t.Args[0])
		if c.trap != nil {
			return true
		}
		if !isText(elem.Type) {
			return false
		}
		first, n := c.elements(known, elem, a)
		for ; n > 0 && c.trap == nil; n-- {
			add(c.viewText(elem.Type, first))
			first += elem.Layout.Stride
		}
	default:
		return false
	}
	for i := len(parts) - 1; i >= 0; i-- {
		each([]byte(parts[i]))
	}
	return true
}

func isText(t *ir.Type) bool {
	switch t.Known() {
	case ir.KnownString, ir.KnownCharacter, ir.KnownSubstring:
		return true
	}
	return false
}

// viewText returns the bytes of the String, Character or Substring at a; see view.
func (c *call) viewText(t *ir.Type, a uint64) []byte {
	if t.Known() == ir.KnownSubstring {
		return c.viewOf(c.loadSubstring(a), 1)
	}
	return c.view(c.loadString(a), 1)
}

// iterate begins to walk the sequence at x.a: a copy of it makes the iterator.
func (c *call) iterate(x item) bool {
	mod, t := c.m.Module(), x.ti.Type
	iterator := mod.AssociatedType(t, "Sequence", "Iterator")
	element := mod.AssociatedType(t, "Sequence", "Element")
	if decl := mod.DeclOf(t); iterator == nil || element == nil || !isText(element) || decl == nil {
		c.unsupported("the elements of " + t.String())
		return false
	}
	it, opt := c.info(iterator), c.info(c.nominal("Optional", element))
	make, trap := c.Requirement("#Sequence.makeIterator", t)
	c.fail(trap)
	if c.trap != nil {
		return false
	}
	at := c.allocRaw(max(it.Layout.Size, 8), max(it.Layout.Align, 8))
	out := c.allocRaw(max(opt.Layout.Size, 8), 8)
	own := c.allocRaw(max(x.ti.Layout.Size, 8), max(x.ti.Layout.Align, 8))
	c.SetLocal(localIterator, at)
	c.SetLocal(localElement, out)
	c.push(itemFree, nil, out, 0)
	c.push(itemFree, nil, at, 0)
	c.push(itemDestroy, it, at, 0)
	c.push(itemNext, it, at, x.i)
	c.push(itemFree, nil, own, 0)
	c.push(itemCall, nil, uint64(make), own)
	meta, trap := c.MetadataOf(x.ti)
	c.fail(trap)
	if c.trap == nil {
		c.SetState(stateQuiet)
		c.fail(c.CallValueWitness(meta, code.WitnessInitCopy, own, x.a))
	}
	return true
}

// callNext asks the iterator at x.a for an element.
func (c *call) callNext(x item) bool {
	next, trap := c.Requirement("#IteratorProtocol.next", x.ti.Type)
	c.fail(trap)
	if c.trap == nil {
		c.SetState(stateNext)
		c.fail(c.Call(next, c.Local(localElement), x.a))
	}
	return true
}

// takeNext goes on with what next returned.
func (c *call) takeNext(t *ir.Type, sep bool, begin func(), end func([]byte)) {
	element := c.m.Module().AssociatedType(t, "Sequence", "Element")
	opt := c.info(c.nominal("Optional", element))
	if c.trap != nil {
		return
	}
	out := c.Local(localElement)
	k := c.caseOf(opt.Layout, out)
	if k == nil {
		return
	}
	c.resumed = func() {
		if k.Name == ir.CaseNone {
			return
		}
		c.putElement(c.viewText(element, out), sep)
		if element.Known() == ir.KnownSubstring {
			c.releaseString(c.loadSubstring(out).base)
		} else {
			c.releaseString(c.loadString(out))
		}
		it := c.info(c.m.Module().AssociatedType(t, "Sequence", "Iterator"))
		c.push(itemNext, it, c.Local(localIterator), flag(sep))
	}
	c.writing(begin, nil, end)
}

// destroyItem destroys the value of type ti at a.
func (c *call) destroyItem(ti *code.TypeInfo, a uint64) bool {
	if c.trap != nil || ti.Layout.Trivial {
		return false
	}
	c.SetState(stateQuiet)
	c.destroy(ti, a)
	return true
}

func joined(c *call) {
	c.textOfSequence(c.typeArg(0), c.Arg(2), true, false, func(text []byte) { c.setString(c.newStringBytes(text)) })
}

func stringOfSequence(c *call) {
	c.textOfSequence(c.typeArg(0), c.Arg(0), false, true, func(text []byte) { c.setString(c.newStringBytes(text)) })
}

func substringOfSequence(c *call) {
	c.textOfSequence(c.typeArg(0), c.Arg(0), false, true, func(text []byte) { c.setSubstring(whole(c.newStringBytes(text))) })
}

func appendSequence(c *call) {
	c.textOfSequence(c.typeArg(0), c.Arg(0), false, false, func(text []byte) { c.appendAt(c.Arg(1), text) })
}
