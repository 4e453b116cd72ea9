package pass

import "testing"

func TestNoSettingStandsTwice(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range settings {
		if s.Name == "" || s.Doc == "" || seen[s.Name] {
			t.Errorf("the setting %q has no name, no doc, or stands twice", s.Name)
		}
		seen[s.Name] = true
	}
}
