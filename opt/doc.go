// Package opt is the table of passes and the pipelines made of them. The passes live in rooms below it, by subject:
//
//	pass      what a pass is written against: context, remarks, settings, run
//	rewrite   edits: insert, clone, replace, delete, salvage debug info, update SSA form
//	fold      values known before the program runs; cse, dce
//	ossa      copies, borrows and lifetimes in ownership form, and the way out of it
//	memory    stack slots, boxes, loads, stores, temporaries, objects that nobody looks at
//	loops     canonical loops, rotation, code motion out of loops, copies of loops
//	arc       retains and releases out of ownership form
//	access    exclusive access and its checks
//	calls     devirtualization, inlining, specialization, signatures, effects, dead functions
//	flow      branches, blocks and their arguments, jump threading
//	definiteinit  raw SIL: which writes initialize, what is used too early
//	combine   local rules: sil-combine, simplification, constant propagation
//	dumps     printers of facts, and sil-opt's test-runner
//	reduce    making a file smaller that shows something (on its own, for the command)
//
// Imports go downward in this order of floors: pass, rewrite, the rooms of the passes, dumps, opt. The few arrows between rooms of passes
// are listed with their reasons in cmd/silvm/layering_test.go. A pass is named as sil-opt names it, and the file that has it is named
// after the pass. The cases in testdata run every pass by its name.
//
// Read pass/pass.go first, then passes.go here.
package opt
