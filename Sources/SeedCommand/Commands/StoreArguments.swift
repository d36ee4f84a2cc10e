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

  static let modelOption = OptionSpecification(
    "model", .value(placeholder: "MODEL"),
    help: "With a Core Data store as the schema: the model that it is of, which knows the "
      + "relationships.")

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
    let kind = schema.flatMap { CoreDataSchema($0) }
    if arguments.has(modelOption.name), kind != .store {
      throw UsageError(
        .optionOfTemplates(modelOption.spelling), command: arguments.command,
        hint: "name the store with --schema; a model alone is a schema, too")
    }
    for option in [versionOption, compiledOption] where arguments.has(option.name) {
      if kind == .model || kind == .store && arguments.has(modelOption.name) { return }
      throw UsageError(
        .optionOfModels(option.spelling), command: arguments.command,
        hint: "name the model with --schema")
    }
  }

  /// The model of a template, if it is given.
  static func model(of arguments: ParsedArguments) -> StoreOptions? {
    arguments.value(of: modelOption.name).map { StoreArguments(arguments, model: $0).options }
  }
}
