package ossa

import (
	"silvm/opt/pass"
)

// UpdateBorrowedFrom says of each guaranteed block argument what it is borrowed from, which text of compilers since 6.1 does in ownership form:
//
//	bb1(%2 : @reborrow $C):
//	  end_borrow %2
//
// becomes
//
//	bb1(%2 : @reborrow $C):
//	  %3 = borrowed %2 from (%0)
//	  end_borrow %3
//
// This happens after the last pass, as for a module that had such names when it was read: passes see none.
var UpdateBorrowedFrom = &pass.Pass{Name: "update-borrowed-from", Doc: "Says at the end what guaranteed block arguments are borrowed from",
	Module: func(c *pass.Context) bool {
		changed := !c.NamesBorrowed
		c.NamesBorrowed = true
		return changed
	}}
