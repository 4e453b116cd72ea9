package libc

import (
	"strings"

	"silvm/vm"
)

// The process (C11 7.22.4, POSIX).
var process = map[string]native{
	"abort": abort, "exit": exit, "_exit": exit, "_Exit": exit, "_swift_stdlib_gettid": threadID, "getenv": getenv, "gettid": threadID,
	"pthread_self": pthreadSelf, "pthread_equal": pthreadEqual,
}

// threadID returns the number of the thread; the first of Linux is 1.
func threadID(c call) *vm.Trap {
	c.Set(0, 1+c.ThreadNumber())
	return nil
}

// pthreadSelf returns a word that stands for the thread.
func pthreadSelf(c call) *vm.Trap {
	c.Set(0, (1+c.ThreadNumber())<<12)
	return nil
}

func pthreadEqual(c call) *vm.Trap {
	equal := uint64(0)
	if c.Arg(0) == c.Arg(1) {
		equal = 1
	}
	c.Set(0, equal)
	return nil
}

func abort(c call) *vm.Trap { return c.SwiftTrap("") }

func exit(c call) *vm.Trap {
	c.Exit(int(uint8(c.Arg(0))))
	return nil
}

// getenv returns the address of the value of a variable, null if there is none.
func getenv(c call) *vm.Trap {
	name, t := c.text(c.Arg(0))
	if t != nil {
		return t
	}
	for n, entry := range c.Environment() {
		if rest, ok := strings.CutPrefix(entry, string(name)); ok && strings.HasPrefix(rest, "=") {
			c.Set(0, c.EnvironmentEntry(n)+uint64(len(name))+1)
			return nil
		}
	}
	c.Set(0, 0)
	return nil
}
