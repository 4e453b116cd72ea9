package opt

import "silvm/opt/pass"

// A Pipeline is a named sequence of passes.
type Pipeline struct {
	Name   string
	Doc    string
	Passes []string
}

// Default is the pipeline of `silvm run -O`: what lowers the ARC traffic of code as swiftc -Onone prints it.
var Default = Pipeline{Name: "default", Doc: "the passes of silvm run -O", Passes: []string{
	// what the compiler proved of accesses is no use to the optimizer, and keeps variables in memory
	"access-marker-elim",
	// in ownership form, where there is one: copies of what a borrow scope gives go before copy-propagation shrinks the scope
	"semantic-arc-opts", "copy-propagation",
	"allocbox-to-stack", "copy-forwarding", "destroy-addr-hoisting", "temp-rvalue-opt", "temp-lvalue-opt", "mem2reg",
	"copy-propagation", "semantic-arc-opts", "copy-propagation", "ownership-model-eliminator",
	// calls out of the way, so that both ends of a pair meet in one function
	"devirtualizer", "generic-specializer", "early-inline", "devirtualizer", "generic-specializer", "inline",
	"simplify-cfg", "sil-combine", "sroa", "mem2reg", "cse", "dce", "sil-combine", "simplify-cfg",
	// retains and releases towards one another, then away
	"compute-escape-effects", "compute-side-effects", "redundant-load-elimination", "dead-store-elimination",
	"early-codemotion", "retain-sinking", "release-hoisting", "arc-sequence-opts",
	"inline", "simplify-cfg", "sil-combine", "sroa", "mem2reg", "performance-constant-propagation", "cse", "dce", "simplify-cfg",
	"compute-escape-effects", "compute-side-effects", "redundant-load-elimination", "dead-store-elimination",
	"deadobject-elim", "late-codemotion", "retain-sinking", "late-release-hoisting", "arc-sequence-opts",
	// what does not leave its function needs no heap, and its last release is a call of its deinit
	"compute-escape-effects", "stack-promotion", "release-devirtualizer",
}}

// Resolve gives the passes of the pipeline, in order. A test checks that the table of passes has each of them.
func (p *Pipeline) Resolve() []*pass.Pass {
	var list []*pass.Pass
	for _, name := range p.Passes {
		if pass := Lookup(name); pass != nil {
			list = append(list, pass)
		}
	}
	return list
}

// Pipelines lists all pipelines.
func Pipelines() []*Pipeline { return []*Pipeline{&Default} }
