package loader

import (
	"silvm/ir"
	"silvm/ir/source"
)

// parser reads one file into a module. After the first error of an item the parser is at the end of
// the file (tok is tokEOF and next stays there), so that every rule leaves as it always does;
// recover then goes on at the next boundary. No rule needs to tell a failure from the end of the file.
type parser struct {
	lex   lexer
	text  string // that the parser reads, of which lex may see a part
	tok   token
	mod   *ir.Module
	ts    *ir.Types
	file  *source.File
	diags *source.List
	opts  Options
	load  *load

	isProgram bool // the file is the first one, whose dialect the module prints in

	depth    int  // nesting, see enter
	bad      bool // an error was met since the last recover
	trial    bool // inside attempt: errors are not reported
	errOff   int  // offset from which recovery goes on to the next boundary
	start    int  // offset of the item, member or instruction that is being read
	lastOff  int  // offset of the end of the last token taken
	fn       *funcParser
	params   []scopeParam // generic parameters in scope besides those of the function, see paramNamed
	sigStart int          // where in params the signature that is being read begins, 0 in declarations
	levels   []level      // generic types around the declaration that is being read, the outermost first

	shadows *shadows // the names in the body that is being read of which the text does not say what they mean; nil where there are none

	typeNames map[string]bool   // that its text declares, see load.declares
	namesakes map[string]string // what names that stand for several types mean in the item that is being read
	number    int               // of the text among those that are loaded
	alias     *alias            // the typealias that is read, nil for a text

	memberBody func(*ir.Function) error // reads the body of the function whose head is the text, when the rest of it is elsewhere

	writtenThick bool        // the function type that was read last says @convention(thick)
	taken        *takenNames // see load.taken; nil in the text of a library
	place        namePlace   // of the path that is read next
	anyParams    bool        // typeAt takes types that name generic parameters
	ownNames     bool        // the parameters of the next signature keep their names: the body of a function speaks of them

	// deinits are the sil_moveonlydeinit tables, resolved when all functions are known.
	deinits []deinitRef
	marks   map[int]mark  // what lies where in the text; nil where comments are not kept
	decls   []pendingDecl // declared types whose members are still text
	// Shared parts of instructions, by their text: nothing may change them.
	symbols  map[string]*ir.SymbolAux
	members  map[string]*ir.MemberAux
	ints     map[string]*ir.IntAux
	builtins map[string]*ir.BuiltinAux
	vars     map[string]*ir.DebugVar
}

// next moves to the next token, or stays at the end of the file.
func (p *parser) next() {
	if p.bad || p.tok.kind == tokEOF && p.tok.pos != 0 {
		return
	}
	p.lastOff = p.lex.off
	p.tok = p.lex.next()
}

// off returns the offset of the current token in p.lex.src.
func (p *parser) off() int { return int(p.tok.pos - p.lex.base) }

// seek makes the token at offset off the current one.
func (p *parser) seek(off int) {
	if p.bad {
		return
	}
	p.lex.off, p.lastOff = off, off
	p.tok = p.lex.next()
}

// textFrom returns the input from offset off to the end of the last token taken.
func (p *parser) textFrom(off int) string {
	if p.lastOff < off {
		return ""
	}
	if p.shadows != nil && len(p.shadows.clear) > 0 {
		return p.shadows.clearText(p.lex.src, off, p.lastOff)
	}
	return p.lex.src[off:p.lastOff]
}

// is reports whether the current token is written so.
func (p *parser) is(text string) bool { return p.tok.text == text }

// peek returns the token after the current one.
func (p *parser) peek() token {
	if p.bad {
		return p.tok
	}
	l := p.lex
	return l.next()
}

// accept moves on if the current token is written so, and reports whether it did.
func (p *parser) accept(text string) bool {
	if p.tok.text != text {
		return false
	}
	p.next()
	return true
}

// expect is accept, and an error if the token is another one.
func (p *parser) expect(text string) bool {
	if p.accept(text) {
		return true
	}
	p.unexpected("'" + text + "'")
	return false
}

// ident takes an identifier and returns its text, "" with an error if the token is none.
func (p *parser) ident(what string) string {
	if p.tok.kind != tokIdent {
		p.unexpected(what)
		return ""
	}
	text := p.tok.text
	p.next()
	return text
}

// unexpected reports that the current token is where what was wanted.
func (p *parser) unexpected(what string) {
	p.errorf(p.tok.pos, "syntax", "found %s where %s was expected", p.tok.describe(), what)
}

// errorf reports an error and ends the item: see parser. Only the first error of an item is reported.
func (p *parser) errorf(pos source.Pos, code, format string, args ...any) {
	p.errorAt(pos, 0, code, format, args...)
}

// instErrorf is errorf about the whole of an instruction.
func (p *parser) instErrorf(i *ir.Inst, code, format string, args ...any) {
	p.errorAt(i.Pos, source.Whole, code, format, args...)
}

func (p *parser) errorAt(pos source.Pos, n int, code, format string, args ...any) {
	if p.bad {
		return
	}
	if !p.trial {
		p.diags.Errorf(pos, code, format, args...).Len = n
	}
	p.errOff = p.off()
	if pos >= p.lex.base && pos < p.tok.pos { // the current token may be on a later line
		p.errOff = max(int(pos-p.lex.base), p.start)
	}
	p.bad = true
	p.tok = token{pos: p.tok.pos}
}

// enter counts one level of nesting; leave undoes it. Over the limit enter reports an error and returns false.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > p.opts.MaxNesting {
		p.errorf(p.tok.pos, "nesting", "nested deeper than %d levels", p.opts.MaxNesting)
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// recover ends the state of error and goes on with the token at offset off.
func (p *parser) recover(off int) {
	p.bad = false
	p.seek(off)
}

// attempt runs rule; if it meets an error or answers false, the parser is where it stood before and
// nothing is reported.
func (p *parser) attempt(rule func() bool) bool {
	lex, tok, last, depth, trial, mark := p.lex, p.tok, p.lastOff, p.depth, p.trial, len(p.params)
	if p.bad {
		return false
	}
	p.trial = true
	ok := rule() && !p.bad
	p.trial = trial
	if !ok {
		p.lex, p.tok, p.lastOff, p.depth, p.bad = lex, tok, last, depth, false
		p.popParams(mark)
	}
	return ok
}

// within runs rule over text[from:to] only, as if the file ended there, and comes back to where it was.
func (p *parser) within(from, to int, rule func()) {
	lex, tok, last := p.lex, p.tok, p.lastOff
	p.lex.src = p.lex.src[:to]
	p.lex.off = from
	p.tok = p.lex.next()
	rule()
	p.lex, p.tok, p.lastOff = lex, tok, last
}
