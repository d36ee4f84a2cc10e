/// Why no commands can be made for a target.
enum Failure: Error, CustomStringConvertible {
  case noProject(target: String)
  case sameDatabase(String, String, String)

  /// What is wrong, and what to do about it.
  var description: String {
    switch self {
    case .noProject(let target):
      "target \"\(target)\" has no project file; add one called \"default.seed.json\", which "
        + "\"seed init\" begins"
    case .sameDatabase(let name, let first, let second):
      "\"\(first)\" and \"\(second)\" would both become \"\(name)\"; rename one of them"
    }
  }
}
