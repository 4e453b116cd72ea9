// Two files have a private class of one name; of the closures that take or capture it only what is around them tells which one they mean.
@inline(never) @_optimize(none) func check(_ f: () throws -> Int) { print((try? f()) ?? -1) }

FirstCheck().run()
SecondCheck().run()
