package facts_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/loader"
)

// asker answers the questions in the comments of one function.
type asker struct {
	*testing.T
	p      *facts.Program
	f      *ir.Function
	rc     *facts.RCIdentity
	values map[string]*ir.Value
	labels map[string]*ir.Inst // by the comment after them
}

func (a *asker) value(name string) *ir.Value {
	v := a.values[strings.TrimPrefix(name, "%")]
	if v == nil {
		a.Fatalf("no value %s in @%s", name, a.f.Name)
	}
	return v
}

// inst finds an instruction by its label, or by its result.
func (a *asker) inst(name string) *ir.Inst {
	if i := a.labels[name]; i != nil {
		return i
	}
	return a.value(name).Inst()
}

// questions are what can be asked: a comment "// name(arguments): answer" in the body of a function.
var questions = map[string]func(a *asker, args []string) string{
	"alias": func(a *asker, args []string) string { return a.p.Alias(a.value(args[0]), a.value(args[1])).String() },
	"distinct": func(a *asker, args []string) string {
		return strconv.FormatBool(a.p.IsDistinct(a.path(args[0]), a.path(args[1])))
	},
	"sameBase": func(a *asker, args []string) string {
		return strconv.FormatBool(a.p.SameBase(a.path(args[0]), a.path(args[1])))
	},
	"contains": func(a *asker, args []string) string {
		rest, ok := a.p.Contains(a.path(args[0]), a.path(args[1]))
		if !ok {
			return "no"
		}
		return rest.String()
	},
	"memoryAt": func(a *asker, args []string) string {
		m := a.p.MemoryAt(a.inst(args[0]), a.value(args[1]))
		var words []string
		if m.MayRead() {
			words = append(words, "read")
		}
		if m.MayWrite() {
			words = append(words, "write")
		}
		if words == nil {
			return "none"
		}
		return strings.Join(words, ", ")
	},
	"mayUseGuaranteed": onInst(func(p *facts.Program, i *ir.Inst, v *ir.Value) bool {
		return p.Lending(i.Block().Func).MayUseGuaranteed(i, v)
	}),
	"mayDecrement": onInst((*facts.Program).MayDecrement),
	"mayUse":       onInst((*facts.Program).MayUse),
	"mustUse":      onInst((*facts.Program).MustUse),
	"barrier":      func(a *asker, args []string) string { return strconv.FormatBool(a.p.IsBarrier(a.inst(args[0]))) },
	"mayRelease":   func(a *asker, args []string) string { return strconv.FormatBool(a.p.MayRelease(a.inst(args[0]))) },
	"root":         func(a *asker, args []string) string { return "%" + a.rc.Root(a.value(args[0])).Name },
	"escapes": func(a *asker, args []string) string {
		return strconv.FormatBool((&facts.Escape{Program: a.p}).Escapes(a.value(args[0]), 0))
	},
}

func onInst(ask func(p *facts.Program, i *ir.Inst, v *ir.Value) bool) func(a *asker, args []string) string {
	return func(a *asker, args []string) string {
		return strconv.FormatBool(ask(a.p, a.inst(args[0]), a.value(args[1])))
	}
}

func (a *asker) path(name string) facts.AccessPath { return a.p.AccessPath(a.value(name), 0) }

var (
	question = regexp.MustCompile(`^\s*// (\w+)\(([^)]*)\):(.*)$`)
	label    = regexp.MustCompile(`\S // (\w+)$`)
)

