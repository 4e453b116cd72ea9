package libc

import "silvm/vm"

// Locks of POSIX threads. A mutex has its words where glibc has them: whether it is held, how often, by which thread, and its kind. A lock for
// readers and writers has the number of readers, then the thread that writes. Who waits is known to the scheduler, by the address.
var threads = map[string]native{
	"pthread_mutex_init": mutexInit, "pthread_mutex_destroy": mutexDestroy, "pthread_mutex_lock": mutexLock, "pthread_mutex_trylock": mutexTryLock,
	"pthread_mutex_unlock": mutexUnlock, "pthread_mutexattr_init": zeroed(4), "pthread_mutexattr_destroy": noError, "pthread_mutexattr_settype": setKind,
	"pthread_rwlock_init": zeroed(rwlockSize), "pthread_rwlock_destroy": noError, "pthread_rwlock_rdlock": readLock, "pthread_rwlock_wrlock": writeLock,
	"pthread_rwlock_tryrdlock": tryReadLock, "pthread_rwlock_trywrlock": tryWriteLock, "pthread_rwlock_unlock": rwUnlock,
}

const (
	mutexCount = 4
	mutexOwner = 8
	mutexUsers = 12
	mutexKind  = 16
	mutexSize  = 40

	rwWriter   = 4
	rwlockSize = 56
)

// Kinds of mutexes, and what functions return.
const (
	kindRecursive  = 1
	kindErrorCheck = 2

	notPermitted   = 1  // EPERM
	badDescriptor  = 9  // EBADF
	busy           = 16 // EBUSY
	invalid        = 22 // EINVAL
	noMemory       = 12 // ENOMEM
	noTerminal     = 25 // ENOTTY
	wouldDeadlock  = 35 // EDEADLK
	minusOne       = 1<<32 - 1
	standardStream = 2 // the highest number of one
)

// word returns 32 bits of memory.
func (c call) word(at uint64) (uint64, *vm.Trap) {
	v, ok := c.Heap().Load32(at)
	if !ok {
		return 0, c.BadAddress(at)
	}
	return v, nil
}

// setWords writes 32-bit words, at offsets from an address in pairs.
func (c call) setWords(base uint64, pairs ...uint64) *vm.Trap {
	for i := 0; i < len(pairs); i += 2 {
		if at := base + pairs[i]; !c.Heap().Store32(at, pairs[i+1]) {
			return c.BadAddress(at)
		}
	}
	return nil
}

// zeroed makes a function that fills what its argument points to with zeros.
func zeroed(size uint64) native {
	return func(c call) *vm.Trap {
		b, ok := c.Heap().Range(c.Arg(0), size)
		if !ok {
			return c.BadAddress(c.Arg(0))
		}
		clear(b)
		c.Set(0, 0)
		return nil
	}
}

// thread numbers the running thread, from 1.
func (c call) thread() uint64 { return 1 + c.ThreadNumber() }

func mutexInit(c call) *vm.Trap {
	mutex, attributes := c.Arg(0), c.Arg(1)
	kind := uint64(0)
	if attributes != 0 {
		var t *vm.Trap
		if kind, t = c.word(attributes); t != nil {
			return t
		}
	}
	if t := zeroed(mutexSize)(c); t != nil {
		return t
	}
	return c.setWords(mutex, mutexKind, kind)
}

func setKind(c call) *vm.Trap {
	at, kind := c.Arg(0), c.Arg(1)&0xffffffff
	if c.Set(0, 0); kind > kindErrorCheck {
		c.Set(0, invalid)
		return nil
	}
	return c.setWords(at, 0, kind)
}

func mutexDestroy(c call) *vm.Trap {
	held, t := c.word(c.Arg(0))
	if c.Set(0, 0); held != 0 {
		c.Set(0, busy)
	}
	return t
}

func mutexLock(c call) *vm.Trap    { return c.takeMutex(true) }
func mutexTryLock(c call) *vm.Trap { return c.takeMutex(false) }

