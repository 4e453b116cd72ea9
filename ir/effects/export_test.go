package effects

// ParsePath is for tests from outside.
var ParsePath = parsePath

// IsValue is for tests from outside.
func (k FieldKind) IsValue() bool { return k.isValue() }