// TestQuestions asks the questions that are in testdata/questions.
func TestQuestions(t *testing.T) {
	files, err := filepath.Glob("testdata/questions/*.sil")
	if err != nil || len(files) == 0 {
		t.Fatalf("no questions: %v", err)
	}
	answers := map[string]map[string]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		mod, diags := loader.Load(name, text, loader.Options{})
		if err := diags.Err(); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		program := facts.NewProgram(mod)
		eachFunction(mod, func(f *ir.Function) {
			t.Run(f.Name, func(t *testing.T) {
				a := newAsker(t, program, f, lines)
				a.use()
				a.checkPairs()
				for n := mod.Files.Place(f.Pos).Line; n < len(lines) && !strings.HasPrefix(lines[n], "}"); n++ {
					m := question.FindStringSubmatch(lines[n])
					if m == nil {
						continue
					}
					ask := questions[m[1]]
					if ask == nil {
						t.Fatalf("%s:%d: no question %s", name, n+1, m[1])
					}
					got, want := ask(a, strings.Split(m[2], ", ")), strings.TrimSpace(m[3])
					if got != want {
						t.Errorf("%s:%d: %s(%s) is %s, want %s", name, n+1, m[1], m[2], got, want)
					}
					if answers[m[1]] == nil {
						answers[m[1]] = map[string]bool{}
					}
					answers[m[1]][want] = true
				}
			})
		})
	}
	for q := range questions {
		if len(answers[q]) < 2 {
			t.Errorf("%s is asked for fewer than two different answers", q)
		}
	}
}

func newAsker(t *testing.T, p *facts.Program, f *ir.Function, lines []string) *asker {
	a := &asker{T: t, p: p.In(f), f: f, values: map[string]*ir.Value{}, labels: map[string]*ir.Inst{}}
	a.rc = facts.NewRCIdentity(a.p, cfg.NewDominators(f))
	for _, b := range f.Blocks {
		for _, v := range b.Args {
			a.values[v.Name] = v
		}
		for i := range b.Insts() {
			for _, v := range i.Results {
				a.values[v.Name] = v
			}
			if m := label.FindStringSubmatch(lines[f.Module.Files.Place(i.Pos).Line-1]); m != nil {
				a.labels[m[1]] = i
			}
		}
	}
	return a
}

// use adds a use of each address: what nobody uses is nobody's alias.
func (a *asker) use() {
	for name, v := range a.values {
		if name != "" && v.Type.IsAddress() {
			i := &ir.Inst{Op: op.FixLifetime}
			i.SetOperands([]*ir.Value{v})
			i.InsertBefore(v.Block().Terminator())
		}
	}
}

// checkPairs holds the answers on all pairs of addresses of the function against each other.
func (a *asker) checkPairs() {
	var addresses []*ir.Value
	for name, v := range a.values {
		if name != "" && v.Type.IsAddress() && (v.Inst() == nil || v.Inst().Op != op.BeginAccess) {
			addresses = append(addresses, v)
		}
	}
	for _, v := range addresses {
		for _, w := range addresses {
			pair := fmt.Sprintf("@%s: %%%s, %%%s", a.f.Name, v.Name, w.Name)
			alias, x, y := a.p.Alias(v, w), a.p.AccessPath(v, 0), a.p.AccessPath(w, 0)
			if back := a.p.Alias(w, v); back != alias {
				a.Errorf("%s: alias is %v, the other way %v", pair, alias, back)
			}
			if a.p.IsDistinct(x, y) != a.p.IsDistinct(y, x) || a.p.SameBase(x, y) != a.p.SameBase(y, x) {
				a.Errorf("%s: distinct or same base, but not the other way", pair)
			}
			if a.p.IsDistinct(x, y) && (v == w || alias == facts.MustAlias || alias == facts.PartialAlias) {
				a.Errorf("%s: distinct, and %v", pair, alias)
			}
			if _, ok := a.p.Contains(x, y); ok && (a.p.IsDistinct(x, y) || alias == facts.NoAlias) {
				a.Errorf("%s: the first contains the second, and is distinct from it", pair)
			}
			if !a.p.CanShareField(v, w) && alias != facts.NoAlias && alias != facts.MayAlias {
				a.Errorf("%s: can't share memory, and %v", pair, alias)
			}
		}
	}
}

func eachFunction(mod *ir.Module, yield func(*ir.Function)) {
	for _, f := range mod.Functions() {
		if len(f.Blocks) > 0 {
			yield(f)
		}
	}
}
