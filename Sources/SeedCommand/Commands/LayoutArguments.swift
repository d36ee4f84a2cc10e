import SeedModel

/// The options about how CSV and TSV sources are laid out.
struct LayoutArguments {
  static let options = [
    OptionSpecification(
      "delimiter", .value(placeholder: "CHAR"),
      help: "The character between the fields of a CSV line, such as \";\" or tab. Without it, "
        + "the first line tells."),
    OptionSpecification(
      "quote", .value(placeholder: "CHAR"),
      help: "The character around CSV fields, or none. Without it, the double quote."),
    OptionSpecification(
      "no-header",
      help: "The first line of a CSV file is a record; the columns are called column1, column2 "
        + "and so on."),
  ]

  private static let usualQuote = UInt8(ascii: "\"")

  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) {
    self.arguments = arguments
  }

  /// What is declared.
  var layout: DelimitedLayout {
    DelimitedLayout(
      delimiter: arguments.value(of: "delimiter").flatMap(Self.character),
      quote: arguments.value(of: "quote").flatMap {
        $0 == "none" ? DelimitedLayout.noQuote : Self.character($0)
      }, columnNames: arguments.has("no-header") ? [] : nil)
  }

  /// The options that are given.
  var spellings: [String] {
    Self.options.filter { arguments.has($0.name) }.map(\.spelling)
  }

  /// Checks the characters.
  ///
  /// - Throws: ``UsageError``.
  func validate() throws(UsageError) {
    let layout = layout
    if let text = arguments.value(of: "delimiter"), layout.delimiter == nil {
      throw invalid(text, "--delimiter", hint: "give one ASCII character, or tab")
    }
    if let text = arguments.value(of: "quote"), layout.quote == nil {
      throw invalid(text, "--quote", hint: "give one ASCII character, or none")
    }
    if let delimiter = layout.delimiter, delimiter == layout.quote ?? Self.usualQuote {
      throw invalid(
        arguments.value(of: "delimiter") ?? "", "--delimiter",
        hint: "it is the quote too; name another one with --quote, or none")
    }
  }

  private func invalid(_ text: String, _ option: String, hint: String) -> UsageError {
    UsageError(
      .invalidValue(text, option: option, allowed: []), command: arguments.command, hint: hint)
  }

  /// One ASCII character that is no line end, also by name; nil for anything else.
  private static func character(_ text: String) -> UInt8? {
    if text == "tab" || text == "\\t" { return 0x09 }
    guard text.utf8.count == 1, let byte = text.utf8.first,
      byte < 0x80, byte != 0, byte != 0x0A, byte != 0x0D
    else { return nil }
    return byte
  }
}
