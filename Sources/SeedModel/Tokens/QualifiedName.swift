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
  package static func == (a: QualifiedName, b: QualifiedName) -> Bool {
    guard a.local == b.local else { return false }
    return a.namespace == nil && b.namespace == nil
      ? a.prefix == b.prefix : a.namespace == b.namespace
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(local)
  }
}
