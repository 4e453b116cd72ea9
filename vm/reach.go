package vm

import "silvm/vm/code"

// reacher lowers the functions that a program may call, as far as its code shows: callees, closures, the methods of classes of which there
// are objects or metadata, and the entries of witness tables that some code asks for. What it misses is lowered when it is called.
type reacher struct {
	m       *Machine
	limit   int // instructions
	tried   map[int]bool
	classes map[*code.Class]bool
	entries map[int]bool // numbers of witness-table entries that are asked for
	tables  map[int]bool
	done    int // functions of prog.Lowered that were looked at
}

func (r *reacher) run() {
	p := r.m.prog
	for more := true; more; {
		for ; r.done < len(p.Lowered); r.done++ {
			if f := p.Lowered[r.done]; f.Native == nil {
				for pc := f.Entry; pc < f.End; pc++ {
					r.inst(p.Insts[pc])
				}
			}
		}
		n := len(p.Lowered)
		for k := range r.tables {
			for e := range r.entries {
				if fi, err := p.Runtime.WitnessEntry(k, e); err == nil {
					r.lower(fi)
				}
			}
		}
		more = len(p.Lowered) > n
	}
}

// lower lowers function fi, unless that was tried before.
func (r *reacher) lower(fi int) {
	p := r.m.prog
	if fi < 0 || fi >= len(p.Funcs) || r.tried[fi] || len(p.Insts) > r.limit {
		return
	}
	r.tried[fi] = true
	if f := p.Funcs[fi]; f.Entry == 0 && f.Native == nil {
		r.m.entryOf(fi)
	}
}

func (r *reacher) inst(in code.Inst) {
	p := r.m.prog
	switch in.Op.First() {
	case code.Call, code.CallTry, code.TailCall, code.FuncHandle, code.BeginApply:
		r.lower(int(in.Imm))
	case code.AllocClass:
		r.class(p.Classes[in.Imm])
	case code.Metadata:
		r.record(int(in.Imm))
	case code.WitnessTableAddr:
		r.tables[int(in.Imm)] = true
	case code.CallWitnessMethod, code.WitnessMethod:
		r.entries[int(in.Imm)] = true
	case code.InitExistential:
		for _, t := range p.Exists[in.Imm].Tables {
			if t >= 0 {
				r.tables[t] = true
			}
		}
	}
}

// record lowers what the objects of a type record call.
func (r *reacher) record(ti int) {
	t := r.m.prog.Types[ti]
	r.lower(t.DestroyObject)
	if t.Class != nil {
		r.class(t.Class)
	}
}

func (r *reacher) class(c *code.Class) {
	if r.classes[c] {
		return
	}
	r.classes[c] = true
	r.lower(c.Dealloc)
	r.lower(c.Destroy)
	for _, fi := range c.VTable {
		r.lower(fi)
	}
}
