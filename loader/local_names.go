package loader

import (
	"slices"
	"strings"

	"silvm/ir"
)

// What the text calls types inside functions and their members: paths of names, with generic arguments in between.
//
// A struct inside a function may be generic, or be inside a generic type there: its type is S<T> or C<T>.S. What its fields are is told where all of its
// arguments are parameters of the function at hand, as in its own methods.

// localParam is the name of a parameter in the declaration of such a struct.
func localParam(n int) string { return "T" + itoa(n+1) }

// declaredAs returns the type of a field as the declaration of t says it, where a value of type owner has a field of type typ; nil when that can't be told.
func (p *parser) declaredAs(t *localType, owner, typ *ir.Type) *ir.Type {
	args, own := allArgs(owner)
	if len(args) == 0 {
		if typ.HasParams() {
			return nil
		}
		return typ
	}
	if !t.takes(len(args)-own, own) {
		return nil
	}
	number := map[string]int{}
	for n, a := range args {
		if a.Kind != ir.KindParam {
			return nil
		}
		number[a.Name] = n
	}
	if len(number) < len(args) {
		return nil
	}
	foreign := false
	typ = p.ts.Subst(typ, func(x *ir.Type) *ir.Type {
		if x.Kind != ir.KindParam {
			return nil
		}
		n, ok := number[x.Name]
		if !ok {
			foreign = true
			return nil
		}
		return p.ts.Param(localParam(n))
	})
	if foreign {
		return nil
	}
	return typ
}

// Where all functions are specialized, only the fields of S<Int> and S<String> are told. What the declaration says is then the type of which all of
// these are instances, with the parameters in the place of their arguments.

// specialized is what an instruction on a value of type S<Int> tells of a field.
type specialized struct {
	name string // of the field, "" of what a struct instruction takes
	args []*ir.Type
	typ  *ir.Type // for these arguments
}

// generalize gives the fields of which no instruction tells the type for all arguments the one that those for some arguments are instances of.
func (t *localType) generalize(ts *ir.Types, fields []ir.Field) {
	for i := range fields {
		if fields[i].Type != nil {
			continue
		}
		var seen []specialized
		told := true
		for _, in := range t.inits {
			if in.raw[i] != nil && len(in.args) > 0 {
				seen = append(seen, specialized{"", in.args, in.raw[i]})
			} else {
				told = false
			}
		}
		varies, fixed := generalized(ts, seen, false), generalized(ts, seen, true)
		isKnown := func(typ *ir.Type) bool {
			return slices.ContainsFunc(t.fields, func(f ir.Field) bool { return f.Type == typ })
		}
		switch {
		case varies == fixed, isKnown(varies) && !isKnown(fixed):
			fields[i].Type = varies
		case isKnown(fixed) && !isKnown(varies):
			fields[i].Type = fixed
		case !isKnown(fixed) && told:
			fields[i].Type = varies // the same for all that is made
		}
	}
}

// typeBySeen does the same for the fields that instructions name.
func (t *localType) typeBySeen(ts *ir.Types) {
	for _, name := range t.untyped {
		if slices.ContainsFunc(t.fields, func(f ir.Field) bool { return f.Name == name }) {
			continue
		}
		var seen []specialized
		for _, s := range t.seen {
			if s.name == name {
				seen = append(seen, s)
			}
		}
		varies, fixed := generalized(ts, seen, false), generalized(ts, seen, true)
		isLoose := func(f ir.Field) bool { return f.Name == name }
		if varies != nil && (varies == fixed || t.kind == ir.Class && !slices.Contains(t.untold, name) && !slices.ContainsFunc(t.loosely, isLoose)) {
			t.addField(name, varies)
		}
	}
}

// checkSeen finds out whether the fields have the types that instructions tell for some arguments.
func (t *localType) checkSeen(ts *ir.Types, fields []ir.Field) {
	differs := func(f ir.Field, s specialized) bool { return specializedFor(ts, f.Type, s.args) != s.typ }
	for _, s := range t.seen {
		if slices.ContainsFunc(fields, func(f ir.Field) bool { return f.Name == s.name && differs(f, s) }) {
			t.bad = "the field " + s.name + " is used with several types"
		}
	}
	for _, in := range t.inits {
		for i := range min(len(fields), len(in.raw)) {
			if in.raw[i] != nil && len(in.args) > 0 && differs(fields[i], specialized{"", in.args, in.raw[i]}) {
				t.bad = "it is made with different fields"
			}
		}
	}
}

