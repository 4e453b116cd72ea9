package ir

import "strings"

// Access is the access that the language gives a declaration.
type Access uint8

// The levels of access.
const (
	AccessInternal Access = iota // no word
	AccessPrivate                // private or fileprivate
	AccessPackage
	AccessPublic
	AccessOpen
)

var accessWords = [...]string{AccessInternal: "", AccessPrivate: "private", AccessPackage: "package", AccessPublic: "public", AccessOpen: "open"}

// String returns the word, "" for AccessInternal.
func (a Access) String() string { return wordOf(accessWords[:], int(a)) }

// parseAccess returns the access that the word gives.
func parseAccess(word string) (Access, bool) {
	if word == "fileprivate" {
		return AccessPrivate, true
	}
	n, ok := findWord(accessWords[:], word)
	return Access(n), ok
}

// isWider reports whether more code has access than with b.
func (a Access) isWider(b Access) bool {
	if a == AccessPrivate || b == AccessPrivate {
		return a != AccessPrivate && b == AccessPrivate
	}
	return a > b
}

// IsPublic reports whether other modules have access.
func (a Access) IsPublic() bool { return a == AccessPublic || a == AccessOpen }

// Access returns the access that the type's own declaration gives it.
func (d *Nominal) Access() Access {
	for _, m := range d.Attrs {
		if a, ok := parseAccess(strings.TrimSpace(m.Text)); ok {
			return a
		}
	}
	return AccessInternal
}

// MemberAccess returns the access that the text of the declaration gives a function, property or initializer of that name: AccessInternal when
// it says nothing or has no such member. Of several members of the name the widest access counts.
func (d *Nominal) MemberAccess(name string) Access {
	access, widest, found, prev := AccessInternal, AccessInternal, false, ""
	for word, depth := range d.words() {
		if depth != 1 {
			continue
		}
		given, ok := parseAccess(word)
		switch {
		case ok:
			access = given
		case word == "", word == "set": // private(set)
			access = AccessInternal
		case word == name && (prev == "func" || prev == "var" || prev == "let") || word == "init" && name == word:
			if !found || access.isWider(widest) {
				found, widest = true, access
			}
		}
		prev = word
	}
	return widest
}
