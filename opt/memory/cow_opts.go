package memory

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// COWOpts answers the question whether a buffer is uniquely referenced where it was known to be so at the end of its last mutation:
//
//	%1 = end_cow_mutation %0            %1 = end_cow_mutation [keep_unique] %0
//	…                                   …
//	(%u, %b) = begin_cow_mutation %1    %true = integer_literal -1
//	cond_br %u, …                       (%u, %b) = begin_cow_mutation %1
//	                                    cond_br %true, …
//
// The buffer may go through block arguments and structs, but nothing in between may let it escape. A store of it is no harm as long as
// nothing reads the place before the buffer is mutated again.
var COWOpts = &pass.Pass{
	Name:  "cow-opts",
	Doc:   "Folds the uniqueness result of begin_cow_mutation where the buffer cannot have escaped",
	Needs: [][]op.Op{{op.BeginCowMutation}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		changed := false
		for i := range f.Insts() {
			if i.Op == op.BeginCowMutation {
				changed = foldUniqueness(c, f, i) || changed
			}
		}
		return changed
	},
}

// maxStoreReads bounds the pairs of a store and a read that one begin_cow_mutation asks about; it is the compiler's bound, too.
const maxStoreReads = 128

// foldUniqueness replaces the uniqueness result of begin by true if it can be no other.
func foldUniqueness(c *pass.Context, f *ir.Function, begin *ir.Inst) bool {
	p := c.Program(f)
	l := &cowLife{p: p, ended: map[*ir.Inst]bool{}, escapes: map[*ir.Inst]bool{}}
	if !l.findEnds(begin.Arg(0)) {
		c.Missed(f, begin, "kept the check: the buffer does not only come from end_cow_mutation")
		return false
	}
	seen := map[*ir.Value]bool{}
	for _, end := range l.ends {
		l.findEscapes(end.Results[0], seen)
	}
	if at := l.escapesBefore(begin); at != nil {
		c.Missed(f, begin, "kept the check: the buffer may escape at %s", at.Op)
		return false
	}
	unique := begin.Results[0]
	unique.ReplaceAllUses(rewrite.LiteralOf(c.Module, begin, unique.Type, big.NewInt(-1)))
	for _, end := range l.ends {
		if !end.Has(op.QualKeepUnique) {
			end.Quals = end.Quals.With(op.QualKeepUnique)
		}
	}
	c.Passed(f, begin, "the buffer is uniquely referenced")
	return true
}

// cowLife is the time in which a buffer is not mutated: from some end_cow_mutation to a begin_cow_mutation.
type cowLife struct {
	p       *facts.Program
	ends    []*ir.Inst // the end_cow_mutation that it may begin with, each once
	ended   map[*ir.Inst]bool
	escapes map[*ir.Inst]bool // the users that may let the buffer escape, wherever they are
}

// findEnds collects the end_cow_mutation that v comes from; false when it may come from anything else.
func (l *cowLife) findEnds(v *ir.Value) bool {
	seen := map[*ir.Value]bool{}
	for work := []*ir.Value{v}; len(work) > 0; {
		v := withoutStructs(work[len(work)-1])
		work = work[:len(work)-1]
		if end := facts.DefinedBy(v, op.EndCowMutation); end != nil {
			if !l.ended[end] {
				l.ended[end] = true
				l.ends = append(l.ends, end)
			}
			continue
		}
		if !v.IsArg() {
			return false
		}
		if seen[v] {
			continue
		}
		seen[v] = true
		incoming, ok := l.p.Incoming(v)
		if !ok {
			return false
		}
		for _, o := range incoming {
			work = append(work, o.Value())
		}
	}
	return true
}

// withoutStructs returns the value that v is wrapped from or taken out of, through structs with one field.
func withoutStructs(v *ir.Value) *ir.Value {
	for {
		i := v.Inst()
		if i == nil || i.Op != op.StructExtract && (i.Op != op.Struct || len(i.Operands) != 1) {
			return v
		}
		v = i.Arg(0)
	}
}

// findEscapes collects the users of v, and of what v is put into, that may let the buffer escape.
func (l *cowLife) findEscapes(v *ir.Value, seen map[*ir.Value]bool) {
	if seen[v] {
		return
	}
	seen[v] = true
	for o := range v.Uses() {
		user := o.User()
		switch user.Op {
		case op.BeginCowMutation, op.RefElementAddr, op.RefTailAddr, op.DebugValue:
		case op.Br, op.CondBr:
			if a := rewrite.EdgeArg(o); a != nil {
				l.findEscapes(a, seen)
			}
		case op.Struct, op.StructExtract, op.Tuple, op.TupleExtract, op.UncheckedRefCast:
			l.findEscapes(user.Results[0], seen)
		default:
			l.escapes[user] = true
		}
	}
}

// escapesBefore returns an instruction on a path from the ends to begin by which the buffer may escape, nil when there is none.
func (l *cowLife) escapesBefore(begin *ir.Inst) *ir.Inst {
	if len(l.escapes) == 0 {
		return nil
	}
	var reads []*ir.Inst
	var places []*ir.Value // where the buffer is stored
	stored := map[*ir.Value]bool{}
	seen := map[*ir.Block]bool{}
	for work := []*ir.Inst{begin}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		b := i.Block()
		for ; i != nil; i = i.Prev() {
			if l.escapes[i] {
				if i.Op != op.Store {
					return i
				}
				if place := i.Arg(1); !stored[place] {
					stored[place] = true
					places = append(places, place)
				}
			}
			if l.p.MayRead(i) {
				reads = append(reads, i)
			}
			if l.ended[i] {
				break
			}
		}
		if i != nil {
			continue // the life begins here
		}
		for _, pred := range l.p.Predecessors(b) {
			if !seen[pred] {
				seen[pred] = true
				work = append(work, pred.Terminator())
			}
		}
	}
	if len(places) == 0 {
		return nil
	}
	if len(places)*len(reads) > maxStoreReads {
		return begin
	}
	for _, read := range reads {
		for _, place := range places {
			if l.p.MayReadFrom(read, place) {
				return read
			}
		}
	}
	return nil
}
