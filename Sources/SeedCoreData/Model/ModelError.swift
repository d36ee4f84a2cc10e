package import SeedModel

/// One thing that is wrong with a Core Data model, and where.
package struct ModelError: Error, Sendable, Equatable {
  /// What is wrong; the wording is in `ModelError+Description.swift`.
  package enum Reason: Sendable, Equatable {
    // The file
    case notAModel(root: String)
    case noVersion
    case unknownVersion(String, known: [String])
    case severalVersions([String])
    case brokenVersionList(String)
    case versionOfSingleModel(String)
    case olderFormat(String)
    // Elements
    case unknownElement(String, inside: String, known: [String])
    case unknownAttribute(String, of: String, known: [String])
    case missingAttribute(String, of: String)
    case wrongValue(String, of: String, expected: String)
    case strayText(inside: String)
    case repeatedElement(String)
    // Names
    case wrongName(String, what: String)
    case reservedName(String)
    case repeatedEntity(String, line: Int)
    case repeatedProperty(String, of: String, line: Int, owner: String)
    case repeatedIndex(String)
    case repeatedInIndex(String)
    case sameTable(String, String)
    // Entities
    case noEntity
    case unknownParent(String)
    case cyclicParents(String)
    // Attributes
    case unknownType(String)
    case undefinedType(String)
    case wrongDefault(String, type: AttributeType)
    case noDefault(AttributeType)
    case wrongBound(String, attribute: String, type: AttributeType)
    case crossedBounds(least: String, most: String)
    case wrongPattern(String, fault: String)
    // Relationships
    case unknownDestination(String)
    case unknownInverse(String, entity: String)
    case inverseElsewhere(String, destination: String)
    case otherInverse(String, of: String, points: String)
    case wrongDestinationOfInverse(String, destination: String, expected: String)
    case wrongCount(String)
    case orderedToOne
    // Indexes and constraints
    case unknownProperty(String, of: String, what: String)
    case unstoredProperty(String, what: String)
    case empty(String)
    // Bounds and what is not known
    case tooMany(String, limit: Int)
    case uncovered(Uncovered)
    // Derived attributes
    case wrongDerivation(String)
    // Hashes
    case unreadableHashes(String)
    case otherHashes(entities: [String], version: String?)
    case missingHashes(version: String, known: [String])
  }

  /// Something that Core Data can do and that no known store shows, so that it is not imitated.
  package struct Uncovered: Sendable, Equatable {
    /// What it is, with its name.
    package var what: String
    /// Whether the hashes of the compiled model are all that is missing.
    package var isOnlyHash: Bool
  }

  /// What is wrong.
  package var reason: Reason
  /// Where; without a line when it is about the file as a whole.
  package var location: SourceLocation

  package init(_ reason: Reason, at location: SourceLocation) {
    self.reason = reason
    self.location = location
  }
}

/// All that was found wrong with a model, in the order of its file.
package struct ModelErrors: Error, Sendable, Equatable {
  package var errors: [ModelError]

  package init(_ errors: [ModelError]) {
    self.errors = errors
  }

  /// The errors as diagnostics to print.
  package var diagnostics: [Diagnostic] { errors.map(\.diagnostic) }
}
