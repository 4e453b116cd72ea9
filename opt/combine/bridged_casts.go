package combine

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// Casts between the types of values that Foundation bridges and the classes that it bridges them to are calls of what converts the one into
// the other. An object of another class than the one that the value is bridged to is cast to that first:
//
//	checked_cast_addr_br take_on_success NSObject in %0 to String in %1, bb1, bb2
//	                      ⇒
//	  %2 = load [take] %0
//	  checked_cast_br NSObject in %2 to NSString, bb4, bb3
//	bb3(%3):                                                      bb4(%4):
//	  store %3 to [init] %0                                         apply @_conditionallyBridgeFromObjectiveC_bridgeable<String>(%5, %4, …)
//	  br bb2                                                        switch_enum_addr %5, case #Optional.some!enumelt: bb5, …
//
// It is done in ownership form, for modules that import Foundation, with the types below, which are not the program's own. A value is made an
// object of its class in the table, or of NSObject above it.
// Source: lib/SILOptimizer/Utils/CastOptimizer.cpp.

// bridge says which class a type of values is bridged to, and by which function.
type bridge struct{ class, function string }

// bridges are the types of which the standard library and Foundation together make values of objects.
var bridges = map[ir.Known]bridge{
	ir.KnownArray:      {"NSArray", "$sSa10FoundationE19_bridgeToObjectiveCAA7NSArrayCyF"},
	ir.KnownDictionary: {"NSDictionary", "$sSD10FoundationE19_bridgeToObjectiveCAA12NSDictionaryCyF"},
	ir.KnownSet:        {"NSSet", "$sSh10FoundationE19_bridgeToObjectiveCAA5NSSetCyF"},
	ir.KnownString:     {"NSString", "$sSS10FoundationE19_bridgeToObjectiveCAA8NSStringCyF"},
}

// The functions of the library that make a value of an object, or stop the program; the other has an optional as its result.
const (
	forceFromObject         = "$ss37_forceBridgeFromObjectiveC_bridgeableyx01_D5CTypeQz_xmts01_D11CBridgeableRzlF"
	conditionallyFromObject = "$ss45_conditionallyBridgeFromObjectiveC_bridgeableyxSg01_D5CTypeQz_xmts01_D11CBridgeableRzlF"
)

// bridgedCast is a cast in memory that is about to become calls.
type bridgedCast struct {
	*rewrite.Editor
	i        *ir.Inst
	mod      *ir.Module
	bridge   bridge
	from, to *ir.Type
	class    *ir.Type // that the value is bridged to
	takes    ir.Word
}

// bridgeCast makes calls of a cast between a type of values and a class that it is bridged to. It reports whether it did.
func bridgeCast(c *pass.Context, f *ir.Function, i *ir.Inst) bool {
	mod := c.Module
	if !f.IsOSSA() || !mod.ImportsModule("Foundation") {
		return false
	}
	b := &bridgedCast{Editor: rewrite.NewEditor(c, f), i: i, mod: mod, from: i.Arg(0).Type.Object(), to: i.Arg(1).Type.Object(), takes: ir.WordTakeAlways}
	if i.Op == op.CheckedCastAddrBr {
		b.takes = i.Word()
		preds := c.Dominators(f).Preds
		for _, e := range i.Succs {
			if len(preds[e.To.Index]) != 1 || len(e.To.Args) > 0 {
				return false
			}
		}
	}
	var ok bool
	if b.bridge, ok = bridges[b.from.Known()]; ok {
		if !b.is(b.to, b.bridge.class) && !b.is(b.to, "NSObject") {
			return false
		}
		b.toObject()
		return true
	}
	if b.bridge, ok = bridges[b.to.Known()]; !ok || !b.isObject() {
		return false
	}
	b.class = mod.Types.Nominal(nil, b.bridge.class)
	if i.Op == op.UnconditionalCheckedCastAddr {
		b.force()
		return true
	}
	b.toValue()
	return true
}

// is reports whether a type is the class of Foundation of that name, not one of the program.
func (b *bridgedCast) is(t *ir.Type, class string) bool {
	d := b.mod.DeclOf(t)
	return t == b.mod.Types.Nominal(nil, class) && (d == nil || d.Module == "Foundation")
}

// isObject reports whether the cast is one of an object that may be of the class: one of Foundation or of the program.
func (b *bridgedCast) isObject() bool {
	return b.is(b.from, b.bridge.class) || b.is(b.from, "NSObject") || b.from.Kind == ir.KindNominal && b.mod.IsClassType(b.from)
}

