package ir

import (
	"fmt"
	"iter"
	"regexp"
	"strconv"
	"strings"

	"silvm/ir/op"
	"silvm/ir/source"
)

// Scope is a sil_scope: a stretch of the source in a function or in another scope (docs/SIL.rst, Debug Information).
type Scope struct {
	Parent *Scope // nil for that of a whole function
	Func   string // the symbol of the function when there is no parent
	// Inlined is the scope of the call that the function's body replaced, nil where nothing was inlined.
	Inlined *Scope

	loc  string // as the text has it, "" when it has none
	text string // as the text names and types the function
	at   *Loc   // what loc says
}

// SourceCall is a call as the source has it, under way or inlined.
type SourceCall struct {
	Func  string // the symbol of the function that was called
	Loc   *Loc   // where it stands: of the instruction, or of the call of the SourceCall before; nil when that is not known
	Scope *Scope // in which it is there; nil when the text carries none
	// Site is the scope of the call that the function's body replaced, the same for all instructions of that body; nil of the function
	// that holds the instruction.
	Site *Scope
}

var scopeText = regexp.MustCompile(`^sil_scope (\d+) \{ *(loc .*?)? *parent (?:(\d+)|(@(.+?) : \$.*?))(?: inlined_at (\d+))? *\}$`)

// readScope reads a scope that may refer to those that were read before it.
func readScope(text string, before map[int]*Scope) (n int, sc *Scope, ok bool) {
	part := scopeText.FindStringSubmatch(text)
	if part == nil {
		return 0, nil, false
	}
	numbered := func(text string) *Scope {
		k, _ := strconv.Atoi(text)
		return before[k]
	}
	n, _ = strconv.Atoi(part[1])
	return n, &Scope{loc: part[2], Parent: numbered(part[3]), text: part[4], Func: strings.Trim(part[5], `"`), Inlined: numbered(part[6]),
		at: readLoc(part[2])}, true
}

var locText = regexp.MustCompile(`^loc (\* )?("(?:[^"\\]|\\.)*"):(\d+):(\d+)$`)

// readLoc reads a location as the text of a scope has it; nil when that is none.
func readLoc(text string) *Loc {
	part := locText.FindStringSubmatch(text)
	if part == nil {
		return nil
	}
	file, err := strconv.Unquote(part[2])
	if err != nil {
		return nil
	}
	line, err1 := strconv.Atoi(part[3])
	col, err2 := strconv.Atoi(part[4])
	if err1 != nil || err2 != nil {
		return nil
	}
	return &Loc{File: file, Line: line, Col: col, Auto: part[1] != "", Text: text}
}

// Loc returns where the scope is, or the call that was inlined into it; nil when it does not say.
func (s *Scope) Loc() *Loc { return s.at }

// Function returns the scope of the whole function that a scope lies in.
func (s *Scope) Function() *Scope {
	for n := 0; s.Parent != nil && n < maxScopes; n++ {
		s = s.Parent
	}
	return s
}

// maxScopes bounds chains of scopes.
const maxScopes = 10_000

// scopesOf returns the scopes that a file of the module declares, by their numbers.
func (m *Module) scopesOf(f *source.File) map[int]*Scope {
	if m.scopes == nil {
		m.scopes = map[*source.File]map[int]*Scope{}
		for _, item := range m.Items {
			if raw, ok := item.(*Raw); ok && strings.HasPrefix(raw.Text, "sil_scope ") {
				m.addScope(raw)
			}
		}
	}
	return m.scopes[f]
}

// Scopes iterates over the scopes that the module's text declares, in no order.
func (m *Module) Scopes() iter.Seq[*Scope] {
	return func(yield func(*Scope) bool) {
		m.scopesOf(nil)
		for _, in := range m.scopes {
			for _, sc := range in {
				if !yield(sc) {
					return
				}
			}
		}
	}
}

func (m *Module) addScope(raw *Raw) {
	in := m.Files.File(raw.Pos)
	if m.scopes[in] == nil {
		m.scopes[in] = map[int]*Scope{}
	}
	if n, sc, ok := readScope(raw.Text, m.scopes[in]); ok {
		m.scopes[in][n] = sc
	}
}

