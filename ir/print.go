package ir

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"silvm/ir/op"
)

// Print writes the module as SIL text that the compiler and the loader read back: the same items in the same
// order, values and blocks numbered as the compiler numbers them. Of comments there are those of Module.Comments, and the line
// above a function that names it. Bodies that are still text are parsed first; those that cannot be are left out.
func (m *Module) Print(w io.Writer) error {
	p := newPrinter(w)
	p.module(m)
	return p.out.Flush()
}

// PrintCommented writes the module as the compiler's sil-opt does: with its comments on users, predecessors and names, and
// with globals, functions, vtables and witness tables in this order after the declarations.
func (m *Module) PrintCommented(w io.Writer) error {
	p := newPrinter(w)
	p.comments = true
	p.module(m)
	return p.out.Flush()
}

// Print writes the function alone.
func (f *Function) Print(w io.Writer) error {
	p := newPrinter(w)
	p.function(f)
	return p.out.Flush()
}

// String returns the function as text.
func (f *Function) String() string {
	var b strings.Builder
	_ = f.Print(&b)
	return b.String()
}

// String returns the instruction as it is printed in its function, without indentation.
func (i *Inst) String() string {
	if b := i.block; b != nil && b.Func != nil {
		b.Func.number()
	} else if b != nil {
		numberBlock(b, 0)
	}
	var b strings.Builder
	p := newPrinter(&b)
	p.inst(i)
	_ = p.out.Flush()
	return b.String()
}

// String returns the name the value is printed with, such as "%12"; of an undefined value "undef".
func (v *Value) String() string {
	if v.IsUndef() {
		return "undef"
	}
	if b := v.Block(); b != nil && b.Func != nil {
		b.Func.number()
	} else if b != nil {
		numberBlock(b, 0)
	}
	return "%" + strconv.Itoa(v.num)
}

// number gives every value of the function the number that the compiler prints it with: block arguments
// and results count on, and so does an instruction without results.
func (f *Function) number() {
	n := 0
	for i, b := range f.Blocks {
		b.Index = i
		n = numberBlock(b, n)
	}
}

func numberBlock(b *Block, n int) int {
	for _, a := range b.Args {
		a.num = n
		n++
	}
	for i := b.first; i != nil; i = i.next {
		for _, r := range i.Results {
			r.num = n
			n++
		}
		if len(i.Results) == 0 {
			i.num = n
			n++
		}
	}
	return n
}

type printer struct {
	out      *bufio.Writer
	num      []byte
	comments bool             // print sil-opt's comments
	sorted   bool             // users and predecessors from the first to the last, tables and functions by their names
	col      int              // column of the line being written, in characters; kept only for comments
	lone     bool             // a line of a dump is written: comments are made anew
	places   *places          // where instructions come from; nil when that is not printed with the comments
	preds    map[*Block][]int // predecessors of the blocks of the function, only for comments

	opened *openedTypes // of the function of which a line is written, nil elsewhere

	kept Comments // of people

	omitTypes bool   // see Module.OmitTypes
	printed   []bool // the blocks of the function that were begun, by Block.Index; only where types are left out
}

func newPrinter(w io.Writer) *printer { return &printer{out: bufio.NewWriterSize(w, 1<<15)} }

// str writes strings one after the other.
func (p *printer) str(parts ...string) {
	for _, s := range parts {
		s = PlainName(s)
		_, _ = p.out.WriteString(s) // Flush returns the error
		if p.comments || p.kept != nil {
			p.advance(s)
		}
	}
}

func (p *printer) int(n int) {
	p.num = strconv.AppendInt(p.num[:0], int64(n), 10)
	_, _ = p.out.Write(p.num)
	p.col += len(p.num)
}

