package import SeedModel

/// What is wrong with an input, and where.
package struct InputError: Error, Sendable, Equatable {
  /// What is wrong; the wording is in `InputError+Description.swift`.
  package enum Reason: Sendable, Equatable {
    // The file
    case missing
    /// A file that a build needs beside its sources, such as its schema.
    case missingCompanion
    case isDirectory
    case unreadable(operation: String, errno: Int32)
    case changedWhileRead
    // Packing and encoding
    case damagedGzip(String)
    /// Packed data that was cut off, with the bytes that are there and those they unpack to.
    case truncatedGzip(byteCount: Int64, unpacked: Int64)
    case unknownEncoding(String)
    case wrongEncoding(declared: String)
    /// Bytes that are no text in their encoding; the first of them, when it is known.
    case undecodable(encoding: String, byte: UInt8?)
    case cutCharacter(encoding: String)
    case nulByte
    // The document
    case notXML(looksLike: String?)
    /// Neither name nor content tell the format.
    case formatUnknown
    /// An input that is in none of the formats.
    case notReadable(looksLike: String)
    case emptyFile
    case empty
    case noElement
    case malformed(String, hint: String?)
    /// Something in delimited text.
    case delimited(DelimitedFault)
    case undeclaredEntity(String, hasExternalSubset: Bool)
    case externalEntity(String)
    case entityExpansion
    // Bounds
    case tooDeep
    /// Objects and arrays, as opposed to elements.
    case valuesTooDeep
    case tooLong(what: String, limit: Int)
    case tooMany(what: String, limit: Int)
    /// A table for the elements of this name would have more columns than SQLite takes.
    case tooManyColumns(element: String)
  }

  package var reason: Reason
  package var location: SourceLocation
  package var excerpt: SourceExcerpt?

  package init(_ reason: Reason, at location: SourceLocation, excerpt: SourceExcerpt? = nil) {
    self.reason = reason
    self.location = location
    self.excerpt = excerpt
  }
}

/// Several things that are wrong with one input, in its order.
package struct InputErrors: Error, Sendable, Equatable {
  package var errors: [InputError]

  package init(_ errors: [InputError]) {
    self.errors = errors
  }
}
