package debugger

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/vm/code"
)

// places reads where a breakpoint shall stand:
//
//	FUNC          the first instruction of functions with that mangled, demangled or short name; of a property with its type its accessors
//	FUNC:bb3      the first instruction of a block; bb3 alone is one of the function that runs
//	FUNC:%5       the instruction that defines a value; %5 alone
//	FILE:LINE     an instruction on that line of a SIL file or of a Swift source; LINE alone of the file that runs
//	/REGEX/       the first instruction of functions whose mangled or demangled name matches
//	*STEP         is no place; use goto
func (d *Debugger) places(spec string) (func(f *code.Func) []place, error) {
	if len(spec) > 1 && spec[0] == '/' && strings.HasSuffix(spec, "/") {
		re, err := regexp.Compile(spec[1 : len(spec)-1])
		if err != nil {
			return nil, err
		}
		return func(f *code.Func) []place {
			own := f.Fn != nil && (re.MatchString(f.Fn.Name) || re.MatchString(Demangled(f.Fn)))
			return d.entries(f, own, func(symbol string) bool { return re.MatchString(symbol) || re.MatchString(d.demangled(symbol)) })
		}, nil
	}
	name, rest := "", spec
	if n := strings.LastIndexByte(spec, ':'); n > 0 {
		name, rest = spec[:n], spec[n+1:]
	}
	if line, err := strconv.Atoi(rest); err == nil {
		return d.linePlaces(name, line)
	}
	if isBlockName(rest) || strings.HasPrefix(rest, "%") {
		return d.insidePlaces(name, rest)
	}
	if err := d.CheckFunc(spec); err != nil {
		return nil, err
	}
	return func(f *code.Func) []place {
		own := f.Fn != nil && isNamed(f.Fn, spec)
		return d.entries(f, own, func(symbol string) bool { return isCalled(symbol, d.demangled(symbol), spec) })
	}, nil
}

func isBlockName(s string) bool {
	_, err := strconv.Atoi(strings.TrimPrefix(s, "bb"))
	return strings.HasPrefix(s, "bb") && err == nil
}

// CheckFunc says that no function has a name, and which is the most similar.
func (d *Debugger) CheckFunc(name string) error {
	if d.isFunc(name) {
		return nil
	}
	if d.mod.Archive != nil && d.linkFunc(name) {
		return nil
	}
	var names []string
	add := func(symbol string) {
		if n, called := withoutContext(ShortName(d.demangled(symbol))); called {
			names = append(names, n)
		}
	}
	for _, f := range d.mod.Funcs {
		add(f.Name)
	}
	for sc := range d.mod.Scopes() {
		if sc.Inlined != nil && sc.Parent == nil {
			add(sc.Func)
		}
	}
	near := nearest(name, names)
	if near == "" && d.mod.Archive != nil {
		near = d.nearestInLibrary(name)
	}
	return &NoSuch{What: "function", Name: name, Near: near}
}

// linkFunc links the library's functions that a name means, and reports whether there are any: in the module are those that something has
// reached.
func (d *Debugger) linkFunc(name string) bool {
	words := spelled(name)
	var found []string
	for symbol := range d.mod.Archive.FunctionNames() {
		there := symbol == strings.TrimPrefix(name, "@")
		if !there && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(symbol, w) }) {
			there = isCalled(symbol, ir.DisplayName(symbol, ""), name)
		}
		if there {
			found = append(found, symbol)
		}
	}
	for _, symbol := range found {
		d.mod.Func(symbol)
	}
	return len(found) > 0
}

// nearestInLibrary returns the library's function one identifier of whose symbol is most similar to a name, "" when none is.
func (d *Debugger) nearestInLibrary(name string) string {
	name = bare(name[strings.LastIndexByte(name, '.')+1:])
	var close []string
	for symbol := range d.mod.Archive.FunctionNames() {
		for n := 0; n < len(symbol); n++ {
			size := 0
			for ; n < len(symbol) && symbol[n] >= '0' && symbol[n] <= '9' && size < len(symbol); n++ {
				size = size*10 + int(symbol[n]-'0')
			}
			if size > 1 && n+size <= len(symbol) && distance(name, symbol[n:n+size], 2) <= 2 && size > 3 {
				close = append(close, ShortName(ir.DisplayName(symbol, "")))
				break
			}
		}
	}
	return nearest(name, close)
}

