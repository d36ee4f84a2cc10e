/// What `mysqldump --xml` writes.
///
///     <mysqldump><database name="shop">
///       <table_structure name="item"><field Field="id" Type="int(11)" …/>…</table_structure>
///       <table_data name="item"><row><field name="id">1</field>…</row>…</table_data>
///     </database></mysqldump>
///
/// The rows of `item` become the table `item`. The structure gives the columns their order, and a
/// table without rows its columns; its types are MySQL's and not used. Tables of one name in
/// several databases are kept apart by the databases' names.
final class XMLDumpForm: XMLForm {
  private enum Level {
    case dump, database, structure, data, row, field
    /// Inside of something that is passed over.
    case passedOver
  }

  private let names: XMLFormNames
  private var levels: [Level] = []
  private var row: XMLFieldRow
  private var database: UnsafePointer<UInt8>?
  private var table: XMLPlaceTable.NameKey?
  /// The columns that the structure which is open has named so far.
  private var columns: [XMLPlaceTable.NameKey] = []
  private(set) var remarks: [XMLFormRemark] = []
  private var passedOver: Set<String> = []

  init(names: XMLFormNames) {
    self.names = names
    row = XMLFieldRow(names: names)
  }

  func start(
    _ element: XMLFormElement, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    let name = element.name
    switch levels.last {
    case nil:
      try tokenizer.start(name, line: element.line)
      for attribute in element.attributes {
        try tokenizer.attribute(attribute.name, bytes: attribute.bytes, count: attribute.count)
      }
      levels.append(.dump)
    case .dump where name.isLocal("database"):
      database = try element.attribute("name").map { (it) throws(XMLTokenizer.Failure) in
        try names.name(it).local
      }
      levels.append(.database)
    case .database where name.isLocal("table_structure"):
      try nameTable(element)
      columns = []
      levels.append(.structure)
    case .database where name.isLocal("table_data"):
      try nameTable(element)
      if let table { try tokenizer.defineRows(table, columns: []) }
      levels.append(.data)
    case .structure:
      // A key or an option besides.
      if name.isLocal("field"), let field = element.attribute("Field") {
        columns.append(try names.name(field))
      }
      levels.append(.passedOver)
    case .data where name.isLocal("row"):
      guard let table else { throw XMLFieldRow.misplaced(element, in: "a table without a name") }
      try row.start(table, element, into: &tokenizer)
      levels.append(.row)
    case .row where name.isLocal("field"):
      try row.startField(element, into: &tokenizer)
      levels.append(.field)
    case .data, .row, .field: throw XMLFieldRow.misplaced(element, in: "a table's data")
    case .dump, .database:
      passOver(element)
      levels.append(.passedOver)
    case .passedOver: levels.append(.passedOver)
    }
  }

  func characters(
    _ bytes: UnsafePointer<UInt8>, count: Int, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    // Elsewhere there is nothing but line breaks between the elements.
    guard levels.last == .field else { return }
    try tokenizer.characters(bytes, count: count)
  }

  func end(
    inputBytesRead: Int64, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    switch levels.popLast() {
    case .dump, .row: try tokenizer.end(inputBytesRead: inputBytesRead)
    case .field: try row.endField(into: &tokenizer)
    case .structure: if let table { try tokenizer.defineRows(table, columns: columns) }
    case .database, .data, .passedOver, nil: break
    }
  }

  private func nameTable(_ element: XMLFormElement) throws(XMLTokenizer.Failure) {
    table = nil
    guard let name = element.attribute("name") else { return }
    table = try names.name(name, in: database)
  }

  private func passOver(_ element: XMLFormElement) {
    let name = element.name.written
    guard passedOver.insert(name).inserted, remarks.count < XMLDumpForm.mostRemarks else { return }
    remarks.append(
      XMLFormRemark(
        message: "the element \"\(name)\" of the dump is no table and is passed over",
        line: Int(element.line)))
  }

  /// Nobody reads more warnings than these.
  private static let mostRemarks = 20
}