// library names a function of the library, which is declared where it is not.
func (b *bridgedCast) library(at *ir.Builder, name string, fn func() *ir.FuncType) *ir.Value {
	f := b.mod.Funcs[name]
	if f == nil {
		f = &ir.Function{Name: name, Type: b.mod.Types.Function(fn()), Module: b.mod}
		b.Context.AppendFunction(f)
	}
	t := b.mod.Types.Unsugared(f.Type)
	return at.Emit(&ir.Inst{Op: op.FunctionRef, Types: []*ir.Type{t}, Aux: &ir.SymbolAux{Name: name, Func: f}}).Result()
}

// call calls a function for types.
func (b *bridgedCast) call(at *ir.Builder, fn *ir.Value, subs []*ir.Type, args ...*ir.Value) *ir.Value {
	aux := &ir.ApplyAux{Fn: fn.Type, Subs: subs}
	return at.Emit(&ir.Inst{Op: op.Apply, Aux: aux}, append([]*ir.Value{fn}, args...)...).Result()
}

// fromObjectType is the type of the two functions that make a value of an object.
func (b *bridgedCast) fromObjectType(optional bool) *ir.FuncType {
	ts := b.mod.Types
	t := ts.Param("τ_0_0")
	result := t
	if optional {
		result = ts.Optional(t)
	}
	sig := &ir.GenericSig{Params: []ir.GenericParam{{Name: t.Name}},
		Requirements: []ir.Requirement{{Kind: ir.ReqConformance, Subject: t, Type: ts.Nominal(nil, "_ObjectiveCBridgeable")}}}
	object := ts.Intern(&ir.Type{Kind: ir.KindMember, Name: "_ObjectiveCType", Elem: t})
	return &ir.FuncType{Convention: ir.RepThin, Generic: sig, Results: []ir.Result{{Conv: ir.ResultOut, Type: result}},
		Params: []ir.Param{{Conv: ir.ParamDirectGuaranteed, Type: object}, {Type: ts.Metatype(t, ir.MetatypeThick)}}}
}

// toObjectType is the type of the function that makes an object of a value.
func (b *bridgedCast) toObjectType() *ir.FuncType {
	ts := b.mod.Types
	fn := &ir.FuncType{Convention: ir.RepMethod}
	self := b.from
	if len(b.from.Args) > 0 {
		fn.Generic = &ir.GenericSig{}
		var args []*ir.Type
		for n := range b.from.Args {
			p := ts.Param([]string{"τ_0_0", "τ_0_1"}[n])
			args = append(args, p)
			fn.Generic.Params = append(fn.Generic.Params, ir.GenericParam{Name: p.Name})
		}
		if b.from.Known() != ir.KnownArray {
			fn.Generic.Requirements = []ir.Requirement{{Kind: ir.ReqConformance, Subject: args[0], Type: ts.Nominal(nil, "Hashable")}}
		}
		self = ts.Nominal(nil, b.from.Name, args...)
	}
	fn.Params = []ir.Param{{Conv: ir.ParamDirectGuaranteed, Type: self}}
	fn.Results = []ir.Result{{Conv: ir.ResultOwned, Type: ts.Nominal(nil, b.bridge.class)}}
	return fn
}

// toObject makes an object of a value, which never fails. What the failing branch finds in memory stays.
func (b *bridgedCast) toObject() {
	at := b.Before(b.i)
	fn := b.library(at, b.bridge.function, b.toObjectType)
	v := b.Load(at, b.i.Arg(0), op.QualTake)
	object := b.call(at, fn, b.from.Args, v)
	if b.takes == ir.WordTakeAlways {
		rewrite.Emit(at, op.DestroyValue, v)
	}
	if object.Type != b.to {
		object = at.Emit(&ir.Inst{Op: op.Upcast, Types: []*ir.Type{b.to}}, object).Result()
	}
	b.Store(at, object, b.i.Arg(1), op.QualInit)
	if b.i.Op == op.CheckedCastAddrBr {
		yes, no := b.i.Succs[0].To, b.i.Succs[1].To
		switch b.takes {
		case ir.WordCopyOnSuccess:
			b.Store(b.Before(yes.First()), v, b.i.Arg(0), op.QualInit)
		case ir.WordTakeOnSuccess:
			rewrite.Emit(b.Before(yes.First()), op.DestroyValue, v)
		}
		if b.takes != ir.WordTakeAlways {
			b.Store(b.Before(no.First()), v, b.i.Arg(0), op.QualInit)
		}
		at.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: yes}}})
	}
	b.i.Remove()
}

// force makes a value of an object, or stops the program.
func (b *bridgedCast) force() {
	at := b.Before(b.i)
	object := b.Load(at, b.i.Arg(0), op.QualTake)
	if b.class != b.from {
		object = at.Emit(&ir.Inst{Op: op.UnconditionalCheckedCast, Types: []*ir.Type{b.class}}, object).Result()
	}
	b.convert(at, forceFromObject, b.i.Arg(1), object)
	rewrite.Emit(at, op.DestroyValue, object)
	b.i.Remove()
}

