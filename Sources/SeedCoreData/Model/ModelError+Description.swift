package import SeedModel

extension ModelError: CustomStringConvertible {
  /// What is wrong, in one line.
  package var description: String { fileDescription ?? declarationDescription ?? storeDescription }

  private var fileDescription: String? {
    switch reason {
    case .notAModel(let root):
      "the root element is \"\(root)\", where a Core Data model has \"model\""
    case .noVersion:
      "there is no model inside: no folder named *.xcdatamodel with a file \"contents\""
    case .unknownVersion(let name, _): "the model has no version \"\(name)\""
    case .severalVersions: "the model has several versions, and nothing says which is current"
    case .brokenVersionList(let what): "the file .xccurrentversion does not name a version: \(what)"
    case .versionOfSingleModel(let name):
      "a version, \"\(name)\", is asked for, but this is one version only"
    case .olderFormat(let what): "the model is \(what), which is not read"
    case .unknownElement(let name, let outer, _):
      "the element \"\(name)\" is not known inside \"\(outer)\""
    case .unknownAttribute(let name, let element, _):
      "the attribute \"\(name)\" of \"\(element)\" is not known"
    case .missingAttribute(let name, let element): "\"\(element)\" has no attribute \"\(name)\""
    case .wrongValue(let value, let attribute, let expected):
      "\"\(value)\" is no value of \"\(attribute)\": \(expected) is expected"
    case .strayText(let element): "text stands inside \"\(element)\", where only elements do"
    case .repeatedElement(let name): "the element \"\(name)\" stands here a second time"
    default: nil
    }
  }

  private var declarationDescription: String? {
    switch reason {
    case .wrongName(let name, let what):
      name.utf8.count > ModelName.mostBytes
        ? "the name of \(what) is \(name.utf8.count) bytes long, and at most "
          + "\(ModelName.mostBytes) are read: \"\(Self.shown(name))\""
        : "\"\(Self.shown(name))\" is no name for \(what)"
    case .reservedName(let name): "a property cannot be called \"\(name)\""
    case .repeatedEntity(let name, let line):
      "the model has an entity \"\(name)\" already, on line \(line)"
    case .repeatedProperty(let name, let entity, let line, let owner):
      owner == entity
        ? "\"\(entity)\" has a property \"\(name)\" already, on line \(line)"
        : "\"\(entity)\" inherits a property \"\(name)\" already, that of \"\(owner)\" on line \(line)"
    case .repeatedIndex(let name): "the entity has an index \"\(name)\" already"
    case .repeatedInIndex(let name): "\"\(name)\" stands here a second time"
    case .sameTable(let one, let other):
      "\"\(one)\" and \"\(other)\" differ in the case of letters only and would share a table"
    case .noEntity: "the model has no entity"
    case .unknownParent(let name): "the parent entity \"\(Self.shown(name))\" is not in the model"
    case .cyclicParents(let name): "\"\(name)\" inherits from itself"
    case .unknownType(let type): "\"\(type)\" is no type of attributes"
    case .undefinedType(let name): "\"\(name)\" has no type, so it cannot be stored"
    case .wrongDefault(let value, let type): "the default \"\(value)\" is no \(type.rawValue)"
    case .noDefault(let type): "an attribute of the type \(type.rawValue) cannot have a default"
    case .wrongBound(let value, let attribute, let type):
      "\"\(value)\" is no value of \"\(attribute)\" of the type \(type.rawValue)"
    case .crossedBounds(let least, let most):
      "the minimum \(least) is more than the maximum \(most)"
    case .wrongPattern(let pattern, let fault):
      "\"\(pattern)\" is no regular expression: \(fault)"
    case .unknownDestination(let name):
      "the destination entity \"\(Self.shown(name))\" is not in the model"
    case .unknownInverse(let name, let entity):
      "the inverse \"\(name)\" is no relationship of \"\(entity)\""
    case .inverseElsewhere(let entity, let destination):
      "the inverse is said to belong to \"\(entity)\", but the destination is \"\(destination)\""
    case .otherInverse(let name, let entity, let points):
      "the inverse \"\(name)\" of \"\(entity)\" does not lead back: \(points)"
    case .wrongDestinationOfInverse(let name, let destination, let expected):
      "the inverse \"\(name)\" leads to \"\(destination)\", not to \"\(expected)\""
    case .wrongCount(let what): what
    case .orderedToOne: "a to-one relationship cannot be ordered"
    default: nil
    }
  }

