package wasm

import "silvm/vm/code"

// exec leaves an instruction to the interpreter.
func (g *fn) exec(pc uint32, in code.Inst) {
	g.execute(pc, in, nil)
	if in.HasOnError() {
		g.trapIf() // not reached: such a call ends its block
	} else {
		g.w.op(opDrop)
	}
}

// otherwise has the interpreter do an instruction in the cases for which there is no code, and joins the paths.
func (g *fn) otherwise(pc uint32, in code.Inst) {
	g.cold(func() { g.exec(pc, in) })
	g.join()
}

// execute leaves an instruction to the interpreter and leaves 1 on the stack if it threw, else 0. writes are the registers that it sets, nil for those of the
// instruction's row.
func (g *fn) execute(pc uint32, in code.Inst, writes []uint16) {
	f, offset := g.in.frame.f, g.in.frame.offset
	if writes == nil {
		in = g.raw(pc)
	}
	s := &code.Site{PC: pc, Inst: in, Writes: writes}
	g.prog.Reads(f, pc, in, func(r uint16) { s.Reads = append(s.Reads, r) })
	if writes == nil {
		g.prog.Writes(f, pc, in, func(r uint16) { s.Writes = append(s.Writes, r) })
	}
	if len(s.Reads) > maxSlots || len(s.Writes) > maxSlots {
		g.w.op(opUnreachable)
	}
	if in.Op.Operands().MayCall {
		g.recount()
	}
	if g.opts.Whole != nil {
		g.ask(s, offset)
		return
	}
	zero := g.zeroed(g.area + constantsEnd)
	for k, r := range s.Reads {
		g.w.get(zero)
		g.get(r + offset)
		g.w.mem(i64Store, g.area+Slots+8*uint64(k))
	}
	g.w.i32(uint32(g.addSite(s)))
	g.w.call(g.execer)
	for k, r := range s.Writes {
		g.w.get(zero)
		g.w.mem(i64Load, g.area+Slots+8*uint64(k))
		g.set(r + offset)
	}
}

func (g *fn) addSite(s *code.Site) int {
	g.out.Sites = append(g.out.Sites, s)
	return len(g.out.Sites) - 1
}

func emitCall(g *fn, _ *block, pc uint32, in code.Inst) { g.call(pc, in, false) }

// call does a call; with flag it leaves 1 on the stack if the callee threw, else 0.
func (g *fn) call(pc uint32, in code.Inst, flag bool) {
	switch in.Op {
	case code.Call, code.CallTry, code.CallEntry, code.CallTryEntry:
		if s := g.sigs[g.callee(in)]; s != nil {
			g.direct(pc, in, s, flag)
			return
		}
	case code.CallThick, code.CallMethod, code.CallWitnessMethod:
		g.callIndirect(pc, in, flag)
		return
	case code.CallWitness:
		if g.opts.Whole != nil { // which has the witnesses of all types in its tables
			g.callIndirect(pc, in, flag)
			return
		}
	case code.CallNative:
		if n, ok := g.nativeOf(in); ok {
			g.callNative(pc, in, n)
			if flag {
				g.w.i32(0)
			}
			return
		}
	}
	g.execute(pc, in, nil)
	if !flag {
		g.w.op(opDrop)
	}
}

func (g *fn) direct(pc uint32, in code.Inst, s *signature, flag bool) {
	g.tally(&g.w, TallyCall)
	g.recount()
	for k := range s.params {
		g.get(in.A + uint16(k) + 1)
	}
	g.w.call(s.number)
	c := g.in.frame.f.CallAt(pc)
	g.results(in.A, s.results, max(c.Rets, c.ErrRets))
	switch {
	case s.flag:
		g.w.op(i32WrapI64)
		if !flag {
			g.trapFor(TrapThrown)
		}
	case flag:
		g.w.i32(0)
	}
}

// results pops n results, of which the first ones have registers of the window at base.
func (g *fn) results(base uint16, n, registers int) {
	for k := n; k > 0; k-- {
		if k <= registers {
			g.set(base + uint16(k))
		} else {
			g.w.op(opDrop)
		}
	}
}

