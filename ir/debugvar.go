package ir

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"silvm/ir/op"
)

// DebugVar is the variable of the Swift source that a debug_value, or the allocation of a variable, speaks of (docs/SIL.rst,
// debug_value). Instructions share it: whoever wants another one makes a copy, as the With methods do.
type DebugVar struct {
	Name     string // as between the quotes, where nothing is escaped; "" when the text has none
	Binding  Binding
	Implicit bool
	Argno    int   // number of the parameter, from 1; 0 for a variable that is none
	Loc      *Loc  // where it was declared, nil where the instruction stands
	Scope    int   // number of the scope of that place, 0 when none
	Type     *Type // of the variable when the text says it; nil for that of the value or of what is at the address
	Typed    bool  // a pass said the type: it prints, even where it is that of the value
	// Expr leads from the value of the instruction to that of the variable, or from the variable to the fragment of it that the value is.
	Expr []DebugOp
}

// Binding says how the source declares a variable.
type Binding uint8

// The bindings.
const (
	BindingNone Binding = iota // the text does not say it
	BindingLet
	BindingVar
)

// DebugOp is one operation of the expression of a variable.
type DebugOp struct {
	Kind   DebugOpKind
	Member *MemberAux // the field, of DebugFragment
	Type   *Type      // the tuple type, of DebugTupleFragment
	Value  *big.Int   // the number of the element, or the constant
}

// DebugOpKind says what an operation of an expression does.
type DebugOpKind uint8

// The operations, with their names in the text.
const (
	DebugDeref         DebugOpKind = iota + 1 // op_deref: the variable is at the address
	DebugFragment                             // op_fragment:#T.x: the value is that field of the variable
	DebugTupleFragment                        // op_tuple_fragment:$(A, B):1: the value is that element of the variable
	DebugConstUnsigned                        // op_constu:1: the variable is this number
	DebugConstSigned                          // op_consts:-1: the same, with a sign
	DebugPlus                                 // op_plus
	DebugMinus                                // op_minus
)

var debugOpNames = [...]string{DebugDeref: "op_deref", DebugFragment: "op_fragment", DebugTupleFragment: "op_tuple_fragment",
	DebugConstUnsigned: "op_constu", DebugConstSigned: "op_consts", DebugPlus: "op_plus", DebugMinus: "op_minus"}

// String returns the name of the operation in the text.
func (k DebugOpKind) String() string { return debugOpNames[k] }

// DebugOpByName finds an operation by its name in the text.
func DebugOpByName(name string) (DebugOpKind, bool) {
	n := slices.Index(debugOpNames[:], name)
	return DebugOpKind(max(n, 0)), n > 0
}

// String returns the operation as the text writes it.
func (o *DebugOp) String() string {
	switch o.Kind {
	case DebugFragment:
		return o.Kind.String() + ":#" + o.Member.String()
	case DebugTupleFragment:
		return o.Kind.String() + ":$" + o.Type.String() + ":" + o.Value.String()
	case DebugConstUnsigned, DebugConstSigned:
		return o.Kind.String() + ":" + o.Value.String()
	}
	return o.Kind.String()
}

// Label returns the name of the field, or the label of the element or its number when it has none, that a fragment stands for.
func (o *DebugOp) Label() string {
	if o.Kind == DebugFragment {
		return o.Member.Name
	}
	if n := o.Value; n.IsInt64() && int(n.Int64()) < len(o.Type.Labels) && o.Type.Labels[n.Int64()] != "" {
		return o.Type.Labels[n.Int64()]
	}
	return o.Value.String()
}

// IsFragment reports whether the operation says that the value is a part of the variable.
func (o *DebugOp) IsFragment() bool { return o.Kind == DebugFragment || o.Kind == DebugTupleFragment }

// FieldOp returns the operation that says that a value is a field of a variable.
func FieldOp(field *MemberAux) DebugOp { return DebugOp{Kind: DebugFragment, Member: field} }

// ElementOp returns the operation that says that a value is element n of a variable of a tuple type.
func ElementOp(tuple *Type, n *big.Int) DebugOp {
	return DebugOp{Kind: DebugTupleFragment, Type: tuple, Value: n}
}

