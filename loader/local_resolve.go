package loader

import (
	"slices"
	"strconv"
	"strings"

	"silvm/ir"
)

func itoa(n int) string { return strconv.Itoa(n) }

// localCase takes an instruction that names cases of a local enum.
func (p *parser) localCase(b bodyText, found map[string]*localType, result, line string, at int) {
	if strings.Contains(line, "case "+localMark) {
		p.localSwitch(b, found, line, at)
		return
	}
	t, name := localMember(found, line)
	if t == nil || name == "" || !strings.Contains(line, "!enumelt") {
		return
	}
	t.be(ir.Enum)
	word, _, _ := strings.Cut(line, " ")
	switch word {
	case "enum":
		var typ, owner *ir.Type
		_, rest, ok := strings.Cut(line, "!enumelt, %")
		if ok {
			owner = p.typeAt(at+strings.Index(p.lex.src[at:b.to], "enum $")+len("enum "), b.to)
			value := rest[:scanIdent(rest, 0)]
			if after, typed := strings.CutPrefix(rest[len(value):], " : $"); typed {
				if m := strings.Index(p.lex.src[at:b.to], " : $"+after); m >= 0 {
					typ = p.typeAt(at+m+len(" : "), b.to)
				}
			} else {
				typ = p.typeOfValue(b, "%"+value)
			}
		}
		p.addCase(t, owner, name, typ, ok)
	case "init_enum_data_addr", "unchecked_take_enum_data_addr", "unchecked_enum_data":
		typ := p.typeOfPlace(b, result, at)
		if typ != nil {
			typ = typ.Object()
		}
		p.addCase(t, p.typeOfOwner(b, line, at), name, typ, true)
	default:
		t.addCase(name, nil, false, false)
	}
}

// localSwitch takes the cases of switch_enum and its kin; the argument of a block tells the payload.
func (p *parser) localSwitch(b bodyText, found map[string]*localType, line string, at int) {
	var owner *ir.Type
	whole := line
	for {
		before, after, ok := cutLocal(line)
		if !ok {
			return
		}
		line = after
		t, name := memberAt(found, after)
		if !strings.HasSuffix(before, "case ") {
			continue
		}
		if t == nil || name == "" {
			continue
		}
		t.be(ir.Enum)
		var typ *ir.Type
		if _, dest, ok := strings.Cut(after, "!enumelt: "); ok && strings.HasPrefix(dest, "bb") {
			block := dest[:scanIdent(dest, 0)]
			if n := p.search("\n"+block+"(%", b.from, b.to); n >= 0 {
				if m := p.search(" : ", n, b.to); m >= 0 {
					typ = p.typeAt(m+len(" : "), b.to)
				}
			}
		}
		if typ != nil && typ.Kind == ir.KindAddress {
			typ = nil
		}
		if typ != nil && owner == nil {
			owner = p.typeOfOwner(b, whole, at)
		}
		p.addCase(t, owner, name, typ, typ != nil)
	}
}

// addCase notes a case of a local enum and its payload as an instruction on a value of type owner has it, nil when that doesn't tell; carries says that
// the case has one.
func (p *parser) addCase(t *localType, owner *ir.Type, name string, payload *ir.Type, carries bool) {
	indirect := false
	switch {
	case payload == nil:
	case payload.Kind == ir.KindBox && len(payload.Box.Fields) == 1:
		indirect = true
		payload = p.boxedAs(t, owner, payload.Box)
	case owner == nil:
		t.loose = true
	default:
		payload = p.declaredAs(t, owner, payload)
	}
	t.addCase(name, payload, indirect, carries)
}

// boxedAs returns the type of the payload of an indirect case as the declaration says it: the box is generic where the enum is, with the same parameters.
func (p *parser) boxedAs(t *localType, owner *ir.Type, box *ir.BoxType) *ir.Type {
	field := box.Fields[0].Type
	if box.Generic == nil {
		return field
	}
	_, own := allArgs(owner)
	if owner == nil || !t.takes(len(box.Generic.Params)-own, own) {
		return nil
	}
	params := make([]*ir.Type, len(box.Generic.Params))
	for n := range params {
		params[n] = p.ts.Param(localParam(n))
	}
	return p.ts.Subst(field, ir.BindParams(box.Generic, params))
}

func (t *localType) addCase(name string, payload *ir.Type, indirect, carries bool) {
	if carries && payload == nil {
		t.untyped = append(t.untyped, name)
	}
	for i := range t.cases {
		c := &t.cases[i]
		if c.Name != name {
			continue
		}
		switch {
		case payload == nil:
		case c.Payload == nil:
			c.Payload, c.Indirect = payload, indirect
		case c.Payload != payload || c.Indirect != indirect:
			t.bad = "the case " + name + " is used with several payloads"
		}
		return
	}
	t.cases = append(t.cases, ir.EnumCase{Name: name, Payload: payload, Indirect: indirect})
}

