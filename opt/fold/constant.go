package fold

import (
	"fmt"
	"io"
	"math/big"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
)

// constant is what an evaluator knows of a value. Constants never change; memory is a place that holds one.
type constant struct {
	kind     constantKind
	num      *big.Int // of an integer: signed, as printed
	text     string   // of a string; of an enum: the name of its case
	t        *ir.Type // of a metatype: the instance type; of an array: its type; of its elements: theirs
	fn       *ir.Function
	elems    []*constant // of an aggregate or of array elements; the payload of an enum; what a closure captures
	captured []*ir.Value // of a closure: the values that elems were
	bind     func(*ir.Type) *ir.Type
	at       place
	why      *reason
}

type constantKind uint8

const (
	constUninit constantKind = iota // memory that nothing was stored into
	constUnknown
	constMetatype
	constFunction
	constInteger
	constString
	constAggregate
	constEnum
	constAddress
	constElements // of an array
	constArray    // its elements are at a place
	constClosure
)

var uninit = &constant{kind: constUninit}

// memory is a variable, or the elements of an array.
type memory struct {
	t     *ir.Type
	value *constant
}

// place is a memory or a part of one: the path goes by the numbers of elements.
type place struct {
	mem  *memory
	path []int
}

// part returns the place of an element.
func (p place) part(n int) place {
	return place{p.mem, append(append([]int(nil), p.path...), n)}
}

// isConstant reports whether all of it is known.
func (c *constant) isConstant() bool {
	switch c.kind {
	case constUninit, constUnknown:
		return false
	case constArray:
		return c.at.read().isConstant()
	case constAddress:
		return true
	}
	for _, e := range c.elems {
		if !e.isConstant() {
			return false
		}
	}
	return true
}

// isZero reports whether it is the number 0.
func (c *constant) isZero() bool { return c.kind == constInteger && c.num.Sign() == 0 }

// unknown returns why a constant is not known, nil when it is. What no memory holds yet counts as known.
func (c *constant) unknown() *reason {
	if c.kind == constUnknown {
		return c.why
	}
	return nil
}

// read returns what is at a place.
func (p place) read() *constant {
	c := p.mem.value
	for _, n := range p.path {
		if c.kind == constUninit || c.kind == constUnknown {
			return c
		}
		if n >= len(c.elems) {
			return uninit
		}
		c = c.elems[n]
	}
	return c
}

// write puts a constant at a place. It reports false where the place has no such part.
func (p place) write(ts *facts.Types, c *constant) bool {
	made, ok := written(ts, p.mem.value, p.mem.t, p.path, c)
	if ok {
		p.mem.value = made
	}
	return ok
}

// written returns old, of type t, with c in the place of the part that the path leads to.
func written(ts *facts.Types, old *constant, t *ir.Type, path []int, c *constant) (*constant, bool) {
	if len(path) == 0 {
		return c, true
	}
	if old.kind == constUninit || old.kind == constUnknown {
		types, ok := partTypes(ts, t)
		if !ok {
			return nil, false
		}
		whole := &constant{kind: constAggregate}
		for range types {
			whole.elems = append(whole.elems, old)
		}
		old = whole
	}
	n := path[0]
	if n < 0 || n >= len(old.elems) {
		return nil, false
	}
	var part *ir.Type
	if old.kind == constElements {
		part = old.t
	} else if types, ok := partTypes(ts, t); ok && n < len(types) {
		part = types[n]
	}
	made, ok := written(ts, old.elems[n], part, path[1:], c)
	if !ok {
		return nil, false
	}
	whole := *old
	whole.elems = append([]*constant(nil), old.elems...)
	whole.elems[n] = made
	return &whole, true
}

// partTypes returns the types of the fields of a struct or the elements of a tuple.
func partTypes(ts *facts.Types, t *ir.Type) ([]*ir.Type, bool) {
	if t == nil {
		return nil, false
	}
	if t.Kind == ir.KindTuple {
		return t.Args, true
	}
	return ts.FieldTypes(t)
}

// write prints a constant as sil-opt's test-constant-evaluator does.
func (c *constant) write(w io.Writer, indent int) {
	pad := strings.Repeat(" ", indent)
	list := func(begin, end string, elems []*constant) {
		fmt.Fprint(w, begin, "\n")
		for _, e := range elems {
			e.write(w, indent+2)
		}
		fmt.Fprint(w, pad, end, "\n")
	}
	if c.kind != constElements {
		fmt.Fprint(w, pad)
	}
	switch c.kind {
	case constUninit:
		fmt.Fprintln(w, "uninit")
	case constUnknown:
		fmt.Fprintln(w, "unknown")
	case constMetatype:
		fmt.Fprintf(w, "metatype: %s\n", c.t)
	case constFunction:
		fmt.Fprintf(w, "fn: %s: %s\n", c.fn.Name, ir.DisplayName(c.fn.Name, ""))
	case constInteger:
		fmt.Fprintf(w, "int: %s\n", c.num)
	case constString:
		fmt.Fprintf(w, "string: \"%s\"\n", c.text)
	case constAddress:
		fmt.Fprintf(w, "Address[%s]\n", c.at.mem.t)
	case constEnum:
		fmt.Fprintf(w, "enum: %s", c.text)
		if len(c.elems) == 0 {
			fmt.Fprintln(w)
			return
		}
		fmt.Fprint(w, ", payload: ")
		c.elems[0].write(w, indent)
	case constAggregate:
		switch len(c.elems) {
		case 0:
			fmt.Fprintln(w, "agg: 0 elements []")
		case 1:
			fmt.Fprint(w, "agg: 1 elt: ")
			c.elems[0].write(w, indent+2)
		default:
			list(fmt.Sprintf("agg: %d elements [", len(c.elems)), "]", c.elems)
		}
	case constElements:
		head := fmt.Sprintf("%selements type: %s size: %d contents [", pad, c.t, len(c.elems))
		if len(c.elems) == 0 {
			fmt.Fprint(w, head, "]\n")
			return
		}
		list(head, "]", c.elems)
	case constArray:
		fmt.Fprintf(w, "%s: \n", c.t)
		c.at.read().write(w, indent)
	case constClosure:
		fmt.Fprintf(w, "closure: target: %s captures [\n", c.fn.Name)
		for _, v := range c.captured {
			fmt.Fprintf(w, "%s  %s\n", pad, ir.NewLines(v.Inst().Block().Func).Value(v))
		}
		list(pad+"] values: [", "]", c.elems)
	}
}

// String returns the constant as sil-opt prints it, in lines.
func (c *constant) String() string {
	var b strings.Builder
	c.write(&b, 0)
	return b.String()
}
