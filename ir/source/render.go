package source

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Role says what a piece of a rendered diagnostic is, for a Painter.
type Role uint8

// The roles.
const (
	RoleError Role = iota
	RoleWarning
	RoleRemark
	RoleHelp    // the words help: and note:
	RoleMessage // the message itself
	RoleGutter  // line numbers, bars and arrows
	RoleCaret
)

// Painter gives text the look of its role. It must not change what the text says.
type Painter interface {
	Paint(role Role, text string) string
}

// Renderer writes diagnostics for people. The zero Renderer, with Files set, writes plain text.
type Renderer struct {
	Files *Set
	Paint Painter // nil for no colour
	// Swift finds the source of places in Swift; nil shows none.
	Swift *SwiftFiles
	// Width is the number of columns to which lines of the program are cut around the caret; 0 means 160.
	Width int
}

// Render writes all diagnostics of the list and, if some were dropped, how many.
func (r *Renderer) Render(w io.Writer, l *List) error {
	for i, d := range l.All() {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if _, err := io.WriteString(w, r.Text(d)); err != nil {
			return err
		}
	}
	if l.dropped > 0 {
		_, err := fmt.Fprintf(w, "\n%d more not shown\n", l.dropped)
		return err
	}
	return nil
}

// Text returns one diagnostic with its notes, several lines that all end with an end of line:
//
//	error[SV0103]: use after free: Node#17 was deallocated
//	  --> list.sil:212:3   (list.swift:31:9)
//	   |
//	212|   strong_retain %14 : $Node
//	   |   ^^^^^^^^^^^^^^^^^^^^^^^^^
//	  ::: list.swift:31:9
//	 31|   let n = node.next
//	   |           ^^^^
//	help: Node#17 was allocated here
//	  --> list.sil:96:8    in list.make()
//
// Control characters and marks that reorder text are written as \u{…}.
func (r *Renderer) Text(d *Diagnostic) string {
	var b strings.Builder
	head := d.Severity.String()
	if d.Code != "" {
		head += "[" + d.Code + "]"
	}
	b.WriteString(r.paint(severityRole[d.Severity], head) + ": " + r.paint(RoleMessage, Escape(d.Msg)) + "\n")
	gutter := r.gutter(d)
	r.place(&b, gutter, d.Pos, nearPlace(d.Swift, d.Near), d.In)
	r.excerpt(&b, gutter, d.Pos, d.Len)
	r.swiftLine(&b, gutter, d.Swift)
	for _, n := range d.Notes {
		word := "note"
		if n.Help {
			word = "help"
		}
		b.WriteString(r.paint(RoleHelp, word) + ": " + Escape(n.Msg) + "\n")
		r.place(&b, gutter, n.Pos, nearPlace(n.Swift, n.Near), n.In)
		if n.Excerpt {
			r.excerpt(&b, gutter, n.Pos, n.Len)
			r.swiftLine(&b, gutter, n.Swift)
		}
	}
	return b.String()
}

var severityRole = [...]Role{Error: RoleError, Warning: RoleWarning, Remark: RoleRemark}

func (r *Renderer) paint(role Role, text string) string {
	if r.Paint == nil {
		return text
	}
	return r.Paint.Paint(role, text)
}

// gutter returns the width of the column of line numbers, at least three.
func (r *Renderer) gutter(d *Diagnostic) int {
	widest := 100
	for _, n := range d.Notes {
		widest = max(widest, r.Files.Place(n.Pos).Line)
	}
	_, swift, _, _ := SplitPlace(d.Swift)
	widest = max(widest, r.Files.Place(d.Pos).Line, swift)
	return len(fmt.Sprint(widest))
}

// nearPlace words a place of which only what is near is known.
func nearPlace(swift string, near bool) string {
	if near && swift != "" {
		return "near " + swift
	}
	return swift
}

func (r *Renderer) place(b *strings.Builder, gutter int, pos Pos, swift, in string) {
	p := r.Files.Place(pos)
	var parts []string
	if p.Line > 0 {
		parts = append(parts, fmt.Sprintf("%s:%d:%d", Escape(p.File), p.Line, p.Col))
	}
	switch {
	case swift == "":
	case p.Line == 0:
		parts = append(parts, Escape(swift))
	default:
		parts = append(parts, "("+Escape(swift)+")")
	}
	if in != "" {
		parts = append(parts, "in "+Escape(in))
	}
	if len(parts) > 0 {
		b.WriteString(strings.Repeat(" ", gutter-1) + r.paint(RoleGutter, "-->") + " " + strings.Join(parts, "   ") + "\n")
	}
}

