package ir

func (p *printer) attrs(list Attrs) {
	for _, a := range list {
		p.str("[", a.String(), "] ")
	}
}

func (p *printer) vtable(t *VTable) {
	p.str("sil_vtable ")
	p.attrs(t.Attrs)
	if t.Type != nil {
		p.str("$", t.Type.String())
	} else {
		p.str(t.Class)
	}
	p.str(" {")
	p.endLine(t)
	for i := range t.Entries {
		p.above(Part{t, i}, "  ")
		e := &t.Entries[i]
		p.str("  ", e.Ref.Text)
		if e.DeclType.IsKnown() {
			p.str(": ", e.DeclType.String(), " : ")
		} else {
			p.str(": ")
		}
		p.symbol(e.Func)
		if e.Kind != EntryNew {
			p.str(" [", e.Kind.String(), "]")
		}
		if e.Nonoverridden {
			p.str(" [nonoverridden]")
		}
		if p.comments {
			p.str("\t// ", oneLine(DisplayName(e.Func, "")))
		}
		p.endLine(Part{t, i})
	}
	p.above(Part{t, Closing}, "  ")
	p.str("}")
	p.endLine(Part{t, Closing})
}

func (p *printer) witnessTable(t *WitnessTable) {
	if t.Default {
		p.str("sil_default_witness_table ")
	} else {
		p.str("sil_witness_table ")
	}
	if t.Linkage != LinkageDefault {
		p.str(t.Linkage.String(), " ")
	}
	p.attrs(t.Attrs)
	p.str(t.Conformance.Text)
	if t.Declared {
		p.endLine(t)
		return
	}
	p.str(" {")
	p.endLine(t)
	for i := range t.Entries {
		p.above(Part{t, i}, "  ")
		p.str("  ", t.Entries[i].Text)
		if name := t.Entries[i].Func; p.comments && name != "" {
			p.str("\t// ", oneLine(DisplayName(name, "")))
		}
		p.endLine(Part{t, i})
	}
	p.above(Part{t, Closing}, "  ")
	p.str("}")
	p.endLine(Part{t, Closing})
}
