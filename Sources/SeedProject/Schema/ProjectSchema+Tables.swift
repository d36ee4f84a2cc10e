extension ProjectSchema {
  /// The definitions of what tables have besides, and of what the database stores about itself.
  static let tables = #"""
        "reference": {
          "title": "Reference",
          "type": "object",
          "required": ["from", "to"],
          "additionalProperties": false,
          "properties": {
            "from": {
              "description": "Where the natural key stands in the record, as in a column's \"from\".",
              "$ref": "#/$defs/namePath"
            },
            "to": {
              "description": "The table and column that has the natural key, such as category.name.",
              "$ref": "#/$defs/columnName"
            }
          }
        },
        "index": {
          "title": "Index",
          "type": "object",
          "required": ["table", "columns"],
          "additionalProperties": false,
          "properties": {
            "name": {
              "description": "The index's name. Without it, one made from table and columns.",
              "$ref": "#/$defs/text"
            },
            "table": { "description": "The table.", "$ref": "#/$defs/text" },
            "columns": { "description": "The columns, in order.", "$ref": "#/$defs/names" },
            "unique": {
              "description": "Whether no two rows may agree in the columns.",
              "type": "boolean"
            }
          }
        },
        "stream": {
          "title": "Stream",
          "type": "object",
          "required": ["tables"],
          "additionalProperties": false,
          "properties": {
            "tables": {
              "description": "The tables that share the stream's history, by name or as objects.",
              "type": "array",
              "minItems": 1,
              "uniqueItems": true,
              "items": {
                "anyOf": [{ "$ref": "#/$defs/text" }, { "$ref": "#/$defs/streamTable" }]
              }
            },
            "source": {
              "description": "The address that the stream is read from, or the path of its folder: where \"seed stream\" looks without --source.",
              "anyOf": [
                { "$ref": "#/$defs/address" },
                { "type": "string", "minLength": 1, "not": { "pattern": "://" } }
              ]
            }
          }
        },
        "streamTable": {
          "title": "Table of a stream",
          "type": "object",
          "required": ["table"],
          "additionalProperties": false,
          "properties": {
            "table": { "description": "The table.", "$ref": "#/$defs/text" },
            "key": {
              "description": "The columns that tell its rows apart, which a UNIQUE index is over. Without them, the primary key.",
              "$ref": "#/$defs/names"
            },
            "columns": {
              "description": "The columns that the stream may write besides the key's. Without them, all.",
              "$ref": "#/$defs/names"
            }
          }
        },
        "pragmas": {
          "title": "Pragmas",
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "page_size": {
              "description": "The page size in bytes. Without it, 4096.",
              "enum": [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536]
            },
            "auto_vacuum": {
              "description": "Whether the database shrinks when the app deletes rows. Without it, none.",
              "enum": ["none", "full", "incremental"]
            },
            "encoding": {
              "description": "The encoding of texts, which is always UTF-8.",
              "const": "UTF-8"
            },
            "journal_mode": {
              "description": "The journal mode, which is always delete; the app may change it.",
              "const": "delete"
            }
          }
        },

    """#
}
