extension ProjectSchema {
  /// The definitions of what becomes of records and their values.
  static let records = #"""
        "record": {
          "title": "Record",
          "type": "object",
          "allOf": [
            {
              "if": { "required": ["skip"], "properties": { "skip": { "const": true } } },
              "then": { "properties": { "table": false, "columns": false, "only": false } }
            },
            {
              "if": { "required": ["only"], "properties": { "only": { "const": true } } },
              "then": { "required": ["columns"] }
            }
          ],
          "additionalProperties": false,
          "properties": {
            "table": {
              "description": "The table that the records go to. Without it, one of their own name.",
              "$ref": "#/$defs/text"
            },
            "columns": {
              "description": "What the table's columns are made from, by their names; just the place of the value, or more. Others follow by their names.",
              "type": "object",
              "minProperties": 1,
              "propertyNames": { "minLength": 1 },
              "additionalProperties": {
                "anyOf": [{ "$ref": "#/$defs/namePath" }, { "$ref": "#/$defs/column" }]
              }
            },
            "only": {
              "description": "Whether only the columns named are filled, and all else of the records is left out.",
              "type": "boolean"
            },
            "skip": {
              "description": "Whether the records are left out altogether.",
              "type": "boolean"
            }
          }
        },
        "column": {
          "title": "Column",
          "type": "object",
          "dependentSchemas": {
            "constant": {
              "properties": {
                "from": false, "format": false, "default": false, "null": false, "trim": false
              }
            }
          },
          "if": {
            "required": ["type", "format"],
            "properties": { "type": { "enum": ["integer", "real", "decimal"] } }
          },
          "then": { "properties": { "format": { "const": "decimal-comma" } } },
          "else": {
            "if": { "required": ["type", "format"] },
            "then": { "properties": { "type": { "enum": ["date", "datetime", "blob"] } } }
          },
          "additionalProperties": false,
          "properties": {
            "from": {
              "description": "Where the value stands in the record: \"@name\" is an attribute, \"name\" or \"name/other\" a child or member, \"../name\" one of the record around it, \".\" the direct text. Without it, what has the column's name.",
              "$ref": "#/$defs/namePath"
            },
            "type": {
              "description": "The type that values are converted to. Without it, what the schema or the data says.",
              "enum": ["text", "integer", "real", "decimal", "boolean", "date", "datetime", "blob"]
            },
            "format": {
              "description": "How the column's dates are written, such as dd.MM.yyyy; of numbers, decimal-comma for 1.234,50; of a blob, base64 or hex.",
              "$ref": "#/$defs/text"
            },
            "default": {
              "description": "What stands in the place of an absent value.",
              "$ref": "#/$defs/scalar"
            },
            "null": {
              "description": "A text that means NULL, or several.",
              "anyOf": [
                { "type": "string" },
                { "type": "array", "minItems": 1, "items": { "type": "string" } }
              ]
            },
            "trim": {
              "description": "Whether blanks around values are dropped.",
              "type": "boolean"
            },
            "constant": {
              "description": "The same value for every row, instead of one from the source.",
              "$ref": "#/$defs/scalar"
            }
          }
        },

    """#
}
