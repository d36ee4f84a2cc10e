internal import SeedModel

/// A regular expression of a model with which values are not compared.
struct UncheckedPattern {
  /// The attribute, behind the name of its entity.
  var name: String
  var location: SourceLocation
  var reason: String

  /// All of a model.
  static func all(of model: CoreDataModel) -> [UncheckedPattern] {
    model.entities.flatMap { entity in
      entity.attributes.compactMap { attribute in
        guard let pattern = attribute.bounds.pattern, attribute.type == .string,
          let reason = ModelPattern.obstacle(to: pattern)
        else { return nil }
        return UncheckedPattern(
          name: "\(entity.name).\(attribute.name)", location: attribute.location, reason: reason)
      }
    }
  }

  /// What to say about it.
  var message: String {
    "values of \(name) are not compared with its regular expression: \(reason)"
  }

  static let hint =
    "check them in the app, which compares them when it saves, or write it otherwise"
}
