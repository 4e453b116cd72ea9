package libc

import (
	"slices"
	"strings"

	"silvm/vm"
)

// Locales (C11 7.11). A run has the C locale alone, which POSIX is another name of.
var locales = map[string]native{"setlocale": setLocale}

// Categories of glibc run from LC_CTYPE, 0, to LC_IDENTIFICATION.
const lastCategory = 12

var cLocales = []string{"C", "POSIX"}

// setLocale asks for a locale, by name, or by none for that of the environment, or with null only which it is. Another than the C locale would change what
// other functions do: whether a system has it, silvm does not know.
func setLocale(c call) *vm.Trap {
	if c.Arg(0)&minusOne > lastCategory {
		return c.fails(0, invalid)
	}
	asked := ""
	if c.Arg(1) != 0 {
		name, t := c.text(c.Arg(1))
		if t != nil {
			return t
		}
		if asked = string(name); asked == "" {
			asked = c.environmentLocale()
		}
	}
	if asked != "" && !slices.Contains(cLocales, asked) {
		return c.Unsupported("the locale " + asked)
	}
	at, t := c.GlobalAddr("C locale")
	c.Set(0, at)
	return t
}

// environmentLocale returns a locale that a variable of the environment asks for, of whatever category, other than the C locale; "" when there is none.
func (c call) environmentLocale() string {
	for _, entry := range c.Environment() {
		name, value, _ := strings.Cut(entry, "=")
		if (name == "LANG" || strings.HasPrefix(name, "LC_")) && value != "" && !slices.Contains(cLocales, value) {
			return value
		}
	}
	return ""
}
