package op

import (
	"iter"
	"slices"
	"strings"
	"unique"
)

// Qual names a qualifier that an instruction may carry in brackets, such as [take]. The constants are generated from the
// rows; the zero value is QualInvalid and names none.
type Qual uint8

// qualNames holds the qualifiers of all rows as the rows write them, in alphabetical order: entry n is Qual n+1.
var qualNames = collectQuals(table)

func collectQuals(rows []*Row) []string {
	var names []string
	for _, r := range rows {
		names = append(names, r.qualNames...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	number := make(map[string]Qual, len(names))
	for n, name := range names {
		number[name] = Qual(n + 1)
	}
	for _, r := range rows {
		for _, name := range r.qualNames {
			r.Quals = append(r.Quals, number[name])
		}
		for n := range r.Parts {
			for _, name := range r.Parts[n].Names {
				r.Parts[n].Quals = append(r.Parts[n].Quals, number[name])
				r.placed = r.placed.With(number[name])
			}
		}
	}
	return names
}

// QualNames lists the qualifiers as the rows write them, in the order of their constants. The caller must not change it.
func QualNames() []string { return qualNames }

// String returns the qualifier as the rows write it: "take", or "align=" for one that has a value after the name.
func (q Qual) String() string {
	if q == QualInvalid || int(q) > len(qualNames) {
		return "?"
	}
	return qualNames[q-1]
}

// HasValue reports whether text follows the name, as in [align=8] and [parameters 0 1].
func (q Qual) HasValue() bool {
	return strings.HasSuffix(q.String(), "=") || strings.HasSuffix(q.String(), " ")
}

// FindQual finds the qualifier of a list that a text, without its brackets, writes; value is what follows the name
// of one that has a value. ok is false when none fits.
func FindQual(list []Qual, text string) (q Qual, value string, ok bool) {
	for _, q := range list {
		if name := q.String(); name == text {
			return q, "", !q.HasValue()
		} else if value, found := strings.CutPrefix(text, name); found && q.HasValue() {
			return q, value, true
		}
	}
	return QualInvalid, "", false
}

// Placed returns the qualifiers that the form of the row places itself; the others are right after the name.
func (r *Row) Placed() Quals { return r.placed }

// Quals is a set of qualifiers with the values of those that have some. Sets are values: two are equal by == when they
// print alike.
type Quals struct {
	bits   [2]uint64
	values unique.Handle[string] // "align=8", one line for each qualifier with a value; zero when there is none
}

// QualsOf returns the set of the qualifiers.
func QualsOf(qs ...Qual) Quals { return Quals{}.With(qs...) }

// Has reports whether the set has the qualifier.
func (s Quals) Has(q Qual) bool { return s.bits[q>>6&1]>>(q&63)&1 != 0 }

// IsEmpty reports whether there is no qualifier in the set.
func (s Quals) IsEmpty() bool { return s.bits == [2]uint64{} }

// With returns the set and the qualifiers, which must be without values.
func (s Quals) With(qs ...Qual) Quals {
	for _, q := range qs {
		s.bits[q>>6&1] |= 1 << (q & 63)
	}
	return s
}

// Without returns the set without the qualifiers and their values.
func (s Quals) Without(qs ...Qual) Quals {
	for _, q := range qs {
		if !s.Has(q) {
			continue
		}
		s.bits[q>>6&1] &^= 1 << (q & 63)
		if q.HasValue() {
			s.values = withValues(slices.DeleteFunc(s.lines(), func(line string) bool { return strings.HasPrefix(line, q.String()) }))
		}
	}
	return s
}

// Only returns what the set has of the qualifiers, their values included.
func (s Quals) Only(qs ...Qual) Quals {
	for q := range s.All() {
		if !slices.Contains(qs, q) {
			s = s.Without(q)
		}
	}
	return s
}

// WithValue returns the set and a qualifier with a value; one that the set has already stays beside it.
func (s Quals) WithValue(q Qual, value string) Quals {
	s = s.With(q)
	s.values = withValues(append(s.lines(), q.String()+value))
	return s
}

// Values returns the values of a qualifier in the order in which they came.
func (s Quals) Values(q Qual) []string {
	var values []string
	for _, line := range s.lines() {
		if value, ok := strings.CutPrefix(line, q.String()); ok {
			values = append(values, value)
		}
	}
	return values
}

// All iterates over the qualifiers of the set in the order of their constants.
func (s Quals) All() iter.Seq[Qual] {
	return func(yield func(Qual) bool) {
		for q := Qual(1); int(q) <= len(qualNames); q++ {
			if s.Has(q) && !yield(q) {
				return
			}
		}
	}
}

// First returns the first qualifier of a list that the set has, QualInvalid when it has none.
func (s Quals) First(list ...Qual) Qual {
	for _, q := range list {
		if s.Has(q) {
			return q
		}
	}
	return QualInvalid
}

// String returns the set as text: "[copy]", "[strict] [align=8]". The order is that of the constants, not of a row.
func (s Quals) String() string {
	var b strings.Builder
	for q := range s.All() {
		s.append(&b, q)
	}
	return strings.TrimPrefix(b.String(), " ")
}

func (s Quals) append(b *strings.Builder, q Qual) {
	if !q.HasValue() {
		b.WriteString(" [" + q.String() + "]")
	}
	for _, value := range s.Values(q) {
		b.WriteString(" [" + q.String() + value + "]")
	}
}

// lines returns the qualifiers with their values, as written.
func (s Quals) lines() []string {
	if s.values == (unique.Handle[string]{}) {
		return nil
	}
	return strings.Split(s.values.Value(), "\n")
}

func withValues(lines []string) unique.Handle[string] {
	if len(lines) == 0 {
		return unique.Handle[string]{}
	}
	return unique.Make(strings.Join(lines, "\n"))
}
