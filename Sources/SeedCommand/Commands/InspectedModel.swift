import SeedBuilder
import SeedCoreData
import SeedModel

/// The model of a store that is looked at, if one is given.
struct InspectedModel {
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) {
    self.arguments = arguments
  }

  /// The path of the model.
  private var path: String? { arguments.value(of: InspectCommand.modelName) }

  /// - Throws: ``UsageError`` for a version of no model.
  func validate() throws(UsageError) {
    if path?.isEmpty == true {
      throw UsageError(
        .emptyPath("model"), command: arguments.command, hint: "give the path of a model")
    }
    guard path == nil, arguments.has(StoreArguments.versionOption.name) else { return }
    throw UsageError(
      .optionOfModels(StoreArguments.versionOption.spelling), command: arguments.command,
      hint: "name the model with --model")
  }

  /// Reads the model, if there is one, and reports what is to be said about it.
  ///
  /// - Throws: ``BuildError`` and others about the model's file.
  func read(on console: Console) throws -> StoreModel? {
    guard let path else { return nil }
    let model = try StoreModel(StoreArguments(arguments, model: path).options)
    for warning in model.warnings { console.report(warning) }
    return model
  }
}
