internal import SeedModel

extension ProjectDecoder {
  /// The sources, of which there must be one at least.
  func sources(of reader: ObjectReader) -> [ProjectSource] {
    let key = "sources"
    guard let json = reader.required(key) else { return [] }
    guard case .array(let elements) = json.value else {
      log.addType(of: json, key, expected: "an array of sources")
      return []
    }
    if elements.isEmpty {
      reader.refuse(json, key, hint: "name a source, such as { \"file\": \"Events.xml\" }")
    }
    let sources = elements.compactMap(source)
    checkResources(elements)
    return sources
  }

  /// Refuses resources whose tables have the same names, of one server or of several.
  private func checkResources(_ sources: [LocatedJSON]) {
    struct Names: Hashable {
      var resource: String
      /// The parameters, where tables are named after them too.
      var parameters: String?
    }
    var places: [Names: SourceLocation?] = [:]
    for source in sources {
      guard case .array(let resources)? = source["hyperhive"]?["resources"]?.value else { continue }
      for json in resources {
        let name: String
        var isCached = true
        switch json.value {
        case .string(let text): name = text
        default:
          guard case .string(let text)? = json["name"]?.value else { continue }
          name = text
          if case .bool(false)? = json["withCache"]?.value { isCached = false }
        }
        let parameters = json["params"]?.plain ?? .null
        // SQLite takes names that differ in case for the same.
        let names = Names(
          resource: name.lowercased(), parameters: isCached ? parameters.text : nil)
        if let other = places[names] {
          log.add(.sameTables(name, other), at: json.location)
        } else {
          places[names] = json.location
        }
      }
    }
  }

  private func source(_ json: LocatedJSON) -> ProjectSource? {
    guard let reader = ObjectReader(json, .source, log: log) else { return nil }
    let origin = origin(of: reader)
    // Read even when there is no origin, so that all errors are found.
    var source = ProjectSource(origin ?? .file(Located("")))
    source.location = json.location
    source.format = reader.choice("format", of: InputFormat.self)?.value
    source.encoding = reader.text("encoding")?.value
    source.table = reader.text("table")
    if let table = source.table, ReservedNames.has(table.value), let json = reader.value("table") {
      reader.refuse(json, "table", hint: "choose another: \(ReservedNames.hint)")
    }
    source.layout = layout(of: reader)
    source.layoutKeys = ["delimiter", "quote", "columns"].compactMap { key in
      reader.value(key).map { Located(key, at: $0.location) }
    }
    source.envelope = envelope(of: reader)
    source.pageLimit = pageLimit(of: reader)
    source.records = records(of: reader)
    if let format = source.format, format != .csv, format != .tsv {
      for key in source.layoutKeys {
        log.add(
          .conflictingKeys(key.value, "format", hint: "leave it out; it is for csv and tsv"),
          at: key.location ?? reader.location)
      }
    }
    return origin == nil ? nil : source
  }

  // MARK: Origin

  private func origin(of reader: ObjectReader) -> ProjectSource.Origin? {
    let keys = ["file", "url", "hyperhive"].filter { reader.has($0) }
    guard let first = keys.first else {
      log.add(.missingOrigin, at: reader.location)
      return nil
    }
    for other in keys.dropFirst() {
      log.add(
        .conflictingKeys(other, first), at: reader.value(other)?.location ?? reader.location)
    }
    for key in ["headers", "pageLimit"] where first != "url" {
      guard let value = reader.value(key) else { continue }
      log.add(.missingCompanion(key, of: "url"), at: value.location)
    }
    reader.exclude(
      ["format", "encoding", "table", "delimiter", "quote", "columns", "envelope"],
      beside: "hyperhive")
    switch first {
    case "file": return filePath("file", of: reader).map { .file($0) }
    case "url":
      return address("url", of: reader).map { .url($0, headers: headers(of: reader)) }
    default: return hyperHive(of: reader).map { .hyperHive($0) }
    }
  }

  /// An address of the web.
  func address(_ key: String, of reader: ObjectReader) -> Located<String>? {
    guard let text = reader.text(key), let json = reader.value(key) else { return nil }
    let rest = ["https://", "http://"].lazy.compactMap { scheme in
      text.value.lowercased().hasPrefix(scheme) ? text.value.dropFirst(scheme.count) : nil
    }.first
    let isPlain = text.value.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    guard let host = rest?.prefix(while: { $0 != "/" && $0 != "?" && $0 != "#" }),
      !host.isEmpty, isPlain
    else {
      reader.refuse(json, key, hint: "write an address such as https://example.com/events")
      return nil
    }
    return text
  }

  private func headers(of reader: ObjectReader) -> [HeaderRule] {
    reader.entries("headers", named: "the header").compactMap { member in
      let name = member.name.value
      guard name.utf8.allSatisfy(ProjectDecoder.isTokenByte) else {
        log.add(
          .unusableValue("\"\(name)\"", key: "headers", hint: "name a header such as Accept"),
          at: member.name.location ?? member.value.location)
        return nil
      }
      guard let value = secret(member.value, name, in: reader) else { return nil }
      return HeaderRule(name: name, value: value, location: member.name.location)
    }
  }

