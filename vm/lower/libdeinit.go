package lower

import "silvm/vm/abi"

// libraryDeinits destroy values of the library's noncopyable types for programs that leave the body of the deinit in the library, by
// the name of the deinit (stdlib/public/Synchronization: Atomics/Atomic.swift, Cell.swift).
var libraryDeinits map[string]func(*builder, addr, *abi.Layout) error

func init() {
	libraryDeinits = map[string]func(*builder, addr, *abi.Layout) error{
		"$s15Synchronization6AtomicVfD":         destroyAtomic,
		"$s15Synchronization5_CellVAARi_zrlEfD": destroyCell,
	}
}

func (b *builder) libraryDeinit(a addr, lay *abi.Layout) error {
	if f := libraryDeinits[lay.LibraryDeinit]; f != nil && len(lay.Type.AllArgs()) == 1 {
		return f(b, a, lay)
	}
	return unsupportedf("destroying %s, whose deinit %s is not in the program", lay.Type, lay.LibraryDeinit)
}

// destroyAtomic destroys the value that an Atomic represents. Making it takes a method of the value's type, which is left out for
// types that nothing happens to when they go.
func destroyAtomic(b *builder, _ addr, lay *abi.Layout) error {
	value, err := b.layout(lay.Type.AllArgs()[0])
	if err != nil {
		return err
	}
	if !value.Trivial {
		return unsupportedf("destroying %s, whose deinit is not in the program", lay.Type)
	}
	return nil
}

// destroyCell destroys the value in a cell.
func destroyCell(b *builder, a addr, lay *abi.Layout) error {
	return b.destroyAt(a, lay.Type.AllArgs()[0])
}
