package import SeedModel

/// What a project file may declare but the builder does not do yet.
///
/// A declaration that is passed over would give a database that looks right and is not.
package enum UnsupportedRules {
  /// Fails when a project declares something that would be passed over.
  ///
  /// - Throws: ``ProjectErrors`` with each such declaration.
  package static func check(_ project: Project) throws(ProjectErrors) {
    let place = SourceLocation(file: project.path)
    var errors: [ProjectError] = []
    func refuse(_ what: String, at location: SourceLocation?) {
      errors.append(ProjectError(.unsupported(what), at: location ?? place))
    }
    for source in project.sources {
      switch source.origin {
      case .file, .url: break
      case .hyperHive:
        // The names are those that an app looks for.
        if let rule = source.records.first {
          refuse("\"records\" of a HyperHive server", at: rule.path.location ?? source.location)
        }
      }
    }
    guard errors.isEmpty else { throw ProjectErrors(errors) }
  }
}
