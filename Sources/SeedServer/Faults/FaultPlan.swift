/// Which requests suffer, and from what: one fault after the other, in turns.
package struct FaultPlan: Sendable, Hashable {
  /// The faults, each for one request; none for a server that works.
  package var faults: [Fault] = []
  /// Whether nothing goes wrong any more after the last one.
  package var isOnce = false
  /// Only every so many requests take part.
  package var every = 1

  /// A plan in which nothing goes wrong.
  package init() {}

  /// What is wrong with the text of a plan.
  package struct Problem: Error, Sendable, Hashable {
    /// The part that is not understood.
    package var part: String
    /// What would be, as an imperative sentence.
    package var hint: String
  }

  /// Reads a plan such as `drop=65536,status=503,delay=200`.
  ///
  /// Commas stand between the faults of one request and the next, `+` between those of the same
  /// one. `none` is a request without a fault; `once` and `every=N` are about the whole list.
  /// - Throws: ``Problem``.
  package init(_ text: String) throws(Problem) {
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      if item == "once" {
        isOnce = true
      } else if item.hasPrefix("every=") {
        every = Int(try Self.number(item, 1...1_000_000))
      } else {
        faults.append(try Self.fault(item))
      }
    }
    guard !faults.isEmpty else {
      throw Problem(part: text, hint: "name a fault before \"once\" and \"every=N\"")
    }
  }

  private static func fault(_ item: Substring) throws(Problem) -> Fault {
    var fault = Fault()
    for part in item.split(separator: "+", omittingEmptySubsequences: false) {
      switch part.prefix(while: { $0 != "=" }) {
      case "none" where part == "none": break
      case "delay": fault.delay = .milliseconds(try number(part, 0...60_000))
      case "status": fault.status = Int(try number(part, 400...599))
      case "retry-after": fault.retryAfterSeconds = try number(part, 0...86_400)
      case "drop": try set(.drop, part, &fault)
      case "reset": try set(.reset, part, &fault)
      case "stall": try set(.stall, part, &fault)
      default:
        throw Problem(
          part: String(part),
          hint: "use drop=BYTES, reset=BYTES, stall=BYTES, status=CODE, retry-after=SECONDS, "
            + "delay=MILLISECONDS, none, once or every=N")
      }
    }
    if fault.retryAfterSeconds != nil, fault.status == nil {
      throw Problem(part: String(item), hint: "join it to a status, as in status=503+retry-after=3")
    }
    return fault
  }

  private static func set(
    _ ending: Fault.Ending, _ part: Substring, _ fault: inout Fault
  ) throws(Problem) {
    guard fault.ending == nil else {
      throw Problem(part: String(part), hint: "let an answer break off in one way")
    }
    fault.ending = ending
    fault.byteCount = try number(part, 0...(1 << 50))
  }

  private static func number(
    _ part: Substring, _ range: ClosedRange<Int64>
  ) throws(Problem) -> Int64 {
    let value = part.drop { $0 != "=" }.dropFirst()
    guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int64(value), range.contains(number)
    else {
      throw Problem(
        part: String(part),
        hint: "give a number from \(range.lowerBound) to \(range.upperBound) behind \"=\"")
    }
    return number
  }
}
