package abi

import (
	"fmt"
	"math/rand"
	"testing"

	"silvm/ir"
)

// TestRandomEnums makes enums of random payloads, nested in one another, and checks that every case that is injected is decided,
// tested and projected again, whatever valid payload it has.
func TestRandomEnums(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	l, r := declared(t)
	leaves := []string{"Int", "Int8", "Int16", "Bool", "Bool?", "C", "C?", "String", "Pad", "Refs", "Ref", "Any", "W", "U", "UO", "Empty",
		"Void", "Five", "TwoCE", "ThreeBool", "Json", "Tree", "(Bool, Int16)", "Double", "(() -> Void)", "Any.Type", "any Q", "Error",
		"Holes", "R3", "WQ", "UMO", "Hundred", "AlOr", "Float80", "SIMD4<Float>", "(Int8, C, Bool)"}
	for n := range 400 {
		d := &ir.Nominal{Kind: ir.Enum, Path: fmt.Sprint("Random", n)}
		for i := range 1 + rnd.Intn(6) {
			c := ir.EnumCase{Name: fmt.Sprint("p", i), Payload: r.read(leaves[rnd.Intn(len(leaves))]), Indirect: rnd.Intn(8) == 0}
			if rnd.Intn(4) == 0 && n > 0 {
				c.Payload = r.mod.Types.Nominal(nil, fmt.Sprint("Random", rnd.Intn(n)))
			}
			if rnd.Intn(3) == 0 {
				c.Payload = r.mod.Types.Optional(c.Payload)
			}
			d.Cases = append(d.Cases, c)
		}
		empty := rnd.Intn(8)
		if n%10 == 0 {
			empty = rnd.Intn(600)
		}
		for i := range empty {
			at := rnd.Intn(len(d.Cases) + 1)
			d.Cases = append(d.Cases[:at:at], append([]ir.EnumCase{{Name: fmt.Sprint("e", i)}}, d.Cases[at:]...)...)
		}
		r.mod.Nominals[d.Path] = d
		lay, err := l.Of(r.mod.Types.Nominal(nil, d.Path))
		if err != nil {
			t.Errorf("%s: %v", describe(d), err)
			continue
		}
		checkShape(t, describe(d), lay)
		for i, c := range lay.Enum.Cases {
			if !c.Stored && i%(1+empty/8) != 0 {
				continue
			}
			image, payload := injected(rnd, lay, c.Index)
			checkValue(t, describe(d), lay, c.Name, payload, image)
		}
	}
}

func describe(d *ir.Nominal) string {
	s := d.Path + ":"
	for _, c := range d.Cases {
		s += " " + c.Name
		if c.Indirect {
			s += " indirect"
		}
		if c.Payload != nil {
			s += "(" + c.Payload.String() + ")"
		}
	}
	return s
}

// injected makes the bytes of a value of case i with a random payload.
func injected(rnd *rand.Rand, lay *Layout, i int) (image, payload []byte) {
	image = make([]byte, lay.Size)
	if c := lay.Enum.Cases[i]; c.Stored {
		payload = randomValue(rnd, c.Payload)
		copy(image, payload)
	}
	for _, cell := range lay.Enum.Inject(i) {
		setCell(image, make([]byte, lay.Size), cell)
	}
	return image, payload
}

// randomValue makes the bytes of a valid value: references are multiples of 8 with the top byte clear.
func randomValue(rnd *rand.Rand, lay *Layout) []byte {
	if lay.Enum != nil && len(lay.Enum.Cases) > 0 {
		image, _ := injected(rnd, lay, rnd.Intn(len(lay.Enum.Cases)))
		return image
	}
	image := make([]byte, lay.Size)
	if lay.Fields != nil {
		for _, f := range lay.Fields {
			copy(image[f.Offset:], randomValue(rnd, f.Layout))
		}
		return image
	}
	put := func(off uint64, width int, v uint64) {
		for b := range width {
			image[off+uint64(b)] = byte(v >> (8 * b))
		}
	}
	pointer := func() uint64 { return (rnd.Uint64()>>8 | 1<<20) &^ 7 }
	if lay.AddressOnly {
		for off := uint64(0); off < lay.Size; off += 8 {
			put(off, 8, pointer())
		}
	}
	for _, s := range lay.Scalars {
		v := pointer()
		if s.Kind == ScalarInt {
			v = rnd.Uint64() >> (64 - s.Bits)
		}
		put(s.Offset, int(s.Width), v)
	}
	return image
}
