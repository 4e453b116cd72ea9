package rewrite

import "strconv"

// IsHiddenLinkage reports whether a symbol of that linkage can't be used from outside of what is compiled at once.
func IsHiddenLinkage(linkage string, whole bool) bool {
	switch linkage {
	case "private", "shared":
		return true
	case "hidden":
		return whole
	}
	return false
}

func IsMangledName(name string) bool {
	return len(name) > 2 && name[0] == '$' && (name[1] == 's' || name[1] == 'S' || name[1] == 'e')
}

func Itoa(n int) string { return strconv.Itoa(n) }
