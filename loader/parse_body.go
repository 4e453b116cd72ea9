package loader

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/source"
)

// funcParser holds what the parser knows while it reads one body: the names of its values and blocks.
type funcParser struct {
	fn     *ir.Function // nil in the initializer of a global
	nums   []*ir.Value  // values with a number for a name, by number
	names  map[string]*ir.Value
	blocks map[string]*blockRef
	undefs map[*ir.Type]*ir.Value
	// forward remembers where a value that is not yet defined was used first.
	forward map[*ir.Value]forwardRef
	// loose holds values whose type was computed through declarations or substitutions and not yet seen at a use.
	loose   map[*ir.Value]bool
	untyped []*ir.Value           // whose definition did not tell their type
	same    map[*ir.Type]*ir.Type // what the function's requirements say that generic parameters and their members are; made when needed
	draft   draft
	wrong   bool // an instruction was wrong, so that blocks may lack their terminators
	lastLoc *ir.Loc
	// maxNum bounds the numbers that nums holds; the body's length in bytes.
	maxNum int
	mem    slabs
	tested bool // there is a specify_test, which names values by their numbers in the text
}

type blockRef struct {
	block   *ir.Block
	pos     source.Pos // of the first use
	defined bool
}

type forwardRef struct {
	name string
	pos  source.Pos
}

// parseBody reads the text between the braces of f, which lies from offset from to offset to, and gives the
// function its blocks. All errors of the body are reported.
func (p *parser) parseBody(f *ir.Function, from, to int) {
	p.within(from, to, func() {
		fp := &funcParser{fn: f, maxNum: to - from}
		p.fn = fp
		var block *ir.Block
		for {
			if p.bad {
				p.recover(endOfLine(p.lex.src, p.errOff))
			}
			if p.tok.kind == tokEOF {
				break
			}
			p.start = p.off()
			if p.atBlock() {
				block = p.parseBlockHead(f)
				continue
			}
			if block == nil && p.tok.kind == tokValue { // the name of the first block may be left out
				block = &ir.Block{Name: "bb0", Func: f}
				f.Blocks = append(f.Blocks, block)
			}
			if block == nil {
				p.errorf(p.tok.pos, "syntax", "found %s where a block was expected", p.tok.describe())
				continue
			}
			p.parseInst(block)
		}
		p.finishBody(f)
		if fp.tested {
			f.Numbers = fp.nums
		}
		p.fn = nil
	})
	f.Renumber()
}

// atBlock reports whether a block begins: with a name and a colon after it, or arguments if the name is no
// instruction's.
func (p *parser) atBlock() bool {
	if p.tok.kind != tokIdent {
		return false
	}
	if isBlockName(p.tok.text) {
		return true
	}
	switch p.peek().text {
	case ":":
		return true
	case "(":
		_, isInst := op.ByName(p.tok.text)
		return !isInst
	}
	return false
}

