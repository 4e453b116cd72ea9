package native

import "testing"

// A symbol that two files bring would run what was entered last, which the order of files decides.
func TestTwoNativesOfOneSymbolAreRejected(t *testing.T) {
	before := groups
	defer func() {
		groups = before
		if recover() == nil {
			t.Error("a second native of a symbol replaces the first one")
		}
	}()
	for symbol, f := range groups[0] {
		groups = append(groups[:len(groups):len(groups)], map[string]func(*call){symbol: f})
		break
	}
	Table()
}
