package memory

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
)

// FunctionStackProtection marks functions of which a pointer that may be written through, out of bounds for all that is known, points into
// their own stack:
//
//	sil @f … {                                                         sil [stack_protection] @f … {
//	  %1 = alloc_stack $Int64                                     ⇒      …
//	  %2 = address_to_pointer [stack_protection] %1
//	  apply %write(%2)
//
// The code generator lets such a function check that nobody wrote over the frame.
var FunctionStackProtection = &pass.Pass{
	Name: "function-stack-protection",
	Doc:  "Marks functions with writable pointers into their own stack, for the code generator to protect",
	Function: func(c *pass.Context, f *ir.Function) bool {
		p := &stackProtection{c: c}
		p.visit(f)
		return p.changed
	},
}

// StackProtection does the same where the pointer is made in a function that gets the memory as an argument: it marks the callers whose
// stack that is.
var StackProtection = &pass.Pass{
	Name: "stack-protection",
	Doc:  "Marks functions with writable pointers into their own stack, their callees' pointers included",
	Module: func(c *pass.Context) bool {
		p := &stackProtection{c: c, calls: map[*ir.Function][]*ir.Inst{}}
		for _, f := range pass.Functions(c.Module) {
			pass.EachInst(f, func(i *ir.Inst) {
				if callee := facts.StaticCallee(i); callee != nil && facts.IsApply(i) {
					p.calls[callee] = append(p.calls[callee], i)
				}
			})
		}
		for _, f := range pass.Functions(c.Module) {
			p.visit(f)
		}
		return p.changed
	},
}

type stackProtection struct {
	c       *pass.Context
	calls   map[*ir.Function][]*ir.Inst // calls and closures by what they run, nil when only the function itself is looked at
	changed bool
}

// visit looks at all pointers that a function makes.
func (p *stackProtection) visit(f *ir.Function) {
	pass.EachInst(f, func(i *ir.Inst) {
		switch {
		case i.Op == op.Builtin && i.Builtin() == op.BuiltinStackAlloc:
			p.protect(f)
		case (i.Op == op.AddressToPointer || i.Op == op.IndexAddr) && i.Has(op.QualStackProtection) && !isOnlyRead(i.Result()):
			p.owner(i.Arg(0), map[*ir.Value]bool{})
		}
	})
}

func (p *stackProtection) protect(f *ir.Function) {
	if f.Attrs.Has(ir.AttrStackProtection) {
		return
	}
	f.Attrs = append(f.Attrs, ir.Attr{Kind: ir.AttrStackProtection})
	p.c.Passed(f, nil, "protects the stack")
	p.changed = true
}

// owner protects the functions on whose stack the memory at an address, or the object of a reference, may lie. Memory on the heap and
// behind other pointers is left alone.
func (p *stackProtection) owner(v *ir.Value, seen map[*ir.Value]bool) {
	if seen[v] {
		return
	}
	seen[v] = true
	i := v.Inst()
	switch {
	case v.IsUndef():
	case v.IsArg() && v.Block() == v.Block().Func.Entry():
		p.ownersOfArgument(v.Block().Func, v.Index(), seen)
	case v.IsArg():
		for _, e := range cfg.NewPredecessors(v.Block().Func).Edges(v.Block()) {
			if in := e.Arg(v.Index()); in != nil {
				p.owner(in, seen)
			}
		}
	case i.Op == op.AllocStack, i.Op == op.AllocRef && i.Has(op.QualStack):
		p.protect(i.Block().Func)
	case v.Type.IsAddress():
		for n := range i.Operands {
			if ownership.ProjectsAddress(i, n) {
				p.owner(i.Arg(n), seen)
			}
		}
		if i.Op == op.RefElementAddr || i.Op == op.RefTailAddr {
			p.owner(i.Arg(0), seen)
		}
	default:
		switch i.Op {
		case op.CopyValue, op.BeginBorrow, op.MoveValue, op.Upcast, op.UncheckedRefCast, op.MarkDependence, op.EndCowMutation, op.EndInitLetRef, op.BeginDeallocRef:
			p.owner(i.Arg(0), seen)
		}
	}
}

// ownersOfArgument goes on in all callers that are known.
func (p *stackProtection) ownersOfArgument(f *ir.Function, n int, seen map[*ir.Value]bool) {
	for _, call := range p.calls[f] {
		first := 0
		if call.Op == op.PartialApply {
			first = len(f.Entry().Args) - (len(call.Operands) - 1)
		}
		if k := n - first; k >= 0 && 1+k < len(call.Operands) {
			p.owner(call.Arg(1+k), seen)
		}
	}
}

// isOnlyRead reports whether nothing writes through a pointer or an address, and neither leaves to where that is not known.
func isOnlyRead(v *ir.Value) bool {
	for x := range v.Uses() {
		i := x.User()
		switch {
		case i.Op == op.Load, i.Op == op.LoadBorrow, i.Op == op.EndAccess, facts.IsDebug(i):
		case i.Op == op.CopyAddr && x.Number() == 0 && !i.Has(op.QualTake):
		case i.Op == op.PointerToAddress, v.Type.IsAddress() && i.Op != op.StoreBorrow && ownership.ProjectsAddress(i, x.Number()):
			if !isOnlyRead(i.Result()) {
				return false
			}
		case i.Op == op.Builtin && x.Number() == 1 && (i.Builtin() == op.BuiltinIntMemcpy || i.Builtin() == op.BuiltinIntMemmove):
		default:
			return false
		}
	}
	return true
}
