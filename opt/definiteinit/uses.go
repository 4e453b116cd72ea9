package definiteinit

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// useKind is what an instruction does to elements of an object.
type useKind uint8

const (
	useLoad         useKind = iota
	useInitOrAssign         // writes; whether to initialized memory is to be found out
	useInit                 // writes to uninitialized memory
	useAssign               // replaces
	useSet                  // calls the setter of a property with a wrapper or an init accessor, now that all of self is there
	usePartialStore         // writes to a part of an element
	useInout
	useInoutSelf  // of the method called
	useIndirectIn // is passed where it is
	useEscape
	useSelfInit      // the call of self.init or super.init
	useLoadForTypeOf // type(of: self)
	useTypeOf        // the same, by the address of self
	useSelfIsolation // which actor the initializer of an actor is on
)

// use is an instruction that does something to elements first to first+n-1.
type use struct {
	inst     *ir.Inst // nil once it is done with
	kind     useKind
	first, n int
	field    string // the property that an assign_or_init initializes or reads by this use
}

// isQuestion reports whether a use of the kind neither initializes anything nor tells that something is.
func (k useKind) isQuestion() bool {
	switch k {
	case useLoad, useLoadForTypeOf, useTypeOf, useEscape, useSelfIsolation:
		return true
	}
	return false
}

// uses are all uses of an object.
type uses struct {
	list       []use
	destroys   []*ir.Inst
	selfStores []*ir.Inst // by which the object that self.init or super.init returned gets into the box
	odd        *ir.Inst   // a use that is not understood
	why        string
}

func (u *uses) refuse(i *ir.Inst, why string) {
	if u.odd == nil {
		u.odd, u.why = i, why
	}
}

// collector finds the uses of an object.
type collector struct {
	*object
	*uses
	self     bool // the address is that of self whose stored properties are elements
	inStruct bool // it is inside of a struct that is one element
	inEnum   bool // it is that of a payload
	visited  map[*ir.Function]bool
}

// collect finds the uses of an object.
func collect(o *object) *uses {
	c := &collector{object: o, uses: &uses{}, visited: map[*ir.Function]bool{}}
	switch {
	case o.kind == op.QualDelegatingselfallocated, o.kind == op.QualDerivedselfonly && o.isClass():
		c.box()
	case o.isDelegating():
		c.delegating(o.addr)
	default:
		c.from(o.addr)
	}
	c.destroysOfBox()
	return c.uses
}

// from finds the uses of the object by way of v.
func (c *collector) from(v *ir.Value) {
	c.self = c.isSelfOfStoring()
	if c.self && c.isClass() {
		c.classSelf(v)
		return
	}
	c.address(v, 0)
}

// destroysOfBox finds the destroys of the box that the object is in.
func (c *collector) destroysOfBox() {
	if c.self && c.isClass() || c.addr == c.mark.Result() {
		return
	}
	for _, i := range usersInOrder(c.mark.Result()) {
		if i.Op == op.DestroyValue {
			c.destroys = append(c.destroys, i)
		}
	}
}

func usersInOrder(v *ir.Value) []*ir.Inst {
	var list []*ir.Inst
	for _, x := range v.UseList() {
		list = append(list, x.User())
	}
	return list
}

func (c *collector) add(i *ir.Inst, k useKind, first, n int) {
	c.list = append(c.list, use{inst: i, kind: k, first: first, n: n})
}

// addElements adds a use of a value of type t that begins at an element.
func (c *collector) addElements(i *ir.Inst, k useKind, first int, t *ir.Type) {
	n := 1
	if len(c.elems) != 1 && !c.inStruct && !c.inEnum {
		n = c.count(t)
	}
	c.add(i, k, first, n)
}

// count counts the elements in the memory that is looked at.
func (c *collector) count(t *ir.Type) int {
	if c.self && t == c.t {
		return c.memoryElements()
	}
	return countOf(t)
}

// writeKind is the kind of a write that may or may not be known to initialize.
func (c *collector) writeKind(inits bool) useKind {
	switch {
	case c.inStruct:
		return usePartialStore
	case inits:
		return useInit
	}
	return useInitOrAssign
}

