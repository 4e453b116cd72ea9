package native

import (
	"encoding/binary"
	"math"

	"silvm/ir"
	"silvm/vm/code"
)

// Equality and hashes of what is in AnyHashable. Numbers are equal whatever their types are, and so are arrays, sets and dictionaries whose
// elements are equal as AnyHashable (stdlib/public/core/AnyHashable.swift, _HasCustomAnyHashableRepresentation).

// kept returns the type and the place of what AnyHashable keeps of a value: of optionals with what says itself how it is kept, what is inside.
// Of a member of a set or dictionary, which the library casts, that is so for all optionals.
func (c *call) kept(ti *code.TypeInfo, a uint64, member bool) (*code.TypeInfo, uint64) {
	for c.trap == nil && ti.Type.IsOptional() && (member || canonicalBoxes[c.innermost(ti.Type).Known()]) {
		k := c.caseOf(ti.Layout, a)
		if c.trap != nil || k.Name == ir.CaseNone {
			break
		}
		payload, at := c.payloadOf(ti.Layout, k, a)
		ti, a = c.info(payload.Type), at
	}
	switch {
	case c.trap != nil:
	case ti.Type.Known() == ir.KnownAnyHashable:
		a, ti = c.anyHashable(a)
	case ti.Class != nil:
		ti = c.info(c.hashableBase(a, ti))
	}
	return ti, a
}

// hashBoxed feeds a value as AnyHashable does to the Hasher at h. It says true when a function was called for that.
func (c *call) hashBoxed(ti *code.TypeInfo, a, h uint64) bool {
	ti, a = c.kept(ti, a, false)
	if n, ok := c.canonical(ti, a); ok {
		c.hashing(h, func(h *hasher) { h.add(n.bits, 8) })
		return false
	}
	if c.trap != nil {
		return false
	}
	args := ti.Type.Args
	switch known := ti.Type.Known(); {
	case known == ir.KnownArray:
		elem := c.info(args[0])
		if c.trap == nil {
			first, n := c.elements(known, elem, a)
			c.hashing(h, func(h *hasher) { h.add(n, 8) })
			c.push(itemHashBoxed, elem, first, n)
		}
		return false
	case known == ir.KnownSet && c.isRehashed(args[0]):
		seed, sum := c.loadHasher(h).finish(), uint64(0)
		c.members(ti.Type, a, func(key, _ *code.TypeInfo, at, _ uint64) {
			one := newHasher(seed)
			c.feedMember(one, key, at)
			sum ^= one.finish()
		})
		c.hashing(h, func(h *hasher) { h.add(sum, 8) })
		return false
	case known == ir.KnownDictionary && (c.isRehashed(args[0]) || c.isRehashed(args[1])):
		sum, before := uint64(0), *c.loadHasher(h)
		c.members(ti.Type, a, func(key, value *code.TypeInfo, at, valueAt uint64) {
			one := before
			c.feedMember(&one, key, at)
			c.feedMember(&one, value, valueAt)
			sum ^= one.finish()
		})
		c.hashing(h, func(h *hasher) { h.add(sum, 8) })
		return false
	}
	return c.hashItem(ti, a)
}

// feedMember hashes a member of a set or dictionary as AnyHashable does.
func (c *call) feedMember(h *hasher, ti *code.TypeInfo, a uint64) {
	of := ti
	ti, a = c.kept(ti, a, true)
	n, isNumber := c.canonical(ti, a)
	switch {
	case c.trap != nil:
	case isNumber:
		h.add(n.bits, 8)
	case ti.Type.Known() == ir.KnownString:
		h.hashText(c.view(c.loadString(a), 0))
	case ti.Type.IsOptional(): // nil
		h.add(0, 1)
	default:
		c.unsupported("hashing AnyHashable with members of type " + of.Name)
	}
}

// isRehashed reports whether members of a type have another hash in AnyHashable: numbers that are no words, and optionals.
func (c *call) isRehashed(t *ir.Type) bool {
	if k, ok := integers[t.Known()]; ok {
		return k.size != 8
	}
	return t.IsOptional() || t.Known() == ir.KnownDouble || t.Known() == ir.KnownFloat
}

// members runs f for each member of the set, or each key with its value of the dictionary, of type t at a.
func (c *call) members(t *ir.Type, a uint64, f func(key, value *code.TypeInfo, at, valueAt uint64)) {
	args := t.AllArgs()
	var value *ir.Type
	if len(args) == 2 {
		value = args[1]
	}
	tab, storage := c.tableOf(args[0], value), c.load(a)
	for i := uint64(0); c.trap == nil; i++ {
		bucket, ok := c.next(tab, storage, i)
		if !ok {
			return
		}
		i = bucket
		valueAt := uint64(0)
		if value != nil {
			valueAt = c.load(storage+tableValues) + bucket*tab.value.Layout.Stride
		}
		f(tab.key, tab.value, c.load(storage+tableKeys)+bucket*tab.key.Layout.Stride, valueAt)
	}
}