// superBySeen notes the superclass that those seen are instances of.
func (t *localType) superBySeen(ts *ir.Types) {
	bySuper := map[string][]specialized{}
	for _, s := range t.upcasts {
		name := s.typ.QualifiedName()
		bySuper[name] = append(bySuper[name], s)
	}
	for _, seen := range bySuper {
		if typ := generalized(ts, seen, false); typ != nil && typ == generalized(ts, seen, true) {
			t.supers = append(t.supers, typ)
		}
	}
}

// specializedFor returns the type of a field of the declaration for some arguments.
func specializedFor(ts *ir.Types, typ *ir.Type, args []*ir.Type) *ir.Type {
	return ts.Subst(typ, func(x *ir.Type) *ir.Type {
		for n, arg := range args {
			if x.Kind == ir.KindParam && x.Name == localParam(n) {
				return arg
			}
		}
		return nil
	})
}

// generalized returns the type in terms of the declaration that is each of the types seen for its arguments; nil when there is none, or several. What is the same
// in all of them is fixed if so asked, and else a parameter where that fits too.
func generalized(ts *ir.Types, seen []specialized, fixed bool) *ir.Type {
	if len(seen) == 0 {
		return nil
	}
	first := seen[0].typ
	same, param := !first.HasParams(), -1
	for _, s := range seen {
		if s.typ == nil || len(s.args) != len(seen[0].args) {
			return nil
		}
		same = same && s.typ == first
	}
	if same && fixed {
		return first
	}
	for n := range seen[0].args {
		if slices.ContainsFunc(seen, func(s specialized) bool { return s.typ != s.args[n] }) {
			continue
		}
		if param >= 0 {
			return nil
		}
		param = n
	}
	if param >= 0 {
		return ts.Param(localParam(param))
	}
	// part is what the parts of the types that pick takes are instances of.
	part := func(pick func(*ir.Type) *ir.Type) *ir.Type {
		parts := make([]specialized, len(seen))
		for k, s := range seen {
			if s.typ.Kind != first.Kind || s.typ.Name != first.Name || s.typ.Rep != first.Rep || s.typ.Storage != first.Storage ||
				s.typ.Parent != nil || len(s.typ.Args) != len(first.Args) || !slices.Equal(s.typ.Labels, first.Labels) {
				return nil
			}
			parts[k] = specialized{"", s.args, pick(s.typ)}
		}
		return generalized(ts, parts, fixed)
	}
	whole := ir.Type{Kind: first.Kind, Name: first.Name, Rep: first.Rep, Storage: first.Storage, Labels: first.Labels}
	switch {
	case first.Parent == nil && len(first.Args) > 0 && (first.Kind == ir.KindNominal || first.Kind == ir.KindTuple):
		for n := range first.Args {
			arg := part(func(t *ir.Type) *ir.Type { return t.Args[n] })
			if arg == nil {
				return nil
			}
			whole.Args = append(whole.Args, arg)
		}
	case first.Kind == ir.KindStorage || first.Kind == ir.KindMetatype:
		if whole.Elem = part(func(t *ir.Type) *ir.Type { return t.Elem }); whole.Elem == nil {
			return nil
		}
	case same:
		return first
	default:
		return nil
	}
	return ts.Intern(&whole)
}

// allArgs returns the generic arguments of a type from the outermost on, and how many of them are its own.
func allArgs(t *ir.Type) (args []*ir.Type, own int) {
	if t == nil {
		return nil, 0
	}
	args, _ = allArgs(t.Parent)
	return append(args, t.Args...), len(t.Args)
}

// takes notes how many generic parameters a type and those around it have, and reports whether that is what was known.
func (t *localType) takes(around, own int) bool {
	if t.params+t.around != 0 && (t.around != around || t.params != own) {
		t.bad = "it is used with different numbers of generic arguments"
		return false
	}
	t.around, t.params = around, own
	return true
}

// typeOfOwner returns the type of the value or memory whose field "struct_extract %1 : $S<T>, #…S.x" takes, nil when nothing tells.
func (p *parser) typeOfOwner(b bodyText, text string, at int) *ir.Type {
	_, operand, ok := strings.Cut(text, " %")
	if !ok {
		return nil
	}
	operand = operand[:scanIdent(operand, 0)]
	start := strings.Index(p.lex.src[at:b.to], "%"+operand+" : $")
	if end := endOfLine(p.lex.src, at); start >= 0 && at+start < end {
		if t := p.typeAt(at+start+len(operand)+len("% : "), b.to); t != nil {
			return t.Object()
		}
		return nil
	}
	if t := p.typeOfValue(b, "%"+operand); t != nil {
		return t.Object()
	}
	return nil
}

// localSignature returns the generic parameters of the declaration of a local type, nil when there are none; around counts those of the types around it.
func localSignature(around, params int) *ir.GenericSig {
	if params == 0 {
		return nil
	}
	sig := &ir.GenericSig{}
	for n := range params {
		sig.Params = append(sig.Params, ir.GenericParam{Name: localParam(around + n)})
	}
	return sig
}

