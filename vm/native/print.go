package native

import (
	"silvm/ir"
	"silvm/vm"
)

var printers = map[string]func(*call){
	"$ss5print_9separator10terminatoryypd_S2StF":                                                        func(c *call) { c.printTo(itemPrintList) },
	"$ss10debugPrint_9separator10terminatoryypd_S2StF":                                                  func(c *call) { c.printTo(itemDebugList) },
	"$ss15_print_unlockedyyx_q_zts16TextOutputStreamR_r0_lF":                                            printUnlocked,
	"$ss20_debugPrint_unlockedyyx_q_zts16TextOutputStreamR_r0_lF":                                       debugPrintUnlocked,
	"$ss5print_9separator10terminator2toyypd_S2Sxzts16TextOutputStreamRzlF":                             func(c *call) { c.printInto(itemPrintList) },
	"$ss10debugPrint_9separator10terminator2toyypd_S2Sxzts16TextOutputStreamRzlF":                       func(c *call) { c.printInto(itemDebugList) },
	"$sSS10describingSSx_tclufC":                                                                        func(c *call) { c.stringOf(itemPrint, asPrinted) },
	"$sSS10reflectingSSx_tclufC":                                                                        func(c *call) { c.stringOf(itemDebug, asPrinted) },
	"$ss26DefaultStringInterpolationV06appendC0yyxlF":                                                   func(c *call) { c.appendInterpolation(asPrinted) },
	"$ss26DefaultStringInterpolationV06appendC0yyxs06CustomB11ConvertibleRzlF":                          func(c *call) { c.appendInterpolation(c.description) },
	"$ss26DefaultStringInterpolationV06appendC0yyxs20TextOutputStreamableRzlF":                          func(c *call) { c.appendInterpolation(asPrinted) },
	"$ss26DefaultStringInterpolationV06appendC0yyxs06CustomB11ConvertibleRzs20TextOutputStreamableRzlF": func(c *call) { c.appendInterpolation(asPrinted) },
}

// printTo is print and debugPrint: the items as they come, so that what a description prints itself is in between.
func (c *call) printTo(op itemOp) {
	write := func(b []byte) { c.fail(c.Write(b)) }
	c.writing(func() { c.pushPrint(op) }, write, write)
}

// pushPrint pushes all that print writes: the items of argument 0 with the separator 1, 2 between them, and the terminator 3, 4.
func (c *call) pushPrint(op itemOp) {
	c.push(itemText, nil, c.Arg(3), c.Arg(4))
	c.push(op, nil, c.Arg(0), 0)
}

// anyStride is the distance of the elements of [Any].
const anyStride = 32

// listItem shows one element of [Any] and leaves the rest for later.
func (c *call) listItem(x item) {
	if x.i >= c.load(x.a+arrayCount) || c.trap != nil {
		return
	}
	if x.i > 0 {
		c.putString(c.argString(1))
	} else {
		c.put("") // print writes a prefix, too, which is empty before the first item
	}
	c.push(x.op, nil, x.a, x.i+1)
	op := itemPrint
	if x.op == itemDebugList {
		op = itemDebug
	}
	a := x.a + arrayElements + x.i*anyStride
	at, ti, t := c.Payload(a)
	c.fail(t)
	c.push(op, ti, at, 0)
}

// printInto is print to a stream: argument 5 is its address.
func (c *call) printInto(op itemOp) {
	c.sinking(0, func() uint64 { return c.Arg(5) }, func() { c.pushPrint(op) })
}

// printUnlocked writes one value to a stream.
func printUnlocked(c *call) {
	c.sinking(1, func() uint64 { return c.Arg(1) }, func() { c.push(itemPrint, c.info(c.typeArg(0)), c.Arg(0), 0) })
}

func debugPrintUnlocked(c *call) {
	c.sinking(1, func() uint64 { return c.Arg(1) }, func() { c.push(itemDebug, c.info(c.typeArg(0)), c.Arg(0), 0) })
}

// sinking writes text to the stream whose type is type argument i and whose address stream returns: to a string here, to a
// stream of the program by its witness, write by write.
func (c *call) sinking(i int, stream func() uint64, begin func()) {
	t := c.typeArg(i)
	if t == nil {
		return
	}
	fi := -1
	if !stringStreams[t.Known()] {
		decl := c.m.Module().DeclOf(t)
		if decl == nil || decl.Builtin {
			c.unsupported("printing to " + t.String())
			return
		}
		var trap *vm.Trap
		fi, trap = c.Requirement("#TextOutputStream.write", t)
		c.fail(trap)
	}
	if c.State() == stateSink {
		c.sinkNext(fi, stream())
		return
	}
	c.lib.w.cutting = fi >= 0
	c.writing(begin, nil, func(text []byte) {
		if fi < 0 {
			c.appendAt(stream(), text)
			return
		}
		c.layPieces()
		c.sinkNext(fi, stream())
	})
	c.lib.w.cutting = false
}

// stringStreams are the streams of the standard library, which are a String.
var stringStreams = map[ir.Known]bool{ir.KnownString: true, ir.KnownDefaultStringInterpolation: true}

// layPieces lays down the text in Strings, one for each write; the last of them is followed by a word of all ones.
func (c *call) layPieces() {
	w := &c.lib.w
	block := c.allocRaw(uint64(len(w.cuts)+1)*16, 16)
	from := uint64(0)
	for n, to := range w.cuts {
		c.storeString(block+16*uint64(n), c.newStringBytes(w.out[from:to]))
		from = to
	}
	c.storeString(block+16*uint64(len(w.cuts)), str{^uint64(0), ^uint64(0)})
	c.SetLocal(localBlock, block)
	c.SetLocal(localScratch, 0)
}

// sinkNext writes the next piece to the program's stream; the one before, if any, was taken.
func (c *call) sinkNext(fi int, stream uint64) {
	block, n := c.Local(localBlock), c.Local(localScratch)
	if n > 0 {
		c.releaseString(c.loadString(block + 16*(n-1)))
	}
	s := c.loadString(block + 16*n)
	if s.object == ^uint64(0) {
		c.freeRaw(block)
		return
	}
	c.SetLocal(localScratch, n+1)
	c.SetState(stateSink)
	if c.trap == nil {
		c.fail(c.Call(fi, s.bits, s.object, stream))
	}
}

// stringOf makes a String of the value at an address, as String(describing:), String(reflecting:) and String(_:) do; made turns what it prints into
// the result.
func (c *call) stringOf(op itemOp, made func(text []byte) []byte) {
	// The value is @in: it is destroyed once its text is made.
	const destroying = 100
	if c.State() == destroying {
		c.setString(str{c.Local(localFree), c.Local(localFree + 1)})
		return
	}
	c.writing(func() { c.push(op, c.info(c.typeArg(0)), c.Arg(0), 0) }, nil, func(text []byte) {
		c.destroyThen(c.Arg(0), c.typeArg(0), destroying, c.newStringBytes(made(text)))
	})
}

// asPrinted leaves what a value prints as it is.
func asPrinted(text []byte) []byte { return text }

// appendInterpolation appends a value to the DefaultStringInterpolation whose address follows it; made turns what it prints into what is
// appended.
func (c *call) appendInterpolation(made func(text []byte) []byte) {
	c.writing(func() { c.push(itemPrint, c.info(c.typeArg(0)), c.Arg(0), 0) }, nil, func(text []byte) { c.appendAt(c.Arg(1), made(text)) })
}
