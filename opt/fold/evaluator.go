package fold

import (
	"fmt"
	"math/big"
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// reason is why a value is no constant.
type reason struct {
	text  string     // as the compiler words it
	here  string     // what is said of the place itself, when that is in a function that was called
	inst  *ir.Inst   // the place
	calls []*ir.Inst // the calls that lead there, the outermost first

	skipped bool // an instruction was passed over
	stops   bool // nothing after can be told
}

func (r *reason) constant() *constant { return &constant{kind: constUnknown, why: r} }

// maxEvaluated is the number of instructions that one step evaluates, calls included.
const maxEvaluated = 3072

// evaluator finds out what a function computes by going through its instructions in the order in which they run, as the compiler's constant
// evaluator does (include/language/SILOptimizer/Utils/ConstExpr.h): over constants only, without loops, and with what the library's strings
// and arrays do known by their semantics.
type evaluator struct {
	c     *pass.Context
	mod   *ir.Module
	steps int
	calls []*ir.Inst
	top   *frame
}

// frame is one function that is evaluated.
type frame struct {
	e       *evaluator
	f       *ir.Function
	ts      *facts.Types
	values  map[*ir.Value]*constant
	visited map[*ir.Block]bool
	bind    func(*ir.Type) *ir.Type // what the generic parameters stand for, nil for themselves
}

// newEvaluator returns an evaluator of a function, of whose arguments nothing is known.
func newEvaluator(c *pass.Context, f *ir.Function) *evaluator {
	e := &evaluator{c: c, mod: c.Module}
	e.top = e.newFrame(f, nil)
	return e
}

func (e *evaluator) newFrame(f *ir.Function, bind func(*ir.Type) *ir.Type) *frame {
	return &frame{e: e, f: f, ts: e.c.Types(f), values: map[*ir.Value]*constant{}, visited: map[*ir.Block]bool{f.Entry(): true}, bind: bind}
}

// value returns what is known of a value of the function, nil when it is no constant.
func (e *evaluator) value(v *ir.Value) *constant {
	if c := e.top.values[v]; c != nil && c.isConstant() {
		return c
	}
	return nil
}

// run evaluates an instruction and returns the next one, nil when that can't be told. When it fails for a reason after which one can go on
// it passes over the instruction.
func (e *evaluator) run(i *ir.Inst) (*ir.Inst, *reason) {
	e.steps, e.calls = -1, nil // the call itself does not count
	next, why := e.top.step(i)
	if why != nil && !why.stops {
		next = e.skip(i)
	}
	return next, why
}

// skip passes over an instruction: its results, and the memory that it may write, are unknown from there on. It returns the next
// instruction, nil when that can't be told.
func (e *evaluator) skip(i *ir.Inst) *ir.Inst {
	fr := e.top
	mutated := &reason{text: "value mutable by an unevaluated instruction is not a constant", inst: i, skipped: true}
	for n := range i.Operands {
		c := fr.values[i.Arg(n)]
		if c == nil || c.kind != constAddress || !facts.IsApply(i) && !facts.OrderMemory(i).MayWrite() || n > 0 && facts.IsApply(i) && fr.isOnlyRead(i, n-1) {
			continue
		}
		c.at.write(fr.ts, mutated.constant())
	}
	result := &reason{text: "result of an unevaluated instruction is not a constant", inst: i, skipped: true}
	for _, v := range i.Results {
		fr.values[v] = result.constant()
	}
	if i.Op.IsTerminator() {
		return nil
	}
	return i.Next()
}

// isOnlyRead reports whether a callee reads its argument only.
func (fr *frame) isOnlyRead(call *ir.Inst, n int) bool {
	params := call.Aux.(*ir.ApplyAux).Fn.Func.Params
	k := n - (len(call.Operands) - 1 - len(params)) // after the addresses of results
	return k >= 0 && k < len(params) && params[k].Conv == ir.ParamInGuaranteed
}

// fail says that an instruction can't be evaluated.
func (fr *frame) fail(i *ir.Inst, text, here string) *reason {
	return &reason{text: text, here: here, inst: i, calls: slices.Clone(fr.e.calls)}
}

func (fr *frame) unsupported(i *ir.Inst) *reason {
	return fr.fail(i, "encountered operation not supported by the evaluator: "+i.Op.String(), "operation not supported by the evaluator")
}

func (fr *frame) invalid(i *ir.Inst) *reason {
	return fr.fail(i, "operation with invalid operands encountered during evaluation", "operation with invalid operands encountered here")
}

// get returns what is known of a value, or why nothing is.
func (fr *frame) get(i *ir.Inst, v *ir.Value) (*constant, *reason) {
	c := fr.values[v]
	if c == nil {
		return nil, fr.fail(i, "encountered use of a variable not tracked by the evaluator", "untracked variable used here")
	}
	return c, c.unknown()
}

// step evaluates one instruction and returns the next one to run.
func (fr *frame) step(i *ir.Inst) (*ir.Inst, *reason) {
	if fr.e.steps++; fr.e.steps > maxEvaluated {
		why := fr.fail(i, fmt.Sprintf("exceeded instruction limit: %d when evaluating the expression at compile time", maxEvaluated), "limit exceeded here")
		why.stops = true
		return nil, why
	}
	if i.Op.IsTerminator() {
		return fr.jump(i)
	}
	if why := fr.perform(i); why != nil {
		return nil, why
	}
	return i.Next(), nil
}

// jump follows a terminator.
func (fr *frame) jump(i *ir.Inst) (*ir.Inst, *reason) {
	switch i.Op {
	case op.Br:
		return fr.enter(i, 0, nil)
	case op.CondBr:
		c, why := fr.get(i, i.Arg(0))
		if why != nil {
			return nil, why
		}
		if c.kind != constInteger {
			return nil, fr.invalid(i)
		}
		if c.num.Sign() != 0 {
			return fr.enter(i, 0, nil)
		}
		return fr.enter(i, 1, nil)
	case op.SwitchEnum, op.SwitchEnumAddr:
		c, why := fr.get(i, i.Arg(0))
		if why == nil && i.Op == op.SwitchEnumAddr {
			c, why = fr.load(i, c)
		}
		if why != nil {
			return nil, why
		}
		if c.kind != constEnum {
			return nil, fr.invalid(i)
		}
		cases := i.Aux.(*ir.CaseAux).Cases
		n := slices.IndexFunc(cases, func(m *ir.MemberAux) bool { return m != nil && m.Name == c.text })
		if n < 0 {
			n = slices.Index(cases, nil)
		}
		if n < 0 {
			return nil, fr.invalid(i)
		}
		v := c // what another case is goes on as it is, in ownership form
		if to := i.Succs[n].To; len(to.Args) == 1 && to.Args[0].Type != i.Arg(0).Type {
			if len(c.elems) == 0 {
				return nil, fr.invalid(i)
			}
			v = c.elems[0]
		}
		return fr.enter(i, n, v)
	case op.CheckedCastBr:
		return fr.castMetatype(i)
	}
	return nil, fr.unsupported(i)
}

// castMetatype knows the outcome of casts of one concrete metatype to another.
func (fr *frame) castMetatype(i *ir.Inst) (*ir.Inst, *reason) {
	c, why := fr.get(i, i.Arg(0))
	if why != nil {
		return nil, why
	}
	if c.kind != constMetatype || len(i.Succs[0].To.Args) != 1 {
		return nil, fr.unsupported(i)
	}
	to := fr.subst(i.Succs[0].To.Args[0].Type)
	if to.Kind != ir.KindMetatype || !isPlain(fr.e.mod, to.Elem) || !isPlain(fr.e.mod, c.t) {
		return nil, fr.unsupported(i)
	}
	if to.Elem == c.t {
		return fr.enter(i, 0, c)
	}
	return fr.enter(i, 1, c)
}

// isPlain reports whether a type is that of values only, so that no other type casts to it or from it.
func isPlain(mod *ir.Module, t *ir.Type) bool {
	return !IsGeneric(t) && IsPlainValue(mod, t)
}

// enter goes to a block: with what the edge passes on, or with v where the terminator defines the argument.
func (fr *frame) enter(i *ir.Inst, n int, v *constant) (*ir.Inst, *reason) {
	to := i.Succs[n].To
	if fr.visited[to] {
		why := fr.fail(i, "control-flow loop found during evaluation ", "found loop here")
		why.stops = true
		return nil, why
	}
	fr.visited[to] = true
	if passed := i.EdgeArgs(n); len(passed) > 0 {
		for k, x := range passed {
			c, why := fr.get(i, x.Value())
			if why != nil {
				return nil, why
			}
			fr.values[to.Args[k]] = c
		}
	} else if len(to.Args) == 1 && v != nil {
		fr.values[to.Args[0]] = v
	}
	return to.First(), nil
}

// call evaluates a function over arguments and returns its result.
func (e *evaluator) call(from *frame, i *ir.Inst, f *ir.Function, bind func(*ir.Type) *ir.Type, args []*constant) (*constant, *reason) {
	fr := e.newFrame(f, bind)
	if len(args) != len(f.Entry().Args) {
		return nil, from.invalid(i)
	}
	for n, a := range f.Entry().Args {
		fr.values[a] = args[n]
	}
	e.calls = append(e.calls, i)
	defer func() { e.calls = e.calls[:len(e.calls)-1] }()
	for at := f.Entry().First(); ; {
		if at.Op == op.Return {
			return fr.get(at, at.Arg(0))
		}
		next, why := fr.step(at)
		if why != nil {
			return nil, why
		}
		at = next
	}
}

// subst returns a type with what the generic parameters stand for.
func (fr *frame) subst(t *ir.Type) *ir.Type {
	if fr.bind == nil {
		return t
	}
	return fr.e.mod.Types.Subst(t, fr.bind)
}

// load returns what is at an address.
func (fr *frame) load(i *ir.Inst, address *constant) (*constant, *reason) {
	if address.kind != constAddress {
		return nil, fr.unsupported(i)
	}
	c := address.at.read()
	if c.kind == constUninit {
		return nil, fr.invalid(i)
	}
	return c, c.unknown()
}

func integer(n *big.Int, bits uint) *constant {
	return &constant{kind: constInteger, num: facts.WrapSigned(n, bits)}
}
