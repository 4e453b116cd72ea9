package gen

// Statements that have other statements in them.

// condition is a bit that depends on something.
func (f *fn) condition() string {
	return f.compare(pick(f.g, []string{"slt", "eq", "ne", "sge"}), f.int(), f.int())
}

// someResult is a type for a value that comes out of branches, nil for none.
func (f *fn) someResult() *typ {
	if f.g.chance(2) {
		return nil
	}
	return pick(f.g, f.g.all)
}

// join starts the block where branches come together; its argument is a value of t.
func (f *fn) join(name string, t *typ) {
	if t == nil {
		f.startBlock(name)
		return
	}
	arg, v := f.blockArg(t, true)
	f.startBlock(name, arg)
	f.add(v)
	if v.owned {
		f.letGo(v)
	}
}

// into ends the scope of a branch and goes on at a block with a value of t.
func (f *fn) into(to string, t *typ) {
	name := ""
	if t != nil {
		name = f.loose(t)
	}
	f.pop()
	f.op("%s", f.branch(to, name, t))
}

func (f *fn) doIf() {
	yes, no, join := f.newBlock(), f.newBlock(), f.newBlock()
	t := f.someResult()
	f.op("cond_br %s, %s, %s", f.condition(), yes, no)
	for _, b := range []string{yes, no} {
		f.startBlock(b)
		f.push()
		if f.g.chance(4) {
			f.mark()
		} else {
			f.inner()
		}
		f.into(join, t)
	}
	f.join(join, t)
}

func (f *fn) doSwitch() {
	var list []*typ
	for _, t := range f.g.all {
		if t.kind == enumKind {
			list = append(list, t)
		}
	}
	v := f.some(pick(f.g, list))
	f.switchOver(v, f.isTakable(v), func(n int, payload *value) {
		if payload != nil && f.g.chance(2) {
			f.show(payload)
		}
		f.inner()
	})
}

// doLoop is a counted loop with a value that each iteration hands to the next, and maybe an exit in the middle.
func (f *fn) doLoop() {
	rounds := 1 + f.g.n(3)
	if f.factor > 9 {
		rounds = 1
	}
	head, body, done, exit := f.newBlock(), f.newBlock(), f.newBlock(), f.newBlock()
	t := f.someResult()
	start := ""
	if t != nil {
		start = f.loose(t)
	}
	enter := func(n, carried string) { f.enterLoop(head, n+" : $Int", carried, t) }
	bound := f.integer(rounds)
	enter(f.integer(0), start)
	i, carried := f.startLoop(head, "Int", t)
	f.op("cond_br %s, %s, %s", f.compare("slt", i, bound), body, done)
	f.startBlock(done)
	carriedName := ""
	if t != nil {
		carriedName = carried.name
	}
	f.op("%s", f.branch(exit, carriedName, t))
	f.startBlock(body)
	f.factor *= rounds
	next := f.round(func() string { return i }, carried, t, exit)
	enter(f.binary("add", i, f.integer(1)), next)
	f.factor /= rounds
	f.join(exit, t)
}

// enterLoop goes to the head of a loop with the number of the iteration and what the loop carries on, a value of type t or nothing.
func (f *fn) enterLoop(head, round, carried string, t *typ) {
	if t != nil {
		round += ", " + carried + " : $" + t.name
	}
	f.op("br %s(%s)", head, round)
}

// startLoop starts the head of a loop: i numbers the iteration, with a type of that name, and carried is what the previous one left.
func (f *fn) startLoop(head, count string, t *typ) (i string, carried *value) {
	i = f.name()
	args := []string{i + " : $" + count}
	if t != nil {
		arg, v := f.blockArg(t, true)
		args, carried = append(args, arg), v
	}
	f.startBlock(head, args...)
	return i, carried
}

// round is the body of a loop in a scope of its own: count makes the number of the iteration as an Int. It returns what the next one gets.
func (f *fn) round(count func() string, carried *value, t *typ, exit string) (next string) {
	f.push()
	f.add(&value{name: count(), t: intType})
	if t != nil {
		f.add(carried)
		if carried.owned {
			f.letGo(carried)
		}
	}
	f.inner()
	if f.g.chance(3) {
		f.wayOut(exit, t)
	}
	if t != nil {
		next = f.loose(t)
	}
	f.pop()
	return next
}

// wayOut leaves a loop in the middle of an iteration.
func (f *fn) wayOut(exit string, t *typ) {
	out, on := f.newBlock(), f.newBlock()
	f.op("cond_br %s, %s, %s", f.condition(), out, on)
	f.startBlock(out)
	name := ""
	f.push()
	if t != nil {
		name = f.loose(t)
	}
	f.unwind(len(f.scopes) - 2)
	f.drop()
	f.op("%s", f.branch(exit, name, t))
	f.startBlock(on)
	f.inner()
}

