import SeedFetch
import SeedTransport

/// The headers of a command line, in which secrets are named and not written.
struct HeaderArguments {
  static let option = OptionSpecification(
    "header", .value(placeholder: "HEADER"), isRepeatable: true,
    help: "A header to send with each request, such as 'Authorization: Bearer $TOKEN'; $TOKEN "
      + "is replaced by that environment variable and never shown. May be given again.")

  /// The headers in their order.
  let fields: [FetchSource.Field]

  /// Takes the headers of a command line.
  ///
  /// - Throws: ``UsageError`` for a text that is no header.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    var fields: [FetchSource.Field] = []
    for text in arguments.list(of: Self.option.name) {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, HTTPField(String(parts[0]), "").isValid else {
        throw UsageError(
          // What stands there may be a secret.
          .invalidValue("…", option: Self.option.spelling, allowed: []),
          command: arguments.command,
          hint: "write it as 'Name: value', with $NAME for what a variable holds")
      }
      let value = parts[1].drop { $0 == " " }
      fields.append(FetchSource.Field(String(parts[0]), FetchValue(template: String(value))))
    }
    self.fields = fields
  }

  /// The headers with what the variables hold, none of which may be shown.
  ///
  /// - Parameter place: The address that they are for, for errors.
  /// - Returns: The headers.
  /// - Throws: ``FetchError`` for a variable that is not set, or a value that no header can have.
  func resolved(for place: String) throws(FetchError) -> [HTTPField] {
    var headers: [HTTPField] = []
    for field in fields {
      let value: String
      do throws(FetchError) {
        value = try field.value.resolved(ProcessEnvironment.value)
      } catch {
        throw FetchError(error.reason, place: place)
      }
      let header = HTTPField(field.name, value, isSecret: true)
      guard header.isValid else {
        throw FetchError(
          .transport(TransportError(.invalidHeader(field.name), url: place)), place: place)
      }
      headers.append(header)
    }
    return headers
  }

  /// Checks that headers are not given in vain.
  ///
  /// - Throws: ``UsageError`` when there are some, and nothing is at an address.
  func validate(for source: String?, command: String) throws(UsageError) {
    guard !fields.isEmpty, source.map(HTTPURL.isAddress) != true else { return }
    throw UsageError(
      .nothingToFetch(Self.option.spelling), command: command,
      hint: "leave it out, or name an https:// address")
  }
}
