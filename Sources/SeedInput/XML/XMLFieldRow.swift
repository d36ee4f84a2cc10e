internal import SeedModel

/// The rows of MySQL's XML: `<row><field name="c">value</field>…</row>`, also
/// `<field name="c" xsi:nil="true"/>`.
struct XMLFieldRow {
  private let names: XMLFormNames
  /// The column whose field is open, and whether its value is NULL.
  private var column: XMLPlaceTable.NameKey?
  private var isNull = false
  /// For each column the last row that had it.
  private var lastRow: [UnsafePointer<UInt8>: Int] = [:]
  private var rowNumber = 0

  init(names: XMLFormNames) {
    self.names = names
  }

  /// Starts a row of a table.
  mutating func start(
    _ table: XMLPlaceTable.NameKey, _ element: XMLFormElement, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    rowNumber += 1
    try tokenizer.start(table, line: element.line)
    tokenizer.noteArray()
  }

  /// Starts a field of the row.
  mutating func startField(
    _ element: XMLFormElement, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    guard let attribute = element.attribute("name") else {
      throw .limit(.malformed("a field has no name", hint: "give it an attribute \"name\""))
    }
    let name = try names.name(attribute)
    guard lastRow.updateValue(rowNumber, forKey: name.local) != rowNumber else {
      throw .limit(
        .malformed(
          "the row has two fields \"\(String(cString: name.local))\"",
          hint: "give the columns of the query different names with AS"))
    }
    column = name
    isNull = element.attributes.contains {
      $0.name.isLocal("nil") && $0.name.isNamespace(XMLFieldRow.instanceNamespace)
        && ($0.isEqual(to: "true") || $0.isEqual(to: "1"))
    }
  }

  /// Ends the field that is open.
  mutating func endField(into tokenizer: inout XMLTokenizer) throws(XMLTokenizer.Failure) {
    guard let column else { return }
    if !isNull { try tokenizer.endAttribute(column) }
    self.column = nil
  }

  /// The namespace of `xsi:nil` (XML Schema, part 1, section 2.6.2).
  static var instanceNamespace: StaticString { "http://www.w3.org/2001/XMLSchema-instance" }

  /// Says that an element has no place where it stands.
  static func misplaced(_ element: XMLFormElement, in parent: String) -> XMLTokenizer.Failure {
    .limit(
      .malformed(
        "the element \"\(element.name.written)\" has no place in \(parent)",
        hint: "MySQL writes no such XML; rename the root to have it read as any other document"))
  }
}
