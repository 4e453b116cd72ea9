package op

import (
	"fmt"
	"strings"
)

// validate checks that every row of both tables is filled in and contradicts neither itself nor the forms'
// language. It returns one error for each finding, nil when there is none.
func validate() []error {
	v := &validator{errs: append([]error(nil), tableErrors...)}
	names := map[string]bool{}
	for _, r := range table {
		v.row = r.Name
		v.check(r.Name != "" && !names[r.Name], "the name is missing or used twice")
		names[r.Name] = true
		v.columns(r)
		v.syntax(r)
		v.meaning(r)
	}
	names = map[string]bool{}
	for _, r := range builtins {
		v.row = "builtin " + r.Name
		v.check(r.Name != "" && !names[r.Name], "the name is missing or used twice")
		names[r.Name] = true
		v.builtin(r)
	}
	return v.errs
}

type validator struct {
	row  string
	errs []error
}

func (v *validator) check(ok bool, format string, args ...any) {
	if !ok {
		v.errs = append(v.errs, fmt.Errorf("%s: %s", v.row, fmt.Sprintf(format, args...)))
	}
}

// set reports a column that nobody filled in, or that holds no value of its enum.
func set[T ~uint8](v *validator, column string, value, limit T) {
	v.check(value > 0 && value < limit, "column %s is unset", column)
}

func (v *validator) columns(r *Row) {
	set(v, "Family", r.Family, numFamilies)
	set(v, "Results.Count", r.Results.Count, numResultCounts)
	set(v, "Results.Type", r.Results.Type, numResultTypes)
	set(v, "Results.Own", r.Results.Own, numResultOwnerships)
	set(v, "Succs", r.Succs, numSuccKinds)
	set(v, "Mem", r.Mem, numMems)
	set(v, "Release", r.Release, numAnswers)
	set(v, "Barrier", r.Barrier, numAnswers)
	set(v, "Refine", r.Refine, numRefines)
	set(v, "Stage", r.Stage, numStages)
	set(v, "Since", r.Since, numVersions)
	v.check(r.Until < numVersions && (r.Until == 0 || r.Until >= r.Since), "column Until contradicts Since")
	set(v, "Run", r.Run, numRuns)
	set(v, "RunFull", r.RunFull, numRuns)
	v.check(r.Section != "", "column Section is unset")
	v.sentence(r.Doc)
	for _, o := range r.Operands {
		v.check(strings.TrimRight(o.Role, ".?") != "", "an operand has no role")
		set(v, o.Role+".Class", o.Class, numTypeClasses)
		set(v, o.Role+".Own", o.Own, numOwnerships)
		set(v, o.Role+".Mem", o.Mem, numMems)
	}
}

func (v *validator) sentence(doc string) {
	v.check(doc != "" && strings.HasSuffix(doc, ".") && doc[0] >= 'A' && doc[0] <= 'Z', "Doc is no sentence: %q", doc)
}

// syntax compares the form with the columns that say the same in another way.
func (v *validator) syntax(r *Row) {
	v.check(r.Form == "" || r.Named == 0, "has a form and a named form")
	v.check(r.Named < numNamedForms, "the named form does not exist")
	seen := map[string]bool{}
	for _, q := range r.qualNames {
		v.check(q != "" && !seen[q], "qualifier %q is empty or there twice", q)
		seen[q] = true
	}
	v.check(len(r.Quals) == len(r.qualNames), "qualifiers %q are not all named", r.qualNames)
	if r.Named != 0 {
		return
	}
	var roles []string
	succs := 0
	var walk func(parts []Part, optional bool)
	walk = func(parts []Part, optional bool) {
		for _, p := range parts {
			switch p.Kind {
			case PartOperand, PartBareOperand:
				if optional {
					p.Text += "?"
				}
				roles = append(roles, p.Text)
			case PartOperands:
				roles = append(roles, p.Text+"...")
			case PartSucc:
				succs++
			case PartOptional:
				walk(p.Parts, true)
			}
		}
	}
	walk(r.Parts, false)
	if succs > 0 && r.Succs != SuccResumeError && (r.Succs == SuccOne || r.Succs == SuccTrueFalse) {
		roles = append(roles, "args...") // of the successors
	}
	var want []string
	for _, o := range r.Operands {
		want = append(want, o.Role)
	}
	if len(roles) > len(want) && roles[len(roles)-1] == "args..." {
		roles = roles[:len(roles)-1] // the successors take no arguments
	}
	v.check(strings.Join(roles, " ") == strings.Join(want, " "), "the form names the operands %v, the columns %v", roles, want)
	v.check((succs > 0) == r.Succs.hasBlocks(), "the form names %d successors, the column says otherwise", succs)
}

