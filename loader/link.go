package loader

import (
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/ir/source"
)

// addFunction takes a function into the module, read giving it its body when it has one, and reports whether that is its definition now. A
// definition replaces a declaration of the same name, and the other way round nothing changes.
func (p *parser) addFunction(f *ir.Function, namePos source.Pos, read func(*ir.Function) error) bool {
	l := p.load
	old := l.mod.Funcs[f.Name]
	if old != nil {
		if _, twice := l.defined[f.Name]; twice && read != nil {
			l.duplicate(old, f, namePos)
			return false
		}
		if !l.checkSignature(f, old, namePos) && p.memberBody != nil || read == nil {
			return false
		}
		*old = *f
		f = old
	} else {
		l.mod.Funcs[f.Name] = f
		l.mod.Items = append(l.mod.Items, f)
	}
	if read == nil {
		return false
	}
	l.defined[f.Name] = namePos
	f.SetLazyBody(read)
	return true
}

// duplicate reports a second definition, unless they come from different files and one of them at least is
// a copy: the compiler prints the functions of other modules that it may inline into every file that uses
// them, and the first that was read is taken.
func (l *load) duplicate(old, f *ir.Function, pos source.Pos) {
	first := l.defined[f.Name]
	if l.mod.Files.File(first) != l.mod.Files.File(pos) && (isCopy(old.Linkage) || isCopy(f.Linkage)) {
		l.checkSignature(f, old, pos)
		return
	}
	l.diags.Errorf(pos, "duplicate-symbol", "@%s is defined twice", f.Name).Note(first, "first defined here")
}

// isCopy reports whether a definition of that linkage may be in several files.
func isCopy(linkage ir.Linkage) bool {
	switch linkage {
	case ir.LinkageShared, ir.LinkageNonABI, ir.LinkagePublicNonABI, ir.LinkagePackageNonABI:
		return true
	}
	return linkage.IsExternal()
}

// checkSignature reports that two files do not mean the same function by one name: an error, but when a library that nobody named has the
// other one.
func (l *load) checkSignature(f, old *ir.Function, pos source.Pos) bool {
	if l.taken.isTrial() {
		l.taken.trial.SameType(f.Type, old.Type)
		return true
	}
	if sameSignature(f.Type, old.Type) {
		return true
	}
	if l.archive.has(pos) {
		l.diags.Warnf(old.Pos, "signature-mismatch", "@%s is $%s here, but $%s in the library, which is of another version: its body is not used", f.Name, old.Type, f.Type).
			Note(pos, "the other place")
		return false
	}
	l.diags.Errorf(pos, "signature-mismatch", "@%s is $%s here, but $%s elsewhere", f.Name, f.Type, old.Type).
		Note(old.Pos, "the other place")
	return false
}

// sameSignature compares function types by what they say, whatever their generic parameters are called. What the lifetime of a result depends
// on is told in several ways, seen from the library and from outside of it, and says nothing about the call.
func sameSignature(a, b *ir.Type) bool {
	return a == b || anonymous(a) == anonymous(b)
}

// anonymous returns the text of a function type with its own generic parameters replaced by their numbers.
func anonymous(t *ir.Type) string {
	text := t.String()
	for {
		before, after, ok := strings.Cut(text, "@lifetime(")
		if !ok {
			break
		}
		_, after, _ = strings.Cut(after, ") ")
		text = before + after
	}
	if t.Func == nil || t.Func.Generic == nil {
		return text
	}
	number := map[string]string{}
	depth, n := 0, 0
	for _, g := range t.Func.Generic.Params {
		if g.Depth != depth {
			depth, n = g.Depth, 0
		}
		number[g.Name] = "τ_" + strconv.Itoa(depth) + "_" + strconv.Itoa(n)
		n++
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		end := scanIdent(text, i)
		if end == i {
			b.WriteByte(text[i])
			i++
			continue
		}
		word := text[i:end]
		if r, ok := number[word]; ok && (i == 0 || text[i-1] != '.') {
			word = r
		}
		b.WriteString(word)
		i = end
	}
	return b.String()
}

// deinitRef is a sil_moveonlydeinit table before its function is known. The text of a table names the type alone, without the types around it.
type deinitRef struct {
	typ, fn string
	pos     source.Pos
}

// of returns the name of the type: that of the values which the function takes.
func (d deinitRef) of(f *ir.Function) string {
	if fn := f.Type.Func; fn != nil && len(fn.Params) == 1 {
		if name := fn.Params[0].Type.QualifiedName(); name != "" {
			return name
		}
	}
	return d.typ
}

// path returns the name of the type with that of the outermost type around it, which the function's symbol says.
func (d deinitRef) path() string {
	if root, _, ok := mangle.ContextOf(d.fn); ok && root.Name != d.typ {
		return root.Name + "." + d.typ
	}
	return d.typ
}

// link resolves what refers to functions by name.
func (l *load) link() {
	for _, p := range l.parsers {
		for _, d := range p.deinits {
			f := l.mod.Func(d.fn)
			if f == nil {
				l.diags.Errorf(d.pos, "unknown-symbol", "the deinit function @%s of %s is not in the file", d.fn, d.typ)
				continue
			}
			l.mod.Deinits[d.of(f)] = f
		}
	}
}
