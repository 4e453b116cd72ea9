package facts

import (
	"strings"

	"silvm/ir"
	"silvm/ir/mangle"
)

// deinitSuffix ends the mangled names of deallocating deinits.
const deinitSuffix = "fD"

// deinitByName returns the function with the mangled name of the deallocating deinit of a class, nil when there is none.
func (p *Program) deinitByName(d *ir.Nominal) *ir.Function {
	if p.named == nil {
		p.named = map[string]*ir.Function{}
		for name, f := range p.Mod.Funcs {
			if key, ok := strings.CutSuffix(name, deinitSuffix); ok {
				if _, key, ok = mangle.CutModule(key); ok {
					p.named[key] = f
				}
			}
		}
	}
	if f := p.named[mangledPath(d)]; f != nil && p.Mod.Funcs[f.Name] == f {
		return f
	}
	return nil
}

// isolatedDeinit is the runtime function by which a deinit moves to the executor of its actor (Swift 6.2, Actor.cpp).
const isolatedDeinit = "swift_task_deinitOnExecutor"

// HasIsolatedDeinit reports whether the deinit of exactly that class may run later, as a job of an executor: the object lives on after its
// last release then.
func (p *Program) HasIsolatedDeinit(t *ir.Type) bool {
	f := p.Destructor(t)
	if f == nil {
		return false
	}
	if f.Body() != nil { // it can't be read
		return true
	}
	for i := range f.Insts() {
		if callee := StaticCallee(i); callee != nil && callee.Name == isolatedDeinit {
			return true
		}
	}
	return false
}

// mangledPath returns the names of a type and the types around it as they are mangled after the module's.
func mangledPath(d *ir.Nominal) string {
	name := d.Path[strings.LastIndexByte(d.Path, '.')+1:]
	kind := map[ir.NominalKind]string{ir.Class: "C", ir.Actor: "C", ir.Struct: "V", ir.Enum: "O", ir.Protocol: "P"}[d.Kind]
	path := mangle.Ident(name) + kind
	if d.Outer != nil {
		return mangledPath(d.Outer) + path
	}
	return path
}