// SourceScope returns the scope that the instruction is in, nil when the text carries none.
func (i *Inst) SourceScope() *Scope {
	if i == nil {
		return nil
	}
	return i.scopeNumbered(i.Scope)
}

// VariableScope returns the scope that the variable which the instruction tells of is declared in: optimized text names it where the
// instruction is elsewhere, as in the variable's initializer. Parameters and captures are the function's, though the text places a
// capture in a scope of its own. nil when the text carries none.
func (i *Inst) VariableScope() *Scope {
	v, sc := i.Var(), i.SourceScope()
	if v != nil && v.Scope != 0 {
		sc = i.scopeNumbered(v.Scope)
	}
	if sc != nil && v != nil && v.Argno > 0 {
		return sc.Function()
	}
	return sc
}

func (i *Inst) scopeNumbered(n int) *Scope {
	if n == 0 || i.block == nil || i.block.Func == nil {
		return nil
	}
	m := i.block.Func.Module
	if m == nil || m.Files == nil {
		return nil
	}
	file := m.Files.File(i.Pos)
	if file == nil {
		file = m.Files.File(i.block.Func.Pos)
	}
	return m.scopesOf(file)[n]
}

// IsInlined reports whether the instruction came out of a function that was inlined where it stands, as far as its scope says.
func (i *Inst) IsInlined() bool {
	sc := i.SourceScope()
	return sc != nil && sc.Inlined != nil
}

// SourceCalls returns the calls of the source that the instruction is in, the innermost first: those of functions whose bodies were
// inlined where it is, and last that of the function that holds it. It is nil when the text carries no scope for it.
func (i *Inst) SourceCalls() []SourceCall {
	sc := i.SourceScope()
	if sc == nil {
		return nil
	}
	loc := i.Loc
	var calls []SourceCall
	for n := 0; n < maxScopes; n++ {
		if f := sc.Function().Func; !i.block.Func.isThunk(f, sc.Inlined) {
			calls = append(calls, SourceCall{Func: f, Loc: loc, Scope: sc, Site: sc.Inlined})
		}
		if sc = sc.Inlined; sc == nil {
			break
		}
		loc = sc.Loc()
	}
	return calls
}

// thunkCall is a thunk that was inlined: its name, and the scope of the call.
type thunkCall struct {
	name string
	site *Scope
}

// isThunk reports whether what was inlined of a function at a call is nothing but the thunk that the compiler left of it when it changed the
// function's signature (lib/SILOptimizer/FunctionSignatureTransforms): it calls the function proper, whose name begins with the thunk's, and is
// no call of the source besides that one.
func (f *Function) isThunk(name string, site *Scope) bool {
	if site == nil || f.Module == nil {
		return false
	}
	known, ok := f.Module.thunks[f]
	if !ok {
		for i := range f.Insts() {
			callee, ok := i.Aux.(*SymbolAux)
			if !ok || i.Op != op.FunctionRef {
				continue
			}
			if sc := i.SourceScope(); sc != nil && sc.Inlined != nil && strings.HasPrefix(callee.Name, sc.Function().Func+"Tf") {
				if known == nil {
					known = map[thunkCall]bool{}
				}
				known[thunkCall{sc.Function().Func, sc.Inlined}] = true
			}
		}
		if f.Module.thunks == nil {
			f.Module.thunks = map[*Function]map[thunkCall]bool{}
		}
		f.Module.thunks[f] = known
	}
	return known[thunkCall{name, site}]
}

// UserCalls returns SourceCalls from the first on that has a line of the source: the innermost ones may be library functions and code
// that the compiler made up. Of an instruction without scopes it is the place that it carries itself.
func (i *Inst) UserCalls() []SourceCall {
	if i == nil {
		return nil
	}
	calls := i.SourceCalls()
	if calls == nil && i.block != nil && i.block.Func != nil {
		calls = []SourceCall{{Func: i.block.Func.Name, Loc: i.Loc}}
	}
	for n, c := range calls {
		if c.Loc != nil && c.Loc.Line > 0 {
			return calls[n:]
		}
	}
	return nil
}

// Place is the position as "list.swift:31:9", "" when the call has none.
func (c SourceCall) Place() string {
	if c.Loc == nil || c.Loc.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", c.Loc.File, c.Loc.Line, c.Loc.Col)
}
