// The components of a pack that stand behind others, which expand to some elements or to none, in functions that stay generic.
protocol Digit { var digit: Int { get } }
struct One: Digit { var digit: Int { 1 } }
struct Any2: Digit { var digit: Int }
@inline(never) @_semantics("optimize.sil.specialize.generic.never")
func number<each T: Digit>(_ t: repeat each T) -> Int { var n = 0; for x in repeat each t { n = n &* 10 &+ x.digit }; return n }
@inline(never) @_semantics("optimize.sil.specialize.generic.never")
func behind<each T: Digit>(_ t: repeat each T) -> Int { number(repeat each t, Any2(digit: 9)) }
@inline(never) @_semantics("optimize.sil.specialize.generic.never")
func between<each T: Digit>(_ t: repeat each T) -> Int { number(One(), repeat each t, Any2(digit: 8)) }
print(behind(Any2(digit: 3), One(), Any2(digit: 5)), between(Any2(digit: 3), Any2(digit: 4)), behind(), between())