// localVTables finds superclasses and the order of fields in the vtables of local classes.
func (l *load) localVTables(found map[string]*localType) {
	for name, t := range found {
		v := l.mod.VTables[name]
		if v == nil {
			if t.kind == ir.Class && strings.Contains(name, ".") { // the table of a nested class names it alone
				t.bad = "it is not known which vtable it has"
			}
			continue
		}
		t.be(ir.Class)
		var ordered []ir.Field
		for i := range v.Entries {
			path, local := cutContext(v.Entries[i].Ref.Path)
			if own, ok := strings.CutPrefix(path, ir.PlainName(name)+"."); ok && local {
				for n, f := range t.fields {
					if f.Name == own {
						ordered = append(ordered, f)
						t.fields = append(t.fields[:n:n], t.fields[n+1:]...)
						break
					}
				}
				continue
			}
			l.localBase(t, path)
		}
		t.fields = append(ordered, t.fields...)
	}
}

// localBase notes the class of a method in the vtable of a class, which is one of its superclasses.
func (l *load) localBase(t *localType, path string) {
	names := memberPath(path)
	names = names[:max(len(names)-1, 1)]
	if ir.PlainName(t.name) == strings.Join(names, ".") {
		return
	}
	own, _, _ := strings.Cut(t.name, ".")
	root := l.namesakes.beside(own, names[0])
	if root == "" {
		t.bad = "several types have the name of its superclass"
		return
	}
	base := l.mod.Types.Nominal(nil, root)
	for _, name := range names[1:] {
		base = l.mod.Types.Nominal(base, name)
	}
	if base.QualifiedName() != t.name {
		t.supers = append(t.supers, base)
	}
}

// localAround notes the type around a local type, without which nothing is known of that either.
func (l *load) localAround(found map[string]*localType, t *localType, d *ir.Nominal) {
	n := strings.LastIndexByte(t.name, '.')
	if n < 0 {
		return
	}
	outer := found[t.name[:n]]
	switch {
	case outer == nil:
	case outer.bad != "" && t.around == 0: // without parameters, only its name matters
		d.Outer = &ir.Nominal{Path: outer.name, Kind: outer.kind}
	case outer.bad != "":
		t.bad = "the type around it: " + outer.bad
	case t.around != 0 && outer.kind == 0 && outer.params == 0 && !strings.Contains(outer.name, "."): // nothing of it is left but its parameters
		d.Outer = &ir.Nominal{Path: outer.name, Generic: localSignature(0, t.around)}
	case t.around != 0 && outer.params+outer.around != t.around:
		t.bad = "the type around it is not known"
	default:
		d.Outer = l.mod.Nominals[outer.name]
	}
}

// declareLocal enters the declaration of a local type, or reports that there can be none.
func (l *load) declareLocal(found map[string]*localType, t *localType) {
	d := &ir.Nominal{Kind: t.kind, Path: t.name}
	for _, f := range t.loosely {
		if t.params+t.around == 0 {
			t.addField(f.Name, f.Type)
		} else {
			t.untyped = append(t.untyped, f.Name)
		}
	}
	switch t.kind {
	case ir.Protocol:
		d = t.protocol
	case ir.Struct:
		d.Fields = t.structFields(l.mod.Types)
		t.checkSeen(l.mod.Types, d.Fields)
		d.Generic = localSignature(t.around, t.params)
	case ir.Class:
		t.typeBySeen(l.mod.Types)
		d.Fields = t.fields
		t.checkSeen(l.mod.Types, d.Fields)
		d.Super = l.localSuper(found, t)
		d.Generic = localSignature(t.around, t.params)
		for _, name := range t.untyped {
			if !slices.ContainsFunc(t.fields, func(f ir.Field) bool { return f.Name == name }) {
				t.bad = "the type of its field " + name + " is not known"
			}
		}
	case ir.Enum:
		d.Cases = t.cases
		d.Generic = localSignature(t.around, t.params)
		if t.loose && t.params+t.around > 0 {
			t.bad = "the types of its payloads are not known"
		}
		for _, c := range t.cases {
			if c.Payload == nil && slices.Contains(t.untyped, c.Name) {
				t.bad = "the type of the payload of " + c.Name + " is not known"
			}
		}
	default:
		return // no instruction looks into it
	}
	l.localAround(found, t, d)
	if t.bad != "" {
		if l.mod.Nominals[t.name] != nil {
			delete(l.mod.Nominals, t.name)
		}
		l.mod.Hide(t.name)
		l.diags.Warnf(0, "unsupported-type", "not supported: the type %s inside a function, which the SIL does not declare (%s)", ir.PlainName(t.name), t.bad)
		return
	}
	for _, p := range l.parsers {
		for _, deinit := range p.deinits {
			f := l.mod.Funcs[deinit.fn]
			d.NonCopyable = d.NonCopyable || f != nil && deinit.of(f) == t.name
		}
	}
	l.mod.Nominals[t.name] = d
}