// spelled returns words that are in the symbol of each function that a name may mean: the first occurrence of a word of an identifier is
// written out (docs/ABI/Mangling.rst, Identifiers). It is nil for a name that the symbol has as a letter, or not at all.
func spelled(name string) (words []string) {
	word := bare(name[strings.LastIndexByte(name, '.')+1:])
	made := strings.HasPrefix(word, "__") || strings.HasSuffix(word, "Addressor") || accessors[word] || slices.Contains([]string{"init", "deinit", "subscript"}, word)
	if made || strings.ContainsFunc(word, func(c rune) bool { return c > 0x7F || c != '_' && !isWordByte(byte(c)) }) {
		return nil
	}
	from := 0
	for n := 1; n <= len(word); n++ {
		if n == len(word) || word[n] == '_' || isUpper(word[n]) && !isUpper(word[n-1]) {
			words = append(words, strings.Trim(word[from:n], "_"))
			from = n
		}
	}
	return words
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func (d *Debugger) isFunc(name string) bool {
	for _, f := range d.mod.Funcs {
		if isCalled(f.Name, d.demangled(f.Name), name) {
			return true
		}
	}
	for sc := range d.mod.Scopes() {
		if whole := sc.Function(); sc.Inlined != nil && isCalled(whole.Func, d.demangled(whole.Func), name) {
			return true
		}
	}
	return false
}

// insidePlaces finds a block or a value, in the running function when name is "".
func (d *Debugger) insidePlaces(name, what string) (func(f *code.Func) []place, error) {
	if name == "" {
		fr, ok := d.call(0)
		if !ok || fr.Func == nil || fr.Func.Fn == nil {
			return nil, &NoSuch{What: "running function for", Name: what}
		}
		name = fr.Func.Fn.Name
	} else if err := d.CheckFunc(name); err != nil {
		return nil, err
	}
	match := func(f *code.Func) []place {
		if f.Fn == nil || !isNamed(f.Fn, name) {
			return nil
		}
		for _, pc := range f.Bounds {
			i := d.m.PlaceOf(pc).Inst
			switch {
			case i == nil:
			case isBlockName(what):
				if i.Block().Name == what {
					return placed(pc)
				}
			default:
				for _, r := range i.Results {
					if d.nameOf(r) == what {
						return placed(pc)
					}
				}
				if i == i.Block().First() {
					for _, a := range i.Block().Args {
						if d.nameOf(a) == what {
							return placed(pc)
						}
					}
				}
			}
		}
		return nil
	}
	for _, f := range d.m.Program().Lowered {
		if f.Fn != nil && isNamed(f.Fn, name) {
			if len(match(f)) == 0 {
				return nil, &NoSuch{What: "such place in " + Short(f.Fn), Name: what}
			}
			break
		}
	}
	return match, nil
}

// linePlaces finds the first instruction on a line of a file, in each function that has one. A line of SIL without one stands for the
// next that has one; so does a line of Swift.
func (d *Debugger) linePlaces(file string, line int) (func(f *code.Func) []place, error) {
	if file == "" {
		fr, ok := d.call(0)
		if ok && fr.Inst != nil {
			file = d.mod.Files.Place(fr.Inst.Pos).File
		}
	}
	for _, f := range d.mod.Files.Files() {
		if sameFile(f.Name, file) {
			if line < 1 || line > f.Lines() {
				return nil, fmt.Errorf("%s has %d lines", f.Name, f.Lines())
			}
			return func(fn *code.Func) []place {
				best, at := 1<<30, uint32(0)
				first := 0
				for _, pc := range fn.Bounds {
					p := d.mod.Files.Place(d.m.PlaceOf(pc).Pos)
					if first == 0 {
						first = p.Line
					}
					if sameFile(p.File, f.Name) && p.Line >= line && p.Line < best {
						best, at = p.Line, pc
					}
				}
				if best == 1<<30 || best != line && (first > line || best > line+8) {
					return nil
				}
				return placed(at)
			}, nil
		}
	}
	line, err := d.sourceLine(file, line)
	if err != nil {
		return nil, err
	}
	return func(fn *code.Func) []place {
		var out []place
		t := d.lineTable(fn)
		for _, pc := range fn.Bounds {
			s := t.at[pc]
			if s == nil {
				continue
			}
			for n := s.from; n < len(s.levels); n++ {
				if l := s.levels[n]; l.known && l.key.line == line && sameFile(l.key.file, file) {
					out = append(out, place{pc, s.hides(n)})
					break
				}
			}
		}
		return out
	}, nil
}

// sameFile reports whether what the user calls a file means it.
func sameFile(name, said string) bool {
	return name == said || path.Base(name) == said
}

// isNamed reports whether name means the function: mangled, demangled, or the last part of the demangled name without its labels.
func isNamed(f *ir.Function, name string) bool { return isCalled(f.Name, Demangled(f), name) }

// isCalled reports whether name means the function with a symbol and a demangled name.
func isCalled(symbol, full, name string) bool {
	name = strings.TrimPrefix(name, "@")
	if symbol == name {
		return true
	}
	for _, form := range []string{full, ShortName(full), plainName(full)} {
		if form == name {
			return true
		}
		form, called := withoutContext(form)
		if !called {
			continue
		}
		if form == name || bare(form) == name || strings.HasSuffix(bare(form), "."+name) || strings.HasSuffix(form, "."+name) {
			return true
		}
	}
	if of, word, ok := cutLast(full, "."); ok && accessors[word] && strings.Contains(name, ".") {
		return isCalled("", of, name)
	}
	return false
}

// withoutContext takes off where a local function stands: "step #1 (_:) in Job.run()" is "step(_:)". What has no name of its own is not called by
// that of what it stands in or leads to: closures, witnesses.
func withoutContext(form string) (name string, called bool) {
	name, _, local := strings.Cut(form, " in ")
	if !local {
		return form, true
	}
	before, number, ok := strings.Cut(name, " #")
	if !ok || strings.ContainsRune(before, ' ') || slices.Contains([]string{"closure", "defer"}, before) {
		return form, false
	}
	_, labels, _ := strings.Cut(number, " ")
	return before + labels, true
}

// accessors are the functions of a property that its name with its type stands for: Ledger.total. The name alone would be that of too many.
var accessors = map[string]bool{"getter": true, "setter": true, "read": true, "modify": true, "willset": true, "didset": true}

// cutLast cuts a text at the last separator.
func cutLast(s, sep string) (before, after string, ok bool) {
	n := strings.LastIndex(s, sep)
	if n < 0 {
		return s, "", false
	}
	return s[:n], s[n+len(sep):], true
}

// plainName takes off what the compiler did with a function, and its type arguments: "specialized Box.put<A>(_:)" is "Box.put(_:)".
func plainName(name string) string {
	for again := true; again; {
		again = false
		for _, word := range []string{"specialized ", "merged ", "static ", "@objc ", "outlined "} {
			if rest, ok := strings.CutPrefix(name, word); ok {
				name, again = rest, true
			}
		}
		if strings.HasPrefix(name, "generic specialization <") || strings.HasPrefix(name, "function signature specialization <") {
			if _, rest, ok := strings.Cut(name, "> of "); ok {
				name, again = rest, true
			}
		}
	}
	name = strings.TrimPrefix(name, "main.")
	var b strings.Builder
	deep := 0
	for n := range len(name) {
		switch c := name[n]; {
		case c == '<' && n > 0 && isWordByte(name[n-1]):
			deep++
		case c == '>' && deep > 0:
			deep--
		case deep == 0:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// bare takes the parameter list off: "make(_:)" is "make".
func bare(name string) string {
	if n := strings.IndexByte(name, '('); n > 0 {
		return name[:n]
	}
	return name
}

// Demangled is the name of a function for people.
func Demangled(f *ir.Function) string { return f.DisplayName() }

// demangled is the name for people of the function with a symbol.
func (d *Debugger) demangled(symbol string) string {
	if d.symbols == nil {
		d.symbols = map[string]string{}
	}
	full, ok := d.symbols[symbol]
	if !ok {
		full = d.mod.DisplayName(symbol)
		d.symbols[symbol] = full
	}
	return full
}

// Short is the demangled name without types and modules where that is easily told.
func Short(f *ir.Function) string { return ShortName(Demangled(f)) }

// nameOfFunction is how people call the function with a symbol.
func (d *Debugger) nameOfFunction(symbol string) string { return ShortName(d.mod.DisplayName(symbol)) }

// ShortName is the name of a function without that of the main module.
func ShortName(name string) string { return strings.TrimPrefix(name, "main.") }

// nearest returns the name that is most similar, "" when none is.
func nearest(name string, names []string) string {
	best, bestAt := "", len(name)/2+1
	for _, n := range names {
		word := strings.ToLower(bare(n))
		for _, form := range []string{word, word[strings.LastIndexByte(word, '.')+1:]} { // the method alone too
			if dist := distance(strings.ToLower(name), form, bestAt); dist < bestAt || dist == bestAt && n < best {
				best, bestAt = n, dist
			}
		}
	}
	return best
}

// distance is the number of edits between two words (V. Levenshtein); anything above limit when it is larger than that.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diag
			if a[i-1] != b[j-1] {
				cost++
			}
			diag = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// FunctionNamed finds a function of the program, nil when none has the name.
func (d *Debugger) FunctionNamed(name string) *ir.Function {
	if f := d.mod.Func(strings.TrimPrefix(name, "@")); f != nil {
		return f
	}
	var best *ir.Function
	for _, f := range d.mod.Funcs {
		if isNamed(f, name) && (best == nil || f.Pos < best.Pos) {
			best = f
		}
	}
	return best
}
