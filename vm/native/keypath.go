package native

import (
	"fmt"
	"strings"

	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// Key paths: reading and writing through them, putting them together, comparing and hashing them (stdlib/public/core/KeyPath.swift).

// wholePath is more parts than a key path has: all of them are only read.
const wholePath = ^uint64(0)

var keyPaths = map[string]func(*call){
	"swift_getAtKeyPath":        func(c *call) { c.getAt(c.Arg(0), c.Arg(1), c.Arg(2)) },
	"swift_getAtPartialKeyPath": func(c *call) { c.getAny(c.Arg(0), c.Arg(1), c.Arg(2)) },
	"swift_getAtAnyKeyPath":     getAtAnyKeyPath,
	"swift_setAtWritableKeyPath": func(c *call) {
		c.setAt(c.Arg(1), c.Arg(0), c.Arg(2))
	},
	"swift_setAtReferenceWritableKeyPath": func(c *call) {
		c.setAt(c.Arg(1), c.Arg(0), c.Arg(2))
	},
	"swift_modifyAtWritableKeyPath":          func(c *call) { c.openAt(c.Arg(0), c.Arg(1), true) },
	"swift_modifyAtReferenceWritableKeyPath": func(c *call) { c.openAt(c.Arg(0), c.Arg(1), true) },
	"swift_readAtKeyPath":                    func(c *call) { c.openAt(c.Arg(0), c.Arg(1), false) },
	code.EndPathAccess:                       endPath,

	"$ss18_appendingKeyPaths4root4leafq1_s0B4PathCyxq_G_AEyq_q0_GtAEyxq0_GRb1_r2_lF": func(c *call) { c.appendPaths(c.Arg(0), c.Arg(1)) },
	"$ss20_tryToAppendKeyPaths4root4leafxSgs03AnyD4PathC_AFtAFRbzlF":                 tryToAppendPaths,
	"$ss10AnyKeyPathC2eeoiySbAB_ABtFZ":                                               func(c *call) { c.equalPaths(c.Arg(0), c.Arg(1)) },
	"$ss10AnyKeyPathC4hash4intoys6HasherVz_tF":                                       func(c *call) { c.hashPath(c.Arg(1), c.Arg(0), false) },
	"$ss10AnyKeyPathC9hashValueSivg":                                                 func(c *call) { c.hashPath(c.Arg(0), 0, false) },
	"$ss10AnyKeyPathC13_rawHashValue4seedS2i_tF":                                     func(c *call) { c.hashPath(c.Arg(1), c.Arg(0), true) },
	"$ss10AnyKeyPathC19_storedInlineOffsetSiSgvg":                                    inlineOffset,
	"$ss10AnyKeyPathC16debugDescriptionSSvg":                                         func(c *call) { c.setString(c.newString(c.pathText(c.Arg(0)))) },
	"#AnyKeyPath.hash":                                                               func(c *call) { c.hashPath(c.load(c.Arg(1)), c.Arg(0), false) },
	"#AnyKeyPath.equals":                                                             func(c *call) { c.equalPaths(c.load(c.Arg(0)), c.load(c.Arg(1))) },
	"#AnyKeyPath._rootAndValueType!getter":                                           func(c *call) { c.pathType(0, 1) },
	"#AnyKeyPath._storedInlineOffset!getter":                                         inlineOffset,
	"$ss10AnyKeyPathC8rootTypeypXpvgZ":                                               func(c *call) { c.pathType(0) },
	"$ss10AnyKeyPathC9valueTypeypXpvgZ":                                              func(c *call) { c.pathType(1) },
}

// pathTypes returns Root and Value of a key path object.
func (c *call) pathTypes(path uint64) (root, value *ir.Type) {
	ti, trap := c.TypeOfObject(path)
	if c.fail(trap); c.trap != nil {
		return nil, nil
	}
	if len(ti.Type.Args) != 2 {
		c.fail(c.Internal("a key path of class " + ti.Name))
		return nil, nil
	}
	return ti.Type.Args[0], ti.Type.Args[1]
}

// copyOut copies what the path led to, or nil if an optional chain ended.
func (c *call) copyOut(out, at uint64, value *ir.Type) bool {
	if c.Local(pathNil) == 0 {
		return c.copyTo(out, at, value, code.WitnessInitCopy)
	}
	if opt := c.info(value); c.trap == nil && opt.Layout.Enum != nil {
		c.inject(opt.Layout, out, ir.CaseNone)
	} else {
		c.unsupported("an optional chain whose key path was appended to")
	}
	return true
}

// getAt leaves a copy of the value that the path leads to at out.
func (c *call) getAt(out, root, path uint64) {
	_, value := c.pathTypes(path)
	if c.trap == nil {
		c.walkPath(path, root, wholePath, false, func(at uint64) bool { return c.copyOut(out, at, value) })
	}
}

// setAt moves the value at from to where the path leads.
func (c *call) setAt(path, root, from uint64) {
	_, value := c.pathTypes(path)
	if c.trap == nil {
		c.walkPath(path, root, c.pathPrefix(path), false, func(at uint64) bool {
			ti := c.info(value)
			if c.trap == nil && ti.Layout.Trivial {
				c.copyMem(at, from, ti.Layout.Size)
				return true
			}
			return c.copyTo(at, from, value, code.WitnessAssignTake)
		})
	}
}

// openAt returns the address of the value that the path leads to, for an access that endPath ends, and what that needs.
func (c *call) openAt(root, path uint64, modify bool) {
	reading := wholePath
	if modify {
		reading = c.pathPrefix(path)
	}
	c.walkPath(path, root, reading, true, func(at uint64) bool {
		if c.Local(pathNil) != 0 {
			c.unsupported("reading in place through an optional chain that ends with nil")
		}
		c.Set(0, at)
		c.Set(1, c.Local(pathOpen))
		return true
	})
}

// getAny leaves a copy of the value in an Any at out, which is an Any? as well.
func (c *call) getAny(out, root, path uint64) {
	_, value := c.pathTypes(path)
	if c.trap != nil {
		return
	}
	c.walkPath(path, root, wholePath, false, func(at uint64) bool {
		to, trap := c.InitOpaque(out, c.info(value))
		if c.fail(trap); c.trap != nil {
			return false
		}
		return c.copyOut(to, at, value)
	})
}

// getAtAnyKeyPath leaves an optional: nil when the root is of another type than the path begins with.
func getAtAnyKeyPath(c *call) {
	out, root, path := c.Arg(0), c.Arg(1), c.Arg(2)
	want, _ := c.pathTypes(path)
	have := c.info(c.typeArg(0))
	if c.trap != nil {
		return
	}
	if c.State() == 0 {
		ti, at := c.dynamic(have, root)
		if c.trap != nil {
			return
		}
		if !c.m.Module().Inherits(ti.Type, want) {
			if opt := c.info(c.nominal("Optional", c.anyType())); c.trap == nil {
				c.inject(opt.Layout, out, ir.CaseNone)
			}
			return
		}
		root = at
	}
	c.getAny(out, root, path)
}

// pathType leaves the metatypes of Root and Value of the class of key paths in argument 0, or one of them.
func (c *call) pathType(which ...int) {
	ti, trap := c.TypeOf(c.Arg(0))
	if c.fail(trap); c.trap != nil {
		return
	}
	for i, n := range which {
		if n >= len(ti.Type.Args) {
			c.unsupported("the types of " + ti.Name)
			return
		}
		meta, trap := c.Metadata(ti.Type.Args[n])
		c.fail(trap)
		c.Set(i, meta)
	}
}

// isKeyPath reports whether a type is a class of key paths.
func (c *call) isKeyPath(t *ir.Type) bool {
	return c.m.Module().IsClassType(t) && c.m.Module().AncestorNamed(t, "AnyKeyPath") != nil
}

// The kinds of key path, by class.
var pathClasses = []ir.Known{ir.KnownKeyPath, ir.KnownWritableKeyPath, ir.KnownReferenceWritableKeyPath}

func (c *call) pathKind(path uint64) int {
	ti, trap := c.TypeOfObject(path)
	if c.fail(trap); c.trap == nil {
		for n, known := range pathClasses {
			if ti.Type.Known() == known {
				return n
			}
		}
	}
	return 0
}

// appendPaths leaves the path that goes on with leaf where root ends. Writing needs a leaf that can be written: one that writes to
// an object makes the whole such, one that writes to its base is as good as root.
func (c *call) appendPaths(root, leaf uint64) {
	from, _ := c.pathTypes(root)
	_, to := c.pathTypes(leaf)
	kind := 0
	switch c.pathKind(leaf) {
	case 2:
		kind = 2
	case 1:
		kind = c.pathKind(root)
	}
	if c.trap != nil {
		return
	}
	n, k := c.load(root+code.KeyPathCount), c.load(leaf+code.KeyPathCount)
	t := c.nominal(pathClasses[kind].String(), from, to)
	ref, trap := c.AllocObject(t, code.KeyPathParts+code.KeyPathPart*(n+k), 8)
	if c.fail(trap); c.trap != nil {
		return
	}
	c.store(ref+abi.HeaderSize, 0)
	c.store(ref+code.KeyPathCount, n+k)
	at := ref + code.KeyPathParts
	for _, p := range []uint64{root, leaf} {
		for i := range c.load(p + code.KeyPathCount) {
			from := p + code.KeyPathParts + code.KeyPathPart*i
			c.store(at, c.load(from))
			box := c.load(from + 8)
			c.retain(box)
			c.store(at+8, box)
			at += code.KeyPathPart
		}
	}
	c.Set(0, ref)
}

// tryToAppendPaths puts two key paths together, of which the first must lead to what the second starts from, or returns nil.
func tryToAppendPaths(c *call) {
	_, middle := c.pathTypes(c.Arg(0))
	start, _ := c.pathTypes(c.Arg(1))
	switch {
	case c.trap != nil:
	case middle != start:
		c.Set(0, 0)
	default:
		c.appendPaths(c.Arg(0), c.Arg(1))
	}
}

// equalPaths reports whether two key paths are of one class and lead the same way. Its state is one more than the number of the part whose
// indices were compared.
func (c *call) equalPaths(a, b uint64) {
	if c.State() == 0 {
		x, t1 := c.TypeOfObject(a)
		y, t2 := c.TypeOfObject(b)
		c.fail(t1)
		c.fail(t2)
		if c.trap != nil {
			return
		}
		if a == b || x.Type != y.Type || c.load(a+code.KeyPathCount) != c.load(b+code.KeyPathCount) {
			c.setBool(a == b)
			return
		}
	} else if c.Returned(0)&1 == 0 {
		c.setBool(false)
		return
	}
	for n := c.State(); n < c.load(a+code.KeyPathCount) && c.trap == nil; n++ {
		p, _, box := c.pathPart(a, n)
		q, _, other := c.pathPart(b, n)
		if c.trap != nil {
			return
		}
		if p.Key != q.Key || p.Base != q.Base || p.Value != q.Value {
			c.setBool(false)
			return
		}
		if p.Indices > 0 && p.Equals >= 0 {
			c.SetState(n + 1)
			c.fail(c.Call(p.Equals, box+p.Indices, other+q.Indices))
			return
		}
	}
	c.setBool(true)
}

// hashPath feeds a key path to the hasher at into, or leaves its hash value if that is 0; raw says that into is a seed instead. The
// hash so far is in the first local.
func (c *call) hashPath(path, into uint64, raw bool) {
	if c.State() == 0 {
		c.SetLocal(localFree, 0)
	} else {
		c.SetLocal(localFree, c.Local(localFree)*31+c.Returned(0))
	}
	for n := c.State(); n < c.load(path+code.KeyPathCount) && c.trap == nil; n++ {
		p, _, box := c.pathPart(path, n)
		if c.trap != nil {
			return
		}
		h := newHasher(0)
		h.hashText([]byte(p.Key))
		c.SetLocal(localFree, c.Local(localFree)*31+h.finish())
		if p.Indices > 0 && p.Hash >= 0 {
			c.SetState(n + 1)
			c.fail(c.Call(p.Hash, box+p.Indices))
			return
		}
	}
	word := c.Local(localFree)
	switch {
	case raw:
		c.Set(0, hashWord(into, word))
	case into == 0:
		c.Set(0, hashWord(0, word))
	default:
		c.hashing(into, func(h *hasher) { h.add(word, 8) })
	}
}

// inlineOffset leaves the offset of what the path leads to in its root, if it lies there.
func inlineOffset(c *call) {
	path, offset, ok := c.Arg(0), uint64(0), true
	for n := range c.load(path + code.KeyPathCount) {
		if p, _, _ := c.pathPart(path, n); c.trap == nil {
			ok = ok && p.Kind == code.PathStored
			offset += p.Offset
		}
	}
	if !ok {
		offset = 0
	}
	c.Set(0, offset)
	c.Set(1, flag(!ok))
}

// pathText returns what a key path prints as. The name of a part with accessors stands nowhere in the program: their address is
// printed in its place (AnyKeyPath.debugDescription in stdlib/public/core/KeyPath.swift).
func (c *call) pathText(path uint64) string {
	root, _ := c.pathTypes(path)
	if c.trap != nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(`\` + c.typeName(root, false))
	count := c.load(path + code.KeyPathCount)
	if count == 0 {
		b.WriteString(".self")
	}
	for n := range count {
		p, _, _ := c.pathPart(path, n)
		if c.trap != nil {
			return ""
		}
		switch p.Kind {
		case code.PathChain, code.PathWrap:
			b.WriteByte('?')
		case code.PathForce:
			b.WriteByte('!')
		case code.PathComputed:
			getter, trap := c.FuncHandle(p.Getter)
			if c.fail(trap); c.trap != nil {
				return ""
			}
			fmt.Fprintf(&b, ".<computed 0x%016x (%s)>", getter, c.typeName(p.Value, false))
		default:
			b.WriteString("." + p.Name)
		}
	}
	return b.String()
}

func showKeyPath(c *call, _ *code.TypeInfo, a uint64, _ bool) {
	c.put(c.pathText(c.load(a)))
}
