/// What `mysql --xml` writes.
///
///     <resultset statement="SELECT …"><row><field name="id">1</field>…</row>…</resultset>
///
/// The rows have no name and get that of the input. The statement is kept as any root's attribute.
final class XMLResultForm: XMLForm {
  private let rowName: String
  private let names: XMLFormNames
  private var row: XMLFieldRow
  private var depth = 0
  private var isInField = false

  /// Nothing is passed over.
  var remarks: [XMLFormRemark] { [] }

  init(names: XMLFormNames, recordName: String?) {
    self.names = names
    rowName = recordName ?? "row"
    row = XMLFieldRow(names: names)
  }

  func start(
    _ element: XMLFormElement, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    switch depth {
    case 0:
      try tokenizer.start(element.name, line: element.line)
      for attribute in element.attributes {
        try tokenizer.attribute(attribute.name, bytes: attribute.bytes, count: attribute.count)
      }
    case 1 where element.name.isLocal("row"):
      try row.start(try names.name(rowName), element, into: &tokenizer)
    case 2 where element.name.isLocal("field"):
      try row.startField(element, into: &tokenizer)
      isInField = true
    default: throw XMLFieldRow.misplaced(element, in: "a result")
    }
    depth += 1
  }

  func characters(
    _ bytes: UnsafePointer<UInt8>, count: Int, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    // Elsewhere there is nothing but line breaks between the elements.
    guard isInField else { return }
    try tokenizer.characters(bytes, count: count)
  }

  func end(
    inputBytesRead: Int64, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    depth -= 1
    if isInField {
      isInField = false
      try row.endField(into: &tokenizer)
    } else {
      try tokenizer.end(inputBytesRead: inputBytesRead)
    }
  }
}
