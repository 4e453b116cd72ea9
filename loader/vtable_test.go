package loader

import "testing"

// The text of a vtable names a nested class without the types around it; what the class introduced names it in full.
func TestVTablesOfNestedClasses(t *testing.T) {
	const text = stage + `struct A {
  class N {
  }
}

struct B {
  final class N : A.N {
  }
}

class N {
}

sil_vtable N {
  #A.N.f: (A.N) -> () -> Int : @f
  #A.N.deinit!deallocator: @d1
}

sil_vtable N {
  #A.N.f: (A.N) -> () -> Int : @f [inherited]
  #B.N.deinit!deallocator: @d2
}

sil_vtable N {
  #N.deinit!deallocator: @d3
}

sil_vtable N {
  #<abstract function>N.deinit!deallocator: @d4
}

sil_vtable N {
  #<abstract function>N.deinit!deallocator: @d5
}
`
	m, diags := Load("a.sil", []byte(text), Options{})
	for _, d := range diags.All() {
		if d.Code != "SV0805" {
			t.Errorf("%s: %v", d.Code, d)
		}
	}
	for class, want := range map[string]string{"A.N": "d1", "B.N": "d2", "N": "d3"} {
		v := m.VTables[class]
		if v == nil {
			t.Errorf("%s has no vtable", class)
		} else if got := v.Entries[len(v.Entries)-1].Func; got != want {
			t.Errorf("the deinit of %s is %s, want %s", class, got, want)
		}
	}
}