func (s SuccKind) hasBlocks() bool { return s > SuccExit }

// meaning reports columns that can not both be true.
func (v *validator) meaning(r *Row) {
	none := r.Results.Count == NoResults
	v.check(none == (r.Results.Type == TypeAbsent), "result count and result type disagree")
	v.check(none == (r.Results.Own == ResultAbsent), "result count and result ownership disagree")
	v.check(!r.IsTerminator() || none, "a terminator has results")
	v.check(r.Results.Count != TwoResults || r.Results.Type == TypeInt1AndOperand, "the type rule does not give two results")
	v.check(r.Family != FamilyTerminator || r.IsTerminator(), "the family is terminator, the column says otherwise")

	v.check(!r.Stage.IsOSSAOnly() || r.Run != RunOwn || r.RunFull == RunOwn, "an ownership instruction loses its lowering under full checking")
	v.check(r.Run == r.RunFull || r.RunFull == RunOwn, "full checking does less than default checking")
	v.check(r.Run != RunAlias || r.Results.Count != NoResults && len(r.Operands) > 0, "an alias needs an operand and a result")
	v.check(r.Run != RunErased || !r.IsTerminator(), "a terminator can not be erased")

	for _, o := range r.Operands {
		v.check(r.Stage != StageNonOSSA || !o.Own.isScoped(), "operand %s has a borrow scope outside ownership form", o.Role)
		if o.Class == ClassAddress || o.Class == ClassInteger || o.Class == ClassPointer || o.Class == ClassPack {
			v.check(o.Own == OwnershipTrivialUse || o.Own == OwnershipNonUse || o.Own == OwnershipBitwiseEscape,
				"operand %s is trivial, its ownership is %s", o.Role, o.Own)
		}
		v.check(o.Mem == MemNone || o.Class == ClassAddress && r.Mem != MemNone, "operand %s accesses memory, the instruction or its type does not", o.Role)
		v.check(o.Own != OwnershipForwarded || r.Results.Own == ResultForwarded || r.Succs.hasBlocks(),
			"operand %s is forwarded, the result is not", o.Role)
	}
	v.check(r.Refine != RefineNone || r.Barrier != Maybe, "nothing narrows the deinit barrier Maybe")
	v.check(r.Barrier != Maybe || r.Mem != MemNone, "a deinit barrier touches no memory")
	destroys := strings.HasPrefix(r.Name, "destroy_") || strings.HasPrefix(r.Name, "release_value") || r.Name == "strong_release"
	v.check(!destroys || r.Release == Yes && r.Mem == MemSideEffects, "a destroy releases nothing")
}

// isScoped reports whether the operand begins, is part of or ends a borrow scope.
func (o Ownership) isScoped() bool {
	return o == OwnershipBorrow || o == OwnershipEndBorrow || o == OwnershipReborrow || o == OwnershipInteriorPointer
}

func (v *validator) builtin(r *BuiltinRow) {
	set(v, "Own", r.Own, numOwnerships)
	set(v, "ResultOwn", r.ResultOwn, numResultOwnerships)
	set(v, "Mem", r.Mem, numMems)
	set(v, "Release", r.Release, numAnswers)
	set(v, "Barrier", r.Barrier, numAnswers)
	v.sentence(r.Doc)
	v.check(r.Result != "", "the signature %q gives no result", r.Signature)
	v.check(r.Release == No || r.Mem == MemSideEffects, "releases without side effects")
	v.check((r.Barrier == No) == (r.Mem == MemNone), "memory and deinit barrier disagree")
}
