/// How a run ended, in the numbers of BSD's `sysexits.h` where it has one.
package enum ExitCode: Int32, Sendable {
  /// All is well.
  case success = 0
  /// A check found something.
  case finding = 1
  /// The command line is wrong.
  case usage = 64
  /// An input is not what its format demands.
  case badInput = 65
  /// An input does not exist or cannot be opened.
  case missingInput = 66
  /// A server cannot be reached.
  case unavailable = 69
  /// The tool itself is at fault.
  case internalFault = 70
  /// The output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed on the way.
  case inputOutput = 74
  /// The user or the system interrupted the run; set by the handler of signals.
  case interrupted = 130
}