// address finds the uses of an address of elements from first on.
func (c *collector) address(v *ir.Value, first int) {
	t := v.Type.Object()
	for _, x := range v.UseList() {
		i := x.User()
		switch i.Op {
		case op.StructElementAddr:
			c.structElement(i, first)
		case op.TupleElementAddr:
			c.tupleElement(i, first)
		case op.BeginAccess, op.MarkUnresolvedNonCopyableValue:
			c.address(i.Result(), first)
		case op.EndAccess, op.DeallocStack:
		case op.Load, op.LoadBorrow:
			c.addElements(i, useLoad, first, t)
		case op.LoadWeak, op.LoadUnowned, op.SelectEnumAddr, op.SwitchEnumAddr:
			c.add(i, useLoad, first, 1)
		case op.Store, op.Assign, op.AssignByWrapper, op.StoreWeak, op.StoreUnowned, op.CopyAddr, op.ExplicitCopyAddr, op.TupleAddrConstructor, op.MarkUnresolvedMoveAddr:
			c.transfer(i, x, first, t)
		case op.Apply, op.TryApply, op.BeginApply:
			c.passed(i, x, v, first, t)
		case op.AddressToPointer:
			c.addElements(i, useInout, first, t)
		case op.InitEnumDataAddr, op.UncheckedTakeEnumDataAddr:
			was := c.inEnum
			c.inEnum = true
			c.address(i.Result(), first)
			c.inEnum = was
		case op.InitExistentialAddr, op.InjectEnumAddr:
			c.add(i, useInit, first, 1)
		case op.OpenExistentialAddr:
			k := useInout
			if i.Word() == ir.WordImmutableAccess {
				k = useLoad
			}
			c.add(i, k, first, 1)
		case op.DestroyAddr:
			c.destroys = append(c.destroys, i)
		case op.AssignOrInit:
			c.assignOrInit(i)
		case op.PartialApply:
			if !isOnlyForAssignment(i) && !(first == 0 && c.transparentClosure(i, x)) {
				c.addElements(i, useEscape, first, t)
			}
		default:
			if !facts.IsDebug(i) {
				c.addElements(i, useEscape, first, t)
			}
		}
	}
}

// transfer adds an instruction that moves a value out of memory or into it.
func (c *collector) transfer(i *ir.Inst, x *ir.Operand, first int, t *ir.Type) {
	n := x.Number()
	switch i.Op {
	case op.TupleAddrConstructor:
		if n != 0 {
			c.addElements(i, useLoad, first, t)
			return
		}
		c.addElements(i, c.writeKind(i.Has(op.QualInit)), first, t)
		return
	case op.CopyAddr, op.ExplicitCopyAddr, op.MarkUnresolvedMoveAddr:
		if n == 0 {
			c.addElements(i, useLoad, first, t)
			return
		}
		c.addElements(i, c.writeKind(i.Has(op.QualInit) || i.Op == op.MarkUnresolvedMoveAddr), first, t)
		return
	}
	if n != 1 {
		c.addElements(i, useEscape, first, t)
		return
	}
	switch i.Op {
	case op.StoreWeak, op.StoreUnowned:
		c.add(i, c.writeKind(i.Has(op.QualInit)), first, 1)
	case op.Store:
		c.addElements(i, c.writeKind(!c.Types.IsTrivial(t)), first, t)
	default:
		c.addElements(i, c.writeKind(false), first, t)
	}
}

// passed adds a call that gets the address v.
func (c *collector) passed(i *ir.Inst, x *ir.Operand, v *ir.Value, first int, t *ir.Type) {
	conv := facts.CallConv(i, x.Number())
	switch conv {
	case facts.ConvOut, facts.ConvErrorOut:
		c.addElements(i, useInit, first, t)
	case facts.ConvIn, facts.ConvInGuaranteed:
		c.addElements(i, useIndirectIn, first, t)
	case facts.ConvInout, facts.ConvInoutAliasable:
		if conv == facts.ConvInoutAliasable && c.isAllLet() {
			c.addElements(i, useIndirectIn, first, t)
			return
		}
		if a := v.Inst(); a != nil && a.Op == op.BeginAccess {
			v = a.Arg(0)
		}
		k := useInout
		switch fn := facts.Callee(i); {
		case c.isStructSelf() && v == c.addr:
			k = useEscape
		case fn != nil && fn.Convention.IsMethod() && x.Number() == len(i.Operands)-1:
			k = useInoutSelf
		}
		c.addElements(i, k, first, t)
	default:
		if x.Number() == 0 {
			c.addElements(i, useEscape, first, t)
			return
		}
		c.refuse(i, "an address is passed by a convention that is not known")
	}
}

