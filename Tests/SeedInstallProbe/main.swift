// Loads a database by this package or by a naive loader, and lets things go wrong on the way.
// Started by Scripts/faults install; see Scripts/lib/faults/install.
import Foundation
import SeedStore

do {
  try Probe(ProbeArguments(Array(CommandLine.arguments.dropFirst()))).run()
} catch {
  fflush(nil)
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
