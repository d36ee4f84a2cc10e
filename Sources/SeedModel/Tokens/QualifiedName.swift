/// The name of an element or attribute with its namespace.
package struct QualifiedName: Sendable, Hashable {
  /// The name without prefix.
  package var local: String
  /// The prefix as written, or nil.
  package var prefix: String?
  /// The namespace's URI; nil without a namespace, or when the prefix is not declared.
  package var namespace: String?

  package init(local: String, prefix: String? = nil, namespace: String? = nil) {
    self.local = local
    self.prefix = prefix
    self.namespace = namespace
  }

  /// Equal names denote the same thing whatever their prefixes are.
  ///
  /// Names are compared by their code units, as XML does; Swift's strings are equal also when only
  /// their meaning is (a letter with a combining accent).
  package static func == (a: QualifiedName, b: QualifiedName) -> Bool {
    guard isSame(a.local, b.local) else { return false }
    return a.namespace == nil && b.namespace == nil
      ? isSame(a.prefix, b.prefix) : isSame(a.namespace, b.namespace)
  }

  package func hash(into hasher: inout Hasher) {
    // The namespace too: a document can have any number of names that differ in nothing else.
    for unit in local.utf8 { hasher.combine(unit) }
    for unit in (namespace ?? prefix ?? "").utf8 { hasher.combine(unit) }
  }

  private static func isSame(_ a: String?, _ b: String?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return a.utf8.elementsEqual(b.utf8)
  }
}

/// Names that no document gives; they are never equal to one that it does.
extension QualifiedName {
  /// The outermost value of a document whose values have no names, such as a JSON text.
  package static func document(_ name: String) -> QualifiedName {
    QualifiedName(local: name, namespace: madeUpNamespace)
  }

  /// The key of a row of a keyed collection.
  package static var collectionKey: QualifiedName {
    QualifiedName(local: "key", namespace: madeUpNamespace)
  }

  /// Whether the name is one of these, so that it gives way where the document has the same.
  package var isMadeUp: Bool { namespace == QualifiedName.madeUpNamespace }

  /// No namespace of XML: a URI has no blanks.
  private static var madeUpNamespace: String { "made up" }
}
