package debugger

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"silvm/ir/source"
)

// sourceLine returns the line of a Swift file at which a breakpoint on a line of it stands: that one, or the next that has code, as the places
// in the program's text tell. The error says that there is no such file or line.
func (d *Debugger) sourceLine(file string, line int) (int, error) {
	best, last := 0, 0
	for n := range d.linesOf(file) {
		if last = max(last, n); n >= line && (best == 0 || n < best) {
			best = n
		}
	}
	switch {
	case last == 0:
		names := d.sourceFiles()
		if len(names) == 0 {
			return 0, fmt.Errorf("no Swift lines here: print the SIL with -g, or -Xllvm -sil-print-debuginfo")
		}
		return 0, &NoSuch{What: "file", Name: file, Near: nearest(file, names)}
	case best == 0:
		return 0, fmt.Errorf("%s has no code behind line %d; did you mean %s:%d?", file, last, file, last)
	}
	return best, nil
}

// movedTo is the line of a Swift file with code for which FILE:LINE stands, 0 when that has code itself or is none.
func (d *Debugger) movedTo(spec string) int {
	file, rest, ok := cutLast(spec, ":")
	line, err := strconv.Atoi(rest)
	if !ok || err != nil || slices.ContainsFunc(d.mod.Files.Files(), func(f *source.File) bool { return sameFile(f.Name, file) }) {
		return 0
	}
	if at, err := d.sourceLine(file, line); err == nil && at != line {
		return at
	}
	return 0
}

// linesOf lists the lines of a Swift file that the program's text speaks of.
func (d *Debugger) linesOf(file string) map[int]bool {
	lines := map[int]bool{}
	needle := path.Base(file) + `":`
	d.eachText(func(text string) {
		for {
			n := strings.Index(text, needle)
			if n < 0 {
				return
			}
			before, rest := text[:n], text[n+len(needle):]
			if start := strings.LastIndexByte(before, '"'); start >= 0 && sameFile(before[start+1:]+path.Base(file), file) {
				digits, _, _ := strings.Cut(rest[:min(len(rest), 16)], ":")
				if k, err := strconv.Atoi(digits); err == nil && k > 0 {
					lines[k] = true
				}
			}
			text = rest
		}
	})
	return lines
}

// sourceFiles lists the Swift files that the program's text speaks of, without their folders.
func (d *Debugger) sourceFiles() (names []string) {
	d.eachText(func(text string) {
		const end = `.swift":`
		for {
			n := strings.Index(text, end)
			if n < 0 {
				return
			}
			name := text[strings.LastIndexByte(text[:n], '"')+1:n] + ".swift"
			if name = path.Base(name); !slices.Contains(names, name) {
				names = append(names, name)
			}
			text = text[n+len(end):]
		}
	})
	return names
}

// eachText calls yield with the texts of the program that were read.
func (d *Debugger) eachText(yield func(text string)) {
	for _, f := range d.mod.Files.Files() {
		if !f.Ours && f.IsRead() {
			yield(f.Text())
		}
	}
}
