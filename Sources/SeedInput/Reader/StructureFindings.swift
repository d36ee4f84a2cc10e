/// What readings of one input have found out about its structure that a reader has to know before
/// it gives out the first token, such as that an object is a keyed collection.
///
/// A reader that finds something new notes it here and throws ``StructureRevised``; the input is
/// then read again from its start. Findings are only ever added, so this comes to an end.
package final class StructureFindings: @unchecked Sendable {
  // Unchecked: the reading thread has it while it runs, and nobody else then.

  /// Findings of an input of which nothing is known yet.
  package init() {}
}

/// Says that an input has to be read again from its start, and all that was delivered forgotten.
package struct StructureRevised: Error {
  /// The only one there is.
  package init() {}
}
