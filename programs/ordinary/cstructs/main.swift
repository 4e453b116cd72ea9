// Structs that Swift imports from C, POSIX mutexes and errno; generic parameters with the name of a protocol, and with a number in their own name.
import Glibc

final class Lock {
  let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init(_ kind: Int) {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, .init(kind))
    pthread_mutex_init(mutex, &attributes)
  }

  deinit {
    print("destroyed", pthread_mutex_destroy(mutex))
    mutex.deallocate()
  }
}

struct Checked<Collection: Swift.Collection>: Swift.Collection {
  typealias Index = Collection.Index
  typealias Element = Collection.Element
  var base: Collection
  var startIndex: Index { base.startIndex }
  var endIndex: Index { base.endIndex }
  func index(after i: Index) -> Index { base.index(after: i) }
  subscript(i: Index) -> Element { base[i] }
}

struct Node<Value> {
  var value: Value
  func paired<Value2>(_ other: Node<Value2>) -> (Value, Value2) { ((value), (other.value)) }
}

@inline(never) func locks() {
  let recursive = Lock(1), checked = Lock(2), plain = Lock(0)
  print(pthread_mutex_lock(recursive.mutex), pthread_mutex_lock(recursive.mutex))
  print(pthread_mutex_unlock(recursive.mutex), pthread_mutex_unlock(recursive.mutex), pthread_mutex_unlock(recursive.mutex) == EPERM)
  print(pthread_mutex_lock(checked.mutex), pthread_mutex_lock(checked.mutex) == EDEADLK, pthread_mutex_unlock(checked.mutex))
  print(pthread_mutex_trylock(plain.mutex), pthread_mutex_trylock(plain.mutex) == EBUSY, pthread_mutex_unlock(plain.mutex))
}

locks()
var size = winsize()
print(ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size), errno == ENOTTY, size)
errno = 7
print(errno, isatty(99), errno == EBADF)
var time = timespec(tv_sec: 3, tv_nsec: 4)
print(time, String(reflecting: timespec.self), clock_gettime(CLOCK_MONOTONIC, &time), time.tv_nsec < 1_000_000_000)
print(tm(), pthread_mutex_t(), MemoryLayout<pthread_rwlock_t>.size, MemoryLayout<stat>.size)
print(div(-7, 2), ldiv(7, -2).rem)
print(Checked(base: [1, 2, 3]).map { $0 * 2 }, Checked(base: "abc").count)
print(Node(value: 1).paired(Node(value: "a")))
