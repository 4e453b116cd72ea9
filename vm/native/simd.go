package native

import (
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/vm/code"
)

// vectors are the natives that hash vectors.
func vectors() map[string]func(*call) {
	g := map[string]func(*call){
		"$ss4SIMDPsE4hash4intoys6HasherVz_tF": func(c *call) { c.hashValueAt(c.Arg(0), c.Arg(1)) },
	}
	for _, n := range []string{"2", "3", "4", "8", "16", "32", "64"} {
		name := "SIMD" + n
		g["$ss"+mangle.Ident(name)+"V9hashValueSivg"] = func(c *call) {
			if elem := c.typeArg(0); elem != nil {
				c.Types = []*ir.Type{c.nominal(name, elem)}
				c.hashAnew(0, c.Arg(0))
			}
		}
	}
	return g
}

// vectorLanes returns the number of elements of a SIMD vector type, 0 when it is none.
func vectorLanes(t *ir.Type) uint64 {
	name, isVector := strings.CutPrefix(t.Name, "SIMD")
	n, err := strconv.ParseUint(name, 10, 8)
	if err != nil || !isVector || t.Parent != nil || len(t.Args) != 1 {
		return 0
	}
	return n
}

// showVector writes SIMD4<Float>(1.0, 2.0, 3.0, 4.0): its elements lie one after the other.
func showVector(c *call, ti *code.TypeInfo, a uint64, _ bool) {
	elem := c.info(ti.Type.Args[0])
	if c.trap != nil {
		return
	}
	c.put(c.typeName(ti.Type, false) + "(")
	c.pushText(")")
	for n := vectorLanes(ti.Type); n > 0; n-- {
		c.push(itemPrint, elem, a+(n-1)*elem.Layout.Stride, 0)
		if n > 1 {
			c.pushText(", ")
		}
	}
}

// showMask writes SIMDMask<SIMD4<Int32>>(true, false, …): a lane is true when its bits are set.
func showMask(c *call, ti *code.TypeInfo, a uint64, _ bool) {
	vector := ti.Type.Args[0]
	if vectorLanes(vector) == 0 {
		c.unsupported("printing a value of type " + ti.Name)
		return
	}
	elem := c.info(vector.Args[0])
	if c.trap != nil {
		return
	}
	texts := make([]string, vectorLanes(vector))
	for n := range texts {
		texts[n] = strconv.FormatBool(c.loadN(a+uint64(n)*elem.Layout.Stride, elem.Layout.Size)&1 != 0)
	}
	c.put(c.typeName(ti.Type, false) + "(" + strings.Join(texts, ", ") + ")")
}
