package debugger

import (
	"bytes"
	"slices"
	"strconv"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/abi"
)

// Expressions over memory that no call owns, for Where: as long as nothing that such a one reads is written its value stays, so that most
// of the past is left out and most lines are passed without a look.

// read is memory that an expression reads: an operand, or a reference on the way to one.
type read struct {
	from, to uint64
	value    bool // it is no reference, and what it holds decides on no other read
}

// steady is such an expression: all its names are globals and objects.
type steady struct {
	d       *Debugger
	e       expr
	objects []life // those that it names
	valued  bool   // it had a value at some time
	yes     bool   // what it was when it was last looked at
	read    []read // what it read then, nil where that is not known
	words   [][]byte
	fixed   bool   // of what it read only the values themselves changed since, not the way to them
	here    uint64 // where quiet looked last
	still   []read // what it reads there, nil where its value is another one than yes or is not known
}

// life is an object by its number, where it lies, and up to which position it is known to be there; 0 and 0 of one that is gone where the
// expression is asked about.
type life struct{ serial, ref, known uint64 }

// steadyOf returns nil for an expression whose value may be another one in each call.
func (d *Debugger) steadyOf(e expr) *steady {
	s := &steady{d: d, e: e, here: endless}
	if !s.names(e) {
		return nil
	}
	return s
}

// names reports whether an expression has only names that mean the same in every call, and notes the objects.
func (s *steady) names(e expr) bool {
	switch e := e.(type) {
	case exprLit:
		return true
	case exprName:
		if m := objectRE.FindStringSubmatch(e.name); m != nil {
			serial, _ := strconv.ParseUint(m[2], 10, 64)
			o := life{serial: serial}
			if now, ok := s.d.m.Heap().Find(serial); ok {
				o.ref, o.known = now.Ref, s.d.aliveAt(now.Ref, serial)
			}
			s.objects = append(s.objects, o)
			return true
		}
		return s.d.isOneGlobal(e.name)
	case exprField:
		if of, ok := e.of.(exprName); ok && s.d.isOneGlobal(of.name+"."+e.name) {
			return true
		}
		return countPartNamed(e.name) == nil && s.names(e.of)
	case exprUnary:
		return (e.op == "!" || e.op == "-") && s.names(e.x)
	case exprBinary:
		return s.names(e.x) && s.names(e.y)
	}
	return false
}

// isOneGlobal reports whether a name can mean one global and nothing else, wherever it is said.
func (d *Debugger) isOneGlobal(name string) bool {
	n := 0
	for _, g := range d.m.Program().Globals {
		if g.Global.Name == name || d.globalName(g.Global) == name || d.globalPath(g.Global) == name {
			n++
		}
	}
	if n != 1 || d.isProperty(name) {
		return false
	}
	for _, f := range d.m.Program().Lowered {
		if f.Fn == nil {
			continue
		}
		for i := range f.Fn.Insts() {
			if v := i.Var(); v != nil && v.Name == name {
				return false
			}
		}
	}
	return true
}

// reads lists the memory that the value of an expression is read from here; ok is false when it is not known, or is more than the parts that
// the expression names, such as the text of a string.
func (s *steady) reads(e expr) (list []read, ok bool) {
	switch e := e.(type) {
	case exprLit:
		return nil, true
	case exprUnary:
		return s.reads(e.x)
	case exprBinary:
		x, okX := s.reads(e.x)
		y, okY := s.reads(e.y)
		return append(x, y...), okX && okY && s.isWhole(e.x) && s.isWhole(e.y)
	case exprName, exprField:
		r, err := s.d.evalIn(e, Frame{})
		if err != nil || r.kind != 'v' || len(r.Value.Parts) > 0 {
			return nil, false
		}
		if f, isField := e.(exprField); isField && !s.d.isStatic(f) {
			if list, ok = s.reads(f.of); !ok {
				return nil, false
			}
			if len(list) == 1 && s.isPart(f.of, r.Value.Addr) {
				list = nil // of what lies around it nothing matters
			}
		}
		if r.named != "" { // an object, whose life is looked at beside
			return list, true
		}
		if r.Value.Addr == 0 || len(r.Value.Bytes) == 0 || r.Value.Type == nil || r.Value.Type.Kind == ir.KindStorage {
			return nil, false // what a weak reference is does not depend on its memory alone
		}
		return append(list, read{r.Value.Addr, r.Value.Addr + uint64(len(r.Value.Bytes)), r.Value.Layout != nil && r.Value.Layout.Trivial}), true
	}
	return nil, false
}

