extension HTTPURL {
  /// The address that a reference means beside this one, by the rules of RFC 3986, section 5.2.
  ///
  /// A user and a password in the reference are dropped: nobody gave them to us.
  /// - Throws: ``Problem``.
  package func resolving(_ reference: String) throws(Problem) -> HTTPURL {
    guard !reference.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw .controlCharacter
    }
    if Self.schemeEnd(of: reference) != nil { return try Self.parse(reference).url }
    if reference.hasPrefix("//") {
      return try Self.parse(scheme: scheme, afterSlashes: reference.dropFirst(2)).url
    }
    let (path, query) = Self.pathAndQuery(reference[...])
    var result = self
    if path.isEmpty {
      // An empty reference, or a fragment alone, is the same document.
      if let query { result.query = query }
      return result
    }
    result.query = query
    if path.hasPrefix("/") {
      result.path = Self.removingDotSegments(path)
    } else {
      let slash = self.path.lastIndex(of: "/") ?? self.path.startIndex
      result.path = Self.removingDotSegments(self.path[..<slash] + "/" + path)
    }
    return result
  }

  /// Adds a name and a value to the query, percent-encoded.
  package mutating func addQuery(_ name: String, _ value: String) {
    let pair = Percent.encode(name) + "=" + Percent.encode(value)
    query = query.map { $0.isEmpty ? pair : "\($0)&\(pair)" } ?? pair
  }

  /// A reference's path and query, percent-encoded where they must be.
  internal static func pathAndQuery(_ text: Substring) -> (path: String, query: String?) {
    let whole = text.prefix { $0 != "#" }
    guard let mark = whole.firstIndex(of: "?") else { return (Percent.repair(whole), nil) }
    return (
      Percent.repair(whole[..<mark]), Percent.repair(whole[whole.index(after: mark)...])
    )
  }

  /// RFC 3986, section 5.2.4, for a path that starts with a slash.
  internal static func removingDotSegments(_ path: String) -> String {
    var segments: [Substring] = []
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      switch part {
      case ".": if isLast { segments.append("") }
      case "..":
        _ = segments.popLast()
        if isLast { segments.append("") }
      default: segments.append(part)
      }
    }
    return "/" + segments.joined(separator: "/")
  }
}
