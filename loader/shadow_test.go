package loader

import (
	"strings"
	"testing"

	"silvm/ir"
)

const shadowDecls = stage + `struct Box<T> {
  @_hasStorage var own: T { get set }
  struct Inner<T> {
    @_hasStorage var item: T { get set }
    @_hasStorage var next: Box<T>.Other<T>? { get set }
  }
  class Other<T> {
  }
}
`

func loadShadow(t *testing.T, body string) (*ir.Function, string) {
	t.Helper()
	m, diags := Load("a.sil", []byte(shadowDecls+body), Options{})
	var said []string
	for _, d := range diags.All() {
		said = append(said, d.Code+" "+d.Msg)
	}
	return m.Func("f"), strings.Join(said, "\n")
}

// The inner parameter is T1 to types; the argument of an enclosing type before a dot is the outer one.
func TestShadowedFields(t *testing.T) {
	m, _ := Load("a.sil", []byte(shadowDecls), Options{})
	d := m.Nominal("Box.Inner")
	if got := d.Generic.Params[0]; got.Name != "T1" || got.Written != "T" {
		t.Errorf("the parameter of Inner is %+v", got)
	}
	for n, want := range []string{"T1", "Optional<Box<T>.Other<T1>>"} {
		if got := d.Fields[n].Type.String(); got != want {
			t.Errorf("%s is of type %s, want %s", d.Fields[n].Name, got, want)
		}
	}
}

// A constraint names a protocol, also where a parameter has the same name.
func TestParameterWithTheNameOfAProtocol(t *testing.T) {
	m, diags := Load("a.sil", []byte(stage+`protocol P {
}
struct Box<P> : P where P : P {
  @_hasStorage var own: P { get set }
}
sil_witness_table <P where P : P> Box<P>: P module main {
}
`), Options{})
	for _, d := range diags.All() {
		t.Error(d.Msg)
	}
	table := m.WitnessTables[0].Conformance
	if got := table.Protocol; got != m.Types.Nominal(nil, "P") {
		t.Errorf("the table is for %s, a %v", got, got.Kind)
	}
	for _, sig := range []*ir.GenericSig{table.Generic, m.Nominal("Box").Generic} {
		if r := sig.Requirements[0]; r.Subject.Kind != ir.KindParam || r.Type.Kind != ir.KindNominal {
			t.Errorf("requirement %v : %v", r.Subject.Kind, r.Type.Kind)
		}
	}
	if field := m.Nominal("Box").Fields[0].Type; field.Kind != ir.KindParam {
		t.Errorf("the field is a %v", field.Kind)
	}
}

