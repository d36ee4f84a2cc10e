import SeedServer

/// What a server did for a request, as a line.
enum ServedRequestText {
  /// What the dynamic protocol asks with; anything else in a query may be a secret.
  private static let parameters: Set<Substring> = [
    "cursor", "epoch", "id", "schema", "seq", "wait",
  ]

  private static func shown(_ target: String) -> String {
    guard let mark = target.firstIndex(of: "?") else { return target }
    let items = target[target.index(after: mark)...].split(separator: "&").map { item in
      let name = item.prefix { $0 != "=" }
      return parameters.contains(name) ? String(item) : "\(name)=***"
    }
    return target[...mark] + items.joined(separator: "&")
  }

  /// `GET /catalog/v1/head.json 200, 812 bytes, 3 ms`.
  static func line(of request: ServedRequest) -> String {
    let (seconds, rest) = request.duration.components
    let milliseconds = seconds * 1000 + rest / 1_000_000_000_000_000
    let status = request.status == 0 ? "no answer" : String(request.status)
    var line =
      "\(request.method) \(shown(request.target)) \(status), \(request.byteCount) bytes, "
      + "\(milliseconds) ms"
    if let fault = request.fault { line += ", \(fault)" }
    // An answer that was made to break off fails in the way that was asked for.
    if let failure = request.failure, request.fault?.ending == nil {
      line += ", broken off: \(failure)"
    }
    return TerminalText.escaped(line)
  }
}
