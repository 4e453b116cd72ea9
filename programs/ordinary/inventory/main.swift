// A small application: a shop's inventory with classes, protocols, errors and formatting.
protocol Priced { var price: Double { get } }
extension Priced { func price(with tax: Double) -> Double { return price * (1 + tax) } }
struct Item: Priced, Hashable {
  let name: String
  let price: Double
}
enum ShopError: Error, CustomStringConvertible {
  case outOfStock(String)
  case unknown(String)
  var description: String {
    switch self {
    case .outOfStock(let n): return "\(n) is out of stock"
    case .unknown(let n): return "no such item: \(n)"
    }
  }
}
final class Shop {
  private var stock: [String: (item: Item, count: Int)] = [:]
  private(set) var log: [String] = []
  var onSale: ((Item) -> Void)?
  func add(_ item: Item, count: Int) {
    stock[item.name] = (item, (stock[item.name]?.count ?? 0) + count)
  }
  func sell(_ name: String) throws -> Item {
    guard let entry = stock[name] else { throw ShopError.unknown(name) }
    guard entry.count > 0 else { throw ShopError.outOfStock(name) }
    stock[name] = (entry.item, entry.count - 1)
    log.append("sold \(name)")
    onSale?(entry.item)
    return entry.item
  }
  var value: Double { return stock.values.map { $0.item.price * Double($0.count) }.reduce(0, +) }
  func report() {
    for (name, entry) in stock.sorted(by: { $0.key < $1.key }) {
      print("\(name): \(entry.count) at \(entry.item.price)")
    }
  }
}
let shop = Shop()
shop.add(Item(name: "pen", price: 1.5), count: 2)
shop.add(Item(name: "book", price: 20), count: 1)
shop.add(Item(name: "pen", price: 1.5), count: 1)
var income = 0.0
shop.onSale = { income += $0.price(with: 0.25) }
for name in ["pen", "book", "book", "lamp", "pen"] {
  do {
    let item = try shop.sell(name)
    print("bought \(item.name)")
  } catch {
    print("sorry: \(error)")
  }
}
shop.report()
print(shop.value, income)
print(shop.log)
