package code

import "testing"

// Every operation has a row under its own name, with a field list that can be read and a text.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for i := range table {
		r := table[i]
		if r.Name == "" || r.Doc == "" {
			t.Errorf("operation %d (%q) has no name or no text", i, r.Name)
		}
		if seen[r.Name] {
			t.Errorf("two operations are called %s", r.Name)
		}
		seen[r.Name] = true
		o := Op(i).Operands()
		if !o.known {
			t.Errorf("%s: field list %q can't be read", r.Name, r.Fields)
		}
		if o.Reg != RoleNone && o.Imm == RoleTargets {
			t.Errorf("%s: Imm can't hold a register and targets", r.Name)
		}
	}
}

func TestOperands(t *testing.T) {
	if o := SaddO.Operands(); o.A != RoleDefPair || o.B != RoleUse || o.C != RoleUse || o.MayCall {
		t.Errorf("SaddO: %+v", *o)
	}
	if o := Release.Operands(); o.A != RoleUse || o.B != RoleBase || !o.MayCall {
		t.Errorf("Release: %+v", *o)
	}
	if o := JumpSltI.Operands(); o.A != RoleUse || o.B != RoleSigned || o.C != RoleSteps || o.Imm != RoleTargets {
		t.Errorf("JumpSltI: %+v", *o)
	}
	if got := AtomicCmpXchg.Operands().Merge(4, 7); got != 4|7<<8 {
		t.Errorf("AtomicCmpXchg immediate = %#x", got)
	}
	if got := BeginApplyMethod.Operands().Merge(3, 7); got != 7|3<<16 {
		t.Errorf("BeginApplyMethod immediate = %#x", got)
	}
}
