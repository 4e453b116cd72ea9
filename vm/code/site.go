package code

// Site is an instruction that a second engine leaves to the interpreter: as it stood when the function was lowered, and the registers that
// go there and back, in the order in which their values are handed over.
type Site struct {
	PC            uint32
	Inst          Inst
	Shape         Shape // of an indirect call
	Reads, Writes []uint16
}

// The open tracked accesses, up to MaxAccesses of them, lie side by side where both engines find them: the address, the token, and the pc of the
// begin with a bit below it that is set when the access modifies.
const (
	AccessSize  = 24
	AccessToken = 8
	AccessBegin = 16
	MaxAccesses = 32
)
