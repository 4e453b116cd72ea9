package dap

import (
	"testing"

	"github.com/google/go-dap"
)

// A request that two families answer would be answered by whichever file comes last.
func TestTwoHandlersOfOneRequestAreRejected(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a second handler replaces the first one")
		}
	}()
	on("threads", false, func(*Server, *dap.ThreadsRequest) {})
}
