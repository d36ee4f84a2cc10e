/// The names and values of a request's query, in their order; a name may stand there several times.
public struct RequestQuery: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  internal struct Item: Sendable, Hashable {
    var name: String
    var value: String
  }

  internal private(set) var items: [Item] = []

  /// A query from a literal: `["page": "2", "tag": "a", "tag": "b"]`.
  public init(dictionaryLiteral elements: (String, String)...) {
    items = elements.map { Item(name: $0.0, value: $0.1) }
  }

  /// Adds a name with its value; without a value nothing is added.
  public mutating func append(_ name: String, _ value: String?) {
    if let value { items.append(Item(name: name, value: value)) }
  }
}
