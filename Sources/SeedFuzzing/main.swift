// Coverage-guided fuzzing of a whole build; Scripts/fuzz builds and starts it. It is part of the
// package only when SEED_FUZZ is set, since it links a runtime that nothing else has.

import CLibFuzzer

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv

let exitCode = LLVMFuzzerRunDriver(&argumentCount, &arguments) { start, count in
  BuildTrial.shared.run(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
exit(exitCode)
