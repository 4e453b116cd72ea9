package opt

import (
	"testing"

	"silvm/opt/pass"
)

func TestOrderOfAPipelineIsChecked(t *testing.T) {
	a, b := &pass.Pass{Name: "a"}, &pass.Pass{Name: "b"}
	once, always := precedence{a, b, false, "b reads what a computes"}, precedence{a, b, true, "b takes away what a needs"}
	for _, c := range []struct {
		passes []*pass.Pass
		order  precedence
		err    string
	}{
		{[]*pass.Pass{a, b}, once, ""},
		{[]*pass.Pass{b, a}, once, "pipeline p: a does not run before b: b reads what a computes"},
		{[]*pass.Pass{a, b, a}, once, ""},
		{[]*pass.Pass{a, b, a}, always, "pipeline p: a does not run before b: b takes away what a needs"},
		{[]*pass.Pass{b}, always, ""},
		{[]*pass.Pass{a}, once, ""},
		{[]*pass.Pass{a, b}, precedence{first: a, then: b}, "a goes before b without a reason"},
		{[]*pass.Pass{a, nil}, once, "pipeline p: entry 1 is no pass"},
	} {
		said := ""
		if err := checkPipeline(&Pipeline{Name: "p", Passes: c.passes}, []precedence{c.order}); err != nil {
			said = err.Error()
		}
		if said != c.err {
			t.Errorf("%q, want %q", said, c.err)
		}
	}
}

// A row that no pipeline can break is no check.
func TestEveryOrderConcernsAPipeline(t *testing.T) {
	for _, o := range order {
		met := false
		for _, l := range Pipelines() {
			has := map[string]bool{}
			for _, p := range l.Passes {
				has[p.Name] = true
			}
			met = met || has[o.first.Name] && has[o.then.Name]
		}
		if !met {
			t.Errorf("no pipeline has both %s and %s", o.first.Name, o.then.Name)
		}
	}
}
