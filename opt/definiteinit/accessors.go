package definiteinit

import (
	"regexp"
	"strings"

	"silvm/ir"
)

// initAccessor is a property that an initializer may write before self is initialized: its init accessor gets the stored properties that it
// initializes, and those that it reads (SE-0400).
type initAccessor struct {
	property    string
	initializes []string
	accesses    []string
	hasSetter   bool
}

var (
	restrictions = regexp.MustCompile(`@storageRestrictions\(([^)]*)\)`)
	propertyName = regexp.MustCompile(`\bvar\s+` + "`?" + `(\w+)` + "`?" + `\s*:[^{}]*\{\s*$`)
	// of an accessor and not of an initializer, after whose parentheses there is a type or a body
	initOf = regexp.MustCompile(`(?m)^[ \t]*(?:@storageRestrictions\([^)]*\)\s*)?init(?:\(\w*\))?[ \t]*$`)
)

// initAccessorsOf reads the init accessors of a type in its declaration, as SIL has it:
//
//	var x: Int {
//	  @storageRestrictions(initializes: _x, accesses: y) init
//	  get
//	  set
//	}
func initAccessorsOf(d *ir.Nominal) []initAccessor {
	var list []initAccessor
	for _, at := range initOf.FindAllStringIndex(d.Text, -1) {
		head := d.Text[:at[0]]
		name := propertyName.FindStringSubmatch(head)
		if name == nil {
			continue // an initializer: init()
		}
		a := initAccessor{property: name[1]}
		said := d.Text[at[0]:at[1]]
		rest, _, _ := strings.Cut(d.Text[at[1]:], "}")
		for _, word := range strings.Fields(rest) {
			a.hasSetter = a.hasSetter || word == "set"
		}
		if m := restrictions.FindStringSubmatch(said); m != nil {
			to := &a.initializes
			for _, word := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' }) {
				switch word {
				case "initializes:":
					to = &a.initializes
				case "accesses:":
					to = &a.accesses
				default:
					*to = append(*to, strings.Trim(word, "`"))
				}
			}
		}
		list = append(list, a)
	}
	return list
}

// accessor returns what is known of the init accessor that an assign_or_init is about, nil when the type declares none such.
func (o *object) accessor(i *ir.Inst) *initAccessor {
	m, _ := i.Aux.(*ir.MemberAux)
	if m == nil {
		return nil
	}
	for n := range o.accessors {
		if o.accessors[n].property == m.Property() {
			return &o.accessors[n]
		}
	}
	return nil
}

// wrappedName returns the name of the property that a stored property is the storage of: x for _x of a property wrapper.
func wrappedName(d *ir.Nominal, stored string) string {
	name, ok := strings.CutPrefix(stored, "_")
	if !ok || name == "" {
		return stored
	}
	declared := regexp.MustCompile(`(?m)^\s*@[A-Z]\w*[^\n]*\bvar\s+` + regexp.QuoteMeta(name) + `\s*:[^\n]*\{`)
	if declared.MatchString(d.Text) {
		return name
	}
	return stored
}
