/// What a reader of another format needs to read a document of objects in its place.
package struct ObjectReading {
  /// How to read the document.
  var settings: ReaderSettings
  /// What earlier readings of the same input have found.
  var findings: StructureFindings
  /// Whether the document must be a property list.
  var isRequired: Bool
}
