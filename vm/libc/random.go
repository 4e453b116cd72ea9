package libc

import "silvm/vm"

// Random numbers of the C library (C11 7.22.2, POSIX random, BSD arc4random).
var randomNumbers = map[string]native{
	"arc4random_buf": randomBytes, "getentropy": randomBytes, "swift_stdlib_random": randomBytes,
	"rand": random, "random": random, "srand": srandom, "srandom": srandom, "rand_r": randR,
	"arc4random": arc4random, "arc4random_uniform": arc4randomUniform, "getrandom": getrandom,
}

const (
	randomLong  = 31 // words of state
	randomShort = 3  // how far the second word of a sum is ahead of the first
	randomSkip  = 10 * randomLong
)

// generator is that of rand and random, which share it: each number is the sum of those 31 and 3 before it, all but its lowest bit
// (glibc, random(3), the generator of degree 31). Its state lies in the machine: the table, the index of the next word, and whether
// it was seeded.
type generator struct{ words *[vm.NativeWords]uint32 }

const (
	randomAt = randomLong + iota
	randomSeeded
)

// seed fills the table as srandom does: with a sequence of its own, of which a good deal is run off.
func (g generator) seed(seed uint32) {
	if seed == 0 {
		seed = 1
	}
	g.words[randomAt], g.words[randomSeeded] = randomShort, 1
	v := int32(seed)
	for i := range randomLong {
		g.words[i] = uint32(v)
		// 16807 * v modulo 2^31 - 1, without overflow.
		if v = 16807*(v%127773) - 2836*(v/127773); v < 0 {
			v += 1<<31 - 1
		}
	}
	for range randomSkip {
		g.next()
	}
}

func (g generator) next() uint32 {
	at := g.words[randomAt] % randomLong
	sum := g.words[at] + g.words[(at+randomLong-randomShort)%randomLong]
	g.words[at] = sum
	g.words[randomAt] = (at + 1) % randomLong
	return sum >> 1
}

func random(c call) *vm.Trap {
	g := generator{c.Words()}
	if g.words[randomSeeded] == 0 {
		g.seed(1)
	}
	c.Set(0, uint64(g.next()))
	return nil
}

func srandom(c call) *vm.Trap {
	generator{c.Words()}.seed(uint32(c.Arg(0)))
	return nil
}

// randR makes a number of the 32-bit state at its argument, three steps of it at a time (glibc, rand_r).
func randR(c call) *vm.Trap {
	at := c.Arg(0)
	word, ok := c.Heap().Load32(at)
	state := uint32(word)
	step := func() uint32 {
		state = state*1103515245 + 12345
		return state >> 16
	}
	v := step() & 0x7FF
	for range 2 {
		v = v<<10 ^ step()&0x3FF
	}
	if !ok || !c.Heap().Store32(at, uint64(state)) {
		return c.BadAddress(at)
	}
	c.Set(0, uint64(v))
	return nil
}

func arc4random(c call) *vm.Trap {
	c.Set(0, c.Random()>>32)
	return nil
}

// arc4randomUniform returns a number below its argument, each as likely; 0 if that is 0.
func arc4randomUniform(c call) *vm.Trap {
	bound := uint64(uint32(c.Arg(0)))
	if bound == 0 {
		c.Set(0, 0)
		return nil
	}
	v := c.Random() >> 32
	for v < (1<<32)%bound {
		v = c.Random() >> 32
	}
	c.Set(0, v%bound)
	return nil
}

// getrandom is getentropy that returns how many bytes it wrote.
func getrandom(c call) *vm.Trap {
	n := c.Arg(1)
	if t := randomBytes(c); t != nil {
		return t
	}
	c.Set(0, n)
	return nil
}

// randomBytes fills memory with bytes that depend on the seed, and returns 0, which getentropy wants.
func randomBytes(c call) *vm.Trap {
	b, ok := c.Heap().Range(c.Arg(0), c.Arg(1))
	if !ok {
		return c.BadAddress(c.Arg(0))
	}
	for len(b) > 0 {
		v := c.Random()
		for i := 0; i < 8 && len(b) > 0; i++ {
			b[0], b, v = byte(v), b[1:], v>>8
		}
	}
	c.Set(0, 0)
	return nil
}