func (p *printer) module(m *Module) {
	p.kept = m.Comments
	if m.Stage != StageUnstated {
		p.above(StagePlace, "")
		p.str("sil_stage ", m.Stage.String())
		p.endLine(StagePlace)
		p.str("\n")
	}
	imports, items := m.Imports, m.Items
	if p.comments {
		imports, items = withImplicitImports(imports), inCompilersOrder(items)
		if p.sorted {
			items = byName(items)
		}
	}
	for _, text := range imports {
		p.above(ImportPlace(text), "")
		p.str(text)
		p.endLine(ImportPlace(text))
	}
	p.str("\n")
	p.omitTypes = m.OmitTypes
	for _, item := range items {
		p.above(item, "")
		switch x := item.(type) {
		case *Function:
			p.function(x)
		case *Global:
			p.global(x)
		case *Nominal:
			p.str(x.Text)
			p.endLine(x)
		case *VTable:
			p.vtable(x)
		case *WitnessTable:
			p.witnessTable(x)
		case *Raw:
			p.str(x.Text)
			p.endLine(x)
		}
		p.str("\n")
	}
	p.above(EndPlace, "")
}

// comment writes the line above a function or global.
func (p *printer) comment(text string, loc *Loc, scope int) {
	if text == "" && loc == nil && scope == 0 {
		return
	}
	p.str("// ", oneLine(text))
	p.location(loc, scope)
	p.str("\n")
}

// oneLine returns a name as it can stand in a comment to the end of the line: quoted names may hold any character.
func oneLine(name string) string {
	if strings.ContainsAny(name, "\n\r") {
		return strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(name)
	}
	return name
}

// head writes what functions and globals begin with. The linkage that a definition has anyway is left out.
func (p *printer) head(word string, linkage Linkage, defined bool, attrs Attrs, name string, t *Type) {
	p.str(word, " ")
	if linkage != LinkageDefault && (linkage != LinkagePublic || !defined) {
		p.str(linkage.String(), " ")
	}
	p.attrs(attrs)
	p.symbol(name)
	p.str(" : $", t.String())
}

// functionComment writes the line above a function.
func (p *printer) functionComment(f *Function) {
	text := p.nameComment(f.Name, f.Comment)
	if p.places == nil {
		p.comment(text, f.Loc, f.Scope)
		return
	}
	own := p.places.ofFunction(f)
	p.str("// ", oneLine(text))
	p.debugPlace(place{own.loc, own})
	p.str("\n")
}

func (p *printer) function(f *Function) {
	_ = f.Body() // an error leaves the function without blocks, which prints as a declaration
	if p.places != nil {
		p.debugScopes(f)
	}
	p.functionComment(f)
	p.head("sil", f.Linkage, len(f.Blocks) > 0, f.printedAttrs(), f.Name, f.Type)
	if len(f.Blocks) == 0 && f.Effects == nil {
		p.endLine(f)
		return
	}
	p.str(" {")
	p.endLine(f)
	for _, e := range f.Effects.Lines() {
		p.str(e, "\n")
	}
	f.number()
	p.omitTypes = f.Module != nil && f.Module.OmitTypes
	if p.omitTypes {
		p.printed = append(p.printed[:0], make([]bool, len(f.Blocks))...)
	}
	if f.Module != nil && f.Module.AsWritten && len(f.Shadowed) > 0 && !p.comments {
		defer p.renamed(f.Shadowed)()
	}
	blocks := f.Blocks
	if p.sorted {
		blocks = inReversePostorder(blocks)
	}
	if p.comments {
		p.findPreds(blocks)
	}
	for n, b := range blocks {
		if n > 0 {
			p.str("\n")
		}
		p.block(b)
	}
	p.above(Part{f, Closing}, "  ")
	p.str("} // end sil function '", oneLine(f.Name), "'")
	p.endLine(Part{f, Closing})
}

func (p *printer) global(g *Global) {
	comment := p.nameComment(g.Name, g.Comment)
	if p.lone {
		comment = DisplayName(g.Name, "")
	}
	p.comment(comment, nil, 0)
	p.head("sil_global", g.Linkage, true, g.Attrs.sorted(), g.Name, g.Type)
	p.location(g.Loc, g.Scope)
	if g.Init != nil {
		p.str(" = {")
		p.endLine(g)
		numberBlock(g.Init, 0)
		p.printed = append(p.printed[:0], make([]bool, g.Init.Index+1)...)
		p.printed[g.Init.Index] = true
		for i := g.Init.first; i != nil; i = i.next {
			p.above(i, "  ")
			p.str("  ")
			if i.next == nil && len(i.Results) == 1 && !i.Results[0].HasUses() {
				p.str("%initval = ")
				p.instText(i)
			} else {
				p.inst(i)
				if p.lone {
					p.usersComment(i)
				}
			}
			p.endLine(i)
		}
		p.above(Part{g, Closing}, "  ")
		p.str("}")
		p.endLine(Part{g, Closing})
		return
	}
	p.endLine(g)
}

