package libc

import "silvm/vm"

// The streams of the C library (C11 7.21). A stream is a handle that names its file; nothing lies at its address.
var streams = map[string]native{
	"putchar": putchar, "getchar": getchar, "puts": puts, "fflush": noError,
	"fputs": fputs, "fputc": fputc, "putc": fputc, "fwrite": fwrite, "fileno": fileno,
	"setvbuf": noError, "setbuf": nothing, "setlinebuf": nothing, "ferror": noError,
}

// writeTo puts bytes out to a stream, and reports whether it is one for output.
func (c call) writeTo(stream uint64, b ...byte) (bool, *vm.Trap) {
	var t *vm.Trap
	switch stream {
	case vm.Stdout:
		t = c.Write(b)
	case vm.Stderr:
		t = c.WriteError(b)
	case vm.Stdin:
		return false, nil
	default:
		return false, c.BadAddress(stream)
	}
	return t == nil, t
}

// eof is what functions of streams return where they fail.
const eof = 1<<32 - 1

func fputs(c call) *vm.Trap {
	text, t := c.text(c.Arg(0))
	if t != nil {
		return t
	}
	ok, t := c.writeTo(c.Arg(1), text...)
	c.Set(0, 1)
	if !ok {
		c.Set(0, eof)
	}
	return t
}

func fputc(c call) *vm.Trap {
	ch := byte(c.Arg(0))
	ok, t := c.writeTo(c.Arg(1), ch)
	c.Set(0, uint64(ch))
	if !ok {
		c.Set(0, eof)
	}
	return t
}

// fwrite returns the number of whole elements that it wrote.
func fwrite(c call) *vm.Trap {
	from, size, count := c.Arg(0), c.Arg(1), c.Arg(2)
	if size == 0 || count == 0 {
		c.Set(0, 0)
		return nil
	}
	if count > ^uint64(0)/size {
		return c.BadAddress(from)
	}
	b, ok := c.Heap().View(from, size*count)
	if !ok {
		return c.BadAddress(from)
	}
	ok, t := c.writeTo(c.Arg(3), b...)
	c.Set(0, count)
	if !ok {
		c.Set(0, 0)
	}
	return t
}

func fileno(c call) *vm.Trap {
	stream := c.Arg(0)
	switch stream {
	case vm.Stdin, vm.Stdout, vm.Stderr:
		c.Set(0, (stream-vm.Stdin)/8)
		return nil
	}
	return c.BadAddress(stream)
}

func putchar(c call) *vm.Trap {
	ch := byte(c.Arg(0))
	if t := c.Write([]byte{ch}); t != nil {
		return t
	}
	c.Set(0, uint64(ch))
	return nil
}

// getchar returns the next byte of standard input, -1 at its end.
func getchar(c call) *vm.Trap {
	var b [1]byte
	if c.Read(b[:]) == 0 {
		c.Set(0, 1<<32-1)
		return nil
	}
	c.Set(0, uint64(b[0]))
	return nil
}

// puts writes a C string and a newline.
func puts(c call) *vm.Trap {
	text, t := c.text(c.Arg(0))
	if t != nil {
		return t
	}
	if t := c.Write(text); t != nil {
		return t
	}
	if t := c.Write([]byte{'\n'}); t != nil {
		return t
	}
	c.Set(0, uint64(len(text))+1)
	return nil
}
