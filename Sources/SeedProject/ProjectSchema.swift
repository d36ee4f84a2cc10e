/// The JSON Schema of the project file, by which editors complete and explain its keys.
package enum ProjectSchema {
  /// The name of the file that holds it.
  package static let fileName = "seed.schema.json"

  /// The schema as a file, the same as `Seeds/seed.schema.json`.
  package static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Seed project",
      "description": "A build of seed: what it reads, and the SQLite database that it makes of it.",
      "$ref": "#/$defs/project",
      "$defs": {
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
              "description": "What gives the tables: an SQL script or a database as a template. Core Data models are not read yet. Without it, the tables follow from the data.",
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
              "description": "The streams that go on from the database, by name. Not built yet: a build refuses them.",
              "type": "object",
              "propertyNames": { "minLength": 1 },
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
        "source": {
          "title": "Source",
          "type": "object",
          "oneOf": [{ "required": ["file"] }, { "required": ["url"] }, { "required": ["hyperhive"] }],
          "dependentRequired": { "headers": ["url"] },
          "dependentSchemas": {
            "hyperhive": {
              "properties": {
                "format": false, "encoding": false, "table": false, "delimiter": false, "quote": false,
                "columns": false, "envelope": false
              }
            }
          },
          "if": {
            "required": ["format"],
            "properties": { "format": { "not": { "enum": ["csv", "tsv"] } } }
          },
          "then": { "properties": { "delimiter": false, "quote": false, "columns": false } },
          "additionalProperties": false,
          "properties": {
            "file": {
              "description": "A file to read, relative to this one; it may be packed with gzip.",
              "$ref": "#/$defs/path"
            },
            "url": {
              "description": "An address to fetch, https:// or http://.",
              "$ref": "#/$defs/address"
            },
            "hyperhive": {
              "description": "Tables of a HyperHive server. Not built yet: a build refuses them.",
              "$ref": "#/$defs/hyperhive"
            },
            "format": {
              "description": "The source's format. Without it, its name and content tell.",
              "enum": ["xml", "json", "ndjson", "csv", "tsv", "plist"]
            },
            "encoding": {
              "description": "The source's encoding, such as ISO-8859-1, whatever it says itself.",
              "$ref": "#/$defs/text"
            },
            "table": {
              "description": "The table for records that have no name in the source, such as the lines of a CSV file. Without it, they are called after the file.",
              "$ref": "#/$defs/text"
            },
            "delimiter": {
              "description": "The character between the fields of a CSV file. Without it, its first line tells.",
              "$ref": "#/$defs/character"
            },
            "quote": {
              "description": "The character around fields of a CSV file that have delimiters in them, null for none. Without it, the double quote.",
              "anyOf": [{ "$ref": "#/$defs/character" }, { "type": "null" }]
            },
            "columns": {
              "description": "The names of a CSV file's columns, when its first line does not have them. An empty list calls them column1, column2 and so on.",
              "type": "array",
              "uniqueItems": true,
              "items": { "$ref": "#/$defs/text" }
            },
            "headers": {
              "description": "Headers to send to the address; the value of a secret one stands in an environment variable.",
              "type": "object",
              "propertyNames": { "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" },
              "additionalProperties": { "$ref": "#/$defs/secretOrText" }
            },
            "envelope": {
              "description": "The members of a JSON answer that say whether it holds data; one that says it does not is an error.",
              "$ref": "#/$defs/envelope"
            },
            "records": {
              "description": "What becomes of records, by their path of names from the root, such as Events/Event; just the name of a table, or more. \"*\" stands for records without a name, which are the lines of CSV and NDJSON and the items of an outermost JSON array: \"*\", and below it \"*/tags\". Others follow from the data.",
              "type": "object",
              "propertyNames": { "$ref": "#/$defs/namePath" },
              "additionalProperties": {
                "anyOf": [{ "$ref": "#/$defs/text" }, { "$ref": "#/$defs/record" }]
              }
            }
          }
        },
        "secret": {
          "title": "Secret",
          "type": "object",
          "required": ["env"],
          "additionalProperties": false,
          "properties": {
            "env": {
              "description": "The environment variable that has the value. It is never printed or stored.",
              "type": "string",
              "pattern": "^[^=\\x00]+$"
            }
          }
        },
        "envelope": {
          "title": "Envelope",
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "success": {
              "description": "The member that is true when the answer holds data.",
              "$ref": "#/$defs/text"
            },
            "message": {
              "description": "The member that says why it does not.",
              "$ref": "#/$defs/text"
            }
          }
        },
        "hyperhive": {
          "title": "HyperHive server",
          "type": "object",
          "required": ["host", "environment", "project", "device", "resources"],
          "dependentRequired": { "username": ["password"], "password": ["username"] },
          "additionalProperties": false,
          "properties": {
            "host": { "description": "The server's address.", "$ref": "#/$defs/address" },
            "api": {
              "description": "The version of the server's interface. Without it, v1.",
              "$ref": "#/$defs/text"
            },
            "environment": {
              "description": "The environment that the project is in.",
              "$ref": "#/$defs/text"
            },
            "project": { "description": "The project on the server.", "$ref": "#/$defs/text" },
            "device": {
              "description": "The name by which this build is known to the server.",
              "$ref": "#/$defs/text"
            },
            "username": {
              "description": "The name to log in with.",
              "$ref": "#/$defs/secretOrText"
            },
            "password": {
              "description": "The environment variable that has the password.",
              "$ref": "#/$defs/secret"
            },
            "resources": {
              "description": "The resources to load; just a name, or more.",
              "type": "array",
              "minItems": 1,
              "items": { "anyOf": [{ "$ref": "#/$defs/text" }, { "$ref": "#/$defs/resource" }] }
            }
          }
        },
        "resource": {
          "title": "Resource",
          "type": "object",
          "required": ["name"],
          "additionalProperties": false,
          "properties": {
            "name": { "description": "The resource's name.", "$ref": "#/$defs/text" },
            "withCache": {
              "description": "Whether its tables are named after its parameters too. Without it, true.",
              "type": "boolean"
            },
            "params": { "description": "The input parameters, null for none." }
          }
        },
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
              "description": "The tables that share the stream's history.",
              "$ref": "#/$defs/names"
            },
            "source": {
              "description": "The address that the stream is read from.",
              "$ref": "#/$defs/address"
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
            { "$ref": "#/$defs/secret" }
          ]
        }
      }
    }

    """#
}
