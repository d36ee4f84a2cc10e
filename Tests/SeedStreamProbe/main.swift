// Brings a database up to date with a published stream, and ends at a chosen moment of it.
// Started by Tests/Checkers/stream_statements.py; hyperhive_bench.py has it load a resource.
import Foundation

do {
  let words = Array(CommandLine.arguments.dropFirst())
  if words.first == "hyperhive" {
    try await HyperHiveProbe(Array(words.dropFirst())).run()
  } else {
    try StreamProbe(words).run()
  }
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
