internal import SeedInput
internal import SeedModel

extension BuildOptions: PartlyDeciding {
  /// All options that decide the bytes of the output, as text.
  ///
  /// Not what the inputs and the schema hold: ``BuildRecord`` has their digests.
  package var digestText: String { OptionText.text(of: self) }

  var decidingTexts: [String: String?] {
    [
      // Its path is not in the output.
      "output": nil,
      // Their digests count among those of the inputs.
      "contributions": nil,
      // What is recorded about a build, or told, does not decide what is built.
      "recordsInputs": nil, "writesManifest": nil, "compresses": nil, "replacesForeign": nil,
      "onProgress": nil, "onDiagnostic": nil,
    ]
  }
}

extension BuildInput: PartlyDeciding {
  var decidingTexts: [String: String?] {
    let source = SourceName(name)
    return [
      // Where the bytes come from does not decide what they are.
      "origin": nil,
      // The folder is left out: nothing of it gets into the database.
      "name": "\(source.stem).\(source.fileExtension)",
    ]
  }
}

extension MappingRules: PartlyDeciding {
  var decidingTexts: [String: String?] {
    // Only whether there is one: what it holds has a digest of its own.
    ["schema": schema == nil ? "none" : "given", "mostSteps": nil]
  }
}

extension StreamDeclaration: PartlyDeciding {
  // How it is written is the tool's own.
  var decidingTexts: [String: String?] { ["write": nil] }
}

extension StreamRule: PartlyDeciding {
  // The database does not say where a stream comes from.
  var decidingTexts: [String: String?] { ["source": nil] }
}
