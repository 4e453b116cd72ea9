// Takes the steps that it reads from standard input and prints, after each, what the Swift runtime reports about the object:
// strong count, unowned count, weak count, refcount word (hexadecimal, or "side"), uniquely referenced; the last two as "-" when
// deinit is over. counts_test.go takes the same steps. The lines between "deinit" and "end" run inside deinit.
//
//   swiftc -O -module-name main counts.swift -o counts && ./counts < counts.txt > new && mv new counts.txt
//
// (what follows a colon is no part of a step). counts.txt was made with swiftc 6.0.3 on x86-64 Linux.
import Glibc

typealias P = UnsafeRawPointer
typealias S = UnsafeMutableRawPointer
func sym<T>(_ name: String, _ type: T.Type) -> T { unsafeBitCast(dlsym(nil, name)!, to: type) }
let strongCount = sym("swift_retainCount", (@convention(c) (P) -> UInt).self)
let unownedCount = sym("swift_unownedRetainCount", (@convention(c) (P) -> UInt).self)
let weakCount = sym("swift_weakRetainCount", (@convention(c) (P) -> UInt).self)
let isUnique = sym("swift_isUniquelyReferenced_nonNull_native", (@convention(c) (P) -> Bool).self)
let retain = sym("swift_retain_n", (@convention(c) (P, UInt32) -> P).self)
let release = sym("swift_release_n", (@convention(c) (P, UInt32) -> Void).self)
let unownedRetain = sym("swift_unownedRetain_n", (@convention(c) (P, Int32) -> P).self)
let unownedRelease = sym("swift_unownedRelease_n", (@convention(c) (P, Int32) -> Void).self)
let unownedRetainStrong = sym("swift_unownedRetainStrong", (@convention(c) (P) -> P).self)
let setDeallocating = sym("swift_setDeallocating", (@convention(c) (P) -> Void).self)
let weakInit = sym("swift_weakInit", (@convention(c) (S, P?) -> S).self)
let weakAssign = sym("swift_weakAssign", (@convention(c) (S, P?) -> S).self)
let weakLoad = sym("swift_weakLoadStrong", (@convention(c) (S) -> P?).self)
let weakTake = sym("swift_weakTakeStrong", (@convention(c) (S) -> P?).self)
let weakDestroy = sym("swift_weakDestroy", (@convention(c) (S) -> Void).self)
let weakCopy = sym("swift_weakCopyInit", (@convention(c) (S, S) -> S).self)
let weakMove = sym("swift_weakTakeInit", (@convention(c) (S, S) -> S).self)

let a = S.allocate(byteCount: 8, alignment: 8)
let b = S.allocate(byteCount: 8, alignment: 8)
nonisolated(unsafe) var p = P(a)
nonisolated(unsafe) var deinited = false

class C {
  @inline(never) init() {}
  deinit { run() }
}
@inline(never) func make() -> P { P(Unmanaged.passRetained(C()).toOpaque()) }
@inline(never) func table() -> [Int] { [11, 22, 33, 44] }
let constant = table()

func report() -> String {
  let w = p.load(fromByteOffset: 8, as: UInt64.self)
  let word = deinited ? "-" : w >> 62 == 3 ? "side" : String(w, radix: 16)
  return "\(strongCount(p)) \(unownedCount(p)) \(weakCount(p)) \(word) \(deinited ? "-" : "\(isUnique(p))")"
}

func run() {
  while let line = readLine() {
    let step = line.prefix { $0 != ":" }
    let words = step.split(separator: " ")
    let n = words.count > 1 ? Int32(words[1]) ?? 1 : 1
    var result = ""
    func slot(_ k: Int) -> S { words[k] == "a" ? a : b }
    switch words[0] {
    case "new": p = make(); deinited = false
    case "static": p = constant.withUnsafeBytes { $0.baseAddress! } - 32; deinited = false
    case "retain": _ = retain(p, UInt32(n))
    case "release": release(p, UInt32(n))
    case "unowned-retain": _ = unownedRetain(p, n)
    case "unowned-release": unownedRelease(p, n)
    case "strong-retain-unowned": _ = unownedRetainStrong(p)
    case "set-deallocating": setDeallocating(p)
    case "weak-init": _ = weakInit(slot(1), p)
    case "weak-assign": _ = weakAssign(slot(1), p)
    case "weak-assign-nil": _ = weakAssign(slot(1), nil)
    case "weak-load": result = weakLoad(slot(1)) == p ? "object " : "nil "
    case "weak-take": result = weakTake(slot(1)) == p ? "object " : "nil "
    case "weak-destroy": weakDestroy(slot(1))
    case "weak-copy": _ = weakCopy(slot(1), slot(2))
    case "weak-move": _ = weakMove(slot(1), slot(2))
    case "is-nil": result = "\(slot(1).load(as: UInt.self) == 0) "
    case "deinit": print("\(step): \(report())"); release(p, 1); deinited = true; continue
    case "end": print("\(step): \(report())"); return
    case "gone": print("\(step): gone"); unownedRelease(p, 1); continue
    default: fatalError("unknown step \(step)")
    }
    print("\(step): \(result)\(report())")
  }
}
run()
