/// What a command is called and what it takes: the one source of its parsing and of its help.
struct CommandSpecification: Sendable {
  var name: String
  /// What the command does, in one line that starts with a verb in the imperative.
  var summary: String
  /// Paragraphs about what the user can rely on.
  var discussion: [String] = []
  var operand: OperandSpecification?
  /// The options besides `--help`, in the order of the help.
  var options: [OptionSpecification] = []
  /// Pairs of options that contradict each other.
  var conflicts: [(String, String)] = []
  /// Command lines to copy.
  var examples: [String] = []

  /// All options, the one for help last.
  var allOptions: [OptionSpecification] { options + [.help] }
}
