package loader

// Options bound what the loader accepts. The zero Options mean the defaults.
type Options struct {
	MaxNesting int  // levels of nested types and braces; 0 means 1000
	MaxBytes   int  // bytes of text in one file; 0 means 1 GiB
	Lazy       bool // bodies of functions stay text until ir.Function.Body asks for them
}
