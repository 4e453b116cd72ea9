package code

// Site is an instruction that a second engine leaves to the interpreter: as it stood when the function was lowered, and the registers that
// go there and back, in the order in which their values are handed over.
type Site struct {
	PC            uint32
	Inst          Inst
	Shape         Shape // of an indirect call
	Reads, Writes []uint16
}
