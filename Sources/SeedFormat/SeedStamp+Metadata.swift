package import SeedModel

/// The stamp of a Core Data store: members of the property list that Core Data keeps about a store.
///
/// A table of its own would be one that the model does not know of.
extension SeedStamp {
  /// What the keys of the stamp begin with.
  package static let metadataPrefix = "Seed"
  /// The key that tells a stamp from none.
  static var formatKey: String { Key.format }

  private enum Key {
    static let format = "SeedFormat"
    static let name = "SeedName"
    static let version = "SeedVersion"
    static let content = "SeedContentSHA256"
    static let tool = "SeedTool"
    static let inputs = "SeedInputsSHA256"
  }

  /// The members that say what the stamp says.
  package var metadata: [String: PropertyList] {
    var members: [String: PropertyList] = [
      Key.format: .integer(format), Key.name: .string(name),
      Key.content: .string(contentSHA256), Key.tool: .string(tool),
    ]
    members[Key.version] = version.map { .string($0) }
    members[Key.inputs] = inputsSHA256.map { .string($0) }
    return members
  }

  /// What the property list of a store has for a stamp.
  static func reading(metadata members: [String: PropertyList]) -> Reading {
    guard let number = members[Key.format] else { return .absent }
    guard let format = number.integer else {
      return .malformed("the stamp's format is not an integer")
    }
    guard format == currentFormat else {
      return .malformed("the stamp has format \(format), this tool reads \(currentFormat)")
    }
    guard let name = members[Key.name]?.string, let digest = members[Key.content]?.string,
      let tool = members[Key.tool]?.string
    else { return .malformed("a value of the stamp is not a text") }
    return .present(
      SeedStamp(
        name: name, version: members[Key.version]?.string, contentSHA256: digest, tool: tool,
        inputsSHA256: members[Key.inputs]?.string))
  }
}
