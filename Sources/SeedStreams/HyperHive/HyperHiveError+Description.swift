extension HyperHiveError: CustomStringConvertible {
  /// The place and what is wrong, on one line.
  public var description: String { place.isEmpty ? message : "\(place): \(message)" }

  /// What is wrong, without the place.
  public var message: String {
    switch reason {
    case .refused(let code, let description):
      description.isEmpty ? "the server answers \(code)" : description
    case .transport(_, let message), .database(_, let message), .file(_, let message): message
    case .malformedAnswer(let problem): problem
    case .webPage: "the server answers with a web page in place of data"
    case .changedType(let table, let column, let from, let to):
      "the type of column \"\(column)\" of \"\(table)\" was \(from) and is \(to) now"
    case .changedKey(let table): "the key of \"\(table)\" is another one now"
    case .invalidArgument(let problem): problem
    case .notAuthenticated: "nobody has logged in"
    case .cancelled: "cancelled"
    }
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  public var hint: String? {
    switch reason {
    case .refused(401, _), .refused(403, _): "check the user, the password and the project"
    case .refused(404, _): "check the address and the name of the resource"
    case .refused, .file, .cancelled, .invalidArgument, .database: nil
    case .transport: "try again later; a load that resumes asks only for what is missing"
    case .malformedAnswer: "load again; if that does not help, see what the server sends"
    case .webPage: "check the address; a proxy or a login page may stand before the server"
    case .changedType, .changedKey: "start with a new database, or have the server keep it"
    case .notAuthenticated: "authenticate first"
    }
  }
}