// convert calls the function that makes a value of an object, in memory: in, or the new slot that it returns.
func (b *bridgedCast) convert(at *ir.Builder, name string, in, object *ir.Value) *ir.Value {
	fn := b.library(at, name, func() *ir.FuncType { return b.fromObjectType(name == conditionallyFromObject) })
	meta := at.Emit(&ir.Inst{Op: op.Metatype, Types: []*ir.Type{b.mod.Types.Metatype(b.to, ir.MetatypeThick)}}).Result()
	if name == conditionallyFromObject {
		in = at.Emit(&ir.Inst{Op: op.AllocStack, Types: []*ir.Type{b.mod.Types.Optional(b.to)}}).Result()
	}
	copied := rewrite.Emit(at, op.CopyValue, object).Result()
	b.call(at, fn, []*ir.Type{b.to}, in, copied, meta)
	rewrite.Emit(at, op.DestroyValue, copied)
	return in
}

// toValue makes a value of an object where it can.
func (b *bridgedCast) toValue() {
	from, yes, no := b.i.Block(), b.i.Succs[0].To, b.i.Succs[1].To
	at := b.Before(b.i)
	v := b.Load(at, b.i.Arg(0), op.QualTake)
	// The object in its class, in a block of its own.
	isClass := b.Func.InsertBlockAfter(from)
	object := isClass.AddArg(b.class)
	object.Ownership = ir.OwnershipOwned
	failed := no
	if b.class == b.from {
		at.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: isClass, N: 1}}}, v)
	} else {
		other := b.Func.InsertBlockAfter(from)
		kept := other.AddArg(b.from)
		kept.Ownership = ir.OwnershipOwned
		at.Emit(&ir.Inst{Op: op.CheckedCastBr, Types: []*ir.Type{b.from, b.class}, Succs: []ir.Edge{{To: isClass}, {To: other}}}, v)
		in := b.end(other)
		if b.takes == ir.WordTakeAlways {
			rewrite.Emit(in, op.DestroyValue, kept)
		} else {
			b.Store(in, kept, b.i.Arg(0), op.QualInit)
		}
		in.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: no}}})
		failed = b.Func.InsertBlockAfter(b.Func.Blocks[slices.Index(b.Func.Blocks, no)-1])
		b.end(failed).Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: no}}})
	}
	at = b.end(isClass)
	optional := b.convert(at, conditionallyFromObject, nil, object)
	switch b.takes {
	case ir.WordTakeAlways:
		rewrite.Emit(at, op.DestroyValue, object)
	case ir.WordCopyOnSuccess:
		b.putBack(at, object)
	}
	some := &ir.MemberAux{Type: "Optional", Name: ir.CaseSome, Suffix: "enumelt"}
	none := &ir.MemberAux{Type: "Optional", Name: ir.CaseNone, Suffix: "enumelt"}
	made := b.Func.InsertBlockAfter(isClass)
	at.Emit(&ir.Inst{Op: op.SwitchEnumAddr, Aux: &ir.CaseAux{Cases: []*ir.MemberAux{some, none}}, Succs: []ir.Edge{{To: made}, {To: failed}}}, optional)
	in := b.end(made)
	payload := in.Emit(&ir.Inst{Op: op.UncheckedTakeEnumDataAddr, Aux: some}, optional).Result()
	in.Emit(&ir.Inst{Op: op.CopyAddr, Quals: op.QualsOf(op.QualTake, op.QualInit)}, payload, b.i.Arg(1))
	rewrite.Emit(in, op.DeallocStack, optional)
	in.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: yes}}})
	if b.takes == ir.WordTakeOnSuccess {
		rewrite.Emit(b.Before(yes.First()), op.DestroyValue, object)
	}
	in = b.Before(failed.First())
	rewrite.Emit(in, op.DeallocStack, optional)
	if b.takes == ir.WordTakeOnSuccess {
		b.putBack(in, object)
	}
	b.i.Remove()
	b.Func.Renumber()
}

// end adds at the end of a new block.
func (b *bridgedCast) end(to *ir.Block) *ir.Builder {
	return &ir.Builder{Module: b.mod, Block: to, Loc: b.i.Loc, Scope: b.i.Scope}
}

// putBack puts the object to where it was.
func (b *bridgedCast) putBack(at *ir.Builder, object *ir.Value) {
	if b.class != b.from {
		object = at.Emit(&ir.Inst{Op: op.UncheckedRefCast, Types: []*ir.Type{b.from}}, object).Result()
	}
	b.Store(at, object, b.i.Arg(0), op.QualInit)
}
