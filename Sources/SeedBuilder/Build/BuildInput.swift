package import SeedModel

/// What a build reads: a file or the standard input, and what is declared of it.
package struct BuildInput: Sendable, Hashable {
  /// Where the bytes come from.
  package enum Origin: Sendable, Hashable {
    /// The file at a path.
    case file(String)
    /// The bytes of the standard input.
    case standardInput
  }

  /// Where the bytes come from.
  package var origin: Origin
  /// What errors call the input, and what tells its format and the names of its records: the path
  /// given, or the address that a fetched file came from.
  package var name: String
  /// The format, when it shall not be told from name and content.
  package var format: InputFormat?
  /// The encoding, when the input does not say it itself.
  package var encoding: String?
  /// The encoding that the server named beside a fetched input; a declared one outranks it.
  package var charset: String?
  /// The table of the records that have no name in the input, such as the lines of a CSV file;
  /// without it they are called after the file.
  package var recordName: String?
  /// What is declared of delimited text.
  package var layout = DelimitedLayout()
  /// What becomes of records, by their path; others follow the inference or the schema's names.
  package var records: [RecordRule] = []
  /// The shape around an answer's data.
  package var envelope: EnvelopeRule?

  /// An input of which nothing is declared.
  ///
  /// - Parameters:
  ///   - origin: Where the bytes come from.
  ///   - name: What errors call it; without it, its path.
  package init(_ origin: Origin, name: String? = nil) {
    self.origin = origin
    switch origin {
    case .file(let path): self.name = name ?? path
    case .standardInput: self.name = name ?? "<stdin>"
    }
  }

  /// The file at a path.
  package static func file(_ path: String) -> BuildInput { BuildInput(.file(path)) }

  /// The bytes of the standard input.
  package static var standardInput: BuildInput { BuildInput(.standardInput) }
}
