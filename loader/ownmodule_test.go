package loader_test

import (
	"testing"

	"silvm/loader"
)

// TestOwnModules loads a program that imports a module which silvm brings along, with all that the module has.
func TestOwnModules(t *testing.T) {
	text := "sil_stage canonical\n\nimport Builtin\nimport Swift\nimport SwiftShims\n\nimport Dispatch\n\n" +
		"sil @f : $@convention(thin) (@guaranteed DispatchQueue, DispatchTime) -> () {\nbb0(%0 : $DispatchQueue, %1 : $DispatchTime):\n" +
		"  %2 = struct_extract %1 : $DispatchTime, #DispatchTime.rawValue\n  %3 = tuple ()\n  return %3 : $()\n}\n"
	mod, diags := loader.LoadFiles([]loader.Input{{Name: "a.sil", Text: []byte(text)}}, loader.Options{})
	if mod.Archive == nil {
		t.Fatal("the module is not linked")
	}
	mod.Archive.All()
	for _, f := range mod.Funcs {
		if err := f.Body(); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if err := diags.Err(); err != nil {
		t.Error(err)
	}
	d := mod.Nominal("DispatchQueue")
	if d == nil || d.Module != "Dispatch" || mod.Nominal("DispatchTime") == nil {
		t.Errorf("DispatchQueue is declared as %v", d)
	}
}

// TestOwnModulesOnlyWhenImported has a program without the import find nothing.
func TestOwnModulesOnlyWhenImported(t *testing.T) {
	mod, _ := loader.LoadFiles([]loader.Input{{Name: "a.sil", Text: []byte("sil_stage canonical\n\nimport Builtin\nimport Swift\n")}}, loader.Options{})
	if mod.Archive != nil || mod.Nominal("DispatchQueue") != nil {
		t.Error("Dispatch is linked to a program that does not import it")
	}
}
