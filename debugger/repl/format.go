package repl

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"silvm/debugger"
	"silvm/debugger/view"
)

// Values and memory in other forms.

func doPrint(r *REPL, c call) error {
	if c.args == "" {
		return fmt.Errorf("print needs an expression")
	}
	v, err := r.d.Eval(c.args, r.frame)
	if err != nil {
		if failed := r.call(c.args); failed == nil || debugger.IsCall(c.args) {
			return failed
		}
		return err
	}
	r.give(func() any { return r.view.Expanded(c.args, v) })
	switch c.format {
	case "":
		r.showValue(c.args, v)
		return nil
	case "x", "r", "raw", "b":
		r.printf("%s\n", r.raw(v))
		return nil
	}
	text, ok := number64(r.d.Text(v), c.format)
	if !ok {
		r.showValue(c.args, v)
		return nil
	}
	r.printf("%s%s = %s\n", r.paint(Name, clean(c.args)), r.typed(v), text)
	return nil
}

func doCall(r *REPL, c call) error {
	if c.args == "" {
		return fmt.Errorf("call needs a function: fib(3), list.find(key), or a property with a getter")
	}
	return r.call(c.args)
}

// call makes a call of the program and shows what it came to.
func (r *REPL) call(text string) error {
	return r.d.Call(text, r.frame, func(x debugger.Called) {
		r.give(func() any { return r.view.Called(text, x) })
		r.printf("%s", r.printed(x.Printed))
		switch {
		case x.Stopped != "":
			r.printf("%s did not return: %s\n", clean(x.Func), clean(x.Stopped))
		case x.Nothing && x.Self != nil:
			r.printf("%s returned, and self was %s then\n", clean(x.Func), clean(r.d.Text(*x.Self)))
		case x.Nothing:
			r.printf("%s returned\n", clean(x.Func))
		case x.Threw:
			r.printf("%s threw %s\n", clean(x.Func), clean(r.d.Text(x.Result)))
		default:
			r.showValue(text, x.Result)
		}
	})
}

// printed words what a call has printed.
func (r *REPL) printed(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("it prints: " + clean(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return b.String()
}

// number64 words a number in a form; ok is false when the text is no whole number.
func number64(text, form string) (string, bool) {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "Optional("), ")")
	n, err := strconv.ParseInt(text, 10, 64)
	u := uint64(n)
	if err != nil {
		if u, err = strconv.ParseUint(text, 0, 64); err != nil {
			return "", false
		}
	}
	return formed(u, 8, form), true
}

// formed words an unsigned word of size bytes.
func formed(u uint64, size int, form string) string {
	switch form {
	case "d":
		shift := 64 - 8*size
		return strconv.FormatInt(int64(u<<shift)>>shift, 10)
	case "u":
		return strconv.FormatUint(u, 10)
	case "o":
		return "0o" + strconv.FormatUint(u, 8)
	case "t":
		return "0b" + strconv.FormatUint(u, 2)
	case "c":
		return fmt.Sprintf("%d %q", u, rune(uint32(u)))
	}
	return fmt.Sprintf("0x%0*x", 2*size, u)
}

func doWhatis(r *REPL, c call) error {
	if c.args == "" {
		return fmt.Errorf("whatis needs an expression")
	}
	v, err := r.d.Eval(c.args, r.frame)
	if err != nil {
		return err
	}
	name := r.d.TypeOf(v)
	if name == "" {
		name = "a number or a text"
	}
	r.printf("%s : %s\n", r.paint(Name, clean(c.args)), r.paint(Type, clean(name)))
	if v.Layout != nil {
		r.printf("  %s, alignment %d\n", count(int(v.Layout.Size), "byte"), v.Layout.Align)
	}
	const most = 64
	r.give(func() any { return r.view.Expanded(c.args, v) })
	for _, k := range r.d.Children(v, most) {
		r.printf("  %s%s\n", clean(k.Name), r.typed(k.Value))
	}
	return nil
}

// units are the letters for sizes, in bytes.
var units = map[byte]int{'b': 1, 'h': 2, 'w': 4, 'g': 8}

// examineForm reads the letters after x/.
func examineForm(form string) (n int, how string, size int, err error) {
	digits := 0
	for digits < len(form) && form[digits] >= '0' && form[digits] <= '9' {
		digits++
	}
	if digits > 0 {
		if n, err = strconv.Atoi(form[:digits]); err != nil || n > maxExamined {
			return 0, "", 0, fmt.Errorf("at most %d units", maxExamined)
		}
	}
	for _, letter := range []byte(form[digits:]) {
		if s := units[letter]; s > 0 && size == 0 {
			size = s
		} else if strings.IndexByte("xduotcsia", letter) >= 0 {
			how = string(letter)
		} else {
			return 0, "", 0, fmt.Errorf("x/%s: a count, one of x d u o t c s i a, and one of b h w g", clean(form))
		}
	}
	return n, how, size, nil
}

