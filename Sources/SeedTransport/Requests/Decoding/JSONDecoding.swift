/// How the values of answers become values of types.
///
/// Integers are exact, up to 64 bits with or without a sign; one that does not fit its type is an
/// error, as is a number beyond what a `Double` holds. Names are taken as they are written unless
/// ``keys`` says otherwise. Types decode themselves, as their `Decodable` conformance has it, unless
/// ``convert(_:by:)`` names another way.
public struct JSONDecoding: Sendable {
  /// How the names of members become those of properties.
  public enum KeyForm: Sendable {
    /// As they are written.
    case asWritten
    /// `time_stamp` becomes `timeStamp`.
    case fromSnakeCase
    /// As a closure says.
    case custom(@Sendable (String) -> String)
  }

  internal typealias Conversion = @Sendable (any Decoder) throws -> any Sendable

  /// How the names of members become those of properties; dictionaries with texts as keys keep them
  /// as they are written.
  public var keys = KeyForm.asWritten

  internal private(set) var conversions: [ObjectIdentifier: Conversion] = [:]

  /// Names as they are written, and types as they decode themselves.
  public init() {}

  /// Has values of a type decoded by a closure wherever they stand.
  ///
  /// ```swift
  /// options.decoding.convert(Date.self) { decoder in
  ///   Date(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self))
  /// }
  /// ```
  public mutating func convert<Value: Sendable>(
    _ type: Value.Type, by conversion: @escaping @Sendable (any Decoder) throws -> Value
  ) {
    conversions[ObjectIdentifier(type)] = { try conversion($0) }
  }

  /// The name of a property for that of a member.
  internal func propertyName(_ name: String) -> String {
    switch keys {
    case .asWritten: name
    case .fromSnakeCase: SnakeCase.camelCase(name)
    case .custom(let form): form(name)
    }
  }
}

/// Names with words parted by underscores.
internal enum SnakeCase {
  /// The same name with its words parted by capital letters; underscores at either end stay.
  internal static func camelCase(_ name: String) -> String {
    guard let first = name.firstIndex(where: { $0 != "_" }),
      let last = name.lastIndex(where: { $0 != "_" })
    else { return name }
    let words = name[first...last].split(separator: "_")
    guard words.count > 1 else { return name }
    let others = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
    return name[..<first] + words[0].lowercased() + others.joined()
      + name[name.index(after: last)...]
  }
}
