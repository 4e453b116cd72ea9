package verify

import (
	"fmt"
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/source"
	"silvm/ir/worklist"
)

// Exclusivity warns of accesses that overlap whenever control reaches them, in the words of the compiler
// (docs/OwnershipManifesto.md, The Law of Exclusivity; the compiler's pass is diagnose-static-exclusivity). The module must have passed
// Module. SIL with such accesses is well formed, hence the warnings; what happens when it runs the machine says.
//
// Storage counts as the same only when it is so for certain. A call accesses what the closures that it gets and that can't outlive it
// do with what they captured.
func Exclusivity(mod *ir.Module, diags *source.List) {
	e := &exclusivity{prog: facts.NewProgram(mod), diags: diags, captures: newCaptures()}
	for _, f := range mod.Functions() {
		if len(f.Blocks) > 0 {
			e.function(f)
		}
	}
}

type exclusivity struct {
	prog     *facts.Program
	f        *ir.Function
	diags    *source.List
	captures *captures
	warned   map[*ir.Inst]*source.Diagnostic // the warnings about the function
}

// formalAccess is an access in progress.
type formalAccess struct {
	begin   *ir.Inst // the begin_access; a call where a function whose body is not known gets a captured variable
	write   bool
	closure bool             // it happens in a closure that a call gets
	storage facts.AccessPath // Base is the result of the surrounding begin_access where Scope is set
	part    []*ir.Inst       // the projections that every use of the access goes through, the outermost first
}

// maxNested bounds how many accesses may be in progress at once before the search gives up on a block.
const maxNested = 256

// function visits each reachable block once: the accesses in progress at its start are the same on all paths to it (see flow).
func (e *exclusivity) function(f *ir.Function) {
	e.f, e.warned = f, map[*ir.Inst]*source.Diagnostic{}
	seen := make([]bool, len(f.Blocks))
	start := make([][]formalAccess, len(f.Blocks))
	work := []*ir.Block{f.Entry()}
	seen[f.Entry().Index] = true
	for b := range worklist.Drain(&work) {
		out := e.block(b, start[b.Index])
		for _, s := range b.Last().Succs {
			if s.To != nil && !seen[s.To.Index] {
				seen[s.To.Index] = true
				start[s.To.Index] = out
				work = append(work, s.To)
			}
		}
	}
}

// block returns the accesses in progress at the end of a block; open are those at its start.
func (e *exclusivity) block(b *ir.Block, open []formalAccess) []formalAccess {
	open = open[:len(open):len(open)]
	for i := range b.Insts() {
		switch i.Op {
		case op.BeginAccess:
			a, ok := e.access(i)
			if !ok || len(open) >= maxNested {
				continue
			}
			if first := e.conflict(open, a); first != nil {
				e.warn(first, &a)
			}
			open = append(open, a)
		case op.EndAccess:
			var rest []formalAccess
			for _, a := range open {
				if a.begin != i.Arg(0).Inst() {
					rest = append(rest, a)
				}
			}
			open = rest
		case op.Apply, op.TryApply, op.BeginApply:
			if len(open) > 0 {
				e.call(i, open, map[*ir.Inst]bool{})
			}
		}
	}
	return open
}

// access says what a begin_access accesses; ok is false when nobody checks it or its storage is not known.
func (e *exclusivity) access(i *ir.Inst) (a formalAccess, ok bool) {
	if i.Has(op.QualUnsafe) || i.Result() == nil {
		return a, false
	}
	storage, ok := e.storage(i.Arg(0))
	if !ok {
		return a, false
	}
	return formalAccess{begin: i, write: !i.Has(op.QualRead), storage: storage, part: e.part(i)}, true
}

// storage says what is at an address; ok is false when it is not known.
func (e *exclusivity) storage(v *ir.Value) (s facts.AccessPath, ok bool) {
	for v.Inst() != nil && v.Inst().Op == op.MarkUninitialized {
		v = v.Inst().Arg(0)
	}
	s = e.prog.AccessPath(v, 0)
	switch {
	case s.Kind == facts.BasePointer && addressedGlobal(s.Base) == nil, s.Kind == facts.BaseTail:
		return s, false
	case s.Kind == facts.BaseUnidentified && s.Scope == nil:
		return s, false
	}
	return s, true
}

// addressedGlobal returns the addressor whose result a pointer_to_address converts, nil when there is none.
func addressedGlobal(v *ir.Value) *ir.Function {
	call := v.Inst().Arg(0).Inst()
	if call == nil || call.Op != op.Apply || len(call.Operands) != 1 {
		return nil
	}
	if f := calleeOf(call); f != nil && f.Attrs.Has(ir.AttrGlobalInit) {
		return f
	}
	return nil
}

// calleeOf returns the function that a call names, nil when it is computed or not loaded.
func calleeOf(call *ir.Inst) *ir.Function {
	if ref := call.Arg(0).Inst(); ref != nil && ref.Op == op.FunctionRef {
		if aux, ok := ref.Aux.(*ir.SymbolAux); ok {
			return aux.Func
		}
	}
	return nil
}

// maxPart bounds how deep a part of a variable is told from others.
const maxPart = 32

// part finds the fields through which all uses of an access go.
func (e *exclusivity) part(begin *ir.Inst) []*ir.Inst {
	var path []*ir.Inst
	for at := []*ir.Value{begin.Result()}; len(path) < maxPart; {
		var next []*ir.Value
		for _, v := range at {
			for use := range v.Uses() {
				user := use.User()
				switch {
				case user.Op == op.EndAccess || user.Op == op.DebugValue:
					continue
				case user.Op != op.StructElementAddr && user.Op != op.TupleElementAddr:
					return path
				case len(next) > 0 && !e.sameField(next[0].Inst(), user):
					return path
				}
				next = append(next, user.Result())
			}
		}
		if len(next) == 0 {
			return path
		}
		path = append(path, next[0].Inst())
		at = next
	}
	return path
}

