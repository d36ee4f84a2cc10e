internal import SeedModel

/// Which staged records fill a table, and how.
struct MappedTable {
  /// Where one column's value comes from.
  enum Source {
    /// An SQL expression over the staged record, called `t`.
    case staged(sql: String)
    /// The key of the record around it: that record's value of the column referred to.
    case parentKey(sql: String, offset: Int64)
    /// The number of the record itself.
    case ordinal(offset: Int64)
    /// The same value in every row.
    case constant(RuleValue)
    /// The key that a natural key stands for, looked up once the other table is full.
    case reference(Int, sql: String)
  }

  struct Column {
    /// The column of the target table.
    var target: Int
    var source: Source
    var conversion: ValueConversion
    /// What the column does to values that are read as another type than it declares.
    var storage: DeclaredStorage?
    /// What stands in the place of an absent value.
    var defaultValue: ColumnDefault = .none
    var nullTexts: Set<[UInt8]> = []
    var isTrimmed = false
    /// Whether a rule says how the values are written.
    var isFormatGiven = false
    /// The fields of the inputs that the value comes from.
    var fields: [Int] = []
    /// What errors call the value: `attribute timeStamp of Event`.
    var what: String
    /// Whether an absent value is an error.
    var isRequired = false
    /// What the column refers to, such as `a.code`, if that is the key of the record around.
    ///
    /// Its source is ``MappedTable/absentKey`` where that record has no key, and NULL where there is
    /// no such record.
    var parentKey: String?
  }

  /// What stands for the key that a record around lacks; no staged value is a blob.
  static let absentKey = "x''"

  /// The staged table, by number.
  var staged: Int
  /// Those of its places that go to the table.
  var places: [Int]
  /// The table of the schema, by number.
  var target: Int
  var columns: [Column] = []
}

extension ColumnDefault {
  /// Whether an SQL expression gives another value each time: a build must not.
  static func isVolatile(_ sql: String) -> Bool {
    let tokens = SQLToken.tokens(of: sql)
    let isClock = tokens.contains { $0.kind == .text && $0.value.lowercased() == "now" }
    return isClock
      || tokens.enumerated().contains { index, token in
        switch token.value.uppercased() {
        case "CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME": return !token.isQuoted
        case "RANDOM", "RANDOMBLOB": return true
        // Without arguments these mean the time of the call.
        case "DATE", "TIME", "DATETIME", "JULIANDAY", "UNIXEPOCH":
          return tokens.count > index + 2 && tokens[index + 1].value == "("
            && tokens[index + 2].value == ")"
        default: return false
        }
      }
  }
}

/// What a column gets when there is no value.
enum ColumnDefault: Equatable {
  /// NULL.
  case none
  /// A value that a project file gives.
  case value(RuleValue)
  /// The schema's own, computed once.
  case schema(sql: String)
}
