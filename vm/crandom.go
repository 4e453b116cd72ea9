package vm

import "maps"

// Random numbers of the C library (C11 7.22.2, POSIX random, BSD arc4random).
func init() {
	maps.Copy(cNatives, map[string]Native{
		"rand": random, "random": random, "srand": srandom, "srandom": srandom, "rand_r": randR,
		"arc4random": arc4random, "arc4random_uniform": arc4randomUniform, "getrandom": getrandom,
	})
}

const (
	randomLong  = 31 // words of state
	randomShort = 3  // how far the second word of a sum is ahead of the first
	randomSkip  = 10 * randomLong
)

// cRandom is the state of rand and random, which share it: each number is the sum of those 31 and 3 before it, all but its lowest bit
// (glibc, random(3), the generator of degree 31).
type cRandom struct {
	table  [randomLong]uint32
	at     int
	seeded bool
}

// seed fills the table as srandom does: with a sequence of its own, of which a good deal is run off.
func (r *cRandom) seed(seed uint32) {
	if seed == 0 {
		seed = 1
	}
	r.at, r.seeded = randomShort, true
	v := int32(seed)
	for i := range r.table {
		r.table[i] = uint32(v)
		// 16807 * v modulo 2^31 - 1, the way that does not overflow.
		if v = 16807*(v%127773) - 2836*(v/127773); v < 0 {
			v += 1<<31 - 1
		}
	}
	for range randomSkip {
		r.next()
	}
}

func (r *cRandom) next() uint32 {
	sum := r.table[r.at] + r.table[(r.at+randomLong-randomShort)%randomLong]
	r.table[r.at] = sum
	r.at = (r.at + 1) % randomLong
	return sum >> 1
}

func random(m *Machine, c *NativeCall) *Trap {
	r := &m.world.cRandom
	if !r.seeded {
		r.seed(1)
	}
	c.Set(0, uint64(r.next()))
	return nil
}

func srandom(m *Machine, c *NativeCall) *Trap {
	m.world.cRandom.seed(uint32(c.Arg(0)))
	return nil
}

// randR makes a number of the 32-bit state at its argument, three steps of it at a time (glibc, rand_r).
func randR(m *Machine, c *NativeCall) *Trap {
	at := c.Arg(0)
	word, ok := m.heap.Load32(at)
	state := uint32(word)
	step := func() uint32 {
		state = state*1103515245 + 12345
		return state >> 16
	}
	v := step() & 0x7FF
	for range 2 {
		v = v<<10 ^ step()&0x3FF
	}
	if !ok || !m.heap.Store32(at, uint64(state)) {
		return m.badAddress(at)
	}
	c.Set(0, uint64(v))
	return nil
}

func arc4random(m *Machine, c *NativeCall) *Trap {
	c.Set(0, m.world.rand()>>32)
	return nil
}

// arc4randomUniform gives a number below its argument, each as likely; 0 if that is 0.
func arc4randomUniform(m *Machine, c *NativeCall) *Trap {
	bound := uint64(uint32(c.Arg(0)))
	if bound == 0 {
		c.Set(0, 0)
		return nil
	}
	v := m.world.rand() >> 32
	for v < (1<<32)%bound {
		v = m.world.rand() >> 32
	}
	c.Set(0, v%bound)
	return nil
}

// getrandom is getentropy that says how many bytes it gave.
func getrandom(m *Machine, c *NativeCall) *Trap {
	n := c.Arg(1)
	if t := randomBytes(m, c); t != nil {
		return t
	}
	c.Set(0, n)
	return nil
}
