/// What the probe was asked to do: a verb, options with a value each, and paths.
struct ProbeArguments {
  /// A call that makes no sense, and why.
  struct Mistake: Error, CustomStringConvertible {
    var description: String
  }

  let verb: String
  private let options: [String: String]
  private let operands: [String]

  init(_ words: [String]) throws {
    var rest = words[...]
    guard let verb = rest.popFirst() else { throw Mistake(description: "a verb is missing") }
    self.verb = verb
    var (options, operands) = ([String: String](), [String]())
    while let word = rest.popFirst() {
      guard word.hasPrefix("--") else {
        operands.append(word)
        continue
      }
      guard let value = rest.popFirst() else {
        throw Mistake(description: "\(word) needs a value")
      }
      options[String(word.dropFirst(2))] = value
    }
    (self.options, self.operands) = (options, operands)
  }

  subscript(_ option: String) -> String? { options[option] }

  /// The value of an option that is a number; nil without it.
  func number<Number: LosslessStringConvertible>(_ option: String) throws -> Number? {
    guard let text = options[option] else { return nil }
    guard let number = Number(text) else {
      throw Mistake(description: "--\(option) \(text) is no number")
    }
    return number
  }

  /// The path at an index.
  func path(_ index: Int) throws -> String {
    guard operands.indices.contains(index) else {
      throw Mistake(description: "a path is missing")
    }
    return operands[index]
  }
}
