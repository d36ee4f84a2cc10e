package import SeedFiles
internal import SeedModel

/// The JSON Schema of the project file, by which editors complete and explain its keys.
package enum ProjectSchema {
  /// The name of the file that holds it.
  package static let fileName = "seed.schema.json"

  /// The schema as a file, the same as `Seeds/seed.schema.json`.
  package static let text = head + project + sources + records + tables + values + tail

  /// What the schema may replace: itself, of this version or of another.
  package static let kind = FileKind("the JSON Schema of project files", byteLimit: 1 << 20) {
    guard let document = try? JSONValue(parsing: $0) else { return false }
    return document["title"] == "Seed project"
  }

  private static let head = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Seed project",
      "description": "A build of seed: what it reads, and the SQLite database that it makes of it.",
      "$ref": "#/$defs/project",
      "$defs": {

    """#

  /// The definitions of the values that the others have in common.
  private static let values = #"""
        "text": { "type": "string", "minLength": 1 },
        "path": { "type": "string", "pattern": "^(?!-$)[^\\x00]+$" },
        "address": {
          "type": "string",
          "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#\\s]+\\S*$"
        },
        "character": { "type": "string", "pattern": "^[\\t -~]$" },
        "names": {
          "type": "array",
          "minItems": 1,
          "uniqueItems": true,
          "items": { "$ref": "#/$defs/text" }
        },
        "namePath": { "type": "string", "pattern": "^[^/]+(/[^/]+)*$" },
        "columnName": {
          "type": "string",
          "pattern": "^\\s*(\"([^\"]|\"\")+\"|[^\\s\".,()]+)\\s*\\.\\s*(\"([^\"]|\"\")+\"|[^\\s\".,()]+)\\s*$"
        },
        "indexText": {
          "type": "string",
          "pattern": "^\\s*([Uu][Nn][Ii][Qq][Uu][Ee]\\s+)?(\"([^\"]|\"\")+\"|[^\\s\".,()]+)\\s*\\(\\s*(\"([^\"]|\"\")+\"|[^\\s\".,()]+)\\s*(,\\s*(\"([^\"]|\"\")+\"|[^\\s\".,()]+)\\s*)*\\)\\s*$"
        },
        "scalar": { "type": ["string", "number", "boolean", "null"] },
        "secretOrText": {
          "anyOf": [
            { "type": "string", "pattern": "^[^\\x00-\\x08\\x0a-\\x1f]*$" },
            { "$ref": "#/$defs/secret" },
            { "$ref": "#/$defs/template" }
          ]
        }

    """#

  private static let tail = #"""
      }
    }

    """#
}
