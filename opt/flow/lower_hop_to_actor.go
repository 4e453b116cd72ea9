package flow

import (
	"fmt"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// LowerHopToActor makes hops to an actor hops to its executor, which is asked for once on each path:
//
//	hop_to_executor %0 : $A     ⇒     %1 = builtin "buildDefaultActorExecutorRef"<A>(%0)
//	                                  %2 = enum $Optional<Builtin.Executor>, #Optional.some!enumelt, %1
//	                                  %3 = mark_dependence %2 on %0
//	                                  hop_to_executor %3
//
// An actor that brings an executor of its own is asked for that by its property unownedExecutor.
// Source: lib/SILOptimizer/Mandatory/LowerHopToActor.cpp, which gives an extract_executor after a hop to the same actor an optional.
var LowerHopToActor = &pass.Pass{
	Name:        "lower-hop-to-actor",
	Doc:         "Makes hops to actors hops to their executors",
	Unoptimized: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		l := &hopLowering{Editor: rewrite.NewEditor(c, f), derived: map[derivation]*ir.Inst{}, first: map[*ir.Inst]*ir.Inst{}}
		l.children = c.Dominators(f).Children()
		l.findIn(f.Entry())
		for _, i := range l.order {
			if l.first[i] == i {
				l.derive(i)
			}
		}
		for _, i := range l.order {
			if l.first[i] == i || i.Op == op.ExtractExecutor {
				l.replace(i)
				continue
			}
			i.Operands[0].Set(l.executors[l.first[i]])
			c.Passed(f, i, "hopped to the executor that was asked for before")
		}
		return len(l.order) > 0
	},
}

type hopLowering struct {
	*rewrite.Editor
	children  [][]*ir.Block           // of the dominator tree
	derived   map[derivation]*ir.Inst // who asks, on the way down the dominators
	first     map[*ir.Inst]*ir.Inst   // for a hop or extraction, the one that asks for its executor
	order     []*ir.Inst
	executors map[*ir.Inst]*ir.Value
	opened    int
}

// derivation is an actor whose executor is asked for, as an optional or not.
type derivation struct {
	actor    *ir.Value
	optional bool
}

// findIn finds what asks for an executor in a block and in those that it dominates.
func (l *hopLowering) findIn(b *ir.Block) {
	var added []derivation
	for i := range b.Insts() {
		if i.Op != op.HopToExecutor && i.Op != op.ExtractExecutor {
			continue
		}
		d := derivation{i.Arg(0), i.Op == op.HopToExecutor}
		if t := d.actor.Type; t.IsOptional() && t.OptionalPayload().IsBuiltin(ir.BuiltinExecutor) || i.Op == op.ExtractExecutor && t.IsBuiltin(ir.BuiltinExecutor) {
			continue
		}
		if l.derived[d] == nil {
			l.derived[d] = i
			added = append(added, d)
		}
		l.first[i] = l.derived[d]
		l.order = append(l.order, i)
	}
	for _, child := range l.children[b.Index] {
		l.findIn(child)
	}
	for _, d := range added {
		delete(l.derived, d)
	}
}

// replace makes an extraction the executor that was asked for.
func (l *hopLowering) replace(i *ir.Inst) {
	executor := l.executors[l.first[i]]
	if i.Op == op.ExtractExecutor {
		i.ReplaceWith(executor)
		i.Remove()
		return
	}
	i.Operands[0].Set(executor)
}

// derive asks for the executor in front of an instruction.
func (l *hopLowering) derive(at *ir.Inst) {
	b := l.Before(at)
	actor, optional := at.Arg(0), at.Op == op.HopToExecutor
	if l.executors == nil {
		l.executors = map[*ir.Inst]*ir.Value{}
	}
	if actor.Type.IsBuiltin(ir.BuiltinExecutor) {
		l.executors[at] = someExecutor(b, actor)
		return
	}
	l.Context.Passed(l.Func, at, "asked the actor for its executor")
	var executor *ir.Value
	borrowed := false
	if actor.Type.IsOptional() {
		if l.OSSA && l.Ownership().KindOf(actor) != ir.OwnershipGuaranteed {
			actor = rewrite.Emit(b, op.BeginBorrow, actor).Result()
			borrowed = true
		}
		executor = l.deriveOptional(at, actor)
		b = l.Before(at)
	} else if executor = l.executorOf(b, actor); optional {
		executor = someExecutor(b, executor)
	}
	l.executors[at] = rewrite.Emit(b, op.MarkDependence, executor, actor).Result()
	if borrowed {
		rewrite.Emit(b, op.EndBorrow, actor)
	}
}

func someExecutor(b *ir.Builder, v *ir.Value) *ir.Value {
	return b.Emit(&ir.Inst{Op: op.Enum, Types: []*ir.Type{b.Module.Types.Optional(v.Type)}, Aux: &ir.MemberAux{Type: "Optional", Name: ir.CaseSome, Suffix: "enumelt"}}, v).Result()
}