// localContexts marks the types whose name stands for two types.
func (l *load) localContexts(found map[string]*localType) {
	where := map[string]string{}
	for _, b := range l.bodies {
		rest := b.fn.Comment
		for {
			_, after, ok := strings.Cut(rest, " in ")
			if !ok {
				break
			}
			rest = after
			name, context, ok := strings.Cut(strings.TrimPrefix(after, "conformance "), " #")
			t := found[name]
			if !ok || t == nil {
				continue
			}
			context, _, _ = strings.Cut(context, " : ")
			context, _, _ = strings.Cut(context, " in conformance ") // of the type that conforms to a protocol
			context, _, _ = strings.Cut(context, " dispatching to ") // of what an entry of a vtable calls
			if strings.HasSuffix(context, ">") {                     // the parameters of the type itself
				context = context[:max(strings.LastIndexByte(context, '<'), 0)]
			}
			if where[name] == "" {
				where[name] = context
			} else if where[name] != context {
				t.bad = "two functions declare a type of that name"
			}
		}
	}
	for name, t := range found {
		if d := l.mod.Nominal(name); d != nil {
			t.bad = "another type has that name"
		}
	}
}

// localMade takes the order of the fields of a struct in memory from the initializer that the compiler makes for them: "init(x:y:) in S #1 in f()",
// whose parameters are called $implicit_value.
func (p *parser) localMade(b bodyText, found map[string]*localType) {
	nested, after, ok := cutInit(b.fn.Comment)
	_, in, ok2 := strings.Cut(after, ") in ")
	name, _, ok3 := strings.Cut(in, " #")
	t := found[strings.TrimSuffix(name+"."+nested, ".")]
	if !ok || !ok2 || !ok3 || t == nil {
		return
	}
	if labels := p.madeLabels(b); labels != nil {
		t.labels = labels
	}
}

// madeLabels returns the labels of an initializer that the compiler made for the fields, nil for other functions: one that somebody wrote may do with its parameters
// what it likes.
func (p *parser) madeLabels(b bodyText) []string {
	head := strings.LastIndex(p.lex.src[:b.from], "{\n") // comments on the arguments come before the first block
	// a tuple is several parameters
	if labels := initLabels(b.fn.Comment); head >= 0 && strings.Count(p.lex.src[head:b.from], ` "$implicit_value"`) >= len(labels) {
		return labels
	}
	return nil
}

// localSplit takes the order of the fields from the places where a constant or a parameter of a local struct was taken apart, which the optimizer does in the
// order of the declaration:
//
//	debug_value %1, let, name "p", type $P, expr op_fragment:#<…>P.x
//	debug_value %2, let, name "p", type $P, expr op_fragment:#<…>P.y
//
// The fields of a variable are set one by one in any order.
func (p *parser) localSplit(b bodyText, found map[string]*localType) {
	var order []string
	var of *localType
	variable := ""
	give := func() {
		if of != nil && len(order) > 1 {
			of.split = append(of.split, strings.Join(order, " "))
		}
		order, of, variable = nil, nil, ""
	}
	for line := range strings.Lines(p.lex.src[b.from:b.to]) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "debug_value ") {
			if line != "" && !strings.HasPrefix(line, "//") {
				give()
			}
			continue
		}
		_, rest, let := strings.Cut(line, ", let, name ")
		name, rest, _ := strings.Cut(rest, ",")
		_, rest, ok := strings.Cut(rest, "op_fragment:")
		t, field := localMember(found, rest)
		if !let || !ok || t == nil || field == "" {
			give()
			continue
		}
		if t != of || name != variable || slices.Contains(order[:max(len(order)-1, 0)], field) {
			give()
		}
		of, variable = t, name
		if len(order) == 0 || order[len(order)-1] != field {
			order = append(order, field)
		}
	}
	give()
}

// inSplit returns the fields in the order of the places where all of them are told apart; nil when there is none, or these disagree.
func (t *localType) inSplit(fields int) (order []string) {
	for _, told := range t.split {
		names := strings.Split(told, " ")
		if len(names) != fields {
			continue
		}
		if order != nil && !slices.Equal(order, names) {
			return nil
		}
		order = names
	}
	return order
}

