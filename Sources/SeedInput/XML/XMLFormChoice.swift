/// Recognises the form of a document from its root element.
enum XMLFormChoice {
  /// The form, or nil for a document that is what its elements say.
  ///
  /// - Parameters:
  ///   - root: The name of the root element.
  ///   - names: Makes names of values.
  ///   - recordName: What records are called that have no name in the document, or nil.
  /// - Returns: A form at its start.
  static func form(
    of root: XMLPlaceTable.NameKey, names: XMLFormNames, recordName: String?
  ) -> (any XMLForm)? {
    guard root.namespace == nil, root.prefix == nil else { return nil }
    if root.isLocal("mysqldump") { return XMLDumpForm(names: names) }
    if root.isLocal("resultset") { return XMLResultForm(names: names, recordName: recordName) }
    if root.isLocal("resources") { return XMLResourcesForm() }
    return nil
  }
}