  private var storeDescription: String {
    switch reason {
    case .unknownProperty(let name, let entity, let what):
      "\(what) names \"\(name)\", which is no property of \"\(entity)\" it can use"
    case .unstoredProperty(let name, let what):
      "\(what) names \"\(name)\", which is not stored"
    case .empty(let what): "\(what) names no property"
    case .tooMany(let what, let limit): "there are more than \(limit) \(what)"
    case .uncovered(let uncovered):
      "what Core Data makes of \(uncovered.what) is not known well enough to write it"
    case .wrongDerivation(let expression): "\"\(expression)\" cannot be derived"
    case .unreadableHashes(let what): "this is no VersionInfo.plist of a compiled model: \(what)"
    case .otherHashes(let entities, let version):
      "the compiled model\(version.map { " \"\($0)\"" } ?? "") is another one: "
        + "its version hashes differ for \(entities.joined(separator: ", "))"
    case .missingHashes(let version, _): "the compiled model has no version \"\(version)\""
    default: "\(reason)"
    }
  }

  /// What to do about it, when there is something to say.
  package var hint: String? {
    switch reason {
    case .notAModel, .noVersion:
      "give a folder .xcdatamodeld or .xcdatamodel, or the file \"contents\" in it"
    case .unknownVersion(let name, let known):
      Suggestion.nearest(to: name, in: known).map { "did you mean \"\($0)\"?" }
        ?? "it has \(Self.list(known))"
    case .severalVersions(let known): "name one with --model-version: \(Self.list(known))"
    case .brokenVersionList: "choose the current version in Xcode, or name one with --model-version"
    case .versionOfSingleModel: "leave --model-version out, or give the folder .xcdatamodeld"
    case .olderFormat: "open it in Xcode and save it, which writes the current format"
    case .unknownElement(let name, _, let known), .unknownAttribute(let name, _, let known):
      Suggestion.nearest(to: name, in: known).map { "did you mean \"\($0)\"?" }
        ?? "what this tool does not know may change the store; \(Self.template)"
    case .wrongName(let name, _) where name.utf8.count > ModelName.mostBytes:
      "give it a shorter one"
    case .wrongName: "a name begins with a letter; letters, digits and underscores follow"
    case .reservedName:
      "NSObject or NSManagedObject has a method of this name; call it otherwise"
    case .sameTable: "rename one of them"
    case .unknownType(let type):
      Suggestion.nearest(to: type, in: AttributeType.allCases.map(\.rawValue))
        .map { "did you mean \"\($0)\"?" }
        ?? "the types are \(AttributeType.allCases.map(\.rawValue).joined(separator: ", "))"
    case .undefinedType: "choose a type, or make the attribute transient"
    case .noDefault: "leave the default out"
    case .otherInverse, .wrongDestinationOfInverse, .unknownInverse, .inverseElsewhere:
      "set the inverse anew in Xcode, which corrects both sides"
    case .orderedToOne: "leave \"ordered\" out, or make the relationship to-many"
    case .uncovered(let uncovered):
      uncovered.isOnlyHash
        ? "take the hashes from the compiled model with --momd; or \(Self.template)" : Self.template
    case .wrongDerivation: "what is known is the count of a to-many relationship, as pages.@count"
    case .otherHashes: "compile the app again, or build from the model that it was compiled from"
    case .missingHashes(_, let known): "it has \(Self.list(known)); name one with --model-version"
    default: nil
    }
  }

  private static let template =
    "have the app write an empty store once and give it with --schema Empty.sqlite"

  /// A name, or the beginning of a long one.
  private static func shown(_ name: String) -> String {
    name.count > 80 ? "\(name.prefix(80))…" : name
  }

  private static func list(_ names: [String]) -> String {
    names.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  /// The error as a diagnostic to print.
  package var diagnostic: Diagnostic {
    Diagnostic(.error, description, at: location, hint: hint)
  }
}
