/// A declared value with the place where it was declared.
package struct Located<Value: Sendable & Hashable>: Sendable, Hashable {
  /// What was declared.
  package var value: Value
  /// Where; nil for what comes from the command line.
  package var location: SourceLocation?
  /// A number as it was written, where the value has not kept all of its digits.
  package var spelling: String?

  /// A value that was declared at a place.
  package init(_ value: Value, at location: SourceLocation? = nil) {
    self.value = value
    self.location = location
  }
}