// structFields puts the fields in the order of the struct instructions.
func (t *localType) structFields(ts *ir.Types) []ir.Field {
	if t.bad != "" {
		return nil
	}
	if len(t.inits) == 0 {
		t.typeBySeen(ts)
		return t.fieldsInMemory()
	}
	fields := make([]ir.Field, len(t.inits[0].types))
	for _, in := range t.inits {
		if len(in.types) != len(fields) {
			t.bad = "it is made with different numbers of fields"
			return nil
		}
		for i, typ := range in.types {
			f := &fields[i]
			if f.Type != nil && typ != nil && f.Type != typ || f.Name != "" && in.labels != nil && f.Name != in.labels[i] {
				t.bad = "it is made with different fields"
				return nil
			}
			if typ != nil {
				f.Type = typ
			}
			if in.labels != nil {
				f.Name = in.labels[i]
			}
		}
	}
	t.typeBySeen(ts)
	t.nameByOrder(fields)
	t.typeByName(fields)
	t.generalize(ts, fields)
	t.nameByValue(fields)
	t.matchByType(fields)
	t.typeByName(fields)
	if slices.ContainsFunc(fields, func(f ir.Field) bool { return f.Type == nil }) {
		if ordered := t.fieldsInMemory(); len(ordered) == len(fields) {
			return ordered
		}
		t.bad = "the order of its fields is not known"
		return nil
	}
	known := map[string]*ir.Type{}
	for _, f := range fields {
		if f.Name != "" && known[f.Name] != nil {
			t.bad = "the order of its fields is not known"
			return nil
		}
		known[f.Name] = f.Type
	}
	for _, f := range t.fields {
		if known[f.Name] != f.Type {
			t.bad = "the order of its fields is not known"
			return nil
		}
	}
	for _, name := range t.untyped {
		if known[name] == nil {
			t.bad = "the order of its fields is not known"
			return nil
		}
	}
	return fields
}

// nameByOrder names the fields as the initializer, or else the ==, that the compiler made for them has them.
func (t *localType) nameByOrder(fields []ir.Field) {
	for _, names := range [][]string{t.labels, t.equated, t.inSplit(len(fields))} {
		if len(names) != len(fields) {
			continue
		}
		for i, name := range names {
			if f := &fields[i]; f.Name != "" && f.Name != name {
				t.bad = "the order of its fields is told in two ways"
			} else {
				f.Name = name
			}
		}
		return
	}
}

// nameByValue names a field that alone has its type as the one that has the value elsewhere, which may be in another struct of the same type.
func (t *localType) nameByValue(fields []ir.Field) {
	for i := range fields {
		f := &fields[i]
		if f.Name != "" || f.Type == nil || slices.ContainsFunc(fields, func(o ir.Field) bool { return o.Type == nil }) {
			continue
		}
		like := 0
		for _, o := range fields {
			if o.Type == f.Type {
				like++
			}
		}
		for _, in := range t.inits {
			if like == 1 && f.Name == "" {
				f.Name = in.names[i]
			}
		}
	}
}

// fieldsInMemory are the fields of a struct that is never made in one instruction, so that each of them is stored to where it is made: there is
// one, or the initializer that the compiler made has them all in order, or the getters have.
func (t *localType) fieldsInMemory() []ir.Field {
	known := map[string]ir.Field{}
	for _, f := range t.fields {
		known[f.Name] = f
	}
	for _, name := range t.untyped {
		if _, ok := known[name]; !ok {
			t.bad = "the type of its field " + name + " is not known"
			return nil
		}
	}
	if len(t.fields) == 1 {
		return t.fields
	}
	// The labels are not the fields' where one of these is set by an init accessor of another property.
	var ordered []ir.Field
	for _, names := range [][]string{t.labels, t.getters, t.equated, t.inSplit(len(known))} {
		ordered = ordered[:0]
		for _, name := range names {
			if f, ok := known[name]; ok {
				ordered = append(ordered, f)
			}
		}
		if len(ordered) == len(known) {
			break
		}
	}
	if len(ordered) == 0 || len(ordered) != len(known) {
		t.bad = "the order of its fields is not known"
		return nil
	}
	return ordered
}

