// An indirect enum: expression trees that are built, simplified and evaluated.
indirect enum Expr {
  case number(Int)
  case variable(UInt8)
  case add(Expr, Expr)
  case multiply(Expr, Expr)
  case negate(Expr)
  case conditional(Expr, then: Expr, else: Expr)
}

func evaluate(_ e: Expr, _ env: (UInt8) -> Int) -> Int {
  switch e {
  case .number(let n): return n
  case .variable(let v): return env(v)
  case let .add(a, b): return evaluate(a, env) + evaluate(b, env)
  case let .multiply(a, b): return evaluate(a, env) * evaluate(b, env)
  case .negate(let a): return -evaluate(a, env)
  case let .conditional(c, t, f): return evaluate(c, env) != 0 ? evaluate(t, env) : evaluate(f, env)
  }
}

func simplify(_ e: Expr) -> Expr {
  switch e {
  case .number, .variable: return e
  case let .add(a, b):
    switch (simplify(a), simplify(b)) {
    case (.number(0), let x), (let x, .number(0)): return x
    case let (.number(m), .number(n)): return .number(m + n)
    case let (x, y): return .add(x, y)
    }
  case let .multiply(a, b):
    switch (simplify(a), simplify(b)) {
    case (.number(0), _), (_, .number(0)): return .number(0)
    case (.number(1), let x), (let x, .number(1)): return x
    case let (x, y): return .multiply(x, y)
    }
  case .negate(.negate(let a)): return simplify(a)
  case .negate(let a): return .negate(simplify(a))
  case let .conditional(c, t, f):
    if case .number(let n) = simplify(c) { return simplify(n != 0 ? t : f) }
    return .conditional(simplify(c), then: simplify(t), else: simplify(f))
  }
}

func size(_ e: Expr) -> Int {
  switch e {
  case .number, .variable: return 1
  case let .add(a, b), let .multiply(a, b): return 1 + size(a) + size(b)
  case .negate(let a): return 1 + size(a)
  case let .conditional(c, t, f): return 1 + size(c) + size(t) + size(f)
  }
}

func derivative(_ e: Expr, _ v: UInt8) -> Expr {
  switch e {
  case .number: return .number(0)
  case .variable(let w): return .number(v == w ? 1 : 0)
  case let .add(a, b): return .add(derivative(a, v), derivative(b, v))
  case let .multiply(a, b): return .add(.multiply(derivative(a, v), b), .multiply(a, derivative(b, v)))
  case .negate(let a): return .negate(derivative(a, v))
  case let .conditional(c, t, f): return .conditional(c, then: derivative(t, v), else: derivative(f, v))
  }
}

let x = Expr.variable(120)
let y = Expr.variable(121)
let poly = Expr.add(.multiply(x, .multiply(x, y)), .add(.negate(.negate(.number(7))), .multiply(.number(0), y)))
let env: (UInt8) -> Int = { $0 == 120 ? 3 : 5 }
print(evaluate(poly, env))
print(size(poly))
print(size(simplify(poly)))
print(evaluate(simplify(poly), env))
let d = derivative(poly, 120)
print(size(d))
print(size(simplify(d)))
print(evaluate(d, env))
let cond = Expr.conditional(.add(.number(1), .number(-1)), then: poly, else: .negate(x))
print(evaluate(cond, env))
print(size(simplify(cond)))
var deep = Expr.number(0)
for i in 1...200 { deep = .add(deep, .multiply(.number(i), x)) }
print(evaluate(deep, env))
