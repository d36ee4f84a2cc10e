import SeedBuilder
import SeedFormat

/// What the file is and what it was made from.
struct OriginSection {
  private let report: DatabaseReport
  private let inputs: [RecordedInput]

  init(_ report: DatabaseReport, inputs: [RecordedInput]) {
    self.report = report
    self.inputs = inputs
  }

  var markup: HTML {
    """
    <section>
    <h2>Origin and format</h2>
    <div class="pair">
    \(list(of: stampFacts))\(list(of: fileFacts))</div>
    \(inputTable)</section>

    """
  }

  private func list(of facts: [(String, HTML)]) -> HTML {
    let entries = facts.map { "<dt>\($0)</dt><dd>\($1)</dd>\n" as HTML }
    return "<dl class=\"facts\">\n\(entries.joined())</dl>\n"
  }

  private var stampFacts: [(String, HTML)] {
    guard let stamp = report.stamp else {
      return [("Stamp", "none: the file is not known to come from <code>seed build</code>")]
    }
    var name: HTML = "name <code>\(stamp.name)</code>"
    if let version = stamp.version { name += ", version <code>\(version)</code>" }
    return [
      ("Stamp", name + ", built by \(stamp.tool)"),
      ("Content SHA-256", "<code>\(stamp.contentSHA256)</code>"),
    ]
  }

  private var fileFacts: [(String, HTML)] {
    var pages =
      Readable.count(report.pageCount, "page")
      + " of \(Readable.count(Int64(report.pageSize))) bytes"
    if report.freePageCount > 0 {
      pages += ", \(Readable.count(report.freePageCount)) of them free"
    }
    var facts: [(String, HTML)] = [("Pages", "\(pages)"), ("Text", "\(report.textEncoding)")]
    if report.isWriteAheadLogging { facts.append(("Journal", "write-ahead log")) }
    facts.append(("user_version", "\(String(report.userVersion))"))
    facts.append(("application_id", "\(String(report.applicationID))"))
    return facts
  }

  private var inputTable: HTML {
    guard !inputs.isEmpty else { return "" }
    let rows = inputs.map { input in
      let size = input.byteCount.map { Readable.bytes($0) } ?? ""
      return """
        <tr><th scope="row"><code>\(input.name)</code></th><td class="number">\(size)</td>\
        <td><code>\(input.sha256 ?? "")</code></td></tr>

        """ as HTML
    }
    return """
      <div class="rows">
      <h3>Inputs</h3>
      <table class="inputs">
      <thead><tr><th scope="col">Name</th><th scope="col" class="number">Size</th>\
      <th scope="col">SHA-256</th></tr></thead>
      <tbody>
      \(rows.joined())</tbody>
      </table>
      </div>

      """
  }
}
