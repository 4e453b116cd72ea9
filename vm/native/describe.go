package native

import (
	"slices"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// itemOp says what an item of a writer is.
type itemOp uint8

const (
	itemText      itemOp = iota + 1 // the String a, i; it stays who it belongs to
	itemPrint                       // the value of type ti at a, as print shows it
	itemDebug                       // the same as debugPrint shows it
	itemField                       // field i of the struct or tuple ti at a
	itemNamed                       // itemField of what shows labels only where there are any: a tuple
	itemElement                     // elements of type ti from a on, i of them
	itemElements                    // the same after the first one
	itemKeys                        // the rest of a dictionary or set of storage a from bucket i on
	itemKeysMore                    // the same after the first one
	itemFree                        // free the raw block a
	itemRelease                     // release the object a
	itemPrintList                   // [Any] in storage a from element i on, with the separator of the native's arguments 1 and 2
	itemDebugList                   // the same with debugPrint
	itemHash                        // feed the value of type ti at a to the Hasher in the first free local
	itemHashAll                     // the same for i values from a on
	itemHashBoxed                   // the same as AnyHashable feeds them
	itemEqual                       // compare the values of type ti at a and i
	itemEmpty                       // destroy the elements from bucket i on of the table at a
	itemDestroy                     // destroy the value of type ti at a
	itemIterate                     // write the elements of the sequence of type ti at a; i is 1 with a separator between them
	itemNext                        // the same with the iterator of type ti at a
	itemDescribed                   // a description ends
	itemCut                         // laid down: a cut of the text at a
	itemNested                      // laid down: the number of descriptions under way, and what of the text is no part of one
	itemCall                        // call function a of the program with the iterator's address and that of i
)

// description says how the values of a type are shown (stdlib/public/core/OutputStream.swift).
type description struct {
	print, debug shower
}

// shower is one way to show a value: by Go code, by a function of the program, or by what it is made of.
type shower struct {
	native func(c *call, ti *code.TypeInfo, a uint64, debug bool)
	fi     int  // a description getter, -1 when none
	stream bool // fi is write(to:)
}

// do does one item. It says true when a function was called whose result collect takes.
func (c *call) do(x item) bool {
	switch x.op {
	case itemText:
		c.putString(str{x.a, x.i})
	case itemPrint:
		return c.show(x.ti, x.a, false)
	case itemDebug:
		return c.show(x.ti, x.a, true)
	case itemField, itemNamed:
		c.field(x)
	case itemElement, itemElements:
		c.element(x)
	case itemKeys, itemKeysMore:
		c.bucket(x)
	case itemPrintList, itemDebugList:
		c.listItem(x)
	case itemFree:
		c.freeRaw(x.a)
	case itemRelease:
		c.releaseLast(x.a)
	case itemHash:
		return c.hashItem(x.ti, x.a)
	case itemHashAll:
		if x.i > 0 {
			c.push(itemHashAll, x.ti, x.a+x.ti.Layout.Stride, x.i-1)
			return c.hashItem(x.ti, x.a)
		}
	case itemHashBoxed:
		if x.i > 1 {
			c.push(itemHashBoxed, x.ti, x.a+x.ti.Layout.Stride, x.i-1)
		}
		if x.i > 0 {
			return c.hashBoxed(x.ti, x.a, c.Local(localFree))
		}
	case itemEqual:
		return c.equalItem(x.ti, x.a, x.i)
	case itemDescribed:
		c.lib.w.nested--
		c.cut()
	case itemEmpty:
		return c.emptyBucket(x)
	case itemDestroy:
		return c.destroyItem(x.ti, x.a)
	case itemIterate:
		return c.iterate(x)
	case itemNext:
		return c.callNext(x)
	case itemCall:
		c.SetState(stateQuiet)
		c.fail(c.Call(int(x.a), c.Local(localIterator), x.i))
		return true
	}
	return false
}

// releaseLast drops a reference that is not the last one.
func (c *call) releaseLast(ref uint64) {
	last, f := c.Heap().Release(ref, c.Site())
	c.fail(c.Fault(f))
	if last {
		c.unsupported("printing an object that goes while it is printed")
	}
}

// show writes the value of type ti at a, as print or as debugPrint does.
func (c *call) show(ti *code.TypeInfo, a uint64, debug bool) bool {
	ti, a, constrained := c.dynamicOf(ti, a)
	if c.trap == nil && ti.Class != nil {
		ti, a, debug = c.unboxed(ti, a, debug)
	}
	if c.trap != nil {
		return false
	}
	d := c.lib.describe(c, ti)
	if c.trap != nil {
		return false
	}
	s := d.print
	if debug {
		s = d.debug
	}
	switch {
	case s.native != nil:
		w := &c.lib.w
		n := len(w.work)
		w.nested++
		if s.native(c, ti, a, debug); len(w.work) > n {
			w.work = slices.Insert(w.work, n, item{op: itemDescribed})
			return false
		}
		w.nested--
		c.cut()
		return false
	case s.fi < 0 && constrained:
		c.put("(Extended Existential)")
		return false
	case s.fi < 0:
		c.reflect(ti, a, debug)
		return false
	case !s.stream:
		c.SetState(stateDescription)
		c.fail(c.Call(s.fi, a))
		return true
	}
	if w := &c.lib.w; w.cutting && w.nested == 0 {
		c.unsupported("a value that writes itself to a stream of the program")
		return false
	}
	to := c.allocRaw(16, 16)
	c.storeString(to, emptyString)
	if c.trap != nil {
		return false
	}
	c.SetLocal(localScratch, to)
	c.SetState(stateStream)
	c.fail(c.Call(s.fi, to, a))
	return true
}

// dynamic goes from an existential or a class reference to the value's own type and place.
func (c *call) dynamic(ti *code.TypeInfo, a uint64) (*code.TypeInfo, uint64) {
	ti, a, _ = c.dynamicOf(ti, a)
	return ti, a
}

// unboxed goes from an object that stands for a value cast to AnyObject to that value where it says itself how it is shown: printing casts the
// object to the protocols for that, and a cast looks inside. Other values show as the object. That of Foundation describes itself, as print
// shows the value, to debugPrint too.
func (c *call) unboxed(ti *code.TypeInfo, a uint64, debug bool) (*code.TypeInfo, uint64, bool) {
	at, ok := c.Boxed(ti, a)
	if !ok {
		return ti, a, debug
	}
	inner, value := c.dynamic(c.info(c.m.Module().Types.Intern(&ir.Type{Kind: ir.KindExistential})), at)
	if c.trap != nil {
		return ti, a, debug
	}
	describes := c.m.Module().ImportsModule("Foundation")
	for _, p := range printProtocols {
		if c.Conforms(inner.Type, p[0]) {
			return inner, value, debug && !describes
		}
	}
	if c.Conforms(inner.Type, customReflection) {
		c.unsupported("printing an object that stands for a value of type " + inner.Name + ", which has a mirror of its own")
	}
	if describes {
		return inner, value, false
	}
	return ti, a, debug
}

// isConstrained reports whether a type is an existential with type arguments, such as any Collection<Int>. Swift 6.0's mirrors don't look
// into those (stdlib/public/runtime/ReflectionMirror.cpp).
func isConstrained(t *ir.Type) bool {
	return t.Kind == ir.KindExistential && slices.ContainsFunc(t.Args, func(p *ir.Type) bool { return len(p.Args) > 0 && p.Kind == ir.KindNominal })
}

// dynamicOf is dynamic; constrained reports whether the value lay in a constrained existential.
func (c *call) dynamicOf(ti *code.TypeInfo, a uint64) (_ *code.TypeInfo, _ uint64, constrained bool) {
	for n := 0; c.trap == nil; n++ {
		t := ti.Type
		switch {
		case t.Kind == ir.KindExistential:
			constrained = constrained || isConstrained(t)
			e, err := c.Layouts().Existential(t)
			if err != nil {
				c.unsupported(err.Error())
				return ti, a, constrained
			}
			switch e.Kind {
			case abi.ExistentialOpaque:
				p, inner, trap := c.Payload(a)
				c.fail(trap)
				ti, a = inner, p
				continue
			case abi.ExistentialError:
				ti, a = c.errorValue(c.load(a))
				continue
			}
			return c.dynamicClass(a), a, constrained
		case c.m.Module().IsClassType(t) || t.Kind == ir.KindDynamicSelf:
			return c.dynamicClass(a), a, constrained
		}
		return ti, a, constrained
	}
	return ti, a, constrained
}

func (c *call) dynamicClass(a uint64) *code.TypeInfo {
	ti, t := c.TypeOfObject(c.load(a))
	c.fail(t)
	return ti
}

// errorValue returns the type and place of the value in an error box.
func (c *call) errorValue(box uint64) (*code.TypeInfo, uint64) {
	ti, t := c.TypeOf(c.load(box + abi.ErrorType))
	c.fail(t)
	if c.trap != nil {
		return nil, 0
	}
	return ti, alignUp(box+abi.ErrorWitness+8, ti.Layout.Align)
}

// describe finds out, once for each type, how its values are shown.
func (l *library) describe(c *call, ti *code.TypeInfo) *description {
	if d := l.styles[ti.Index]; d != nil {
		return d
	}
	d := c.makeDescription(ti)
	if c.trap == nil {
		if l.styles == nil {
			l.styles = map[int]*description{}
		}
		l.styles[ti.Index] = d
	}
	return d
}

// The protocols that printing asks for, in order, and their requirements.
var (
	streamable       = [2]string{"TextOutputStreamable", "#TextOutputStreamable.write"}
	stringConverts   = [2]string{"CustomStringConvertible", "#CustomStringConvertible.description!getter"}
	debugConverts    = [2]string{"CustomDebugStringConvertible", "#CustomDebugStringConvertible.debugDescription!getter"}
	printProtocols   = [][2]string{streamable, stringConverts, debugConverts}
	debugProtocols   = [][2]string{debugConverts, stringConverts, streamable}
	customReflection = "CustomReflectable"
)

func (c *call) makeDescription(ti *code.TypeInfo) *description {
	d := &description{print: shower{fi: -1}, debug: shower{fi: -1}}
	t := ti.Type
	if t.Kind != ir.KindNominal {
		return d
	}
	decl := c.m.Module().DeclOf(t)
	if decl != nil && decl.Builtin {
		if n, ok := shownNatively[decl.Known()]; ok {
			d.print.native, d.debug.native = n, n
			return d
		}
	}
	d.print = c.shower(t, decl, printProtocols)
	d.debug = c.shower(t, decl, debugProtocols)
	if (d.print.fi < 0 || d.debug.fi < 0) && c.Conforms(t, customReflection) {
		if decl != nil && decl.Builtin {
			c.unsupported("printing " + t.String() + ", which has a mirror of its own")
		}
		for s, name := range map[*shower]string{&d.print: "library_printedByMirror", &d.debug: "library_debugPrintedByMirror"} {
			if s.fi < 0 {
				fi, trap := c.Library(name, t)
				c.fail(trap)
				s.fi = fi
			}
		}
	}
	return d
}

// shower finds the first of the protocols that a type conforms to.
func (c *call) shower(t *ir.Type, decl *ir.Nominal, protocols [][2]string) shower {
	for _, p := range protocols {
		if !c.Conforms(t, p[0]) {
			continue
		}
		types := []*ir.Type{t}
		if p == streamable {
			types = append(types, c.nominal("String"))
		}
		fi, trap := c.Requirement(p[1], types...)
		c.fail(trap)
		if trap == nil && decl != nil && decl.Builtin && c.Function(fi).Native != nil {
			c.unsupported("printing a value of type " + t.String())
		}
		return shower{fi: fi, stream: p == streamable}
	}
	return shower{fi: -1}
}

// typeName is the name of a type as print shows it, or as debugPrint does.
func (c *call) typeName(t *ir.Type, qualified bool) string {
	return c.Layouts().TypeName(t, qualified)
}

// shownFields are the fields of a struct or tuple that mirrors show: those of C's unions stand for its bytes only.
func (c *call) shownFields(ti *code.TypeInfo) []abi.Field {
	fields := ti.Layout.Fields
	if len(fields) == 1 && fields[0].Name == "__opaque" {
		if d := c.m.Module().DeclOf(ti.Type); d != nil && d.Module == ir.ModuleC {
			return nil
		}
	}
	return fields
}

// field does one field of a struct or one element of a tuple and leaves the rest for later.
func (c *call) field(x item) {
	fields := c.shownFields(x.ti)
	if x.i >= uint64(len(fields)) {
		c.put(")")
		return
	}
	f := &fields[x.i]
	if x.i > 0 {
		c.put(", ")
	}
	if x.op == itemField && f.Name == "" {
		c.unsupported("printing a value of " + x.ti.Name + ", whose properties the file does not name")
		return
	}
	if f.Name != "" {
		c.put(f.Name)
		c.put(": ")
	}
	c.push(x.op, x.ti, x.a, x.i+1)
	if x.op == itemField && !c.m.Module().IsMirrored(x.ti.Type, f.Name) {
		c.put("()")
		return
	}
	c.pushStored(f.Layout, x.a+f.Offset)
}

// pushStored pushes a stored property or payload: what is stored weakly or unowned shows as what it refers to.
func (c *call) pushStored(lay *abi.Layout, a uint64) {
	t := lay.Type
	if t.Kind != ir.KindStorage {
		c.push(itemDebug, c.info(t), a, 0)
		return
	}
	ref := uint64(0)
	if t.Storage == ir.StorageWeak {
		var f *heap.Fault
		ref, f = c.Heap().WeakLoadStrong(a)
		c.fail(c.Fault(f))
		c.push(itemRelease, nil, ref, 0)
	} else {
		ref = c.load(a)
	}
	slot := c.allocRaw(max(lay.Size, 8), 8)
	c.copyMem(slot, a, lay.Size)
	c.store(slot, ref)
	c.push(itemFree, nil, slot, 0)
	c.push(itemDebug, c.info(t.Elem), slot, 0)
}

// element does one element of an array and leaves the rest for later.
func (c *call) element(x item) {
	if x.i == 0 {
		return
	}
	if x.op == itemElements {
		c.put(", ")
	}
	c.push(itemElements, x.ti, x.a+x.ti.Layout.Stride, x.i-1)
	c.push(itemDebug, x.ti, x.a, 0)
}