// equalBoxed compares two values as AnyHashable does, or enters their parts.
func (c *call) equalBoxed(xt *code.TypeInfo, x uint64, yt *code.TypeInfo, y uint64) {
	xt, x = c.kept(xt, x, false)
	yt, y = c.kept(yt, y, false)
	n, isNumber := c.canonical(xt, x)
	m, isToo := c.canonical(yt, y)
	if c.trap != nil {
		return
	}
	known := xt.Type.Known()
	switch {
	case isNumber || isToo:
		if !isNumber || !isToo || !n.equals(m) {
			c.unequal()
		}
	case xt == yt:
		c.push(itemEqual, xt, x, y)
	case known != yt.Type.Known():
		c.unequal()
	case known == ir.KnownArray:
		c.equalBoxedArrays(xt.Type.Args[0], x, yt.Type.Args[0], y)
	case known == ir.KnownSet || known == ir.KnownDictionary:
		c.equalBoxedTables(xt, x, yt, y)
	default:
		c.unequal()
	}
}

func (c *call) equalBoxedArrays(xElem *ir.Type, x uint64, yElem *ir.Type, y uint64) {
	xt, yt := c.info(xElem), c.info(yElem)
	if c.trap != nil {
		return
	}
	x, n := c.elements(ir.KnownArray, xt, x)
	y, m := c.elements(ir.KnownArray, yt, y)
	if n != m {
		c.unequal()
		return
	}
	for ; n > 0 && c.trap == nil && c.Local(localFree) != 0; n-- {
		c.equalBoxed(xt, x, yt, y)
		x, y = x+xt.Layout.Stride, y+yt.Layout.Stride
	}
}

// equalBoxedTables compares sets or dictionaries of different types by what identifies their members, without calls.
func (c *call) equalBoxedTables(xt *code.TypeInfo, x uint64, yt *code.TypeInfo, y uint64) {
	n, m := c.load(c.load(x)+tableCount), c.load(c.load(y)+tableCount)
	if n != m {
		c.unequal()
		return
	}
	if n == 0 {
		return
	}
	for i, t := range xt.Type.Args {
		if !c.mayEqual(t, yt.Type.Args[i]) {
			c.unequal()
			return
		}
	}
	known := true
	gather := func(t *ir.Type, a uint64) map[string]string {
		all := map[string]string{}
		c.members(t, a, func(key, value *code.TypeInfo, at, valueAt uint64) {
			k, ok := c.identity(nil, key, at)
			v, ok2 := []byte(nil), true
			if value != nil {
				v, ok2 = c.identity(nil, value, valueAt)
			}
			known = known && ok && ok2
			all[string(k)] = string(v)
		})
		return all
	}
	a, b := gather(xt.Type, x), gather(yt.Type, y)
	if !known {
		c.unsupported("comparing AnyHashable values of types " + xt.Name + " and " + yt.Name)
		return
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w || k == unlikeAll || v == unlikeAll {
			c.unequal()
			return
		}
	}
}

// mayEqual reports whether a value of one type may equal one of another as AnyHashable: values of the same type, numbers, collections of one kind,
// objects, and AnyHashable.
func (c *call) mayEqual(x, y *ir.Type) bool {
	x, y = c.innermost(x), c.innermost(y)
	kind := func(t *ir.Type) ir.Known {
		known := t.Known()
		if _, isInt := integers[known]; isInt || known == ir.KnownFloat || known == ir.KnownFloat80 {
			return ir.KnownDouble
		}
		return known
	}
	k, l := kind(x), kind(y)
	switch {
	case x == y, k == ir.KnownAnyHashable, l == ir.KnownAnyHashable:
		return true
	case canonicalBoxes[k] || canonicalBoxes[l]:
		return k == l
	}
	mod := c.m.Module()
	return mod.IsClassType(x) && mod.IsClassType(y)
}

// unlikeAll identifies what equals nothing, a NaN.
const unlikeAll = "nan"

// identity adds what two values have in common that are equal as AnyHashable; ok is false for values that only calls can compare.
func (c *call) identity(out []byte, ti *code.TypeInfo, a uint64) (id []byte, ok bool) {
	ti, a = c.kept(ti, a, true)
	n, isNumber := c.canonical(ti, a)
	switch {
	case c.trap != nil:
		return nil, false
	case isNumber && n.float && math.IsNaN(math.Float64frombits(n.bits)):
		return []byte(unlikeAll), true
	case isNumber:
		return append(binary.LittleEndian.AppendUint64(append(out, 'n'), n.bits), byte(flag(n.negative)), byte(flag(n.float))), true
	case ti.Type.Known() == ir.KnownString:
		return append(append(out, 's'), nfc(c.view(c.loadString(a), 0))...), true
	case ti.Type.IsOptional(): // nil equals nil of its type
		return append(append(out, 'o'), ti.Name...), true
	}
	return nil, false
}
