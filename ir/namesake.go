package ir

import (
	"strconv"
	"strings"
)

// The compiler prints the name of a type that is declared inside a function without the function, so that one name may stand for several
// types. Where it does, the loader tells them apart by a number after the name, which no output of a module or of a program shows.

// namesake separates a name from its number. No name of Swift holds it, since it is a character of operators.
const namesake = "‴"

// Namesake returns the name of the nth of several types that are printed with the same name.
func Namesake(name string, n int) string { return name + namesake + strconv.Itoa(n) }

// The numbers after the name of a type of the program that a type of the library or of another module has too. No type inside a function gets as far.
const (
	TakenNumber   = 1 << 20         // the program's type
	OtherNumber   = TakenNumber + 2 // the type of another module of the program, and of further ones from here on
	UnclearNumber = TakenNumber + 1 // any of them: the text does not tell, and no type is declared under the name
)

// IsUnclear reports whether a name stands for a type of the program or one of the library or of another module, and nothing tells which.
func IsUnclear(name string) bool {
	n, ok := NamesakeNumber(name)
	return ok && n == UnclearNumber
}

// NamesakeNumber returns the number that Namesake put after a name; ok is false when there is none.
func NamesakeNumber(name string) (n int, ok bool) {
	_, digits, ok := strings.Cut(name, namesake)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

// PlainName returns a name, or any text with names in it, as it is printed: without the numbers of Namesake.
func PlainName(text string) string {
	if !strings.Contains(text, namesake) {
		return text
	}
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(text, namesake)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		rest := strings.TrimLeft(after, "0123456789")
		if len(rest) == len(after) { // none of ours
			b.WriteString(namesake)
		}
		text = rest
	}
}
