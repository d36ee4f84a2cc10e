// Brings a database up to date with a published stream, and ends at a chosen moment of it.
// Started by Tests/Checkers/stream_statements.py.
import Foundation

do {
  try StreamProbe(Array(CommandLine.arguments.dropFirst())).run()
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
