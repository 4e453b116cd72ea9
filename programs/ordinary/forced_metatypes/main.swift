// A forced cast from metatype to metatype takes what meets the constraints of an existential for the type P.Protocol itself; a conditional cast does not.
protocol P {}
protocol Q: AnyObject {}
protocol Z: P {}
struct PS: P {}
enum PE: P {}
class PC: P {}
class PCSub: PC, Q {}
struct N {}
class NC {}
struct G<T> {}
@inline(never) func forced<T>(_ type: Any.Type, _ to: T.Type) -> T.Type { type as! T.Type }
@inline(never) func opt<T>(_ type: Any.Type, _ to: T.Type) -> T.Type? { type as? T.Type }
@inline(never) func obj<T>(_ type: AnyObject.Type, _ to: T.Type) -> T.Type { type as! T.Type }
@inline(never) func objq<T>(_ type: AnyObject.Type, _ to: T.Type) -> T.Type? { type as? T.Type }
@inline(never) func fromP<T>(_ type: any P.Type, _ to: T.Type) -> T.Type { type as! T.Type }
@inline(never) func fromPq<T>(_ type: any P.Type, _ to: T.Type) -> T.Type? { type as? T.Type }
@inline(never) func fromU<U, T>(_ type: U.Type, _ to: T.Type) -> T.Type { type as! T.Type }
@inline(never) func fromUq<U, T>(_ type: U.Type, _ to: T.Type) -> T.Type? { type as? T.Type }
func t() {
  print(forced(PS.self, P.self), forced(PE.self, P.self), forced(PC.self, P.self), forced(PCSub.self, Q.self))
  print(forced(PCSub.self, (P & AnyObject).self), forced(PCSub.self, (P & Q).self), forced(PS.self, Any.self), forced(P.self, Any.self))
  print(forced(PCSub.self, AnyObject.self), forced(PCSub.self, PC.self), forced(PCSub.self, (PC & Q).self))
  print(forced(P.self, P.self))
  print(forced((Z).self, Any.self))
  print(forced(NC.self, AnyObject.self), forced((P & Q).self, (Q & P).self))
  print(opt(PS.self, P.self) as Any, opt(PC.self, P.self) as Any, opt(PS.self, Any.self) as Any, opt(PC.self, AnyObject.self) as Any, opt(P.self, P.self) as Any)
  print(obj(PC.self, P.self), obj(PC.self, AnyObject.self), obj(PC.self, Any.self), obj(PCSub.self, Q.self))
  print(objq(PC.self, P.self) as Any, objq(PC.self, AnyObject.self) as Any, objq(PC.self, Any.self) as Any, objq(PCSub.self, Q.self) as Any)
  print(fromP(PS.self, P.self), fromP(PC.self, AnyObject.self), fromP(PS.self, Any.self))
  print(fromPq(PS.self, P.self) as Any, fromPq(PC.self, AnyObject.self) as Any, fromPq(PS.self, Any.self) as Any)
  print(fromU(PS.self, P.self), fromU(PC.self, AnyObject.self), fromU(P.self, Any.self))
  print(fromUq(PS.self, P.self) as Any, fromUq(PC.self, AnyObject.self) as Any, fromUq(PS.self, Any.self) as Any, type(of: forced(PS.self, P.self)))
}
t()
