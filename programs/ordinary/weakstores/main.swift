// Weak variables that get values and lose them in loops: nil, the same object again, objects that die meanwhile or are dying. Unowned references that are
// copied and dropped, the last of them after the object.
final class Peer {
  let id: Int
  weak var left: Peer?
  weak var right: Peer?
  unowned var root: Peer!
  static var deinits = 0
  init(_ id: Int) { self.id = id }
  deinit {
    Peer.deinits += 1
    Board.last = self // it is dying: nil is stored
    if Board.last != nil { Peer.deinits += 1_000_000 }
  }
}

enum Board {
  static weak var last: Peer?
}

struct Watch {
  weak var peer: Peer?
  unowned let owner: Peer
}

func ring(_ n: Int) -> [Peer] {
  let peers = (0..<n).map { Peer($0) }
  for (k, p) in peers.enumerated() {
    p.left = peers[(k + n - 1) % n]
    p.right = peers[(k + 1) % n]
    p.root = peers[0]
  }
  return peers
}

func turn(_ peers: inout [Peer], _ rounds: Int) -> Int {
  var sum = 0
  for r in 0..<rounds {
    let k = r &* 7 % peers.count
    let p = peers[k]
    if r % 5 == 0 {
      peers[k] = Peer(1000 + r) // the old one dies when p goes
      peers[k].root = peers[(k + 1) % peers.count]
      peers[(k + 1) % peers.count].left = peers[k]
    } else if r % 3 == 0 {
      p.left = nil
      p.right = p
    } else {
      p.right = p.right ?? p
      swap(&p.left, &p.right)
      p.root = peers[r % peers.count]
    }
    Board.last = r % 2 == 0 ? p : p.left
    sum = sum &* 31 &+ (p.left?.id ?? -1) &+ (Board.last?.id ?? -2)
  }
  return sum
}

func watches(_ peers: [Peer]) -> Int {
  var list: [Watch] = []
  for p in peers { for q in peers.suffix(6) { list.append(Watch(peer: q, owner: p)) } }
  var copies = list
  copies.shuffleInOrder()
  var sum = 0
  for w in copies { sum = sum &* 7 &+ w.owner.id &+ (w.peer?.id ?? 0) }
  for k in list.indices where k % 2 == 0 { list[k].peer = nil }
  return sum &+ list.filter { $0.peer == nil }.count
}

extension Array {
  mutating func shuffleInOrder() { for k in indices where k % 3 == 0 { swapAt(k, count - 1 - k) } }
}

var peers = ring(16)
print(turn(&peers, 3000), Peer.deinits)
print(watches(peers), Peer.deinits)
var kept: [Watch] = []
for _ in 0..<200 {
  let p = Peer(1)
  kept.append(Watch(peer: p, owner: p))
  if kept.count > 20 { kept.removeFirst() } // the last unowned reference to what is gone
}
print(kept.filter { $0.peer != nil }.count, Peer.deinits)
peers = []
print(Peer.deinits, Board.last == nil)
