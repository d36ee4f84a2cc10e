package import SeedFiles
internal import SeedStreams

/// Finds out what a request is about and who answers it.
package struct ServerRoutes: Sendable {
  private let options: ServerOptions
  private let files: StaticFiles
  private let streams: DynamicEndpoint

  /// Routes into a directory.
  package init(directory: String, options: ServerOptions, files: FileSystem = .live) {
    self.options = options
    self.files = StaticFiles(directory: directory, files: files)
    streams = DynamicEndpoint(directory: directory, options: options, files: files)
  }

  /// The answer to a request; nothing of it is sent yet.
  package func answer(
    to request: ServerRequest, from client: any ServedClient
  ) -> ServerAnswer {
    guard ["GET", "HEAD"].contains(request.method) else {
      return .problem(405, title: "Method not allowed", headers: [("Allow", "GET, HEAD")])
    }
    guard isAuthorized(request) else {
      return .problem(
        401, title: "Unauthorized", detail: "the header Authorization has to bring the token",
        headers: [("WWW-Authenticate", "Bearer")])
    }
    let target: RequestTarget
    do throws(RequestTarget.Problem) {
      target = try RequestTarget(request.target)
    } catch {
      return .problem(400, title: "Bad request", detail: "the path is malformed")
    }
    if target.parts.count == 3, target.parts[1] == "streams", Self.isVersion(target.parts[0]) {
      return streams.answer(to: request, target, from: client)
    }
    guard !target.parts.isEmpty else {
      return .problem(
        404, title: "Not found", detail: "streams are at /NAME/v1/head.json and /v1/streams/NAME")
    }
    return files.answer(to: request, target)
  }

  /// Whether the request brings the token; how long the comparison takes tells nothing about it.
  private func isAuthorized(_ request: ServerRequest) -> Bool {
    guard let token = options.token else { return true }
    let header = request.headers["authorization"] ?? ""
    // The scheme's name may be in any case (RFC 9110, section 11.1); the token is what it is.
    let words = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let isBearer = words.first.map { String($0).lowercased() == "bearer" } ?? false
    let given = isBearer && words.count == 2 ? Array(words[1].drop { $0 == " " }.utf8) : []
    let wanted = Array(token.utf8)
    var difference = given.count ^ wanted.count
    for index in wanted.indices {
      difference |= Int((index < given.count ? given[index] : 0) ^ wanted[index])
    }
    return difference == 0
  }

  /// Whether a part of a path is a version, such as `v1`.
  internal static func isVersion(_ part: String) -> Bool {
    part.hasPrefix("v") && (2...5).contains(part.utf8.count)
      && part.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }
}