  /// Whether a byte may stand in a header's name (RFC 9110, 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private func pageLimit(of reader: ObjectReader) -> Int? {
    guard let limit = reader.integer("pageLimit"), let json = reader.value("pageLimit") else {
      return nil
    }
    guard limit.value > 0 else {
      reader.refuse(json, "pageLimit", hint: "use a number from 1 to \(Int32.max)")
      return nil
    }
    return Int(limit.value)
  }

  /// A text, the environment variable that has it, or a text with such variables in it.
  private func secret(
    _ json: LocatedJSON, _ key: String, in reader: ObjectReader
  ) -> HeaderRule.Value? {
    if case .string(let text) = json.value {
      guard text.unicodeScalars.allSatisfy({ $0 == "\t" || $0.value >= 0x20 }) else {
        // Not shown: it may be what should have stood in the environment.
        log.add(
          .unusableValue(
            "a text with control characters", key: key, hint: "write it without line breaks"),
          at: json.location)
        return nil
      }
      return .text(text)
    }
    let expected = "a string, { \"env\": NAME } or { \"template\": TEXT }"
    guard json["template"] != nil else { return variable(json, key, expected: expected) }
    return ObjectReader(json, .template, key: key, expected: expected, log: log)?
      .requiredText("template").map { .template($0.value) }
  }

  private func variable(
    _ json: LocatedJSON, _ key: String, expected: String
  ) -> HeaderRule.Value? {
    guard let secret = ObjectReader(json, .secret, key: key, expected: expected, log: log),
      let name = secret.requiredText("env")
    else { return nil }
    guard !name.value.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == 0 }) else {
      secret.refuse(json["env"] ?? json, "env", hint: "name an environment variable")
      return nil
    }
    return .environment(name.value)
  }

  private func envelope(of reader: ObjectReader) -> EnvelopeRule? {
    guard let json = reader.value("envelope"),
      let envelope = ObjectReader(json, .envelope, key: "envelope", log: log)
    else { return nil }
    return EnvelopeRule(
      success: envelope.text("success")?.value, message: envelope.text("message")?.value)
  }

  // MARK: Delimited text

  private func layout(of reader: ObjectReader) -> DelimitedLayout {
    let hasNoQuote = reader.value("quote")?.value == .null
    let layout = DelimitedLayout(
      delimiter: character("delimiter", of: reader),
      quote: hasNoQuote ? DelimitedLayout.noQuote : character("quote", of: reader),
      columnNames: columnNames(of: reader))
    if let delimiter = layout.delimiter, delimiter == layout.quote ?? UInt8(ascii: "\"") {
      log.add(
        .conflictingKeys("quote", "delimiter", hint: "use two different characters"),
        at: (reader.value("quote") ?? reader.value("delimiter"))?.location ?? reader.location)
    }
    return layout
  }

  /// The names of the columns; none when the reader has to make them up.
  private func columnNames(of reader: ObjectReader) -> [String]? {
    guard let json = reader.value("columns") else { return nil }
    if json.value == .array([]) { return [] }
    return reader.texts(json, "columns").map(\.value)
  }

  private func character(_ key: String, of reader: ObjectReader) -> UInt8? {
    guard let text = reader.text(key), let json = reader.value(key) else { return nil }
    guard let byte = text.value.utf8.first, text.value.utf8.count == 1,
      byte == 0x09 || 0x20..<0x7F ~= byte
    else {
      reader.refuse(json, key, hint: "use one ASCII character, such as \";\" or \"\\t\"")
      return nil
    }
    return byte
  }

  // MARK: HyperHive

  private func hyperHive(of source: ObjectReader) -> HyperHiveSource? {
    guard let json = source.value("hyperhive"),
      let reader = ObjectReader(json, .hyperhive, key: "hyperhive", log: log)
    else { return nil }
    _ = reader.required("host")
    let host = address("host", of: reader)
    var result = HyperHiveSource(
      host: host?.value ?? "", api: reader.text("api")?.value ?? "v1",
      environment: reader.requiredText("environment")?.value ?? "",
      project: reader.requiredText("project")?.value ?? "",
      device: reader.requiredText("device")?.value ?? "")
    result.username = reader.value("username").flatMap { secret($0, "username", in: reader) }
    result.password = reader.value("password").flatMap {
      // A password in a file that is checked in is none any more.
      variable($0, "password", expected: "{ \"env\": NAME }")
    }
    for (key, other) in [("username", "password"), ("password", "username")] {
      if let value = reader.value(key), !reader.has(other) {
        log.add(.missingCompanion(key, of: other), at: value.location)
      }
    }
    result.resources = resources(of: reader)
    return result
  }

  private func resources(of reader: ObjectReader) -> [HyperHiveSource.Resource] {
    let key = "resources"
    guard let json = reader.required(key) else { return [] }
    guard case .array(let elements) = json.value else {
      log.addType(of: json, key, expected: "an array of resources")
      return []
    }
    if elements.isEmpty { reader.refuse(json, key, hint: "name at least one resource") }
    return elements.compactMap { element in
      if case .string = element.value {
        return reader.text(element, key).map { HyperHiveSource.Resource(name: $0.value) }
      }
      guard
        let resource = ObjectReader(
          element, .resource, expected: "a string or an object", log: log),
        let name = resource.requiredText("name")
      else { return nil }
      let parameters = resource.value("params")?.plain
      return HyperHiveSource.Resource(
        name: name.value, withCache: resource.flag("withCache")?.value ?? true,
        parameters: parameters == .null ? nil : parameters)
    }
  }
}
