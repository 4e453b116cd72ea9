package lower

import (
	"silvm/ir"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// witnessState is what the lowerer knows of the program's conformances at run time.
//
// A run-time witness table stands for a type and a protocol. Its entries are functions, found when they are first called. Entry n is
// requirement n of the protocol, numbered in the order in which lookups name them. Requirements of protocols that the protocol inherits
// from are among them, so that no table has to lead to another.
type witnessState struct {
	tables map[confKey]int
	reqs   map[string]*requirements // by the qualified name of the table's protocol
	none   map[[2]*ir.Type]bool     // types and protocols that they don't conform to
	size   [3]int                   // of the module when that was found: it grows with what is read from the library
}

// lacks reports whether it is known that a type doesn't conform to a protocol.
func (w *witnessState) lacks(m *ir.Module, t, protocol *ir.Type) bool {
	return w.none[[2]*ir.Type{t, protocol}] && w.size == moduleSize(m)
}

// noteLack notes that a type doesn't conform to a protocol.
func (w *witnessState) noteLack(m *ir.Module, t, protocol *ir.Type) {
	if size := moduleSize(m); w.none == nil || w.size != size {
		w.none, w.size = map[[2]*ir.Type]bool{}, size
	}
	w.none[[2]*ir.Type{t, protocol}] = true
}

// moduleSize counts what conformances follow from.
func moduleSize(m *ir.Module) [3]int {
	return [3]int{len(m.WitnessTables), len(m.Extensions), len(m.Nominals)}
}

// confKey names a conformance of a concrete type.
type confKey struct {
	t     *ir.Type
	proto string // qualified name
}

// requirements are the requirements that lookups in tables of one protocol name.
type requirements struct {
	number map[reqKey]int
	list   []requirement
}

type reqKey struct {
	ref  string
	decl ir.DeclType
}

// requirementNumber numbers a requirement among those of a protocol's tables.
func (l *Lowerer) requirementNumber(proto string, q requirement) int {
	if l.witnesses.reqs == nil {
		l.witnesses.reqs = map[string]*requirements{}
	}
	rs := l.witnesses.reqs[proto]
	if rs == nil {
		rs = &requirements{number: map[reqKey]int{}}
		l.witnesses.reqs[proto] = rs
	}
	key := reqKey{q.ref.Text, q.decl}
	n, ok := rs.number[key]
	if !ok {
		n = len(rs.list)
		rs.number[key] = n
		rs.list = append(rs.list, q)
	}
	return n
}

// Conformance returns the index of the witness table of a concrete type for a protocol, -1 when the type doesn't conform as far as the
// module and what is known of the standard library say.
func (l *Lowerer) Conformance(t, protocol *ir.Type) (int, error) {
	if n, ok := l.witnesses.tables[confKeyOf(t, protocol)]; ok {
		return n, nil
	}
	if l.witnesses.lacks(l.Mod, t, protocol) {
		return -1, nil
	}
	if !l.Mod.Conforms(t, protocol) {
		l.witnesses.noteLack(l.Mod, t, protocol)
		return -1, nil
	}
	return l.witnessTable(t, protocol), nil
}

// confKeyOf returns the key of a conformance; any P<Int> has P's tables.
func confKeyOf(t, protocol *ir.Type) confKey {
	return confKey{selfless(t), protocol.QualifiedName()}
}

// selfless returns C for @dynamic_self C and @moveOnly C.
func selfless(t *ir.Type) *ir.Type {
	for t.Kind == ir.KindDynamicSelf || t.Kind == ir.KindMoveOnly {
		t = t.Elem
	}
	return t
}

// opensSubclass reports whether a requirement is called on the value of a class existential and a witness of it takes Self: there Self is
// the class of the object, and not the superclass that conforms, which is all that a run-time table knows. The archetype of an element of a
// pack has no protocol: it conforms by its own type.
func (b *builder) opensSubclass(c *callee) bool {
	if c.on.Kind != ir.KindOpened || !isOpenedSelf(c.on) || !b.isClassBound(c.on) || c.on.Elem.Known() == ir.KnownAnyObject {
		return false
	}
	for _, w := range b.Mod.WitnessTables {
		d := b.Mod.DeclOf(w.Conformance.Type)
		if w.Default || w.Declared || d == nil || d.Kind != ir.Class || d.Attrs.Has(ir.ModFinal) || w.Conformance.Protocol.QualifiedName() != c.req.proto {
			continue
		}
		e, _ := c.req.entryFor(w)
		if e == nil {
			continue
		}
		if fn := b.Mod.Func(e.Func); fn != nil && takesSelf(fn, w) {
			return true
		}
	}
	return false
}

// takesSelf reports whether the first type parameter of a class's witness is Self.
func takesSelf(fn *ir.Function, table *ir.WitnessTable) bool {
	sig, ok := funcTypeOf(fn)
	if !ok || sig.Generic == nil {
		return false
	}
	for _, r := range sig.Generic.Requirements {
		if r.Kind == ir.ReqConformance && r.Subject.Name == sig.Generic.Params[0].Name && r.Type.QualifiedName() == table.Conformance.Type.QualifiedName() {
			return true
		}
	}
	return false
}

// witnessTable returns the index of the table by which a type conforms to a protocol. That it does must be known: what the program's own
// text says conforms does so, even where the conformance is the standard library's and unknown here.
func (l *Lowerer) witnessTable(t, protocol *ir.Type) int {
	key := confKeyOf(t, protocol)
	if n, ok := l.witnesses.tables[key]; ok {
		return n
	}
	w, _ := l.Mod.WitnessTable(key.t, key.proto)
	wt := &code.WitnessTable{Index: len(l.Prog.Witnesses), Table: w, Type: key.t, Protocol: protocol}
	l.Prog.Witnesses = append(l.Prog.Witnesses, wt)
	if l.witnesses.tables == nil {
		l.witnesses.tables = map[confKey]int{}
	}
	l.witnesses.tables[key] = wt.Index
	return wt.Index
}

// WitnessEntry returns the index of the function that an entry of a witness table is, and notes it in the table.
func (l *Lowerer) WitnessEntry(table, entry int) (int, error) {
	wt := l.Prog.Witnesses[table]
	rs := l.witnesses.reqs[wt.Protocol.QualifiedName()]
	if rs == nil || entry < 0 || entry >= len(rs.list) {
		return 0, unsupportedf("requirement %d of %s, which nothing names", entry, wt.Protocol)
	}
	for len(wt.Entries) <= entry {
		wt.Entries = append(wt.Entries, -1)
	}
	if wt.Entries[entry] >= 0 {
		return wt.Entries[entry], nil
	}
	fn, err := l.witness(rs.list[entry], []*ir.Type{wt.Type})
	if err != nil {
		return 0, err
	}
	wt.Entries[entry] = fn
	return fn, nil
}

// standardWitness returns the function by which a type whose witness table no file has meets a requirement: the conformance is the
// standard library's. It is the native with the requirement's name, #CustomStringConvertible.description!getter; the type arguments are
// subs, the conforming type first.
func (l *Lowerer) standardWitness(q requirement, subs []*ir.Type) int {
	if n, ok := l.standardRead(q, subs); ok {
		return n
	}
	if n, ok := l.wideningWitness(q, subs); ok {
		return n
	}
	if n, ok := l.libraryWitness(q, subs); ok {
		return n
	}
	key := "native " + q.ref.Text + " " + q.decl.String()
	for _, t := range subs {
		key += ", " + t.String()
	}
	if n, ok := l.synthetics[key]; ok {
		return n
	}
	types := append([]*ir.Type(nil), subs...)
	ref := &code.NativeRef{Index: len(l.Prog.Natives), Symbol: q.ref.Text, DeclType: q.decl, Types: types}
	ref.From, ref.To = converts(q, subs)
	l.Prog.Natives = append(l.Prog.Natives, ref)
	n := l.add(&code.Func{Name: q.ref.Text + " of " + ir.PlainName(subs[0].String()), Types: types, Native: ref})
	l.synthetics[key] = n
	return n
}

// standardRead returns the coroutine by which a collection of the standard library yields an element: it yields a copy, which its getter
// makes. False for any other requirement.
func (l *Lowerer) standardRead(q requirement, subs []*ir.Type) (int, bool) {
	elem := l.Mod.AssociatedType(subs[0], "Collection", "Element")
	if q.ref.Member() != "subscript" || q.ref.Last() != ir.PartRead || q.decl.Params() != "(Self.Index)" || elem == nil {
		return 0, false
	}
	getter := requirement{q.proto, ir.ParseDeclRef("#" + q.ref.Path + "!getter"), ir.ParseDeclType(q.decl.Self() + " -> (Self.Index) -> Self.Element")}
	fn := l.standardWitness(getter, subs)
	name := q.ref.Text + " of " + subs[0].String()
	return l.synthetic("coroutine "+name, ir.PlainName(name), func(b *builder) error {
		lay, err := b.layout(elem)
		if err != nil {
			return err
		}
		b.coroutine = true
		slot := b.frameSlot(max(lay.Size, 1), lay.Align)
		get := b.direct(fn, 3)
		get.Args = append([]operand{b.pointer(slot)}, mir.Ops(b.param(0), b.param(1))...)
		b.add(get)
		resumed := &label{Insts: []minst{{Op: mir.OpResults}}}
		aborted := &label{Insts: []minst{{Op: mir.OpResults}}}
		b.end(minst{Op: code.Yield, KB: 1, Args: []operand{b.pointer(slot)}}, resumed, aborted)
		for _, to := range []*label{resumed, aborted} {
			b.placeLabel(to)
			if err := b.destroyAt(slot, elem); err != nil {
				return err
			}
			if to == resumed {
				b.ret()
			} else {
				b.leave(minst{Op: code.Unwind})
			}
		}
		return nil
	}), true
}

// integerWidths are the bytes of the standard library's integers of at most a word, negative where they have a sign.
var integerWidths = map[ir.Known]int{
	ir.KnownInt: -8, ir.KnownInt8: -1, ir.KnownInt16: -2, ir.KnownInt32: -4, ir.KnownInt64: -8,
	ir.KnownUInt: 8, ir.KnownUInt8: 1, ir.KnownUInt16: 2, ir.KnownUInt32: 4, ir.KnownUInt64: 8,
}

// converts returns the widths of the integers between which a requirement converts by init(_:), init(truncatingIfNeeded:) or init(clamping:), 0
// for any other.
func converts(q requirement, subs []*ir.Type) (from, to int) {
	if q.ref.Text != "#BinaryInteger.init!allocator" || len(subs) != 2 || q.decl.ReturnsOptional() {
		return 0, 0
	}
	from, to = integerWidths[subs[1].Known()], integerWidths[subs[0].Known()]
	if from == 0 || to == 0 {
		return 0, 0
	}
	return from, to
}

// wideningWitness returns the function that converts an integer of one type of the standard library to another that has all its values, which
// init(_:), init(truncatingIfNeeded:) and init(clamping:) do alike. False for any other requirement and other types.
func (l *Lowerer) wideningWitness(q requirement, subs []*ir.Type) (int, bool) {
	from, to := converts(q, subs)
	toSize, fromSize := max(to, -to), max(from, -from)
	switch {
	case from == 0:
		return 0, false
	case to == from, from > 0 && toSize > fromSize, from < 0 && to < 0 && toSize > fromSize:
	default:
		return 0, false
	}
	name := q.ref.Text + " of " + subs[0].String() + " for " + subs[1].String()
	return l.synthetic(name, ir.PlainName(name), func(b *builder) error {
		result, value := b.param(0), b.param(1)
		b.param(2) // the metatype
		x := b.loadAt(addr{base: value.Op()}, uint8(fromSize)).Op()
		if from < 0 && fromSize < toSize {
			x = b.opI(code.Sext, x, uint64(8*fromSize))
		}
		b.storeAt(addr{base: result.Op()}, uint8(toSize), x)
		b.ret()
		return nil
	}), true
}