func (e *exclusivity) sameField(a, b *ir.Inst) bool {
	return a.Op == b.Op && facts.FieldNumber(e.prog.Mod, a) == facts.FieldNumber(e.prog.Mod, b)
}

// conflict returns the first access in progress that a conflicts with, nil when there is none or when two
// to the same part of it conflict already.
func (e *exclusivity) conflict(open []formalAccess, a formalAccess) *formalAccess {
	var same []*formalAccess
	for n := range open {
		if e.sameStorage(&open[n], &a) {
			same = append(same, &open[n])
		}
	}
	for n, x := range same {
		for _, y := range same[:n] {
			if (x.write || y.write) && x.storage.Path == y.storage.Path && e.samePart(x.part, y.part) {
				return nil
			}
		}
	}
	for _, x := range same {
		if (x.write || a.write) && e.overlap(x, &a) {
			return x
		}
	}
	return nil
}

// sameStorage reports whether both accesses are to one variable. Accesses inside of another access are to what that one lends.
func (e *exclusivity) sameStorage(a, b *formalAccess) bool {
	x, y := a.storage, b.storage
	if x.Scope != nil || y.Scope != nil {
		return x.Scope == y.Scope
	}
	if x.Kind == facts.BasePointer && y.Kind == facts.BasePointer {
		return addressedGlobal(x.Base) == addressedGlobal(y.Base)
	}
	return e.prog.SameBase(x, y)
}

// overlap reports whether the parts of one variable that two accesses name have memory in common.
func (e *exclusivity) overlap(a, b *formalAccess) bool {
	if a.storage.Path != b.storage.Path {
		return a.storage.Path == 0 && len(a.part) == 0 || b.storage.Path == 0 && len(b.part) == 0
	}
	for n := range min(len(a.part), len(b.part)) {
		if !e.sameField(a.part[n], b.part[n]) {
			return false
		}
	}
	return true
}

// warn reports the first of the accesses that needs the variable for itself, and the other in a note; an access that several conflict with
// has one warning.
func (e *exclusivity) warn(first, second *formalAccess) {
	main, other := first, second
	if !first.write {
		main, other = second, first
	}
	what := "overlapping accesses"
	if name := e.name(main); name != "" {
		what += " to '" + name + "'"
	}
	advice := "; consider copying to a local variable"
	switch {
	case !second.closure && swapped(first.begin, second.begin):
		advice = "; consider calling MutableCollection.swapAt(_:_:)"
	case e.isMoveOnly(first, main):
		advice = ""
	}
	msg := fmt.Sprintf("%s, but %s requires exclusive access%s", what, accessWord(main.begin), advice)
	note := source.Note{Pos: other.begin.Pos, Len: source.Whole, Msg: "conflicting access is here", Swift: other.begin.SwiftPlace(), Excerpt: true}
	if d := e.warned[main.begin]; d != nil && d.Msg == msg {
		if !slices.ContainsFunc(d.Notes, func(n source.Note) bool { return n.Pos == note.Pos }) {
			d.Notes = append(d.Notes, note)
		}
		return
	}
	d := &source.Diagnostic{
		Code: "static-exclusivity", Severity: source.Warning, Pos: main.begin.Pos, Len: source.Whole,
		Msg: msg, Swift: main.begin.SwiftPlace(), In: e.f.DisplayName(), Notes: []source.Note{note},
	}
	e.warned[main.begin] = d
	e.diags.Add(d)
}

// isMoveOnly reports whether what main accesses can't be copied; first is of the same variable.
func (e *exclusivity) isMoveOnly(first, main *formalAccess) bool {
	i := first.begin
	if n := len(main.part); n > 0 {
		i = main.part[n-1]
	}
	t := i.Result().Type.Object()
	if t.Kind == ir.KindParam && e.f.Type != nil && e.f.Type.Func != nil && e.f.Type.Func.Generic != nil {
		return slices.ContainsFunc(e.f.Type.Func.Generic.Requirements, func(r ir.Requirement) bool {
			return r.Subject == t && r.Inverse() == ir.KnownCopyable
		})
	}
	return !e.prog.Mod.IsCopyable(t)
}

// accessWord is the noun for the kind of an access that writes.
func accessWord(i *ir.Inst) string {
	switch {
	case i.Has(op.QualInit):
		return "initialization"
	case i.Has(op.QualDeinit):
		return "deinitialization"
	}
	return "modification"
}

// swapped reports whether both accesses are there to swap two elements of one array.
func swapped(a, b *ir.Inst) bool {
	first, second := element(a), element(b)
	if first == nil || second == nil || calleeOf(first) != calleeOf(second) {
		return false
	}
	for use := range first.Results[0].Uses() {
		call := use.User()
		if call.Op != op.Apply || len(call.Operands) != 3 || call.Arg(2) != second.Results[0] {
			continue
		}
		if f := calleeOf(call); f != nil && f.Name == "$ss4swapyyxz_xztlF" {
			return true
		}
	}
	return false
}

// element returns the call of the modify coroutine of an array's subscript that an access is for, nil when it is for something else.
func element(access *ir.Inst) *ir.Inst {
	for use := range access.Result().Uses() {
		i := use.User()
		if i.Op != op.BeginApply || len(i.Results) == 0 {
			continue
		}
		switch f := calleeOf(i); {
		case f == nil:
		case f.Name == "$sSayxSiciM", f.Name == "$ss15ContiguousArrayVyxSiciM", f.Name == "$ss10ArraySliceVyxSiciM":
			return i
		}
	}
	return nil
}
