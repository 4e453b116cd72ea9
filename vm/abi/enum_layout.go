package abi

import (
	"math/bits"
	"slices"

	"silvm/ir"
)

// enumeration lays out an enum.
func (l *Layouts) enumeration(t *ir.Type, decl *ir.Nominal) (*Layout, error) {
	e := &Enum{Cases: make([]EnumCase, 0, len(decl.Cases))}
	lay := &Layout{Type: t, Align: 1, Trivial: true, BitwiseTakable: true, Enum: e, depth: 1}
	e.owner = lay
	bind := l.bind(t, decl)
	fixed, declared := true, make([]*Layout, len(decl.Cases))
	for i, c := range decl.Cases {
		ec, orig, err := l.enumCase(t, decl, i, bind)
		if err != nil {
			return nil, err
		}
		e.Cases = append(e.Cases, ec)
		if c.Payload != nil && (orig == nil || orig.resilient) {
			fixed = false
		}
		declared[i] = orig
		if !ec.Stored {
			e.empties = append(e.empties, i)
			if ec.Payload != nil && !ec.Payload.Trivial { // of no size, but with a deinit
				lay.Trivial, lay.MoveOnly, e.emptyActs = false, true, true
			}
			continue
		}
		e.payloads = append(e.payloads, i)
		lay.join(ec.Payload)
	}
	switch {
	case len(e.Cases) <= 1:
		e.singleton(lay)
	case len(e.payloads) == 0:
		e.noPayload(lay)
	case len(e.payloads) == 1:
		e.singlePayload(lay)
	default:
		e.multiPayload(lay, declared, fixed)
	}
	if lay.Size > maxSize {
		return nil, check(lay)
	}
	lay.PlainRefs = e.plainRefs()
	lay.declare(l, decl)
	var err error
	if e.decision, err = e.decide(); err != nil {
		return nil, err
	}
	return lay, lay.applyAlignment(decl)
}

// join adds what a payload means for the whole enum.
func (lay *Layout) join(p *Layout) {
	lay.Align = max(lay.Align, p.Align)
	lay.Trivial = lay.Trivial && p.Trivial
	lay.BitwiseTakable = lay.BitwiseTakable && p.BitwiseTakable
	lay.AddressOnly = lay.AddressOnly || p.AddressOnly
	lay.MoveOnly = lay.MoveOnly || p.MoveOnly
	lay.resilient = lay.resilient || p.resilient
	lay.depth = max(lay.depth, p.depth+1)
}

// enumCase lays out one case. orig is its payload as declared, nil when that depends on a generic parameter.
func (l *Layouts) enumCase(t *ir.Type, decl *ir.Nominal, i int, bind func(*ir.Type) *ir.Type) (ec EnumCase, orig *Layout, err error) {
	c := decl.Cases[i]
	ec = EnumCase{Name: c.Name, Index: i}
	if c.Payload == nil {
		return ec, nil, nil
	}
	payload := l.stored(c.Payload)
	if c.Indirect || decl.Attrs.Has(ir.ModIndirect) {
		ec.Boxed, ec.Stored = bind(payload), true
		ec.Payload, err = l.Of(l.types.Builtin(ir.BuiltinNativeObject))
		return ec, ec.Payload, err
	}
	if ec.Payload, err = l.Of(bind(payload)); err != nil {
		return ec, nil, err
	}
	if orig, err = l.declared(decl, payload); err != nil {
		return ec, nil, err
	}
	ec.Stored = orig == nil || orig.Size > 0 || orig.resilient
	return ec, orig, nil
}

func (e *Enum) singleton(lay *Layout) {
	e.Strategy = EnumSingleton
	if len(e.payloads) == 0 {
		return
	}
	p := e.Cases[0].Payload
	e.PayloadSize = p.Size
	lay.Size, lay.Scalars, lay.spare, lay.xi = p.Size, p.Scalars, p.spare, p.xi
}

func (e *Enum) noPayload(lay *Layout) {
	e.Strategy = EnumNoPayload
	used := bits.Len(uint(len(e.Cases) - 1))
	e.TagSize = powerCeil(uint64(used+7) / 8)
	lay.Size, lay.Align = e.TagSize, max(lay.Align, e.TagSize)
	lay.Scalars = []Scalar{{0, uint8(e.TagSize), uint8(used), ScalarTag}}
	lay.spare = highBits(make([]byte, e.TagSize), used)
	n, size := uint64(len(e.Cases)), e.TagSize
	lay.xi = inhabitants{min(1<<(8*size)-n, maxInhabitants), func(i uint64) bytePattern { return word(0, size, n+i) }}
}

// highBits sets the bits of mask from bit number from up.
func highBits(mask []byte, from int) []byte {
	for b := from; b < len(mask)*8; b++ {
		mask[b/8] |= 1 << uint(b%8)
	}
	return mask
}

