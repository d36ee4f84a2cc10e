/// Where a document stands among the states of the rows.
internal struct DocumentOrder {
  /// What was asked for.
  internal let delta: HyperHiveDelta
  /// What was known of the rows when it was asked for.
  internal let before: HyperHiveCatalog.State?
  /// What the document leads to.
  internal let reached: HyperHiveCatalog.State

  /// Whether changes may begin at a version, which the server tells with them.
  internal func mayStart(from version: Int64?) -> Bool {
    guard case .since(let asked) = delta, let version else { return true }
    return version == asked && reached.version ?? asked >= asked
  }

  /// Whether the document may go into the tables as they are now, where somebody else may have
  /// loaded them meanwhile.
  internal func mayFollow(_ present: HyperHiveCatalog.State?) -> Bool {
    guard present != before, let present else { return delta == .whole || present == before }
    // All rows are as good on top of older ones.
    guard delta == .whole, let version = reached.version, let older = present.version else {
      return false
    }
    return version >= older
  }

  /// Whether these are changes since nothing, which delete nothing and so suit empty tables alone.
  internal var isSinceNothing: Bool { delta == .since(HyperHiveRules.nothingLoaded) }

  /// Whether changes lead to another version than the one that they were asked since; else the next
  /// load would ask for the same ones again.
  internal func leadsOn(changedRowCount: Int64) -> Bool {
    guard case .since(let asked) = delta, let version = reached.version else { return true }
    return version > asked || version == asked && changedRowCount == 0
  }
}
