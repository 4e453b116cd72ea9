struct M { var d = [1,2,3,4]; subscript(r: Int, c: String) -> Int { get { d[r] + c.count } set { d[r] = newValue } } 
 subscript<T: Hashable>(g g: T) -> String { "\(g)" } }
struct G<T> { var t: T; var u: Int; var comp: T { get { t } set { t = newValue } }; func kp() -> WritableKeyPath<G<T>, T> { \G<T>.comp }; func kq() -> WritableKeyPath<G<T>, T> { \.t } }
class C { var w: Int { get { print("get w"); return s } set { print("set w", newValue); s = newValue } }; var s = 1; var g = G(t: "a", u: 2); lazy var lz = 5; weak var me: C? ; final let k = 9; var obs = 1 { didSet { print("obs", oldValue, obs) } } }
@inline(never) func get<R, V>(_ r: R, _ k: KeyPath<R, V>) -> V { r[keyPath: k] }
@inline(never) func set<R, V>(_ r: inout R, _ k: WritableKeyPath<R, V>, _ v: V) { r[keyPath: k] = v }
@inline(never) func setr<R, V>(_ r: R, _ k: ReferenceWritableKeyPath<R, V>, _ v: V) { r[keyPath: k] = v }
@inline(never) func mod<R>(_ r: inout R, _ k: WritableKeyPath<R, Int>) { r[keyPath: k] += 10 }
@inline(never) func modr<R>(_ r: R, _ k: ReferenceWritableKeyPath<R, Int>) { r[keyPath: k] += 10 }
var m = M()
print(get(m, \.[1, "ab"])); set(&m, \.[2, "x"], 50); print(m.d); mod(&m, \.[0, "abc"]); print(m.d)
print(get(m, \.[g: "q"]), get(m, \.[g: 7]))
var g = G(t: [1], u: 3)
print(get(g, g.kp()), get(g, g.kq())); set(&g, g.kp(), [5, 6]); set(&g, g.kq(), g.t + [1]); print(g.t)
mod(&g, \.u); print(g)
let c = C()
modr(c, \.w); setr(c, \.w, 3); setr(c, \.g.t, "zz"); setr(c, \.g.comp, c.g.t + "!"); print(c.g.t, get(c, \.k), get(c, \.lz)); modr(c, \.lz); print(c.lz)
setr(c, \.me, c); print(get(c, \.me?.s) as Any, get(c, \.me!.g.u)); setr(c, \.me, nil); print(get(c, \.me?.s) as Any)
modr(c, \.obs); setr(c, \.obs, 5)
print(\C.w == \C.w, \C.w == \C.s, (\C.g.t as AnyKeyPath) == (\C.g).appending(path: \G<String>.t))
print((\M.[1, "a"]) == (\M.[1, "a"]), (\M.[1, "a"]) == (\M.[2, "a"]), (\M.[1, "a"]).hashValue == (\M.[1, "a"]).hashValue)
var t = (a: 1, b: (2, "x")); print(get(t, \.b.1)); set(&t, \.b.0, 9); print(t); print(get(t, \.self).a)
print(type(of: \C.w), type(of: \M.d), type(of: \M.d.count), type(of: (\C.g).appending(path: \.u)))
let pk: PartialKeyPath<C> = \.s; print(c[keyPath: pk], pk is ReferenceWritableKeyPath<C, Int>, pk is KeyPath<C, String>)
let ak: AnyKeyPath = pk; print(c[keyPath: ak] as Any, 5[keyPath: ak] as Any)
print(MemoryLayout<G<Int>>.offset(of: \.u) as Any, MemoryLayout<M>.offset(of: \.d.count) as Any)
let dict: [AnyKeyPath: String] = [\C.w: "w", \C.s: "s"]; print(dict[\C.s]!, dict[\C.w]!, dict[\C.g] ?? "no")
print(AnyKeyPath.self, type(of: ak).rootType, type(of: ak).valueType)
print([3,1,2].sorted(by: { $0[keyPath: \.self] < $1[keyPath: \.self] }), ["a","bbb"].map(\.count), ["a", ""].filter(\.isEmpty).count)
print(get([1,2,3], \.count), get(["a": 1], \.["a"]) as Any, get("hey", \.first) as Any, get([[1]], \.[0][0]), get(Optional(3), \.self) as Any, get([1], \.first?.description) as Any, get(["x"], \.[0].count.description.count))
