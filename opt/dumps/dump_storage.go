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
			pass.EachInst(f, func(i *ir.Inst) {
				if p.Memory(i) != op.MemNone {
					fmt.Fprintf(c.Out, "###For MemOp: %s", lines.Inst(i))
					facts.AccessedAddresses(i, d.access)
				}
			})
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
func (d *storageDump) access(o *ir.Operand) {
	s := d.p.AccessStorage(o.Value())
	fmt.Fprint(d.c.Out, d.text(&s))
	if s.Base == nil {
		fmt.Fprint(d.c.Out, "Base: unidentified\nINVALID\n")
		return
	}
	fmt.Fprintf(d.c.Out, "Base: %sStorage: %sPath: %s\n", d.lines.Value(s.Base), d.text(&s), s.PathText())
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
		for _, f := range pass.Functions(c.Module) { // numbers the values: the storage may be one of a callee
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
