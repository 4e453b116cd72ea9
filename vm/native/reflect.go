package native

import (
	"strings"

	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// reflect shows a value by what it is made of (stdlib/public/core/OutputStream.swift, _adHocPrint_unlocked).
func (c *call) reflect(ti *code.TypeInfo, a uint64, debug bool) {
	t := ti.Type
	mod := c.m.Module()
	switch t.Kind {
	case ir.KindTuple:
		c.put("(")
		c.push(itemNamed, ti, a, 0)
		return
	case ir.KindFunction, ir.KindASTFunction:
		c.put("(Function)")
		return
	case ir.KindMetatype, ir.KindExistentialMetatype:
		c.metatype(ti, a, debug)
		return
	case ir.KindNominal:
		decl := mod.DeclOf(t)
		if decl == nil {
			break
		}
		switch decl.Kind {
		case ir.Struct:
			if len(ti.Layout.Fields) == 0 && ti.Layout.Size > 0 {
				break
			}
			c.put(c.typeName(t, debug))
			c.put("(")
			c.push(itemField, ti, a, 0)
			return
		case ir.Enum:
			c.enumCase(ti, decl, a, debug)
			return
		case ir.Class, ir.Actor:
			c.put(c.typeName(t, true))
			return
		}
	}
	if t.IsBuiltin(ir.BuiltinExecutor) { // no mirror tells what is in it
		c.put("(Opaque Value)")
		return
	}
	c.unsupported("printing a value of type " + t.String())
}

// metatype shows a type.
func (c *call) metatype(ti *code.TypeInfo, a uint64, debug bool) {
	t := ti.Type.Elem
	if ti.Layout.Size > 0 {
		inner, trap := c.TypeOf(c.load(a))
		c.fail(trap)
		if trap != nil {
			return
		}
		t = inner.Type
	}
	c.put(c.typeName(t, debug))
}

// enumCase shows a case with its payload.
func (c *call) enumCase(ti *code.TypeInfo, decl *ir.Nominal, a uint64, debug bool) {
	k := c.caseOf(ti.Layout, a)
	if k == nil {
		return
	}
	if debug {
		c.put(c.typeName(ti.Type, true))
		c.put(".")
	}
	c.put(unquoted(k.Name))
	if k.Index >= len(decl.Cases) || decl.Cases[k.Index].Payload == nil {
		return
	}
	if !c.m.Module().IsMirrored(ti.Type, k.Name) {
		c.put("()")
		return
	}
	payload, at := c.payloadOf(ti.Layout, k, a)
	if c.trap != nil {
		return
	}
	if payload.Type.Kind == ir.KindTuple {
		c.pushStored(payload, at)
		return
	}
	c.put("(")
	if labelled := decl.Cases[k.Index].Payload; labelled.Kind == ir.KindTuple && len(labelled.Args) == 1 {
		c.put(labelled.Labels[0])
		c.put(": ")
	}
	c.pushText(")")
	c.pushStored(payload, at)
}

// unquoted returns a name without the quotes that declarations have around words of the language.
func unquoted(name string) string { return strings.Trim(name, "`") }

// caseOf finds the case of the enum value at a; nil, with a trap, when it has none.
func (c *call) caseOf(lay *abi.Layout, a uint64) *abi.EnumCase {
	kase, ok := lay.Enum.Decision().Choose(func(cell abi.Cell) uint64 { return c.loadN(a+cell.Offset, uint64(cell.Width)) })
	if !ok {
		c.fail(c.SwiftTrap("a value of " + lay.Type.String() + " is none of its cases"))
		return nil
	}
	if c.trap != nil {
		return nil
	}
	return &lay.Enum.Cases[kase]
}

// payloadOf returns the layout and the place of the payload of a case; a copy without tag bits where there are some.
func (c *call) payloadOf(lay *abi.Layout, k *abi.EnumCase, a uint64) (*abi.Layout, uint64) {
	if k.Payload == nil {
		c.fail(c.Internal("a payload without layout"))
		return lay, a
	}
	if strip := lay.Enum.Strip(); k.Stored && len(strip) > 0 {
		copied := c.allocRaw(max(lay.Size, 8), max(lay.Align, 8))
		c.copyMem(copied, a, lay.Size)
		for _, cell := range strip {
			if cell.Offset+uint64(cell.Width) <= lay.Size {
				w := uint64(cell.Width)
				c.storeN(copied+cell.Offset, w, c.loadN(copied+cell.Offset, w)&^cell.Mask)
			}
		}
		c.push(itemFree, nil, copied, 0)
		a = copied
	}
	if k.Boxed == nil {
		return k.Payload, a
	}
	ti := c.info(k.Boxed)
	if ti == nil {
		return lay, a
	}
	return ti.Layout, alignUp(c.load(a)+abi.HeaderSize, ti.Layout.Align)
}