// takeMutex locks a mutex for the running thread, which may wait for it or not.
func (c call) takeMutex(wait bool) *vm.Trap {
	at := c.Arg(0)
	held, t := c.word(at)
	if t != nil {
		return t
	}
	owner, _ := c.word(at + mutexOwner)
	kind, _ := c.word(at + mutexKind)
	switch {
	case held == 0:
		c.Order(vm.OrderAcquire, at)
		c.Set(0, 0)
		return c.setWords(at, 0, 1, mutexOwner, c.thread(), mutexUsers, 1)
	case kind == kindRecursive && owner == c.thread():
		count, _ := c.word(at + mutexCount)
		c.Set(0, 0)
		return c.setWords(at, mutexCount, count+1)
	case !wait:
		c.Set(0, busy)
		return nil
	case kind == kindErrorCheck && owner == c.thread():
		c.Set(0, wouldDeadlock)
		return nil
	}
	return c.Block(vm.WaitsForLock, at, ^uint64(0))
}

func mutexUnlock(c call) *vm.Trap {
	if c.State() != 0 { // the next thread is awake
		c.Set(0, 0)
		return nil
	}
	at := c.Arg(0)
	held, t := c.word(at)
	if t != nil {
		return t
	}
	owner, _ := c.word(at + mutexOwner)
	kind, _ := c.word(at + mutexKind)
	count, _ := c.word(at + mutexCount)
	switch {
	case kind != 0 && (held == 0 || owner != c.thread()):
		c.Set(0, notPermitted)
		return nil
	case kind == kindRecursive && count > 0:
		c.Set(0, 0)
		return c.setWords(at, mutexCount, count-1)
	}
	c.Order(vm.OrderRelease, at)
	if t := c.setWords(at, 0, 0, mutexOwner, 0, mutexUsers, 0); t != nil {
		return t
	}
	return c.wakeOne(at)
}

// wakeOne lets the thread go on that waits longest for the lock at an address; the native, which returns 0, comes back in another state.
func (c call) wakeOne(at uint64) *vm.Trap {
	c.SetState(1)
	c.Set(0, 0)
	return c.WakeLock(at)
}

func readLock(c call) *vm.Trap     { return c.takeShared(true) }
func tryReadLock(c call) *vm.Trap  { return c.takeShared(false) }
func writeLock(c call) *vm.Trap    { return c.takeExclusive(true) }
func tryWriteLock(c call) *vm.Trap { return c.takeExclusive(false) }

// takeShared locks a lock for reading. One more waits maybe for the same, so that it is woken to see.
func (c call) takeShared(wait bool) *vm.Trap {
	if c.State() != 0 {
		c.Set(0, 0)
		return nil
	}
	at := c.Arg(0)
	readers, t := c.word(at)
	if t != nil {
		return t
	}
	switch writer, _ := c.word(at + rwWriter); {
	case writer == 0:
		c.Order(vm.OrderAcquire, at)
		if t := c.setWords(at, 0, readers+1); t != nil {
			return t
		}
		return c.wakeOne(at)
	default:
		return c.taken(at, wait, writer)
	}
}

func (c call) takeExclusive(wait bool) *vm.Trap {
	at := c.Arg(0)
	readers, t := c.word(at)
	if t != nil {
		return t
	}
	switch writer, _ := c.word(at + rwWriter); {
	case writer == 0 && readers == 0:
		c.Order(vm.OrderAcquire, at)
		c.Set(0, 0)
		return c.setWords(at, rwWriter, c.thread())
	default:
		return c.taken(at, wait, writer)
	}
}

// taken is what comes of taking a lock that somebody has: the thread waits, if it may and does not have it for writing itself.
func (c call) taken(at uint64, wait bool, writer uint64) *vm.Trap {
	switch {
	case !wait:
		c.Set(0, busy)
		return nil
	case writer == c.thread():
		c.Set(0, wouldDeadlock)
		return nil
	}
	return c.Block(vm.WaitsForLock, at, ^uint64(0))
}

func rwUnlock(c call) *vm.Trap {
	if c.State() != 0 {
		c.Set(0, 0)
		return nil
	}
	at := c.Arg(0)
	readers, t := c.word(at)
	if t != nil {
		return t
	}
	c.Order(vm.OrderRelease, at)
	if writer, _ := c.word(at + rwWriter); writer != 0 {
		t = c.setWords(at, rwWriter, 0)
	} else if readers > 0 {
		t = c.setWords(at, 0, readers-1)
	}
	if t != nil {
		return t
	}
	return c.wakeOne(at)
}
