package lower

import (
	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// typeTables remembers the run-time records of types.
type typeTables struct {
	byType map[*ir.Type]int
	byKey  map[string]int
}

// TypeInfo returns the index of the run-time record of a concrete type, made when first asked for.
func (l *Lowerer) TypeInfo(t *ir.Type) (int, error) {
	asked := t.Object()
	if n, ok := l.types.byType[asked]; ok {
		return n, nil
	}
	if l.types.byType == nil {
		l.types.byType = map[*ir.Type]int{}
	}
	if t = l.Mod.MetadataType(asked); t != asked {
		n, err := l.TypeInfo(t)
		if err == nil {
			l.types.byType[asked] = n
		}
		return n, err
	}
	lay, err := l.Layouts.Of(t)
	if err != nil && !l.isOnlyNamed(t, err) {
		return 0, err
	}
	n := l.addType(&code.TypeInfo{Type: t, Layout: lay, Name: l.Layouts.TypeName(t, false), DestroyObject: -1})
	l.types.byType[t] = n
	if _, err := l.Layouts.Class(t); err == nil && t.Kind != ir.KindExistential {
		if _, _, err := l.class(t); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// isOnlyNamed reports whether all that the text has of a type is its name, and that is why err says that it has no layout. Such a type still tells
// itself apart from others, as in Tagged<Tag, Int> where the enum Tag is inside a function: its record is without a layout.
func (l *Lowerer) isOnlyNamed(t *ir.Type, err error) bool {
	u, ok := err.(*abi.Unsupported)
	return ok && u.Type == t && t.Kind == ir.KindNominal && t.Parent == nil && len(t.Args) == 0 &&
		l.Mod.DeclOf(t) == nil && !ir.IsUnclear(t.Name)
}

func (l *Lowerer) addType(ti *code.TypeInfo) int {
	ti.Index = len(l.Prog.Types)
	for w := range ti.Witness {
		ti.Witness[w] = -1
	}
	l.Prog.Types = append(l.Prog.Types, ti)
	return ti.Index
}

// ValueWitness returns the index of the function that is value witness w of a type, and notes it in the record.
func (l *Lowerer) ValueWitness(typeInfo int, w code.Witness) (int, error) {
	ti := l.Prog.Types[typeInfo]
	if ti.Witness[w] < 0 {
		ti.Witness[w] = l.valueWitness(ti.Type, w)
	}
	return ti.Witness[w], nil
}

// objectInfo returns the record of a kind of heap object that is no class instance. key tells kinds of the same layout apart; name is what
// people are shown.
func (l *Lowerer) objectInfo(key, name string, o *abi.Object) int {
	if n, ok := l.types.byKey[key]; ok {
		return n
	}
	if l.types.byKey == nil {
		l.types.byKey = map[string]int{}
	}
	destroy := l.synthetic("destroy "+key, "deinit of "+key, func(b *builder) error {
		self := addr{base: b.param(0).Op()}
		for _, f := range o.Fields {
			if f.Layout.Trivial {
				continue
			}
			if err := b.destroyAt(self.at(f.Offset), f.Layout.Type); err != nil {
				return err
			}
		}
		b.emit(code.DeallocPartial, b.param(0), 0, 0, 0)
		b.ret()
		return nil
	})
	n := l.addType(&code.TypeInfo{Name: name, Object: o, DestroyObject: destroy})
	l.types.byKey[key] = n
	return n
}

// objectMetadata returns a register with the metadata of a kind of heap object.
func (b *builder) objectMetadata(key, name string, o *abi.Object) (reg, error) {
	r := b.NewReg()
	b.emit(code.Metadata, r, 0, 0, uint64(b.objectInfo(key, name, o)))
	return r, nil
}
