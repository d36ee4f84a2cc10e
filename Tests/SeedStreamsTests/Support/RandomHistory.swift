import SeedSQLite

/// Random numbers that a seed decides; the seed is part of each message.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension PublishedHistory {
  /// Publishes checkpoints with random changes: rows born and gone, values of every class, unique
  /// values that move in rings.
  func publishRandomly(_ count: Int, rowsPerStep: Int = 6, seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<count {
      publish { state in
        for _ in 0..<rowsPerStep { Self.change(&state, &numbers) }
        if Bool.random(using: &numbers) { Self.rotateCodes(&state, &numbers) }
      }
    }
  }

  private static func change(_ state: inout CatalogState, _ numbers: inout SeededNumbers) {
    let category = Int64.random(in: 1...5, using: &numbers)
    state.put(
      Catalog.tables[0],
      [.integer(category), .text("category \(Int.random(in: 0..<100, using: &numbers))")])
    let id = Int64.random(in: 1...30, using: &numbers)
    if Int.random(in: 0..<4, using: &numbers) == 0 {
      state["product"][[.integer(id)]] = nil
    } else {
      let thumbs: [SQLiteValue] = [.null, .blob([]), .blob([0, 255, 1]), .blob([1, 2, 3, 4])]
      let names = ["Anvil", "Rope \"strong\"", "Säge\u{0}\n", "\u{1F600}", ""]
      let prices: [SQLiteValue] = [.null, .real(19.5), .real(-0.1), .real(.infinity), .real(1e300)]
      state.put(
        Catalog.tables[1],
        [
          .integer(id), .text(names.randomElement(using: &numbers) ?? ""),
          state["product"][[.integer(id)]]?[2] ?? .text("code-\(id)-\(numbers.next())"),
          prices.randomElement(using: &numbers) ?? .null,
          thumbs.randomElement(using: &numbers) ?? .null, .integer(category),
        ])
    }
    let tag: [SQLiteValue] = [
      .integer(id), .text(["new", "old", "New"].randomElement(using: &numbers) ?? ""),
    ]
    if Bool.random(using: &numbers) {
      state["tag"][tag] = tag
    } else {
      state["tag"][tag] = nil
    }
  }

  /// Gives the codes of some products to others of them.
  private static func rotateCodes(_ state: inout CatalogState, _ numbers: inout SeededNumbers) {
    let keys = state["product"].keys.sorted { "\($0)" < "\($1)" }.shuffled(using: &numbers)
      .prefix(Int.random(in: 2...4, using: &numbers))
    let codes = keys.compactMap { state["product"][$0]?[2] }
    for (index, key) in keys.enumerated() {
      state["product"][key]?[2] = codes[(index + 1) % codes.count]
    }
  }
}
