package lower

// dropParams removes arguments of blocks that get the same register over every edge, or themselves: a value that a loop passes round
// and never changes. Their name becomes that of the register.
func (fn *mirFunction) dropParams(order []*label) {
	defs := fn.countDefs(order)
	names := make([]operand, int(fn.nregs)+2)
	same := func(r reg) reg {
		for names[r].reg != 0 {
			r = names[r].reg
		}
		return r
	}
	sources := map[reg][]operand{} // what the edges move to an argument
	for _, l := range order {
		for _, m := range l.moves {
			sources[m.dst] = append(sources[m.dst], m.src)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, l := range order {
			for _, p := range l.params {
				if names[p].reg != 0 || defs[p] != 1 || fn.inPair(p) {
					continue
				}
				if r := onlySource(p, sources[p], same); r != 0 && defs[r] == 1 {
					names[p] = r.op()
					changed = true
				}
			}
		}
	}
	for _, l := range order {
		params := l.params[:0]
		for _, p := range l.params {
			if names[p].reg == 0 {
				params = append(params, p)
			}
		}
		l.params = params
		moves := l.moves[:0]
		for _, m := range l.moves {
			if names[m.dst].reg == 0 {
				moves = append(moves, m)
			}
		}
		l.moves = moves
	}
	fn.rename(order, names)
}

// onlySource gives the register that all edges move to p, those left out that move p itself; 0 when there are several or none.
func onlySource(p reg, sources []operand, same func(reg) reg) (only reg) {
	for _, s := range sources {
		switch r := same(s.reg); {
		case s.reg == 0:
			return 0
		case r == p || r == only:
		case only != 0:
			return 0
		default:
			only = r
		}
	}
	return only
}
