package lower

// classTables, typeTables and globalTables are what the lowerer remembers of classes, type metadata and globals.
type (
	classTables  struct{}
	typeTables   struct{}
	globalTables struct{}
)
