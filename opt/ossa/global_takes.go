package ossa

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// GlobalTakes takes a reference out of a global where the global is not read again, in place of a copy of it
// (docs/proposals/HighLevelMemoryOperations, load [take]):
//
//	%1 = load [copy] %0 : $*Optional<C>          %1 = load [take] %0 : $*Optional<C>
//	                                        ⇒    %2 = enum $Optional<C>, #Optional.none!enumelt
//	                                             store %2 to [init] %0 : $*Optional<C>
//
// Whatever comes after, in this function, in those that it calls and in those that called it, may do nothing with the value in the global but
// to write over it or to destroy it. The retain goes, and with it each release of the old value that follows a take only: a store [assign]
// is a release, and becomes a store [init]. The whole program must be known, and no code run that is not.
var GlobalTakes = &pass.Pass{Name: "global-takes", Doc: "Takes references out of globals that are not read again", Module: func(c *pass.Context) bool {
	lives := map[string]*facts.GlobalLife{}
	taken := map[string]bool{}
	for _, f := range c.Module.Functions() {
		if len(f.Blocks) == 0 || !f.IsOSSA() {
			continue
		}
		for _, b := range f.Blocks {
			for _, i := range b.InstList() {
				if i.Op == op.Load && i.Has(op.QualCopy) && takeGlobal(c, f, i, lives) {
					taken[i.Arg(0).Inst().Aux.(*ir.SymbolAux).Name] = true
				}
			}
		}
	}
	for _, item := range c.Module.Items {
		if g, ok := item.(*ir.Global); ok && taken[g.Name] && g.Init == nil {
			dropReleases(c, g)
		}
	}
	return len(taken) > 0
}}

// dropReleases leaves out the releases of a global where it is none since it was taken.
func dropReleases(c *pass.Context, g *ir.Global) {
	for _, i := range facts.NewGlobalLife(c.Program(nil), g.Name).ReleasesNothing() {
		f := i.Block().Func
		switch {
		case i.Op == op.Store && i.Has(op.QualAssign):
			i.Quals = i.Quals.Without(op.QualAssign).With(op.QualInit)
		case i.Op == op.Load && !f.IsOSSA():
			for _, x := range i.Result().UseList() {
				x.User().Remove()
			}
			i.Remove()
		default:
			continue
		}
		c.Passed(f, i, "left out the release of the global, which holds nothing here")
		c.Changed(f)
	}
}

// takeGlobal makes a take of the copy of a global, if it is one and is the last look at it.
func takeGlobal(c *pass.Context, f *ir.Function, i *ir.Inst, lives map[string]*facts.GlobalLife) bool {
	at := i.Arg(0).Inst()
	t := i.Result().Type
	if at == nil || at.Op != op.GlobalAddr || !t.IsOptional() {
		return false
	}
	name := at.Aux.(*ir.SymbolAux).Name
	life := lives[name]
	if life == nil {
		life = facts.NewGlobalLife(c.Program(f), name)
		lives[name] = life
	}
	by, known := life.SeenAfter(i, t)
	switch {
	case !known:
		c.Missed(f, i, "copied the global: not all that may read it is known")
		return false
	case by != nil:
		c.Missed(f, i, "copied the global: %s in %s may see it", by.Op, by.Block().Func.DisplayName())
		return false
	}
	c.Passed(f, i, "took the reference out of the global, which is not read again")
	e := rewrite.NewEditor(c, f)
	i.Quals = i.Quals.Without(op.QualCopy).With(op.QualTake)
	b := e.After(i)
	none := b.Emit(&ir.Inst{Op: op.Enum, Types: []*ir.Type{t}, Aux: &ir.MemberAux{Type: "Optional", Name: ir.CaseNone, Suffix: "enumelt"}}).Result()
	rewrite.EmitQ(b, op.Store, op.QualInit, none, i.Arg(0))
	c.Changed(f)
	delete(lives, name)
	return true
}
