/// Gives columns of one table names that differ: ZTEXT, then ZTEXT1, then ZTEXT2.
struct ColumnNames {
  private var taken: Set<String>
  /// How often a name was asked for: many entities of one table may have attributes of one name.
  private var lastNumbers: [String: Int] = [:]

  init(taken: [String] = []) {
    self.taken = Set(taken)
  }

  /// The name itself, or the first of those with a number that is free.
  mutating func take(_ name: String) -> String {
    var number = lastNumbers[name] ?? 0
    var candidate = number == 0 ? name : "\(name)\(number)"
    while !taken.insert(candidate).inserted {
      number += 1
      candidate = "\(name)\(number)"
    }
    lastNumbers[name] = number
    return candidate
  }

  /// `Z` and a name in capitals.
  static func column(_ name: String) -> String { "Z" + name.uppercased() }
}
