package native

var stringEditing = map[string]func(*call){
	"$sSS15replaceSubrange_4withySnySS5IndexVG_xtSlRzSJ7ElementRtzlF": replaceSubrange,
	"$sSS14removeSubrangeyySnySS5IndexVGF":                            func(c *call) { c.replaceRange(c.Arg(2), c.Arg(0), c.Arg(1), "") },
	"$sSS5IndexV11utf16Offset2inSix_tSyRzlF": func(c *call) {
		c.stringSelf(0, func(s substr) { c.Set(0, c.utf16Offset(s, c.Arg(1))) })
	},
	"$sSS5IndexV11utf16Offset2inABSi_xtcSyRzlufC": func(c *call) {
		c.stringSelf(1, func(s substr) { c.Set(0, c.atUTF16Offset(s, int64(c.Arg(0)))) })
	},
	"$sSS6insert10contentsOf2atyx_SS5IndexVtSlRzSJ7ElementRtzlF": insertSequence,
	"$sSS11utf8CStrings15ContiguousArrayVys4Int8VGvg":            utf8CString,
	"$ss8readLine16strippingNewlineSSSgSb_tF":                    readLine,
	"$ss11CommandLineO9argumentsSaySSGvgZ":                       commandLine,
	"$ss11CommandLineO10unsafeArgvSpySpys4Int8VGSgGvgZ":          func(c *call) { c.Set(0, c.ArgTable()) },
	"$ss11CommandLineO4argcs5Int32VvgZ":                          func(c *call) { c.Set(0, uint64(len(c.Args()))) },
}

// replaceRange replaces the text between two indices of the String at a.
func (c *call) replaceRange(a, from, to uint64, with string) {
	s := c.loadString(a)
	text := c.text(s)
	if from>>14 > to>>14 || to>>indexShift > uint64(len(text)) {
		c.outOfBounds()
		return
	}
	lo, hi := c.scalarAligned(s, from)>>indexShift, c.scalarAligned(s, to)>>indexShift
	c.replaceText(a, text[:lo]+with+text[hi:])
}

// replaceSubrange replaces the text between two indices by the Characters of a collection: range, collection, string.
func replaceSubrange(c *call) {
	c.textOfSequence(c.typeArg(0), c.Arg(2), false, false, func(text []byte) { c.replaceRange(c.Arg(3), c.Arg(0), c.Arg(1), string(text)) })
}

// insertSequence inserts the Characters of a collection: collection, index, string.
func insertSequence(c *call) {
	c.textOfSequence(c.typeArg(0), c.Arg(0), false, false, func(text []byte) { c.replaceRange(c.Arg(2), c.Arg(1), c.Arg(1), string(text)) })
}

// utf8CString returns the bytes of a string and a NUL as an array.
func utf8CString(c *call) {
	text := c.text(c.argString(0))
	n := uint64(len(text)) + 1
	ref := c.newArray(c.info(c.nominal("Int8")), n, n)
	copy(c.mem(ref+arrayElements, n), text+"\x00")
	c.Set(0, ref)
}

// maxLine bounds one line of input, in bytes.
const maxLine = 1 << 28

// readLine leaves a line of standard input, nil at its end.
func readLine(c *call) {
	var line []byte
	var b [1]byte
	ended := false
	for len(line) < maxLine && !ended {
		if c.Read(b[:]) == 0 {
			break
		}
		line = append(line, b[0])
		ended = b[0] == '\n'
	}
	if len(line) == 0 {
		c.Set(0, 0)
		c.Set(1, 0)
		return
	}
	if c.Arg(0)&1 != 0 && ended {
		line = line[:len(line)-1]
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
	}
	c.setString(c.newString(repair(string(line))))
}

// commandLine returns the arguments as an array of strings.
func commandLine(c *call) {
	elem := c.info(c.nominal("String"))
	args := c.Args()
	ref := c.newArray(elem, uint64(len(args)), uint64(len(args)))
	for i, arg := range args {
		c.storeString(ref+arrayElements+16*uint64(i), c.newString(repair(arg)))
	}
	c.Set(0, ref)
}
