extension PublishError: CustomStringConvertible {
  /// The destination and what is wrong with it, on one line.
  package var description: String { "\(path): \(message)" }

  /// What is wrong, without the destination.
  package var message: String {
    switch reason {
    case .notAFileName: "not a usable file name"
    case .isDirectory: "is a directory"
    case .exists: "exists already"
    case .directoryMissing(let directory): "directory \"\(directory)\" does not exist"
    case .notADirectory(let part): "\"\(part)\" is not a directory"
    case .notARegularFile: "exists and is not a regular file"
    case .notADatabase: "exists and is not an SQLite database"
    case .foreignDatabase: "exists and is a database that seed did not build"
    case .installedDatabase:
      "exists and is a database that was installed for an app, with what the app wrote into it"
    case .isOpen(let process): "the database is open in another process (\(process))"
    case .otherKind(let name): "exists and is not \(name)"
    case .unfinishedLog(let log): "an unfinished log lies beside it: \"\(log)\""
    case .linkLoop: "too many symbolic links"
    case .cannotCreate(let error): "cannot create the file: \(error.reason)"
    case .cannotPublish(let error):
      "cannot write the file: \(error.reason) (\(error.operation.rawValue))"
    }
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  package var hint: String? {
    switch reason {
    case .notAFileName: "give the name of a file"
    case .isDirectory: "give the name of a file in it"
    case .exists, .foreignDatabase, .installedDatabase:
      "choose another name, or replace it with --force"
    case .directoryMissing: "create the directory first"
    case .notADirectory: "check the path for a misspelt directory"
    case .notARegularFile: "choose another name"
    case .notADatabase, .otherKind: "choose another name, or delete the file"
    case .isOpen: "close it there, or choose another name"
    case .unfinishedLog(let log):
      """
      close the program that has the database open, or open and close it once with sqlite3; \
      if the database is gone, delete "\(log)"
      """
    case .linkLoop: "remove the link, or choose another name"
    case .cannotCreate(let error), .cannotPublish(let error): error.hint
    }
  }
}
