internal import SeedModel

/// Collects what does not fit, so that one report has all of it.
package struct MisfitReport {
  private(set) var diagnostics: [Diagnostic] = []
  /// What is to be said of values that fit.
  private(set) var remarks: [Diagnostic] = []
  private var countOfKey: [String: Int] = [:]

  /// More errors than these are not collected.
  package static let mostErrors = 20
  /// Of one kind so many are enough, or the others would not be seen.
  package static let mostOfOneKind = 5

  /// Whether the report is full.
  var isFull: Bool { diagnostics.count >= MisfitReport.mostErrors }

  /// Whether another error of a kind would be taken.
  func takes(_ kind: String) -> Bool {
    !isFull && countOfKey[kind, default: 0] < MisfitReport.mostOfOneKind
  }

  /// Adds an error of a kind.
  mutating func add(_ diagnostic: Diagnostic, kind: String) {
    guard takes(kind) else { return }
    countOfKey[kind, default: 0] += 1
    diagnostics.append(diagnostic)
  }

  /// Adds an error that stands for itself.
  mutating func add(
    _ message: String, at location: SourceLocation?, excerpt: SourceExcerpt? = nil,
    hint: String? = nil
  ) {
    add(Diagnostic(.error, message, at: location, excerpt: excerpt, hint: hint), kind: message)
  }

  /// Adds something that is no error, once.
  mutating func remark(_ remark: Diagnostic) {
    if !remarks.contains(remark) { remarks.append(remark) }
  }

  /// - Throws: ``BuildError`` with all that was collected, if that is anything.
  func check() throws {
    guard diagnostics.isEmpty else { throw BuildError(.input, diagnostics) }
  }
}
