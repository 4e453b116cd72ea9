package mir

// dropParams removes arguments of blocks that get the same register over every edge, or themselves: a value that a loop passes round
// and never changes. Their name becomes that of the register.
func (fn *Function) dropParams(order []*Label) {
	defs := fn.countDefs(order)
	names := make([]Operand, int(fn.nregs)+2)
	same := func(r Reg) Reg {
		for names[r].Reg != 0 {
			r = names[r].Reg
		}
		return r
	}
	sources := map[Reg][]Operand{} // what the edges move to an argument
	for _, l := range order {
		for _, m := range l.Moves {
			sources[m.Dst] = append(sources[m.Dst], m.Src)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, l := range order {
			for _, p := range l.Params {
				if names[p].Reg != 0 || defs[p] != 1 || fn.inPair(p) {
					continue
				}
				if r := onlySource(p, sources[p], same); r != 0 && defs[r] == 1 {
					names[p] = r.Op()
					changed = true
				}
			}
		}
	}
	for _, l := range order {
		params := l.Params[:0]
		for _, p := range l.Params {
			if names[p].Reg == 0 {
				params = append(params, p)
			}
		}
		l.Params = params
		moves := l.Moves[:0]
		for _, m := range l.Moves {
			if names[m.Dst].Reg == 0 {
				moves = append(moves, m)
			}
		}
		l.Moves = moves
	}
	fn.rename(order, names)
}

// onlySource returns the register that all edges move to p, those left out that move p itself; 0 when there are several or none.
func onlySource(p Reg, sources []Operand, same func(Reg) Reg) (only Reg) {
	for _, s := range sources {
		switch r := same(s.Reg); {
		case s.Reg == 0:
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
