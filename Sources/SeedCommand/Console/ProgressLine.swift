import SeedBuilder

/// One state of a build in one line, as much of it as there is room for.
struct ProgressLine {
  private static let barWidth = 20

  private let progress: BuildProgress
  private let passSeconds: Double

  /// - Parameters:
  ///   - progress: The state to show.
  ///   - passSeconds: How long the current pass over the inputs has taken so far.
  init(_ progress: BuildProgress, passSeconds: Double) {
    self.progress = progress
    self.passSeconds = passSeconds
  }

  /// `[=====     ]  45%, 12 MB of 27 MB, 120,000 rows, 3 s left`, or less of it.
  func text(columns: Int, hasBar: Bool = true) -> String {
    // From what matters most to what matters least.
    var parts = [
      progress.isChecking ? "checking" : bytes, Readable.count(progress.rowCount, "row"),
    ]
    if let secondsLeft, !progress.isChecking {
      parts.append("\(Readable.wholeDuration(seconds: secondsLeft)) left")
    }
    if progress.pass > 1 { parts.append("pass \(progress.pass)") }
    let bar = hasBar ? self.bar : ""
    while !parts.isEmpty {
      let text = parts.joined(separator: ", ")
      if bar.utf8.count + text.utf8.count <= columns { return bar + text }
      if text.utf8.count <= columns { return text }
      parts.removeLast()
    }
    return ""
  }

  private var fraction: Double? {
    guard let total = progress.inputByteTotal, total > 0 else { return nil }
    return min(1, max(0, Double(progress.inputBytesRead) / Double(total)))
  }

  private var bytes: String {
    let read = Readable.bytes(progress.inputBytesRead)
    guard let total = progress.inputByteTotal, let fraction else { return "\(read) read" }
    return "\(Int(fraction * 100))%, \(read) of \(Readable.bytes(total))"
  }

  private var bar: String {
    guard let fraction else { return "" }
    let filled = Int(fraction * Double(Self.barWidth))
    return "[" + String(repeating: "=", count: filled)
      + String(repeating: " ", count: Self.barWidth - filled) + "] "
  }

  /// The time left if the rest goes like the pass so far; nil as long as that is a guess.
  private var secondsLeft: Double? {
    guard let fraction, fraction >= 0.01, passSeconds >= 0.5 else { return nil }
    return passSeconds * (1 - fraction) / fraction
  }
}
