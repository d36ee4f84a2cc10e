import SeedModel
import Testing

@Suite struct ProjectPathTests {
  @Test(arguments: [
    ("seed.json", "a.xml", "a.xml"), ("./seed.json", "a.xml", "./a.xml"),
    ("b/c.seed.json", "a.xml", "b/a.xml"), ("/seed.json", "a.xml", "/a.xml"),
    ("/b/seed.json", "../a.xml", "/b/../a.xml"), ("b/seed.json", "/a.xml", "/a.xml"),
  ])
  func `a path is relative to the folder of the project file`(
    project: String, path: String, resolved: String
  ) {
    #expect(Project(path: project).resolved(path) == resolved)
  }
}
