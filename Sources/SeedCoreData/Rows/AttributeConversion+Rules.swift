internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// Values that rules give: defaults and constants.
extension AttributeConversion {
  /// What became of the value of a rule.
  enum RuleOutcome: Equatable {
    case stored(SQLiteValue)
    /// The inputs have to be read again: what was read of them before shows otherwise now.
    case reread
    /// It is none of the attribute's type, for a reason if there is more to say.
    case misfit(String?, hint: String?)
  }

  /// The value of a rule as the column stores it: a text is what a record with this text would have.
  ///
  /// - Returns: What became of it, and what is known then if the values have told nothing.
  func outcome(of rule: Located<JSONValue>) -> (RuleOutcome, AttributeConversion?) {
    switch (rule.value, attribute.type) {
    case (.null, _): (.stored(.null), nil)
    case (_, .transformable): (archived(rule.value.asText), nil)
    case (.string(let text), _): storedBesideValues(text, isPointed: false)
    case (.integer(let number), _) where attribute.type != .binary:
      storedBesideValues("\(number)", isPointed: true)
    case (.number(let number), _) where attribute.type != .binary:
      storedBesideValues(rule.spelling ?? "\(number)", isPointed: true)
    case (.bool(let isTrue), .boolean): (.stored(.integer(isTrue ? 1 : 0)), nil)
    default: (.misfit(nil, hint: nil), nil)
    }
  }

  /// A text as the column stores it.
  mutating func stored(_ text: String) -> RuleOutcome {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { buffer in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.scratchSize) { scratch in
        let value = isTrimmed ? buffer.trimmed : buffer
        guard let room = scratch.baseAddress,
          case .success(let outcome) = Result(catching: { try convert(value, into: room) })
        else { return .reread }
        switch outcome {
        case .null: return .stored(.null)
        case .integer(let number): return .stored(.integer(number))
        case .real(let number): return .stored(.real(number))
        case .sameText: return .stored(.text(String(decoding: value, as: UTF8.self)))
        case .scratchBlob(let count): return .stored(.blob(Array(scratch[..<count])))
        case .blob(let bytes): return .stored(.blob(bytes))
        case .misfit(let reason, let hint): return .misfit(reason, hint: hint)
        }
      }
    }
  }

  /// What the column of a Transformable stores.
  private func archived(_ value: JSONValue) -> RuleOutcome {
    guard let list = PropertyList(value) else {
      return .misfit("has null in an array", hint: "leave it out")
    }
    let collected = CollectedValue(conversion: 0, values: [(key: nil, value: list)])
    switch TransformableValue(self).data(of: collected) {
    case .success(let data): return .stored(data.map { .blob($0) } ?? .null)
    case .failure(let fault): return .misfit(fault.reason, hint: fault.hint)
    }
  }
}

extension JSONValue {
  /// The value as a Transformable has it of the inputs, where numbers and truth values are texts.
  fileprivate var asText: JSONValue {
    switch self {
    case .integer(let number): .string("\(number)")
    case .number(let number): .string("\(number)")
    case .bool(let isTrue): .string("\(isTrue)")
    case .null, .string, .array, .object: self
    }
  }
}
