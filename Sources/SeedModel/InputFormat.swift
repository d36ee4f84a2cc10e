/// A format that sources can be written in.
package enum InputFormat: String, Sendable, Hashable, CaseIterable {
  /// An XML document.
  case xml
  /// One JSON text: an array of objects, or an object.
  case json
  /// One JSON text a line (ndjson.org, also known as JSON Lines).
  case ndjson
  /// Comma-separated values (RFC 4180); another delimiter may be declared or found.
  case csv
  /// Tab-separated values.
  case tsv
  /// A property list, in XML or binary.
  case plist
}