func (c *collector) isAllLet() bool {
	for n := range c.elems {
		if !c.isLetElement(n) {
			return false
		}
	}
	return true
}

// structElement follows the address of a field: of self it is that of other elements, else of a part of one.
func (c *collector) structElement(i *ir.Inst, first int) {
	if !c.self {
		was := c.inStruct
		c.inStruct = true
		c.address(i.Result(), first)
		c.inStruct = was
		return
	}
	at, ok := c.firstOfField(i.Aux.(*ir.MemberAux).Name)
	if !ok {
		c.refuse(i, "a stored property that the type does not declare")
		return
	}
	c.self = false
	c.address(i.Result(), first+at)
	c.self = true
}

func (c *collector) tupleElement(i *ir.Inst, first int) {
	if t := i.Arg(0).Type.Object(); !c.inStruct && !c.inEnum && t.Kind == ir.KindTuple {
		for _, part := range t.Args[:i.Aux.(*ir.IntAux).Int64()] {
			first += countOf(part)
		}
	}
	c.address(i.Result(), first)
}

// isOnlyForAssignment reports whether a closure is the setter or initializer of assign_by_wrapper or assign_or_init and nothing else.
func isOnlyForAssignment(closure *ir.Inst) bool {
	used := false
	work := closure.Result().UseList()
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		switch i := x.User(); i.Op {
		case op.AssignByWrapper, op.AssignOrInit:
			if x.Number() < 2 {
				return false
			}
			used = true
		case op.DestroyValue, op.EndBorrow:
		case op.BeginBorrow, op.CopyValue, op.MoveValue, op.ConvertFunction, op.ConvertEscapeToNoescape:
			work = append(work, i.Result().UseList()...)
		default:
			return false
		}
	}
	return used
}

// transparentClosure adds what a closure that is always inlined does to the object: autoclosures such as those of && use it where they are made.
func (c *collector) transparentClosure(i *ir.Inst, x *ir.Operand) bool {
	f := facts.StaticCallee(i)
	if f == nil || !f.Attrs.Has(ir.AttrTransparent) || c.visited[f] || f.Body() != nil || len(f.Blocks) == 0 {
		return false
	}
	c.visited[f] = true
	n := facts.CalleeArg(i, x.Number())
	if n < 0 || n >= len(f.Entry().Args) {
		return false
	}
	arg := f.Entry().Args[n]
	if arg.Type.Object() != c.t {
		return false
	}
	in := &collector{object: c.object, uses: &uses{}, visited: c.visited}
	in.from(arg)
	if in.odd != nil || len(in.destroys) > 0 || len(in.selfStores) > 0 {
		return false
	}
	if slices.ContainsFunc(in.list, func(u use) bool { return u.kind != useLoad && u.kind != useEscape && u.kind != useInout }) {
		return false
	}
	for _, u := range in.list {
		c.add(i, u.kind, u.first, u.n)
	}
	return true
}

// assignOrInit adds what an assignment to a property with an init accessor initializes and reads.
func (c *collector) assignOrInit(i *ir.Inst) {
	a := c.accessor(i)
	if a == nil {
		c.refuse(i, "the init accessor is not declared")
		return
	}
	was := c.self
	c.self = false
	defer func() { c.self = was }()
	if len(a.initializes) == 0 {
		if at, ok := c.firstOfField(a.property); ok {
			c.add(i, useInitOrAssign, at, 1)
		}
	}
	field := func(name string, k useKind) {
		at, ok := c.firstOfField(name)
		if !ok {
			c.refuse(i, "the init accessor names "+name+", which is no stored property")
			return
		}
		n := 0
		for at+n < len(c.elems) && c.elems[at+n].field == name {
			n++
		}
		c.list = append(c.list, use{inst: i, kind: k, first: at, n: n, field: name})
	}
	for _, name := range a.initializes {
		field(name, useInitOrAssign)
	}
	for _, name := range a.accesses {
		field(name, useLoad)
	}
}
