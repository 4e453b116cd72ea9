package ir

import "testing"

// TestMemberAccess reads the access of members out of the text of a declaration.
func TestMemberAccess(t *testing.T) {
	d := &Nominal{Attrs: ParseModifiers("final", "fileprivate"), Text: `final fileprivate class C {
  private func a()
  public private(set) var b: Int { get set }
  func c()
  private func c(x: Int)
  open func c(y: Int)
  fileprivate init()
  var d: Int { get { private } }
}`}
	for name, want := range map[string]Access{"a": AccessPrivate, "c": AccessOpen, "init": AccessPrivate, "d": AccessInternal, "missing": AccessInternal} {
		if got := d.MemberAccess(name); got != want {
			t.Errorf("%s has access %q, want %q", name, got, want)
		}
	}
	if d.Access() != AccessPrivate || (&Nominal{}).Access() != AccessInternal || (&Nominal{Attrs: ParseModifiers("open ")}).Access() != AccessOpen {
		t.Error("the access of a type is another one than its attributes say")
	}
	if !AccessInternal.isWider(AccessPrivate) || AccessPrivate.isWider(AccessInternal) || !AccessPackage.isWider(AccessInternal) || AccessOpen.isWider(AccessOpen) {
		t.Error("the levels of access are out of order")
	}
}
