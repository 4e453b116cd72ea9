package lower

import (
	"errors"
	"fmt"

	"silvm/vm/abi"
	"silvm/vm/mir"
)

// unsupported is the error for something that silvm can't run. It becomes a Trap at the instruction that needs it.
type unsupported struct{ what string }

func (u unsupported) Error() string { return "not supported: " + u.what }

func unsupportedf(format string, args ...any) error {
	return unsupported{fmt.Sprintf(format, args...)}
}

// reasonOf returns the text for the Trap that stands in for what failed with err, and false when err is of another kind.
func reasonOf(err error) (string, bool) {
	var u unsupported
	var large mir.TooLarge
	var t *abi.Unsupported
	var n *abi.NotConcrete
	switch {
	case errors.As(err, &u):
		return u.what, true
	case errors.As(err, &large):
		return large.What, true
	case errors.As(err, &t):
		return t.Error(), true
	case errors.As(err, &n):
		return n.Error(), true
	}
	return "", false
}
