// Compiled with 6.0.3: swiftc -emit-sil -O -module-name main slack.swift
// Arrays of two whose memory has room for three, where an array that had grown to three was before.
final class Leaf { let n: Int; init(_ n: Int) { self.n = n } }
final class Box { var leaves: [Leaf] = [] }
@inline(never) func pass(_ kept: Leaf, _ n: Int) { let box = Box(); box.leaves.append(Leaf(n)); box.leaves.append(Leaf(n)); box.leaves.append(kept); if box.leaves[2].n < 0 { print("no") } }
@inline(never) func hold(_ n: Int) -> Box { let box = Box(); box.leaves = [Leaf(n), Leaf(n)]; return box }
let kept = Leaf(7)
var boxes: [Box] = []
for n in 0..<60 { pass(kept, n) }
for n in 0..<60 { boxes.append(hold(n)) }
print(boxes.count)
