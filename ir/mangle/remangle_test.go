package mangle

import (
	"os"
	"strings"
	"testing"
)

// respecialize takes the specialization off the end of a name and puts it there again, for every place where the unspecialized name may end.
func respecialize(name string) bool {
	root, ok := Parse(name)
	if !ok {
		return false
	}
	var types []*Node
	for _, c := range root.Child(0).Children {
		if c.Is(GenericSpecializationParam) {
			types = append(types, c.Child(0))
		}
	}
	code := name[strings.LastIndexByte(name, 'T'):]
	for end := len(name) - len(code); end > 3; end-- {
		if m, ok := Resume(name[:end]); ok && m.Specialization(types, code) && string(m.Buf) == name {
			return true
		}
	}
	return false
}

func TestRemangle(t *testing.T) {
	names, err := os.ReadFile("testdata/specializations.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.Lines(string(names)) {
		if name = strings.TrimSpace(name); !respecialize(name) {
			t.Errorf("%s does not come out of its parts", name)
		}
	}
}
