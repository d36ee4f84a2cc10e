import TestSupport

/// Packs texts for answers.
enum Gzip {
  static func packed(_ text: String) throws -> [UInt8] {
    let directory = try TemporaryDirectory()
    let path = try directory.write(text, to: "text")
    let run = try CommandRun.run("/bin/sh", ["-c", "gzip -nc < '\(path)'"])
    return run.output
  }
}
