import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// Documents built into the schema that `seed schema` prints of them: nothing gets another name.
@Suite struct OwnSchemaTests {
  @Test(arguments: [
    ("a.json", #"[{"b": {}}, {"b": 1}]"#), ("a.json", #"[{"b": 1, "c": 2}, {"b": {}, "C": 3}]"#),
    ("a.json", #"[{"b": null}, {"b": {}}, {"b": "x"}]"#), ("a.xml", "<r><e b='1'><b>2</b></e></r>"),
    ("a.xml", "<r><e b='1' B='2' B_2='3'/></r>"), ("a.xml", "<r><e text='1'>two</e></r>"),
    ("a.xml", "<r><e a='1'/><E a='2'/><E_2 a='3'/></r>"),
    ("a.xml", "<r xmlns:x='u:x' xmlns:y='u:y'><x:e a='1'/><y:e a='2' x:a='3' y:a='4'/></r>"),
    ("a.xml", "<r><e parent_id='x'><e parent_id='y'/></e></r>"),
    ("a.xml", "<r><e _id='1' ID='x'/></r>"),
    ("a.xml", "<r><sqlite_x a='1'/><_seed a='2'/></r>"),
    ("a.json", #"{"version": 1, "a": [{"n": 1}]}"#),
    ("a.json", #"{"k": {"x": {"key": 1}, "y": {"key": 2}, "z": {"key": 3}}}"#),
    ("a.csv", "timeStamp,time_stamp,TIME_STAMP_2\n1,2,3\n"),
  ])
  func `the content is the same`(name: String, text: String) throws {
    let inferred = try BuiltProject([(name, text)])
    var options = BuildOptions(
      inputs: [BuildInput(.file(inferred.directory.path(name)), name: name)], output: "")
    let script = try Build.schema(options)
    let path = try inferred.directory.write(script, to: "schema.sql")
    options.mapping.schema = Located(path)
    options.output = inferred.directory.path("filled.sqlite")
    _ = try Build.run(options)
    let difference = try DatabaseDiff.difference(from: inferred.path, to: options.output)
    #expect(difference.isEmpty, "\(difference)\n\(script)")
  }
}