// isNamedReborrow reports a block argument that borrowed names, which compilers since 6.1 print: they leave out that it is guaranteed.
func (v *Value) isNamedReborrow() bool {
	if !v.Flags.Has(ArgReborrow) {
		return false
	}
	for x := range v.Uses() {
		if x.User().Op == op.Borrowed {
			return true
		}
	}
	return false
}

func (p *printer) block(b *Block) {
	if p.omitTypes {
		p.printed[b.Index] = true
	}
	p.above(b, "")
	if p.comments {
		p.argComments(b)
	}
	p.blockName(b)
	if len(b.Args) > 0 {
		p.str("(")
		for n, a := range b.Args {
			if n > 0 {
				p.str(", ")
			}
			p.value(a)
			p.str(" : ")
			for n, word := range argFlagWords {
				if a.Flags.Has(1 << n) {
					p.str(word, " ")
				}
			}
			if a.Ownership != OwnershipUnspecified && !a.isNamedReborrow() {
				p.str("@", a.Ownership.String(), " ")
			}
			p.str("$", a.Type.String())
		}
		p.str(")")
	}
	p.str(":")
	if p.comments {
		p.predsComment(b)
	}
	p.endLine(b)
	for i := b.first; i != nil; i = i.next {
		p.above(i, "  ")
		if p.comments {
			p.refComment(i)
		}
		p.str("  ")
		p.inst(i)
		if p.comments {
			p.usersComment(i)
		}
		p.endLine(i)
	}
}

func (p *printer) blockName(b *Block) {
	p.str("bb")
	p.int(b.Index)
}

func (p *printer) value(v *Value) {
	switch {
	case v == nil:
		p.str("%?") // an operand that was removed
	case v.IsUndef():
		p.str("undef")
	default:
		p.str("%")
		p.int(v.num)
	}
}

// typedValue writes an operand with its type, where one belongs there; see Module.OmitTypes.
func (p *printer) typedValue(v *Value) {
	p.value(v)
	if v == nil || p.omitTypes && !v.IsUndef() && p.isPrinted(v.Block()) {
		return
	}
	p.str(" : $", v.Type.String())
}

// valueAndType writes an operand with its type, which no dialect leaves out before a colon of the instruction's own.
func (p *printer) valueAndType(v *Value) {
	p.value(v)
	if v != nil {
		p.str(" : $", v.Type.String())
	}
}

// isPrinted reports whether the block was written already, wholly or in part.
func (p *printer) isPrinted(b *Block) bool {
	return b != nil && b.Index < len(p.printed) && p.printed[b.Index]
}

// symbol writes @name, in quotes if the name is no identifier.
func (p *printer) symbol(name string) {
	plain := name != ""
	for i := 0; i < len(name); i++ {
		c := name[i]
		plain = plain && (c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z')
	}
	if plain {
		p.str("@", name)
		return
	}
	p.str("@")
	p.quoted(name)
}

// quoted writes a string literal with the escapes that the compiler's printer uses.
func (p *printer) quoted(s string) {
	p.str(`"`)
	from := 0
	for i := 0; i < len(s); i++ {
		esc := escapes[s[i]]
		if esc == "" {
			continue
		}
		p.str(s[from:i], esc)
		from = i + 1
	}
	p.str(s[from:], `"`)
}

// escapes holds how each byte is written in a string literal, "" for one that stands for itself.
var escapes = func() (t [256]string) {
	const hex = "0123456789ABCDEF"
	for c := range 0x20 {
		t[c] = `\u{` + hex[c>>4:c>>4+1] + hex[c&15:c&15+1] + `}`
	}
	t[0x7F] = `\u{7F}`
	t['\n'], t['\r'], t['\t'], t[0] = `\n`, `\r`, `\t`, `\0`
	t['"'], t['\\'] = `\"`, `\\`
	return t
}()

func (p *printer) location(loc *Loc, scope int) {
	if p.comments {
		return // sil-opt keeps them to itself
	}
	if loc != nil {
		p.str(", ", loc.Text)
	}
	if scope != 0 {
		p.str(", scope ")
		p.int(scope)
	}
}
