package ir

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"silvm/ir/source"
)

// PrintDebugInfo writes the module as sil-opt does with -sil-print-debuginfo: each instruction with its place in the source and its scope,
// and the scopes that a function needs before it, numbered anew. What the text gives no place for is at its place in the SIL text, in
// the scope of what comes before it.
func (m *Module) PrintDebugInfo(w io.Writer) error {
	p := newPrinter(w)
	p.comments = true
	p.places = newPlaces(m)
	p.module(m)
	return p.out.Flush()
}

// SettlePlaces gives each instruction for which the text has no place in the source its place in the SIL text, as the compiler does when it
// reads SIL: what passes make in its stead is from there then, too.
func (m *Module) SettlePlaces() {
	s := &places{mod: m}
	m.settled = true
	for _, item := range m.Items {
		f, ok := item.(*Function)
		if !ok {
			continue
		}
		for i := range f.Insts() {
			if i.Loc == nil && i.Pos != 0 {
				pos := s.keyword(i)
				at := m.Files.Place(pos)
				i.Loc = &Loc{File: at.File, Line: at.Line, Col: at.Col, Text: s.at(pos)}
			}
		}
	}
}

// places knows where the functions and instructions of a module come from.
type places struct {
	mod     *Module
	scopes  map[int]*Scope // of the text, by their numbers there
	own     map[*Function]*Scope
	numbers map[*Scope]int
	first   map[string]source.Pos // where the text names a function first
	insts   map[*Inst]place       // of the function that is being written
}

// place is where an instruction comes from.
type place struct {
	loc   string
	scope *Scope
}

func newPlaces(m *Module) *places {
	s := &places{mod: m, scopes: map[int]*Scope{}, own: map[*Function]*Scope{}, numbers: map[*Scope]int{}, first: map[string]source.Pos{}}
	var file *source.File
	for _, item := range m.Items {
		switch x := item.(type) {
		case *Raw:
			s.read(x.Text)
		case *Function:
			if f := m.Files.File(x.Pos); f != nil && f != file && !f.Ours {
				file = f
				s.mentions(f)
			}
		}
	}
	return s
}

// read enters a scope of the text.
func (s *places) read(text string) {
	if n, sc, ok := readScope(text, s.scopes); ok {
		s.scopes[n] = sc
	}
}

var mention = regexp.MustCompile(`@(?:"([^"\n]*)"|([\w$.]+))`)

// mentions notes where each name stands first in a file: that is where the compiler makes its function.
func (s *places) mentions(f *source.File) {
	at := f.Base
	for line := range strings.Lines(f.Text()) {
		code, _, _ := strings.Cut(line, "//")
		for _, m := range mention.FindAllStringSubmatchIndex(code, -1) {
			from, to := max(m[2], m[4]), max(m[3], m[5])
			if name := code[from:to]; s.first[name] == 0 {
				s.first[name] = at + source.Pos(m[0])
				if strings.HasPrefix(code, "sil ") && !strings.Contains(code[:m[0]], ":") {
					s.first[name] = at + source.Pos(from) // the function itself
				}
			}
		}
		at += source.Pos(len(line))
	}
}

// at returns a place in the SIL text as the location of an instruction is written.
func (s *places) at(pos source.Pos) string {
	if pos == 0 {
		return ""
	}
	at := s.mod.Files.Place(pos)
	return fmt.Sprintf("loc %q:%d:%d", at.File, at.Line, at.Col)
}

// ofFunction returns the scope of a function as a whole.
func (s *places) ofFunction(f *Function) *Scope {
	own := s.own[f]
	if own == nil {
		own = &Scope{loc: s.at(s.first[f.Name]), Func: f.Name}
		s.own[f] = own
	}
	return own
}

// enter determines where the instructions of a function come from.
func (s *places) enter(f *Function) {
	s.insts = map[*Inst]place{}
	last := place{scope: s.ofFunction(f)}
	for _, b := range f.Blocks {
		for i := b.first; i != nil; i = i.next {
			if sc := s.scopes[i.Scope]; sc != nil {
				last.scope = sc
			}
			switch {
			case i.Loc != nil:
				last.loc = i.Loc.Text
			case i.Pos != 0:
				last.loc = s.at(s.keyword(i))
			}
			s.insts[i] = last
		}
	}
}

