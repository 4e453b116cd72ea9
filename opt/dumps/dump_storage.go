package dumps

import (
	"fmt"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// AccessStorageDump prints for each instruction that may touch memory the storage of the addresses it accesses.
var AccessStorageDump = &pass.Pass{
	Name: "access-storage-dump",
	Doc:  "Prints for each instruction that may touch memory the storage of the addresses it accesses",
	Dump: true,
	Module: func(c *pass.Context) bool {
		eachNamedBody(c, func(f *ir.Function, p *facts.Program, lines *ir.Lines) {
			d := &storageDump{c, p, lines}
			uses := c.IsSet("enable-access-storage-dump-uses")
			for i := range f.Insts() {
				if p.Memory(i) == op.MemNone {
					continue
				}
				fmt.Fprintf(c.Out, "###For MemOp: %s", lines.Inst(i))
				facts.AccessedAddresses(i, func(o *ir.Operand) {
					s := d.access(o)
					if uses && s.Base != nil {
						d.uses(f, &s)
					}
				})
			}
		})
		return false
	},
}

// storageDump prints the storage of addresses in one function.
type storageDump struct {
	c     *pass.Context
	p     *facts.Program
	lines *ir.Lines
}

// access prints the storage of an address, then the path to it from where its base is made.
func (d *storageDump) access(o *ir.Operand) facts.AccessStorage {
	s := d.p.AccessStorage(o.Value())
	fmt.Fprint(d.c.Out, d.text(&s))
	if s.Base == nil {
		fmt.Fprint(d.c.Out, "Base: unidentified\nINVALID\n")
	} else {
		fmt.Fprintf(d.c.Out, "Base: %sStorage: %sPath: %s\n", d.lines.Value(s.Base), d.text(&s), s.PathText())
	}
	return s
}

// uses prints the uses of just this part of the storage, of parts of it, and of all that may overlap with it.
func (d *storageDump) uses(f *ir.Function, s *facts.AccessStorage) {
	all := d.p.StorageUses(f, s)
	for _, list := range []struct {
		name string
		is   func(at *facts.AccessStorage) bool
	}{
		{"Exact", func(at *facts.AccessStorage) bool { return s.Contains(at) && at.Contains(s) }},
		{"Inner", s.Contains},
		{"Overlapping", func(at *facts.AccessStorage) bool { return !s.IsSame(at) || s.MayOverlap(at) }},
	} {
		fmt.Fprintf(d.c.Out, "%s Uses {\n", list.name)
		for n := range all {
			u := &all[n]
			if !list.is(&u.At) {
				continue
			}
			path := "INVALID"
			if u.At.IsKnown() && u.At.Base != nil {
				path = u.At.PathText()
			}
			fmt.Fprintf(d.c.Out, "%s  Path: %s\n", d.lines.Inst(u.Operand.User()), path)
		}
		fmt.Fprintln(d.c.Out, "}")
	}
}

// AccessPathVerification finds for each access whose storage is known the uses of that storage, and wants it to be among them.
var AccessPathVerification = &pass.Pass{
	Name: "access-path-verification",
	Doc:  "Verifies that walks from a storage to its uses and back agree",
	Dump: true,
	Module: func(c *pass.Context) bool {
		for _, f := range c.Module.Functions() {
			p := c.Program(f)
			known := map[*ir.Value]map[*ir.Operand]bool{}
			for i := range f.Insts() {
				facts.AccessedAddresses(i, func(o *ir.Operand) {
					s := p.AccessStorage(o.Value())
					if s.Base == nil || o.User() != i { // what a closure captured is a use where it was captured
						return
					}
					if known[s.Base] == nil {
						known[s.Base] = map[*ir.Operand]bool{}
						for _, u := range p.StorageUses(f, &s) {
							known[s.Base][u.Operand] = true
						}
					}
					if !known[s.Base][o] {
						fmt.Fprintf(c.Err, "access-path-verification: no way leads from the storage in @%s to%s", f.Name, ir.NewLines(f).Inst(i))
					}
				})
			}
		}
		return false
	},
}

// storageWords name the kinds of storage.
var storageWords = map[facts.BaseKind]string{facts.BaseUnidentified: "Unidentified", facts.BaseBox: "Box", facts.BaseStack: "Stack",
	facts.BaseGlobal: "Global", facts.BaseClass: "Class", facts.BaseTail: "Tail", facts.BaseArgument: "Argument", facts.BaseYield: "Yield"}

func (d *storageDump) text(s *facts.AccessStorage) string {
	if !s.IsKnown() {
		return "INVALID\n"
	}
	text := storageWords[s.Kind] + " "
	if s.Global != nil {
		return text + ir.GlobalLines(s.Global) + "\n"
	}
	text += d.lines.Value(s.Root)
	if s.Kind == facts.BaseClass {
		text += d.property(s)
	}
	return text
}

// property describes the stored property of a class that a storage is.
func (d *storageDump) property(s *facts.AccessStorage) string {
	field := ""
	if class, f := d.p.Property(s.Root.Type, s.Property); f != nil {
		field = "  Field: " + declared(class, f)
	}
	return fmt.Sprintf("%s Index: %d\n", field, s.Property)
}

// declared returns the declaration of a stored property of a class as the language has it. A constant of a class is final.
func declared(class *ir.Nominal, f *ir.Field) string {
	var words []string
	if access := class.MemberAccess(f.Name); access != ir.AccessInternal {
		words = append(words, access.String())
	}
	if f.Final || f.Let {
		words = append(words, "final")
	}
	t := f.Type
	if t.Kind == ir.KindStorage {
		words = append(words, t.Storage.String())
		t = t.Elem
	}
	if f.Let {
		words = append(words, "let")
	} else {
		words = append(words, "var")
	}
	text := t.String()
	if payload := t.OptionalPayload(); payload != nil {
		text = payload.String() + "?"
	}
	return strings.Join(words, " ") + " " + f.Name + ": " + text
}

// AccessStorageAnalysisDump prints for each function the dynamically enforced accesses that it and its callees do.
var AccessStorageAnalysisDump = &pass.Pass{
	Name: "access-storage-analysis-dump",
	Doc:  "Prints for each function the dynamically enforced accesses that it and its callees do",
	Dump: true,
	Module: func(c *pass.Context) bool {
		for _, f := range c.Module.Functions() { // numbers the values: the storage may be one of a callee
			ir.NewLines(f)
		}
		accesses := &facts.FormalAccessAnalysis{Program: c.Program(nil)}
		eachNamedBody(c, func(f *ir.Function, p *facts.Program, lines *ir.Lines) {
			found := accesses.Of(f)
			d := &storageDump{c, p, lines}
			for n := range found.List {
				d.formal(&found.List[n])
			}
			if found.Unidentified != facts.AccessNone {
				fmt.Fprintf(c.Out, "  unidentified accesses: %s\n", found.Unidentified)
			}
		})
		return false
	},
}

func (d *storageDump) formal(a *facts.FormalAccess) {
	alone := ""
	if a.NoNestedConflict {
		alone = "[no_nested_conflict] "
	}
	fmt.Fprintf(d.c.Out, "  [%s] %s%s", a.Kind, alone, d.text(&a.Storage))
}