func (e *Enum) singlePayload(lay *Layout) {
	e.Strategy = EnumSinglePayload
	p := e.Cases[e.payloads[0]].Payload
	e.PayloadSize = p.Size
	empty := uint64(len(e.empties))
	e.inhabited = min(empty, p.xi.count)
	tagBits := 0
	if rest := empty - e.inhabited; rest > 0 {
		tagBits = 1
		if p.Size < 4 {
			per := uint64(1) << (8 * p.Size)
			tagBits = bits.Len64((rest + per - 1) / per)
		}
	}
	e.TagSize = uint64(tagBits+7) / 8
	lay.Size = p.Size + e.TagSize
	used := e.inhabited
	lay.xi = inhabitants{p.xi.count - used, func(i uint64) bytePattern { return p.xi.at(i + used) }}
	if tagBits > 0 {
		lay.spare = make([]byte, lay.Size)
		highBits(lay.spare[p.Size:], tagBits)
	}
	if lay.AddressOnly {
		return
	}
	if e.chunked = !p.covers(numberBytes(empty-used, p.Size)); e.chunked {
		lay.Scalars = e.chunks(tagBits)
		return
	}
	lay.Scalars = slices.Clone(p.Scalars)
	if e.TagSize > 0 {
		lay.Scalars = append(lay.Scalars, Scalar{p.Size, uint8(e.TagSize), uint8(tagBits), ScalarTag})
	}
}

// numberBytes is how many bytes of a payload hold the numbers of so many empty cases that extra tag bytes mark.
func numberBytes(cases, payloadSize uint64) uint64 {
	if cases == 0 {
		return 0
	}
	return min(uint64(bits.Len64(cases-1)+7)/8, payloadSize)
}

// covers reports whether the first n bytes of a value all belong to scalars, none to padding.
func (lay *Layout) covers(n uint64) bool {
	end := uint64(0)
	for _, s := range lay.Scalars {
		if end >= n || s.Offset > end {
			break
		}
		end = s.Offset + uint64(s.Width)
	}
	return end >= n
}

func (e *Enum) multiPayload(lay *Layout, declared []*Layout, fixed bool) {
	e.Strategy, e.chunked = EnumMultiPayload, true
	for _, i := range e.payloads {
		e.PayloadSize = max(e.PayloadSize, e.Cases[i].Payload.Size)
	}
	if e.PayloadSize > maxSize {
		lay.Size = e.PayloadSize
		return
	}
	e.common = make([]byte, e.PayloadSize)
	if fixed && !lay.AddressOnly {
		highBits(e.common, 0)
		for _, i := range e.payloads {
			used := complement(declared[i].spare, declared[i].Size)
			e.common = without(e.common, used)
		}
	}
	common := countBits(e.common)
	tags := len(e.payloads)
	if n := len(e.empties); n > 0 {
		tags++
		if used := int(e.PayloadSize)*8 - common; used < 32 {
			tags += (n - 1) >> uint(used)
		}
	}
	tagBits := bits.Len(uint(tags - 1))
	extra := max(0, tagBits-common)
	e.TagSize = uint64(extra+7) / 8
	if e.TagSize == 3 {
		e.TagSize = 4
	}
	lay.Size = e.PayloadSize + e.TagSize
	e.tagMask = keepTop(e.common, tagBits)
	lay.spare = append(without(e.common, e.tagMask), highBits(make([]byte, e.TagSize), extra)...)
	lay.xi = e.tagInhabitants(tags)
	if !lay.AddressOnly {
		lay.Scalars = e.chunks(extra)
	}
}

// plainRefs reports whether what is in the counted scalars may be retained in every case: with one payload, when every empty
// case has null or a negative word there.
func (e *Enum) plainRefs() bool {
	lay := e.owner
	if lay.AddressOnly || lay.Trivial {
		return !lay.AddressOnly
	}
	if e.chunked || e.emptyActs || !e.Cases[e.payloads[0]].Payload.PlainRefs {
		return false
	}
	for n := range e.empties {
		for _, c := range lay.cells(e.emptyPattern(uint64(n))) {
			if lay.Scalars[c.Scalar].Kind.IsCounted() && int64(c.Value) > 0 {
				return false
			}
		}
	}
	return true
}

// tagInhabitants are the tags that a multi-payload enum leaves unused, counted down from all ones in 32 bits. They occupy the
// common spare bits, the tag's own bits last, rotated so that the low bits of the count are in the tag's own bits; tag bytes
// follow.
func (e *Enum) tagInhabitants(tags int) inhabitants {
	c := countBits(e.common)
	n := c + int(e.TagSize)*8
	if n == 0 {
		return inhabitants{}
	}
	count := uint64(maxInhabitants)
	if n < 32 {
		count = min(count, 1<<uint(n)-uint64(tags))
	}
	window := min(c, 32)
	own := max(0, countBits(e.tagMask)-(c-window)) // bits of the tag among the lowest 32 spare ones
	return inhabitants{count, func(i uint64) bytePattern {
		v := uint64(^uint32(i))
		if own > 0 && own < window {
			v &= 1<<uint(window) - 1
			v = (v>>uint(own) | v<<uint(window-own)) & (1<<uint(window) - 1)
		}
		return append(scatter(e.common, v), word(e.PayloadSize, e.TagSize, v>>uint(c))...)
	}}
}

// chunks are the scalars of a multi-payload enum: its payload bytes in words of 8, then 4, 2 and 1, then the tag bytes.
func (e *Enum) chunks(tagBits int) []Scalar {
	var out []Scalar
	for off := uint64(0); off < e.PayloadSize; {
		w := uint64(8)
		for w > e.PayloadSize-off {
			w /= 2
		}
		out = append(out, Scalar{off, uint8(w), uint8(8 * w), ScalarChunk})
		off += w
	}
	if e.TagSize > 0 {
		out = append(out, Scalar{e.PayloadSize, uint8(e.TagSize), uint8(tagBits), ScalarTag})
	}
	return out
}
