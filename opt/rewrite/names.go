package rewrite

import "silvm/ir"

// IsHiddenLinkage reports whether a symbol of that linkage can't be used from outside of what is compiled at once.
func IsHiddenLinkage(linkage ir.Linkage, whole bool) bool {
	switch linkage {
	case ir.LinkagePrivate, ir.LinkageShared:
		return true
	case ir.LinkageHidden:
		return whole
	}
	return false
}

// IsMangledName reports whether the name of a symbol is one that the compiler made from a declaration (docs/ABI/Mangling.rst).
func IsMangledName(name string) bool {
	return len(name) > 2 && name[0] == '$' && (name[1] == 's' || name[1] == 'S' || name[1] == 'e')
}
