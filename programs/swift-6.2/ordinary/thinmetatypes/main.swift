// Metatypes that take no room where they are stored, in mirrors and dumps. The runtime of Swift 6.0 reads what lies behind them.
protocol P {}
struct S { var number = Int.self; var p: (any P).Type = (any P).self; var any: AnyObject.Protocol = AnyObject.self; let n = 5 }
dump(S())
for c in Mirror(reflecting: S()).children { print(c.label!, c.value, type(of: c.value), Mirror(reflecting: c.value).subjectType) }
print(S())
