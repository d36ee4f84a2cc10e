/// One source of a project.
package struct ProjectSource: Sendable, Hashable {
  /// Where a source's bytes come from.
  package enum Origin: Sendable, Hashable {
    /// A file, relative to the project file.
    case file(Located<String>)
    /// An `https://` or `http://` address with the headers to send.
    case url(Located<String>, headers: [HeaderRule])
    /// Tables of a HyperHive server.
    case hyperHive(HyperHiveSource)
  }

  /// Where the bytes come from.
  package var origin: Origin
  /// The format, when it shall not be told from name and content.
  package var format: InputFormat?
  /// The encoding, when the source does not say it itself.
  package var encoding: String?
  /// The table of records that have no name in the source.
  package var table: Located<String>?
  /// What is declared of delimited text.
  package var layout = DelimitedLayout()
  /// The keys that declare it, each with the place of its value.
  package var layoutKeys: [Located<String>] = []
  /// The shape around an answer's data.
  package var envelope: EnvelopeRule?
  /// The most pages that are followed from an address, when it is not the usual number.
  package var pageLimit: Int?
  /// What becomes of records, by their path; records that are not named follow the inference.
  package var records: [RecordRule] = []
  /// Where the source stands in the project file.
  package var location: SourceLocation?

  /// A source of which only the origin is declared.
  package init(_ origin: Origin) {
    self.origin = origin
  }
}

/// A header to send; its value may be a secret.
package struct HeaderRule: Sendable, Hashable {
  /// A header's value.
  package enum Value: Sendable, Hashable {
    /// The text itself.
    case text(String)
    /// The value of an environment variable, which is never printed or stored.
    case environment(String)
    /// A text in which `$NAME` and `${NAME}` stand for environment variables, `$$` for a dollar sign.
    case template(String)
  }

  /// The header's name.
  package var name: String
  /// Its value.
  package var value: Value
  /// Where the header stands.
  package var location: SourceLocation?

  /// A header.
  package init(name: String, value: Value, location: SourceLocation? = nil) {
    self.name = name
    self.value = value
    self.location = location
  }
}

/// The members of a server's answer that say whether it holds data: `{"success": …, "message": …}`.
package struct EnvelopeRule: Sendable, Hashable {
  /// The member that is `true` when the answer holds data.
  package var success: String?
  /// The member that says why it does not.
  package var message: String?

  /// An envelope.
  package init(success: String? = nil, message: String? = nil) {
    self.success = success
    self.message = message
  }
}

/// Tables of a HyperHive server.
package struct HyperHiveSource: Sendable, Hashable {
  /// One resource with its parameters.
  package struct Resource: Sendable, Hashable {
    package var name: String
    package var withCache: Bool
    package var parameters: JSONValue?

    package init(name: String, withCache: Bool = true, parameters: JSONValue? = nil) {
      self.name = name
      self.withCache = withCache
      self.parameters = parameters
    }
  }

  package var host: String
  package var api: String
  package var environment: String
  package var project: String
  package var device: String
  package var username: HeaderRule.Value?
  package var password: HeaderRule.Value?
  package var resources: [Resource]

  package init(
    host: String, api: String, environment: String, project: String, device: String,
    username: HeaderRule.Value? = nil, password: HeaderRule.Value? = nil,
    resources: [Resource] = []
  ) {
    self.host = host
    self.api = api
    self.environment = environment
    self.project = project
    self.device = device
    self.username = username
    self.password = password
    self.resources = resources
  }
}
