package libc

import "silvm/vm"

// The number of the last error, and what programs ask of terminals: no stream of a run is one.
var terminal = map[string]native{
	"__errno_location": errnoLocation, "$s5Glibc5errnos5Int32Vvg": errnoGet, "$s5Glibc5errnos5Int32Vvs": errnoSet,
	"isatty": func(c call) *vm.Trap { return c.askTerminal(0) }, "ioctl": ioctl, "$s5Glibc5ioctlys5Int32VAD_SuSvtF": ioctl,
	"$s5Glibc5ioctlys5Int32VAD_SuADtF": ioctl, "$s5Glibc5ioctlys5Int32VAD_SutF": ioctl,
}

// errno returns the address of the number of the last error. Functions of the C library that can't fail here leave it alone.
func (c call) errno() (uint64, *vm.Trap) { return c.GlobalAddr("errno") }

func errnoLocation(c call) *vm.Trap {
	at, t := c.errno()
	c.Set(0, at)
	return t
}

func errnoGet(c call) *vm.Trap {
	at, t := c.errno()
	if t != nil {
		return t
	}
	v, t := c.word(at)
	c.Set(0, v)
	return t
}

func errnoSet(c call) *vm.Trap {
	at, t := c.errno()
	if t != nil {
		return t
	}
	return c.setWords(at, 0, c.Arg(0)&minusOne)
}

// askTerminal fails: what is asked is no terminal, or no file at all. The result is given.
func (c call) askTerminal(result uint64) *vm.Trap {
	number := uint64(noTerminal)
	if c.Arg(0)&minusOne > standardStream {
		number = badDescriptor
	}
	return c.fails(result, number)
}

// ioctl does what is asked of terminals alone; other requests have no answer here.
func ioctl(c call) *vm.Trap {
	const terminalRequests = 0x5400 // TCGETS, TIOCGWINSZ and the like
	if c.Arg(1)&^0xff != terminalRequests {
		return c.Unsupported("a request of ioctl to something that is no terminal")
	}
	return c.askTerminal(minusOne)
}
