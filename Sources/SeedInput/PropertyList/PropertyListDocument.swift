package import SeedModel

/// Reads a small property list, binary or in XML, as one value.
package enum PropertyListDocument {
  /// The most bytes of a property list; a configuration file is no longer.
  package static let mostBytes = 16 << 20

  /// Reads the file of a path.
  ///
  /// - Throws: ``InputError``; ``FileError`` when the disk fails.
  package static func read(path: String) throws -> PropertyList {
    try read(try FileSource(path: path), name: path)
  }

  /// Reads bytes.
  ///
  /// - Throws: ``InputError``.
  package static func read(_ bytes: [UInt8], name: String) throws -> PropertyList {
    try read(PrefixedSource(bytes, NoBytes()), name: name)
  }

  /// Reads `source` to its end.
  ///
  /// - Throws: ``InputError``; what the source throws.
  package static func read(_ source: any ByteSource, name: String) throws -> PropertyList {
    let (isBinary, whole) = try PropertyListReader.isBinary(source, name: name)
    guard isBinary else {
      return try XMLPropertyListTree.value(of: try XMLElementReader.read(whole, name: name))
    }
    let bytes = try SpooledBytes(whole)
    guard bytes.count <= mostBytes else {
      throw InputError(
        .tooLong(what: "the property list", limit: mostBytes), at: SourceLocation(file: name))
    }
    var tree = BinaryPropertyListTree(try BinaryPropertyList(bytes, name: name))
    return try tree.read()
  }
}

/// A source that has nothing more to give.
private final class NoBytes: ByteSource {
  func read(into buffer: UnsafeMutablePointer<UInt8>, capacity: Int) -> Int { 0 }
}
