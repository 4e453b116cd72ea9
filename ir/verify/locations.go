package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// locations numbers the memory whose lifetime can be followed because nothing else refers to it: stack slots and
// indirect parameters, taken apart into the fields that the function looks at. Each has a bit; that of a location
// with fields of its own stands for the rest of it.
type locations struct {
	o       *owner
	all     []location
	byValue map[*ir.Value]int
	fields  map[fieldKey]int
}

// location is one piece of memory.
type location struct {
	value  *ir.Value // its address, one of several
	typ    *ir.Type  // what it holds
	parent int       // -1 for a whole slot or parameter
	kids   []int
	rest   int // fields that no kid stands for; -1 until counted, many for what has no fields
	bare   int // of those the ones that are not known to be trivial
}

type fieldKey struct{ parent, field int }

// many is the number of fields of a type whose fields can't be told.
const many = 1 << 30

// maxLocations bounds the number of locations of one function.
const maxLocations = 1 << 14

func newLocations(o *owner) *locations {
	return &locations{o: o, byValue: map[*ir.Value]int{}, fields: map[fieldKey]int{}}
}

// track adds the memory at an address, unless some use of it can't be followed.
func (l *locations) track(v *ir.Value) {
	t := v.Type.Object()
	if len(l.all) >= maxLocations || l.o.c.types.IsEmpty(t) {
		return
	}
	first := len(l.all)
	l.all = append(l.all, location{value: v, typ: t, parent: -1, rest: -1})
	l.byValue[v] = first
	seen := []*ir.Value{v}
	if l.uses(&seen) {
		return
	}
	for _, s := range seen {
		delete(l.byValue, s)
	}
	for k := range l.fields {
		if l.fields[k] >= first {
			delete(l.fields, k)
		}
	}
	l.all = l.all[:first]
}

// uses follows the addresses in seen, which grows as projections turn up; false when one of them is used in an unknown way.
func (l *locations) uses(seen *[]*ir.Value) bool {
	ok := true
	for n := 0; n < len(*seen) && ok; n++ {
		v := (*seen)[n]
		at := l.byValue[v]
		l.o.each(v, func(u *use) {
			if u.own == 0 || !ok {
				ok = false
				return
			}
			r := u.inst.Result()
			same := false
			switch u.inst.Op {
			case op.StructElementAddr, op.TupleElementAddr, op.InitEnumDataAddr, op.UncheckedTakeEnumDataAddr,
				op.InitExistentialAddr, op.OpenExistentialAddr:
				ok = l.project(at, u.inst, r, seen)
			case op.BeginAccess:
				same = true
			case op.MarkDependence:
				same = u.n == 0
			case op.StoreBorrow:
				same = u.n == 1
			case op.Load, op.Store, op.EndAccess, op.DestroyAddr, op.PartialApply, op.Apply, op.TryApply, op.BeginApply,
				op.CheckedCastAddrBr, op.DebugValue, op.Yield, op.DeallocStack, op.SwitchEnumAddr, op.WitnessMethod, op.SelectEnumAddr,
				op.ExistentialMetatype, op.ValueMetatype, op.IsUnique, op.FixLifetime, op.UncheckedRefCastAddr,
				op.UnconditionalCheckedCastAddr, op.CopyAddr, op.EndBorrow:
			case op.LoadBorrow: // as in the compiler, nothing is said of memory whose borrow goes on as an argument of a block
				l.o.each(r, func(u *use) { ok = ok && u.inst.Op != op.Br })
			case op.InjectEnumAddr: // of an enum that is declared: what the case holds decides what is initialized after it
				aux, _ := u.inst.Aux.(*ir.MemberAux)
				_, ok = l.o.c.types.Payload(v.Type, aux)
			default:
				ok = false
			}
			if same {
				if ok = r != nil && r.Type != nil && r.Type.IsAddress(); ok {
					l.byValue[r] = at
					*seen = append(*seen, r)
				}
			}
		})
	}
	return ok
}

// project adds the memory that an instruction projects from a location; false when it can't be told apart from other parts.
func (l *locations) project(at int, i *ir.Inst, r *ir.Value, seen *[]*ir.Value) bool {
	if r == nil || r.Type == nil || !r.Type.IsAddress() || len(l.all) >= maxLocations {
		return false
	}
	number := 0 // the payload of an enum or existential, whichever it is
	if i.Op == op.StructElementAddr || i.Op == op.TupleElementAddr {
		if number = facts.FieldNumber(l.o.mod, i); number < 0 || l.all[at].typ != i.Arg(0).Type.Object() {
			return false
		}
	}
	if l.o.c.types.IsEmpty(r.Type.Object()) {
		return i.Op != op.InitExistentialAddr // there nothing that follows would say that it is initialized
	}
	l.byValue[r] = l.field(at, number, r)
	*seen = append(*seen, r)
	return true
}

// field returns the location of a field, a new one when it is seen for the first time.
func (l *locations) field(parent, number int, r *ir.Value) int {
	key := fieldKey{parent, number}
	if at, ok := l.fields[key]; ok {
		return at
	}
	at := len(l.all)
	l.all = append(l.all, location{value: r, typ: r.Type.Object(), parent: parent, rest: -1})
	l.fields[key] = at
	p := &l.all[parent]
	p.kids = append(p.kids, at)
	if p.rest < 0 {
		l.count(p)
	}
	p.rest--
	if l.o.c.types.Triviality(r.Type.Object()) != facts.Trivial {
		p.bare--
	}
	return at
}

// count determines how many fields a location has.
func (l *locations) count(p *location) {
	p.rest, p.bare = 0, 0
	add := func(t *ir.Type) {
		switch {
		case t == nil:
			p.rest, p.bare = many, many
		case !l.o.c.types.IsEmpty(t):
			p.rest++
			if l.o.c.types.Triviality(t) != facts.Trivial {
				p.bare++
			}
		}
	}
	t := facts.Selfless(p.typ)
	if t.Kind == ir.KindTuple {
		for _, a := range t.Args {
			add(a)
		}
		return
	}
	d := l.o.mod.DeclOf(t)
	switch {
	case t.Kind == ir.KindExistential || d != nil && d.Kind == ir.Enum || t.IsOptional():
		p.rest, p.bare = 1, 1 // the payload
		return
	case d == nil || d.Kind != ir.Struct:
		p.rest, p.bare = many, many
		return
	}
	for n := range d.Fields {
		add(l.o.mod.Canonical(l.o.mod.Types.Subst(d.Fields[n].Type, ir.BindNominal(d, t))))
	}
}

// sets returns for each location the bits that stand for it, and the bits of all that is surely not trivial.
func (l *locations) sets() (subs []facts.Bits, nontriv facts.Bits) {
	n := len(l.all)
	subs = make([]facts.Bits, n)
	nontriv = facts.NewBits(n)
	for k := n - 1; k >= 0; k-- { // kids have higher numbers
		loc := &l.all[k]
		s := facts.NewBits(n)
		if loc.rest != 0 {
			s.Set(k)
			if l.o.c.types.Triviality(loc.typ) == facts.Nontrivial && (loc.rest < 0 || loc.bare != 0) {
				nontriv.Set(k)
			}
		}
		for _, kid := range loc.kids {
			s.Or(subs[kid])
		}
		subs[k] = s
	}
	return subs, nontriv
}
