package native

import (
	"silvm/ir"
	"silvm/vm/code"
)

// Walking a key path (stdlib/public/core/KeyPath.swift). A part is read in place where the value lies, or an accessor puts its value
// into a temporary. What there is to do once the access ends is a list of records in raw memory, last made first.

// The locals of a native that walks a key path.
const (
	pathNext  = localFree + iota // number of the part that comes next
	pathAt                       // address of the value so far
	pathOpen                     // newest record, 0 for none
	pathNew                      // record that is being filled
	pathNil                      // 1 once an optional chain met nil
	pathStage                    // of cleaning: how far the newest record is
)

// The states of such a native.
const (
	pathGot = 40 + iota // a getter or copy put a value into the new record
	pathWrapped
	pathReached // what is done with the value is done
	pathClean
)

// A record: the words below, then a value.
const (
	recordNext  = 0
	recordKind  = 8
	recordPart  = 16
	recordBase  = 24 // of a setter: address of its base; of a reference: the reference
	recordBox   = 32 // the box with the indices
	recordValue = 48
)

// The kinds of records.
const (
	recordTemp   = iota + 1 // a value to destroy
	recordWrite             // a value to hand to the setter first
	recordObject            // a reference to give up
)

// pathPart returns part n of a key path and the box with its indices.
func (c *call) pathPart(path, n uint64) (*code.PathPart, uint64, uint64) {
	at := path + code.KeyPathParts + n*code.KeyPathPart
	index := c.load(at)
	box := c.load(at + 8)
	if c.trap != nil {
		return nil, 0, 0
	}
	p := c.PathPart(index)
	if p == nil {
		c.fail(c.Internal("a key path without its parts"))
	}
	return p, index, box
}

// pathPrefix is the number of leading parts that are only read when the key path writes: those before the last object.
func (c *call) pathPrefix(path uint64) uint64 {
	prefix := uint64(0)
	for n := range c.load(path + code.KeyPathCount) {
		p, _, _ := c.pathPart(path, n)
		if c.trap != nil {
			return 0
		}
		if p.IsReference() {
			prefix = n
		}
	}
	return prefix
}

// walkPath goes from the value at root to that at the end of the path, reading only in the first parts, and does final there: it
// reports whether it is done at once. Afterwards it cleans up, unless that is left to endPath.
func (c *call) walkPath(path, root, reading uint64, hold bool, final func(at uint64) bool) {
	switch c.State() {
	case 0:
		c.SetLocal(pathNext, 0)
		c.SetLocal(pathAt, root)
		c.SetLocal(pathOpen, 0)
		c.SetLocal(pathNil, 0)
	case pathGot, pathWrapped:
		record := c.Local(pathNew)
		if c.State() == pathWrapped {
			c.wrapRecord(record)
		}
		c.openRecord(record)
		c.SetLocal(pathAt, record+recordValue)
		c.SetLocal(pathNext, c.Local(pathNext)+1)
	case pathReached:
		if !hold {
			c.SetLocal(pathStage, 0)
			c.closePath()
		}
		return
	case pathClean:
		c.closePath()
		return
	}
	count := c.load(path + code.KeyPathCount)
	for c.trap == nil && c.Local(pathNext) < count && c.Local(pathNil) == 0 {
		if !c.walkPart(path, c.Local(pathNext), reading) {
			return
		}
		c.SetLocal(pathNext, c.Local(pathNext)+1)
	}
	if c.trap != nil {
		return
	}
	if !final(c.Local(pathAt)) {
		c.SetState(pathReached)
		return
	}
	if !hold {
		c.SetLocal(pathStage, 0)
		c.closePath()
	}
}

