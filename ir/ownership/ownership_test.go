package ownership_test

import (
	"os"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/loader"
)

// TestOwnership compares what is said of the results and uses of each line with its comment: "// kind / use, use".
func TestOwnership(t *testing.T) {
	const name = "testdata/ownership.sil"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	mod, diags := loader.Load(name, text, loader.Options{})
	if diags.Len() > 0 {
		t.Fatalf("does not load: %v", diags.Err())
	}
	got := map[int]string{}
	types := facts.NewTypes(mod)
	eachFunction(mod, func(f *ir.Function) {
		own := ownership.New(f, types)
		for i := range f.Insts() {
			got[mod.Files.Place(i.Pos).Line] = describe(own, i)
		}
	})
	lines := 0
	for n, line := range strings.Split(string(text), "\n") {
		_, want, ok := strings.Cut(line, "// is ")
		if !ok {
			continue
		}
		lines++
		if got[n+1] != want {
			t.Errorf("%s:%d: got %q, want %q", name, n+1, got[n+1], want)
		}
	}
	if lines == 0 {
		t.Error("no expectations")
	}
}

func eachFunction(mod *ir.Module, yield func(*ir.Function)) {
	for _, f := range mod.Functions() {
		if len(f.Blocks) > 0 {
			yield(f)
		}
	}
}

func describe(own *ownership.Ownership, i *ir.Inst) string {
	var kinds, uses []string
	for _, r := range i.Results {
		kinds = append(kinds, own.KindOf(r).String())
	}
	for n := range i.Operands {
		uses = append(uses, own.UseOf(&i.Operands[n]).String())
	}
	s := strings.Join(kinds, ", ") + " / " + strings.Join(uses, ", ")
	ends := map[string]bool{}
	for n := range i.Operands {
		own.ScopeEnds(&i.Operands[n], func(end *ir.Inst) { ends[end.Op.String()] = true })
	}
	for o := range op.Op(op.Count) {
		if ends[o.String()] {
			s += " until " + o.String()
		}
	}
	return s
}
