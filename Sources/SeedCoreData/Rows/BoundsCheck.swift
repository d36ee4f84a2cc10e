internal import SeedModel

/// Checks values against what a model says of them, as Core Data does when an object is saved.
struct BoundsCheck {
  private let least: Double?
  private let most: Double?
  /// The bounds of an integer, which a double does not keep.
  private let range: (least: Int64?, most: Int64?)
  private let bounds: AttributeBounds
  private let pattern: ModelPattern?

  /// Nil when there is nothing to check.
  init?(_ attribute: ModelAttribute, mostLooks: Int = PatternAutomaton.mostLooks) {
    bounds = attribute.bounds
    guard bounds != AttributeBounds() else { return nil }
    // A Float is compared with the Float that the bound is, not with a Double between two of them.
    let number: (String) -> Double? =
      attribute.type == .float
      ? { Float($0).map { Double($0) } } : { Double($0) }
    least = bounds.least.flatMap(number)
    most = bounds.most.flatMap(number)
    let integer: (String) -> Int64? = { NumberDigits($0.utf8)?.integer }
    range = (bounds.least.flatMap(integer), bounds.most.flatMap(integer))
    pattern = bounds.pattern.flatMap { ModelPattern($0, mostLooks: mostLooks) }
  }

  func fault(ofInteger number: Int64) -> String? {
    if let least = range.least, number < least { return tooSmall }
    if let most = range.most, number > most { return tooLarge }
    return nil
  }

  /// What is wrong with a whole number where fractions are allowed, too.
  func fault(ofWhole number: Int64) -> String? {
    let double = Double(number)
    if let least = range.least {
      if number < least { return tooSmall }
    } else if let least, double < least {
      return tooSmall
    }
    if let most = range.most {
      if number > most { return tooLarge }
    } else if let most, double > most {
      return tooLarge
    }
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
    switch pattern.compare(String(decoding: text, as: UTF8.self)) {
    case .matches: return nil
    case .differs: return "does not match the model's expression \(bounds.pattern ?? "")"
    case .takesTooLong:
      return "takes too long to be compared with the model's expression \(bounds.pattern ?? "")"
    }
  }

  private var tooSmall: String { "is less than the model's minimum \(bounds.least ?? "")" }
  private var tooLarge: String { "is more than the model's maximum \(bounds.most ?? "")" }
}
