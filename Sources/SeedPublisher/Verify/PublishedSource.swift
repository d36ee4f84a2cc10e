package import SeedFiles
package import SeedTransport

/// A published stream, to be looked at: in a directory or behind an address.
package protocol PublishedSource {
  /// What messages call it.
  var place: String { get }

  /// The bytes of the head.
  ///
  /// - Throws: ``PublishedSourceError``.
  func head() throws(PublishedSourceError) -> [UInt8]

  /// The size of an object.
  ///
  /// - Parameter sha256: The object's digest.
  /// - Returns: Nil if it is not there, -1 if the server does not say.
  /// - Throws: ``PublishedSourceError``.
  func size(of sha256: String) throws(PublishedSourceError) -> Int64?

  /// The first bytes of an object.
  ///
  /// - Parameters:
  ///   - sha256: The object's digest.
  ///   - limit: How many at most.
  /// - Returns: The bytes.
  /// - Throws: ``PublishedSourceError``.
  func start(of sha256: String, limit: Int) throws(PublishedSourceError) -> [UInt8]
}

/// Why a published stream cannot be looked at.
package struct PublishedSourceError: Error, Sendable, Equatable {
  /// What is wrong.
  package enum Reason: Sendable, Equatable {
    /// The text is no address.
    case address
    case transport(TransportError)
    case file(FileError)
    /// There is no such file.
    case missing
    /// It is there and is not what it should be, and how.
    case unusable(String)
    /// No trusted key has signed the head, though perhaps somebody else has.
    case notSigned(bySomebody: Bool)
  }

  /// What is wrong.
  package var reason: Reason
  /// The file or the address.
  package var place: String

  /// An error about a file or an address.
  package init(_ reason: Reason, place: String) {
    self.reason = reason
    self.place = place
  }

  /// Whether it was looked for and there is none.
  package var isMissing: Bool {
    switch reason {
    case .missing: true
    case .file(let error): error.isMissing
    case .transport(let error):
      if case .status(let status, _) = error.reason { [404, 410].contains(status) } else { false }
    case .address, .unusable, .notSigned: false
    }
  }

  /// Whether it is there, and no trusted key has signed it.
  package var isUnsigned: Bool {
    if case .notSigned = reason { true } else { false }
  }

  /// What is wrong, without the place.
  package var message: String {
    switch reason {
    case .address: "is no address that can be fetched"
    case .transport(let error): error.message
    case .file(let error): "\(error.reason) (\(error.operation.rawValue))"
    case .missing: "there is no such file"
    case .unusable(let why): why
    case .notSigned(let bySomebody):
      bySomebody
        ? "the head's signature is not that of a trusted key, or the head was changed"
        : "the head is not signed, and a trusted key is given"
    }
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  package var hint: String? {
    switch reason {
    case .address: "give the address of the folder in which head.json is, or its path"
    case .transport(let error): error.hint
    case .file(let error): error.hint
    case .missing: "give the folder in which head.json is, as --published"
    case .unusable, .notSigned: nil
    }
  }
}
