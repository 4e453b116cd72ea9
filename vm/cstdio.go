package vm

import (
	"maps"

	"silvm/vm/lower"
)

// The streams of the C library (C11 7.21). A stream is a handle that names its file; nothing lies at its address.
func init() {
	maps.Copy(cNatives, map[string]Native{
		"fputs": fputs, "fputc": fputc, "putc": fputc, "fwrite": fwrite, "fileno": fileno,
		"setvbuf": noError, "setbuf": nothing, "setlinebuf": nothing, "ferror": noError,
	})
}

// writeTo puts bytes out to a stream, and tells whether it is one for output.
func (m *Machine) writeTo(stream uint64, b ...byte) (bool, *Trap) {
	var ok bool
	switch stream {
	case lower.Stdout:
		ok = m.world.write(b...)
	case lower.Stderr:
		ok = m.world.writeError(b)
	case lower.Stdin:
		return false, nil
	default:
		return false, m.badAddress(stream)
	}
	if !ok {
		return false, m.limit("output")
	}
	return true, nil
}

// eof is what functions of streams give where they fail.
const eof = 1<<32 - 1

func fputs(m *Machine, c *NativeCall) *Trap {
	text, t := m.text(c.Arg(0))
	if t != nil {
		return t
	}
	ok, t := m.writeTo(c.Arg(1), text...)
	c.Set(0, 1)
	if !ok {
		c.Set(0, eof)
	}
	return t
}

func fputc(m *Machine, c *NativeCall) *Trap {
	ch := byte(c.Arg(0))
	ok, t := m.writeTo(c.Arg(1), ch)
	c.Set(0, uint64(ch))
	if !ok {
		c.Set(0, eof)
	}
	return t
}

// fwrite gives the number of whole elements that it wrote.
func fwrite(m *Machine, c *NativeCall) *Trap {
	from, size, count := c.Arg(0), c.Arg(1), c.Arg(2)
	if size == 0 || count == 0 {
		c.Set(0, 0)
		return nil
	}
	if count > ^uint64(0)/size {
		return m.badAddress(from)
	}
	b, ok := m.heap.Range(from, size*count)
	if !ok {
		return m.badAddress(from)
	}
	ok, t := m.writeTo(c.Arg(3), b...)
	c.Set(0, count)
	if !ok {
		c.Set(0, 0)
	}
	return t
}

func fileno(m *Machine, c *NativeCall) *Trap {
	stream := c.Arg(0)
	switch stream {
	case lower.Stdin, lower.Stdout, lower.Stderr:
		c.Set(0, (stream-lower.Stdin)/8)
		return nil
	}
	return m.badAddress(stream)
}
