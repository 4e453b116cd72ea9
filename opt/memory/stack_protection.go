package memory

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
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
		p := newStackProtection(c)
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
		p := newStackProtection(c)
		p.calls, p.open = map[*ir.Function][]*ir.Inst{}, pass.FunctionsOfTables(c.Module)
		for _, f := range c.Module.Functions() {
			for i := range f.Insts() {
				if callee := facts.StaticCallee(i); callee != nil && facts.IsApply(i) {
					p.calls[callee] = append(p.calls[callee], i)
				}
				if aux, ok := i.Aux.(*ir.SymbolAux); ok && aux.Func != nil && !p.open[aux.Func] {
					p.open[aux.Func] = len(i.Results) != 1 || !isOnlyApplied(i.Results[0])
				}
			}
		}
		for _, f := range c.Module.Functions() {
			p.visit(f)
		}
		return p.changed
	},
}

type stackProtection struct {
	c       *pass.Context
	calls   map[*ir.Function][]*ir.Inst // calls and closures by what they run, nil when only the function itself is looked at
	moves   bool                        // enable-move-inout-stack-protector
	owners  []*ir.Function              // those of the pointer that is looked at
	unknown bool                        // there may be more of them
	open    map[*ir.Function]bool       // those that calls don't tell everything of
	nesting bool                        // memory was put on the stack of the function that is looked at
	changed bool
}

func newStackProtection(c *pass.Context) *stackProtection {
	return &stackProtection{c: c, moves: c.IsSet("enable-move-inout-stack-protector")}
}

// visit looks at all pointers that a function makes.
func (p *stackProtection) visit(f *ir.Function) {
	p.nesting = false
	for i := range f.Insts() {
		switch {
		case i.Op == op.Builtin && i.Builtin() == op.BuiltinStackAlloc:
			p.protect(f)
		case (i.Op == op.AddressToPointer || i.Op == op.IndexAddr) && i.Has(op.QualStackProtection) && !isOnlyRead(i.Result()):
			p.owners, p.unknown = nil, false
			p.owner(i.Arg(0), map[*ir.Value]bool{})
			if p.moves && p.unknown {
				p.move(i.Arg(0))
				break
			}
			for _, g := range p.owners {
				p.protect(g)
			}
		}
	}
	if p.nesting {
		rewrite.FixStackNesting(f)
	}
}

// move puts the memory at an address, which may lie on an unknown function's stack, on the own stack for as long as nobody else may use it:
//
//	%2 = begin_access [modify] [static] %1                    %2 = begin_access [modify] [static] %1
//	%3 = address_to_pointer [stack_protection] %2             %t = alloc_stack $Int64
//	…                                                    ⇒    copy_addr [take] %2 to [init] %t
//	end_access %2                                             %3 = address_to_pointer [stack_protection] %t
//	                                                          …
//	                                                          copy_addr [take] %t to [init] %2
//	                                                          end_access %2
//
// That is an access that modifies it, or a whole function that has it as an inout argument. What is only read is left where it is: nobody
// should write through a pointer into it.
func (p *stackProtection) move(v *ir.Value) {
	for v.Inst() != nil {
		i := v.Inst()
		if i.Op == op.BeginAccess {
			if i.Has(op.QualModify) && !i.Has(op.QualUnsafe) {
				p.moveTo(ir.At(p.c.Module, i.Next()), v, rewrite.UsersWith(v, op.EndAccess))
			}
			return
		}
		base := v
		for n := range i.Operands {
			if ownership.ProjectsAddress(i, n) {
				base = i.Arg(n)
			}
		}
		if base == v {
			return
		}
		v = base
	}
	f := v.Block().Func
	if v.IsUndef() || v.Block() != f.Entry() || !v.Type.IsAddress() || rewrite.NewEditor(p.c, f).Convention(v) != ir.ParamInout {
		return
	}
	var exits []*ir.Inst
	for _, b := range f.Blocks {
		if t := b.Last(); rewrite.IsFunctionExit(t) {
			exits = append(exits, t)
		}
	}
	p.moveTo(ir.At(p.c.Module, f.Entry().First()), v, exits)
}

// moveTo moves memory to the stack at a place and back before ends, and lets all other users use it there.
func (p *stackProtection) moveTo(b *ir.Builder, v *ir.Value, ends []*ir.Inst) {
	uses := v.UseList()
	here := b.Emit(&ir.Inst{Op: op.AllocStack, Types: []*ir.Type{v.Type.Object()}}).Result()
	b.Emit(&ir.Inst{Op: op.CopyAddr, Quals: op.QualsOf(op.QualTake, op.QualInit)}, v, here)
	for _, x := range uses {
		if x.User().Op != op.EndAccess {
			x.Set(here)
		}
	}
	for _, end := range ends {
		back := ir.At(p.c.Module, end)
		back.Emit(&ir.Inst{Op: op.CopyAddr, Quals: op.QualsOf(op.QualTake, op.QualInit)}, here, v)
		rewrite.Emit(back, op.DeallocStack, here)
	}
	p.c.Passed(b.Block.Func, here.Inst(), "moved to the own stack")
	p.nesting, p.changed = true, true
	p.protect(b.Block.Func)
}

func (p *stackProtection) protect(f *ir.Function) {
	if f.Attrs.Has(ir.AttrStackProtection) {
		return
	}
	f.Attrs = append(f.Attrs, ir.Attr{Kind: ir.AttrStackProtection})
	p.c.Passed(f, nil, "protects the stack")
	p.changed = true
}

// owner finds the functions on whose stack the memory at an address, or the object of a reference, may lie. Memory on the heap and
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
		p.owners = append(p.owners, i.Block().Func)
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
		case op.AllocRef, op.AllocRefDynamic:
		default:
			p.unknown = true
		}
	}
}

// ownersOfArgument goes on in all callers that are known.
func (p *stackProtection) ownersOfArgument(f *ir.Function, n int, seen map[*ir.Value]bool) {
	if !p.unknown {
		p.unknown = p.moves && (p.calls == nil || !rewrite.IsHiddenLinkage(f.Linkage, p.c.Whole) || p.open[f])
	}
	for _, call := range p.calls[f] {
		first := 0
		if call.Op == op.PartialApply {
			first = len(f.Entry().Args) - (len(call.Operands) - 1)
		}
		if k := n - first; k >= 0 && 1+k < len(call.Operands) {
			p.owner(call.Arg(1+k), seen)
		} else {
			p.unknown = true // whoever calls the closure passes it
		}
	}
}

// isOnlyApplied reports whether a function is only called, and closed over, by that reference to it.
func isOnlyApplied(ref *ir.Value) bool {
	for x := range ref.Uses() {
		if !facts.IsApply(x.User()) || x.Number() != 0 {
			return false
		}
	}
	return true
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