// isBlockName reports whether the word is bb and a number.
func isBlockName(s string) bool {
	if len(s) < 3 || s[0] != 'b' || s[1] != 'b' {
		return false
	}
	for i := 2; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// parseBlockHead reads bb3(%1 : @owned $T): and begins the block.
func (p *parser) parseBlockHead(f *ir.Function) *ir.Block {
	pos := p.tok.pos
	ref := p.fn.blockNamed(p.tok.text, pos)
	b := ref.block
	if ref.defined {
		p.errorf(pos, "redefined", "%s is defined twice", p.tok.text)
		p.fn.wrong = true
		return &ir.Block{Name: b.Name, Func: f} // takes the instructions that follow, and is dropped
	}
	ref.defined = true
	b.Func, b.Index = f, len(f.Blocks)
	f.Blocks = append(f.Blocks, b)
	p.next()
	if p.accept("(") {
		for !p.is(")") && !p.bad {
			p.parseBlockArg(b)
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
	}
	p.expect(":")
	p.mark(int(pos-p.lex.base), p.lastOff, b)
	return b
}

// parseBlockArg takes "%1 : @owned @reborrow $T" and adds the argument to the block.
func (p *parser) parseBlockArg(b *ir.Block) {
	name := p.tok
	if name.kind != tokValue {
		p.unexpected("the name of a block argument")
		return
	}
	p.next()
	p.expect(":")
	var own ir.OwnershipKind
	var flags ir.ArgFlags
	for p.tok.kind == tokAt && !p.bad {
		if k, ok := ir.OwnershipByWord(p.tok.text); ok {
			own = k
		} else if flag, ok := ir.ArgFlagByWord(p.tok.text); ok {
			flags |= flag
		} else {
			p.unexpected("the type of a block argument")
		}
		p.next()
	}
	t := p.dollarType()
	if p.bad {
		return
	}
	if flags.Has(ir.ArgReborrow) {
		own = ir.OwnershipGuaranteed // newer compilers leave it out
	}
	v := b.AddArg(t)
	v.Ownership, v.Flags = own, flags
	p.define(name, v)
}

// blockNamed returns the block of that name, which may not be there yet.
func (fp *funcParser) blockNamed(name string, pos source.Pos) *blockRef {
	if ref, ok := fp.blocks[name]; ok {
		return ref
	}
	if fp.blocks == nil {
		fp.blocks = make(map[string]*blockRef)
	}
	ref := &blockRef{block: &ir.Block{Name: name, Func: fp.fn}, pos: pos}
	fp.blocks[name] = ref
	return ref
}

// valueNumber returns the number of %12, -1 if the name is no number or one too large to index by.
func valueNumber(name string, limit int) int {
	n := 0
	for i := 1; i < len(name); i++ {
		c := name[i]
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
		if n > limit {
			return -1
		}
	}
	if len(name) < 2 || len(name) > 2 && name[1] == '0' {
		return -1
	}
	return n
}

// get returns the value of that name, nil as long as it was not met, and its number, -1 when it has none.
func (fp *funcParser) get(name string) (v *ir.Value, n int) {
	if n = valueNumber(name, fp.maxNum); n >= 0 {
		if n < len(fp.nums) {
			return fp.nums[n], n
		}
		return nil, n
	}
	return fp.names[name], n
}

func (fp *funcParser) set(name string, n int, v *ir.Value) {
	if n < 0 {
		if fp.names == nil {
			fp.names = make(map[string]*ir.Value)
		}
		fp.names[name] = v
		return
	}
	for n >= len(fp.nums) {
		fp.nums = append(fp.nums, nil)
	}
	fp.nums[n] = v
}

// value returns the value of that name; one that is not defined yet is made without a type.
func (p *parser) value(t token) *ir.Value {
	fp := p.fn
	v, n := fp.get(t.text)
	if v == nil {
		v = ir.NewForward()
		fp.set(t.text, n, v)
		if fp.forward == nil {
			fp.forward = make(map[*ir.Value]forwardRef)
		}
		fp.forward[v] = forwardRef{t.text, t.pos}
	}
	return v
}

// define makes v the value of the name. Uses that came before it are moved over to it; the type they gave
// must be v's.
func (p *parser) define(name token, v *ir.Value) {
	fp := p.fn
	old, n := fp.get(name.text)
	if old != nil {
		ref, isForward := fp.forward[old]
		if !isForward {
			p.errorf(name.pos, "redefined", "%s is defined twice", name.text)
			return
		}
		delete(fp.forward, old)
		if old.Type != nil && v.Type != old.Type {
			if p.taken.isTrial() {
				p.taken.trial.SameType(v.Type, old.Type)
			}
			if v.Type != nil && p.shadows.isFirst() {
				p.shadows.SameType(v.Type, old.Type)
			} else if v.Type != nil && !fp.loose[v] && !p.taken.isTrial() {
				p.errorf(ref.pos, "type-mismatch", "%s is used as $%s, but it is $%s", name.text, old.Type, v.Type)
				return
			}
			v.Type = old.Type
		}
		if old.Type != nil {
			delete(fp.loose, v) // that use has told its type
		}
		old.ReplaceAllUses(v)
	}
	if n < 0 {
		v.Name = name.text[1:]
	}
	fp.set(name.text, n, v)
}

// reportUndefined reports the values and blocks that were used and never defined, in the order of the text.
func (p *parser) reportUndefined() {
	p.bad = false
	p.fn.typeRest(p.ts)
	var first []forwardRef
	for _, ref := range p.fn.forward {
		first = append(first, ref)
	}
	for name, ref := range p.fn.blocks {
		if !ref.defined {
			first = append(first, forwardRef{name, ref.pos})
		}
	}
	sortRefs(first)
	for _, ref := range first {
		code := "unknown-value"
		if ref.name[0] != '%' {
			code = "unknown-block"
		}
		p.diags.Errorf(ref.pos, code, "%s is used but never defined", ref.name)
	}
}

// finishBody reports what is missing from the body as a whole.
func (p *parser) finishBody(f *ir.Function) {
	p.reportUndefined()
	if len(f.Blocks) == 0 && !p.fn.wrong {
		p.diags.Errorf(f.Pos, "syntax", "the body of @%s has no block", f.Name)
	}
	for _, b := range f.Blocks {
		if b.Terminator() == nil && !p.fn.wrong {
			p.diags.Errorf(f.Pos, "no-terminator", "%s of @%s does not end in a terminator", b.Name, f.Name)
		}
	}
	if f.IsOSSA() {
		markReborrows(f)
	}
}
