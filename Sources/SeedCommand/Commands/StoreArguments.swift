import SeedBuilder
import SeedCoreData
import SeedModel

/// A Core Data model on the command line, and which version of it is meant.
struct StoreArguments {
  static let versionOption = OptionSpecification(
    "model-version", .value(placeholder: "NAME"),
    help: "The version of the Core Data model. Without it, the one that Xcode calls current.")

  static let compiledOption = OptionSpecification(
    "momd", .value(placeholder: "DIR"),
    help: "The compiled Core Data model, or its VersionInfo.plist: fail unless its version hashes "
      + "are those of the model.")

  private let arguments: ParsedArguments
  /// The path of the model.
  let schema: String

  init(_ arguments: ParsedArguments, model: String) {
    self.arguments = arguments
    schema = model
  }

  /// Which model the store is of.
  var options: StoreOptions {
    StoreOptions(
      model: schema, version: arguments.value(of: Self.versionOption.name),
      compiled: arguments.value(of: Self.compiledOption.name))
  }

  /// Options about sources, which a store without rows has none of.
  private static let sourceOptions = [
    "format", "table", "encoding", "ignore-extra", "date-format", "time-zone", "delimiter", "quote",
    "no-header", "header", "offline", "locked", "retries",
  ]

  /// Refuses what makes no sense without sources.
  ///
  /// - Throws: ``UsageError``.
  func validate() throws(UsageError) {
    for option in Self.sourceOptions where arguments.has(option) {
      throw UsageError(
        .optionWithoutSources("--\(option)"), command: arguments.command, hint: "leave it out")
    }
  }

  /// Refuses options about models where none is given.
  ///
  /// - Throws: ``UsageError``.
  static func refuseOptions(
    _ arguments: ParsedArguments, schema: String?
  ) throws(UsageError) {
    for option in [versionOption, compiledOption] where arguments.has(option.name) {
      if let schema, CoreDataSchema(schema) == .model { return }
      throw UsageError(
        .optionOfModels(option.spelling), command: arguments.command,
        hint: "name the model with --schema")
    }
  }

  /// Refuses to fill a model or store with rows.
  ///
  /// - Throws: ``BuildError``.
  static func refuseRows(into schema: Located<String>) throws(BuildError) {
    let what: String
    switch CoreDataSchema(schema.value) {
    case .model: return
    case .store: what = "a Core Data store"
    case nil: return
    }
    throw BuildError(
      .usage,
      [
        Diagnostic(
          .error,
          "rows cannot be put into a Core Data store yet, and \"\(schema.value)\" is \(what)",
          at: schema.location,
          hint: "leave the sources out to build the empty store of a model")
      ])
  }
}
