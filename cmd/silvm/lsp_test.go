package main

import "testing"

// An editor formats as silvm fmt does: people's comments stay.
func TestFormatKeepsComments(t *testing.T) {
	const text = "sil_stage canonical\n\nimport Builtin\n\n// mine\nsil @f : $@convention(thin) () -> () {\n// here\nbb0:\n" +
		"  %0 = tuple () // user: %1\n  return %0 : $() // back\n}\n"
	const want = "sil_stage canonical\n\nimport Builtin\n\n// mine\nsil @f : $@convention(thin) () -> () {\n// here\nbb0:\n" +
		"  %0 = tuple ()\n  return %0 : $()                                 // back\n} // end sil function 'f'\n\n"
	got, err := (&app{}).formatText("a.sil", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("formatted as\n%s", got)
	}
}
