package dumps

import (
	"silvm/ir/source"
	"silvm/ir/verify"
	"silvm/opt/pass"
)

// DiagnoseStaticExclusivity warns on stderr of accesses to one variable that overlap on every run, as silvm check does. It changes nothing;
// where the compiler stops with an error, the program goes on to the passes after.
var DiagnoseStaticExclusivity = &pass.Pass{
	Name: "diagnose-static-exclusivity",
	Doc:  "Warns on stderr of accesses to one variable that overlap whenever control reaches them",
	Module: func(c *pass.Context) bool {
		diags := &source.List{Files: c.Module.Files}
		verify.Exclusivity(c.Module, diags)
		text := source.Renderer{Files: c.Module.Files}
		_ = text.Render(c.Err, diags) // a closed stderr stops no pass
		return false
	},
}
