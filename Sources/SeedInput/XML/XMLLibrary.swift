internal import CLibXML2

/// The settings of libxml2 that hold for the whole process.
enum XMLLibrary {
  /// Starts libxml2 once: no external entity is ever loaded, nothing is printed.
  static func start() { _ = isStarted }

  private static let isStarted: Bool = {
    xmlInitParser()
    xmlSetExternalEntityLoader { _, _, _ in nil }
    return true
  }()

  /// Silences what libxml2 reports on this thread outside of a parse, such as a failed conversion.
  ///
  /// Those who call it look at the results.
  static func silenceThread() {
    xmlSetStructuredErrorFunc(nil) { _, _ in }
  }
}
