// Coverage-guided fuzzing of what reads bytes that nobody vouches for; Scripts/fuzz builds and starts
// it. It is part of the package only when SEED_FUZZ is set, since it links a runtime that nothing else
// has.

import CLibFuzzer

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What is done with an input, by the format that SEED_FUZZ_FORMAT names.
enum Trial {
  case build
  case head
  case segment(SegmentTrial)

  static let chosen: Trial = {
    switch getenv("SEED_FUZZ_FORMAT").map({ String(cString: $0) }) {
    case "head": return .head
    case "segment":
      do {
        return .segment(try SegmentTrial())
      } catch {
        fatalError("the database cannot be made: \(error)")
      }
    default: return .build
    }
  }()

  func run(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .build: BuildTrial.shared.run(bytes)
    case .head: HeadTrial().run(bytes)
    case .segment(let trial): trial.run(bytes)
    }
  }
}

var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv

let exitCode = LLVMFuzzerRunDriver(&argumentCount, &arguments) { start, count in
  Trial.chosen.run(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
exit(exitCode)
