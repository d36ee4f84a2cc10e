import SeedBuilder
import SeedModel
import TestSupport
import Testing

@testable import SeedCoreData

/// Records with nothing in them, which make no store of their own accord.
@Suite struct EmptyRecordTests {
  private let model = """
    <entity name="Event"><attribute name="title" optional="YES" attributeType="String"/></entity>
    <entity name="Place"><attribute name="name" optional="YES" attributeType="String"/></entity>
    """

  @Test(arguments: [
    ("x.json", "[{}, {}]", "x"), ("x.json", "[[], []]", "x"), ("x.json", "{\"y\": [{}]}", "y"),
    ("x.json", "[{\"z\": null}]", "x"), ("x.ndjson", "{}\n{}\n", "x"), ("x.csv", "a,b\n,\n", "x"),
  ])
  func `records that are called like no entity are an error that names the entities`(
    name: String, text: String, record: String
  ) throws {
    let faults = try FilledStore.failure([(name, text)], model: model)
    #expect(faults.count == 1)
    #expect(
      faults.first?.contains(
        ": the model has no entity for the records \"\(record)\" "
          + "[name the entity in seed.json: Event, Place, or leave it out with --ignore-extra]")
        == true, "\(faults)")
  }

  @Test(arguments: [
    ("x.xml", "<R><meeting/><meeting/></R>"), ("x.xml", "<R><Events/></R>"),
    ("x.json", "{\"data\": {\"y\": {}}}"),
  ])
  func `a document without an object is warned of`(name: String, text: String) throws {
    let store = try FilledStore([(name, text)], model: model)
    #expect(
      store.remarks.map(\.message) == [
        "no record of it is called like an entity of the model, and none is stored"
      ])
    #expect(store.remarks.map(\.hint) == ["name the entity in seed.json: Event, Place"])
    #expect(store.remarks[0].location?.file == name)
  }

  @Test(arguments: [
    ("x.json", "[]"), ("x.json", "{}"), ("x.json", "{\"Event\": []}"), ("x.xml", "<R/>"),
    ("x.csv", "a,b\n"), ("Event.json", "[{}, {}]"), ("x.xml", "<R><Event/></R>"),
  ])
  func `a document with no records, or with records of an entity, is not`(
    name: String, text: String
  ) throws {
    #expect(try FilledStore([(name, text)], model: model).remarks.isEmpty)
  }

  @Test func `records that are left out are not`() throws {
    let store = try FilledStore(
      [("x.xml", "<R><meeting/></R>")], model: model,
      records: ["x.xml": [RecordRule("R/meeting", skip: true)]])
    #expect(store.remarks.isEmpty)
  }
}
