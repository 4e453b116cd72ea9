package op

// BuiltinID names a builtin without the types after its name and without the memory order of an atomic access. The constants are
// generated from the table; the zero value is NotBuiltin.
type BuiltinID uint16

// firstBuiltin is the number of the table's first line: after NotBuiltin and BuiltinUnknown.
const firstBuiltin BuiltinID = 2

// builtinRowByID has the row of each BuiltinID, the first of those that differ in the memory order alone.
var builtinRowByID = func() []*BuiltinRow {
	rows := make([]*BuiltinRow, int(firstBuiltin)+len(builtinLines))
	for _, r := range builtins {
		if rows[r.ID] == nil {
			rows[r.ID] = r
		}
	}
	return rows
}()

// BuiltinNames lists the builtins' names without types and memory orders, in the order of their constants.
func BuiltinNames() []string {
	names := make([]string, len(builtinLines))
	for i := range builtinLines {
		names[i] = builtinLines[i].name
	}
	return names
}

// Row returns what the table says of the builtin, for atomic accesses the row of one memory order; nil for NotBuiltin and BuiltinUnknown.
func (id BuiltinID) Row() *BuiltinRow {
	if int(id) < len(builtinRowByID) {
		return builtinRowByID[id]
	}
	return nil
}

// String returns the name as SIL writes it, without types and memory order; "?" when there is no row.
func (id BuiltinID) String() string {
	if id < firstBuiltin || int(id-firstBuiltin) >= len(builtinLines) {
		return "?"
	}
	return builtinLines[id-firstBuiltin].name
}

// IsAtomic reports whether the builtin reads or writes memory atomically.
func (id BuiltinID) IsAtomic() bool { return id >= BuiltinAtomicload && id <= BuiltinAtomicrmwUmin }

// IsReadModifyWrite reports whether the builtin changes memory atomically and returns what was there.
func (id BuiltinID) IsReadModifyWrite() bool {
	return id >= BuiltinAtomicrmwXchg && id <= BuiltinAtomicrmwUmin
}