// excerpt writes the line of the program that holds pos and underlines n bytes of it.
func (r *Renderer) excerpt(b *strings.Builder, gutter int, pos Pos, n int) {
	f := r.Files.File(pos)
	if f == nil {
		return
	}
	line, col := f.Line(pos), f.Place(pos).Col-1
	col = min(col, len(line))
	if n == Whole {
		n = f.instLen(pos)
	}
	if n <= 0 {
		n = wordLen(line[col:])
	}
	end := min(col+n, len(line))
	before, marked, after := Escape(line[:col]), Escape(line[col:end]), Escape(line[end:])
	before, marked, after = r.cut(before, marked, after)
	bar := r.paint(RoleGutter, "|")
	number := r.paint(RoleGutter, fmt.Sprintf("%*d", gutter, f.Place(pos).Line))
	blank := strings.Repeat(" ", gutter)
	carets := strings.Repeat("^", max(1, utf8.RuneCountInString(marked)))
	fmt.Fprintf(b, "%s%s\n%s%s %s%s%s\n%s%s %s%s\n", blank, bar, number, bar, before, marked, after,
		blank, bar, strings.Repeat(" ", utf8.RuneCountInString(before)), r.paint(RoleCaret, carets))
}

// swiftLine writes the line of the Swift source at a place, with a caret below its column, if the source is found.
func (r *Renderer) swiftLine(b *strings.Builder, gutter int, place string) {
	file, line, col, ok := SplitPlace(place)
	if !ok {
		return
	}
	text, ok := r.Swift.Line(file, line)
	if !ok {
		return
	}
	at := min(max(col-1, 0), len(text))
	n := min(wordLen(text[at:]), len(text)-at)
	before, marked, after := r.cut(Escape(text[:at]), Escape(text[at:at+n]), Escape(text[at+n:]))
	bar := r.paint(RoleGutter, "|")
	blank := strings.Repeat(" ", gutter)
	fmt.Fprintf(b, "%s%s %s\n%s%s %s%s%s\n%s%s %s%s\n", strings.Repeat(" ", gutter-1), r.paint(RoleGutter, ":::"), Escape(place),
		r.paint(RoleGutter, fmt.Sprintf("%*d", gutter, line)), bar, before, marked, after,
		blank, bar, strings.Repeat(" ", utf8.RuneCountInString(before)), r.paint(RoleCaret, strings.Repeat("^", max(1, utf8.RuneCountInString(marked)))))
}

// cut shortens the three parts of a line to the width of the renderer, keeping what is near the caret.
func (r *Renderer) cut(before, marked, after string) (string, string, string) {
	width := r.Width
	if width <= 0 {
		width = 160
	}
	if runes := []rune(marked); len(runes) > width/2 {
		marked, after = string(runes[:width/2]), string(runes[width/2:])+after
	}
	room := width - utf8.RuneCountInString(marked)
	if utf8.RuneCountInString(before)+utf8.RuneCountInString(after) <= room {
		return before, marked, after
	}
	keep := max(room-utf8.RuneCountInString(after), room*2/3)
	if runes := []rune(before); len(runes) > keep {
		before = "…" + string(runes[len(runes)-keep+1:])
	}
	keep = room - utf8.RuneCountInString(before)
	if runes := []rune(after); len(runes) > keep {
		after = string(runes[:max(keep-1, 0)]) + "…"
	}
	return before, marked, after
}

// wordLen is the number of bytes of the word that begins the text: up to a space, or one rune.
func wordLen(text string) int {
	n := strings.IndexFunc(text, func(c rune) bool {
		return !(unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("_$@%#.", c))
	})
	if n < 0 {
		return max(len(text), 1)
	}
	if n == 0 {
		_, n = utf8.DecodeRuneInString(text)
		return max(n, 1)
	}
	return n
}

// Escape returns the text with control characters, bytes that are no UTF-8 and marks that reorder or hide text
// written as \u{…}, so that a program cannot steer a terminal or disguise a line. A tab becomes two spaces.
func Escape(text string) string {
	clean := true
	for i := 0; i < len(text) && clean; i++ {
		clean = text[i] >= ' ' && text[i] < 0x7f
	}
	if clean {
		return text
	}
	var b strings.Builder
	for i, c := range text {
		switch {
		case c == '\t':
			b.WriteString("  ")
		case c == utf8.RuneError:
			if _, n := utf8.DecodeRuneInString(text[i:]); n == 1 {
				fmt.Fprintf(&b, `\u{%X}`, text[i])
			} else {
				b.WriteRune(c)
			}
		case !unicode.IsPrint(c) && c != ' ':
			fmt.Fprintf(&b, `\u{%X}`, c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