const maxExamined = 4096

// addressOf returns the address that an expression means: of an object, of what lies in memory, or the number itself.
func (r *REPL) addressOf(word string) (uint64, debugger.Value, error) {
	if addr, err := strconv.ParseUint(strings.TrimPrefix(word, "&"), 0, 64); err == nil {
		return addr, debugger.Value{}, nil
	}
	v, err := r.d.Eval(strings.TrimPrefix(word, "&"), r.frame)
	if err != nil {
		return 0, v, err
	}
	if ref, ok := r.d.Ref(v); ok {
		return ref, v, nil
	}
	switch {
	case v.Addr != 0:
		return v.Addr, v, nil
	case len(v.Bytes) >= 8:
		return binary.LittleEndian.Uint64(v.Bytes), v, nil
	}
	return 0, v, fmt.Errorf("%s is no address", clean(word))
}

func doExamine(r *REPL, c call) error {
	n, how, size, err := examineForm(c.format)
	if err != nil {
		return err
	}
	word, rest := cutWord(c.args)
	if how == "i" {
		return doList(r, call{})
	}
	if word == "" {
		return fmt.Errorf("x needs an address")
	}
	addr, v, err := r.addressOf(word)
	if err != nil {
		return err
	}
	if how == "s" && v.Layout != nil && strings.HasPrefix(r.d.Text(v), `"`) {
		r.printf("%s\n", clean(r.d.Text(v)))
		return nil
	}
	if c.format == "" || how == "" && size == 0 {
		bytes := uint64(64)
		if n > 0 {
			bytes = uint64(8 * n)
		}
		if rest != "" {
			if bytes, err = number(rest); err != nil {
				return err
			}
		}
		return r.dump(addr, min(bytes, maxExamined))
	}
	if how == "s" {
		return r.text(addr)
	}
	return r.words(addr, max(n, 1), how, size)
}

// text shows the bytes up to a zero.
func (r *REPL) text(addr uint64) error {
	var out []byte
	for len(out) < maxExamined {
		b, ok := r.d.Heap().Load8(addr + uint64(len(out)))
		if !ok && len(out) == 0 {
			return fmt.Errorf("%#x is not mapped", addr)
		}
		if !ok || b == 0 {
			break
		}
		out = append(out, byte(b))
	}
	r.printf("%#x  %q\n", addr, out)
	return nil
}

// words shows units of memory.
func (r *REPL) words(addr uint64, n int, how string, size int) error {
	if size == 0 {
		size = 8
	}
	if how == "c" {
		size = 1
	}
	b, ok := r.d.Heap().View(addr, uint64(n*size))
	if !ok {
		return fmt.Errorf("%#x is not mapped", addr)
	}
	r.give(func() any { return view.Memory{Address: fmt.Sprintf("%#x", addr), Bytes: hex.EncodeToString(b)} })
	row := 16 / size
	for k := 0; k < n; k++ {
		if k%row == 0 {
			if k > 0 {
				r.printf("\n")
			}
			r.printf("%#08x ", addr+uint64(k*size))
		}
		u := uint64(0)
		for j := size - 1; j >= 0; j-- {
			u = u<<8 | uint64(b[k*size+j])
		}
		if how == "a" {
			r.printf(" %s", clean(r.d.Pointee(u)))
		} else {
			r.printf(" %s", formed(u, size, how))
		}
	}
	r.printf("\n")
	return nil
}

// dump shows bytes with their characters.
func (r *REPL) dump(addr, n uint64) error {
	b, ok := r.d.Heap().View(addr, n)
	if !ok {
		return fmt.Errorf("%#x is not mapped", addr)
	}
	r.give(func() any { return view.Memory{Address: fmt.Sprintf("%#x", addr), Bytes: hex.EncodeToString(b)} })
	for k := 0; k < len(b); k += 16 {
		row := b[k:min(k+16, len(b))]
		text := make([]byte, len(row))
		for n, x := range row {
			text[n] = '.'
			if x >= 0x20 && x < 0x7f {
				text[n] = x
			}
		}
		r.printf("%#08x  % -47x  %s\n", addr+uint64(k), row, text)
	}
	return nil
}
