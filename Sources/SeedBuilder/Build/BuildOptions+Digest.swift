internal import SeedInput
package import SeedModel

extension BuildOptions: DecidingProperties {
  package var decidingProperties: [(name: String, value: String?)] {
    [
      // Of the inputs only what is declared; their bytes have digests of their own.
      ("inputs", inputs.map { String($0.digestText.utf8.count) + "\n" + $0.digestText }.joined()),
      ("dateFormat", dateFormat),
      ("timeZone", timeZone),
      ("pageSize", String(pageSize)),
      ("analyzes", String(analyzes)),
    ]
  }

  /// The output's path is not in the output, and what is recorded about a build or told about it
  /// does not decide what is built.
  package static var irrelevantProperties: Set<String> {
    ["output", "recordsInputs", "writesManifest", "onProgress", "onDiagnostic"]
  }
}

extension BuildInput: DecidingProperties {
  package var decidingProperties: [(name: String, value: String?)] {
    let source = SourceName(name)
    return [
      // The folder is left out: nothing of it gets into the database.
      ("name", "\(source.stem).\(source.fileExtension)"),
      ("format", format?.rawValue),
      ("encoding", encoding),
      ("recordName", recordName),
      ("layout", layout.digestText),
    ]
  }

  /// Where the bytes come from does not decide what they are.
  package static var irrelevantProperties: Set<String> { ["origin"] }
}

extension DelimitedLayout: DecidingProperties {
  package var decidingProperties: [(name: String, value: String?)] {
    [
      ("delimiter", delimiter.map { String($0) }),
      ("quote", quote.map { String($0) }),
      (
        "columnNames",
        columnNames.map { names in names.map { "\($0.utf8.count) \($0)\n" }.joined() }
      ),
    ]
  }

  package static var irrelevantProperties: Set<String> { [] }
}
