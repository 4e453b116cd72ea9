package source

import (
	"encoding/json"
	"strings"
	"testing"
)

func mustAdd(t *testing.T, s *Set, name, text string) *File {
	t.Helper()
	f, err := s.Add(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPlaces(t *testing.T) {
	s := NewSet()
	a := mustAdd(t, s, "a.sil", "one\ntwo\n")
	empty := mustAdd(t, s, "empty.sil", "")
	b := mustAdd(t, s, "dir/b.sil", "x\r\nyy")
	tests := []struct {
		pos  Pos
		want Place
		line string
	}{
		{a.Base, Place{"a.sil", 1, 1}, "one"},
		{a.Base + 3, Place{"a.sil", 1, 4}, "one"},
		{a.Base + 4, Place{"a.sil", 2, 1}, "two"},
		{a.Base + 8, Place{"a.sil", 3, 1}, ""},
		{empty.Base, Place{"empty.sil", 1, 1}, ""},
		{b.Base + 1, Place{"dir/b.sil", 1, 2}, "x"},
		{b.Base + 5, Place{"dir/b.sil", 2, 3}, "yy"},
	}
	for _, tt := range tests {
		if got := s.Place(tt.pos); got != tt.want {
			t.Errorf("Place(%d) = %v, want %v", tt.pos, got, tt.want)
		}
		if got := s.File(tt.pos).Line(tt.pos); got != tt.line {
			t.Errorf("Line(%d) = %q, want %q", tt.pos, got, tt.line)
		}
	}
	for _, p := range []Pos{0, b.Base + 6, ^Pos(0)} {
		if got := s.Place(p); got != (Place{}) {
			t.Errorf("Place(%d) = %v, want none", p, got)
		}
	}
	if got := s.find("b.sil", 2); got != b.Base+3 {
		t.Errorf("Find = %d, want %d", got, b.Base+3)
	}
	if s.find("b.sil", 3) != 0 || s.find("sil", 1) != 0 {
		t.Error("Find found a line or file that does not exist")
	}
}

func TestRender(t *testing.T) {
	s := NewSet()
	text := strings.Repeat("\n", 211) + "  strong_retain %14 : $Node\n"
	f := mustAdd(t, s, "list.sil", text)
	d := &Diagnostic{
		Code: "SV0103", Pos: f.LinePos(212) + 2, Len: len("strong_retain %14 : $Node"),
		Msg: "use after free: Node#17 was deallocated", Swift: "list.swift:31:9",
	}
	d.help(f.LinePos(96), "Node#17 was allocated here")
	d.Notes[0].In = "list.make()"
	d.Note(0, "run it again")
	want := "error[SV0103]: use after free: Node#17 was deallocated\n" +
		"  --> list.sil:212:3   (list.swift:31:9)\n" +
		"   |\n" +
		"212|   strong_retain %14 : $Node\n" +
		"   |   ^^^^^^^^^^^^^^^^^^^^^^^^^\n" +
		"help: Node#17 was allocated here\n" +
		"  --> list.sil:96:1   in list.make()\n" +
		"note: run it again\n"
	r := Renderer{Files: s}
	if got := r.Text(d); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	line, err := s.MarshalLine(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal(line, &back); err != nil {
		t.Fatal(err)
	}
	if back["name"] != "use-after-free" || back["place"].(map[string]any)["line"] != 212.0 || back["version"] != 1.0 {
		t.Errorf("JSON form: %s", line)
	}
}

func TestRenderWholeInstruction(t *testing.T) {
	tests := []struct{ line, want string }{
		{"strong_retain %14 : $Node", "strong_retain %14 : $Node"},
		{"%3 = load %2 : $*Int   // user: %4", "%3 = load %2 : $*Int"},
		{`cond_fail %1, "a // \" b" // id: %5`, `cond_fail %1, "a // \" b"`},
		{`br bb1(%1 : $Int), loc "a.swift":1:2, scope 3 // id: %2`, "br bb1(%1 : $Int)"},
		{"br bb1, scope 3", "br bb1"},
	}
	for _, tt := range tests {
		s := NewSet()
		f := mustAdd(t, s, "a.sil", "  "+tt.line+"\n  unreachable\n")
		lines := strings.Split((&Renderer{Files: s}).Text(&Diagnostic{Pos: f.Base + 2, Len: Whole}), "\n")
		if got, want := lines[4], "   |   "+strings.Repeat("^", len(tt.want)); got != want {
			t.Errorf("%s\n got %s\nwant %s", tt.line, got, want)
		}
	}
}

func TestRenderEscapesAndCuts(t *testing.T) {
	s := NewSet()
	f := mustAdd(t, s, "x\x1b.sil", strings.Repeat("a", 500)+"\t\u202e%bad"+strings.Repeat("z", 500))
	r := Renderer{Files: s, Width: 60}
	got := r.Text(&Diagnostic{Code: "SV0001", Pos: f.Base + 504, Msg: "no \x07 here"})
	if strings.ContainsAny(got, "\x1b\x07\t\u202e") {
		t.Errorf("control characters left in %q", got)
	}
	lines := strings.Split(got, "\n")
	for _, l := range lines[1:] {
		if n := len([]rune(l)); n > 70 {
			t.Errorf("line of %d columns: %s", n, l)
		}
	}
	if i, j := strings.Index(lines[3], "%bad"), strings.Index(lines[4], "^"); len([]rune(lines[3][:i])) != j {
		t.Errorf("caret is not below the word:\n%s\n%s", lines[3], lines[4])
	}
}

func TestListSortsCapsAndCounts(t *testing.T) {
	l := &List{Max: 2}
	l.Errorf(9, "use-after-free", "b")
	l.Errorf(9, "use-after-free", "b")
	l.Warnf(3, "syntax", "a")
	l.Errorf(1, "syntax", "c")
	if l.Len() != 2 || l.dropped != 1 || l.Errors() != 2 {
		t.Fatalf("len %d, dropped %d, errors %d", l.Len(), l.dropped, l.Errors())
	}
	all := l.All()
	if all[0].Msg != "a" || all[1].Code != "SV0103" {
		t.Errorf("wrong order or code: %+v %+v", all[0], all[1])
	}
	if l.Err() == nil || (&List{}).Err() != nil {
		t.Error("Err is wrong")
	}
}

func TestCodesAreInOrderAndWhole(t *testing.T) {
	last := ""
	names := map[string]bool{}
	for _, c := range Codes() {
		if c.Number <= last || len(c.Number) != 6 {
			t.Errorf("%s comes after %s", c.Number, last)
		}
		last = c.Number
		if c.Name == "" || c.Title == "" || c.Text == "" || names[c.Name] {
			t.Errorf("%s: empty or repeated", c.Number)
		}
		names[c.Name] = true
		if c.class() > classBug {
			t.Errorf("%s: no such class", c.Number)
		}
	}
	for _, name := range []string{"SV0103", "sv0103", "103", "use-after-free"} {
		if c := Lookup(name); c == nil || c.Number != "SV0103" {
			t.Errorf("Lookup(%q) = %v", name, c)
		}
	}
	if Lookup("nothing") != nil || Lookup("") != nil {
		t.Error("Lookup found what does not exist")
	}
}

// TestInstruction: what is in quotes is text, the numbers of opened types are short, and characters are not cut in the middle.
func TestInstruction(t *testing.T) {
	for _, c := range []struct {
		text, want string
		most       int
	}{
		{`  %3 = string_literal utf8 "https://a", loc "a.swift":1:2, scope 3 // user: %4`, `%3 = string_literal utf8 "https://a"`, 0},
		{`strong_retain %48 : $@opened("46D00E54-EA99-11F1-9CD4-02FC00000000", any Shape) Self, loc * "a.swift":1:2`, `strong_retain %48 : $@opened("46D00E54", any Shape) Self`, 60},
		{`debug_value %0, name "ééé"`, `debug_value %0, name "éé…`, 24},
	} {
		if got := Instruction(c.text, c.most); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}
