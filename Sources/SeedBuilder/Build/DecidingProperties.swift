/// A part of a build's options that knows which of its properties decide the bytes of the output.
///
/// Every stored property is named here, either as deciding or as irrelevant; a test compares the
/// names with the properties that there are, so that a new one cannot be forgotten.
package protocol DecidingProperties {
  /// The properties that decide the bytes, in a fixed order, each with a text for its value.
  var decidingProperties: [(name: String, value: String?)] { get }

  /// The names of the properties that do not.
  static var irrelevantProperties: Set<String> { get }
}

extension DecidingProperties {
  /// All that decides the bytes, as text: equal for equal values only.
  ///
  /// A line for each property, with the length of its value before it, so that no value can look
  /// like the lines of others.
  package var digestText: String {
    decidingProperties.map { name, value in
      value.map { "\(name) \($0.utf8.count) \($0)\n" } ?? "\(name)\n"
    }.joined()
  }
}