// deriveOptional asks for the executor of an optional actor: none runs on the executor of nobody.
func (l *hopLowering) deriveOptional(at *ir.Inst, actor *ir.Value) *ir.Value {
	mod := l.Context.Module
	old := at.Block()
	after := l.Func.SplitBefore(at)
	none := l.Func.InsertBlockAfter(old)
	some := l.Func.InsertBlockAfter(old)
	optional := mod.Types.Optional(mod.Types.Builtin(ir.BuiltinExecutor))
	met := after.AddArg(optional)
	build := func(block *ir.Block) *ir.Builder {
		return &ir.Builder{Module: mod, Block: block, Loc: at.Loc, Scope: at.Scope}
	}
	someCase := &ir.MemberAux{Type: "Optional", Name: ir.CaseSome, Suffix: "enumelt"}
	sw := build(old).Emit(&ir.Inst{Op: op.SwitchEnum, Aux: &ir.CaseAux{Cases: []*ir.MemberAux{someCase, nil}}, Succs: []ir.Edge{{To: some}, {To: none}}}, actor)
	if !l.OSSA {
		sw.Forwarding = ir.OwnershipOwned // what the compiler gives a switch where nothing has ownership
	}
	b := build(some)
	var inner *ir.Value
	if l.OSSA {
		inner = some.AddArg(actor.Type.OptionalPayload())
		inner.Ownership = l.Ownership().KindOf(actor)
	} else {
		inner = b.Emit(&ir.Inst{Op: op.UncheckedEnumData, Aux: someCase}, actor).Result()
	}
	v := someExecutor(b, l.executorOf(b, inner))
	b.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: after, N: 1}}}, v)
	b = build(none)
	v = b.Emit(&ir.Inst{Op: op.Enum, Types: []*ir.Type{optional}, Aux: &ir.MemberAux{Type: "Optional", Name: ir.CaseNone, Suffix: "enumelt"}}).Result()
	b.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: after, N: 1}}}, v)
	l.Context.Changed(l.Func)
	return met
}

// executorOf asks an actor for its executor.
func (l *hopLowering) executorOf(b *ir.Builder, actor *ir.Value) *ir.Value {
	types := b.Module.Types
	t := actor.Type
	if isDefaultActor(b.Module, t) {
		build := ir.BuiltinOn(op.BuiltinBuildDefaultActorExecutorRef)
		build.Subs = []*ir.Type{t}
		return b.Emit(&ir.Inst{Op: op.Builtin, Types: []*ir.Type{types.Builtin(ir.BuiltinExecutor)}, Aux: build}, actor).Result()
	}
	name := "Actor"
	if d := b.Module.DeclOf(t); d != nil && strings.Contains(d.Text, "distributed actor") || b.Module.Conforms(t, types.Nominal(nil, "DistributedActor")) {
		name = "DistributedActor"
	}
	var opened *ir.Value
	if t.Kind == ir.KindExistential {
		t = types.Intern(&ir.Type{Kind: ir.KindOpened, Name: fmt.Sprintf("00000000-0000-0000-0000-%012X", l.opened), Elem: t, Args: []*ir.Type{types.Param("Self")}})
		l.opened++
		actor = b.Emit(&ir.Inst{Op: op.OpenExistentialRef, Types: []*ir.Type{t}}, actor).Result()
		opened = actor
	}
	self, proto := types.Param("τ_0_0"), types.Nominal(nil, name)
	fn := types.Function(&ir.FuncType{
		Convention: ir.RepWitnessMethod, Witness: name,
		Generic: &ir.GenericSig{Params: []ir.GenericParam{{Name: "τ_0_0"}}, Requirements: []ir.Requirement{{Kind: ir.ReqConformance, Subject: self, Type: proto}}},
		Params:  []ir.Param{{Conv: ir.ParamDirectGuaranteed, Type: self}},
		Results: []ir.Result{{Type: types.Nominal(nil, "UnownedSerialExecutor")}},
	})
	method := &ir.Inst{Op: op.WitnessMethod, Types: []*ir.Type{t, fn}, Aux: &ir.MethodAux{
		Ref: ir.ParseDeclRef("#" + name + ".unownedExecutor!getter"), DeclType: ir.ParseDeclType("<Self where Self : " + name + "> (Self) -> () -> UnownedSerialExecutor"), Type: fn}}
	var witness *ir.Value
	if opened != nil {
		witness = b.Emit(method, opened).Result()
	} else {
		witness = b.Emit(method).Result()
	}
	unowned := b.Emit(&ir.Inst{Op: op.Apply, Aux: &ir.ApplyAux{Subs: []*ir.Type{t}, Fn: fn}}, witness, actor).Result()
	return b.Emit(&ir.Inst{Op: op.StructExtract, Aux: &ir.MemberAux{Type: "UnownedSerialExecutor", Name: "executor"}}, unowned).Result()
}

// isDefaultActor reports whether a type is an actor that has the executor that the compiler makes for it.
func isDefaultActor(mod *ir.Module, t *ir.Type) bool {
	d := mod.DeclOf(t)
	if d == nil || d.Kind != ir.Actor {
		return false
	}
	isDefault := func(a ir.Attr) bool { return a.Name() == "defaultActor" }
	if table, _ := mod.WitnessTable(t, "Actor"); table != nil {
		for n := range table.Entries {
			if e := &table.Entries[n]; e.Ref.Path == "Actor.unownedExecutor" && mod.Funcs[e.Func] != nil {
				return facts.SemanticsWith(mod.Funcs[e.Func], isDefault)
			}
		}
	}
	return !strings.Contains(d.Text, "var unownedExecutor") || strings.Contains(d.Text, `@_semantics("defaultActor")`)
}
