/// A column of a table of a store.
package struct StoreColumn: Sendable, Hashable {
  /// What a column holds, in the order in which Core Data sorts columns.
  package enum Kind: Int, Sendable, Hashable, Comparable {
    /// An integer, a truth value, a key, an entity or a place in an order.
    case integer
    /// A time or a floating-point number.
    case time, float
    case decimal
    case text
    case uuid
    case transformable
    case binary

    /// The column type that Core Data declares.
    package var sql: String {
      switch self {
      case .integer: "INTEGER"
      case .time: "TIMESTAMP"
      case .float: "FLOAT"
      case .decimal: "DECIMAL"
      case .text: "VARCHAR"
      case .uuid, .transformable, .binary: "BLOB"
      }
    }

    /// Where columns of this kind stand: times and numbers mix.
    private var rank: Int { self == .float ? Kind.time.rawValue : rawValue }

    package static func < (one: Kind, other: Kind) -> Bool { one.rank < other.rank }

    /// The kind of the column for an attribute; nil for one without a type.
    package init?(_ type: AttributeType) {
      switch type {
      case .undefined: return nil
      case .integer16, .integer32, .integer64, .boolean: self = .integer
      case .date: self = .time
      case .double, .float: self = .float
      case .decimal: self = .decimal
      case .string, .uri: self = .text
      case .uuid: self = .uuid
      case .transformable: self = .transformable
      case .binary: self = .binary
      }
    }
  }

  package var name: String
  package var kind: Kind

  package init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// The column as it stands in `CREATE TABLE`.
  var sql: String { "\(name) \(kind.sql)" }
}
