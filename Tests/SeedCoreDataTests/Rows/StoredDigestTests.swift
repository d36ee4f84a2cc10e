import SeedBuilder
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCoreData

/// The digest over rows that is computed while they go in is that of the finished store.
@Suite struct StoredDigestTests {
  private func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\" \(more)/>"
  }

  private var values: String {
    "<entity name=\"V\">" + attribute("i", "Integer 64") + attribute("b", "Boolean")
      + attribute("d", "Double") + attribute("f", "Float") + attribute("t", "Date")
      + attribute("n", "Decimal") + attribute("m", "Decimal", "defaultValueString=\"1.50\"")
      + attribute("s", "String") + attribute("l", "URI") + attribute("u", "UUID")
      + attribute("x", "Binary", "allowsExternalBinaryDataStorage=\"YES\"")
      + attribute("z", "Transformable") + "</entity>"
  }

  private let folders = """
    <entity name="Folder"><attribute name="name" optional="YES" attributeType="String"/>
    <attribute name="n" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="files.@count"/>
    <relationship name="children" optional="YES" toMany="YES" destinationEntity="Folder" inverseName="parent" inverseEntity="Folder"/>
    <relationship name="parent" optional="YES" maxCount="1" destinationEntity="Folder" inverseName="children" inverseEntity="Folder"/>
    <relationship name="files" optional="YES" toMany="YES" destinationEntity="File" inverseName="folder" inverseEntity="File"/></entity>
    <entity name="File"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder" inverseName="files" inverseEntity="Folder"/>
    <relationship name="tags" optional="YES" toMany="YES" ordered="YES" destinationEntity="Tag" inverseName="files" inverseEntity="Tag"/></entity>
    <entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="files" optional="YES" toMany="YES" destinationEntity="File" inverseName="tags" inverseEntity="File"/></entity>
    """

  private func expectSound(
    _ xml: String, model: String, rules: (inout BuildOptions) -> Void = { _ in }
  ) throws {
    let store = try FilledStore(xml, model: model, rules: rules)
    let findings = try Verification.findings(inDatabaseAt: store.path, with: StoreVerification())
    #expect(findings.map(\.message) == [])
  }

  @Test(arguments: [
    "i=\"-9223372036854775808\" b=\"true\" s=\"h\u{E4}h\" l=\"https://a.b/\"",
    "d=\"-0.0\"", "d=\"1e300\"", "d=\"9007199254740992\"", "d=\"-2251799813685248\"", "d=\"3\"",
    "d=\"1e15\" f=\"16777216\"", "f=\"-0.0\"", "f=\"0.1\"", "n=\"-0.0\"", "n=\"1e15\"",
    "n=\"1e18\"", "n=\"12.00\"", "n=\"9223372036854775807\"", "n=\"0.00000491\"", "m=\"\"",
    "t=\"2000-12-31T23:59:59.5Z\"", "t=\"2001-01-01T00:00:00Z\"", "t=\"2010-01-16\"",
    "u=\"c4637490-bd7f-4428-b093-63a1720e17d2\" x=\"AAEC\"", "s=\"\" x=\"\" z=\"red\"", "",
  ])
  func `of every value it is what SQLite stores`(attributes: String) throws {
    try expectSound("<R><V s=\"1\"/><V \(attributes)/><V i=\"3\"/></R>", model: values)
  }

  @Test func `rows may come in any order and change afterwards`() throws {
    // Objects inside go in before the one around them.
    try expectSound(
      "<R><Folder name=\"a\"><children><Folder name=\"b\"/></children></Folder></R>",
      model: folders)
    try expectSound(
      """
      <R><Folder name="a"><files><File name="f"><tags><Tag name="t"/><Tag name="u"/></tags></File>
      <File name="g"/></files></Folder><Tag name="v"><files><File name="h"/></files></Tag></R>
      """, model: folders)
    try expectSound(
      """
      <R><File name="f" of="b" tag="t"/><File name="g" of="a"><tags><Tag name="w"/></tags></File>
      <Folder name="a"/><Folder name="b"/><Tag name="t"/></R>
      """, model: folders
    ) {
      $0.mapping.references = [
        ReferenceRule(("File", "folder"), from: "of", to: ("Folder", "name")),
        ReferenceRule(("File", "tags"), from: "tag", to: ("Tag", "name")),
      ]
    }
  }

  @Test func `rows are counted by entity, with those that keys link`() throws {
    let store = try FilledStore(
      "<R><File name=\"f\" tag=\"t\"/><File name=\"g\" tag=\"t\"/><Tag name=\"t\"/></R>",
      model: folders
    ) {
      $0.mapping.references = [
        ReferenceRule(("File", "tags"), from: "tag", to: ("Tag", "name"))
      ]
    }
    #expect(
      store.summary.entities.map { "\($0.name) \($0.count)" } == ["File 2", "Folder 0", "Tag 1"])
    #expect(try store.lines("SELECT count(*) FROM Z_1TAGS") == ["2"])
  }

  // MARK: What is noted

  private func rows(
    _ values: [[BoundValue]], affinities: [ColumnAffinity]
  ) -> TableTally.Rows? {
    var tally = TableTally([.number] + affinities, hasher: nil, isDigested: true)
    defer { tally.deallocate() }
    for row in values {
      row.withUnsafeBufferPointer { buffer in
        guard let first = buffer.baseAddress else { return }
        tally.add(first, key: Int64(bitPattern: row[0].bits))
      }
    }
    #expect(tally.rowCount == values.count)
    return tally.rows
  }

  @Test func `rows in the order of their keys are known`() {
    let row = { (key: Int64, value: BoundValue) in [BoundValue.integer(key), value] }
    #expect(rows([row(1, .integer(1)), row(5, .null)], affinities: [.number])?.count == 2)
    #expect(rows([row(2, .null), row(1, .null)], affinities: [.number]) == nil)
    // A number of a text, the sign of a zero, what some versions of SQLite keep as it is.
    #expect(rows([row(1, .integer(1))], affinities: [.text]) == nil)
    #expect(rows([row(1, .real(-0.0))], affinities: [.number]) == nil)
    #expect(rows([row(1, .real(1e18))], affinities: [.number]) == nil)
    #expect(rows([row(1, .real(.nan))], affinities: [.real]) == nil)
    #expect(
      rows([row(1, .real(2))], affinities: [.number])?.sha256
        == rows([row(1, .integer(2))], affinities: [.number])?.sha256)
    #expect(
      rows([row(1, .real(2))], affinities: [.real])?.sha256
        != rows([row(1, .integer(2))], affinities: [.number])?.sha256)
  }
}
