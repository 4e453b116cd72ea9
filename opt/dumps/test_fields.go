package dumps

import (
	"errors"
	"fmt"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

// maxLeaves bounds the number of parts of a value whose lifetimes are looked at.
const maxLeaves = 1000

// fieldLiveness is where the parts of a value live, each for itself (the compiler's FieldSensitivePrunedLiveness).
type fieldLiveness struct {
	parts  []*ownership.Liveness
	known  []int       // how many of the blocks of a part were looked at
	blocks []*ir.Block // in which any part lives, in the order in which that was found
	isLive map[*ir.Block]bool
	users  []*ir.Inst
	isUser map[*ir.Inst]bool
	kinds  map[fieldUse]string
}

// fieldUse is an instruction that uses a part.
type fieldUse struct {
	user *ir.Inst
	part int
}

// span is a range of parts.
type span struct{ first, end int }

// subElements counts the parts of a value that are no structs or tuples themselves. An enum has one for the case beside those of its payloads.
func subElements(ts *facts.Types, t *ir.Type, depth int) int {
	if depth > 100 {
		return maxLeaves + 1
	}
	parts, isProduct := ts.FieldTypes(t)
	n := 0
	if !isProduct {
		parts, n = ts.Payloads(t), 1
	}
	for _, p := range parts {
		if n > maxLeaves {
			break
		}
		n += subElements(ts, p, depth+1)
	}
	return n
}

// each calls do for the parts of the span and notes the blocks that become live.
func (l *fieldLiveness) each(s span, do func(n int, part *ownership.Liveness)) {
	for n := s.first; n < s.end; n++ {
		do(n, l.parts[n])
		blocks := l.parts[n].Blocks()
		for _, b := range blocks[l.known[n]:] {
			if !l.isLive[b] {
				l.isLive[b] = true
				l.blocks = append(l.blocks, b)
			}
		}
		l.known[n] = len(blocks)
	}
}

func (l *fieldLiveness) define(v *ir.Value, s span) {
	l.each(s, func(_ int, part *ownership.Liveness) { part.Define(v) })
}

func (l *fieldLiveness) use(i *ir.Inst, kind string, s span) {
	if !l.isUser[i] {
		l.isUser[i] = true
		l.users = append(l.users, i)
	}
	l.each(s, func(n int, part *ownership.Liveness) {
		at := fieldUse{i, n}
		l.kinds[at] = bothUses(l.kinds[at], kind)
		part.Use(i, l.kinds[at] == "lifetime-ending ")
	})
}

// print writes the liveness with its boundary. shown is how many parts the boundary tells apart.
func (l *fieldLiveness) print(t *testRun, shown int) {
	lines := ir.NewLines(t.f)
	for _, b := range l.blocks {
		fmt.Fprintf(t.c.Out, "bb%d: ", b.Index)
		for _, part := range l.parts {
			word := "Dead"
			switch {
			case part.LivesAtEnd(b):
				word = "LiveOut"
			case part.LivesIn(b):
				word = "LiveWithin"
			}
			fmt.Fprintf(t.c.Out, "%s, ", word)
		}
		fmt.Fprintln(t.c.Out)
	}
	for _, i := range l.users {
		for n := range l.parts {
			if kind := l.kinds[fieldUse{i, n}]; kind != "" {
				fmt.Fprintf(t.c.Out, "%suser: %s\tat %d\n", kind, lines.Inst(i), n)
			}
		}
	}
	var users, edges, defs partSets
	for _, b := range l.blocks {
		for n, part := range l.parts {
			r := part.BoundaryIn(b)
			for _, i := range r.LastUsers {
				users.add("last user: "+lines.Inst(i), n)
			}
			if part.LivesAtEnd(b) {
				for _, e := range b.Last().Succs {
					if !part.LivesAtBegin(e.To) { // it may be defined there
						edges.add(fmt.Sprintf("boundary edge: bb%d\n", e.To.Index), n)
					}
				}
			}
			for _, v := range r.DeadDefs {
				defs.add("dead def: "+lines.Value(v), n)
			}
			for _, i := range r.DeadInsts {
				defs.add("dead def: "+lines.Inst(i), n)
			}
		}
	}
	for _, list := range []partSets{users, edges, defs} {
		for _, text := range list.texts {
			fmt.Fprintf(t.c.Out, "%s\tat %s\n", text, bits(list.parts[text], shown))
		}
	}
}

// partSets collects for lines of text the parts that they are about.
type partSets struct {
	texts []string
	parts map[string]map[int]bool
}

func (s *partSets) add(text string, part int) {
	if s.parts == nil {
		s.parts = map[string]map[int]bool{}
	}
	if s.parts[text] == nil {
		s.texts = append(s.texts, text)
		s.parts[text] = map[int]bool{}
	}
	s.parts[text][part] = true
}

// bits writes a set of numbers below n, as "1010[0,2]".
func bits(set map[int]bool, n int) string {
	text := ""
	var list []string
	for k := range n {
		digit := "0"
		if set[k] {
			digit = "1"
			list = append(list, fmt.Sprint(k))
		}
		text += digit
	}
	return text + "[" + strings.Join(list, ",") + "]"
}

// testFieldsUse takes a value, its parts that are defined, the word "uses:" and users: an instruction, "ending", "non-ending" or "non-use",
// and parts. The boundary tells only whether the first part is meant, as the compiler's does.
func testFieldsUse(t *testRun, v *ir.Value) error {
	l, err := t.fieldLiveness(v)
	if err != nil {
		return err
	}
	s, err := t.takeSpan(l)
	if err != nil {
		return err
	}
	l.define(v, s)
	if err := t.takeUsesWord(); err != nil {
		return err
	}
	for len(t.args) > 0 {
		i, err := take[*ir.Inst](t)
		if err != nil {
			return err
		}
		kind, err := t.takeUseKind()
		if err != nil {
			return err
		}
		if s, err = t.takeSpan(l); err != nil {
			return err
		}
		l.use(i, kind, s)
	}
	l.print(t, 1)
	return nil
}

// testFieldsMultiDefUse takes a value, the word "defs:", definitions each with parts, the word "uses:", and users: an instruction, whether
// it ends the lifetime, and parts.
func testFieldsMultiDefUse(t *testRun, v *ir.Value) error {
	l, err := t.fieldLiveness(v)
	if err != nil {
		return err
	}
	if word, err := take[string](t); err != nil || word != "defs:" {
		return errors.New("the word defs: is missing")
	}
	fmt.Fprintln(t.c.Out, "FieldSensitive MultiDef lifetime analysis:")
	for len(t.args) > 0 && t.args[0] != testArg("uses:") {
		if err := t.takeFieldDef(l); err != nil {
			return err
		}
	}
	if err := t.takeUsesWord(); err != nil {
		return err
	}
	for len(t.args) > 0 {
		i, err := take[*ir.Inst](t)
		if err != nil {
			return err
		}
		ends, err := take[bool](t)
		if err != nil {
			return err
		}
		s, err := t.takeSpan(l)
		if err != nil {
			return err
		}
		kind := "regular "
		if ends {
			kind = "lifetime-ending "
		}
		l.use(i, kind, s)
	}
	l.print(t, len(l.parts))
	return nil
}

func (t *testRun) fieldLiveness(v *ir.Value) (*fieldLiveness, error) {
	n := max(subElements(t.c.Types(t.f), v.Type.Object(), 0), 1) // what has no parts is one
	if n > maxLeaves {
		return nil, errors.New("the value has too many parts")
	}
	l := &fieldLiveness{known: make([]int, n), isLive: map[*ir.Block]bool{}, isUser: map[*ir.Inst]bool{}, kinds: map[fieldUse]string{}}
	preds := rewrite.NewEditor(t.c, t.f).Preds
	for range n {
		l.parts = append(l.parts, ownership.NewLiveness(preds))
	}
	return l, nil
}

// takeSpan takes the number of a part and that of the one after the last.
func (t *testRun) takeSpan(l *fieldLiveness) (s span, err error) {
	first, err := take[uint64](t)
	if err != nil {
		return s, err
	}
	end, err := take[uint64](t)
	if err == nil && (first > end || end > uint64(len(l.parts))) {
		err = fmt.Errorf("the value has no parts %d to %d", first, end)
	}
	return span{int(first), int(end)}, err
}

const nonUse = "non-"

// bothUses returns the kind of an instruction that uses something in two ways, old is "" for none: one that doesn't end it counts most, then
// one that does.
func bothUses(old, kind string) string {
	switch {
	case old == "" || old == nonUse:
		return kind
	case kind == nonUse || kind == old:
		return old
	}
	return "regular "
}

// takeUseKind takes the kind of a use and returns what comes before "user" in dumps.
func (t *testRun) takeUseKind() (string, error) {
	word, err := take[string](t)
	if err != nil {
		return "", err
	}
	kind := map[string]string{"ending": "lifetime-ending ", "non-ending": "regular ", "non-use": nonUse}[word]
	if kind == "" {
		return "", fmt.Errorf("there are no uses of the kind %s", word)
	}
	return kind, nil
}

// takeFieldDef takes an instruction or value that defines parts.
func (t *testRun) takeFieldDef(l *fieldLiveness) error {
	a := t.args[0]
	t.args = t.args[1:]
	s, err := t.takeSpan(l)
	if err != nil {
		return err
	}
	switch a := a.(type) {
	case *ir.Inst:
		fmt.Fprintf(t.c.Out, "  def in range [%d, %d) instruction: %s", s.first, s.end, ir.NewLines(t.f).Inst(a))
		l.each(s, func(_ int, part *ownership.Liveness) { part.DefineAt(a) })
	case *ir.Value:
		fmt.Fprintf(t.c.Out, "  def in range [%d, %d) value: %s", s.first, s.end, t.line(a))
		l.define(a, s)
	default:
		return errors.New("an argument is of another kind")
	}
	return nil
}
