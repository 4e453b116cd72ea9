package definiteinit

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// DefiniteInit decides for each write to marked memory whether it initializes or replaces, and says where memory is used before it is
// initialized:
//
//	%1 = mark_uninitialized [var] %0          %1 = mark_uninitialized [var] %0
//	assign %2 to %1                       →   assign %2 to [init] %1
//	assign %3 to %1                           assign %3 to [reassign] %1
//
// Memory that is initialized on some paths only gets a variable of Builtin.IntN with a bit for each element, which the writes set and conditional
// destroys read. In initializers that fail it destroys the stored properties that are initialized and frees the object. The marks stay, for
// the passes until raw-sil-inst-lowering (lib/SILOptimizer/Mandatory/DefiniteInitialization.cpp).
var DefiniteInit = &pass.Pass{
	Name:        "definite-init",
	Doc:         "Tells initialization from assignment in raw SIL, and says what is used before it is initialized",
	Unoptimized: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		var marks []*ir.Inst
		for i := range f.Insts() {
			if i.Op == op.MarkUninitialized {
				marks = append(marks, i)
			}
		}
		for _, mark := range marks {
			check(c, f, mark)
		}
		return len(marks) > 0
	},
}

// check works on one marked object.
func check(c *pass.Context, f *ir.Function, mark *ir.Inst) {
	e := rewrite.NewEditor(c, f)
	o, why := newObject(e, mark)
	if o == nil {
		lack(c, f, mark, why)
		return
	}
	u := collect(o)
	if u.odd != nil {
		lack(c, f, u.odd, u.why)
		return
	}
	k := newChecker(o, u)
	k.run()
	f.Renumber()
	c.Changed(f)
}

// lack says that an instruction is not understood. The object is left as it is.
func lack(c *pass.Context, f *ir.Function, i *ir.Inst, why string) {
	c.LackIn(f, "definite-init of %q in @%s: %s", i.String(), f.Name, why)
}
