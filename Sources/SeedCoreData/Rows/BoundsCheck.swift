internal import SeedModel

/// Checks values against what a model says of them, as Core Data does when an object is saved.
struct BoundsCheck {
  private let least: Double?
  private let most: Double?
  /// The bounds of an integer, which a double does not keep.
  private let range: (least: Int64?, most: Int64?)
  private let bounds: AttributeBounds
  private let pattern: Regex<AnyRegexOutput>?

  /// Nil when there is nothing to check.
  init?(_ attribute: ModelAttribute) {
    bounds = attribute.bounds
    guard bounds != AttributeBounds() else { return nil }
    least = bounds.least.flatMap { Double($0) }
    most = bounds.most.flatMap { Double($0) }
    range = (bounds.least.flatMap { Int64($0) }, bounds.most.flatMap { Int64($0) })
    pattern = bounds.pattern.flatMap { Self.expression($0) }
  }

  /// A regular expression as Swift reads it, by characters of Unicode as ICU does; nil when Swift
  /// does not know its like.
  static func expression(_ pattern: String) -> Regex<AnyRegexOutput>? {
    (try? Regex(pattern))?.matchingSemantics(.unicodeScalar)
  }

  /// What is wrong with a default of the model.
  func fault(of value: ModelValue) -> String? {
    switch value {
    case .integer(let number): return fault(ofInteger: number)
    case .decimal(let text): return Double(text).flatMap { fault(ofNumber: $0) }
    case .real(let number): return fault(ofNumber: number)
    case .date(let seconds): return fault(ofDate: seconds)
    case .text(var text): return text.withUTF8 { fault(ofText: $0) }
    case .boolean, .uuid: return nil
    }
  }

  func fault(ofInteger number: Int64) -> String? {
    if let least = range.least, number < least { return tooSmall }
    if let most = range.most, number > most { return tooLarge }
    return nil
  }

  func fault(ofNumber number: Double) -> String? {
    if let least, number < least { return tooSmall }
    if let most, number > most { return tooLarge }
    return nil
  }

  func fault(ofDate seconds: Double) -> String? {
    if let least, seconds < least { return "is before the earliest date of the model" }
    if let most, seconds > most { return "is after the latest date of the model" }
    return nil
  }

  func fault(ofText text: UnsafeBufferPointer<UInt8>) -> String? {
    if least != nil || most != nil {
      // Core Data counts the units of UTF-16.
      let count = Double(String(decoding: text, as: UTF8.self).utf16.count)
      if let least, count < least {
        return "is shorter than the \(bounds.least ?? "") characters that the model demands"
      }
      if let most, count > most {
        return "is longer than the \(bounds.most ?? "") characters that the model allows"
      }
    }
    guard let pattern else { return nil }
    let text = String(decoding: text, as: UTF8.self)
    if (try? pattern.wholeMatch(in: text)) ?? nil != nil { return nil }
    return "does not match the model's expression \(bounds.pattern ?? "")"
  }

  private var tooSmall: String { "is less than the model's minimum \(bounds.least ?? "")" }
  private var tooLarge: String { "is more than the model's maximum \(bounds.most ?? "")" }
}