// isPart reports whether the part of a value that lies at an address lies there whatever memory holds.
func (s *steady) isPart(e expr, at uint64) bool {
	of, err := s.d.evalIn(e, Frame{})
	v := of.Value
	return err == nil && of.named == "" && v.Addr != 0 && at-v.Addr < uint64(len(v.Bytes)) && v.Layout != nil && v.Layout.Enum == nil
}

// isWhole reports whether the value of an operand is all in the memory of its own, unlike that of a string.
func (s *steady) isWhole(e expr) bool {
	switch e.(type) {
	case exprName, exprField:
		r, err := s.d.evalIn(e, Frame{})
		return err == nil && (r.named != "" || r.Value.Layout != nil && (r.Value.Layout.Trivial || len(r.Value.Layout.Scalars) == 1 && r.Value.Layout.Scalars[0].Kind == abi.ScalarStrong))
	}
	return true
}

// isStatic reports whether a field is a static property of a type, which is a global.
func (d *Debugger) isStatic(f exprField) bool {
	of, ok := f.of.(exprName)
	return ok && d.isOneGlobal(of.name+"."+f.name)
}

// same reports whether the memory that the expression read when it was last looked at is what it was.
func (s *steady) same() bool {
	same := s.read != nil
	s.fixed = same
	for n, p := range s.read {
		if now, ok := s.d.m.Heap().View(p.from, p.to-p.from); !ok {
			s.fixed = false
			return false
		} else if !bytes.Equal(now, s.words[n]) {
			same, s.fixed = false, s.fixed && p.value
		}
	}
	for _, o := range s.objects {
		if now, ok := s.d.m.Heap().Object(o.ref); !ok || now.Serial != o.serial || now.State == heap.Freed {
			s.fixed = false
			return false
		}
	}
	return same
}

// look evaluates the expression.
func (s *steady) look() (yes bool, err error) {
	list, ok := s.read, true
	s.read = nil
	if yes, err = s.d.isTrueIn(s.e, Frame{}); err != nil {
		return false, err
	}
	s.yes, s.valued = yes, true
	if !s.fixed {
		if list, ok = s.reads(s.e); !ok {
			return yes, nil
		}
	}
	s.words = s.words[:0]
	for _, p := range list {
		b, ok := s.d.m.Heap().View(p.from, p.to-p.from)
		if !ok {
			return yes, nil
		}
		s.words = append(s.words, bytes.Clone(b))
	}
	s.read = append(s.read, list...)
	return yes, nil
}

// quiet reports whether the value stays what it is from the present to the end of a stretch. It is asked of those in between first.
func (s *steady) quiet(x *stretch) bool {
	if slices.ContainsFunc(s.objects, func(o life) bool { return x.Objects < o.serial }) {
		return true // it is not made there
	}
	if at := s.d.m.Steps(); s.here != at {
		s.here, s.still = at, nil
		if yes, err := s.d.isTrueIn(s.e, Frame{}); err == nil && yes == s.yes {
			s.valued = true
			if list, ok := s.reads(s.e); ok {
				s.still = append([]read{}, list...)
			}
		}
	}
	if s.d.nextSetting(x.from) <= x.to || slices.ContainsFunc(s.still, func(p read) bool { return x.Written.Has(p.from, p.to) }) ||
		slices.ContainsFunc(s.objects, func(o life) bool {
			return x.before < o.serial || x.to > o.known && !s.d.quietObject(o.ref, o.serial)(x)
		}) {
		s.still = nil
	}
	return s.still != nil
}
