package import SeedFiles
package import SeedModel

/// One thing that is wrong with a project file, and where.
package struct ProjectError: Error, Sendable, Equatable {
  /// What is wrong; the wording is in `ProjectError+Description.swift`.
  package enum Reason: Sendable, Equatable {
    // The file
    case missing
    case isDirectory
    case unreadable(FileError)
    case tooLarge
    /// What it says is no JSON.
    case syntax(JSONError.Reason)
    // Declarations
    /// A value of the wrong type; the subject is a key in quotes, or says what the value is.
    case wrongType(String, expected: String, found: String, hint: String?)
    case unknownKey(String, ObjectKind)
    case missingKey(String, ObjectKind)
    case missingOrigin
    case conflictingKeys(String, String, hint: String? = nil)
    case missingCompanion(String, of: String)
    /// A value of the right type that cannot be, with what can.
    case unusableValue(String, key: String, hint: String)
    /// A resource that fills the tables that another one fills, which stands at a place.
    case sameTables(String, SourceLocation?)
    /// Something that this version of the tool does not build yet.
    case unsupported(String)
  }

  /// What is wrong.
  package var reason: Reason
  /// Where; without a line when it is about the file as a whole.
  package var location: SourceLocation
  /// The line of the place.
  package var excerpt: SourceExcerpt?

  /// Creates an error.
  package init(_ reason: Reason, at location: SourceLocation, excerpt: SourceExcerpt? = nil) {
    self.reason = reason
    self.location = location
    self.excerpt = excerpt
  }
}

extension ProjectError {
  /// An error about the JSON of a project file.
  init(_ error: JSONError) {
    self.init(.syntax(error.reason), at: error.location, excerpt: error.excerpt)
  }
}

/// All that was found wrong with a project file.
package struct ProjectErrors: Error, Sendable, Equatable {
  /// The most errors that are collected of one file.
  package static let limit = 20

  /// The errors in the order of their places; at least one.
  package var errors: [ProjectError]

  /// Creates a collection.
  package init(_ errors: [ProjectError]) {
    self.errors = errors
  }

  /// The errors as they are printed.
  package var diagnostics: [Diagnostic] { errors.map(\.diagnostic) }
}
