package loader

func (p *parser) parseDecl()         { p.parseRaw() }
func (p *parser) parseVTable()       { p.parseRaw() }
func (p *parser) parseWitnessTable() { p.parseRaw() }
