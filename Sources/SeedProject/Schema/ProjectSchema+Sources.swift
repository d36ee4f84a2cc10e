extension ProjectSchema {
  /// The definitions of what is read.
  static let sources = #"""
        "source": {
          "title": "Source",
          "type": "object",
          "oneOf": [{ "required": ["file"] }, { "required": ["url"] }, { "required": ["hyperhive"] }],
          "dependentRequired": { "headers": ["url"], "pageLimit": ["url"] },
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
              "description": "Tables of a HyperHive server, with the names, versions and ETags by which an app goes on from them; their records cannot be renamed.",
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
            "pageLimit": {
              "description": "The most pages that are followed from the address by its links to the next one. Without it, 1000.",
              "type": "integer",
              "minimum": 1,
              "maximum": 2147483647
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
        "template": {
          "title": "Text with variables",
          "type": "object",
          "required": ["template"],
          "additionalProperties": false,
          "properties": {
            "template": {
              "description": "A text such as Bearer $TOKEN, in which $NAME and ${NAME} stand for environment variables, which are never printed or stored; $$ is a dollar sign.",
              "$ref": "#/$defs/text"
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

    """#
}
