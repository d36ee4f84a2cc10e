import Foundation
import Testing

/// Documents that packages of the system install, made by others for other purposes.
///
/// None of them is compressed and none declares an entity of its own; `freedesktop.org.xml` takes
/// defaults of attributes from its internal DTD, and two of them name a DTD that is not loaded.
@Suite struct RealFileTests {
  struct Document: CustomTestStringConvertible {
    var path: String
    /// The package that installs the file.
    var package: String

    var testDescription: String { path }
  }

  static let documents = [
    Document(path: "/usr/share/xml/iso-codes/iso_3166.xml", package: "iso-codes"),
    Document(path: "/usr/share/xml/iso-codes/iso_639_3.xml", package: "iso-codes"),
    Document(path: "/usr/share/xml/iso-codes/iso_4217.xml", package: "iso-codes"),
    Document(path: "/usr/share/iso-codes/json/iso_3166-1.json", package: "iso-codes"),
    Document(path: "/usr/share/iso-codes/json/schema-3166-1.json", package: "iso-codes"),
    Document(path: "/usr/share/X11/xkb/rules/base.xml", package: "xkb-data"),
    Document(path: "/usr/share/mime/packages/freedesktop.org.xml", package: "shared-mime-info"),
    Document(
      path: "/usr/share/mobile-broadband-provider-info/serviceproviders.xml",
      package: "mobile-broadband-provider-info"),
  ]

  @Test(arguments: documents)
  func `every value and every record of a real document is in the database`(
    document: Document
  ) async throws {
    try #require(
      FileManager.default.fileExists(atPath: document.path),
      "\(document.path) is missing: install the package \(document.package)")
    let database = try await Workspace().build([URL(fileURLWithPath: document.path)])
    let walk = try await Project.check("walk.py", [document.path, database.url.path])
    #expect(walk.status == 0, "\(walk.output)\(walk.errors)")
    #expect(try await database.column("PRAGMA integrity_check") == ["'ok'"])
    guard document.path.hasSuffix(".xml") else { return }
    let counts = try await Project.check("counts.py", [document.path, database.url.path])
    #expect(counts.status == 0, "\(counts.output)\(counts.errors)")
  }

  @Test func `the countries are the same from XML and from JSON`() async throws {
    let workspace = try Workspace()
    let xml = try await workspace.build(
      [URL(fileURLWithPath: "/usr/share/xml/iso-codes/iso_3166.xml")])
    let json = try await workspace.build(
      [URL(fileURLWithPath: "/usr/share/iso-codes/json/iso_3166-1.json")])
    let countries = try await xml.rows(
      """
      SELECT alpha_2_code, alpha_3_code, numeric_code, name, official_name FROM iso_3166_entry
      ORDER BY 1
      """)
    #expect(countries.count > 200)
    #expect(
      try await json.rows(
        "SELECT alpha_2, alpha_3, numeric, name, official_name FROM \"3166-1\" ORDER BY 1")
        == countries)
  }
}
