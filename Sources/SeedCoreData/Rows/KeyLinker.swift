internal import SeedModel
internal import SeedSQLite

/// Links objects that are in their tables already, by one relationship.
final class KeyLinker {
  /// What became of a link.
  enum Outcome {
    case linked
    /// The object that refers has another one already.
    case ownerIsTaken
    /// The object that is referred to belongs to another one already.
    case targetIsTaken
  }

  private let connection: Connection
  private let link: NestedLink
  private let ownerID: Int64
  private var updateOwner: Statement?
  private var updateTarget: Statement?
  private var insertJoin: Statement?
  private var updateJoin: Statement?
  private let ownerOrders: OrderCounter?
  private let targetOrders: OrderCounter?
  /// The names of the tables whose rows links change.
  let tables: Set<String>

  /// Nil when the relationship is not stored.
  init?(
    _ plan: StorePlan, _ relationship: Int, of owner: Int, to target: Int, _ connection: Connection
  ) throws(SQLiteError) {
    guard let link = LinkMaker(plan: plan).link(relationship, of: owner, to: target) else {
      return nil
    }
    self.connection = connection
    self.link = link
    ownerID = Int64(plan.entities[owner].layout.id)
    let ownerTable = plan.tables[plan.entities[owner].table]
    let targetTable = plan.tables[plan.entities[target].table]
    let name = "\(owner)_\(relationship)"
    if link.join >= 0 {
      let join = plan.joins[link.join]
      tables = [join.name]
      let (own, other) =
        link.joinsOuterFirst
        ? (join.columns[0], join.columns[1]) : (join.columns[1], join.columns[0])
      let orders = Self.orderColumns(link, join)
      ownerOrders = try OrderCounter(
        "\(name)_own", of: own, order: orders.own, in: join.name, connection)
      targetOrders = try OrderCounter(
        "\(name)_other", of: other, order: orders.other, in: join.name, connection)
      let columns = [own, other] + [orders.own, orders.other].compactMap(\.self)
      insertJoin = try connection.prepare(
        "INSERT OR IGNORE INTO \(SQLiteName.quoted(join.name)) "
          + "(\(columns.map(SQLiteName.quoted).joined(separator: ", "))) VALUES "
          + "(\(columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))")
      if let order = orders.own {
        updateJoin = try connection.prepare(
          "UPDATE \(SQLiteName.quoted(join.name)) SET \(SQLiteName.quoted(order)) = ?3 WHERE "
            + "\(SQLiteName.quoted(own)) = ?1 AND \(SQLiteName.quoted(other)) = ?2")
      }
      return
    }
    tables = [ownerTable.name, targetTable.name]
    updateOwner = try Self.update(
      ownerTable, key: link.outerKey, entity: link.outerEntity, order: link.outerOrder, connection)
    updateTarget = try Self.update(
      targetTable, key: link.innerKey, entity: link.innerEntity, order: link.innerOrder, connection)
    targetOrders = try Self.counter(
      "\(name)_outer", ownerTable, link.outerKey, link.outerOrder, connection)
    ownerOrders = try Self.counter(
      "\(name)_inner", targetTable, link.innerKey, link.innerOrder, connection)
  }

  private static func counter(
    _ name: String, _ table: StorePlan.Table, _ key: Int, _ order: Int, _ connection: Connection
  ) throws(SQLiteError) -> OrderCounter? {
    guard key >= 0, order >= 0 else { return nil }
    return try OrderCounter(
      name, of: table.columns[key], order: table.columns[order], in: table.name, connection)
  }

  /// The columns with the place of the target among those of the owner, and the other way round.
  private static func orderColumns(
    _ link: NestedLink, _ join: StorePlan.Join
  ) -> (own: String?, other: String?) {
    var columns = join.columns.dropFirst(2)
    // The place of the master's object comes first; the master's own order last.
    let hasFirst = link.joinsOuterFirst ? link.joinHasInverseOrder : link.joinHasOrder
    let hasSecond = link.joinsOuterFirst ? link.joinHasOrder : link.joinHasInverseOrder
    let first = hasFirst ? columns.popFirst() : nil
    let second = hasSecond ? columns.popFirst() : nil
    return link.joinsOuterFirst ? (second, first) : (first, second)
  }