// localGetter notes the getter of a field, which reads the field of its name, "x.getter in S #1 in f()". Code that is not optimized has one for each
// stored property of a struct, in the order of the declaration.
func (p *parser) localGetter(b bodyText, found map[string]*localType) {
	property, in, ok := strings.Cut(b.fn.Comment, ".getter in ")
	name, _, ok2 := strings.Cut(in, " #")
	nested := ""
	if n := strings.LastIndexByte(property, '.'); n >= 0 {
		nested, property = property[:n], property[n+1:]
	}
	t := found[strings.TrimSuffix(name+"."+nested, ".")]
	if !ok || !ok2 || t == nil || slices.Contains(t.getters, property) {
		return
	}
	if read, field := localMember(found, p.lex.src[b.from:b.to]); read == t && field == property {
		t.getters = append(t.getters, property)
	}
}

// derivedEquals is what the compiler calls the == that it makes for a struct.
const derivedEquals = "__derived_struct_equals(_:_:)"

// localEquated takes the order of the fields from "static __derived_struct_equals(_:_:) in S #1 in f()", which compares all of them as they are declared.
func (p *parser) localEquated(b bodyText, found map[string]*localType) {
	nested, in, ok := strings.Cut(strings.TrimPrefix(b.fn.Comment, "specialized "), derivedEquals+" in ")
	nested, ok2 := strings.CutPrefix(nested, "static ")
	name, _, ok3 := strings.Cut(in, " #")
	t := found[strings.TrimSuffix(name+"."+nested, ".")]
	if !ok || !ok2 || !ok3 || t == nil {
		return
	}
	var order []string
	for text := p.lex.src[b.from:b.to]; ; {
		_, after, ok := cutLocal(text)
		if !ok {
			break
		}
		text = after
		if of, field := memberAt(found, after); of == t && field != "" && !slices.Contains(order, field) {
			order = append(order, field)
		}
	}
	switch {
	case len(order) == 0: // it calls another
	case t.equated != nil && !slices.Equal(t.equated, order):
		t.bad = "its fields are compared in several orders"
	default:
		t.equated = order
	}
}

// memberPath returns the names of "N.K.a!enumelt": the types around the member, from the outermost on, and the member.
func memberPath(text string) (names []string) {
	for {
		end := scanSymbol(text, 0)
		if end < len(text) && text[end] == '`' {
			if n := strings.IndexByte(text[end+1:], '`'); n >= 0 {
				end += n + 2
			}
		}
		names = append(names, text[:end])
		if end == 0 || end == len(text) || text[end] != '.' {
			return names
		}
		text = text[end+1:]
	}
}

// typePath returns the path of "N<T>.K (", without generic arguments.
func typePath(text string) string {
	var path strings.Builder
	for {
		end := scanIdent(text, 0)
		path.WriteString(text[:end])
		text = text[end:]
		depth := 0
		for n := 0; n < len(text) && (n > 0 || text[0] == '<'); n++ {
			if text[n] == '<' {
				depth++
			} else if text[n] == '>' && text[n-1] != '-' {
				depth--
			}
			if depth == 0 {
				text = text[n+1:]
				break
			}
		}
		if !strings.HasPrefix(text, ".") || end == 0 {
			return path.String()
		}
		path.WriteByte('.')
		text = text[1:]
	}
}

// initLabels returns the labels of the parameters of an initializer from its name, "init(x:y:) in P #1 in f()"; nil when not all have one, as in what
// the compiler makes for the fields.
func initLabels(comment string) []string {
	_, after, ok := cutInit(comment)
	list, _, ok2 := strings.Cut(after, ")")
	if !ok || !ok2 || !strings.HasSuffix(list, ":") {
		return nil
	}
	labels := strings.Split(strings.TrimSuffix(list, ":"), ":")
	if slices.Contains(labels, "_") {
		return nil
	}
	return labels
}

// cutInit cuts the comment of an initializer, "Log.init(n:) in Light #1 in f()" or "init(n:) in Light #1 in f()": the path of the types around it after
// the first that is inside a function, each with a dot after it, and what follows the bracket.
func cutInit(comment string) (nested, after string, ok bool) {
	nested, after, ok = strings.Cut(comment, "init(")
	if !ok || nested != "" && (!strings.HasSuffix(nested, ".") || scanDecl(nested, 0) != len(nested)) {
		return "", "", false
	}
	return nested, after, true
}

// localMember returns type and member of the reference in a line, nil when it is not one to a local type.
func localMember(found map[string]*localType, line string) (t *localType, member string) {
	_, after, ok := cutLocal(line)
	if !ok {
		return nil, ""
	}
	return memberAt(found, after)
}

// memberAt returns type and member of the reference that a text begins with, after its function.
func memberAt(found map[string]*localType, after string) (t *localType, member string) {
	names := memberPath(after)
	last := len(names) - 1
	if t = found[strings.Join(names[:max(last, 1)], ".")]; t == nil || last == 0 {
		return t, ""
	}
	return t, names[last]
}
