package loader

import (
	"os"
	"strings"
	"testing"

	"silvm/ir"
)

// TestPrivateTypes reads types of one name that two files declare, and prints them by that name.
func TestPrivateTypes(t *testing.T) {
	text, err := os.ReadFile("../programs/ordinary/privatetypes/O.sil")
	if err != nil {
		t.Fatal(err)
	}
	m, diags := Load("O.sil", text, Options{})
	if diags.Errors() > 0 {
		t.Fatal(diags.Err())
	}
	for path, want := range map[string]string{
		ir.Namesake("Helper", 1): "1; var n: Int; var s: String",
		ir.Namesake("Helper", 2): "1; var d: Double",
		ir.Namesake("Kind", 1):   "3; one; two Int",
		ir.Namesake("Kind", 2):   "3; two String; three",
		"Helper":                 "",
	} {
		got := ""
		if d := m.Nominals[path]; d != nil {
			got = describe(d)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	var b strings.Builder
	if err := m.Print(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), ir.Namesake("Helper", 1)) || !strings.Contains(b.String(), "struct $Helper (") {
		t.Error("the text shows the number of a type")
	}
}

// TestPrivateTypesInDoubt checks which declarations are matched with which files, and that what nothing tells stays open.
func TestPrivateTypesInDoubt(t *testing.T) {
	const a, b = "33_0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAALL", "33_0BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBLL"
	symbol := func(name, file, member string) string {
		return "sil private @$s4main" + name + file + "V" + member + "yyF : $@convention(method) () -> ()\n"
	}
	decl := func(word, name, member string) string {
		return "private " + word + " " + name + " {\n  func " + member + "()\n}\n"
	}
	for name, c := range map[string]struct {
		text string
		want string // the members of the declaration that each file means
	}{
		"by members, against the order": {
			decl("struct", "Box", "one") + decl("struct", "Box", "two") + symbol("3Box", b, "3one") + symbol("3Box", a, "3two"),
			"two one",
		},
		"by order where members are the same": {
			decl("struct", "Box", "one") + decl("struct", "Box", "one") + symbol("3Box", a, "3one") + symbol("3Box", b, "3one"),
			"one one",
		},
		"by what stands around": {
			decl("enum", "Kind", "x") + decl("struct", "Box", "one") + decl("enum", "Kind", "y") + decl("struct", "Box", "two") +
				symbol("3Box", a, "3one") + symbol("3Box", b, "3two"),
			"one two",
		},
		"by one member alone": {
			decl("struct", "Box", "one") + decl("struct", "Box", "two") + symbol("3Box", a, "3two"),
			"two -",
		},
		"not at all": {
			decl("struct", "Box", "one") + decl("struct", "Box", "one") + decl("struct", "Box", "one") + symbol("3Box", a, "3one") + symbol("3Box", b, "3one"),
			"- -",
		},
	} {
		p := findPrivates([]string{c.text})
		var got []string
		for _, file := range []string{"0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "0BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"} {
			member := "-"
			for _, d := range p.types["Box"] {
				if strings.Contains(d.file, strings.TrimPrefix(file, "0")) {
					member = only(d.members)
				}
			}
			got = append(got, member)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
	if p := findPrivates([]string{decl("struct", "Box", "one") + decl("class", "Crate", "one")}); p != nil {
		t.Error("names are found where there are no two of one")
	}
}
