internal import SeedModel

/// In what portions an input is read and how soon its plan is made.
///
/// Counted in batches and not in bytes, which come in other portions through a pipe: the same
/// document must go through the same readings however it comes, or the bytes of the database
/// would depend on it.
struct Pacing {
  /// How many words of tokens make a batch complete.
  var batchWordCount = TokenBatch.preferredWordCount
  /// How many batches are observed before the first plan is made; at least one.
  var sampleBatchCount = 8
  /// A contradiction within so many batches (some 20 MB) costs little, whatever the input's size.
  var cheapBatchCount = 64
  /// How many values go to the inserting thread together; fewer do not start it.
  var parcelValueCount = 4096
}
