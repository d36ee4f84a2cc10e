import SeedBuilder
import SeedFetch
import SeedFiles
import SeedModel
import SeedStreams
import SeedTransport

/// Fetches the tables of HyperHive servers that a project names, before they are built.
struct HyperHiveFetch {
  /// How long is waited before a request is repeated.
  private static let retryInterval = Duration.seconds(1)

  let source: HyperHiveSource
  /// Where the source stands in the project file.
  let location: SourceLocation?
  let retryCount: Int
  let environment: (String) -> String?

  /// Fetches the schema and the resources.
  ///
  /// - Parameter onWarning: Called for what is doubtful.
  /// - Returns: The tables.
  /// - Throws: ``BuildError`` without a user, ``FetchError`` for a variable that is not set,
  ///   ``HyperHiveError``.
  func run(onWarning: @escaping @Sendable (Diagnostic) -> Void) throws -> TableContribution {
    guard let user = source.username, let password = source.password else {
      throw BuildError(
        .usage,
        [
          Diagnostic(
            .error, "nothing says who logs in to \"\(source.host)\"", at: location,
            hint: "add \"username\" and \"password\" to the source")
        ])
    }
    let client = HyperHiveClient(
      HyperHiveServer(
        apiVersion: source.api, host: source.host, environment: source.environment,
        project: source.project, device: source.device))
    _ = try client.authenticate(
      user: try text(of: user), password: try text(of: password), cancellation: HTTPCancellation())
    let snapshot = try HyperHiveSnapshot.fetch(
      source.resources.map { resource in
        HyperHiveSnapshot.Resource(
          resource.name, isCachedByParameters: resource.withCache,
          parameters: resource.parameters?.text)
      }, with: client, retryCount: retryCount, retryInterval: Self.retryInterval)
    let host = source.host
    let warn: @Sendable (String) -> Void = { text in
      onWarning(Diagnostic(.warning, text, at: SourceLocation(file: host)))
    }
    snapshot.warnings.forEach(warn)
    return TableContribution(
      input: InputDigest(name: host, sha256: snapshot.sha256, byteCount: snapshot.byteCount)
    ) { connection in
      let rows = ContributedRows()
      let tables = try snapshot.fill(connection, observer: rows, onWarning: warn)
      let digests = rows.finish()
      return tables.map {
        TableContribution.Table(
          name: $0.name, rowCount: $0.rowCount, indexCount: 0, rowsSHA256: digests[$0.name])
      }
    }
  }

  private func text(of value: HeaderRule.Value) throws -> String {
    switch value {
    case .text(let text): return text
    case .environment(let name):
      guard let text = environment(name), !text.isEmpty else {
        throw FetchError(.missingVariable(name), place: source.host)
      }
      return text
    case .template(let text):
      do throws(FetchError) {
        return try FetchValue(template: text).resolved(environment)
      } catch {
        throw FetchError(error.reason, place: source.host)
      }
    }
  }
}

extension ContributedRows: SnapshotObserver {}