// doRounds is a loop that asks at the end of each iteration whether there is another one. What the last one counted is used after it.
func (f *fn) doRounds() {
	rounds := 1 + f.g.n(4)
	if f.factor > 9 {
		rounds = 1
	}
	head, again, done, exit := f.newBlock(), f.newBlock(), f.newBlock(), f.newBlock()
	test := pick(f.g, []string{"eq", "sge", "sgt", "ne", "slt", "sle"})
	from := f.g.n(4) - 1
	to := from + rounds
	if test == "sgt" || test == "sle" {
		to--
	}
	t := f.someResult()
	literal := func(n int) string { return f.def("integer_literal $Builtin.Int64, %d", n) }
	one, bound := literal(1), literal(to)
	enter := func(n, carried string) { f.enterLoop(head, n+" : $Builtin.Int64", carried, t) }
	start := ""
	if t != nil {
		start = f.loose(t)
	}
	enter(literal(from), start)
	i, carried := f.startLoop(head, "Builtin.Int64", t)
	f.factor *= rounds
	next := f.round(func() string { return f.def("struct $Int (%s : $Builtin.Int64)", i) }, carried, t, exit)
	sum := ""
	if f.g.chance(2) {
		sum = f.def("builtin \"add_Int64\"(%s : $Builtin.Int64, %s : $Builtin.Int64) : $Builtin.Int64", i, one)
	} else {
		pair := f.def("builtin \"sadd_with_overflow_Int64\"(%s : $Builtin.Int64, %s : $Builtin.Int64, %s : $Builtin.Int1) : $(Builtin.Int64, Builtin.Int1)",
			i, one, f.def("integer_literal $Builtin.Int1, -1"))
		sum = f.def("tuple_extract %s : $(Builtin.Int64, Builtin.Int1), 0", pair)
		f.op("cond_fail %s : $Builtin.Int1, \"overflow\"", f.def("tuple_extract %s : $(Builtin.Int64, Builtin.Int1), 1", pair))
	}
	c := f.def("builtin \"cmp_%s_Int64\"(%s : $Builtin.Int64, %s : $Builtin.Int64) : $Builtin.Int1", test, sum, bound)
	yes, no := done, again
	if test == "ne" || test == "slt" || test == "sle" {
		yes, no = again, done
	}
	f.op("cond_br %s, %s, %s", c, yes, no)
	f.factor /= rounds
	f.startBlock(again)
	enter(sum, next)
	f.startBlock(done)
	f.print(f.def("struct $Int (%s : $Builtin.Int64)", sum))
	f.op("%s", f.branch(exit, next, t))
	f.join(exit, t)
}

// doIrreducible is a ring of two blocks that is entered at both.
func (f *fn) doIrreducible() {
	a, b, a0, b0, again, exit := f.newBlock(), f.newBlock(), f.newBlock(), f.newBlock(), f.newBlock(), f.newBlock()
	zero, bound := f.integer(0), f.integer(2)
	f.op("cond_br %s, %s, %s", f.condition(), a0, b0)
	f.startBlock(a0)
	f.op("br %s(%s : $Int)", a, zero)
	f.startBlock(b0)
	f.op("br %s(%s : $Int)", b, zero)
	f.factor *= 2
	half := func(block string) string {
		i := f.name()
		f.startBlock(block, i+" : $Int")
		f.push()
		f.add(&value{name: i, t: intType})
		f.inner()
		f.pop()
		return i
	}
	i := half(a)
	f.op("br %s(%s : $Int)", b, i)
	j := f.binary("add", half(b), f.integer(1))
	f.op("cond_br %s, %s, %s", f.compare("slt", j, bound), again, exit)
	f.startBlock(again)
	f.op("br %s(%s : $Int)", a, j)
	f.factor /= 2
	f.startBlock(exit)
}

// rarely is a bit that is never set, which only a run can know.
func (f *fn) rarely() string {
	v := f.load(&place{addr: f.def("global_addr @never : $*Int"), t: intType})
	return f.compare("eq", v.name, f.integer(77))
}

// doUnreachable is a way that ends for good. What lives there need not be let go.
func (f *fn) doUnreachable() {
	end, on := f.newBlock(), f.newBlock()
	f.op("cond_br %s, %s, %s", f.rarely(), end, on)
	f.startBlock(end)
	f.push()
	f.inner()
	f.op("unreachable")
	f.drop()
	f.startBlock(on)
}

// doLeave is a way out of the function, or an error.
func (f *fn) doLeave() {
	if !f.leaves {
		f.doUnreachable()
		return
	}
	out, on := f.newBlock(), f.newBlock()
	f.op("cond_br %s, %s, %s", f.condition(), out, on)
	f.startBlock(out)
	f.push()
	f.statements(f.g.n(2), 0)
	if f.sig.throws != nil && !f.threw && f.g.chance(2) {
		f.threw = true
		held := f.loose(f.g.classes[0])
		e := f.def("struct $Failure (%s : $%s)", held, f.g.classes[0].name)
		f.unwind(0)
		f.op("throw %s : $Failure", e)
	} else {
		f.leave()
	}
	f.drop()
	f.startBlock(on)
}

// doBorrowScope keeps a value borrowed while other things happen.
func (f *fn) doBorrowScope() {
	v := f.some(pick(f.g, f.g.all))
	if v.t.isTrivial() {
		f.show(v)
		return
	}
	f.push()
	b := &value{name: v.name, t: v.t}
	if f.ossa {
		word := pick(f.g, []string{"", "[lexical] "})
		b.name = f.def("begin_borrow %s%s : $%s", word, v.name, v.t.name)
		f.atEnd(func() { f.op("end_borrow %s : $%s", b.name, v.t.name) })
	}
	v.locks++
	f.add(b)
	f.inner()
	f.show(b)
	f.pop()
	v.locks--
}
