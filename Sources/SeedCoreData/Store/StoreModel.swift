internal import SeedBuilder
package import SeedModel

/// A model with everything that a store of it needs.
package struct StoreModel: Sendable {
  package let model: CoreDataModel
  package let layout: StoreLayout
  /// The path of the file `contents`.
  package let path: String
  /// What the version is called; nil for a bare file.
  package let version: String?

  /// Reads the model and lays it out.
  ///
  /// - Throws: ``BuildError`` with all that is wrong; ``InputError``, ``FileError``.
  package init(_ options: StoreOptions) throws {
    do {
      let choice = try ModelFolder.choose(options.model, version: options.version)
      model = try ModelReader.read(contentsAt: choice.path)
      layout = try StoreLayout(model)
      path = choice.path
      version = choice.version
    } catch let errors as ModelErrors {
      throw BuildError(.input, errors.diagnostics)
    }
  }

  /// The warnings about the model and its layout.
  package var warnings: [Diagnostic] {
    model.warnings + layout.warnings
      + UncheckedPattern.all(of: model).map {
        Diagnostic(.warning, $0.message, at: $0.location, hint: UncheckedPattern.hint)
      }
  }

  /// The version hashes, compared with those of the compiled model if there is one.
  ///
  /// - Throws: ``BuildError`` when they differ or cannot be known; ``InputError``, ``FileError``.
  package func hashes(confirmedBy compiled: String?) throws -> EntityHashes {
    do {
      guard let compiled else { return try EntityHashes(model) }
      return try CompiledModel.read(compiled).confirm(model, version: version)
    } catch let errors as ModelErrors {
      throw BuildError(.input, errors.diagnostics)
    }
  }
}
