internal import SeedFiles
internal import SeedModel

/// What a build says of things that were made of the database before.
extension Build {
  /// Says that a manifest beside the output is about another file now.
  static func remarkOnOldManifest(_ options: BuildOptions) {
    let path = BuildManifest.path(beside: options.output)
    // What cannot be looked at is not worth failing a build that is done.
    guard let status = try? FileSystem.live.status(path), status.kind == .regular else { return }
    options.onDiagnostic?(
      Diagnostic(
        .warning, "the manifest is that of the database before",
        at: SourceLocation(file: path), hint: "build with --manifest, or delete it"))
  }

  /// Says that the packed form beside the output is of another database.
  static func remarkOnOldArchive(_ options: BuildOptions) {
    // What cannot be looked at is not worth failing a build that is done.
    guard !options.compresses, (try? ArchiveFile.isStale(beside: options.output)) == true else {
      return
    }
    options.onDiagnostic?(
      Diagnostic(
        .warning, "the packed form is that of another database than \"\(options.output)\"",
        at: SourceLocation(file: ArchiveFile.path(beside: options.output)),
        hint: "build with --compress, or delete it"))
  }

  /// Says in which streams the database before had its place and the new one has none.
  ///
  /// - Parameters:
  ///   - before: The places of the database before.
  ///   - options: The options of the build.
  static func remarkOnLostPlaces(_ before: [StreamPlace], _ options: BuildOptions) {
    guard !before.isEmpty else { return }
    let kept = Set(PreviousOutput(path: options.output).streamPlaces.map(\.stream))
    for place in before where !kept.contains(place.stream) {
      let stream = place.stream == "main" ? "" : " --stream \(place.stream)"
      options.onDiagnostic?(
        Diagnostic(
          .warning,
          "the database before stood at \(place.epoch)/\(place.seq) in stream \"\(place.stream)\", "
            + "the new one has no place in it yet",
          at: SourceLocation(file: options.output),
          hint: "run \"seed publish \(options.output) --to DIRECTORY\(stream)\" before it ships: "
            + "apps that start without a place cannot follow the stream"))
    }
  }
}
