package mangle

import (
	"os"
	"strings"
	"testing"
)

// recorded are names from compiler output and names made to use each operator, each with the lines that swift-demangle
// --compact and --simplified --compact of Swift 6.0.3 print: testdata/names.txt, three lines a name.
func recorded(t testing.TB) [][3]string {
	data, err := os.ReadFile("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	var rows [][3]string
	for i := 0; i+2 < len(lines); i += 3 {
		rows = append(rows, [3]string(lines[i:i+3]))
	}
	return rows
}

func TestRecorded(t *testing.T) {
	rows := recorded(t)
	if len(rows) < 1000 {
		t.Fatalf("only %d names", len(rows))
	}
	for _, r := range rows {
		if got := Full(r[0]); got != r[1] {
			t.Errorf("Full(%s)\n got %s\nwant %s", r[0], got, r[1])
		}
		if got := Simplified(r[0]); got != r[2] {
			t.Errorf("Simplified(%s)\n got %s\nwant %s", r[0], got, r[2])
		}
	}
}

func TestNotDemangled(t *testing.T) {
	deep := "$s" + strings.Repeat("Si_", 400) + strings.Repeat("t", 400) + "D"
	wide := "$s1a" + strings.Repeat("A2000A", 2000)
	doubled := "$sSi_Sit" + strings.Repeat("_", 1)
	nested := "$s4main1f" + strings.Repeat("Saya", 3000)
	graph := "$sSiXSqXSq" + strings.Repeat("_A2at", 60) + "D"
	names := []string{"", "main", "$", "$s", "_$s", "$sX", "$s4mai", "$s4main1", "$s9999999999999999999a", "$s0A", "$s00",
		deep, wide, doubled, nested, graph}
	for _, name := range names {
		if got := Full(name); got != name && len(got) > maxText {
			t.Errorf("Full(%.40s…) is %d bytes", name, len(got))
		}
		if got := Simplified(name); got != name && len(got) > maxText {
			t.Errorf("Simplified(%.40s…) is %d bytes", name, len(got))
		}
	}
	for _, name := range names[:11] {
		if got := Full(name); got != name {
			t.Errorf("Full(%q) = %q, want the name itself", name, got)
		}
	}
}

// TestShared has types that double at each step: without a limit their text has 2^60 parts.
func TestShared(t *testing.T) {
	var b strings.Builder
	b.WriteString("$s1a1aV")
	for range 40 {
		b.WriteString("_ABt1a1aVy")
		b.WriteString("A2bG")
	}
	b.WriteString("D")
	if got := Full(b.String()); len(got) > maxText+len(b.String()) {
		t.Errorf("%d bytes", len(got))
	}
}

func TestTree(t *testing.T) {
	root, ok := Parse("$s4main1SV3fooyySiF")
	if !ok {
		t.Fatal("not parsed")
	}
	const want = `Global(Function(Structure(Module"main",Identifier"S"),Identifier"foo",LabelList,` +
		`Type(FunctionType(ArgumentTuple(Type(Structure(Module"Swift",Identifier"Int"))),ReturnType(Type(Tuple))))))`
	if got := root.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestKinds looks for kinds without a row and for rows that nothing prints.
func TestKinds(t *testing.T) {
	never := map[Kind]bool{DependentGenericParamCount: true, DependentGenericParamPackMarker: true, ImplPatternSubstitutions: true,
		ImplInvocationSubstitutions: true, FunctionSignatureSpecializationParam: true, FunctionSignatureSpecializationReturn: true,
		FunctionSignatureSpecializationParamKind: true, FunctionSignatureSpecializationParamPayload: true,
		GlobalVariableOnceDeclList: true}
	for k := Global; k < lastKind; k++ {
		if kinds[k].name == "" {
			t.Errorf("kind %d has no row", k)
		}
		if _, ok := entities[k]; !ok && special[k] == nil && kinds[k].form == "" && !never[k] && k != LabelList {
			t.Errorf("%s has no text", kinds[k].name)
		}
	}
}

func FuzzDemangle(f *testing.F) {
	for i, r := range recorded(f) {
		if i%8 == 0 {
			f.Add(r[0])
		}
	}
	f.Add("$s1a1aV_ABt1a1aVyA2bGD")
	f.Fuzz(func(t *testing.T, name string) {
		for _, s := range []string{name, "$s" + name} {
			if got := Full(s); got == "" && s != "" || len(got) > maxText && got != s {
				t.Errorf("Full(%q) is %d bytes", s, len(got))
			}
			Simplified(s)
		}
	})
}

// A specialization for a function is private code of that function's file, and inside what that function is in.
func TestWhatArgumentsSay(t *testing.T) {
	thunk := "$sxs5Error_pIeglzo_xytsAA_pIeglrzo_lTRSi_Tg580$s4main8throwing33_0A76C3EA492B10B898C124429F6CDE70LLyyxzKcyxzXElFyxzKcfU_Si_Tg5Tf3nnpf_n"
	found := Privates(thunk)
	if len(found) == 0 || found[0].Member != "throwing" || found[0].File != "_0A76C3EA492B10B898C124429F6CDE70" {
		t.Errorf("Privates(%s) = %+v", thunk, found)
	}
	mapped := "$sSlsE3mapySayqd__Gqd__7ElementQzqd_0_YKXEqd_0_YKs5ErrorRd_0_r0_lFSaySiG_SSs5NeverOTg5011$sSiSSIgyo_f4SSs5D50OIegnrzr_TR" +
		"27$s4main12romanNumeralySSSiFTf3nnnpf_nTf1cn_n"
	_, own := Locals("$s4main12romanNumeralySSSiF")
	_, places := Locals(mapped)
	for place := range own {
		if !places[place] {
			t.Errorf("a specialization of map for romanNumeral is not inside %s", place)
		}
	}
}
