package tables_test

import (
	"maps"
	"testing"

	"silvm/ir/tables"
)

// refusal returns what f panics with, "" when it doesn't.
func refusal(f func()) (words string) {
	defer func() {
		if r := recover(); r != nil {
			words = r.(string)
		}
	}()
	f()
	return ""
}

func letters(word string) []byte { return []byte(word) }

func TestKeysAreUnique(t *testing.T) {
	for _, c := range []struct {
		name, want string
		do         func()
	}{
		{"other key", "", func() { tables.Enter(map[int]bool{1: true}, "numbers", 2, true) }},
		{"double key", "two numbers are called 1", func() { tables.Enter(map[int]bool{1: false}, "numbers", 1, true) }},
		{"nil value", "two maps are called 1", func() { tables.Enter(map[int]map[int]int{1: nil}, "maps", 1, nil) }},
		{"other rows", "", func() { tables.Index("words", []string{"a", "bc"}, letters) }},
		{"double row", "two words are called 98", func() { tables.Index("words", []string{"ab", "bc"}, letters) }},
		{"twice in a row", "two words are called 97", func() { tables.Index("words", []string{"aa"}, letters) }},
		{"other tables", "", func() { tables.Join("rooms", map[int]int{1: 1}, nil, map[int]int{2: 2}) }},
		{"double in tables", "two rooms are called 1", func() { tables.Join("rooms", map[int]int{1: 1}, map[int]int{1: 1}) }},
	} {
		if got := refusal(c.do); got != c.want {
			t.Errorf("%s: panics with %q, want %q", c.name, got, c.want)
		}
	}
}

func TestJoinKeepsAll(t *testing.T) {
	got := tables.Join("rooms", map[int]string{1: "a"}, map[int]string{2: "b", 3: "c"})
	if want := map[int]string{1: "a", 2: "b", 3: "c"}; !maps.Equal(got, want) {
		t.Errorf("Join returns %v, want %v", got, want)
	}
	if got := tables.Index("words", []string{"ab", "c"}, letters); !maps.Equal(got, map[byte]string{'a': "ab", 'b': "ab", 'c': "c"}) {
		t.Errorf("Index returns %v", got)
	}
}
