package dumps

import "testing"

func TestNoFunctionTestStandsTwice(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range functionTests {
		if f.name == "" || f.run == nil || seen[f.name] {
			t.Errorf("the test %q has no name, does nothing, or stands twice", f.name)
		}
		seen[f.name] = true
	}
}