// callIndirect calls a closure, a method or a witness: what the tables in the control area, or the host, say.
func (g *fn) callIndirect(pc uint32, in code.Inst, flag bool) {
	w := &g.w
	c := g.in.frame.f.CallAt(pc)
	gives := max(c.Rets, c.ErrRets)
	g.settle(in.B)
	for k := range c.Args {
		g.settle(in.A + uint16(k) + 1)
	}
	to, threw := g.local(i32), g.local(i32)
	if g.in.guard != nil && g.in.guard.to >= 0 {
		to = g.in.guard.to
	} else {
		w.i32(0)
		w.set(to)
		g.receiver(in)
		g.lookup(in, to)
	}
	if g.opts.Whole != nil {
		w.get(to)
		w.op(i32Eqz)
		g.trapFor(TrapMissing)
	} else {
		w.get(to)
		g.openRare()
		g.get(in.B)
		w.i32(uint32(g.addSite(&code.Site{PC: pc, Inst: g.raw(pc), Shape: c})))
		w.call(g.host.target)
		w.set(to)
		g.join()
	}

	call := func(args int) {
		for k := range args {
			g.get(in.A + uint16(k) + 1)
		}
		w.get(to)
		w.i32(1<<targetParams - 1)
		w.op(i32And)
		n := max(gives, 1)
		w.callIndirect(g.mod.typ(words(args), words(n+1)))
		g.cold(func() { g.results(in.A, n, gives) })
		w.op(i32WrapI64)
		w.set(threw)
	}
	w.get(to)
	g.openIf()
	g.recount()
	g.tally(w, TallyCall)
	if in.Op == code.CallThick && c.Args > 0 { // a function that needs no context does not take one
		w.get(to)
		w.i32(targetParams)
		w.op(i32ShrU)
		w.i32(uint32(c.Args))
		w.op(i32Eq)
		g.openIf()
		call(c.Args)
		w.op(opElse)
		call(c.Args - 1)
		g.join()
	} else {
		call(c.Args)
	}
	if g.opts.Whole == nil {
		w.op(opElse)
		g.cold(func() { g.execute(pc, in, nil) })
		w.set(threw)
	}
	g.join()
	g.alive = g.alive[:0]
	for k := range gives {
		g.assigned(in.A + uint16(k) + 1)
	}
	w.get(threw)
	if !flag {
		g.trapFor(TrapThrown)
	}
}

// receiver has the receiver of a method call checked: it has to be alive.
func (g *fn) receiver(in code.Inst) {
	if in.Op == code.CallMethod {
		g.checkLive(in.B)
	}
}

// word pushes the word that an indirect call goes by.
func (g *fn) word(in code.Inst) {
	if in.Op == code.CallMethod {
		a, plus := g.address(in.B, 0, 0, 0, nil)
		g.w.get(a)
		g.w.mem(i64Load, plus)
	} else {
		g.get(in.B)
	}
}

// lookup puts what the tables say of an indirect call into a local, which is 0 before. The receiver was checked.
func (g *fn) lookup(in code.Inst, to int) {
	w := &g.w
	kind, table, n := recordFuncs, g.area+Handles, g.records.Counts[recordFuncs]
	if in.Op != code.CallThick {
		at, ok := g.out.tableOf(in)
		if !ok {
			return
		}
		kind, table, n = recordTypes, at, TargetsLong
		if in.Op == code.CallWitnessMethod {
			kind = recordWitnesses
		}
	}
	number := g.local(i64)
	g.word(in)
	g.recordOf(w, kind, number)
	w.i64(min(n, g.records.Counts[kind]))
	w.op(i64LtU)
	g.openIf()
	w.get(number)
	w.op(i32WrapI64)
	w.i32(2)
	w.op(i32Shl)
	w.mem(i32Load, table)
	w.set(to)
	g.join()
}

// tailCall calls the function that is to go on in this one's place, and returns its result.
func (g *fn) tailCall(pc uint32, in code.Inst) {
	f := g.callee(in)
	s := g.sigs[f]
	if s == nil {
		n, _ := g.shapeOf(f)
		writes := make([]uint16, n)
		for k := range writes {
			writes[k] = uint16(k + 1)
		}
		in.Op, in.Imm = code.TailCall, uint64(f.Index)
		g.execute(pc, in, writes)
		threw := g.local(i64)
		g.w.op(i64ExtendI32U)
		g.w.set(threw)
		g.leave(func() { g.w.get(threw) }, n)
		return
	}
	g.uncount()
	for k := range s.params {
		g.get(uint16(k + 1))
	}
	g.w.call(s.number)
	if s.flag == g.sig.flag && s.results == g.sig.results {
		g.w.op(opReturn)
		return
	}
	locals := make([]int, s.results)
	for k := len(locals) - 1; k >= 0; k-- {
		locals[k] = g.local(i64)
		g.w.set(locals[k])
	}
	if s.flag {
		threw := g.local(i64)
		g.w.set(threw)
		if g.sig.flag {
			g.w.get(threw)
		}
	} else if g.sig.flag {
		g.w.i64(0)
	}
	for k := range g.sig.results {
		if k < len(locals) {
			g.w.get(locals[k])
		} else {
			g.w.i64(0)
		}
	}
	g.w.op(opReturn)
}
