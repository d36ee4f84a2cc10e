extension ProjectSchema {
  /// The definition of the whole file.
  static let project = #"""
        "project": {
          "title": "Project",
          "type": "object",
          "required": ["sources"],
          "additionalProperties": false,
          "properties": {
            "$schema": {
              "description": "Where this JSON Schema lies, for editors. Seed passes over it.",
              "$ref": "#/$defs/text"
            },
            "name": {
              "description": "The seed's name in the database's stamp. Without it, that of the first source's root.",
              "$ref": "#/$defs/text"
            },
            "version": {
              "description": "The seed's own version in the database's stamp, such as \"1.4\".",
              "$ref": "#/$defs/text"
            },
            "output": {
              "description": "The database to write, relative to this file. Without it, default.sqlite.",
              "$ref": "#/$defs/path"
            },
            "schema": {
              "description": "What gives the tables: an SQL script, a database as a template, or a Core Data model (.xcdatamodeld, .xcdatamodel) whose store is made. Without it, the tables follow from the data.",
              "$ref": "#/$defs/path"
            },
            "sources": {
              "description": "What the build reads, in this order.",
              "type": "array",
              "minItems": 1,
              "items": { "$ref": "#/$defs/source" }
            },
            "references": {
              "description": "Foreign keys that are filled by looking a natural key up, by table.column.",
              "type": "object",
              "propertyNames": { "$ref": "#/$defs/columnName" },
              "additionalProperties": { "$ref": "#/$defs/reference" }
            },
            "indexes": {
              "description": "Indexes to create, such as \"event(time_stamp)\" or \"unique country(code)\".",
              "type": "array",
              "items": {
                "anyOf": [{ "$ref": "#/$defs/indexText" }, { "$ref": "#/$defs/index" }]
              }
            },
            "owned": {
              "description": "What the seed owns: an update of it may change an app's database there and nowhere else; columns by table, or true for a whole table.",
              "type": "object",
              "propertyNames": { "minLength": 1 },
              "additionalProperties": {
                "anyOf": [{ "const": true }, { "$ref": "#/$defs/names" }]
              }
            },
            "streams": {
              "description": "The streams that go on from the database, by name, with the tables that each carries.",
              "type": "object",
              "minProperties": 1,
              "propertyNames": { "pattern": "^[A-Za-z][A-Za-z0-9._-]{0,63}$" },
              "additionalProperties": { "$ref": "#/$defs/stream" }
            },
            "userVersion": {
              "description": "PRAGMA user_version, for the app's migrations.",
              "type": "integer",
              "minimum": -2147483648,
              "maximum": 2147483647
            },
            "applicationID": {
              "description": "PRAGMA application_id: a number, or four ASCII characters such as \"Seed\".",
              "anyOf": [
                { "type": "integer", "minimum": -2147483648, "maximum": 2147483647 },
                { "type": "string", "pattern": "^[ -~]{4}$" }
              ]
            },
            "pragmas": {
              "description": "Pragmas that are stored in the database.",
              "$ref": "#/$defs/pragmas"
            },
            "dateFormat": {
              "description": "How dates are written in the sources, such as dd.MM.yyyy.",
              "$ref": "#/$defs/text"
            },
            "timeZone": {
              "description": "The zone of times that name none, such as +01:00 or Europe/Berlin. They become UTC.",
              "$ref": "#/$defs/text"
            },
            "ignoreExtra": {
              "description": "Whether values that have no column in the schema are passed over instead of being errors.",
              "type": "boolean"
            },
            "analyze": {
              "description": "Whether the statistics are collected that help SQLite to plan queries.",
              "type": "boolean"
            }
          }
        },

    """#
}
