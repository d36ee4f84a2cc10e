import SeedPublisher

/// The public keys of a command line, one of which must have signed a head.
struct TrustedKeyArguments {
  static let option = OptionSpecification(
    "trusted-key", .value(placeholder: "FILE"), isRepeatable: true,
    help: "Take no head without a signature by this public key of Ed25519: a file as openssl pkey "
      + "-pubout writes it, or a JSON Web Key. May be given again; one key suffices.")

  /// The files in their order.
  let paths: [String]

  /// Takes the files of a command line.
  ///
  /// - Throws: ``UsageError`` for an empty path.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.list(of: Self.option.name)
    if paths.contains("") {
      throw UsageError(
        .emptyPath("key"), command: arguments.command,
        hint: "give the path of a file with a public key")
    }
  }

  /// Reads the keys of all files.
  ///
  /// - Returns: The keys, raw.
  /// - Throws: ``StreamPublishError`` for a file that is missing or has no such key.
  func keys() throws(StreamPublishError) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    for path in paths { keys += try TrustedKeys.read(at: path) }
    return keys
  }
}