// isDeref reports whether the variable is at the address that the instruction names.
func (v *DebugVar) isDeref() bool { return len(v.Expr) > 0 && v.Expr[0].Kind == DebugDeref }

// Constant returns the operation that says that the variable is a number, nil when none does.
func (v *DebugVar) Constant() *DebugOp {
	if len(v.Expr) > 0 && (v.Expr[0].Kind == DebugConstUnsigned || v.Expr[0].Kind == DebugConstSigned) {
		return &v.Expr[0]
	}
	return nil
}

// WithExpr returns the variable with operations after its expression.
func (v *DebugVar) WithExpr(ops ...DebugOp) *DebugVar {
	n := *v
	n.Expr = append(slices.Clone(v.Expr), ops...)
	return &n
}

// WithFragment returns the variable for an instruction whose value is a part of what v's value is: of type whole, at the end of the path.
func (v *DebugVar) WithFragment(whole *Type, path ...DebugOp) *DebugVar {
	n := v.WithExpr(path...)
	if n.Type == nil {
		n.Type = whole
	}
	return n
}

// WithDeref returns the variable for an instruction that names the address of what it is in.
func (v *DebugVar) WithDeref() *DebugVar {
	n := *v
	n.Expr = append([]DebugOp{{Kind: DebugDeref}}, v.Expr...)
	return &n
}

// WithoutDeref returns the variable for an instruction that names what is at the address that v's instruction names.
func (v *DebugVar) WithoutDeref() *DebugVar {
	if !v.isDeref() {
		return v
	}
	n := *v
	n.Expr = v.Expr[1:]
	return &n
}

// WithType returns the variable with that type, nil for the type of the value.
func (v *DebugVar) WithType(t *Type) *DebugVar {
	n := *v
	n.Type, n.Typed = t, t != nil
	return &n
}

// String returns the variable as the text writes it after an instruction, the comma in front included.
func (v *DebugVar) String() string {
	loc, scope := "", ""
	if v.Loc != nil {
		loc = v.Loc.Text
	}
	if v.Scope != 0 {
		scope = strconv.Itoa(v.Scope)
	}
	return v.text(v.Type, loc, scope)
}

// text writes the variable with a type, a place and a scope, each of which may be absent.
func (v *DebugVar) text(t *Type, loc, scope string) string {
	var b strings.Builder
	b.WriteString([...]string{BindingNone: "", BindingLet: ", let", BindingVar: ", var"}[v.Binding])
	switch {
	case loc != "" || scope != "":
		b.WriteString(`, (name "` + v.Name + `"`)
		if loc != "" {
			b.WriteString(", " + loc)
		}
		if scope != "" {
			b.WriteString(", scope " + scope)
		}
		b.WriteString(")")
	case v.Name != "":
		b.WriteString(`, name "` + v.Name + `"`)
	}
	if v.Argno != 0 {
		b.WriteString(", argno " + strconv.Itoa(v.Argno))
	}
	if v.Implicit {
		b.WriteString(", implicit")
	}
	if t != nil {
		b.WriteString(", type $" + t.String())
	}
	for n := range v.Expr {
		b.WriteString([...]string{", expr ", ":"}[min(n, 1)] + v.Expr[n].String())
	}
	return b.String()
}

// Var returns the variable that the instruction speaks of, nil when it speaks of none.
func (i *Inst) Var() *DebugVar {
	v, _ := i.Aux.(*DebugVar)
	return v
}

// Variable returns the name of the Swift variable that the instruction says its value is, "" when it says none.
func (i *Inst) Variable() string {
	if v := i.Var(); v != nil {
		return v.Name
	}
	return ""
}

// Variable returns the Swift variable that the value is in the function that holds it, "" when the text does not say. What a function that
// was inlined there calls it does not count.
func (v *Value) Variable() string {
	if i := v.Inst(); i != nil && !i.IsInlined() {
		if name := i.Variable(); name != "" {
			return name
		}
	}
	for o := range v.Uses() {
		if u := o.User(); u.Op == op.DebugValue && !u.IsInlined() && u.Variable() != "" {
			return u.Variable()
		}
	}
	return ""
}

// PropertyName is the name that the source gives a stored property: a lazy one is stored under a name that the compiler makes.
func PropertyName(stored string) string { return strings.TrimPrefix(stored, "$__lazy_storage_$_") }
