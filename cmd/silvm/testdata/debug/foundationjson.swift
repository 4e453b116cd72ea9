import Foundation

struct Point: Codable {
  var x: Int
  var y: Double?
}
struct Shape: Codable {
  let shapeName: String
  let points: [Point]
  let tags: [String: Bool]
}
func show() throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting.insert(.sortedKeys)
  encoder.keyEncodingStrategy = .convertToSnakeCase
  let data = try encoder.encode(Shape(shapeName: "a/\"b\"\n", points: [Point(x: 1, y: nil), Point(x: -2, y: 0.5)], tags: ["innerKey": true]))
  print(String(decoding: data, as: UTF8.self))
  let decoder = JSONDecoder()
  decoder.keyDecodingStrategy = .convertFromSnakeCase
  let back = try decoder.decode(Shape.self, from: data)
  print(back)
  for text in ["[{\"x\": 1.5e1}]", "[{\"x\": 1}, {\"y\": 2}]", "[{\"x\": null}]", "[{\"x\": 1.5}]", "[1"] {
    do { print(try decoder.decode([Point].self, from: Data(text.utf8))) } catch { print(error) }
  }
}
try show()
