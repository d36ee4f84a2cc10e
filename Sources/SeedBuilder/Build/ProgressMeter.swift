#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Reports how far a build is, at most ten times a second.
package final class ProgressMeter {
  private let onProgress: (@Sendable (BuildProgress) -> Void)?
  private let total: Int64?
  private let documents: [InputDocument]
  private let pass: Int
  private var lastReport = 0.0
  private static let interval = 0.1

  package init(options: BuildOptions, documents: [InputDocument], pass: Int) {
    onProgress = options.onProgress
    self.documents = documents
    self.pass = pass
    let sizes = documents.compactMap(\.size)
    total = sizes.count == documents.count ? sizes.reduce(0, +) : nil
  }

  /// Reports that all rows are loaded.
  package func reportChecking(rowCount: Int64) {
    var progress = BuildProgress(
      inputBytesRead: total ?? 0, inputByteTotal: total, rowCount: rowCount, pass: pass)
    progress.isChecking = true
    onProgress?(progress)
  }

  package func report(inputBytesRead: Int64, rowCount: Int64) {
    guard let onProgress else { return }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    guard now - lastReport >= ProgressMeter.interval else { return }
    lastReport = now
    // A packed input shows only once it is open, and its bytes are counted unpacked.
    let isPacked = documents.contains(where: \.isPacked)
    onProgress(
      BuildProgress(
        inputBytesRead: inputBytesRead, inputByteTotal: isPacked ? nil : total,
        rowCount: rowCount, pass: pass))
  }
}