// What an instruction says of its types tells which T is meant: arguments, stores, fields and calls.
func TestShadowedBodies(t *testing.T) {
	f, said := loadShadow(t, `sil @g : $@convention(thin) <A, B> (@in_guaranteed A, @in_guaranteed B) -> ()

sil @f : $@convention(thin) <T><T1> (@in_guaranteed T, @in_guaranteed Box<T>.Inner<T1>) -> () {
bb0(%0 : $*T, %1 : $*Box<T>.Inner<T>):
  %2 = alloc_stack $T
  %3 = struct_element_addr %1, #Box.Inner.item
  copy_addr %3 to [init] %2
  %5 = function_ref @g : $@convention(thin) <τ_0_0, τ_0_1> (@in_guaranteed τ_0_0, @in_guaranteed τ_0_1) -> ()
  %6 = apply %5<T, T>(%2, %0) : $@convention(thin) <τ_0_0, τ_0_1> (@in_guaranteed τ_0_0, @in_guaranteed τ_0_1) -> ()
  destroy_addr %2
  dealloc_stack %2
  %9 = tuple ()
  return %9
}
`)
	if said != "" {
		t.Fatal(said)
	}
	text := f.String()
	for _, want := range []string{"%1 : $*Box<T>.Inner<T1>", "alloc_stack $T1", "apply %5<T1, T>"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	f.Module.AsWritten = true
	if text = f.String(); !strings.Contains(text, "apply %5<T, T>") || !strings.Contains(text, "Box<T>.Inner<T1>) -> ()") {
		t.Errorf("not as written:\n%s", text)
	}
}

// T2 without T1 is a name of its own.
func TestNumberThatIsNotTheFirst(t *testing.T) {
	f, said := loadShadow(t, `sil @f : $@convention(thin) <T><T2> (@in_guaranteed Box<T>) -> () {
bb0(%0 : $*Box<T>):
  %1 = struct_element_addr %0, #Box.own
  %2 = tuple ()
  return %2
}
`)
	if said != "" {
		t.Fatal(said)
	}
	if text := f.String(); !strings.Contains(text, "%0 : $*Box<T>)") {
		t.Errorf("read as\n%s", text)
	}
}

// A body that names T1 itself means the outer parameter by T.
func TestOwnNameBesideNumberedOne(t *testing.T) {
	f, said := loadShadow(t, `sil @f : $@convention(thin) <T><T1> (@in_guaranteed T1, @thick T.Type) -> () {
bb0(%0 : $*T1, %1 : $@thick T.Type):
  %2 = metatype $@thick T.Type
  %3 = tuple ()
  return %3
}
`)
	if said != "" || !strings.Contains(f.String(), "metatype $@thick T.Type") {
		t.Errorf("%s\n%s", said, f)
	}
}

// Where nothing tells which T is meant, source can only have meant the innermost one, if the text shows that it prints names as source has
// them; else the function is refused.
func TestUndeterminedShadows(t *testing.T) {
	const free = `bb0(%0 : $*T):
  %1 = metatype $@thick T.Type
  %2 = tuple ()
  return %2
}
`
	f, said := loadShadow(t, "sil @f : $@convention(thin) <T><T1> (@in_guaranteed T1) -> () {\n"+free)
	if said != "" || !strings.Contains(f.String(), "metatype $@thick T1.Type") {
		t.Errorf("%s\n%s", said, f)
	}
	_, said = loadShadow(t, "sil @f : $@convention(thin) <T><T1> (@in_guaranteed Int) -> () {\n"+strings.Replace(free, "*T)", "*Int)", 1))
	if !strings.Contains(said, "SV0531") {
		t.Errorf("nothing tells which T is meant, the loader says %q", said)
	}
	_, said = loadShadow(t, `sil @f : $@convention(thin) <T><T1> (@in_guaranteed T, @in_guaranteed T1) -> () {
bb0(%0 : $*T, %1 : $*T):
  %2 = alloc_stack $T
  copy_addr %0 to [init] %2
  copy_addr %1 to [init] %2
  dealloc_stack %2
  %6 = tuple ()
  return %6
}
`)
	if !strings.Contains(said, "SV0531") || !strings.Contains(said, "both") {
		t.Errorf("a contradiction, the loader says %q", said)
	}
}

// A conformance of a type that is nested in one with the name of a type of the library is of the type that the witnesses' symbols name.
func TestConformanceNestedInNamesake(t *testing.T) {
	m, diags := Load("a.sil", []byte(stage+`import Builtin
import Swift
struct LazyMapSequence<Base> {
  @_hasStorage let base: Base { get }
}
extension LazyMapSequence {
  struct Index : Equatable {
    @_hasStorage let n: Builtin.Int64 { get }
  }
}
sil @$s4main15LazyMapSequenceV5IndexVyx_GSQAASQ2eeoiySbx_xtFZTW : $@convention(witness_method: Equatable) <Base> (@in_guaranteed LazyMapSequence<Base>.Index, @in_guaranteed LazyMapSequence<Base>.Index, @thick LazyMapSequence<Base>.Index.Type) -> Bool
sil_witness_table hidden <Base> LazyMapSequence<Base>.Index: Equatable module main {
  method #Equatable."==": <Self where Self : Equatable> (Self.Type) -> (Self, Self) -> Bool : @$s4main15LazyMapSequenceV5IndexVyx_GSQAASQ2eeoiySbx_xtFZTW
}
`), Options{})
	if len(diags.All()) > 0 || len(m.WitnessTables) != 1 {
		t.Fatalf("%v, %d tables", diags.All(), len(m.WitnessTables))
	}
	of := m.WitnessTables[0].Conformance.Type
	if own := ir.Namesake("LazyMapSequence", ir.TakenNumber); of.Parent == nil || of.Parent.Name != own {
		t.Errorf("the conformance is of %s, want a type in %s", of, own)
	}
}
