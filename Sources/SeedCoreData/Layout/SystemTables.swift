/// The tables in which Core Data keeps its own accounts.
package enum SystemTables {
  /// The statements that create them, in Core Data's order.
  ///
  /// `Z_MODELCACHE` stays empty: it holds an archive of the model that only Core Data reads, to
  /// migrate a store whose model the app no longer has.
  package static let statements = [
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
      + "Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
  ]

  /// The columns that every table of an entity begins with.
  static let entityColumns = ["Z_PK", "Z_ENT", "Z_OPT"]
}