// walkPart does one part; false when the native has to wait for a function.
func (c *call) walkPart(path, n, reading uint64) bool {
	p, index, box := c.pathPart(path, n)
	if c.trap != nil {
		return false
	}
	at := c.Local(pathAt)
	switch p.Kind {
	case code.PathStored:
		c.SetLocal(pathAt, at+p.Offset)
	case code.PathClass:
		ref := c.load(at)
		if n >= reading {
			c.retain(ref)
			r := c.newRecord(recordObject, index, 0, nil)
			c.store(r+recordBase, ref)
			c.openRecord(r)
		}
		c.SetLocal(pathAt, ref+p.Offset)
	case code.PathComputed:
		kind := uint64(recordTemp)
		if n >= reading && p.Setter >= 0 && reading < c.load(path+code.KeyPathCount) {
			kind = recordWrite
		}
		r := c.newRecord(kind, index, box, c.info(p.Value))
		c.store(r+recordBase, at)
		c.SetLocal(pathNew, r)
		c.SetState(pathGot)
		if c.trap == nil {
			c.fail(c.Call(p.Getter, c.withIndices(p, box, r+recordValue, at)...))
		}
		return false
	case code.PathChain, code.PathForce:
		opt := c.info(p.Base)
		if c.trap != nil {
			return false
		}
		k := c.caseOf(opt.Layout, at)
		switch {
		case k == nil || k.Name != ir.CaseNone:
		case p.Kind == code.PathChain:
			c.SetLocal(pathNil, 1)
		default:
			c.fail(c.SwiftTrap("unexpectedly found nil while unwrapping an Optional value"))
		}
	case code.PathWrap:
		r := c.newRecord(recordTemp, index, 0, c.info(p.Value))
		c.SetLocal(pathNew, r)
		c.SetState(pathWrapped)
		if !c.copyTo(r+recordValue, at, p.Base, code.WitnessInitCopy) {
			return false
		}
		c.wrapRecord(r)
		c.openRecord(r)
		c.SetLocal(pathAt, r+recordValue)
	}
	return c.trap == nil
}

// withIndices returns the arguments of an accessor.
func (c *call) withIndices(p *code.PathPart, box uint64, args ...uint64) []uint64 {
	if p.Indices > 0 {
		args = append(args, box+p.Indices)
	}
	return args
}

// wrapRecord makes the payload in a record an optional.
func (c *call) wrapRecord(r uint64) {
	if p := c.PathPart(c.load(r + recordPart)); p != nil {
		if opt := c.info(p.Value); c.trap == nil {
			c.inject(opt.Layout, r+recordValue, ir.CaseSome)
		}
	}
}

// newRecord makes a record with room for a value of type ti, if any.
func (c *call) newRecord(kind, part, box uint64, ti *code.TypeInfo) uint64 {
	size, align := uint64(recordValue), uint64(16)
	if ti != nil {
		size, align = size+ti.Layout.Size, max(align, ti.Layout.Align)
	}
	if align > 16 {
		c.unsupported("a key path through a value of type " + ti.Name + ", which is aligned to more than 16 bytes")
		return 0
	}
	r := c.allocRaw(size, align)
	c.store(r+recordKind, kind)
	c.store(r+recordPart, part)
	c.store(r+recordBox, box)
	return r
}

func (c *call) openRecord(r uint64) {
	c.store(r+recordNext, c.Local(pathOpen))
	c.SetLocal(pathOpen, r)
}

// copyTo copies or moves a value by a witness; false when the native has to wait for it.
func (c *call) copyTo(to, from uint64, t *ir.Type, w code.Witness) bool {
	ti := c.info(t)
	if c.trap != nil {
		return false
	}
	if ti.Layout.Trivial || w == code.WitnessInitTake && ti.Layout.BitwiseTakable {
		c.copyMem(to, from, ti.Layout.Size)
		return c.trap == nil
	}
	meta, trap := c.MetadataOf(ti)
	c.fail(trap)
	if c.trap == nil {
		c.fail(c.CallValueWitness(meta, w, to, from))
	}
	return false
}

// closePath works off the records.
func (c *call) closePath() {
	for c.trap == nil && c.Local(pathOpen) != 0 {
		r := c.Local(pathOpen)
		p := c.PathPart(c.load(r + recordPart))
		if p == nil {
			c.fail(c.Internal("a record of an access by key path without its part"))
			return
		}
		kind, stage := c.load(r+recordKind), c.Local(pathStage)
		c.SetState(pathClean)
		switch {
		case kind == recordObject && stage == 0:
			c.SetLocal(pathStage, 2)
			dies, t := c.ReleaseNow(c.load(r + recordBase))
			if c.fail(t); dies {
				return
			}
		case kind == recordWrite && stage == 0:
			c.SetLocal(pathStage, 1)
			c.fail(c.Call(p.Setter, c.withIndices(p, c.load(r+recordBox), r+recordValue, c.load(r+recordBase))...))
			return
		case stage < 2:
			c.SetLocal(pathStage, 2)
			if ti := c.info(p.Value); c.trap == nil && !ti.Layout.Trivial {
				c.destroy(ti, r+recordValue)
				return
			}
		}
		c.SetLocal(pathOpen, c.load(r+recordNext))
		c.SetLocal(pathStage, 0)
		c.freeRaw(r)
	}
}

// endPath ends an access that walkPath has left open; argument 0 is its newest record.
func endPath(c *call) {
	if c.State() == 0 {
		c.SetLocal(pathOpen, c.Arg(0))
		c.SetLocal(pathStage, 0)
	}
	c.closePath()
}