// keyword returns the place of the name of an instruction, which its results may come before.
func (s *places) keyword(i *Inst) source.Pos {
	file := s.mod.Files.File(i.Pos)
	if file == nil {
		return i.Pos
	}
	line := file.Line(i.Pos)
	from := min(file.Place(i.Pos).Col-1, len(line))
	if text := line[from:]; strings.HasPrefix(text, "%") || strings.HasPrefix(text, "(") {
		if results, _, ok := strings.Cut(text, " = "); ok {
			return i.Pos + source.Pos(len(results)+len(" = "))
		}
	}
	return i.Pos
}

// debugScopes writes the scopes of a function that are new.
func (p *printer) debugScopes(f *Function) {
	p.places.enter(f)
	for _, b := range f.Blocks {
		for i := b.first; i != nil; i = i.next {
			p.debugScope(p.places.insts[i].scope)
		}
	}
	p.str("\n")
}

// debugScope writes a scope and, before it, those that it lies in, unless they are written.
func (p *printer) debugScope(sc *Scope) {
	isNew := func(sc *Scope) bool { return sc != nil && p.places.numbers[sc] == 0 }
	for work := []*Scope{sc}; len(work) > 0; {
		switch top := work[len(work)-1]; {
		case isNew(top) && isNew(top.Parent):
			work = append(work, top.Parent)
		case isNew(top) && isNew(top.Inlined):
			work = append(work, top.Inlined)
		default:
			work = work[:len(work)-1]
			if isNew(top) {
				p.newScope(top)
			}
		}
	}
}

func (p *printer) newScope(sc *Scope) {
	numbers := p.places.numbers
	numbers[sc] = len(numbers) + 1
	p.str("sil_scope ", strconv.Itoa(numbers[sc]), " { ", sc.loc, " parent ")
	if f := p.places.mod.Func(sc.Func); f != nil {
		p.symbol(f.Name)
		p.str(" : $", p.places.mod.Types.Unsugared(f.Type).String())
	} else if sc.Parent != nil {
		p.int(numbers[sc.Parent])
	} else {
		p.str(sc.text)
	}
	if sc.Inlined != nil {
		p.str(" inlined_at ")
		p.int(numbers[sc.Inlined])
	}
	p.str(" }\n")
}

// debugPlace ends the line of an instruction or of the comment that names a function.
func (p *printer) debugPlace(at place) {
	if at.loc != "" {
		p.str(", ", at.loc)
	}
	p.str(", scope ")
	p.int(p.places.numbers[at.scope])
}

// variable writes the variable that an instruction speaks of. With comments it stands as the compiler writes it: without what the
// instruction says itself and, unless places are asked for, without those of the variable.
func (p *printer) variable(i *Inst) {
	v := i.Var()
	switch {
	case v == nil:
		return
	case !p.comments:
		p.str(v.String())
		return
	}
	t := v.Type
	if t != nil && !v.Typed && t.String() == variableType(i) {
		t = nil
	}
	loc, scope := "", ""
	if p.places != nil && (v.Loc != nil || v.Scope != 0) {
		at := p.places.insts[i]
		if v.Loc != nil && v.Loc.Text != at.loc {
			loc = v.Loc.Text
		}
		if of := p.places.scopes[v.Scope]; of != nil && of != at.scope {
			scope = strconv.Itoa(p.places.numbers[of])
		}
	}
	if v.Name == "" && v.Argno == 0 && len(v.Expr) == 0 {
		return // no variable is left when it has no name
	}
	p.str(v.text(t, loc, scope))
}

// variableType returns the type that a variable has when nothing says otherwise: that of the value, or of what is at the address.
func variableType(i *Inst) string {
	var t *Type
	switch {
	case len(i.Operands) > 0 && i.Arg(0) != nil:
		t = i.Arg(0).Type
	case len(i.Results) > 0:
		t = i.Results[0].Type
	}
	if t == nil {
		return ""
	}
	return strings.TrimPrefix(t.String(), "*")
}
