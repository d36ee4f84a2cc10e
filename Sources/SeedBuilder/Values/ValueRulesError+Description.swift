extension ValueRulesError: CustomStringConvertible {
  /// One sentence that names what was given and what is wrong with it.
  package var description: String {
    switch reason {
    case .unknownPatternField(let field):
      "unknown field \"\(field)\" in date format \"\(text)\""
    case .repeatedPatternField(let field):
      "field \"\(field)\" stands twice in date format \"\(text)\""
    case .missingPatternField(let field):
      "date format \"\(text)\" lacks \"\(field)\""
    case .unboundedPatternField(let field):
      "field \"\(field)\" stands right before another number in date format \"\(text)\""
    case .unclosedPatternQuote:
      "date format \"\(text)\" has an unclosed quote"
    case .unknownTimeZone:
      "unknown time zone \"\(text)\""
    case .unreadableTimeZone:
      "the data of time zone \"\(text)\" cannot be read"
    }
  }

  /// What to do next, as an imperative sentence.
  package var hint: String {
    switch reason {
    case .unknownPatternField:
      "use yyyy, MM or M, dd or d, HH or H, mm, ss, SSS, Z or XXX, and quote literal letters"
    case .repeatedPatternField:
      "name each part of the date once"
    case .missingPatternField:
      "name year, month and day; a time needs hours and minutes, seconds need both"
    case .unboundedPatternField:
      "write two letters, such as MM, for a number that no separator follows"
    case .unclosedPatternQuote:
      "close the quote, or write two quotes for a literal one"
    case .unknownTimeZone:
      "use UTC, an offset such as +01:00, or a name such as Europe/Berlin"
    case .unreadableTimeZone:
      "install the time zone database (tzdata), or give an offset such as +01:00"
    }
  }
}
