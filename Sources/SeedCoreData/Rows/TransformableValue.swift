internal import SeedBuilder
internal import SeedModel

/// Turns what a document has for a Transformable into the data that a store keeps.
struct TransformableValue {
  /// Why there is no data.
  struct Fault: Error {
    var reason: String
    var hint: String?
  }

  private let attribute: ModelAttribute
  private let isData: Bool

  /// The transformers whose data are keyed archives.
  private static let archivers: Set<String> = [
    "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer",
    "NSSecureUnarchiveFromDataTransformerName",
  ]

  /// The classes that texts, arrays and dictionaries are archived as.
  private static let classes: [String: String] = [
    "String": "string", "NSString": "string", "NSArray": "array", "NSDictionary": "dictionary",
  ]

  init(_ conversion: AttributeConversion) {
    attribute = conversion.attribute
    isData = conversion.isKnownData
  }

  /// The data; nil when there is no value.
  func data(of collected: CollectedValue) -> Result<[UInt8]?, Fault> {
    guard collected.isArray || collected.values.count > 1 else {
      guard let (key, value) = collected.values.first else { return .success(nil) }
      if key == nil, case .string(let text) = value { return data(of: text) }
      return archive(key.map { .dictionary([$0: value]) } ?? value)
    }
    return archive(
      StructuredValue.collection(collected.values) ?? .array(collected.values.map(\.value)))
  }

  private func data(of text: String) -> Result<[UInt8]?, Fault> {
    if text.isEmpty { return .success(nil) }
    let bytes = Array(text.utf8)
    let decoded = bytes.withUnsafeBufferPointer { Base64.bytes(of: $0) }
    // An archive that was exported.
    if let decoded, isData || BinaryList.isMeant(by: decoded) {
      if BinaryList.isBroken(decoded) {
        return .failure(Fault(reason: BinaryList.reason, hint: BinaryList.hint))
      }
      return .success(decoded)
    }
    if isData { return .failure(Fault(reason: "is no data in base64", hint: nil)) }
    return archive(.string(text))
  }

  private func archive(_ value: PropertyList) -> Result<[UInt8]?, Fault> {
    if let transformer = attribute.transformerName, !transformer.isEmpty,
      !Self.archivers.contains(transformer)
    {
      return .failure(
        Fault(
          reason: "cannot be turned into what \"\(transformer)\" writes",
          hint: "give the transformer's data in base64, with \"format\": \"base64\""))
    }
    let kind =
      switch value {
      case .array: "array"
      case .dictionary: "dictionary"
      default: "string"
      }
    guard let name = attribute.customClassName, !name.isEmpty else {
      return .success(KeyedArchive(value).bytes)
    }
    let wanted =
      Self.classes[name]
      ?? (name.hasPrefix("[") && name.hasSuffix("]")
        ? (name.contains(":") ? "dictionary" : "array") : nil)
    guard wanted == kind else {
      return .failure(
        Fault(
          reason: wanted == nil
            ? "cannot be archived as \"\(name)\""
            : "is \(kind == "array" ? "an" : "a") \(kind), and \"\(name)\" is expected",
          hint: wanted == nil ? "give the object's archive in base64" : nil))
    }
    return .success(KeyedArchive(value).bytes)
  }
}
