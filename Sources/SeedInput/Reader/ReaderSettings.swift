package import SeedModel

/// How one input is to be read.
package struct ReaderSettings: Sendable {
  /// What errors call the input.
  package var name: String
  /// The input's format.
  package var format: InputFormat
  /// What records are called that have no name in the input, such as the lines of a CSV file.
  package var recordName: String
  /// An encoding that outranks what the input says, or nil.
  package var encoding: String?
  /// What is declared of delimited text.
  package var layout = DelimitedLayout()
  /// How many words of tokens make a batch complete.
  package var batchWordCount = TokenBatch.preferredWordCount
  /// Whether arrays and keyed collections with nothing in them are tokens; see ``TokenBatch``.
  package var marksEmptyMembers = false
  /// Whether batches say where their tokens stand, which takes its time; see ``TokenBatch/places``.
  package var givesPlaces = false

  /// Settings with the defaults for all that is not named.
  package init(name: String, format: InputFormat, recordName: String, encoding: String? = nil) {
    self.name = name
    self.format = format
    self.recordName = recordName
    self.encoding = encoding
  }
}
