import SeedModel
import Testing

@testable import SeedCoreData

/// Indexes and triggers, with the texts that Core Data's stores have for models of this kind.
@Suite struct IndexTests {
  private func layout(_ body: String) throws -> StoreLayout {
    try StoreLayout(try ModelText.read(body))
  }

  @Test func `indexes come by kind: keys, entities, attributes, declared ones, constraints`() throws
  {
    let layout = try layout(
      """
      <entity name="Base">
      <attribute name="b" attributeType="String" indexed="YES"/>
      <attribute name="a" attributeType="Date" indexed="YES"/>
      <relationship name="owner" optional="YES" destinationEntity="User" inverseName="items" \
      inverseEntity="User"/>
      <fetchIndex name="second"><fetchIndexElement property="a" order="descending"/>\
      <fetchIndexElement property="owner"/></fetchIndex>
      <fetchIndex name="first"><fetchIndexElement property="b"/></fetchIndex>
      <compoundIndexes><compoundIndex><index value="b"/><index value="a"/></compoundIndex>\
      </compoundIndexes>
      <uniquenessConstraints><uniquenessConstraint><constraint value="b"/><constraint value="a"/>\
      </uniquenessConstraint><uniquenessConstraint><constraint value="a"/></uniquenessConstraint>\
      </uniquenessConstraints>
      </entity>
      <entity name="Sub" parentEntity="Base">
      <attribute name="c" attributeType="UUID"/>
      <fetchIndex name="byB"><fetchIndexElement property="b"/></fetchIndex>
      <uniquenessConstraints><uniquenessConstraint><constraint value="c"/><constraint value="b"/>\
      </uniquenessConstraint></uniquenessConstraints>
      </entity>
      <entity name="User"><relationship name="items" toMany="YES" destinationEntity="Base" \
      inverseName="owner" inverseEntity="Base"/></entity>
      """)
    #expect(
      layout.indexes == [
        "CREATE INDEX ZBASE_ZOWNER_INDEX ON ZBASE (ZOWNER)",
        "CREATE INDEX ZBASE_Z_ENT_INDEX ON ZBASE (Z_ENT)",
        "CREATE INDEX Z_Base_a ON ZBASE (ZA COLLATE BINARY ASC)",
        "CREATE INDEX Z_Base_b ON ZBASE (ZB COLLATE BINARY ASC)",
        "CREATE INDEX Z_Base_second ON ZBASE (ZA COLLATE BINARY DESC, ZOWNER COLLATE BINARY ASC)",
        "CREATE INDEX Z_Base_first ON ZBASE (ZB COLLATE BINARY ASC)",
        "CREATE INDEX Z_Base_b_a ON ZBASE (ZB COLLATE BINARY ASC, ZA COLLATE BINARY ASC)",
        "CREATE INDEX Z_Sub_byB ON ZBASE (ZB COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Base_UNIQUE_b_a ON ZBASE (ZB COLLATE BINARY ASC, "
          + "ZA COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Base_UNIQUE_a ON ZBASE (ZA COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Sub_UNIQUE_c_b ON ZBASE (ZC COLLATE BINARY ASC, "
          + "ZB COLLATE BINARY ASC)",
      ])
  }

  @Test func `two indexes of one name are refused`() throws {
    let error = #expect(throws: ModelErrors.self) {
      try layout(
        """
        <entity name="A"><attribute name="a" attributeType="String"/>
        <fetchIndex name="B_c"><fetchIndexElement property="a"/></fetchIndex></entity>
        <entity name="A_B"><attribute name="a" attributeType="String"/>
        <fetchIndex name="c"><fetchIndexElement property="a"/></fetchIndex></entity>
        """)
    }
    #expect(error?.errors.count == 1)
  }

  @Test func `a count has five triggers, before Core Data's own tables`() throws {
    let layout = try layout(LibraryModel.body)
    let triggers = layout.triggers
    #expect(triggers.count == 5)
    #expect(
      triggers[0]
        == "CREATE TRIGGER Z_DA_ZCHAPTER_Author_chapterCount_PARAMETER_INSERT AFTER INSERT ON "
        + "ZCHAPTER FOR EACH ROW WHEN (NEW.ZAUTHOR NOT NULL) BEGIN UPDATE ZAUTHOR SET "
        + "ZCHAPTERCOUNT = IFNULL(ZCHAPTERCOUNT, 0) + 1 WHERE Z_PK = NEW.ZAUTHOR; SELECT "
        + "NSCoreDataDATriggerUpdatedAffectedObjectValue('ZAUTHOR', Z_ENT, Z_PK, 'chapterCount', "
        + "ZCHAPTERCOUNT) FROM ZAUTHOR WHERE Z_PK = NEW.ZAUTHOR; END")
    #expect(
      triggers[2]
        == "CREATE TRIGGER Z_DA_ZCHAPTER_Author_chapterCount_PARAMETER_UPDATE_DECREMENT AFTER "
        + "UPDATE OF ZAUTHOR ON ZCHAPTER FOR EACH ROW WHEN (OLD.ZAUTHOR NOT NULL) BEGIN UPDATE "
        + "ZAUTHOR SET ZCHAPTERCOUNT = ZCHAPTERCOUNT - 1 WHERE Z_PK = OLD.ZAUTHOR; SELECT "
        + "NSCoreDataDATriggerUpdatedAffectedObjectValue('ZAUTHOR', Z_ENT, Z_PK, 'chapterCount', "
        + "ZCHAPTERCOUNT) FROM ZAUTHOR WHERE Z_PK = OLD.ZAUTHOR; END")
    #expect(
      triggers[4]
        == "CREATE TRIGGER Z_DA_ZAUTHOR_Author_chapterCount_SOURCE_INSERT AFTER INSERT ON ZAUTHOR "
        + "FOR EACH ROW BEGIN UPDATE ZAUTHOR SET ZCHAPTERCOUNT = (SELECT IFNULL(COUNT(ZAUTHOR), 0)"
        + " FROM ZCHAPTER WHERE ZAUTHOR = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; SELECT "
        + "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZAUTHOR', Z_ENT, Z_PK, "
        + "'chapterCount', ZCHAPTERCOUNT) FROM ZAUTHOR WHERE Z_PK = NEW.Z_PK; END")
    #expect(
      layout.statements
        == layout.tables.map(\.createSQL) + layout.indexes + triggers + SystemTables.statements)
  }
}