// typeByName gives the fields whose names are known the types that other instructions tell.
func (t *localType) typeByName(fields []ir.Field) {
	for i := range fields {
		for _, f := range t.fields {
			if fields[i].Type == nil && fields[i].Name == f.Name {
				fields[i].Type = f.Type
			}
		}
	}
}

// matchByType names a field that alone has its type among those without a name.
func (t *localType) matchByType(fields []ir.Field) {
	taken := map[string]bool{}
	unnamed := map[*ir.Type][]int{}
	for i, f := range fields {
		if f.Name != "" {
			taken[f.Name] = true
		} else {
			unnamed[f.Type] = append(unnamed[f.Type], i)
		}
	}
	names := map[*ir.Type][]string{}
	for _, f := range t.fields {
		if !taken[f.Name] {
			names[f.Type] = append(names[f.Type], f.Name)
		}
	}
	for typ, at := range unnamed {
		if len(unnamed[nil]) == 0 && len(at) == 1 && len(names[typ]) == 1 {
			fields[at[0]].Name = names[typ][0]
			taken[names[typ][0]] = true
		}
	}
	t.matchByReplaced(fields, taken)
	t.matchByHead(fields, taken)
	t.matchLast(fields, taken)
}

// matchByHead names a field that alone has its generic type among those without a name, where only one name that is left is of that type.
func (t *localType) matchByHead(fields []ir.Field, taken map[string]bool) {
	names := map[string][]string{}
	for name, head := range t.heads {
		if !taken[name] {
			names[head] = append(names[head], name)
		}
	}
	for head, of := range names {
		at := -1
		for i, f := range fields {
			if f.Name == "" && (f.Type == nil || f.Type.Kind == ir.KindNominal && f.Type.Parent == nil && f.Type.Name == head) {
				if at >= 0 {
					at = len(fields)
					break
				}
				at = i
			}
		}
		if len(of) == 1 && at >= 0 && at < len(fields) && fields[at].Type != nil {
			fields[at].Name = of[0]
			taken[of[0]] = true
		}
	}
}

// matchLast gives the one name that is left, of a field whose type no instruction tells, to the one field without a name.
func (t *localType) matchLast(fields []ir.Field, taken map[string]bool) {
	var left []string
	for _, name := range t.untyped {
		if !taken[name] && !slices.Contains(left, name) {
			left = append(left, name)
		}
	}
	at := -1
	for i := range fields {
		switch {
		case fields[i].Name != "":
		case at >= 0:
			return
		default:
			at = i
		}
	}
	for _, f := range t.fields {
		if !taken[f.Name] {
			return
		}
	}
	if at >= 0 && len(left) == 1 {
		fields[at].Name = left[0]
	}
}

// localSuper returns the superclass: of the classes that a local class is known to inherit from, the one that
// inherits from all the others. nil when it is a root class.
func (l *load) localSuper(found map[string]*localType, t *localType) *ir.Type {
	var best *ir.Type
	deepest := 0
	for _, s := range t.supers {
		depth := l.classDepth(found, s, 0)
		if depth == deepest && len(best.Args) > 0 && len(s.Args) > 0 && s != best {
			t.bad = "its superclass is told in two ways"
		}
		if depth > deepest || depth == deepest && len(s.Args) > 0 {
			best, deepest = s, depth
		}
	}
	if best == nil || best.Parent != nil || len(best.Args) > 0 {
		return best
	}
	if own := found[best.Name]; own != nil && own.params > 0 || own == nil && l.mod.DeclOf(best) != nil && l.mod.DeclOf(best).Generic != nil {
		t.bad = "the arguments of its superclass are not known"
	}
	return best
}

// classDepth counts the superclasses of a class, itself included.
func (l *load) classDepth(found map[string]*localType, c *ir.Type, steps int) int {
	if c == nil || steps > 1000 {
		return 0
	}
	t := found[c.QualifiedName()]
	if t == nil {
		return l.declaredDepth(found, c, steps)
	}
	if t.depth == 0 {
		t.depth = 1 // while it is being counted
		for _, s := range t.supers {
			t.depth = max(t.depth, l.classDepth(found, s, steps+1)+1)
		}
	}
	return t.depth
}

// declaredDepth is classDepth for a class whose declaration was read.
func (l *load) declaredDepth(found map[string]*localType, c *ir.Type, steps int) int {
	depth := 1
	for ; steps <= 1000; steps++ {
		d := l.mod.DeclOf(c)
		if d == nil || len(d.Inherits) == 0 {
			return depth
		}
		if c = d.Inherits[0]; found[c.QualifiedName()] != nil {
			return depth
		}
		if s := l.mod.DeclOf(c); s == nil || s.Kind != ir.Class {
			return depth
		}
		depth++
	}
	return depth
}