  /// The statement that fills the columns of a row unless they have another key; both sides may
  /// name each other.
  private static func update(
    _ table: StorePlan.Table, key: Int, entity: Int, order: Int, _ connection: Connection
  ) throws(SQLiteError) -> Statement? {
    guard key >= 0 else { return nil }
    let name = SQLiteName.quoted(table.columns[key])
    var changes = ["\(name) = ?2"]
    if entity >= 0 { changes.append("\(SQLiteName.quoted(table.columns[entity])) = ?3") }
    if order >= 0 { changes.append("\(SQLiteName.quoted(table.columns[order])) = ?4") }
    return try connection.prepare(
      "UPDATE \(SQLiteName.quoted(table.name)) SET \(changes.joined(separator: ", ")) "
        + "WHERE Z_PK = ?1 AND (\(name) IS NULL OR \(name) = ?2)")
  }

  // MARK: Linking

  /// Links two objects, from both sides.
  func link(owner: Int64, target: Int64, targetID: Int64) throws(SQLiteError) -> Outcome {
    if link.join >= 0 { return try join(owner, target) }
    if let updateOwner,
      try !fill(
        updateOwner, row: owner, key: target, entity: targetID, targetOrders,
        hasEntity: link.outerEntity >= 0)
    {
      return .ownerIsTaken
    }
    if let updateTarget,
      try !fill(
        updateTarget, row: target, key: owner, entity: ownerID, ownerOrders,
        hasEntity: link.innerEntity >= 0)
    {
      return .targetIsTaken
    }
    return .linked
  }

  private func fill(
    _ update: Statement, row: Int64, key: Int64, entity: Int64, _ orders: OrderCounter?,
    hasEntity: Bool
  ) throws(SQLiteError) -> Bool {
    update.clearBindings()
    update.bindInteger(1, row)
    update.bindInteger(2, key)
    if hasEntity { update.bindInteger(3, entity) }
    if let orders { update.bindInteger(4, try orders.next(key)) }
    try update.run()
    return connection.changes == 1
  }

  private func join(_ owner: Int64, _ target: Int64) throws(SQLiteError) -> Outcome {
    guard let insertJoin else { return .linked }
    insertJoin.bindInteger(1, owner)
    insertJoin.bindInteger(2, target)
    var parameter: Int32 = 3
    let ownOrder = try ownerOrders?.peek(owner)
    if let ownOrder {
      insertJoin.bindInteger(parameter, ownOrder)
      parameter += 1
    }
    if let targetOrders { insertJoin.bindInteger(parameter, try targetOrders.peek(target)) }
    try insertJoin.run()
    if connection.changes == 1 {
      _ = try ownerOrders?.next(owner)
      _ = try targetOrders?.next(target)
      return .linked
    }
    // The other side has named it, which does not know the place among the owner's own.
    if let updateJoin, let ownerOrders {
      updateJoin.bindInteger(1, owner)
      updateJoin.bindInteger(2, target)
      updateJoin.bindInteger(3, try ownerOrders.next(owner))
      try updateJoin.run()
    }
    return .linked
  }
}

/// Counts the places of objects in ordered relationships, those that are there included.
final class OrderCounter {
  private let read: Statement
  private let write: Statement

  /// Nil when there is no column with places.
  ///
  /// - Parameters:
  ///   - name: The end of the counter's name.
  ///   - column: The column with the keys of the objects that have the relationship.
  ///   - order: The column with the places.
  ///   - table: The table that has both.
  ///   - connection: The store.
  /// - Throws: ``SQLiteError``.
  init?(
    _ name: String, of column: String, order: String?, in table: String, _ connection: Connection
  ) throws(SQLiteError) {
    guard let order else { return nil }
    let counter = "temp._seed_order_\(name)"
    let (key, place) = (SQLiteName.quoted(column), SQLiteName.quoted(order))
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(counter) (key INTEGER PRIMARY KEY, last INTEGER);
      INSERT OR REPLACE INTO \(counter) SELECT \(key), max(\(place))
      FROM \(SQLiteName.quoted(table)) WHERE \(key) IS NOT NULL GROUP BY 1;
      """)
    read = try connection.prepare("SELECT last FROM \(counter) WHERE key = ?1")
    write = try connection.prepare("INSERT OR REPLACE INTO \(counter) VALUES (?1, ?2)")
  }

  /// The next place of an object.
  func peek(_ key: Int64) throws(SQLiteError) -> Int64 {
    read.bindInteger(1, key)
    defer { read.reset() }
    guard try read.step(), read.columnType(0) != .null else { return NestedLink.firstOrder }
    return read.integer(0) + NestedLink.orderStep
  }

  /// Takes the next place of an object.
  func next(_ key: Int64) throws(SQLiteError) -> Int64 {
    let place = try peek(key)
    write.bindInteger(1, key)
    write.bindInteger(2, place)
    try write.run()
    return place
  }
}
